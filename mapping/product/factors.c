/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "mapping/product/classes.h"
#include "mapping/product/series.h"
#include "mapping/slimfly/slimfly.h"
#include "mapping/product/full_support.h"
#include "mapping/product/torus.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

#define MEDIAN 0.5

/* A wrong cable rarely reaches half of the support that is usual for links of the fabric. */
static void trust_links(const odo_links *g, const odo_support *support, odo_trust trust,
			uint8_t *ratio, bool *trusted)
{
	odo_support_ratio(g, support, ratio);
	static const odo_share half = {2, 4}, strict = {3, 4}, any = {0, 1};
	unsigned usual = odo_ratio_quantile(ratio, g->n_edges, MEDIAN);
	odo_share least = trust == ODO_TRUST_STRICT ? strict : trust == ODO_TRUST_ALL ? any : half;
	for (uint32_t e = 0; e < g->n_edges; e++)
		trusted[e] = ratio[e] && odo_exceeds(ratio[e], least, usual);
}

/* A graph of one or two switches is one factor and needs no search. */
static int place_single(const odo_links *g, odo_placement *placement, odo_error *err)
{
	int status = odo_placement_make(g->n, 1, placement, err);
	if (status)
		return status;
	placement->factor[0] = ODO_COMPLETE;
	placement->size[0] = g->n;
	for (uint32_t v = 0; v < g->n; v++)
		placement->at[v] = v;
	return odo_placement_index(g, placement, g->n, err);
}

/* Return a neighbour of `at` other than `from`. */
static uint32_t next_in_ring(const odo_links *g, uint32_t from, uint32_t at)
{
	const uint32_t *to = &g->to[g->first[at]];
	return to[to[0] == from && odo_degree(g, at) > 1];
}

/* Return an end of the path, or any vertex of the cycle. Return ODO_NONE if some vertex has no link
 * or more than two. */
static uint32_t find_end(const odo_links *g)
{
	uint32_t end = 0;
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t degree = odo_degree(g, v);
		if (!degree || degree > 2)
			return ODO_NONE;
		if (degree == 1)
			end = v;
	}
	return end;
}

/* Return true for a torus or mesh of one dimension: all switches on one cycle of five or more, or
 * on one path of three or more. A cycle of three is a complete graph, and one of four is a
 * hypercube. Rings need this test because their links close no rectangles. */
static bool is_ring(const odo_links *g)
{
	uint32_t end = find_end(g), seen = 1, fewest = g->n_edges < g->n ? 3 : 5;
	if (g->n < fewest || end == ODO_NONE)
		return false;
	for (uint32_t from = ODO_NONE, at = end; seen <= g->n; seen++) {
		uint32_t next = next_in_ring(g, from, at);
		if (next == end || next == from)
			break;
		from = at;
		at = next;
	}
	return seen == g->n;
}

static odo_factor factor_of_ring(const odo_links *g)
{
	return g->n_edges < g->n ? ODO_PATH : ODO_CYCLE;
}

/* Number the vertices along the path or cycle. */
static void number_along(const odo_links *g, uint32_t *number)
{
	for (uint32_t i = 0, from = ODO_NONE, at = find_end(g); i < g->n; i++) {
		uint32_t next = next_in_ring(g, from, at);
		number[at] = i;
		from = at;
		at = next;
	}
}

static int place_ring(const odo_links *g, odo_placement *placement, odo_error *err)
{
	int status = odo_placement_make(g->n, 1, placement, err);
	if (status)
		return status;
	placement->factor[0] = factor_of_ring(g);
	placement->size[0] = g->n;
	number_along(g, placement->at);
	return odo_placement_index(g, placement, g->n, err);
}

/* A dimension in which fewer switches than this have links is a splinter of another one. */
enum { FEWEST = 8 };

typedef struct dims {
	odo_classes c;
	odo_rows *rows;
	uint8_t *ratio; /* [n_edges] support */
	unsigned n;
} dims;

static void dims_clear(dims *d)
{
	odo_classes_clear(&d->c);
	free(d->rows);
	free(d->ratio);
}

/* Renumber the dimensions; ODO_NONE drops one. */
static void renumber_dims(const odo_links *g, dims *d, const uint32_t *number, unsigned n)
{
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (d->c.of[e] != ODO_NONE)
			d->c.of[e] = d->c.of[e] < d->n ? number[d->c.of[e]] : ODO_NONE;
	for (unsigned i = 0; i < d->n; i++)
		if (number[i] != ODO_NONE) /* never above i */
			d->rows[number[i]] = d->rows[i];
	d->n = n;
}

/* Share of the edges of a class that damage leaves. */
#define LEFT_OF_CLASS 0.2

static int find_classes(const odo_links *g, odo_walk *walk, const odo_support *support,
			odo_trust trust, bool *trusted, odo_classes *classes, odo_error *err)
{
	/* A torus has the smallest classes, one for each step of each of its cycles: at least
	 * sqrt(n) edges in two dimensions. */
	uint32_t smallest = (uint32_t)(LEFT_OF_CLASS * sqrt(g->n) + 0.5);
	if (trust != ODO_TRUST_BONDED)
		return odo_classes_find(g, walk, trust == ODO_TRUST_ALIKE ? support : NULL, trusted,
					smallest, classes, err);
	odo_bonds bonds = {0};
	int status = odo_bonds_make(g, walk, support, trusted, &bonds, err);
	if (!status && odo_uses("bonds: distrust"))
		status = odo_bonds_distrust(&bonds, trusted, err);
	if (!status)
		status = odo_classes_bonded(g, &bonds, trusted, smallest, classes, err);
	odo_bonds_clear(&bonds);
	return status;
}

/* Find a dimension, or part of one, from links of unusually high support and the links beside
 * them. */
static int find_top(const odo_links *g, odo_walk *walk, const odo_support *support, dims *d,
		    odo_error *err)
{
	bool *follows = odo_new(g->n_edges, sizeof *follows);
	d->ratio = odo_new(g->n_edges, sizeof *d->ratio);
	int status = d->ratio && follows ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for classes");
	if (!status) {
		odo_support_ratio(g, support, d->ratio);
		status = odo_full_support_find(g, walk, d->ratio, follows, &d->c, err);
	}
	if (!status)
		status = odo_series_merge(g, walk, &d->c, &d->rows, err);
	if (!status && (!d->c.n || d->c.n == ODO_MAX_DIMS))
		status = odo_fail(err, ODO_EUNKNOWN, "no links stand out");
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		if (follows[e])
			d->c.of[e] = d->c.n;
	free(follows);
	if (status)
		return status;
	d->n = d->c.n + 1;
	d->rows[d->c.n] = ODO_ROWS_OTHER;
	return 0;
}

static int find_dims(const odo_links *g, odo_walk *walk, const odo_support *support,
		     odo_trust trust, dims *d, odo_error *err)
{
	bool *trusted = odo_new(g->n_edges, sizeof *trusted);
	uint32_t number[ODO_MAX_DIMS];
	d->ratio = odo_new(g->n_edges, sizeof *d->ratio);
	int status = d->ratio && trusted ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for classes");
	if (!status) {
		trust_links(g, support, trust, d->ratio, trusted);
		status = find_classes(g, walk, support, trust, trusted, &d->c, err);
	}
	if (!status && !d->c.n)
		status = odo_fail(err, ODO_EUNKNOWN, "no links close rectangles or triangles");
	if (!status)
		status = odo_series_merge(g, walk, &d->c, &d->rows, err);
	d->n = d->c.n < ODO_MAX_DIMS ? d->c.n : ODO_MAX_DIMS;
	unsigned n = 0;
	for (unsigned i = 0; i < d->n && !status; i++)
		number[i] = FEWEST * d->c.n_edges[i] >= g->n || !odo_uses("small dimensions")
				    ? n++
				    : ODO_NONE;
	if (!status)
		renumber_dims(g, d, number, n);
	free(trusted);
	return status;
}

/* A dimension has collapsed if this share of its edges joins switches of the same value. The share
 * is close to 0 in a real dimension and close to 1 in a collapsed one. */
#define COLLAPSED 0.5

/* Drop the links of collapsed dimensions, which are splinters of others. */
static void drop_collapsed(const odo_links *g, dims *d, const double *collapsed)
{
	uint32_t number[ODO_MAX_DIMS];
	unsigned n = 0;
	for (unsigned i = 0; i < d->n; i++)
		number[i] = collapsed[i] < COLLAPSED ? n++ : ODO_NONE;
	renumber_dims(g, d, number, n);
}

/* A single wrong link, if trusted, unites all switches of two values. Drop the links whose support
 * is below `tenths` of the median of their dimension. */
static void trim_dims(const odo_links *g, dims *d, unsigned tenths)
{
	uint32_t count[ODO_MAX_DIMS][256] = {{0}}, total[ODO_MAX_DIMS] = {0};
	unsigned median[ODO_MAX_DIMS] = {0};
	for (uint32_t e = 0; e < g->n_edges; e++) {
		if (d->c.of[e] == ODO_NONE)
			continue;
		count[d->c.of[e]][d->ratio[e]]++;
		total[d->c.of[e]]++;
	}
	for (unsigned i = 0; i < d->n; i++)
		for (uint32_t below = 0; median[i] < 255; median[i]++)
			if (odo_half(below += count[i][median[i]], total[i]))
				break;
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (d->c.of[e] != ODO_NONE && 10u * d->ratio[e] < tenths * median[d->c.of[e]])
			d->c.of[e] = ODO_NONE;
}

/* Each trim drops the links with least support among those that the last trim left. The first trims
 * are gentle, so that they drop few right links. Trims after MOST_TRIMS gain nothing. */
enum { GENTLE_TRIMS = 4, MOST_TRIMS = 6 };

/* Repair a collapse: trim dimensions, or drop those that are no dimension by themselves. */
static void repair_collapse(const odo_links *g, dims *d, const double *collapsed, int attempt)
{
	bool whole = false;
	for (unsigned i = 0; i < d->n; i++)
		whole = whole || collapsed[i] >= COLLAPSED;
	if (!whole && odo_uses("dimensions trimmed"))
		trim_dims(g, d, attempt < GENTLE_TRIMS ? 8 : 9);
	else
		drop_collapsed(g, d, collapsed);
}

static int place_values(const odo_links *g, dims *d, odo_placement *placement, odo_error *err)
{
	for (int attempt = 0;; attempt++) {
		double collapsed[ODO_MAX_DIMS] = {0}, most = 0;
		int status = d->n ? odo_placement_make(g->n, d->n, placement, err)
				  : odo_fail(err, ODO_EUNKNOWN,
					     "no class of parallel links is a dimension");
		if (!status)
			status = odo_placement_coordinates(g, d->c.of, placement, collapsed, err);
		for (unsigned i = 0; i < d->n; i++)
			most = collapsed[i] > most ? collapsed[i] : most;
		if (status || most == 0 || (most < COLLAPSED && attempt > MOST_TRIMS))
			return status;
		repair_collapse(g, d, collapsed, attempt);
		odo_placement_clear(placement);
	}
}

static bool only_differ_in(const odo_placement *placement, const uint32_t *end, unsigned dim)
{
	const uint32_t *a = odo_placement_at(placement, end[0]),
		       *b = odo_placement_at(placement, end[1]);
	for (unsigned i = 0; i < placement->n_dims; i++)
		if ((a[i] == b[i]) == (i == dim))
			return false;
	return true;
}

/* Vertices of the largest factor that is examined: two matrices of this size take 16 MB. */
enum { LARGEST_FACTOR = 4096 };

/* Minimum frequency of values of a factor, and of links between them. */
typedef struct sieve {
	odo_share links;  /* share of the copies that the most frequent link has */
	odo_share values; /* share of the switches that the most frequent value has */
} sieve;

/* Damage and wrong links both create links with few copies and values with few switches. Matching a
 * known factor decides which of them it was. */
static const sieve sieves[] = {
	{{2, 8}, {0, 1}}, {{4, 8}, {0, 1}}, {{5, 8}, {0, 1}}, {{4, 8}, {5, 8}}, {{5, 8}, {5, 8}}};

/* Number the values that the sieve keeps: number [size], ODO_NONE for the others. The most frequent
 * value is a high quantile, because a wrong link can unite two values into one. */
static int number_kept(const odo_placement *placement, unsigned dim, const sieve *s,
		       uint32_t *number, uint32_t *n_kept)
{
	odo_arena memory = {0};
	uint32_t k = placement->size[dim];
	uint32_t *count = odo_arena_new(&memory, k, sizeof *count),
		 *sorted = odo_arena_new(&memory, k, sizeof *sorted);
	int status = memory.failed ? ODO_ENOMEM : 0;
	for (uint32_t v = 0; v < placement->n && !status; v++)
		if (odo_placement_at(placement, v)[dim] != ODO_NONE)
			count[odo_placement_at(placement, v)[dim]]++;
	*n_kept = 0;
	if (!status && k) {
		memcpy(sorted, count, k * sizeof *count);
		qsort(sorted, k, sizeof *sorted, odo_by_u32);
		uint64_t most = sorted[k - 1 - (odo_uses("sieve: one in 20") ? k / ODO_RARE : 0)];
		for (uint32_t x = 0; x < k; x++)
			number[x] = odo_reaches(count[x], s->values, most) ? (*n_kept)++ : ODO_NONE;
	}
	odo_arena_free(&memory);
	return status;
}

/* Count the edges that represent each link between values: count [n_kept * n_kept]. Return the
 * highest count. */
static uint32_t count_copies(const odo_links *g, const odo_placement *placement, unsigned dim,
			     const uint32_t *number, uint32_t n_kept, uint32_t *count)
{
	uint32_t most = 0;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t a = odo_placement_at(placement, g->end[e][0])[dim];
		uint32_t b = odo_placement_at(placement, g->end[e][1])[dim];
		if (a == ODO_NONE || b == ODO_NONE || number[a] == ODO_NONE ||
		    number[b] == ODO_NONE || !only_differ_in(placement, g->end[e], dim))
			continue;
		uint32_t n = ++count[(size_t)number[a] * n_kept + number[b]];
		count[(size_t)number[b] * n_kept + number[a]] = n;
		most = n > most ? n : most;
	}
	return most;
}

/* Build the graph of the values of dimension `dim` that the sieve keeps. */
static int quotient_of_dim(const odo_links *g, const odo_placement *placement, unsigned dim,
			   const sieve *s, uint32_t *number, odo_links *factor, odo_error *err)
{
	uint32_t n = 0, *count = NULL;
	int status = number_kept(placement, dim, s, number, &n);
	if (!status)
		count = odo_new((size_t)n * n, sizeof *count);
	if (!count)
		return odo_fail(err, ODO_ENOMEM, "no memory for a factor");
	uint32_t most = count_copies(g, placement, dim, number, n, count);
	odo_bits kept = {0};
	status = odo_bits_make(n, &kept) ? odo_fail(err, ODO_ENOMEM, "no memory for a factor") : 0;
	for (uint32_t a = 0; a < n && !status; a++)
		for (uint32_t b = 0; b < n; b++) {
			uint32_t copies = count[(size_t)a * n + b];
			if (copies && odo_reaches(copies, s->links, most))
				odo_bits_set(&kept, a, b);
		}
	if (!status)
		status = odo_links_of_bits(&kept, factor, err);
	odo_bits_clear(&kept);
	free(count);
	return status;
}

static void adopt_mms(odo_placement *placement, unsigned dim, const uint32_t *number, odo_mms *mms)
{
	placement->factor[dim] = ODO_MMS;
	placement->size[dim] = mms->n;
	placement->q = mms->q;
	placement->adjacent = mms->adjacent;
	mms->adjacent = (odo_bits){0};
	for (uint32_t v = 0; v < placement->n; v++) {
		uint32_t *at = odo_placement_at(placement, v) + dim;
		uint32_t x = *at == ODO_NONE ? ODO_NONE : number[*at];
		*at = x == ODO_NONE ? ODO_NONE : mms->label[x];
	}
}

/* Try the values and links that one sieve keeps. */
static int place_sifted(const odo_links *g, odo_placement *placement, unsigned dim, const sieve *s,
			bool search, uint32_t *number, odo_error *err)
{
	odo_links factor = {0};
	odo_mms mms = {0};
	int status = quotient_of_dim(g, placement, dim, s, number, &factor, err);
	factor.budget = g->budget;
	if (!odo_may_go_on(g->budget))
		status = odo_fail(err, ODO_EUNKNOWN, ODO_GAVE_UP);
	if (!status)
		status = (search ? odo_mms_search : odo_mms_read)(&factor, &mms, err);
	if (!status)
		adopt_mms(placement, dim, number, &mms);
	odo_mms_clear(&mms);
	odo_links_clear(&factor);
	return status;
}

/* Reading the results of all sieves is quicker than searching the result of one, so all are read
 * first. Wrong links that remain can match by chance, so the strictest sieve is searched first. */
static int place_mms(const odo_links *g, odo_placement *placement, unsigned dim, odo_error *err)
{
	enum { N = sizeof sieves / sizeof *sieves };
	static const char *const names[N] = {"sieve 2,0", "sieve 4,0", "sieve 5,0", "sieve 4,5",
					     "sieve 5,5"};
	if (placement->size[dim] > LARGEST_FACTOR)
		return odo_fail(err, ODO_EUNKNOWN, "a factor of %u switches has no known shape",
				placement->size[dim]);
	uint32_t *number = odo_new(placement->size[dim], sizeof *number);
	int status = number ? ODO_EUNKNOWN : odo_fail(err, ODO_ENOMEM, "no memory for a factor");
	for (size_t i = 0; i < 2 * N && status == ODO_EUNKNOWN; i++) {
		bool search = i >= N;
		size_t at = search ? 2 * N - 1 - i : i;
		if (odo_uses(names[at]) && (!search || odo_uses("factors searched")))
			status = place_sifted(g, placement, dim, &sieves[at], search, number, err);
	}
	free(number);
	return status;
}

static int adopt_ring(odo_placement *placement, unsigned dim, const uint32_t *number,
		      const odo_links *ring, odo_error *err)
{
	uint32_t *along = odo_new(ring->n, sizeof *along);
	if (!along)
		return odo_fail(err, ODO_ENOMEM, "no memory for a cycle");
	number_along(ring, along);
	placement->factor[dim] = factor_of_ring(ring);
	placement->size[dim] = ring->n;
	for (uint32_t v = 0; v < placement->n; v++) {
		uint32_t *at = odo_placement_at(placement, v) + dim;
		uint32_t x = *at == ODO_NONE ? ODO_NONE : number[*at];
		*at = x == ODO_NONE ? ODO_NONE : along[x];
	}
	free(along);
	return 0;
}

/* Place a cycle or path beside complete graphs. No kind is such a product, but it describes the
 * fabric more briefly than a dragonfly with faults. */
static int place_beside(const odo_links *g, odo_placement *placement, unsigned dim, odo_error *err)
{
	odo_links factor = {0};
	if (placement->size[dim] > LARGEST_FACTOR)
		return odo_fail(err, ODO_EUNKNOWN, "a factor of %u switches has no known shape",
				placement->size[dim]);
	uint32_t *number = odo_new(placement->size[dim], sizeof *number);
	int status = number ? quotient_of_dim(g, placement, dim, sieves, number, &factor, err)
			    : odo_fail(err, ODO_ENOMEM, "no memory for a factor");
	if (!status && is_ring(&factor))
		status = adopt_ring(placement, dim, number, &factor, err);
	else if (!status)
		status = odo_fail(err, ODO_EUNKNOWN, "cycles beside complete graphs do not close");
	odo_links_clear(&factor);
	free(number);
	return status;
}

/* Find the factors that are not complete graphs: either one Slim Fly, or cycles and paths. */
static int shape_factors(const odo_links *g, const dims *d, bool flat, odo_placement *placement,
			 odo_error *err)
{
	int status = 0;
	for (unsigned i = 0; i < d->n && !status; i++) {
		if (d->rows[i] == ODO_ROWS_COMPLETE || d->rows[i] == ODO_ROWS_PAIRS)
			placement->factor[i] = ODO_COMPLETE;
		else if (d->rows[i] == ODO_ROWS_CYCLES && placement->n_dims > 1 && !flat &&
			 odo_uses("cycles beside complete graphs"))
			status = place_beside(g, placement, i, err);
		else if (placement->n_dims == 1 || flat) /* odo_factors_slimfly() tries that */
			status = odo_fail(err, ODO_EUNKNOWN,
					  "links form one factor of no known shape");
		else if (placement->adjacent.n)
			status = odo_fail(err, ODO_EUNKNOWN, "two factors have no known shape");
		else
			status = place_mms(g, placement, i, err);
	}
	return status;
}

static bool is_torus(const odo_links *g, const dims *d)
{
	unsigned cycles = 0, others = 0;
	for (unsigned i = 0; i < d->n; i++) {
		/* A triangle is a cycle of three: it has as many links as switches. */
		bool three = d->rows[i] == ODO_ROWS_COMPLETE && d->c.n_edges[i] <= g->n;
		cycles += d->rows[i] == ODO_ROWS_CYCLES;
		others += d->rows[i] == ODO_ROWS_OTHER ||
			  (d->rows[i] == ODO_ROWS_COMPLETE && !three);
	}
	return cycles && !others;
}

static int place_dims(const odo_links *g, odo_walk *walk, dims *d, bool flat,
		      odo_placement *placement, odo_error *err)
{
	if (!is_torus(g, d)) {
		int status = place_values(g, d, placement, err);
		return status ? status : shape_factors(g, d, flat, placement, err);
	}
	int status = odo_placement_make(g->n, d->n, placement, err);
	return status ? status : odo_torus_place(g, walk, &d->c, placement, err);
}

/* Match a Slim Fly as a whole, because its links need not close any rectangle. */
static int place_whole(const odo_links *g, bool search, odo_placement *placement, odo_error *err)
{
	odo_mms mms = {0};
	int status = search ? odo_mms_search(g, &mms, err) : odo_mms_read(g, &mms, err);
	if (!status)
		status = odo_placement_make(g->n, 1, placement, err);
	if (!status) {
		placement->factor[0] = ODO_MMS;
		placement->size[0] = mms.n;
		placement->q = mms.q;
		placement->adjacent = mms.adjacent;
		mms.adjacent = (odo_bits){0};
		memcpy(placement->at, mms.label, g->n * sizeof *placement->at);
	}
	odo_mms_clear(&mms);
	return status;
}

static int occupy_places(const odo_links *g, odo_placement *placement, odo_error *err)
{
	int status = odo_placement_index(g, placement, odo_placement_room(g), err);
	return status ? status : odo_placement_settle(g, placement, err);
}

int odo_factors_find(const odo_links *g, odo_walk *walk, const odo_support *support,
		     odo_trust trust, unsigned *n_dims, odo_placement *placement, odo_error *err)
{
	dims d = {0};
	*placement = (odo_placement){0};
	if (g->n <= 1 || (g->n == 2 && g->n_edges))
		return place_single(g, placement, err);
	if (odo_uses("lone ring") && is_ring(g))
		return place_ring(g, placement, err);
	int status = trust == ODO_TRUST_TOP ? find_top(g, walk, support, &d, err)
					    : find_dims(g, walk, support, trust, &d, err);
	if (n_dims)
		*n_dims = d.n;
	if (!status)
		status = place_dims(g, walk, &d, trust == ODO_TRUST_FLAT, placement, err);
	if (!status)
		status = occupy_places(g, placement, err);
	dims_clear(&d);
	if (status)
		odo_placement_clear(placement);
	return status;
}

int odo_factors_slimfly(const odo_links *g, bool search, odo_placement *placement, odo_error *err)
{
	*placement = (odo_placement){0};
	int status = place_whole(g, search, placement, err);
	if (!status)
		status = occupy_places(g, placement, err);
	if (status)
		odo_placement_clear(placement);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* A wrong cable rarely reaches half of what links of the fabric usually do. */
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

/* One switch, or two: nothing to find, and nothing to unite. */
static int trivial(const odo_links *g, odo_placement *placement, odo_error *err)
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

/* A neighbour of `at` other than `from`. */
static uint32_t onwards(const odo_links *g, uint32_t from, uint32_t at)
{
	const uint32_t *to = &g->to[g->first[at]];
	return to[to[0] == from && odo_degree(g, at) > 1];
}

/* An end of the path, or any vertex of the cycle, if no vertex has more than two links; else
 * ODO_NONE. */
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

/* All switches on one cycle of five or more, or on one path of three or more: a torus or mesh of
 * one dimension. A cycle of three is a complete graph, one of four a hypercube. Links of such close
 * no rectangles to be united by. */
static bool is_ring(const odo_links *g)
{
	uint32_t end = find_end(g), seen = 1, fewest = g->n_edges < g->n ? 3 : 5;
	if (g->n < fewest || end == ODO_NONE)
		return false;
	for (uint32_t from = ODO_NONE, at = end; seen <= g->n; seen++) {
		uint32_t next = onwards(g, from, at);
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

/* Number the vertices from one to the next. */
static void number_along(const odo_links *g, uint32_t *number)
{
	for (uint32_t i = 0, from = ODO_NONE, at = find_end(g); i < g->n; i++) {
		uint32_t next = onwards(g, from, at);
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

/* A dimension in which this few switches have links is a splinter of another. */
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

/* Keep the dimensions that `keep` says, numbered as it says; ODO_NONE drops. */
static void renumber(const odo_links *g, dims *d, const uint32_t *number, unsigned n)
{
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (d->c.of[e] != ODO_NONE)
			d->c.of[e] = d->c.of[e] < d->n ? number[d->c.of[e]] : ODO_NONE;
	for (unsigned i = 0; i < d->n; i++)
		if (number[i] != ODO_NONE) /* never above i */
			d->rows[number[i]] = d->rows[i];
	d->n = n;
}

/* Edges of a class that damage leaves. */
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

/* Links that stand out, and those that run along with them: one dimension more, or part of it. */
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
		renumber(g, d, number, n);
	free(trusted);
	return status;
}

/* Of the edges of a dimension so many, or more, join switches of the same value: next to none do in
 * one that is, and next to all in one that is not. */
#define COLLAPSED 0.5

/* Links of a collapsed dimension join switches of the same value, so that it is none by
 * itself. All that collapsed, and what has no known shape, may make up one factor. Returns
 * how many dimensions that leaves. */
static unsigned merge_collapsed(const odo_links *g, dims *d, const double *collapsed)
{
	uint32_t number[ODO_MAX_DIMS];
	unsigned n = 0, rest = ODO_MAX_DIMS;
	for (unsigned i = 0; i < d->n; i++) {
		bool odd = collapsed[i] >= COLLAPSED || d->rows[i] == ODO_ROWS_OTHER;
		number[i] = odd && rest < ODO_MAX_DIMS ? rest : n++;
		if (odd)
			rest = number[i];
	}
	renumber(g, d, number, n);
	if (rest < ODO_MAX_DIMS)
		d->rows[rest] = ODO_ROWS_OTHER;
	return n;
}

/* Forget the links of collapsed dimensions: they are splinters of the others. */
static unsigned drop_collapsed(const odo_links *g, dims *d, const double *collapsed)
{
	uint32_t number[ODO_MAX_DIMS];
	unsigned n = 0;
	for (unsigned i = 0; i < d->n; i++)
		number[i] = collapsed[i] < COLLAPSED ? n++ : ODO_NONE;
	renumber(g, d, number, n);
	return n;
}

/* One wrong link that was trusted joins all switches of two values. Forget the links of each
 * dimension that have less support than `tenths` of its median. */
static void trim(const odo_links *g, dims *d, unsigned tenths)
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

/* Each trim takes the links that stand out from what the last one left: gently first, so as not to
 * take right ones. What is wrong then stays so. */
enum { GENTLE_TRIMS = 4, MOST_TRIMS = 6 };

/* What is done about links that join switches of the same value, in this order. */
static void improve(const odo_links *g, dims *d, const double *collapsed, int attempt)
{
	unsigned before = d->n;
	bool whole = false;
	for (unsigned i = 0; i < d->n; i++)
		whole = whole || collapsed[i] >= COLLAPSED;
	if (!whole && odo_uses("dimensions trimmed"))
		trim(g, d, attempt < GENTLE_TRIMS ? 8 : 9);
	else if (attempt || !odo_uses("collapsed dimensions merged") ||
		 merge_collapsed(g, d, collapsed) == before)
		drop_collapsed(g, d, collapsed);
}

/* Dimensions that collapse are first merged into one and, if that collapses too, dropped. */
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
		improve(g, d, collapsed, attempt);
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

/* Vertices of the largest factor that is looked at: two squares of them are 16 MB. */
enum { LARGEST_FACTOR = 4096 };

/* Which values of a factor, and which links between them, are taken for real. */
typedef struct sieve {
	odo_share links;  /* those that so many of the edges bear out that do so for the best */
	odo_share values; /* those of so many of the switches that the most frequent have */
} sieve;

/* Damage leaves few copies of a link and few switches of a value; wrong links make both. Matching
 * says which it was. */
static const sieve sieves[] = {
	{{2, 8}, {0, 1}}, {{4, 8}, {0, 1}}, {{5, 8}, {0, 1}}, {{4, 8}, {5, 8}}, {{5, 8}, {5, 8}}};

/* Number the values that the sieve leaves: number [size], ODO_NONE for the others. The most
 * frequent value is one that is no rarity: wrong links make one of two. */
static int number_kept(const odo_placement *placement, unsigned dim, const sieve *s,
		       uint32_t *number, uint32_t *n_kept)
{
	uint32_t k = placement->size[dim];
	uint32_t *count = odo_new(k, sizeof *count), *sorted = odo_new(k, sizeof *sorted);
	int status = count && sorted ? 0 : ODO_ENOMEM;
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
	free(count);
	free(sorted);
	return status;
}

/* How many edges bear out each link between values: count [n_kept * n_kept]. Returns the most. */
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

/* The graph of the values of dimension `dim` that the sieve leaves. */
static int quotient(const odo_links *g, const odo_placement *placement, unsigned dim,
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

/* One try: the values and links that one sieve leaves. */
static int place_sifted(const odo_links *g, odo_placement *placement, unsigned dim, const sieve *s,
			bool search, uint32_t *number, odo_error *err)
{
	odo_links factor = {0};
	odo_mms mms = {0};
	int status = quotient(g, placement, dim, s, number, &factor, err);
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

/* Searching what one sieve leaves takes longer than reading what all of them do, and links that are
 * left though wrong may match by chance: so the strictest sieve is searched first. */
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

/* A cycle or path beside complete graphs. No kind is made of these, but a product is a shorter
 * account of them than a dragonfly with faults. */
static int place_beside(const odo_links *g, odo_placement *placement, unsigned dim, odo_error *err)
{
	odo_links factor = {0};
	if (placement->size[dim] > LARGEST_FACTOR)
		return odo_fail(err, ODO_EUNKNOWN, "a factor of %u switches has no known shape",
				placement->size[dim]);
	uint32_t *number = odo_new(placement->size[dim], sizeof *number);
	int status = number ? quotient(g, placement, dim, sieves, number, &factor, err)
			    : odo_fail(err, ODO_ENOMEM, "no memory for a factor");
	if (!status && is_ring(&factor))
		status = adopt_ring(placement, dim, number, &factor, err);
	else if (!status)
		status = odo_fail(err, ODO_EUNKNOWN, "cycles beside complete graphs do not close");
	odo_links_clear(&factor);
	free(number);
	return status;
}

/* The factors that are not complete graphs: one at most, a Slim Fly, or cycles and paths. */
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
		else if (placement->n_dims == 1 || flat) /* odo_factors_slimfly() looks at that */
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
		/* A triangle is a cycle of three: it has a link for each switch. */
		bool three = d->rows[i] == ODO_ROWS_COMPLETE && d->c.n_edges[i] <= g->n;
		cycles += d->rows[i] == ODO_ROWS_CYCLES;
		others += d->rows[i] == ODO_ROWS_OTHER ||
			  (d->rows[i] == ODO_ROWS_COMPLETE && !three);
	}
	return cycles && !others;
}

static int place(const odo_links *g, odo_walk *walk, dims *d, bool flat, odo_placement *placement,
		 odo_error *err)
{
	if (!is_torus(g, d)) {
		int status = place_values(g, d, placement, err);
		return status ? status : shape_factors(g, d, flat, placement, err);
	}
	int status = odo_placement_make(g->n, d->n, placement, err);
	return status ? status : odo_torus_place(g, walk, &d->c, placement, err);
}

/* No two links of a Slim Fly need close a rectangle: it is matched as a whole. */
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

static int occupy(const odo_links *g, odo_placement *placement, odo_error *err)
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
		return trivial(g, placement, err);
	if (odo_uses("lone ring") && is_ring(g))
		return place_ring(g, placement, err);
	int status = trust == ODO_TRUST_TOP ? find_top(g, walk, support, &d, err)
					    : find_dims(g, walk, support, trust, &d, err);
	if (n_dims)
		*n_dims = d.n;
	if (!status)
		status = place(g, walk, &d, trust == ODO_TRUST_FLAT, placement, err);
	if (!status)
		status = occupy(g, placement, err);
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
		status = occupy(g, placement, err);
	if (status)
		odo_placement_clear(placement);
	return status;
}

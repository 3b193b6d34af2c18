/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Verdict on a finding. Unknown is a valid answer. The limits are the damage with which a fabric
 * still deserves a structured routing; a fabric beyond them is not forced into a kind.
 */
#include <math.h>

#include "mapping/judge/finding.h"
#include "mapping/judge/nearest.h"
#include "base/odds.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* Maximum shares that may be wrong or missing. */
#define WRONG_LINKS 0.05
#define UNPLACED_SWITCHES 0.03
#define MISSING_LINKS 0.5
#define MISSING_SWITCHES 0.6
#define MISSING_OF_ONE_GRAPH 0.15
/* Members of a small group, which may be two groups of two, or a clique made by chance. */
#define FEW_MEMBERS 4
#define MOST_SPLINTERS 8 /* one group in this many may be a splinter */
/* A damaged fabric must save this many bits against a random graph with the same degrees: one in
 * 2^6 of these may save as much. */
#define LEAST_SAVING 6
/* The same if the best of many guesses at groups is judged. */
#define LEAST_SAVING_OF_GUESSES 14
/* The same for a complete guess: nothing contradicts it, but among a dozen switches with many links
 * chance makes groups too. */
#define LEAST_SAVING_OF_WHOLE 1

/* Return the bits that need not be described because labels of values, and the order of equal
 * dimensions, are arbitrary; from dimension `first` on. */
static double bits_of_labels(const odo_placement *placement, unsigned first)
{
	double bits = 0;
	for (unsigned i = first; i < placement->n_dims; i++) {
		unsigned equal = 1;
		for (unsigned j = first; j < i; j++)
			equal += placement->size[j] == placement->size[i];
		bits += log2(equal);
		bits += odo_factor_of(placement->factor[i])->label_bits(placement->size[i]);
	}
	return bits;
}

/* Return the bits that encode the sort of each of `n` things, and the size of each sort. The last
 * sort is the rest: count[i] of sort i. */
static double bits_of_sorts(double n, const uint32_t *count, uint32_t n_sorts)
{
	double bits = odo_log2_factorial(n) - log2(n + 1);
	for (uint32_t i = 0; i < n_sorts; i++)
		if (count[i])
			bits += log2(n + 1) - odo_log2_factorial(count[i]);
	return bits;
}

/* Return the bits that encode which switches share a group, and the place of each in its group.
 * Groups may have any size up to the largest. In a complete graph the place is arbitrary. */
static double bits_of_groups(const odo_finding *h)
{
	const odo_placement *placement = &h->placement;
	uint32_t room = (uint32_t)(placement->n_positions / placement->size[0]);
	double bits = odo_log2_factorial(h->n_placed) - odo_log2_factorial(placement->size[0]);
	double labels = bits_of_labels(placement, 1);
	uint32_t count[256] = {0}; /* number of groups by their members */
	for (uint32_t group = 0; group < placement->size[0]; group++) {
		uint32_t members = odo_placement_members(placement, group);
		double places = odo_log2_factorial(room) - odo_log2_factorial(room - members) -
				labels;
		bits -= odo_log2_factorial(members);
		bits += placement->n_dims > 2 && places > 0 ? places : 0;
		count[members < 255 ? members : 255]++;
	}
	double sizes = bits_of_sorts(placement->size[0], count, 256),
	       any = placement->size[0] * log2(room);
	return bits + (sizes < any ? sizes : any);
}

/* Return the bits that encode which positions have a switch, value by value of a dimension. They
 * are few if missing switches are together, as at the end of a last row that was bought in part. */
static double bits_of_rows(const odo_placement *placement, unsigned dim)
{
	double row = (double)placement->n_positions / placement->size[dim],
	       bits = placement->size[dim] * log2(row + 1);
	size_t step = 1;
	for (unsigned i = dim + 1; i < placement->n_dims; i++)
		step *= placement->size[i];
	for (uint32_t x = 0; x < placement->size[dim]; x++) {
		double n = 0;
		for (size_t base = x * step; base < placement->n_positions;
		     base += step * placement->size[dim])
			for (size_t i = 0; i < step; i++)
				n += placement->occupant[base + i] != ODO_NONE;
		bits += odo_log2_choose(row, n);
	}
	return bits;
}

/* Return the same by the shortest method. */
static double bits_of_occupied(const odo_finding *h)
{
	const odo_placement *placement = &h->placement;
	double least = odo_log2_choose((double)placement->n_positions, h->n_placed);
	for (unsigned i = 0; i < placement->n_dims && h->n_placed < placement->n_positions; i++) {
		if (!odo_uses("bits by rows"))
			break;
		double bits = bits_of_rows(placement, i) + log2(placement->n_dims + 1.0);
		least = bits < least ? bits : least;
	}
	return least;
}

/* Return the bits that encode the place of each switch, without arbitrary labels and orders. */
static double bits_of_places(const odo_finding *h)
{
	if (odo_finding_grouped(h))
		return bits_of_groups(h);
	double bits = odo_log2_factorial(h->n_placed) + bits_of_occupied(h);
	double labels = bits_of_labels(&h->placement, 0);
	return bits > labels ? bits - labels : 0;
}

/* Return the bits that encode the ends of the links between groups, if the number of global links
 * of each switch is given, which is about equal. Each group distributes its ends to other groups,
 * and every two groups join theirs. The order of a pair's ends is arbitrary, and no two links join
 * the same switches. */
static double bits_of_deals(const odo_finding *h)
{
	const odo_placement *placement = &h->placement;
	const odo_links *g = h->g;
	uint32_t room = (uint32_t)(placement->n_positions / placement->size[0]),
		 count[ODO_MAX_PORTS + 1] = {0};
	double bits = odo_log2_factorial(h->n_placed), alike = 0;
	for (size_t i = 0, all = 0, two = 0; i < placement->n_positions; i++) {
		uint32_t v = placement->occupant[i], d = 0;
		for (uint32_t a = v == ODO_NONE ? 0 : g->first[v];
		     v != ODO_NONE && a < g->first[v + 1]; a++)
			d += h->edge_class[g->edge[a]] == ODO_PORT_GLOBAL;
		all = i % room ? all + d : d;
		two = i % room ? two + (size_t)d * (d - 1) : (size_t)d * (d - 1);
		bits -= odo_log2_factorial(d);
		count[d <= ODO_MAX_PORTS ? d : ODO_MAX_PORTS] += v != ODO_NONE;
		if ((i + 1) % room)
			continue;
		bits += odo_log2_factorial((double)all);
		alike += all > 1 ? (double)two / ((double)all * (double)(all - 1)) : 0;
	}
	for (uint32_t d = 0; d <= ODO_MAX_PORTS; d++)
		bits -= odo_log2_factorial(count[d]);
	/* Frequency with which two ends of a group belong to one switch. */
	alike /= placement->size[0];
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		double n = h->pair[i].n_edges;
		bits -= odo_log2_factorial(n) + n * (n - 1) / 2 * alike * alike / log(2);
	}
	return bits;
}

/* Return the bits that encode how many links every two groups have: almost none if all have equally
 * many. */
static double bits_of_pairs(const odo_finding *h)
{
	double groups = h->placement.size[0], pairs = groups * (groups - 1) / 2;
	uint32_t count[256] = {(uint32_t)pairs - h->n_pairs}; /* number of pairs by their links */
	for (uint32_t i = 0; i < h->n_pairs; i++)
		count[h->pair[i].n_edges < 255 ? h->pair[i].n_edges : 255]++;
	return bits_of_sorts(pairs, count, 256);
}

/* Return the bits that select a graph among all with count[d] vertices of degree d. Their number is
 * by Liebenau and Wormald (arXiv:1702.08373), for sparse and dense graphs. */
static double bits_by_degrees(const odo_links *g, const uint32_t count[ODO_MAX_PORTS + 1])
{
	double n = g->n, pairs = n * (n - 1) / 2, share = g->n_edges / pairs;
	double bits = odo_log2_factorial(n), spread = 0, mean = share * (n - 1);
	if (!(share > 0 && share < 1))
		return 0;
	for (uint32_t d = 0; d <= ODO_MAX_PORTS; d++) {
		if (!count[d])
			continue;
		bits += count[d] * odo_log2_choose(n - 1, d) - odo_log2_factorial(count[d]);
		spread += count[d] * (d - mean) * (d - mean) / ((n - 1) * (n - 1));
	}
	spread /= 2 * share * (1 - share);
	bits += pairs * (share * log2(share) + (1 - share) * log2(1 - share));
	return bits + 0.5 + (0.25 - spread * spread) / log(2);
}

/* Return the bits that describe the links as a random graph with as many links, or with the same
 * degrees if that is shorter. Switches of most fabrics, and of random regular graphs, have about
 * equal degrees. */
static double bits_of_random_graph(const odo_links *g)
{
	double n = g->n, by_links = odo_log2_choose(n * (n - 1) / 2, g->n_edges), by_degree;
	uint32_t count[ODO_MAX_PORTS + 1] = {0};
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t d = odo_degree(g, v);
		count[d <= ODO_MAX_PORTS ? d : ODO_MAX_PORTS]++;
	}
	by_degree = bits_by_degrees(g, count);
	return by_degree < by_links && odo_uses("chance by degrees") ? by_degree : by_links;
}

double odo_finding_saving(const odo_finding *h)
{
	double n = h->g->n, pairs = n * (n - 1) / 2, fitting = (double)h->n_fitting;
	double model = bits_of_places(h) + h->n_wrong * log2(pairs + 1) +
		       odo_log2_choose((double)h->n_expected, fitting);
	if (odo_finding_grouped(h))
		model += bits_of_deals(h) + bits_of_pairs(h);
	return bits_of_random_graph(h->g) - model;
}

/* Return the fewest cables of a global link. */
static uint32_t least_cables(const odo_finding *h)
{
	uint32_t least = UINT32_MAX;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		if (h->edge_class[e] == ODO_PORT_GLOBAL && h->g->n_cables[e] < least)
			least = h->g->n_cables[e];
	return least;
}

/* Return true if all pairs of groups are linked, with equally many cables, or with one link more
 * for some if ports are not divisible; then all groups have equally many. Otherwise a FlatFly
 * without one of its links would pass for a complete dragonfly. */
static bool even_pairs(const odo_finding *h)
{
	double groups = h->placement.size[0];
	uint32_t least = UINT32_MAX, most = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		least = h->pair[i].n_cables < least ? h->pair[i].n_cables : least;
		most = h->pair[i].n_cables > most ? h->pair[i].n_cables : most;
	}
	return h->n_pairs == groups * (groups - 1) / 2 &&
	       (most == least || (h->even_groups && most - least <= least_cables(h)));
}

bool odo_finding_whole(const odo_finding *h)
{
	const odo_placement *placement = &h->placement;
	return !h->n_wrong && h->n_placed == placement->n_positions && h->n_placed == h->g->n &&
	       h->cables_fitting == h->cables_expected && !h->n_excess &&
	       (!odo_finding_grouped(h) || even_pairs(h));
}

static int judge_product(const odo_finding *h, odo_error *err)
{
	double positions = (double)h->placement.n_positions;
	if (h->n_placed < (1 - MISSING_SWITCHES) * positions)
		return odo_fail(err, ODO_EUNKNOWN, "only %u of its %.0f places have a switch",
				h->n_placed, positions);
	return 0;
}

/* Share of the other groups. A dimension of a damaged FlatFly looks like groups. Then a usual
 * switch with many links has a link to nearly each other group, and so have most switches of each
 * group together. */
static const odo_share nearly_each = {4, 5};

static bool like_rows(const odo_finding *h)
{
	uint32_t count[256] = {0};
	double groups = h->placement.size[0], pairs = groups * (groups - 1) / 2, links = 0;
	odo_finding_count_global(h, false, count);
	uint32_t top = odo_usual_most(count, 0, ODO_MAX_PORTS, odo_at_least_rare(h->g->n));
	for (uint32_t i = 0; i < h->n_pairs; i++)
		links += h->pair[i].n_edges;
	return odo_exceeds(top, nearly_each, h->placement.size[0] - 1) &&
	       2 * links > pairs * h->n_placed / groups;
}

/* Count groups with few of their switches. */
static uint32_t count_splinters(const odo_finding *h)
{
	const odo_placement *placement = &h->placement;
	size_t room = placement->n_positions / placement->size[0];
	uint32_t n = 0;
	for (uint32_t group = 0; group < placement->size[0]; group++)
		n += odo_is_splinter(odo_placement_members(placement, group), room);
	return n;
}

/* Judge a dragonfly. Every pair of groups must have as many cables as those with any, given how
 * complete the groups are. */
static int judge_dragonfly(const odo_finding *h, odo_error *err)
{
	const odo_placement *placement = &h->placement;
	double n = placement->size[0], pairs = n * (n - 1) / 2;
	if (placement->size[0] < 2)
		return odo_fail(err, ODO_EUNKNOWN, "it has one group");
	if (placement->size[1] < 2)
		return odo_fail(err, ODO_EUNKNOWN, "its groups are single switches");
	if (!h->n_pairs)
		return odo_fail(err, ODO_EUNKNOWN, "no cables run between its groups");
	double full = 1, complete = 0, cables = 0;
	for (unsigned i = 1; i < placement->n_dims; i++)
		full *= placement->size[i];
	complete = h->n_placed / (full * n);
	for (uint32_t i = 0; i < h->n_pairs; i++)
		cables += h->pair[i].n_cables;
	double there = h->n_expected ? (double)h->n_fitting / (double)h->n_expected : 1;
	double expected = pairs * h->least_width * complete * complete * there;
	if (h->guessed && full <= FEW_MEMBERS && !odo_finding_whole(h))
		return odo_fail(err, ODO_EUNKNOWN,
				"groups so small are certain only if nothing is missing");
	if (complete < 1 - MISSING_SWITCHES)
		return odo_fail(err, ODO_EUNKNOWN, "groups have %.1f of these switches on average",
				complete * full);
	if (MOST_SPLINTERS * count_splinters(h) > placement->size[0])
		return odo_fail(err, ODO_EUNKNOWN, "%u of these %u groups have hardly any switches",
				count_splinters(h), placement->size[0]);
	if (cables < (1 - MISSING_LINKS) * expected)
		return odo_fail(err, ODO_EUNKNOWN,
				"only %.0f of %.0f cables between groups are there", cables,
				expected);
	if (odo_uses("no rows for groups") && !odo_finding_whole(h) && like_rows(h))
		return odo_fail(
			err, ODO_EUNKNOWN,
			"each switch is linked to nearly each group, as to rows of a FlatFly");
	uint32_t excess = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++)
		if (h->pair[i].n_cables > h->width[0])
			excess += h->pair[i].n_cables - h->width[0];
	if (excess > ODO_ONE_SWAP && h->n_wrong + excess > WRONG_LINKS * h->g->n_edges)
		return odo_fail(err, ODO_EUNKNOWN,
				"%u of the %.0f cables between groups are too many", excess,
				cables);
	return 0;
}

/* Return true for a nearly complete single graph. A random graph with as many links looks the
 * same. */
static bool nearly_complete(const odo_finding *h)
{
	return h->placement.n_dims == 1 && h->placement.factor[0] == ODO_COMPLETE &&
	       (double)(h->n_expected - h->n_fitting) <=
		       MISSING_OF_ONE_GRAPH * (double)h->n_expected;
}

/* Return the bits that the finding must save. A complete fabric needs none, unless it was found
 * among all possible groups. */
static double least_saving(const odo_finding *h)
{
	if (odo_finding_whole(h))
		return h->guessed ? LEAST_SAVING_OF_WHOLE : -INFINITY;
	if (nearly_complete(h))
		return -INFINITY;
	return h->guessed ? LEAST_SAVING_OF_GUESSES : LEAST_SAVING;
}

/* Count unplaced switches with links. A switch without links has no place in any fabric, so it
 * contradicts nothing. */
static uint32_t count_unplaced(const odo_finding *h)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < h->g->n; v++)
		n += odo_degree(h->g, v) && !odo_placement_placed(&h->placement, v);
	return n;
}

static uint64_t count_wrong_cables(const odo_finding *h)
{
	uint64_t n = 0;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		n += h->edge_class[e] == ODO_PORT_WRONG ? h->g->n_cables[e] : 0;
	return n;
}

static int judge_finding(const odo_finding *h, odo_error *err)
{
	uint64_t wrong = count_wrong_cables(h), all = odo_links_cables(h->g);
	if (h->n_wrong > ODO_ONE_SWAP && (double)wrong > WRONG_LINKS * (double)all)
		return odo_fail(err, ODO_EUNKNOWN, "%llu of %llu cables do not fit",
				(unsigned long long)wrong, (unsigned long long)all);
	uint32_t unplaced = count_unplaced(h);
	if (unplaced > UNPLACED_SWITCHES * h->g->n)
		return odo_fail(err, ODO_EUNKNOWN, "%u of %u switches have no place in it",
				unplaced, h->g->n);
	if (h->n_fitting < (1 - MISSING_LINKS) * (double)h->n_expected)
		return odo_fail(err, ODO_EUNKNOWN, "only %llu of its %llu links are there",
				(unsigned long long)h->n_fitting,
				(unsigned long long)h->n_expected);
	int status = odo_finding_grouped(h) ? judge_dragonfly(h, err) : judge_product(h, err);
	if (!status && odo_finding_saving(h) < least_saving(h))
		status = odo_fail(err, ODO_EUNKNOWN,
				  "cables laid at random would fit it about as well");
	return status;
}

int odo_finding_judge(const odo_finding *h, odo_error *err)
{
	odo_error why;
	int status = judge_finding(h, &why);
	if (!status)
		return 0;
	odo_nearest_offer(h, why.text);
	return odo_fail(err, status, "%s", why.text);
}

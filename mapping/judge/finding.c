/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/judge/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

void odo_finding_clear(odo_finding *h)
{
	odo_placement_clear(&h->placement);
	free(h->edge_class);
	free(h->pair);
	free(h->by_pair);
	*h = (odo_finding){0};
}

static uint8_t class_of_edge(const odo_finding *h, uint32_t e)
{
	const odo_placement *placement = &h->placement;
	uint32_t u = h->g->end[e][0], v = h->g->end[e][1];
	if (!odo_placement_placed(placement, u) || !odo_placement_placed(placement, v))
		return ODO_PORT_WRONG;
	const uint32_t *a = odo_placement_at(placement, u), *b = odo_placement_at(placement, v);
	if (odo_finding_grouped(h) && a[0] != b[0])
		return ODO_PORT_GLOBAL;
	int dim = odo_placement_between(placement, a, b);
	return dim < 0 ? ODO_PORT_WRONG : (uint8_t)dim;
}

/* Return the width of a dimension. A wrong cable rarely lies beside right ones. */
static uint32_t usual_width(const uint32_t count[256])
{
	uint32_t total = 0;
	for (uint32_t i = 1; i < 256; i++)
		total += count[i];
	return total ? odo_usual_most(count, 1, 255, odo_at_least_rare(total)) : 0;
}

static void find_dimension_widths(odo_finding *h)
{
	for (unsigned i = 0; i < h->placement.n_dims; i++) {
		uint32_t count[256] = {0};
		for (uint32_t e = 0; e < h->g->n_edges; e++)
			if (h->edge_class[e] == i)
				count[h->g->n_cables[e]]++;
		h->width[i] = usual_width(count);
	}
}

/* Count the expected links between placed switches; for a dragonfly only those within groups. */
static void count_expected(odo_finding *h)
{
	const odo_placement *placement = &h->placement;
	uint64_t around = 0;
	for (unsigned i = 0; i < placement->n_dims; i++)
		around += placement->factor[i] == ODO_GROUPS ? 0 : placement->size[i];
	odo_charge(h->g->budget, h->g->n_edges + placement->n * around);
	for (uint32_t v = 0; v < placement->n; v++) {
		if (!odo_placement_placed(placement, v))
			continue;
		for (odo_neighbours n = odo_neighbours_of(placement, v); odo_neighbours_next(&n);)
			h->expected[n.dim] += placement->occupant[odo_placement_position(
						      placement, n.at)] != ODO_NONE;
	}
}

/* Return the smaller (side 0) or the larger of the groups that edge e joins. */
static uint32_t group_of_end(const odo_finding *h, uint32_t e, int side)
{
	uint32_t a = odo_placement_at(&h->placement, h->g->end[e][0])[0];
	uint32_t b = odo_placement_at(&h->placement, h->g->end[e][1])[0];
	return (a < b) == (side == 0) ? a : b;
}

/* Sort edges by the group on one side. The sort is stable. `start` [groups + 1]. */
static void sort_edges_by_group(const odo_finding *h, int side, const uint32_t *from, uint32_t n,
				uint32_t *start, uint32_t *to)
{
	memset(start, 0, ((size_t)h->placement.size[0] + 1) * sizeof *start);
	for (uint32_t i = 0; i < n; i++)
		start[group_of_end(h, from[i], side) + 1]++;
	for (uint32_t c = 0; c < h->placement.size[0]; c++)
		start[c + 1] += start[c];
	for (uint32_t i = 0; i < n; i++)
		to[start[group_of_end(h, from[i], side)]++] = from[i];
}

static void add_to_pairs(odo_finding *h, uint32_t at)
{
	uint32_t e = h->by_pair[at], a = group_of_end(h, e, 0), b = group_of_end(h, e, 1);
	odo_pair *pair = h->n_pairs ? &h->pair[h->n_pairs - 1] : NULL;
	if (!pair || pair->group[0] != a || pair->group[1] != b) {
		pair = &h->pair[h->n_pairs++];
		*pair = (odo_pair){.group = {a, b}, .first_edge = at};
	}
	pair->n_edges++;
	pair->n_cables += h->g->n_cables[e];
}

/* Collect global links by the pair of groups that they join. */
static int find_pairs(odo_finding *h, odo_error *err)
{
	odo_arena memory = {0};
	uint32_t n = 0, *order = odo_arena_new(&memory, h->g->n_edges, sizeof *order);
	uint32_t *start = odo_arena_new(&memory, (size_t)h->placement.size[0] + 1, sizeof *start);
	h->by_pair = odo_new(h->g->n_edges, sizeof *h->by_pair);
	h->pair = odo_new(h->g->n_edges, sizeof *h->pair);
	int status = !memory.failed && h->by_pair && h->pair ? 0 : ODO_ENOMEM;
	for (uint32_t e = 0; e < h->g->n_edges && !status; e++)
		if (h->edge_class[e] == ODO_PORT_GLOBAL)
			h->by_pair[n++] = e;
	if (!status) {
		sort_edges_by_group(h, 1, h->by_pair, n, start, order);
		sort_edges_by_group(h, 0, order, n, start, h->by_pair);
	}
	for (uint32_t i = 0; i < n; i++)
		add_to_pairs(h, i);
	odo_arena_free(&memory);
	return status ? odo_fail(err, status, "no memory for global links") : 0;
}

/* Wrong cables widen fewer than 1 / FEW_WIDE of the pairs of groups. */
enum { FEW_WIDE = 8 };

/* Find out whether all groups have equally many cables to others. */
static int find_even_groups(odo_finding *h)
{
	uint32_t groups = h->placement.size[0], *ports = odo_new(groups, sizeof *ports), c = 0;
	if (!ports)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		ports[h->pair[i].group[0]] += h->pair[i].n_cables;
		ports[h->pair[i].group[1]] += h->pair[i].n_cables;
	}
	while (c < groups && ports[c] == ports[0])
		c++;
	h->even_groups = c == groups;
	free(ports);
	return 0;
}

void odo_finding_count_global(const odo_finding *h, bool cables, uint32_t count[256])
{
	const odo_links *g = h->g;
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t n = 0;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			if (h->edge_class[g->edge[a]] == ODO_PORT_GLOBAL)
				n += cables ? g->n_cables[g->edge[a]] : 1;
		count[n < 255 ? n : 255]++;
	}
}

/* Return the cables of a group to others, if most switches have the same number of them; else 0.
 * Wrong cables change the number of a group, but not the number that most switches have.
 * @param surplus gets the ends of cables that switches have beyond that number */
static uint32_t ports_by_switches(const odo_finding *h, uint64_t *surplus)
{
	uint32_t count[256] = {0}, usual = 0;
	uint32_t members = (uint32_t)(h->placement.n_positions / h->placement.size[0]);
	odo_finding_count_global(h, true, count);
	for (uint32_t c = 1; c < 256; c++)
		usual = count[c] > count[usual] ? c : usual;
	*surplus = 0;
	for (uint32_t c = usual; c < 256; c++)
		*surplus += (uint64_t)count[c] * (c - usual);
	return odo_majority(count[usual], h->g->n) ? usual * members : 0;
}

/* Return true if cables were lost, but not moved: no number of cables belongs to most switches, and
 * the highest number is usual. A wrong cable would give some switch more. */
static bool only_lost(const odo_finding *h)
{
	uint32_t count[256] = {0}, usual = 0, most = 0;
	odo_finding_count_global(h, true, count);
	for (uint32_t c = 1; c < 256; c++) {
		usual = count[c] > count[usual] ? c : usual;
		most = count[c] ? c : most;
	}
	return h->n_placed < h->placement.n_positions && !odo_majority(count[usual], h->g->n) &&
	       count[most] >= odo_more_than_rare(h->g->n);
}

/* Return the number of ends of all cables between groups, if no local cable is missing. A moved
 * cable does not change the number. */
static uint64_t global_ends(const odo_finding *h)
{
	uint64_t all = odo_links_cables(h->g), within = h->cables_expected;
	return all > within ? 2 * (all - within) : 0;
}

/* Return how many local cables must have been moved rather than lost, if complete groups had
 * `ports` cables to others. Cables get lost evenly, and so do the cables of missing switches. The
 * result may be negative. */
static double moved_if(const odo_finding *h, uint32_t ports)
{
	double share = h->n_placed / (double)h->placement.n_positions;
	double within = (double)h->cables_expected, there = (double)odo_links_cables(h->g);
	double all = within + h->placement.size[0] * share * share * ports / 2;
	return within - (double)h->cables_fitting - (all - there) * within / all;
}

/* Return true if the first number of cables is more likely. A local cable that was moved joins two
 * groups, and gives two switches a surplus of global cables. */
static bool suits_better(const odo_finding *h, uint32_t ports, uint32_t other, uint64_t surplus)
{
	double moved = (double)surplus / 2;
	return fabs(moved_if(h, ports) - moved) < fabs(moved_if(h, other) - moved);
}

/* Return the cables of a complete group to others, or 0 if unknown. Ports that are not divisible by
 * the other groups are spare, with two exceptions. First, there are more cables than that leaves
 * room for; cables get lost, but none appear. Second, too many local cables would have been moved.
 * If most missing cables may have been moved, they say little about how many were lost. But if
 * switches are missing too, the sum shows whether all ports have cables.
 * @param step cables of a link */
static uint32_t ports_of_whole(const odo_finding *h, uint32_t others, uint32_t step)
{
	if (h->n_placed < h->g->n || !others)
		return 0;
	uint64_t surplus;
	uint32_t most = ports_by_switches(h, &surplus), even = most / step / others * others * step;
	uint64_t groups = h->placement.size[0], ends = global_ends(h);
	uint64_t lacking = h->cables_expected - h->cables_fitting;
	bool whole = h->n_placed == h->placement.n_positions, lost = 2 * surplus <= lacking;
	if (!whole && !(most && lost))
		return most != even && suits_better(h, most, even, surplus) ? most : 0;
	if (!most) /* the number that all groups have together, if it is equal for every two groups
		    */
		return ends % (groups * others) || ends / groups > UINT32_MAX
			       ? 0
			       : (uint32_t)(ends / groups);
	if (whole && !lacking && !odo_all_but_rare(ends, groups * even))
		return 0; /* groups were never bought, so their cables are not lost */
	if (whole && ends > groups * even)
		return most;
	return lost && suits_better(h, most, even, surplus) ? most : even;
}

/* Return the mean number of cables between two complete groups, from the existing cables and the
 * missing parts of groups. Wrong cables do not increase it. */
static double mean_width(const odo_finding *h)
{
	double groups = h->placement.size[0], cables = 0;
	double there = h->n_placed / (double)h->placement.n_positions, expected = 0, fitting = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++)
		cables += h->pair[i].n_cables;
	for (unsigned i = 1; i < h->placement.n_dims; i++) {
		expected += (double)h->expected[i];
		fitting += (double)h->fitting[i];
	}
	double share = expected > 0 ? fitting / expected : 1;
	return 2 * cables / (groups * (groups - 1) * there * there * share);
}

/* Return the highest usual number of cables between two groups that wrong cables alone cannot
 * explain, if a link is one cable. */
static uint32_t usual_pair_cables(const odo_finding *h, const uint32_t count[256], uint32_t step)
{
	uint32_t most = usual_width(count);
	if (!odo_uses("widths by the mean") || step != 1 || most == 1 ||
	    FEW_WIDE * (uint64_t)count[most] >= h->n_pairs)
		return most;
	double mean = mean_width(h);
	while (most > 1 && FEW_WIDE * (uint64_t)count[most] < h->n_pairs &&
	       mean < most - 1 + 1.0 / FEW_WIDE)
		most--;
	return most;
}

/* If this share of the pairs has a cable less than others, it is by design. With more than half of
 * the links and half of the switches left, damage makes fewer pairs lack exactly one cable. */
static const odo_share narrower = {1, 5};

/* Find the highest and the lowest number of cables between two groups. They are adjacent if ports
 * are not divisible by the other groups. The ports of switches and the sum of cables show how many
 * pairs have each, or else the pairs themselves. */
static int find_global_width(odo_finding *h)
{
	uint32_t count[256] = {0}, others = h->placement.size[0] - 1, ports;
	uint32_t step = h->width[0] ? h->width[0] : 1; /* cables of one link */
	for (uint32_t i = 0; i < h->n_pairs; i++)
		count[h->pair[i].n_cables < 255 ? h->pair[i].n_cables : 255]++;
	uint32_t most = usual_pair_cables(h, count, step);
	h->width[0] = most;
	/* Subtract a link, because `most` may include a surplus cable. */
	uint32_t less = most ? (most - 1) / step * step : 0;
	h->least_width = less && odo_reaches(count[less], narrower, h->n_pairs) ? less : most;
	ports = odo_uses("widths by switches' ports") ? ports_of_whole(h, others, step) : 0;
	if (others && ports / step >= others && ports % step == 0) {
		h->least_width = ports / step / others * step;
		h->n_wide = ports / step % others;
		h->width[0] = h->least_width + (h->n_wide ? step : 0);
	} else if (only_lost(h)) { /* no pair has a surplus cable */
		for (uint32_t c = h->width[0]; c < 256; c++)
			h->width[0] = count[c] ? c : h->width[0];
	}
	return find_even_groups(h);
}

static void count_fitting_cables(odo_finding *h)
{
	for (uint32_t e = 0; e < h->g->n_edges; e++) {
		uint8_t class = h->edge_class[e], cables = h->g->n_cables[e];
		if (class >= h->placement.n_dims || h->placement.factor[class] == ODO_GROUPS)
			continue;
		uint32_t width = h->width[class];
		h->cables_fitting += cables < width ? cables : width;
		h->n_excess += cables > width ? cables - width : 0;
	}
}

static void sum_up_dimensions(odo_finding *h)
{
	for (unsigned i = 0; i < h->placement.n_dims; i++) {
		h->n_expected += h->expected[i];
		h->n_fitting += h->fitting[i];
		h->cables_expected += h->expected[i] * h->width[i];
	}
	count_fitting_cables(h);
}

int odo_finding_weigh(odo_finding *h, odo_error *err)
{
	int status = 0;
	h->edge_class = odo_new(h->g->n_edges, sizeof *h->edge_class);
	if (!h->edge_class)
		status = odo_fail(err, ODO_ENOMEM, "no memory for classes of links");
	for (uint32_t v = 0; v < h->g->n && !status; v++)
		h->n_placed += odo_placement_placed(&h->placement, v);
	for (uint32_t e = 0; e < h->g->n_edges && !status; e++) {
		h->edge_class[e] = class_of_edge(h, e);
		h->n_wrong += h->edge_class[e] == ODO_PORT_WRONG;
		if (h->edge_class[e] < ODO_MAX_DIMS &&
		    h->placement.factor[h->edge_class[e]] != ODO_GROUPS)
			h->fitting[h->edge_class[e]]++;
	}
	if (!status) {
		find_dimension_widths(h);
		count_expected(h);
	}
	if (!status)
		sum_up_dimensions(h);
	if (!status && odo_finding_grouped(h)) {
		status = find_pairs(h, err);
		if (!status && find_global_width(h))
			status = odo_fail(err, ODO_ENOMEM, "no memory for global links");
	}
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dragonflies: several strategies guess groups, one after another. The description of the whole
 * fabric by these groups decides which guess is kept. */
#include "mapping/judge/hypotheses.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/judge/chance.h"
#include "mapping/dragonfly/communities.h"
#include "mapping/dragonfly/copies.h"
#include "mapping/dragonfly/cover.h"
#include "mapping/dragonfly/dragonfly.h"
#include "mapping/dragonfly/moved.h"
#include "mapping/dragonfly/regroup.h"
#include "mapping/judge/polish.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* Switches a fabric must have: random graphs of up to 78 sometimes look like groups of 2x3. */
enum { FEWEST = 80 };
/* Bits that the description by clusters must save against chance, after switches were moved to save
 * more. */
#define LEAST_SAVING_OF_MOVED 14
/* Steps of the exact cover for all shapes of groups: a few dozen milliseconds. */
#define MOST_STEPS_OF_COVERS 30000000u

/* Judge the groups if `status` says that they were placed. */
static int judge_placed_groups(odo_mapper *mapper, int status, odo_finding *h, odo_error *err)
{
	h->g = &mapper->g;
	h->kind = ODO_KIND_DRAGONFLY;
	if (!status)
		status = odo_placement_index(&mapper->g, &h->placement,
					     odo_placement_room(&mapper->g), err);
	if (!status)
		status = odo_finding_weigh(h, err);
	if (!status && mapper->levels.divided)
		return odo_fail(err, ODO_EUNKNOWN, "leaves of a tree are no dragonfly's groups");
	return status ? status : odo_finding_judge(h, err);
}

/* Bits per link by which a guess may be longer than chance. In random graphs every guess is longer
 * by more. */
#define MOST_LOSS -1.0
/* Switches of the largest fabric whose groups are grown again. */
enum { LARGEST_REGROWN = 2 * ODO_LARGE };

/* A guess at groups need not be right to show the sizes of groups. Keep the one with the shortest
 * description, even if cables do not confirm it, so that its groups can be grown again. */
static int keep_second_guess(odo_mapper *mapper, const odo_finding *h, odo_error *err)
{
	const odo_placement *placement = &h->placement;
	odo_spare *spare = &mapper->spare;
	if (!odo_finding_grouped(h) || !h->edge_class || placement->n_dims < 3 ||
	    mapper->g.n > LARGEST_REGROWN || odo_finding_whole(h) ||
	    placement->n_positions / placement->size[0] > ODO_REGROUP_ROOM)
		return 0;
	double saving = odo_finding_saving(h);
	if (saving < MOST_LOSS * mapper->g.n_edges ||
	    (spare->placement.n && spare->saving >= saving))
		return 0;
	odo_placement_clear(&spare->placement);
	spare->saving = saving;
	return odo_placement_copy(placement, &spare->placement, err);
}

/* Keep `h` if it is better and `status` is 0. ODO_EUNKNOWN is no error. */
static int keep_if(odo_mapper *mapper, int status, odo_finding *best, odo_finding *h,
		   odo_error *err)
{
	int kept = status && status != ODO_EUNKNOWN ? status : keep_second_guess(mapper, h, err);
	if (!status)
		odo_keep_better(best, h);
	odo_finding_clear(h);
	return kept;
}

/* Share of the links in groups that damage leaves. Groups assembled from parts of others lack
 * more. */
static const odo_share most_links = {17, 20};
/* Share of the pairs of groups that are linked if no group is a row of a larger one. */
#define MOST_PAIRS 0.7

/* Return true if almost no link in groups is missing, so that no other dimensions are needed.
 * Groups may still be rows of larger ones if many pairs of groups have no links. */
static bool links_are_dense(const odo_finding *h)
{
	if (!h->g || odo_finding_whole(h))
		return h->g != NULL;
	double groups = h->placement.size[0], pairs = groups * (groups - 1) / 2;
	double complete = h->n_placed / (double)h->placement.n_positions;
	bool rows = odo_finding_grouped(h) && h->placement.n_dims == 2 &&
		    h->n_pairs < MOST_PAIRS * pairs * complete * complete &&
		    odo_uses("groups may be rows");
	return odo_reaches(h->n_fitting, most_links, h->n_expected) && !rows;
}

/* Return true if every switch is in a group, almost no local link is missing or wrong, and no group
 * is a part of one. */
static bool is_settled(const odo_finding *h)
{
	if (!odo_finding_clean(h) || !links_are_dense(h) || !odo_finding_grouped(h))
		return h->g && odo_finding_whole(h);
	const odo_placement *placement = &h->placement;
	for (uint32_t c = 0; c < placement->size[0]; c++)
		if (odo_is_undersized(odo_placement_members(placement, c), placement->size[0],
				      h->n_placed))
			return false;
	return true;
}

/* Find communities by several prices: the minimum share of their possible links. Low prices suit
 * large groups of many dimensions, high ones small groups. Several prices can give the same groups;
 * these are judged only once. */
static int try_communities(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	/* Share of linked pairs. The worth of a community is its links, less this share of its
	 * pairs. */
	static const double price[] = {0.07, 0.04, 0.12, 0.2};
	static const char *const prices[] = {"price 0.07", "price 0.04", "price 0.12", "price 0.2"};
	uint32_t *of = odo_new(mapper->g.n, sizeof *of),
		 *before = odo_new(mapper->g.n, sizeof *before);
	int status = of && before ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for groups");
	for (size_t i = 0; i < sizeof price / sizeof *price && !status && !is_settled(best) &&
			   odo_may_go_on(mapper->g.budget);
	     i++) {
		odo_finding h = {.guessed = true};
		if (!odo_uses(prices[i]))
			continue;
		status = odo_communities_find(&mapper->g, price[i], of, err);
		if (status || !memcmp(of, before, mapper->g.n * sizeof *of))
			continue;
		int placed = odo_dragonfly_grouped(&mapper->g, of, &h.placement, err);
		status = keep_if(mapper, judge_placed_groups(mapper, placed, &h, err), best, &h,
				 err);
		memcpy(before, of, mapper->g.n * sizeof *of);
	}
	free(of);
	free(before);
	return status;
}

/* Grow the groups of the second guess again. */
static int try_regrown(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	odo_finding h = {.guessed = true, .placement = mapper->spare.placement};
	if (!h.placement.n)
		return 0;
	mapper->spare.placement = (odo_placement){0};
	int status = odo_placement_index(&mapper->g, &h.placement, SIZE_MAX, err);
	if (!status)
		status = odo_regroup(&mapper->g, &h.placement, err);
	status = judge_placed_groups(mapper, status, &h, err);
	if (!status)
		odo_keep_better(best, &h);
	odo_finding_clear(&h);
	return status == ODO_EUNKNOWN ? 0 : status;
}

/* With this share of the links in groups present, regrown groups were never better. */
static const odo_share settled_links = {39, 40};

/* Guess groups as communities, and grow them again if much is missing. */
static int try_guesses(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	int status = odo_uses("communities") ? try_communities(mapper, best, err) : 0;
	bool settled = is_settled(best) &&
		       odo_reaches(best->n_fitting, settled_links, best->n_expected);
	if (status || settled || !odo_may_go_on(mapper->g.budget) || !odo_uses("regrown groups"))
		return status;
	return try_regrown(mapper, best, err);
}

/* Try the product whose rows the groups of a dragonfly may be. */
static int try_aligned(const odo_finding *groups, odo_finding *best, odo_error *err)
{
	odo_finding h = {.g = groups->g};
	odo_error why;
	int status = odo_polish_align(groups, &h.placement, &why);
	if (!status)
		status = odo_settle_product(&h, &why);
	if (status && status != ODO_EUNKNOWN)
		odo_fail(err, status, "%s", why.text);
	if (!status)
		odo_keep_better(best, &h);
	odo_finding_clear(&h);
	return status == ODO_EUNKNOWN ? 0 : status;
}

/* Try groups that are complete graphs, and the FlatFly whose rows they may be. */
static int try_clusters(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	odo_finding h = {0};
	int status = odo_dragonfly_find(&mapper->g, &mapper->support, &h.placement, err);
	status = judge_placed_groups(mapper, status, &h, err);
	if ((!status || status == ODO_EUNKNOWN) && h.edge_class && !odo_finding_whole(&h) &&
	    odo_uses("clusters as rows")) {
		int also = try_aligned(&h, best, err);
		status = also ? also : status;
	}
	if (!status)
		odo_keep_better(best, &h);
	odo_finding_clear(&h);
	return status == ODO_EUNKNOWN && best->g ? 0 : status;
}

/* Try groups of any shape, in a small complete fabric. */
static int try_cover(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	odo_shapes shapes = {0};
	uint8_t *table = NULL;
	uint64_t budget = MOST_STEPS_OF_COVERS, left = 0;
	if (mapper->g.n > ODO_LARGE)
		return 0;
	int status = odo_shapes_find(&mapper->g, &shapes, err);
	if (!status && shapes.n && !(table = odo_copies_table(&mapper->g)))
		status = odo_fail(err, ODO_ENOMEM, "no memory for a table of cables");
	for (size_t i = 0; i < shapes.n && !status && budget; i++) {
		odo_finding h = {.guessed = true};
		left = budget;
		int placed = odo_cover_find(&mapper->g, table, &shapes.list[i], &budget,
					    &h.placement, err);
		odo_charge(mapper->g.budget, left - budget);
		status = keep_if(mapper, judge_placed_groups(mapper, placed, &h, err), best, &h,
				 err);
	}
	free(table);
	odo_shapes_clear(&shapes);
	return status;
}

/* List the groups found so far, or else clusters that were not accepted.
 * @param of [n] gets the group of each vertex */
static int list_found_groups(const odo_mapper *mapper, const odo_finding *best, uint32_t *of,
			     odo_error *err)
{
	odo_placement clusters = {0};
	const odo_placement *from = best->g ? &best->placement : &clusters;
	int status = best->g ? 0 : odo_dragonfly_find(&mapper->g, &mapper->support, &clusters, err);
	for (uint32_t v = 0; v < mapper->g.n && !status; v++) {
		of[v] = odo_placement_at(from, v)[0];
		if (of[v] == ODO_NONE)
			status = odo_fail(err, ODO_EUNKNOWN, "not all switches are in a group");
	}
	odo_placement_clear(&clusters);
	return status;
}

/* Move switches from group to group if cables between groups suggest it. */
static int try_moved(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	uint32_t *of = odo_new(mapper->g.n, sizeof *of);
	odo_finding h = {0};
	int status = of ? list_found_groups(mapper, best, of, err)
			: odo_fail(err, ODO_ENOMEM, "no memory for groups");
	if (!status)
		status = odo_dragonfly_move(&mapper->g, of, &h, err);
	if (!status && h.g)
		status = odo_finding_judge(&h, err);
	if (!status && h.g && odo_finding_saving(&h) >= LEAST_SAVING_OF_MOVED)
		odo_keep_better(best, &h);
	odo_finding_clear(&h);
	free(of);
	return status == ODO_EUNKNOWN ? 0 : status;
}

/* ---- Conditions for strategies ---- */

/* Return true if there may be groups that clusters do not show. */
static bool is_guessable(const odo_mapper *mapper, const odo_finding *best)
{
	bool product = best->g && !odo_finding_grouped(best);
	return !product && !links_are_dense(best) &&
	       !(odo_uses("chance: groups") &&
		 odo_chance_explains(&mapper->walk, &mapper->support, FEWEST));
}

/* Return true if switches may be in the wrong group, or if moving some may make clusters
 * acceptable. In large graphs chance makes many such clusters. */
static bool is_open_to_moves(const odo_mapper *mapper, const odo_finding *best)
{
	return best->g ? odo_finding_grouped(best) && best->placement.n_dims == 2 &&
				 !odo_finding_whole(best)
		       : mapper->g.n <= FEWEST;
}

/* Find groups that are complete graphs, or else FlatFlies. The error states the reason for complete
 * graphs. */
int odo_try_dragonfly(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	odo_error why = {0};
	int more = 0, status = odo_uses("clusters") ? try_clusters(mapper, best, err)
						    : odo_fail(err, ODO_EUNKNOWN,
							       "clusters were not looked for");
	if ((status && status != ODO_EUNKNOWN) || mapper->levels.divided)
		return status;
	if (!(best->g && odo_finding_whole(best)) && odo_may_go_on(mapper->g.budget) &&
	    odo_uses("exact cover"))
		more = try_cover(mapper, best, &why);
	if (!more && is_open_to_moves(mapper, best) && odo_may_go_on(mapper->g.budget) &&
	    odo_uses("moved switches"))
		more = try_moved(mapper, best, &why);
	if (!more && is_guessable(mapper, best) && odo_may_go_on(mapper->g.budget))
		more = try_guesses(mapper, best, &why);
	if (more)
		return odo_fail(err, more, "%s", why.text);
	return best->g ? 0 : status;
}

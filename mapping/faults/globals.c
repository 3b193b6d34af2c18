/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/globals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/faults/scores.h"
#include "mapping/faults/extra_links.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* Maximum number of groups for tables of groups by groups; 65,000 switches have a few hundred
 * groups. */
enum { MOST_GROUPS = 4096 };

/* Number of marked pairs beside a pair that make a row. Marked pairs are outliers, or pairs with
 * too many cables, which are nearly always wrong. */
#define LEAST_OUTLIERS 3
#define LEAST_EXCESS 5

/* Wrong links that one moved cable explains: itself, and one that it was swapped with. */
#define EXPLAINED 2

/* A link of a pair of groups, sorted by likelihood, the lowest first. A surplus of global links at
 * its switch makes a link less likely, and so does an unusual number of cables. */
typedef struct suspect {
	uint32_t edge;
	int64_t likely;
} suspect;

static int by_score(const void *a, const void *b)
{
	const suspect *x = a, *y = b;
	if (x->likely != y->likely)
		return x->likely < y->likely ? -1 : 1;
	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* Return true if the score of a link at one end is far below the usual score. The arrangement must
 * be regular enough for scores to be meaningful, and damage must not have removed the switch's
 * other links. */
static bool is_low_end(const odo_scores *scores, uint32_t e, int side)
{
	uint32_t v = scores->h->g->end[e][side], far = scores->h->g->end[e][!side];
	odo_score sum = {0};
	if (!odo_scores_are_meaningful(scores) || scores->global[v] < scores->ports)
		return false;
	odo_scores_add(scores, v, odo_scores_group(scores, far), true, &sum);
	return sum.companions > 1 && !odo_reaches(ODO_SCORE_ONE * sum.shared, scores->low,
						  (uint64_t)scores->usual * sum.companions);
}

/* Return true if a link is wrong whatever its pair: its score is low at both ends, or low at one
 * end where a cable was added. If almost no links are low, one low end suffices. */
static bool is_outlier(const odo_scores *scores, uint32_t e)
{
	bool low[2] = {is_low_end(scores, e, 0), is_low_end(scores, e, 1)};
	const uint32_t *end = scores->h->g->end[e];
	if (low[0] && low[1])
		return true;
	return (low[0] && (scores->regular || scores->global[end[0]] > scores->ports)) ||
	       (low[1] && (scores->regular || scores->global[end[1]] > scores->ports));
}

/* Share of links with one low end, if one cable in fifty is wrong. */
static const odo_share next_to_none = {2, 100};

/* Some arrangements (consecutive ones) have right links with one low end. */
static bool one_end_fits_all(const odo_scores *scores)
{
	uint32_t n = 0, low = 0;
	for (uint32_t e = 0; e < scores->h->g->n_edges; e++) {
		if (!odo_scores_global(scores, e))
			continue;
		n++;
		low += is_low_end(scores, e, 0) != is_low_end(scores, e, 1);
	}
	return !odo_reaches(low, next_to_none, n);
}

static int64_t likelihood_of_link(const odo_scores *scores, uint32_t e)
{
	int64_t likely = odo_scores_of(scores, e);
	for (int side = 0; side < 2; side++)
		if (scores->global[scores->h->g->end[e][side]] > scores->ports &&
		    odo_uses("switches with a link more"))
			likely -= scores->usual / 2 + 1;
	if (scores->h->g->n_cables[e] != scores->cables && odo_uses("links of unusual cables"))
		likely -= scores->usual / 2 + 1;
	if (is_outlier(scores, e))
		likely -= scores->usual + 1;
	return likely;
}

/* A score is low below the first of these shares of the usual score. If too many right links are
 * below it, the second share applies. */
static const odo_share low_shares[] = {{1, 4}, {1, 16}};

static void find_low(odo_scores *scores)
{
	for (int i = 0; i < 2 && !scores->regular; i++) {
		scores->low = low_shares[i];
		scores->regular = odo_uses("outliers at one end") && one_end_fits_all(scores);
	}
}

/* If this share of the switches has a surplus link, that is by design: some groups were never
 * bought. If damage has reduced the ports of most switches, these switches merely kept theirs. */
static const odo_share many_above = {1, 10};

static bool has_switches_above(const odo_scores *scores)
{
	uint32_t n = scores->h->g->n, above = 0;
	for (uint32_t v = 0; v < n; v++)
		above += scores->global[v] > scores->ports;
	return scores->sure && above && !odo_reaches(above, many_above, n);
}

/* Return true if moved cables may exist: they leave pairs of groups with too few or too many
 * cables. Without such pairs only the arrangement could contradict a cable, and every arrangement
 * is valid. */
static bool cables_may_be_moved(const odo_scores *scores)
{
	const odo_finding *h = scores->h;
	uint64_t pairs = (uint64_t)scores->n * (scores->n - 1) / 2;
	bool odd = h->n_pairs < pairs;
	for (uint32_t i = 0; i < h->n_pairs && !odd; i++)
		odd = h->pair[i].n_cables > h->width[0] || h->pair[i].n_cables < h->least_width ||
		      h->pair[i].n_cables % scores->cables;
	return odd || has_switches_above(scores);
}

/* Return the average score of a link that runs anywhere. */
static int64_t score_anywhere(const odo_scores *scores)
{
	uint64_t sum = 0, pairs = (uint64_t)scores->n * (scores->n - 1);
	for (size_t i = 0; i < (size_t)scores->n * scores->n; i++)
		sum += scores->together[i];
	return pairs ? (int64_t)(ODO_SCORE_ONE * sum / pairs) : 0;
}

/* Standard deviations that chance rarely exceeds: once in 700 cases. */
#define DEVIATIONS 3

/* Return how many of `n` marks must be beside a pair for a row that is not due to chance. */
static double marks_in_row(const odo_scores *scores, uint32_t n, double least)
{
	double pairs = (double)scores->n * (scores->n - 1) / 2;
	double by_chance = ODO_BESIDE * n / pairs;
	return fmax(least, by_chance + DEVIATIONS * sqrt(by_chance));
}

/* Find the lowest score among the links of each pair. */
static void find_suits(const odo_scores *scores, int64_t *suits)
{
	const odo_finding *h = scores->h;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		suits[i] = INT64_MAX;
		for (uint32_t j = 0; j < h->pair[i].n_edges; j++) {
			int64_t likely = likelihood_of_link(scores,
							    h->by_pair[h->pair[i].first_edge + j]);
			suits[i] = likely < suits[i] ? likely : suits[i];
		}
	}
}

/* Find the pairs that have a link too many, among pairs with a link more than others. */
static int check_wide(odo_scores *scores)
{
	const odo_finding *h = scores->h;
	odo_link_fit suits = {odo_new(h->n_pairs, sizeof *suits.pair), scores->usual,
			      score_anywhere(scores)};
	bool *narrow = odo_new(h->n_pairs, sizeof *narrow);
	int status = suits.pair && narrow ? 0 : ODO_ENOMEM;
	if (!status) {
		find_suits(scores, suits.pair);
		status = odo_extra_links_check(h, &scores->beside, &suits, narrow);
	}
	for (uint32_t i = 0; i < h->n_pairs && !status; i++)
		if (narrow[i])
			scores->room[i] = h->least_width;
	free(suits.pair);
	free(narrow);
	return status;
}

/* Accept pairs with too many cables that are in a row: they are by design. */
static void accept_rows(odo_scores *scores)
{
	const odo_finding *h = scores->h;
	uint32_t n = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		bool excess = h->pair[i].n_cables > h->width[0];
		odo_parallel_pairs_mark(&scores->beside, h->pair[i].group, excess);
		n += excess;
	}
	for (uint32_t i = 0; i < h->n_pairs; i++)
		if (h->pair[i].n_cables > h->width[0] &&
		    odo_parallel_pairs_count(&scores->beside, h->pair[i].group) >=
			    marks_in_row(scores, n, LEAST_EXCESS))
			scores->room[i] = h->pair[i].n_cables;
	odo_parallel_pairs_unmark_all(&scores->beside);
}

/* Count missing cables that cannot be missing by design. */
static uint64_t count_unplanned_holes(const odo_finding *h)
{
	uint64_t groups = h->placement.size[0], none = groups * (groups - 1) / 2 - h->n_pairs;
	uint64_t holes = h->cables_expected - h->cables_fitting + none * h->least_width;
	for (uint32_t i = 0; i < h->n_pairs; i++)
		if (h->pair[i].n_cables < h->least_width)
			holes += h->least_width - h->pair[i].n_cables;
	return holes;
}

/* Accept surplus cables without enough holes. Most moved cables leave a hole, so many pairs with a
 * surplus and few holes are by design: for example, some planned groups were never bought. */
static void accept_unexplained(odo_scores *scores)
{
	const odo_finding *h = scores->h;
	uint64_t n = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++)
		if (h->pair[i].n_cables > scores->room[i])
			n += h->pair[i].n_cables - scores->room[i];
	if (odo_holes_explain(n, count_unplanned_holes(h)))
		return;
	for (uint32_t i = 0; i < h->n_pairs; i++)
		if (h->pair[i].n_cables > scores->room[i])
			scores->room[i] = h->pair[i].n_cables;
}

static int find_rooms(odo_scores *scores)
{
	const odo_finding *h = scores->h;
	scores->room = odo_new(h->n_pairs, sizeof *scores->room);
	int status = scores->room
			     ? odo_parallel_pairs_make(scores->n, scores->together, &scores->beside)
			     : ODO_ENOMEM;
	for (uint32_t i = 0; i < h->n_pairs && !status; i++)
		scores->room[i] = h->width[0];
	if (!status && h->n_wide && odo_uses("pairs with a link more"))
		status = check_wide(scores);
	if (!status && odo_uses("excess in rows is right"))
		accept_rows(scores);
	if (!status)
		accept_unexplained(scores);
	return status;
}

/* Return true if all cables of link e are wrong. */
static bool all_cables_wrong(const odo_scores *scores, uint32_t e, const uint8_t *wrong)
{
	return wrong[e] >= scores->h->g->n_cables[e];
}

static void condemn_excess(odo_scores *scores, odo_pair *pair, uint32_t e, const uint8_t *wrong)
{
	pair->n_cables -= wrong[e];
	if (!all_cables_wrong(scores, e, wrong))
		return;
	scores->h->edge_class[e] = ODO_PORT_WRONG;
	scores->h->n_wrong++;
	pair->n_edges--;
}

/* Mark `e` as wrong, and subtract it from the right global links of its switches. */
static void blame_link(odo_scores *scores, uint32_t e, uint8_t *wrong)
{
	wrong[e] = scores->h->g->n_cables[e];
	scores->global[scores->h->g->end[e][0]]--;
	scores->global[scores->h->g->end[e][1]]--;
}

/* List the links of a pair, the least likely first. */
static void list_links_of_pair(const odo_scores *scores, const odo_pair *pair, suspect *list)
{
	for (uint32_t i = 0; i < pair->n_edges; i++) {
		uint32_t e = scores->h->by_pair[pair->first_edge + i];
		list[i] = (suspect){e, likelihood_of_link(scores, e)};
	}
	qsort(list, pair->n_edges, sizeof *list, by_score);
}

/* If a pair has more cables than usual, mark the surplus as wrong, the least likely links first.
 * Only some cables of a link are marked if a wrong cable lies beside a right one. */
static void check_excess(const odo_scores *scores, uint32_t i, suspect *list, uint8_t *wrong)
{
	const odo_pair *pair = &scores->h->pair[i];
	uint32_t cables = pair->n_cables, right = scores->room[i];
	if (cables <= right)
		return;
	list_links_of_pair(scores, pair, list);
	for (uint32_t j = 0; cables > right; j++) {
		uint32_t e = list[j].edge, n = scores->h->g->n_cables[e];
		wrong[e] = (uint8_t)(n < cables - right ? n : cables - right);
		cables -= wrong[e];
	}
}

/* Return true if outliers are by design. Most wrong cables join two groups that have all their
 * cables, so they cause a surplus at a pair or at a switch. Many outliers with few of these
 * surpluses are by design: for example, the arrangement starts again within a switch. */
static bool are_too_many(const odo_scores *scores, uint64_t outliers)
{
	const odo_finding *h = scores->h;
	uint64_t excess = 0, full = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		uint32_t n = h->pair[i].n_cables;
		excess += n > scores->room[i] ? n - scores->room[i] : 0;
		full += n >= h->least_width;
	}
	for (uint32_t v = 0; v < h->g->n && has_switches_above(scores); v++)
		excess += scores->global[v] > scores->ports ? scores->global[v] - scores->ports : 0;
	return outliers * full > EXPLAINED * excess * h->n_pairs;
}

/* Drop outliers in a row, which are by design too. Return how many of the `n` remain. */
static uint32_t drop_rows(odo_scores *scores, suspect *list, uint32_t n)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t group[2];
		odo_scores_groups(scores, list[i].edge, group);
		odo_parallel_pairs_mark(&scores->beside, group, true);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t group[2];
		odo_scores_groups(scores, list[i].edge, group);
		if (odo_parallel_pairs_count(&scores->beside, group) <
		    marks_in_row(scores, n, LEAST_OUTLIERS))
			list[left++] = list[i];
	}
	return left;
}

/* Mark outliers as wrong, the least likely first. If a switch has one link too many, only one of
 * its links is wrong. */
static void check_outliers(odo_scores *scores, suspect *list, uint8_t *wrong)
{
	const odo_finding *h = scores->h;
	uint32_t n = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		const uint32_t *edge = h->by_pair + h->pair[i].first_edge;
		for (uint32_t j = 0; j < h->pair[i].n_edges; j++)
			if (!wrong[edge[j]] && is_outlier(scores, edge[j]))
				list[n++] = (suspect){edge[j], likelihood_of_link(scores, edge[j])};
	}
	if (odo_uses("outliers in rows are right"))
		n = drop_rows(scores, list, n);
	if (odo_uses("many outliers are right") && are_too_many(scores, n))
		return;
	qsort(list, n, sizeof *list, by_score);
	for (uint32_t i = 0; i < n; i++)
		if (is_outlier(scores, list[i].edge))
			blame_link(scores, list[i].edge, wrong);
}

/* Judge all pairs before any link is condemned. */
static int check_pairs_of_groups(odo_scores *scores, uint8_t *wrong)
{
	odo_finding *h = scores->h;
	suspect *list = odo_new(h->g->n_edges, sizeof *list);
	int status = list ? 0 : ODO_ENOMEM;
	for (uint32_t i = 0; i < h->n_pairs && !status; i++)
		check_excess(scores, i, list, wrong);
	for (uint32_t e = 0; e < h->g->n_edges && !status; e++)
		if (wrong[e] && all_cables_wrong(scores, e, wrong))
			blame_link(scores, e, wrong);
	if (!status && odo_uses("outliers of the arrangement"))
		check_outliers(scores, list, wrong);
	for (uint32_t i = 0; i < h->n_pairs && !status; i++) {
		odo_pair *pair = &h->pair[i];
		uint32_t n = pair->n_edges;
		for (uint32_t j = 0; j < n; j++) {
			uint32_t e = h->by_pair[pair->first_edge + j];
			if (wrong[e])
				condemn_excess(scores, pair, e, wrong);
		}
	}
	free(list);
	return status;
}

static int check_global_links(odo_scores *scores, uint8_t *wrong, odo_missing **missing,
			      uint32_t *n_missing)
{
	int status = odo_scores_find(scores);
	if (status)
		return status;
	find_low(scores);
	status = find_rooms(scores);
	if (!status)
		status = check_pairs_of_groups(scores, wrong);
	if (status)
		return status;
	return odo_scores_missing(scores, missing, n_missing);
}

int odo_globals_check(odo_finding *h, uint8_t *wrong, odo_missing **missing, uint32_t *n_missing,
		      odo_error *err)
{
	odo_scores scores;
	*missing = NULL;
	*n_missing = 0;
	if (h->placement.size[0] > MOST_GROUPS)
		return 0;
	int status = odo_scores_make(h, &scores);
	if (!status && cables_may_be_moved(&scores))
		status = check_global_links(&scores, wrong, missing, n_missing);
	odo_scores_clear(&scores);
	return status ? odo_fail(err, status, "no memory to check global links") : 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>

#include "base/memory.h"
#include "mapping/faults/scores.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* A link whose score is below this share of the usual one does not belong to the arrangement. */
static const odo_share poor = {1, 8};

/* Two groups that lack cables, and the score of the best ends. */
typedef struct lack {
	uint32_t group[2], count, suits;
} lack;

typedef struct lacks {
	lack *lack;
	uint32_t n;
	size_t room;
} lacks;

/* Return the switch of group a with an unused global port that suits group b best, or ODO_NONE. */
static uint32_t best_end(const odo_scores *scores, uint32_t a, uint32_t b, uint32_t *suits)
{
	const odo_placement *placement = &scores->h->placement;
	size_t room = placement->n_positions / scores->n;
	uint32_t best = ODO_NONE, most = 0;
	for (size_t i = a * room; i < (a + 1) * room; i++) {
		uint32_t v = placement->occupant[i];
		if (v == ODO_NONE || scores->global[v] >= scores->cabled)
			continue;
		odo_score sum = {.companions = 1};
		odo_scores_add(scores, v, b, false, &sum);
		uint32_t here = 1 + (uint32_t)(ODO_SCORE_ONE * sum.shared / sum.companions);
		if (here > most) {
			most = here;
			best = v;
		}
	}
	*suits = most < *suits ? most : *suits;
	/* If scores are meaningful and this one is poor, a missing switch is the more likely
	 * end. */
	bool missing = odo_uses("no missing cable at a missing switch") &&
		       scores->h->n_placed < placement->n_positions &&
		       odo_scores_are_meaningful(scores) && !odo_reaches(most, poor, scores->usual);
	return missing ? ODO_NONE : best;
}

/* Return the cables that a pair of groups should have: at least the number that all pairs have,
 * with whole links of the usual width. */
static uint32_t cables_due(const odo_scores *scores, uint32_t cables)
{
	uint32_t per_link = scores->cables ? scores->cables : 1;
	uint32_t whole = (cables + per_link - 1) / per_link * per_link;
	return whole > scores->h->least_width ? whole : scores->h->least_width;
}

/* Walk all pairs of groups in parallel with the list of pairs that have cables. */
static int list_lacks(const odo_scores *scores, lacks *list)
{
	const odo_finding *h = scores->h;
	uint32_t next = 0;
	for (uint32_t a = 0; a < scores->n; a++)
		for (uint32_t b = a + 1; b < scores->n; b++) {
			bool has = next < h->n_pairs && h->pair[next].group[0] == a &&
				   h->pair[next].group[1] == b;
			uint32_t cables = has ? h->pair[next++].n_cables : 0;
			if (cables >= cables_due(scores, cables))
				continue;
			if (odo_grow(&list->lack, &list->room, list->n + 1ul, sizeof *list->lack))
				return ODO_ENOMEM;
			lack *x = &list->lack[list->n++];
			*x = (lack){{a, b}, cables_due(scores, cables) - cables, UINT32_MAX};
			best_end(scores, a, b, &x->suits);
			best_end(scores, b, a, &x->suits);
		}
	return 0;
}

static int by_suits(const void *a, const void *b)
{
	const lack *x = a, *y = b;
	if (x->suits != y->suits)
		return x->suits > y->suits ? -1 : 1;
	if (x->group[0] != y->group[0])
		return x->group[0] < y->group[0] ? -1 : 1;
	return x->group[1] < y->group[1] ? -1 : x->group[1] > y->group[1];
}

/* Return how many cables can be missing between existing switches. Each leaves a free port at both
 * ends. Cables of missing switches leave a free port too, and must not be counted. */
static uint64_t most_missing(const odo_scores *scores)
{
	const odo_placement *placement = &scores->h->placement;
	uint64_t gone = 0, spare = 0;
	for (uint32_t v = 0; v < scores->h->g->n; v++)
		if (odo_placement_placed(placement, v) && scores->global[v] < scores->cabled)
			spare += scores->cabled - scores->global[v];
	for (size_t i = 0; i < placement->n_positions; i++)
		gone += placement->occupant[i] == ODO_NONE;
	return spare > gone * scores->cabled ? (spare - gone * scores->cabled) / 2 : 0;
}

/* Add a missing cable of two groups, between the ends that suit it best. Return false if there are
 * none. */
static bool add_missing_global(odo_scores *scores, const lack *x, odo_missing *list, uint32_t *n)
{
	uint32_t suits = UINT32_MAX, u = best_end(scores, x->group[0], x->group[1], &suits);
	uint32_t v = best_end(scores, x->group[1], x->group[0], &suits);
	if (u == ODO_NONE || v == ODO_NONE)
		return false;
	if (*n && list[*n - 1].end[0] == u && list[*n - 1].end[1] == v)
		list[*n - 1].count++;
	else
		list[(*n)++] = (odo_missing){{u, v}, 1};
	scores->global[u]++;
	scores->global[v]++;
	return true;
}

int odo_scores_missing(odo_scores *scores, odo_missing **list, uint32_t *n)
{
	lacks all = {0};
	odo_scores_recount(scores, true);
	uint64_t left = most_missing(scores), cables = 0;
	int status = list_lacks(scores, &all);
	for (uint32_t i = 0; i < all.n; i++)
		cables += all.lack[i].count;
	*list = odo_new(cables < left ? cables : left, sizeof **list);
	if (!*list)
		status = ODO_ENOMEM;
	if (!status && all.n)
		qsort(all.lack, all.n, sizeof *all.lack, by_suits);
	for (uint32_t i = 0; i < all.n && !status; i++)
		for (uint32_t k = 0; k < all.lack[i].count && left; k++) {
			if (!add_missing_global(scores, &all.lack[i], *list, n))
				break;
			left--;
		}
	free(all.lack);
	return status;
}

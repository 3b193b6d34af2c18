/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>

#include "base/memory.h"
#include "mapping/faults/scores.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* What suits the arrangement by less than this share of the usual does not belong into it. */
static const odo_share poor = {1, 8};

/* The switch of group a that has a global port left and suits group b best, or ODO_NONE. */
static uint32_t best_end(const odo_scores *scores, uint32_t a, uint32_t b)
{
	const odo_placement *placement = &scores->h->placement;
	size_t room = placement->n_positions / scores->n;
	uint32_t best = ODO_NONE, most = 0;
	for (size_t i = a * room; i < (a + 1) * room; i++) {
		uint32_t v = placement->occupant[i];
		if (v == ODO_NONE || scores->global[v] >= scores->ports)
			continue;
		odo_score sum = {.companions = 1};
		odo_scores_add(scores, v, b, false, &sum);
		uint32_t suits = 1 + (uint32_t)(ODO_SCORE_ONE * sum.shared / sum.companions);
		if (suits > most) {
			most = suits;
			best = v;
		}
	}
	/* In an arrangement that scores say something of, a poor one means that the switch
	 * is missing itself. */
	bool missing = odo_uses("no missing cable at a missing switch") &&
		       odo_scores_tell(scores) && !odo_reaches(most, poor, scores->usual);
	return missing ? ODO_NONE : best;
}

static int note_missing(odo_scores *scores, uint32_t a, uint32_t b, uint32_t count,
			odo_missing **list, uint32_t *n, size_t *room)
{
	uint32_t u = best_end(scores, a, b), v = best_end(scores, b, a);
	if (u == ODO_NONE || v == ODO_NONE)
		return 0;
	if (odo_grow(list, room, (size_t)*n + 1, sizeof **list))
		return ODO_ENOMEM;
	(*list)[(*n)++] = (odo_missing){{u, v}, count};
	scores->global[u]++;
	scores->global[v]++;
	return 0;
}

/* Walk all pairs of groups beside the list of those that have cables. */
int odo_scores_missing(odo_scores *scores, odo_missing **list, uint32_t *n)
{
	const odo_finding *h = scores->h;
	uint32_t next = 0;
	size_t room = 0;
	int status = 0;
	for (uint32_t a = 0; a < scores->n && !status; a++) {
		for (uint32_t b = a + 1; b < scores->n && !status; b++) {
			bool has = next < h->n_pairs && h->pair[next].group[0] == a &&
				   h->pair[next].group[1] == b;
			uint32_t cables = has ? h->pair[next++].n_cables : 0;
			if (cables < h->least_width)
				status = note_missing(scores, a, b, h->least_width - cables, list,
						      n, &room);
		}
	}
	return status;
}

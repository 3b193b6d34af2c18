/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Guesses at groups need not be right to say which sizes groups have: those that say most are kept,
 * one for each shape, also where cables do not bear them out, and their groups grown anew. */
#include "mapping/judge/hypotheses.h"

#include <string.h>

#include "mapping/dragonfly/regroup.h"
#include "base/strategies.h"

/* Bits a link by which a guess may fall short of chance: in random graphs all do by more. */
#define MOST_LOSS -1.0
/* Switches up to which it is tried: of more than ODO_LARGE the best guess only. */
enum { ODO_LARGEST = 2 * ODO_LARGE };

static bool same_shape(const odo_placement *a, const odo_placement *b)
{
	return a->n_dims == b->n_dims &&
	       !memcmp(a->size + 1, b->size + 1, (a->n_dims - 1) * sizeof *a->size);
}

int odo_keep_spare(odo_mapper *mapper, const odo_finding *h, odo_error *err)
{
	const odo_placement *placement = &h->placement;
	if (!odo_finding_grouped(h) || !h->edge_class || placement->n_dims < 3 ||
	    mapper->g.n > ODO_LARGEST || odo_finding_whole(h) ||
	    placement->n_positions / placement->size[0] > ODO_REGROUP_ROOM)
		return 0;
	double saving = odo_finding_saving(h);
	odo_spare *to = NULL;
	if (saving < MOST_LOSS * mapper->g.n_edges)
		return 0;
	for (int i = 0; i < ODO_MOST_SPARES; i++)
		if (mapper->spare[i].placement.n &&
		    same_shape(&mapper->spare[i].placement, placement))
			to = &mapper->spare[i];
	for (int i = 0; i < ODO_MOST_SPARES && !to; i++)
		if (!mapper->spare[i].placement.n)
			to = &mapper->spare[i];
	for (int i = 0; i < ODO_MOST_SPARES && (!to || to->placement.n); i++)
		if (!to || (!same_shape(&to->placement, placement) &&
			    mapper->spare[i].saving < to->saving))
			to = &mapper->spare[i];
	if (to->placement.n && to->saving >= saving)
		return 0;
	odo_placement_clear(&to->placement);
	to->saving = saving;
	return odo_placement_copy(placement, &to->placement, err);
}

void odo_spares_clear(odo_mapper *mapper)
{
	for (int i = 0; i < ODO_MOST_SPARES; i++)
		odo_placement_clear(&mapper->spare[i].placement);
}

/* Some other spare says more. */
static bool second(const odo_mapper *mapper, int i)
{
	for (int j = 0; j < ODO_MOST_SPARES; j++)
		if (mapper->spare[j].placement.n &&
		    mapper->spare[j].saving > mapper->spare[i].saving)
			return true;
	return false;
}

int odo_try_regrown(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	int status = 0;
	for (int i = 0; i < ODO_MOST_SPARES; i++)
		if ((mapper->g.n > ODO_LARGE || !odo_uses("several guesses regrown")) &&
		    second(mapper, i))
			odo_placement_clear(&mapper->spare[i].placement);
	for (int i = 0; i < ODO_MOST_SPARES && !status && odo_may_go_on(mapper->g.budget); i++) {
		odo_finding h = {.g = &mapper->g, .kind = ODO_KIND_DRAGONFLY, .guessed = true};
		if (!mapper->spare[i].placement.n)
			continue;
		h.placement = mapper->spare[i].placement;
		mapper->spare[i].placement = (odo_placement){0};
		status = odo_placement_index(&mapper->g, &h.placement, SIZE_MAX, err);
		if (!status)
			status = odo_regroup(&mapper->g, &h.placement, err);
		if (!status)
			status = odo_settle_groups(mapper, &h, err);
		if (!status)
			odo_keep_better(best, &h);
		odo_finding_clear(&h);
		status = status == ODO_EUNKNOWN ? 0 : status;
	}
	return status;
}

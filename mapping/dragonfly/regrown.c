/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A guess at groups need not be right to show the sizes of groups. The guess with the shortest
 * description is kept, even if cables do not confirm it, and its groups are grown again. */
#include "mapping/judge/hypotheses.h"

#include "mapping/dragonfly/regroup.h"

/* Bits per link by which a guess may be longer than chance. In random graphs every guess is longer
 * by more. */
#define MOST_LOSS -1.0
/* Largest number of switches for which this is tried. */
enum { ODO_LARGEST = 2 * ODO_LARGE };

int odo_keep_second_guess(odo_mapper *mapper, const odo_finding *h, odo_error *err)
{
	const odo_placement *placement = &h->placement;
	odo_spare *spare = &mapper->spare;
	if (!odo_finding_grouped(h) || !h->edge_class || placement->n_dims < 3 ||
	    mapper->g.n > ODO_LARGEST || odo_finding_whole(h) ||
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

int odo_try_regrown(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	odo_finding h = {.g = &mapper->g, .kind = ODO_KIND_DRAGONFLY, .guessed = true};
	if (!mapper->spare.placement.n || !odo_may_go_on(mapper->g.budget))
		return 0;
	h.placement = mapper->spare.placement;
	mapper->spare.placement = (odo_placement){0};
	int status = odo_placement_index(&mapper->g, &h.placement, SIZE_MAX, err);
	if (!status)
		status = odo_regroup(&mapper->g, &h.placement, err);
	if (!status)
		status = odo_settle_groups(mapper, &h, err);
	if (!status)
		odo_keep_better(best, &h);
	odo_finding_clear(&h);
	return status == ODO_EUNKNOWN ? 0 : status;
}

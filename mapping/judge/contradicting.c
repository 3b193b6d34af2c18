/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/judge/contradicting.h"

/* Limits of the contradicting share. Surveys remove 10 % of the switches and 5 % of the links, and
 * move 1 % of the cables: 16 %. If a border is also lost, up to 27 % is missing (mesh 9x11, seed
 * 1013). Graphs of no known kind lack at least 32 % of the nearest kind, or are more regular than
 * it (certainty.h). */
#define LIKELY_FROM 0.1
#define NEAREST_FROM 0.3

static double contradicting_part(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

double odo_contradicting_share(const odo_contradicting *x)
{
	return contradicting_part(x->missing_switches, x->switches + x->missing_switches) +
	       contradicting_part(x->missing_cables, x->cables + x->missing_cables) +
	       contradicting_part(x->wrong_cables, x->cables);
}

odo_certainty odo_certainty_of(const odo_contradicting *x)
{
	double share = odo_contradicting_share(x);
	return share >= NEAREST_FROM  ? ODO_NEAREST
	       : share >= LIKELY_FROM ? ODO_LIKELY
				      : ODO_CERTAIN;
}

odo_certainty odo_finding_certainty(const odo_finding *h)
{
	return odo_certainty_of(&(odo_contradicting){
		.switches = h->n_placed,
		.missing_switches = h->placement.n_positions - h->n_placed,
		.cables = h->g->n_edges,
		.missing_cables = h->n_expected - h->n_fitting,
		.wrong_cables = h->n_wrong,
	});
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Unknown is an answer. The limits are what damage may do to a fabric that still deserves a
 * structured routing; what lies beyond is not bent into a shape.
 */
#include <stdlib.h>

#include "fabric/memory.h"
#include "mapping/finding.h"

/* Most that may be wrong or missing. */
#define WRONG_LINKS 0.05
#define UNPLACED_SWITCHES 0.03
#define MISSING_LINKS 0.5
#define MISSING_SWITCHES 0.6

static int judge_product(const odo_finding *h, odo_error *err)
{
	double positions = (double)h->grid.n_positions;
	if (h->n_placed < (1 - MISSING_SWITCHES) * positions)
		return odo_fail(err, ODO_EUNKNOWN,
				"only %u of the %.0f positions of a product have a switch",
				h->n_placed, positions);
	return 0;
}

/* Between all groups there must be as many cables as between those that have any, given how
 * complete the groups are. */
static int judge_groups(const odo_finding *h, odo_error *err)
{
	const odo_grid *p = &h->grid;
	double n = p->size[0], pairs = n * (n - 1) / 2;
	if (p->size[0] < 2)
		return odo_fail(err, ODO_EUNKNOWN, "one cluster of switches is no dragonfly");
	if (p->size[1] < 2)
		return odo_fail(err, ODO_EUNKNOWN, "switches form no groups");
	double whole = 1, complete = 0, cables = 0;
	for (unsigned i = 1; i < p->n_dims; i++)
		whole *= p->size[i];
	complete = h->n_placed / (whole * n);
	for (uint32_t i = 0; i < h->n_pairs; i++)
		cables += h->pair[i].n_cables;
	double expected = pairs * h->least_width * complete * complete;
	if (complete < 1 - MISSING_SWITCHES)
		return odo_fail(err, ODO_EUNKNOWN, "groups of %.1f to %.0f switches are too unequal",
				complete * whole, whole);
	if (cables < (1 - MISSING_LINKS) * expected)
		return odo_fail(err, ODO_EUNKNOWN,
				"%u groups have %.0f cables between them, not at least %.0f",
				p->size[0], cables, (1 - MISSING_LINKS) * expected);
	uint32_t excess = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++)
		if (h->pair[i].n_cables > h->width[0])
			excess += h->pair[i].n_cables - h->width[0];
	if (excess > WRONG_LINKS * cables)
		return odo_fail(err, ODO_EUNKNOWN,
				"%u of %.0f cables between groups are more than two groups have",
				excess, cables);
	return 0;
}

int odo_finding_judge(const odo_finding *h, odo_error *err)
{
	if (h->n_wrong > WRONG_LINKS * h->g->n_edges)
		return odo_fail(err, ODO_EUNKNOWN, "%u of %u links contradict a %s", h->n_wrong,
				h->g->n_edges, odo_kind_name(h->kind));
	if (h->n_placed < (1 - UNPLACED_SWITCHES) * h->g->n)
		return odo_fail(err, ODO_EUNKNOWN, "%u of %u switches have no place in a %s",
				h->g->n - h->n_placed, h->g->n, odo_kind_name(h->kind));
	if (h->n_fitting < (1 - MISSING_LINKS) * (double)h->n_expected)
		return odo_fail(err, ODO_EUNKNOWN, "only %llu of the %llu links of a %s are there",
				(unsigned long long)h->n_fitting,
				(unsigned long long)h->n_expected, odo_kind_name(h->kind));
	return h->kind == ODO_KIND_DRAGONFLY ? judge_groups(h, err) : judge_product(h, err);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/cycle/loops.h"

#include "base/strategies.h"

#define ROW(function, ...) {__VA_ARGS__},
const odo_loop odo_loops[] = {
	[ODO_LOOP_PACKETS] = {.name = "any"},
	[ODO_LOOP_FLITS] = {.name = "flits"},
	ODO_LOOPS(ROW){0},
};

static enum odo_loop_switches switches_of(const odo_world *w)
{
	const odo_model *m = &w->model;
	/* Loops of tables ask for transit-first only where VLs send side by side. */
	bool first = m->minimal_first || (m->transit_first && !w->policy && !w->parallel_inputs);
	if (w->paper)
		return ODO_SWITCHES_QUEUES;
	return w->even && !w->failing && !first && m->arbiter == ODO_ARBITER_LRS
		       ? ODO_SWITCHES_EVEN
		       : ODO_SWITCHES_OTHER;
}

/* Policies that answer for good have loops of their own for few lanes and up to 64 ports. */
static enum odo_loop_way source_of_ways(const odo_world *w)
{
	bool few = w->words == 1 && w->lane_bits == ODO_LANE_BITS;
	if (w->sets)
		return ODO_BY_SETS;
	if (!w->policy)
		return ODO_BY_TABLES;
	return w->uniform && few ? ODO_BY_ANSWERS : ODO_BY_POLICY;
}

static bool serves(const odo_loop *row, const odo_world *w)
{
	return row->switches == switches_of(w) && row->by == source_of_ways(w) &&
	       row->words == w->words && row->lane_bits == w->lane_bits &&
	       (!row->port_bits || row->port_bits == w->port_bits) &&
	       (row->parallel == ODO_EITHER || row->parallel == w->parallel_inputs);
}

const odo_loop *odo_find_loop(const odo_world *w)
{
	const odo_loop *found = &odo_loops[w->flits ? ODO_LOOP_FLITS : ODO_LOOP_PACKETS];
	const odo_loop *row = &odo_loops[ODO_N_GENERAL_LOOPS];
	for (; row->name && !w->flits && !w->e->run.plain; row++) {
		if (!serves(row, w))
			continue;
		if (!odo_uses(row->name))
			break;
		found = row;
	}
	return found;
}

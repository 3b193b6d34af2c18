/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Emulate one run, from its options to its measures. */
#include <stdio.h>
#include <stdlib.h>

#include "emulator/kernel/run/conserve.h"
#include "emulator/kernel/run/ranks.h"
#include "emulator/kernel/run/run.h"
#include "emulator/kernel/setup/setup.h"

/* Explain a missing way by missing cables: if no path of cables joins the switch and the host,
 * return the number of parts of the fabric, else 0. */
static int parts_between(const odo_fabric *f, uint32_t node, uint32_t host)
{
	uint32_t *part = odo_new(f->n_switches, sizeof *part);
	int n = part ? odo_fabric_parts(f, part, NULL) : 0;
	bool apart = n > 1 && part[node] != part[odo_host_switch(f, host)];
	free(part);
	return apart ? n : 0;
}

static int tell_fault(const odo_world *w, const odo_part *part, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	bool delivered = !part->losing &&
			 part->lost.phits; /* delivered to another host, so it has left its lane */
	const odo_packet *p = delivered ? &part->lost : &part->pool[part->lanes[part->astray].head];
	const char *what = w->e->tables && !delivered ? "the tables have no next hop" : part->fault;
	uint32_t node = part->global[odo_spot_switch(w, part->astray)];
	int n_parts = parts_between(f, node, p->target);
	char parts[160] = "";
	if (n_parts)
		snprintf(parts, sizeof parts,
			 ": the fabric has %d parts that no cable connects, and these two are in "
			 "different parts; --part N takes one",
			 n_parts);
	return odo_fail(err, ODO_EINPUT,
			"emulation: switch \"%s\" port %u lane %u: %s to LID %u of host \"%s\"%s",
			odo_name(f, node), odo_spot_port(w, part->astray) + 1,
			odo_spot_lane(w, part->astray), what, f->port_lid[f->host_slot[p->target]],
			odo_name(f, f->owner[f->host_slot[p->target]]), parts);
}

/* Report the first fault of this rank's parts. */
static int find_fault(const odo_world *w, odo_error *err)
{
	for (uint32_t i = w->first_of_rank[w->rank]; i < w->first_of_rank[w->rank + 1]; i++) {
		const odo_part *part = &w->parts[i];
		if (part->out_of_memory)
			return odo_fail(err, ODO_ENOMEM, "no memory for packets in cycle %u",
					part->now);
		if (part->fault)
			return odo_conserve_tell(part, err) ? ODO_EIO : tell_fault(w, part, err);
	}
	return 0;
}

int odo_world_conclude(odo_world *w, odo_outcome outcome, odo_measures **out, odo_error *err)
{
	int status = find_fault(w, err);
	if (w->n_ranks > 1)
		status = odo_ranks_agree(status, err);
	if (!status)
		status = odo_measures_gather(w, out, err);
	if (status)
		return status;
	odo_measures *m = *out;
	m->outcome = outcome;
	bool circle = false;
	if (outcome == ODO_RUN_LIVELOCK)
		odo_watch_lost(w, m->report, sizeof m->report);
	else
		status = odo_watch_circle(w, &circle, m->report, sizeof m->report);
	if (status) {
		odo_measures_free(m);
		*out = NULL;
		return odo_fail(err, status, "no memory to search for a deadlock");
	}
	if (circle)
		m->outcome = ODO_RUN_DEADLOCK; /* although other packets may still move */
	else if (outcome == ODO_RUN_DEADLOCK)
		odo_watch_waiting(w, m->report, sizeof m->report);
	return 0;
}

int odo_emulate(const odo_emulation *e, odo_measures **out, odo_error *err)
{
	odo_world w = {.e = e, .err = err};
	int status = odo_emulation_check(e, err);
	w.n_ranks = e->run.ranks ? odo_ranks_count() : 1;
	w.rank = w.n_ranks > 1 ? odo_ranks_number() : 0;
	if (!status)
		status = odo_world_make(&w, err);
	if (!status)
		status = odo_world_deal(&w, err);
	if (!status)
		status = odo_parts_build(&w, err);
	if (w.n_ranks > 1)
		status = odo_ranks_agree(status, err);
	odo_outcome outcome = ODO_RUN_DONE;
	if (!status)
		status = odo_world_run(&w, &outcome, err);
	if (!status && w.found) {
		*out = w.found;
		w.found = NULL;
	} else if (!status) {
		status = odo_world_conclude(&w, outcome, out, err);
	}
	odo_measures_free(w.found);
	odo_ranks_free(&w);
	odo_world_free(&w);
	return status;
}

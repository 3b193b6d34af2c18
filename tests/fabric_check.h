/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Invariants of a frozen fabric (fabric/fabric.h). */
#ifndef ODONATA_TESTS_FABRIC_CHECK_H
#define ODONATA_TESTS_FABRIC_CHECK_H

#include "fabric/fabric.h"

static inline int check_slot(const odo_fabric *f, uint32_t slot, odo_error *err)
{
	uint32_t node = f->owner[slot], peer = f->peer[slot];
	if (node >= f->n_nodes || slot < f->first_slot[node] || slot >= f->first_slot[node + 1])
		return odo_fail(err, ODO_EINPUT, "slot %u is not one of its owner's", slot);
	if (peer == ODO_NONE)
		return f->slot_host[slot] == ODO_NONE
			       ? 0
			       : odo_fail(err, ODO_EINPUT, "slot %u has a host and no cable", slot);
	if (peer >= f->n_slots || peer == slot || f->peer[peer] != slot)
		return odo_fail(err, ODO_EINPUT, "the cable at slot %u has one end", slot);
	bool host = odo_is_switch(f, node) != odo_is_switch(f, f->owner[peer]);
	if (host != (f->slot_host[slot] != ODO_NONE))
		return odo_fail(err, ODO_EINPUT, "slot %u: host and cable disagree", slot);
	return 0;
}

/* Return 0, or ODO_EINPUT with the first invariant that does not hold. */
static inline int odo_fabric_check(const odo_fabric *f, odo_error *err)
{
	int status = 0;
	uint32_t linked = 0;
	if (f->n_switches > f->n_nodes || f->first_slot[f->n_nodes] != f->n_slots)
		return odo_fail(err, ODO_EINPUT, "node and slot counts disagree");
	for (uint32_t v = 0; v < f->n_nodes; v++)
		if (odo_is_switch(f, v) != (f->node_type[v] == ODO_SWITCH))
			return odo_fail(err, ODO_EINPUT, "node %u: switches do not come first", v);
	for (uint32_t slot = 0; slot < f->n_slots && !status; slot++) {
		status = check_slot(f, slot, err);
		linked += f->peer[slot] != ODO_NONE;
	}
	if (!status && linked != 2 * f->n_links)
		status = odo_fail(err, ODO_EINPUT, "expected %u cables, found %u", f->n_links,
				  linked / 2);
	for (uint32_t h = 0; h < f->n_hosts && !status; h++)
		if (f->slot_host[f->host_slot[h]] != h)
			status = odo_fail(err, ODO_EINPUT, "host %u is not at its slot", h);
	for (uint32_t lid = 0; lid < f->lid_count && !status; lid++) {
		uint32_t h = f->lid_host[lid], s = f->lid_switch[lid];
		if (h != ODO_NONE && (h >= f->n_hosts || s != odo_host_switch(f, h)))
			status = odo_fail(err, ODO_EINPUT, "LID %u is not its host's", lid);
	}
	return status;
}

#endif

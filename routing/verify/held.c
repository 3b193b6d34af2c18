/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SLs that connections from earlier tables still use. A packet with such an SL takes the same ports
 * as one with the path's own SL, which has been followed already; only its VLs differ. Few pairs
 * have such SLs, so each is walked link by link.
 */
#include "routing/verify/internal.h"

/* Return the VLs on which the hosts of switch s, and the switch itself, send by a port. */
static unsigned first_vls(const odo_proof *proof, uint32_t s, unsigned port, unsigned sl)
{
	const odo_fabric *f = proof->f;
	unsigned vls = 1u << odo_vl(proof->t, s, 0, port, sl);
	for (uint32_t in = f->first_slot[s]; in < f->first_slot[s + 1]; in++)
		if (f->slot_host[in] != ODO_NONE)
			vls |= 1u << odo_vl(proof->t, s, odo_port(f, in), port, sl);
	return vls;
}

/* Walk the path of packets from switch s to a LID with this SL. A path that ends early was already
 * reported for its own SL. */
static void walk_held_path(odo_proof *proof, uint32_t s, uint32_t lid, unsigned sl)
{
	const odo_fabric *f = proof->f;
	uint32_t home = f->lid_switch[lid];
	unsigned port = odo_next_port(proof->t, s, lid), in = 0, vls = 0;
	for (uint32_t hops = 0; hops <= proof->n && port - 1u < odo_n_ports(f, s); hops++) {
		uint32_t slot = odo_slot(f, s, port);
		if (hops == 0)
			vls = first_vls(proof, s, port, sl);
		odo_verify_check_vls(proof, slot, vls, lid);
		if (s == home || proof->next[slot] == ODO_NONE)
			return;
		in = odo_port(f, f->peer[slot]);
		s = proof->next[slot];
		port = odo_next_port(proof->t, s, lid);
		if (port - 1u >= odo_n_ports(f, s))
			return;
		unsigned vl = odo_vl(proof->t, s, in, port, sl);
		if (s != home)
			odo_verify_depend(proof, slot, vls, port, vl);
		vls = 1u << vl;
	}
}

/* Check the VLs on which a switch's hosts inject. */
static void check_injection(odo_proof *proof, uint32_t s, unsigned sls)
{
	const odo_fabric *f = proof->f;
	for (uint32_t i = f->first_slot[s]; sls && i < f->first_slot[s + 1]; i++) {
		uint32_t host = f->slot_host[i];
		if (host == ODO_NONE)
			continue;
		const uint8_t *vl = proof->t->rows[proof->t->host_row[host]].vl;
		for (unsigned left = sls; left; left &= left - 1)
			odo_verify_check_vls(proof, f->host_slot[host],
					     1u << vl[__builtin_ctz(left)],
					     f->port_lid[f->host_slot[host]]);
	}
}

void odo_verify_held(odo_proof *proof)
{
	const odo_fabric *f = proof->f;
	for (uint32_t s = 0; s < proof->n; s++) {
		unsigned any = 0;
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			if (!odo_verify_follows(proof, lid) ||
			    proof->part[f->lid_switch[lid]] != proof->part[s])
				continue;
			unsigned held = odo_held_sls(proof->t, s, lid);
			any |= held;
			for (; held; held &= held - 1)
				walk_held_path(proof, s, lid, (unsigned)__builtin_ctz(held));
		}
		check_injection(proof, s, any);
	}
}

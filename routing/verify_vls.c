/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* VLs as the switches choose them, laid out for the loops of verify_follow.c. */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/verify_internal.h"

/* Start of the VLs of (switch, input), and of the first input with the same maps. */
static void share_maps(const odo_proof *p, uint32_t *start, uint32_t *plane)
{
	const odo_fabric *f = p->f;
	uint32_t at = 0;
	for (uint32_t s = 0; s < p->n; s++) {
		unsigned ports = odo_n_ports(f, s);
		for (unsigned in = 1; in <= ports; in++) {
			const uint16_t *maps = odo_sl2vl_entry(p->t, s, in, 0);
			unsigned same = 1;
			while (same < in && memcmp(maps, odo_sl2vl_entry(p->t, s, same, 0),
						   (ports + 1) * sizeof *maps))
				same++;
			start[odo_slot(f, s, in)] = same < in ? start[odo_slot(f, s, same)] : at;
			at += same < in ? 0 : ports + 1;
		}
	}
	*plane = at;
}

static void fill_planes(odo_proof *p, const uint32_t *start)
{
	const odo_fabric *f = p->f;
	for (uint32_t i = 0; i < f->first_slot[p->n]; i++) {
		uint32_t s = f->owner[i];
		const uint16_t *maps = odo_sl2vl_entry(p->t, s, odo_port(f, i), 0);
		for (unsigned sl = 0; sl < p->t->n_sls; sl++)
			for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
				p->vls[sl * p->plane + start[i] + out] = p->t->rows[maps[out]]
										 .vl[sl];
	}
}

static int prepare_hops(odo_proof *p)
{
	const odo_fabric *f = p->f;
	uint32_t n_slots = f->first_slot[f->n_switches], plane = 0;
	uint32_t *start = odo_new(n_slots, sizeof *start);
	p->hops = odo_new(n_slots, sizeof *p->hops);
	if (start) {
		share_maps(p, start, &plane);
		p->plane = plane;
		p->vls = odo_new(p->plane * p->t->n_sls, 1);
	}
	if (!start || !p->hops || !p->vls) {
		free(start);
		return ODO_ENOMEM;
	}
	fill_planes(p, start);
	for (uint32_t i = 0; i < n_slots; i++) {
		p->hops[i].to = odo_next_switch(f, i);
		if (p->hops[i].to != ODO_NONE)
			p->hops[i].vl_at = start[f->peer[i]];
	}
	free(start);
	return 0;
}

/* VLs on which what a switch and its hosts send leaves by each port. */
static int prepare_from_host(odo_proof *p)
{
	const odo_fabric *f = p->f;
	unsigned n_sls = p->t->n_sls;
	p->from_host = odo_new((size_t)f->first_slot[f->n_switches] * n_sls, sizeof *p->from_host);
	if (!p->from_host)
		return ODO_ENOMEM;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		unsigned ports = odo_n_ports(f, s);
		for (unsigned in = 0; in <= ports; in++) {
			if (in && f->slot_host[odo_slot(f, s, in)] == ODO_NONE)
				continue;
			for (unsigned out = 1; out <= ports; out++)
				for (unsigned sl = 0; sl < n_sls; sl++)
					p->from_host[(size_t)odo_slot(f, s, out) * n_sls + sl] |=
						(uint16_t)(1u << odo_vl(p->t, s, in, out, sl));
		}
	}
	return 0;
}

int odo_verify_prepare_vls(odo_proof *p)
{
	return prepare_hops(p) || prepare_from_host(p) ? ODO_ENOMEM : 0;
}

void odo_verify_vl(odo_proof *p, uint32_t slot, unsigned vl, uint32_t lid)
{
	const odo_fabric *f = p->f;
	const char *name = odo_name(f, f->owner[slot]);
	if (vl < p->t->n_vls && vl < f->n_vls[slot])
		return;
	if (vl == ODO_VL_DROP) {
		p->verdict->delivers = false;
		odo_verdict_fail(p->verdict,
				 "port %u of \"%s\" drops LID %u: its SL has no VL there",
				 odo_port(f, slot), name, lid);
		return;
	}
	p->verdict->within_vls = false;
	odo_verdict_fail(
		p->verdict,
		"LID %u needs VL %u at port %u of \"%s\", which has %u; the tables name %u", lid,
		vl, odo_port(f, slot), name, f->n_vls[slot], p->t->n_vls);
}

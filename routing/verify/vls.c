/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* VLs as the switches choose them, in the format that the loops of follow.c need. */
#include <string.h>

#include "routing/verify/internal.h"

/* Find the index of the VLs of (switch, input), which is that of the first input with the same
 * maps. */
static void share_maps(const odo_proof *proof, uint32_t *start, uint32_t *plane)
{
	const odo_fabric *f = proof->f;
	uint32_t at = 0;
	for (uint32_t s = 0; s < proof->n; s++) {
		unsigned ports = odo_n_ports(f, s);
		for (unsigned in = 1; in <= ports; in++) {
			const uint16_t *maps = odo_sl2vl_entry(proof->t, s, in, 0);
			unsigned same = 1;
			while (same < in && memcmp(maps, odo_sl2vl_entry(proof->t, s, same, 0),
						   (ports + 1) * sizeof *maps))
				same++;
			start[odo_slot(f, s, in)] = same < in ? start[odo_slot(f, s, same)] : at;
			at += same < in ? 0 : ports + 1;
		}
	}
	*plane = at;
}

static void fill_planes(odo_proof *proof, const uint32_t *start)
{
	const odo_fabric *f = proof->f;
	for (uint32_t i = 0; i < f->first_slot[proof->n]; i++) {
		uint32_t s = f->owner[i];
		const uint16_t *maps = odo_sl2vl_entry(proof->t, s, odo_port(f, i), 0);
		if (i > f->first_slot[s] && start[i] <= start[i - 1])
			continue; /* an earlier input has filled them */
		for (unsigned sl = 0; sl < proof->t->n_sls; sl++)
			for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
				proof->vls[sl * proof->plane + start[i] + out] =
					proof->t->rows[maps[out]].vl[sl];
	}
}

static void prepare_planes(odo_proof *proof)
{
	const odo_fabric *f = proof->f;
	odo_arena *memory = &proof->memory;
	uint32_t n_slots = f->first_slot[f->n_switches], plane = 0;
	uint32_t *start = odo_arena_new(memory, n_slots, sizeof *start);
	proof->next = odo_arena_new(memory, n_slots, sizeof *proof->next);
	proof->vl_at = odo_arena_new(memory, n_slots, sizeof *proof->vl_at);
	if (start)
		share_maps(proof, start, &plane);
	proof->plane = plane;
	proof->vls = odo_arena_new(memory, proof->plane * proof->t->n_sls, 1);
	if (memory->failed)
		return;
	fill_planes(proof, start);
	for (uint32_t i = 0; i < n_slots; i++) {
		proof->next[i] = odo_next_switch(f, i);
		if (proof->next[i] != ODO_NONE)
			proof->vl_at[i] = start[f->peer[i]];
	}
}

/* Add VLs of packets that come into switch s by a port with these maps. */
static void add_input(odo_proof *proof, uint32_t s, const uint16_t *maps)
{
	unsigned n_sls = proof->t->n_sls;
	for (unsigned out = 1; out <= odo_n_ports(proof->f, s); out++)
		for (unsigned sl = 0; sl < n_sls; sl++)
			proof->from_host[(size_t)odo_slot(proof->f, s, out) * n_sls + sl] |=
				(uint16_t)(1u << proof->t->rows[maps[out]].vl[sl]);
}

/* Find the VLs on which packets of a switch and its hosts leave by each port. */
static void prepare_from_host(odo_proof *proof)
{
	const odo_fabric *f = proof->f;
	unsigned n_sls = proof->t->n_sls;
	proof->from_host = odo_arena_new(&proof->memory,
					 (size_t)f->first_slot[f->n_switches] * n_sls,
					 sizeof *proof->from_host);
	for (uint32_t s = 0; !proof->memory.failed && s < f->n_switches; s++) {
		unsigned ports = odo_n_ports(f, s);
		const uint16_t *last = NULL; /* hosts mostly have equal maps */
		for (unsigned in = 0; in <= ports; in++) {
			const uint16_t *maps = odo_sl2vl_entry(proof->t, s, in, 0);
			if ((in && f->slot_host[odo_slot(f, s, in)] == ODO_NONE) ||
			    (last && !memcmp(maps, last, (ports + 1) * sizeof *maps)))
				continue;
			last = maps;
			add_input(proof, s, maps);
		}
	}
}

/* Return the VLs that a cable's packets of an SL may use, from any input. */
static unsigned find_any_vls(const odo_proof *proof, uint32_t slot, unsigned sl)
{
	const odo_fabric *f = proof->f;
	uint32_t s = f->owner[slot];
	unsigned vls = proof->from_host[(size_t)slot * proof->t->n_sls + sl];
	uint32_t seen = ODO_NONE; /* inputs with equal maps mostly follow one another */
	for (uint32_t in = f->first_slot[s]; in < f->first_slot[s + 1]; in++) {
		if (proof->next[in] == ODO_NONE || proof->vl_at[f->peer[in]] == seen)
			continue;
		seen = proof->vl_at[f->peer[in]];
		vls |= 1u << proof->vls[sl * proof->plane + seen + odo_port(f, slot)];
	}
	return vls;
}

/* Find out which maps depend on less than they could: packets of an SL stay on one VL everywhere,
 * or the VL depends on the output, not on the input. */
static void find_vls_by_output(odo_proof *proof)
{
	const odo_fabric *f = proof->f;
	unsigned n_sls = proof->t->n_sls;
	proof->vls_exist = true;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		for (unsigned sl = 0; proof->next[i] != ODO_NONE && sl < n_sls; sl++) {
			unsigned vls = find_any_vls(proof, i, sl);
			proof->vls_exist &= !(vls & ~odo_verify_vls(proof, i));
			proof->by_input |= (vls & (vls - 1)) != 0;
			proof->vl_on[(size_t)i * n_sls + sl] = (uint8_t)__builtin_ctz(vls);
		}
	}
}

static void prepare_outputs(odo_proof *proof)
{
	const odo_fabric *f = proof->f;
	size_t n_slots = f->first_slot[f->n_switches];
	proof->vl_on = odo_arena_new(&proof->memory, n_slots * proof->t->n_sls,
				     sizeof *proof->vl_on);
	if (proof->memory.failed)
		return;
	find_vls_by_output(proof);
	if (proof->by_input || !proof->vls_exist)
		return;
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (odo_n_ports(f, s) > proof->most_ports)
			proof->most_ports = odo_n_ports(f, s);
	proof->passed_size = n_slots * proof->most_ports;
	proof->passed = odo_arena_new(&proof->memory, proof->passed_size,
				      proof->t->n_sls > 8 ? 2 : 1);
}

void odo_verify_prepare_vls(odo_proof *proof)
{
	prepare_planes(proof);
	prepare_from_host(proof);
	prepare_outputs(proof);
}

static void add_unserved(odo_proof *proof, uint32_t slot, unsigned vl, uint32_t lid)
{
	const odo_fabric *f = proof->f;
	proof->unserved[slot] |= (uint16_t)(1u << vl);
	odo_verdict_fail(
		proof->verdict,
		"LID %u needs VL %u at port %u of \"%s\", to which VL arbitration gives no "
		"weight: its packets never leave",
		lid, vl, odo_port(f, slot), odo_name(f, f->owner[slot]));
}

void odo_verify_vl(odo_proof *proof, uint32_t slot, unsigned vl, uint32_t lid)
{
	const odo_fabric *f = proof->f;
	const char *name = odo_name(f, f->owner[slot]);
	if (odo_verify_vls(proof, slot) >> vl & 1)
		return;
	if (vl < odo_verify_n_vls(proof, slot)) {
		add_unserved(proof, slot, vl, lid);
		return;
	}
	if (vl == ODO_VL_DROP) {
		proof->verdict->delivers = false;
		odo_verdict_fail(proof->verdict,
				 "port %u of \"%s\" drops LID %u: its SL has no VL there",
				 odo_port(f, slot), name, lid);
		return;
	}
	proof->verdict->within_vls = false;
	odo_verdict_fail(
		proof->verdict,
		"LID %u needs VL %u at port %u of \"%s\", which has %u; the tables name %u", lid,
		vl, odo_port(f, slot), name, f->n_vls[slot], proof->t->n_vls);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Factors that take more than one hop. Packets go round a cycle the shorter way, along a path the
 * only way, and through a Slim Fly over a common neighbour. The cables of other switches are looked
 * up once per fabric, so that no way with a gap further on is taken.
 *
 * Paper 004, section 3.6, finds the common neighbour from the field equations (1) and (2), which
 * define the cables. This file reads the cables themselves. Cables give the same neighbours, and
 * the remaining ones if cables are missing.
 */
#include <string.h>

#include "base/bits.h"
#include "routing/graph/deal.h"
#include "routing/minimal/hops.h"

static size_t count_mask_words(const odo_hops *hops)
{
	return odo_bit_words(hops->c->size[0]);
}

static int look_at_slimfly(odo_hops *hops)
{
	size_t words = count_mask_words(hops);
	hops->adjacent = odo_arena_new(&hops->memory, words * hops->n, sizeof *hops->adjacent);
	if (!hops->adjacent)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < hops->f->first_slot[hops->n]; i++) {
		uint32_t s = hops->f->owner[i], t = odo_next_switch(hops->f, i);
		if (t == ODO_NONE || hops->c->port_class[i] != 0 ||
		    !odo_hops_is_sound(hops, s, t, 0))
			continue;
		odo_set_bit(hops->adjacent + words * s, hops->value[t]);
	}
	return 0;
}

static uint32_t *ring_entry(const odo_hops *hops, uint32_t s, unsigned dim, unsigned back)
{
	return &hops->ring[((size_t)s * hops->c->n_dims + dim) * 2 + back];
}

/* A path is a cycle with a gap. */
static bool is_walked(const odo_coordinates *c, unsigned dim)
{
	return c->factor[dim] == ODO_CYCLE || c->factor[dim] == ODO_PATH;
}

static int look_at_cycles(odo_hops *hops)
{
	const odo_coordinates *c = hops->c;
	size_t n = (size_t)hops->n * c->n_dims * 2;
	hops->ring = odo_arena_new(&hops->memory, n, sizeof *hops->ring);
	if (!hops->ring)
		return ODO_ENOMEM;
	memset(hops->ring, 0xFF, n * sizeof *hops->ring);
	for (uint32_t i = 0; i < hops->f->first_slot[hops->n]; i++) {
		uint32_t s = hops->f->owner[i], t = odo_next_switch(hops->f, i);
		unsigned dim = c->port_class[i];
		if (t == ODO_NONE || dim >= c->n_dims || !is_walked(c, dim) ||
		    !odo_hops_is_sound(hops, s, t, dim))
			continue;
		uint32_t size = c->size[dim];
		uint32_t from = hops->value[(size_t)dim * hops->n + s];
		uint32_t to = hops->value[(size_t)dim * hops->n + t];
		if (to == (from + 1) % size)
			*ring_entry(hops, s, dim, 0) = t;
		if (from == (to + 1) % size)
			*ring_entry(hops, s, dim, 1) = t;
	}
	return 0;
}

/* Find phase shifts. Under uniform traffic, a switch forwards less traffic to farther destinations
 * than to near ones. Each distance is assigned to the cables with the least load so far. */
static void find_turns(odo_hops *hops, unsigned dim)
{
	uint32_t load[ODO_MAX_PORTS] = {0}, size = hops->c->size[dim];
	uint32_t width = hops->c->width[dim] ? hops->c->width[dim] : 1;
	for (uint32_t steps = 1; steps <= size / 2; steps++) {
		uint32_t best = 0, least = UINT32_MAX;
		for (uint32_t turn = 0; turn < width; turn++) {
			uint32_t sum = 0;
			for (uint32_t k = 0; k < hops->n_trees; k++)
				sum += load[(turn + k) % width];
			if (sum < least) {
				least = sum;
				best = turn;
			}
		}
		for (uint32_t k = 0; k < hops->n_trees; k++)
			load[(best + k) % width] += size + 1 - 2 * steps;
		hops->turn[hops->base[dim] + steps] = (uint8_t)best;
	}
}

int odo_hops_look_far(odo_hops *hops, odo_error *err)
{
	const odo_coordinates *c = hops->c;
	int status = 0;
	if (c->n_dims && c->factor[0] == ODO_MMS)
		status = look_at_slimfly(hops);
	for (unsigned i = 0; i < c->n_dims && !status && !hops->ring; i++)
		if (is_walked(c, i))
			status = look_at_cycles(hops);
	if (!status && hops->ring && hops->in_turn) {
		hops->turn = odo_arena_new(&hops->memory, hops->base[c->n_dims], 1);
		status = hops->turn ? 0 : ODO_ENOMEM;
	}
	for (unsigned i = 0; i < c->n_dims && !status && hops->turn; i++)
		if (is_walked(c, i))
			find_turns(hops, i);
	return status ? odo_fail(err, status, "no memory for coordinates") : 0;
}

static uint8_t *ports_of_hop(const odo_hops *hops, unsigned dim, uint32_t value)
{
	return hops->port + ((size_t)hops->base[dim] + value) * hops->n_phases;
}

/* Return the number of steps that are possible from s in one direction, at most size - 1. */
static uint32_t count_ring_steps(const odo_hops *hops, uint32_t s, unsigned dim, unsigned back)
{
	uint32_t steps = 0;
	for (uint32_t at = s; steps < hops->c->size[dim] - 1; steps++) {
		at = *ring_entry(hops, at, dim, back);
		if (at == ODO_NONE)
			break;
	}
	return steps;
}

/* Return the phase of the next switch that serves a phase of a destination `steps` away. */
static unsigned turned_phase(const odo_hops *hops, unsigned dim, uint32_t value, uint32_t steps,
			     unsigned phase)
{
	if (!hops->turn)
		return phase;
	/* subtract the start that destinations later in this dimension add */
	unsigned start = hops->n_trees * value % hops->n_phases;
	return (phase + hops->turn[hops->base[dim] + steps] + hops->n_phases - start) %
	       hops->n_phases;
}

/* Choose the shorter direction that has no gap. At half the cycle, phases and places alternate. */
static void extend_cycle(odo_hops *hops, uint32_t s, unsigned dim)
{
	uint32_t size = hops->c->size[dim], own = hops->value[(size_t)dim * hops->n + s];
	uint32_t ahead = count_ring_steps(hops, s, dim, 0),
		 behind = count_ring_steps(hops, s, dim, 1);
	uint8_t forth[ODO_HOPS_PHASES], back[ODO_HOPS_PHASES];
	memcpy(forth, ports_of_hop(hops, dim, (own + 1) % size), hops->n_phases);
	memcpy(back, ports_of_hop(hops, dim, (own + size - 1) % size), hops->n_phases);
	for (uint32_t up = 1; up < size; up++) {
		uint32_t down = size - up;
		uint8_t *to = ports_of_hop(hops, dim, (own + up) % size);
		for (unsigned phase = 0; phase < hops->n_phases; phase++) {
			bool forwards = up < down || (up == down && (own + phase) % 2 == 0);
			if (forwards && up > ahead)
				forwards = false;
			else if (!forwards && down > behind)
				forwards = true;
			uint32_t value = (own + up) % size, steps = forwards ? up : down;
			unsigned at = turned_phase(hops, dim, value, steps, phase);
			to[phase] = (forwards ? up > ahead : down > behind) ? ODO_NO_PORT
				    : forwards                              ? forth[at]
									    : back[at];
		}
	}
}

/* Give each value a name that does not depend on labels: the switch with this value in the Slim Fly
 * of s. */
static void name_values(const odo_hops *hops, uint32_t s, uint32_t *name)
{
	for (uint32_t v = 0; v < hops->c->size[0]; v++)
		name[v] = v;
	for (uint32_t d = 0; d < hops->n; d++)
		if (odo_hops_is_sound(hops, s, d, 0))
			name[hops->value[d]] = odo_node_hash(hops->f, d);
}

/* Assign values to which s has no cable to neighbours that have one. */
static void extend_slimfly(odo_hops *hops, uint32_t s)
{
	size_t words = count_mask_words(hops);
	const uint64_t *own = hops->adjacent + words * s;
	uint32_t id[ODO_MAX_PORTS], middle[ODO_MAX_PORTS], pick[ODO_MAX_PHASES];
	uint32_t n_near = 0, near[ODO_MAX_PORTS], *name = hops->count;
	name_values(hops, s, name);
	for (uint32_t i = hops->f->first_slot[s]; i < hops->f->first_slot[s + 1]; i++) {
		uint32_t t = odo_next_switch(hops->f, i);
		bool seen = t == ODO_NONE || hops->c->port_class[i] != 0 ||
			    !odo_hops_is_sound(hops, s, t, 0);
		for (uint32_t j = 0; j < n_near && !seen; j++)
			seen = near[j] == t;
		if (!seen)
			near[n_near++] = t;
	}
	for (uint32_t v = 0; v < hops->c->size[0]; v++) {
		uint32_t n = 0;
		if (v == hops->value[s] || odo_has_bit(own, v))
			continue;
		for (uint32_t j = 0; j < n_near; j++) {
			if (!odo_has_bit(hops->adjacent + words * near[j], v))
				continue;
			id[n] = odo_mix(odo_node_hash(hops->f, near[j]) + name[v]);
			middle[n++] = hops->value[near[j]];
		}
		odo_deal(id, n, hops->n_phases, pick);
		for (unsigned phase = 0; n && phase < hops->n_phases; phase++)
			ports_of_hop(hops, 0, v)[phase] = ports_of_hop(hops, 0,
								       middle[pick[phase]])[phase];
	}
}

void odo_hops_extend(odo_hops *hops, uint32_t s)
{
	if (hops->adjacent)
		extend_slimfly(hops, s);
	for (unsigned i = 0; hops->ring && i < hops->c->n_dims; i++)
		if (is_walked(hops->c, i))
			extend_cycle(hops, s, i);
}

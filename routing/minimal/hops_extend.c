/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Factors that take more than one hop: a cycle is walked the shorter way round, a Slim Fly
 * crossed over a common neighbour. What the far cables do is looked up once per fabric, so
 * that a way with a gap further on is not taken.
 *
 * Paper 004, section 3.6, finds the common neighbour from the field equations (1) and (2).
 * They say which cables there are; we read the cables, which gives the same neighbours, and
 * all that are left where some are missing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "routing/graph/deal.h"
#include "routing/minimal/hops.h"

static size_t n_words(const odo_hops *g)
{
	return odo_bit_words(g->c->size[0]);
}

static int look_at_slimfly(odo_hops *g)
{
	size_t words = n_words(g);
	g->adjacent = odo_new(words * g->n, sizeof *g->adjacent);
	if (!g->adjacent)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < g->f->first_slot[g->n]; i++) {
		uint32_t s = g->f->owner[i], t = odo_next_switch(g->f, i);
		if (t == ODO_NONE || g->c->port_class[i] != 0 || !odo_hops_is_sound(g, s, t, 0))
			continue;
		odo_set_bit(g->adjacent + words * s, g->value[t]);
	}
	return 0;
}

static uint32_t *ring_entry(const odo_hops *g, uint32_t s, unsigned dim, unsigned back)
{
	return &g->ring[((size_t)s * g->c->n_dims + dim) * 2 + back];
}

static int look_at_cycles(odo_hops *g)
{
	const odo_coordinates *c = g->c;
	size_t n = (size_t)g->n * c->n_dims * 2;
	g->ring = odo_new(n, sizeof *g->ring);
	if (!g->ring)
		return ODO_ENOMEM;
	memset(g->ring, 0xFF, n * sizeof *g->ring);
	for (uint32_t i = 0; i < g->f->first_slot[g->n]; i++) {
		uint32_t s = g->f->owner[i], t = odo_next_switch(g->f, i);
		unsigned dim = c->port_class[i];
		if (t == ODO_NONE || dim >= c->n_dims || c->factor[dim] != ODO_CYCLE ||
		    !odo_hops_is_sound(g, s, t, dim))
			continue;
		uint32_t size = c->size[dim];
		uint32_t from = g->value[(size_t)dim * g->n + s];
		uint32_t to = g->value[(size_t)dim * g->n + t];
		if (to == (from + 1) % size)
			*ring_entry(g, s, dim, 0) = t;
		if (from == (to + 1) % size)
			*ring_entry(g, s, dim, 1) = t;
	}
	return 0;
}

int odo_hops_look_far(odo_hops *g, odo_error *err)
{
	const odo_coordinates *c = g->c;
	int status = 0;
	if (c->n_dims && c->factor[0] == ODO_MMS)
		status = look_at_slimfly(g);
	for (unsigned i = 0; i < c->n_dims && !status && !g->ring; i++)
		if (c->factor[i] == ODO_CYCLE)
			status = look_at_cycles(g);
	return status ? odo_fail(err, status, "no memory for coordinates") : 0;
}

static uint8_t *hop(const odo_hops *g, unsigned dim, uint32_t value)
{
	return g->port + ((size_t)g->base[dim] + value) * g->n_phases;
}

/* How many steps can be taken from s one way round, size - 1 at most. */
static uint32_t reach(const odo_hops *g, uint32_t s, unsigned dim, unsigned back)
{
	uint32_t steps = 0;
	for (uint32_t at = s; steps < g->c->size[dim] - 1; steps++) {
		at = *ring_entry(g, at, dim, back);
		if (at == ODO_NONE)
			break;
	}
	return steps;
}

/* The shorter way round that has no gap; halfway, phases and places take turns. */
static void extend_cycle(odo_hops *g, uint32_t s, unsigned dim)
{
	uint32_t size = g->c->size[dim], own = g->value[(size_t)dim * g->n + s];
	uint32_t ahead = reach(g, s, dim, 0), behind = reach(g, s, dim, 1);
	uint8_t forth[ODO_MAX_PHASES], back[ODO_MAX_PHASES];
	memcpy(forth, hop(g, dim, (own + 1) % size), g->n_phases);
	memcpy(back, hop(g, dim, (own + size - 1) % size), g->n_phases);
	for (uint32_t up = 1; up < size; up++) {
		uint32_t down = size - up;
		uint8_t *to = hop(g, dim, (own + up) % size);
		for (unsigned phase = 0; phase < g->n_phases; phase++) {
			bool forwards = up < down || (up == down && (own + phase) % 2 == 0);
			if (forwards && up > ahead)
				forwards = false;
			else if (!forwards && down > behind)
				forwards = true;
			to[phase] = (forwards ? up > ahead : down > behind) ? ODO_NO_PORT
				    : forwards                              ? forth[phase]
									    : back[phase];
		}
	}
}

/* Values to which s has no cable: dealt out among the neighbours that have one. */
static void extend_slimfly(odo_hops *g, uint32_t s)
{
	size_t words = n_words(g);
	const uint64_t *own = g->adjacent + words * s;
	uint32_t id[ODO_MAX_PORTS], middle[ODO_MAX_PORTS], pick[ODO_MAX_PHASES];
	uint32_t n_near = 0, near[ODO_MAX_PORTS];
	for (uint32_t i = g->f->first_slot[s]; i < g->f->first_slot[s + 1]; i++) {
		uint32_t t = odo_next_switch(g->f, i);
		bool seen = t == ODO_NONE || g->c->port_class[i] != 0 ||
			    !odo_hops_is_sound(g, s, t, 0);
		for (uint32_t j = 0; j < n_near && !seen; j++)
			seen = near[j] == t;
		if (!seen)
			near[n_near++] = t;
	}
	for (uint32_t v = 0; v < g->c->size[0]; v++) {
		uint32_t n = 0;
		if (v == g->value[s] || odo_has_bit(own, v))
			continue;
		for (uint32_t j = 0; j < n_near; j++) {
			if (!odo_has_bit(g->adjacent + words * near[j], v))
				continue;
			id[n] = odo_mix(odo_node_hash(g->f, near[j]) + v);
			middle[n++] = g->value[near[j]];
		}
		odo_deal(id, n, g->n_phases, pick);
		for (unsigned phase = 0; n && phase < g->n_phases; phase++)
			hop(g, 0, v)[phase] = hop(g, 0, middle[pick[phase]])[phase];
	}
}

void odo_hops_extend(odo_hops *g, uint32_t s)
{
	if (g->adjacent)
		extend_slimfly(g, s);
	for (unsigned i = 0; g->ring && i < g->c->n_dims; i++)
		if (g->c->factor[i] == ODO_CYCLE)
			extend_cycle(g, s, i);
}

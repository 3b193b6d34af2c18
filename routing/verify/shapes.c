/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the packets of a column go, measured once for all columns of a block that agree in it.
 *
 * LIDs of one switch mostly differ in which of parallel cables their packets take, or in the few
 * ways that its trees have. So a column is resolved into the switches that follow one another, an
 * entry at a time, and compared with those of its switch measured before. What it passes from
 * cable to cable is marked entry by entry in any case, for all columns of the block a few switches
 * at a time, whose marks then stay in the nearest cache.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/verify/internal.h"

/* Switches whose marks fit the first cache: 36 ports by 36, a byte each. */
#define MARKED_TOGETHER 32u

int odo_verify_prepare_shapes(odo_proof *p)
{
	size_t n = p->n;
	for (unsigned i = 0; i <= ODO_COLUMNS; i++) {
		odo_verify_shape *x = &p->shapes[i];
		x->to = odo_new(n, sizeof *x->to);
		x->order = odo_new(n, sizeof *x->order);
		x->set = odo_new(n, sizeof *x->set);
		x->depth = odo_new(n, sizeof *x->depth);
		if (!x->to || !x->order || !x->set || !x->depth)
			return ODO_ENOMEM;
	}
	return 0;
}

void odo_verify_clear_shapes(odo_proof *p)
{
	for (unsigned i = 0; i <= ODO_COLUMNS; i++) {
		free(p->shapes[i].to);
		free(p->shapes[i].order);
		free(p->shapes[i].set);
		free(p->shapes[i].depth);
	}
}

static void resolve(const odo_proof *p, const uint8_t *column, uint32_t *to)
{
	const uint32_t *first = p->f->first_slot;
	for (uint32_t s = 0; s < p->n; s++) {
		unsigned port = column[s];
		bool exists = port - 1u < first[s + 1] - first[s]; /* not 0, none, out of range */
		to[s] = exists ? p->next[first[s] + port - 1] : ODO_NONE;
	}
}

static void loop(odo_proof *p, uint32_t s, uint32_t lid)
{
	p->verdict->delivers = false;
	odo_verdict_fail(p->verdict,
			 "LID %u goes round in a loop through switch \"%s\" (GUID 0x%016llx)", lid,
			 odo_name(p->f, s), (unsigned long long)p->f->node_guid[s]);
}

enum { UNKNOWN = 0xFFFF, ON_PATH = 0xFFFE, LOST = 0xFFFD };

/* Depths have 16 bits, which is a thousand times what packets live to see. */
static void too_long(odo_proof *p, uint32_t s, uint32_t lid)
{
	p->verdict->delivers = false;
	odo_verdict_fail(p->verdict, "LID %u is more than %u links from switch \"%s\"", lid,
			 LOST - 1u, odo_name(p->f, s));
}

/* Depth of every switch below the LID's, walking each path until it meets a known one. */
static void measure_from(odo_proof *p, odo_verify_shape *x, const uint8_t *column, uint32_t lid,
			 uint32_t s)
{
	uint32_t n_path = 0, at = s;
	while (at != ODO_NONE && x->depth[at] == UNKNOWN) {
		x->depth[at] = ON_PATH;
		p->stack[n_path++] = at;
		at = x->to[at];
	}
	unsigned depth = at == ODO_NONE ? LOST : x->depth[at];
	if (depth == ON_PATH)
		loop(p, at, lid);
	else if (at == ODO_NONE)
		odo_verify_dead_end(p, p->stack[n_path - 1], lid, column[p->stack[n_path - 1]]);
	if (depth < LOST && depth + n_path >= LOST) {
		too_long(p, s, lid);
		depth = LOST;
	}
	x->complete &= depth < LOST;
	if (depth >= LOST) {
		while (n_path)
			x->depth[p->stack[--n_path]] = LOST;
		return;
	}
	while (n_path) {
		x->order[x->n_order++] = p->stack[--n_path];
		x->depth[p->stack[n_path]] = (uint16_t)++depth;
	}
	if (depth > p->most_hops)
		p->most_hops = depth;
}

/* The walks' order holds for this shape alone; by depth it holds for all that are as deep. */
static void sort(odo_proof *p, odo_verify_shape *x)
{
	uint32_t at = 0, deepest = 0;
	for (uint32_t i = 0; i < x->n_order; i++) {
		uint32_t depth = x->depth[x->order[i]];
		p->n_deep[depth]++;
		deepest = depth > deepest ? depth : deepest;
	}
	for (uint32_t depth = 0; depth <= deepest; depth++) {
		uint32_t n = p->n_deep[depth];
		p->n_deep[depth] = at;
		at += n;
	}
	memcpy(p->stack, x->order, x->n_order * sizeof *x->order);
	for (uint32_t i = 0; i < x->n_order; i++)
		x->order[p->n_deep[x->depth[p->stack[i]]]++] = p->stack[i];
	memset(p->n_deep, 0, (deepest + 1ul) * sizeof *p->n_deep);
	x->sorted = true;
}

static void measure(odo_proof *p, odo_verify_shape *x, const uint8_t *column, uint32_t lid)
{
	memset(x->depth, 0xFF, p->n * sizeof *x->depth);
	x->depth[x->home] = 0;
	x->complete = true;
	x->sorted = false;
	x->n_order = 0;
	for (uint32_t s = 0; s < p->n; s++) {
		if (p->part[s] != p->part[x->home])
			x->depth[s] = LOST;
		else if (x->depth[s] == UNKNOWN && !odo_verify_is_missing(p, column[s]))
			measure_from(p, x, column, lid, s);
	}
	for (uint32_t s = 0; p->t->carried && s < p->n; s++) {
		if (x->depth[s] != UNKNOWN) /* else missing, and nobody sends it anything */
			continue;
		x->depth[s] = LOST;
		x->complete = false;
	}
	x->levels = x;
}

/* Ways that a switch chooses among are mostly equally long. Where every hop leads one nearer by
 * the depths measured for another shape all arrive, and at these depths. */
static bool is_as_deep(const odo_proof *p, const odo_verify_shape *x, const odo_verify_shape *known)
{
	bool same = known->home == x->home && known->complete;
	for (uint32_t s = 0; same && s < p->n; s++) {
		uint32_t to = x->to[s];
		unsigned depth = known->depth[s];
		same = to == ODO_NONE ? depth == LOST || !depth : known->depth[to] + 1u == depth;
	}
	return same;
}

static void find_levels(odo_proof *p, odo_verify_shape *x, const uint8_t *column, uint32_t lid)
{
	for (unsigned i = 0; i < p->n_shapes; i++) {
		odo_verify_shape *known = &p->shapes[i];
		if (known->levels != known || !is_as_deep(p, x, known))
			continue;
		if (!known->sorted && (!p->passed || x->sls)) /* else nobody asks for the order */
			sort(p, known);
		x->levels = known;
		return;
	}
	measure(p, x, column, lid);
}

/* Nothing in another connected part may have an entry. */
static void check_cut(odo_proof *p, const uint8_t *column, uint32_t lid)
{
	uint32_t home = p->f->lid_switch[lid];
	for (uint32_t s = 0; p->n_parts > 1 && s < p->n; s++) {
		if (p->part[s] == p->part[home] || column[s] == ODO_NO_PORT)
			continue;
		p->verdict->delivers = false;
		odo_verdict_fail(p->verdict, "switch \"%s\" sends LID %u on, which no path reaches",
				 odo_name(p->f, s), lid);
	}
}

/* From the furthest switches inwards: what comes by passes on together. */
static void find_sets_of_pairs(odo_proof *p, odo_verify_shape *x)
{
	memset(x->set, 0, p->n * sizeof *x->set);
	memset(p->sls, 0, p->n * sizeof *p->sls);
	for (uint32_t i = x->levels->n_order; i-- > 0;) {
		uint32_t s = x->levels->order[i], to = x->to[s];
		unsigned set = p->sls[s] | 1u << x->sls[s];
		p->sls[to] |= (uint16_t)set;
		x->set[s] = (uint16_t)(to == x->home ? 0 : set);
	}
}

static void find_sets(odo_proof *p, odo_verify_shape *x)
{
	const uint16_t *depth = x->levels->depth;
	if (x->sls)
		find_sets_of_pairs(p, x);
	else
		for (uint32_t s = 0; s < p->n; s++)
			x->set[s] = (uint16_t)((depth[s] > 1 && depth[s] < LOST) << x->sl);
}

static bool are_alike(const odo_proof *p, const odo_verify_shape *a, const odo_verify_shape *b)
{
	return a->home == b->home && a->sl == b->sl &&
	       !memcmp(a->to, b->to, p->n * sizeof *a->to) &&
	       (!a->sls || !memcmp(a->sls, b->sls, p->n));
}

const odo_verify_shape *odo_verify_shape_of(odo_proof *p, unsigned k, const uint8_t *sls,
					    uint32_t lid)
{
	const uint8_t *column = p->block + k * p->stride;
	odo_verify_shape *x = &p->shapes[p->n_shapes];
	x->home = p->f->lid_switch[lid];
	x->sls = sls;
	x->sl = sls ? 0 : p->t->sl_of_lid[lid];
	resolve(p, column, x->to);
	x->to[x->home] = ODO_NONE; /* where it delivers */
	check_cut(p, column, lid);
	for (unsigned i = 0; i < p->n_shapes; i++)
		if (are_alike(p, &p->shapes[i], x))
			return p->shape_of[k] = &p->shapes[i];
	find_levels(p, x, column, lid);
	if (p->passed)
		find_sets(p, x);
	p->n_shapes++;
	return p->shape_of[k] = x;
}

/* Eight SLs of what column k passes on from some switches. */
static void mark(const odo_proof *p, unsigned k, uint32_t from, uint32_t end, unsigned half)
{
	const odo_verify_shape *x = p->shape_of[k];
	const uint8_t *column = p->block + k * p->stride;
	const uint32_t *first = p->f->first_slot;
	uint8_t *passed = p->passed + half * p->passed_size;
	for (uint32_t s = from; s < end; s++) {
		uint8_t set = (uint8_t)(x->set[s] >> 8 * half);
		size_t slot = first[s] + column[s] - 1u;
		if (set)
			passed[slot * p->most_ports + column[x->to[s]] - 1u] |= set;
	}
}

void odo_verify_end_shapes(odo_proof *p)
{
	unsigned halves = !p->passed ? 0 : p->t->n_sls > 8 ? 2 : 1;
	for (unsigned half = 0; half < halves; half++) {
		for (uint32_t s = 0; s < p->n; s += MARKED_TOGETHER) {
			uint32_t end = s + MARKED_TOGETHER < p->n ? s + MARKED_TOGETHER : p->n;
			for (unsigned k = 0; k < ODO_COLUMNS; k++)
				if (p->shape_of[k])
					mark(p, k, s, end, half);
		}
	}
	memset(p->shape_of, 0, sizeof p->shape_of);
	p->n_shapes = 0;
}

/* Packets of a set of SLs on a cable go on by a port of the switch at its end. */
static void depend_on_port(odo_proof *p, uint32_t slot, unsigned port, unsigned set)
{
	unsigned n_sls = p->t->n_sls;
	uint32_t on = odo_slot(p->f, p->next[slot], port);
	for (; set; set &= set - 1) {
		unsigned sl = (unsigned)__builtin_ctz(set);
		odo_depend(&p->deps, slot, p->vl_on[(size_t)slot * n_sls + sl], port,
			   p->vl_on[(size_t)on * n_sls + sl]);
	}
}

void odo_verify_passed(odo_proof *p)
{
	for (uint32_t slot = 0; p->passed && slot < p->f->first_slot[p->n]; slot++) {
		const uint8_t *set = p->passed + (size_t)slot * p->most_ports;
		for (unsigned i = 0; p->next[slot] != ODO_NONE && i < p->most_ports; i++) {
			unsigned above = p->t->n_sls > 8 ? set[p->passed_size + i] : 0;
			depend_on_port(p, slot, i + 1, set[i] | above << 8);
		}
	}
}

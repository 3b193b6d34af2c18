/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Paths of the packets of a column, measured once for all columns of a block with the same paths.
 *
 * LIDs of one switch mostly differ only in the choice of parallel cables, or in the few ways of the
 * switch's trees. So a column is converted into the sequence of switches, an entry at a time, and
 * compared with shapes of its switch measured before. Its hops from cable to cable are marked entry
 * by entry in any case. This is done for all columns of the block, a few switches at a time, whose
 * marks then stay in the nearest cache.
 */
#include <string.h>

#include "routing/verify/internal.h"

/* Number of switches whose marks fit the first cache: 36 ports by 36, a byte each. */
#define MARKED_TOGETHER 32u

void odo_verify_prepare_shapes(odo_proof *proof)
{
	size_t n = proof->n;
	for (unsigned i = 0; i <= ODO_COLUMNS; i++) {
		odo_verify_shape *x = &proof->shapes[i];
		x->to = odo_arena_new(&proof->memory, n, sizeof *x->to);
		x->order = odo_arena_new(&proof->memory, n, sizeof *x->order);
		x->set = odo_arena_new(&proof->memory, n, sizeof *x->set);
		x->depth = odo_arena_new(&proof->memory, n, sizeof *x->depth);
	}
}

static void resolve_column(const odo_proof *proof, const uint8_t *column, uint32_t *to)
{
	const uint32_t *first = proof->f->first_slot;
	for (uint32_t s = 0; s < proof->n; s++) {
		unsigned port = column[s];
		/* not 0, no port, or out of range */
		bool exists = port - 1u < first[s + 1] - first[s];
		to[s] = exists ? proof->next[first[s] + port - 1] : ODO_NONE;
	}
}

static void fail_on_loop(odo_proof *proof, uint32_t s, uint32_t lid)
{
	proof->verdict->delivers = false;
	proof->verdict->deadlock_free = false; /* packets in a loop wait for themselves */
	odo_verdict_fail(proof->verdict, "LID %u loops through switch \"%s\" (GUID 0x%016llx)", lid,
			 odo_name(proof->f, s), (unsigned long long)proof->f->node_guid[s]);
}

enum { UNKNOWN = 0xFFFF, ON_PATH = 0xFFFE, LOST = 0xFFFD };

/* Report a path that is too long. Depths have 16 bits, a thousand times the hops that packets
 * survive. */
static void fail_too_long(odo_proof *proof, uint32_t s, uint32_t lid)
{
	proof->verdict->delivers = false;
	odo_verdict_fail(proof->verdict, "LID %u is more than %u links from switch \"%s\"", lid,
			 LOST - 1u, odo_name(proof->f, s));
}

/* Compute the depth of every switch, by walking each path until it meets a known one. */
static void measure_from(odo_proof *proof, odo_verify_shape *x, const uint8_t *column, uint32_t lid,
			 uint32_t s)
{
	uint32_t n_path = 0, at = s;
	while (at != ODO_NONE && x->depth[at] == UNKNOWN) {
		x->depth[at] = ON_PATH;
		proof->stack[n_path++] = at;
		at = x->to[at];
	}
	unsigned depth = at == ODO_NONE ? LOST : x->depth[at];
	if (depth == ON_PATH)
		fail_on_loop(proof, at, lid);
	else if (at == ODO_NONE)
		odo_verify_dead_end(proof, proof->stack[n_path - 1], lid,
				    column[proof->stack[n_path - 1]]);
	if (depth < LOST && depth + n_path >= LOST) {
		fail_too_long(proof, s, lid);
		depth = LOST;
	}
	x->complete &= depth < LOST;
	if (depth >= LOST) {
		while (n_path)
			x->depth[proof->stack[--n_path]] = LOST;
		return;
	}
	while (n_path) {
		x->order[x->n_order++] = proof->stack[--n_path];
		x->depth[proof->stack[n_path]] = (uint16_t)++depth;
	}
	if (depth > proof->most_hops)
		proof->most_hops = depth;
}

/* Sort by depth. The order of the walks holds for this shape alone; an order by depth holds for all
 * shapes with the same depths. */
static void sort_shape(odo_proof *proof, odo_verify_shape *x)
{
	uint32_t at = 0, deepest = 0;
	for (uint32_t i = 0; i < x->n_order; i++) {
		uint32_t depth = x->depth[x->order[i]];
		proof->n_deep[depth]++;
		deepest = depth > deepest ? depth : deepest;
	}
	for (uint32_t depth = 0; depth <= deepest; depth++) {
		uint32_t n = proof->n_deep[depth];
		proof->n_deep[depth] = at;
		at += n;
	}
	memcpy(proof->stack, x->order, x->n_order * sizeof *x->order);
	for (uint32_t i = 0; i < x->n_order; i++)
		x->order[proof->n_deep[x->depth[proof->stack[i]]]++] = proof->stack[i];
	memset(proof->n_deep, 0, (deepest + 1ul) * sizeof *proof->n_deep);
	x->sorted = true;
}

static void measure_shape(odo_proof *proof, odo_verify_shape *x, const uint8_t *column,
			  uint32_t lid)
{
	memset(x->depth, 0xFF, proof->n * sizeof *x->depth);
	x->depth[x->home] = 0;
	x->complete = true;
	x->sorted = false;
	x->n_order = 0;
	for (uint32_t s = 0; s < proof->n; s++) {
		if (proof->part[s] != proof->part[x->home])
			x->depth[s] = LOST;
		else if (x->depth[s] == UNKNOWN && !odo_verify_is_missing(proof, column[s]))
			measure_from(proof, x, column, lid, s);
	}
	for (uint32_t s = 0; proof->t->from.carried && s < proof->n; s++) {
		if (x->depth[s] != UNKNOWN) /* others are missing, and no switch sends to them */
			continue;
		x->depth[s] = LOST;
		x->complete = false;
	}
	x->levels = x;
}

/* Return true if a shape has the depths of another. Alternative ways are mostly equally long. If
 * every hop leads one nearer by the depths of the known shape, all packets arrive, at these
 * depths. */
static bool is_as_deep(const odo_proof *proof, const odo_verify_shape *x,
		       const odo_verify_shape *known)
{
	bool same = known->home == x->home && known->complete;
	for (uint32_t s = 0; same && s < proof->n; s++) {
		uint32_t to = x->to[s];
		unsigned depth = known->depth[s];
		same = to == ODO_NONE ? depth == LOST || !depth : known->depth[to] + 1u == depth;
	}
	return same;
}

static void find_shape_levels(odo_proof *proof, odo_verify_shape *x, const uint8_t *column,
			      uint32_t lid)
{
	for (unsigned i = 0; i < proof->n_shapes; i++) {
		odo_verify_shape *known = &proof->shapes[i];
		if (known->levels != known || !is_as_deep(proof, x, known))
			continue;
		if (!known->sorted &&
		    (!proof->passed || x->sls)) /* else nobody asks for the order */
			sort_shape(proof, known);
		x->levels = known;
		return;
	}
	measure_shape(proof, x, column, lid);
}

/* Check that no switch in another connected part has an entry. */
static void check_cut(odo_proof *proof, const uint8_t *column, uint32_t lid)
{
	uint32_t home = proof->f->lid_switch[lid];
	for (uint32_t s = 0; proof->n_parts > 1 && s < proof->n; s++) {
		if (proof->part[s] == proof->part[home] || column[s] == ODO_NO_PORT)
			continue;
		proof->verdict->delivers = false;
		odo_verdict_fail(proof->verdict,
				 "switch \"%s\" sends LID %u on, which no path reaches",
				 odo_name(proof->f, s), lid);
	}
}

/* Compute sets from the farthest switches inwards: packets that meet are forwarded together. */
static void find_sets_of_pairs(odo_proof *proof, odo_verify_shape *x)
{
	memset(x->set, 0, proof->n * sizeof *x->set);
	memset(proof->sls, 0, proof->n * sizeof *proof->sls);
	for (uint32_t i = x->levels->n_order; i-- > 0;) {
		uint32_t s = x->levels->order[i], to = x->to[s];
		unsigned set = proof->sls[s] | 1u << x->sls[s];
		proof->sls[to] |= (uint16_t)set;
		x->set[s] = (uint16_t)(to == x->home ? 0 : set);
	}
}

static void find_sets(odo_proof *proof, odo_verify_shape *x)
{
	const uint16_t *depth = x->levels->depth;
	if (x->sls)
		find_sets_of_pairs(proof, x);
	else
		for (uint32_t s = 0; s < proof->n; s++)
			x->set[s] = (uint16_t)((depth[s] > 1 && depth[s] < LOST) << x->sl);
}

static bool are_shapes_alike(const odo_proof *proof, const odo_verify_shape *a,
			     const odo_verify_shape *b)
{
	return a->home == b->home && a->sl == b->sl &&
	       !memcmp(a->to, b->to, proof->n * sizeof *a->to) &&
	       (!a->sls || !memcmp(a->sls, b->sls, proof->n));
}

const odo_verify_shape *odo_verify_shape_of(odo_proof *proof, unsigned k, const uint8_t *sls,
					    uint32_t lid)
{
	const uint8_t *column = proof->block + k * proof->stride;
	odo_verify_shape *x = &proof->shapes[proof->n_shapes];
	x->home = proof->f->lid_switch[lid];
	x->sls = sls;
	x->sl = sls ? 0 : proof->t->sl_of_lid[lid];
	resolve_column(proof, column, x->to);
	x->to[x->home] = ODO_NONE; /* where it delivers */
	check_cut(proof, column, lid);
	for (unsigned i = 0; i < proof->n_shapes; i++)
		if (are_shapes_alike(proof, &proof->shapes[i], x))
			return proof->shape_of[k] = &proof->shapes[i];
	find_shape_levels(proof, x, column, lid);
	if (proof->passed)
		find_sets(proof, x);
	proof->n_shapes++;
	return proof->shape_of[k] = x;
}

/* Mark the hops of column k from some switches, for eight SLs. */
static void mark_hops(const odo_proof *proof, unsigned k, uint32_t from, uint32_t end,
		      unsigned half)
{
	const odo_verify_shape *x = proof->shape_of[k];
	const uint8_t *column = proof->block + k * proof->stride;
	const uint32_t *first = proof->f->first_slot;
	uint8_t *passed = proof->passed + half * proof->passed_size;
	for (uint32_t s = from; s < end; s++) {
		uint8_t set = (uint8_t)(x->set[s] >> 8 * half);
		size_t slot = first[s] + column[s] - 1u;
		if (set)
			passed[slot * proof->most_ports + column[x->to[s]] - 1u] |= set;
	}
}

void odo_verify_end_shapes(odo_proof *proof)
{
	unsigned halves = !proof->passed ? 0 : proof->t->n_sls > 8 ? 2 : 1;
	for (unsigned half = 0; half < halves; half++) {
		for (uint32_t s = 0; s < proof->n; s += MARKED_TOGETHER) {
			uint32_t end = s + MARKED_TOGETHER < proof->n ? s + MARKED_TOGETHER
								      : proof->n;
			for (unsigned k = 0; k < ODO_COLUMNS; k++)
				if (proof->shape_of[k])
					mark_hops(proof, k, s, end, half);
		}
	}
	memset(proof->shape_of, 0, sizeof proof->shape_of);
	proof->n_shapes = 0;
}

/* Add dependencies: packets of a set of SLs on a cable continue by a port of the switch at its
 * end. */
static void depend_on_port(odo_proof *proof, uint32_t slot, unsigned port, unsigned set)
{
	unsigned n_sls = proof->t->n_sls;
	uint32_t on = odo_slot(proof->f, proof->next[slot], port);
	for (; set; set &= set - 1) {
		unsigned sl = (unsigned)__builtin_ctz(set);
		odo_depend(&proof->deps, slot, proof->vl_on[(size_t)slot * n_sls + sl], port,
			   proof->vl_on[(size_t)on * n_sls + sl]);
	}
}

void odo_verify_passed(odo_proof *proof)
{
	for (uint32_t slot = 0; proof->passed && slot < proof->f->first_slot[proof->n]; slot++) {
		const uint8_t *set = proof->passed + (size_t)slot * proof->most_ports;
		for (unsigned i = 0; proof->next[slot] != ODO_NONE && i < proof->most_ports; i++) {
			unsigned above = proof->t->n_sls > 8 ? set[proof->passed_size + i] : 0;
			depend_on_port(proof, slot, i + 1, set[i] | above << 8);
		}
	}
}

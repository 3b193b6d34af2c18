/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A path may have any SL whose dependencies close no cycle with those of all others; the engine's
 * SL is only one of them. Three attempts:
 * 1. Insert the SLs already assigned. Usually they close no cycle; one sort of the channels proves
 *    it.
 * 2. Otherwise insert them destination by destination, and leave out those that close a cycle. A
 *    path without an SL then gets the engine's SL, or any other that closes none.
 * 3. If some path finds none, insert the engine's SLs first, and then the assigned ones that still
 *    close no cycle. This always works.
 */
#include "routing/reroute/hold.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/graph/walk.h"

/* SLs of one choice, by pair: [n_switches * lid_count]. */
typedef struct choice {
	uint8_t *sl;    /* of the path */
	uint16_t *held; /* what is safe of the SLs that connections hold */
	uint64_t n_lost;
} choice;

typedef struct holder {
	odo_tables *t;
	const odo_fabric *f;
	odo_history *past; /* continued in this fabric */
	uint32_t *like; /* [lid_count] the first LID that differs in nothing; ODO_NONE: nobody's */
	odo_walker walker;
} holder;

static size_t pair_at(const holder *x, uint32_t s, uint32_t lid)
{
	return (size_t)s * x->f->lid_count + lid;
}

/* Return the SL that a pair was assigned last, or ODO_SL_NONE for a LID that no port has. */
static uint8_t last_sl(const holder *x, uint32_t s, uint32_t lid)
{
	return x->f->lid_switch[lid] == ODO_NONE ? ODO_SL_NONE : odo_history_last(x->past, s, lid);
}

/* Return true if the connections of every path use no other SL than the path's. Connections to a
 * LID that another port has now are lost anyway: no SL is kept for them, and they are reported. */
static bool nothing_else_held(const holder *x)
{
	const odo_tables *t = x->t;
	uint32_t rows = t->sl_of_pair || x->past->by_pair ? x->f->n_switches : 1;
	for (uint32_t s = 0; s < rows; s++)
		for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
			if (last_sl(x, s, lid) != ODO_SL_NONE &&
			    odo_history_held(x->past, s, lid) & ~(1u << odo_path_sl(t, s, lid)))
				return false;
	return true;
}

/* A choice by LID, of tables and a past that both are: what is held stays. */
static int keep_by_lid(holder *x, odo_error *err)
{
	odo_tables *t = x->t;
	t->held_of_lid = odo_new(x->f->lid_count, sizeof *t->held_of_lid);
	if (!t->held_of_lid)
		return odo_fail(err, ODO_ENOMEM, "no memory for SLs that are held");
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++) {
		uint8_t last = last_sl(x, 0, lid);
		if (last == ODO_SL_NONE)
			continue;
		t->sl_of_lid[lid] = last;
		t->held_of_lid[lid] = (uint16_t)odo_history_held(x->past, 0, lid);
		if (last >= t->n_sls)
			t->n_sls = (uint8_t)(last + 1);
	}
	return 0;
}

static int init_choice(const holder *x, choice *c)
{
	size_t n = pair_at(x, x->f->n_switches, 0);
	c->sl = odo_new(n, 1);
	c->held = odo_new(n, sizeof *c->held);
	return c->sl && c->held ? 0 : ODO_ENOMEM;
}

static void clear_choice(choice *c)
{
	free(c->sl);
	free(c->held);
	*c = (choice){0};
}

/* What is held, and the SL given last; the engine's for a pair without. */
static void want_held_sls(const holder *x, choice *c)
{
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		for (uint32_t lid = 0; lid < x->f->lid_count; lid++) {
			uint8_t last = last_sl(x, s, lid);
			bool had = last != ODO_SL_NONE;
			c->sl[pair_at(x, s, lid)] = had ? last : odo_path_sl(x->t, s, lid);
			c->held[pair_at(x, s, lid)] = (uint16_t)(had ? odo_history_held(x->past, s,
											lid)
								     : 0);
		}
	}
}

static unsigned chosen_sls(const holder *x, const choice *c, uint32_t s, uint32_t lid)
{
	return c->held[pair_at(x, s, lid)] | 1u << c->sl[pair_at(x, s, lid)];
}

/* Group the LIDs of a switch whose trees and SLs have the same hash. If different ones have it,
 * too, the verifier still judges each LID by itself. */
static int find_alike(holder *x, const choice *c)
{
	const odo_fabric *f = x->f;
	uint32_t *last = odo_new(f->n_switches, sizeof *last);
	uint32_t *next = odo_new(f->lid_count, sizeof *next);
	uint64_t *hash = odo_new(f->lid_count, sizeof *hash);
	x->like = odo_new(f->lid_count, sizeof *x->like);
	bool room = last && next && hash && x->like;
	for (uint32_t s = 0; room && s < f->n_switches; s++) {
		last[s] = ODO_NONE;
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			uint64_t is = f->lid_switch[lid] == s
					      ? 0
					      : (uint64_t)c->held[pair_at(x, s, lid)] << 24 |
							(uint64_t)odo_path_sl(x->t, s, lid) << 16 |
							(uint64_t)c->sl[pair_at(x, s, lid)] << 8 |
							odo_next_port(x->t, s, lid);
			hash[lid] = (hash[lid] ^ is) * 0x9E3779B97F4A7C15ull;
			hash[lid] ^= hash[lid] >> 29;
		}
	}
	for (uint32_t lid = 0; room && lid < f->lid_count; lid++) {
		uint32_t s = f->lid_switch[lid];
		x->like[lid] = s == ODO_NONE ? ODO_NONE : lid;
		if (s == ODO_NONE)
			continue;
		unsigned n_vls = odo_walker_delivery_vls(&x->walker, lid);
		for (uint32_t i = last[s]; i != ODO_NONE; i = next[i])
			if (hash[i] == hash[lid] && n_vls == odo_walker_delivery_vls(&x->walker, i))
				x->like[lid] = i;
		next[lid] = last[s];
		if (x->like[lid] == lid)
			last[s] = lid;
	}
	free(last);
	free(next);
	free(hash);
	return room ? 0 : ODO_ENOMEM;
}

/* Return true if all SLs of a choice together close no cycle: one sort of the channels. */
static bool fits_together(holder *x, const choice *c)
{
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		for (uint32_t s = 0; s < x->f->n_switches && x->like[lid] == lid; s++)
			if (!odo_walker_mark(&x->walker, s, lid, chosen_sls(x, c, s, lid)))
				return false;
	return odo_walker_sort(&x->walker);
}

/* Insert the SLs in use of all pairs of a LID at once. */
static bool put_lid(holder *x, const choice *c, uint32_t lid)
{
	odo_walker_begin(&x->walker);
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (!odo_walker_add(&x->walker, s, lid, c->held[pair_at(x, s, lid)]))
			return odo_walker_undo(&x->walker);
	return true;
}

static bool put_pair(holder *x, uint32_t s, uint32_t lid, unsigned sls)
{
	odo_walker_begin(&x->walker);
	return odo_walker_add(&x->walker, s, lid, sls) || odo_walker_undo(&x->walker);
}

/* Insert as many of a pair's SLs in use as close no cycle, the SL assigned last first. */
static void put_fitting(holder *x, choice *c, uint32_t s, uint32_t lid)
{
	uint16_t *held = &c->held[pair_at(x, s, lid)];
	unsigned last = 1u << c->sl[pair_at(x, s, lid)], kept = 0;
	if (put_pair(x, s, lid, *held))
		return;
	if (*held & last && put_pair(x, s, lid, last))
		kept = last;
	for (unsigned left = *held & ~last; left; left &= left - 1)
		if (put_pair(x, s, lid, left & -left))
			kept |= left & -left;
	*held = (uint16_t)kept;
	c->n_lost++;
}

static void put_held(holder *x, choice *c)
{
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++) {
		if (x->like[lid] != lid || put_lid(x, c, lid))
			continue;
		for (uint32_t s = 0; s < x->f->n_switches; s++)
			put_fitting(x, c, s, lid);
	}
}

/* An SL for a path that could not keep its own: one that connections hold, the engine's, or any. */
static bool find_sl(holder *x, choice *c, uint32_t s, uint32_t lid)
{
	uint8_t *sl = &c->sl[pair_at(x, s, lid)];
	unsigned held = c->held[pair_at(x, s, lid)], own = odo_path_sl(x->t, s, lid);
	if (held >> *sl & 1)
		return true;
	if (held) {
		*sl = (uint8_t)__builtin_ctz(held);
		return true;
	}
	for (unsigned i = 0; i <= x->t->n_sls; i++) {
		unsigned next = i ? i - 1 : own;
		if (!put_pair(x, s, lid, 1u << next))
			continue;
		*sl = (uint8_t)next;
		return true;
	}
	return false;
}

/* Puts the engine's own SLs into an empty graph, which orders it; false, and the verifier will say
 * why, where they do not fit together. */
static bool put_own(holder *x)
{
	odo_walker_clear_edges(&x->walker);
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		for (uint32_t s = 0; s < x->f->n_switches && x->like[lid] == lid; s++)
			odo_walker_mark(&x->walker, s, lid, 1u << odo_path_sl(x->t, s, lid));
	return odo_walker_sort(&x->walker);
}

/* What is held first, then an SL for each path. False where one finds none. The order that the
 * engine's SLs ask for suits most of it. */
static bool choose_held_first(holder *x, choice *c)
{
	if (!put_own(x))
		return false;
	odo_walker_clear_edges(&x->walker);
	put_held(x, c);
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		for (uint32_t s = 0; s < x->f->n_switches && x->like[lid] == lid; s++)
			if (!find_sl(x, c, s, lid))
				return false;
	return true;
}

/* The engine's SLs first, which fit together, then what is held. */
static bool choose_own_first(holder *x, choice *c)
{
	const odo_tables *t = x->t;
	if (!put_own(x))
		return false;
	put_held(x, c);
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		for (uint32_t s = 0; s < x->f->n_switches && x->like[lid] == lid; s++)
			if (!(c->held[pair_at(x, s, lid)] >> c->sl[pair_at(x, s, lid)] & 1))
				c->sl[pair_at(x, s, lid)] = odo_path_sl(t, s, lid);
	return true;
}

/* LIDs alike get what the first of them got; within their switch any SL will do. */
static void spread_to_alike(const holder *x, choice *c)
{
	const odo_fabric *f = x->f;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			uint32_t like = x->like[lid];
			if (like == ODO_NONE || like == lid || f->lid_switch[lid] == s)
				continue;
			c->sl[pair_at(x, s, lid)] = c->sl[pair_at(x, s, like)];
			c->held[pair_at(x, s, lid)] = c->held[pair_at(x, s, like)];
		}
	}
}

/* True if all switches have the same entries, as far as LIDs are somebody's. */
static bool is_by_lid(const holder *x, const choice *c)
{
	for (uint32_t s = 1; s < x->f->n_switches; s++)
		for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
			if (x->f->lid_switch[lid] != ODO_NONE &&
			    (c->sl[pair_at(x, s, lid)] != c->sl[lid] ||
			     c->held[pair_at(x, s, lid)] != c->held[lid]))
				return false;
	return true;
}

/* Hands a choice over to the tables, which own its arrays then. */
static void adopt_choice(const holder *x, choice *c)
{
	odo_tables *t = x->t;
	size_t n = pair_at(x, x->f->n_switches, 0);
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		for (uint32_t s = 0; s < x->f->n_switches; s++)
			if (x->f->lid_switch[lid] == ODO_NONE)
				c->sl[pair_at(x, s, lid)] = 0;
	t->n_sls = 1;
	for (size_t i = 0; i < n; i++)
		if (c->sl[i] >= t->n_sls)
			t->n_sls = (uint8_t)(c->sl[i] + 1);
	free(t->sl_of_pair);
	t->sl_of_pair = NULL;
	if (is_by_lid(x, c)) {
		memcpy(t->sl_of_lid, c->sl, x->f->lid_count);
		t->held_of_lid = c->held;
	} else {
		t->sl_of_pair = c->sl;
		t->held_of_pair = c->held;
		c->sl = NULL;
	}
	c->held = NULL;
}

/* Take the better of the two orders: not all that is held fits together. */
static int choose_order(holder *x, choice *c)
{
	choice other = {0};
	bool chosen = choose_held_first(x, c);
	if (init_choice(x, &other)) {
		clear_choice(&other);
		return ODO_ENOMEM;
	}
	want_held_sls(x, &other);
	if ((!chosen || c->n_lost) && choose_own_first(x, &other) &&
	    (!chosen || other.n_lost < c->n_lost)) {
		choice swap = *c;
		*c = other;
		other = swap;
	}
	clear_choice(&other);
	return 0;
}

static int choose_sls(holder *x, odo_error *err)
{
	choice c = {0};
	int status = init_choice(x, &c);
	if (!status) {
		want_held_sls(x, &c);
		status = odo_walker_init(&x->walker, x->t) || find_alike(x, &c) ? ODO_ENOMEM : 0;
	}
	if (!status && !fits_together(x, &c))
		status = choose_order(x, &c);
	if (!status && x->walker.no_memory)
		status = ODO_ENOMEM;
	if (!status) {
		spread_to_alike(x, &c);
		adopt_choice(x, &c);
	}
	clear_choice(&c);
	odo_walker_clear(&x->walker);
	free(x->like);
	return status ? odo_fail(err, status, "no memory to choose SLs") : 0;
}

int odo_hold(const odo_history *h, odo_tables *t, odo_error *err)
{
	holder x = {.t = t, .f = t->fabric};
	if (!h || t->adaptive)
		return 0;
	int status = odo_history_continue(h, t->fabric, &x.past, err);
	if (!status && !nothing_else_held(&x))
		status = odo_tables_sls_alike(t) && !x.past->by_pair && !t->sl_of_pair
				 ? keep_by_lid(&x, err)
				 : choose_sls(&x, err);
	odo_history_free(x.past);
	return status;
}

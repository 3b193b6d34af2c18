/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* VLs by turn. Dependencies are collected here by walking LFTs and SL2VL maps for each SL, without
 * the verifier: packets on all SLs may be under way at the same time. */
#include "fixture.h"
#include "routing/multicast/multicast.h"
#include "routing/turns/colour.h"

#define VLS 16u

/* Channels (slot, VL), and the channels of the next switch that their packets wait for. */
typedef struct waiting {
	const odo_tables *t;
	const odo_fabric *f;
	uint32_t n, ports;
	uint8_t *waits; /* [n * ports * VLS] */
	uint8_t *takes; /* [slots of switches * ports] turns to each output from each input */
	bool arrives, has_vls;
} waiting;

static uint32_t channel_of(uint32_t slot, unsigned vl)
{
	return slot * VLS + vl;
}

static void walk(waiting *x, uint32_t s, unsigned in, unsigned sl, uint32_t lid)
{
	const odo_fabric *f = x->f;
	uint32_t on = ODO_NONE;
	for (uint32_t n = 0; n <= f->n_switches; n++) {
		unsigned port = odo_next_port(x->t, s, lid);
		if (f->lid_switch[lid] == s && !f->lid_port[lid] && !port)
			return;
		if (port < 1 || port > odo_n_ports(f, s))
			break;
		uint32_t slot = odo_slot(f, s, port);
		unsigned vl = odo_vl(x->t, s, in, port, sl);
		x->has_vls &= vl < f->n_vls[slot] && vl < x->t->n_vls;
		if (f->lid_switch[lid] == s && f->lid_port[lid] == port)
			return;
		if (odo_next_switch(f, slot) == ODO_NONE)
			break;
		if (on != ODO_NONE)
			x->waits[((size_t)on * x->ports + port) * VLS + vl] = 1;
		on = channel_of(slot, vl);
		in = odo_port(f, f->peer[slot]);
		s = odo_next_switch(f, slot);
	}
	x->arrives = false;
}

static void reach(const odo_fabric *f, uint32_t s, uint8_t *near)
{
	near[s] = 1;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (odo_next_switch(f, i) != ODO_NONE && !near[odo_next_switch(f, i)])
			reach(f, odo_next_switch(f, i), near);
}

/* Packets of all SLs, from every switch and every host, to every LID. */
static void walk_all(waiting *x, unsigned sls)
{
	const odo_fabric *f = x->f;
	uint8_t *near = malloc(f->n_switches);
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		if (f->lid_switch[lid] == ODO_NONE)
			continue;
		memset(near, 0, f->n_switches);
		reach(f, f->lid_switch[lid], near);
		for (uint32_t s = 0; s < f->n_switches; s++)
			for (unsigned in = 0; near[s] && in <= odo_n_ports(f, s); in++)
				for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
					if (sls >> sl & 1 &&
					    (!in || f->slot_host[odo_slot(f, s, in)] != ODO_NONE))
						walk(x, s, in, sl, lid);
	}
	free(near);
}

/* Take away channels that wait for none that is left. */
static bool all_end(const waiting *x)
{
	uint8_t *gone = calloc(x->n + 1u, 1);
	bool changed = true;
	uint32_t left = 0;
	while (changed) {
		changed = false;
		left = 0;
		for (uint32_t a = 0; a < x->n; a++) {
			const uint8_t *waits = x->waits + (size_t)a * x->ports * VLS;
			uint32_t s = gone[a] ? ODO_NONE : odo_next_switch(x->f, a / VLS);
			bool stays = false;
			for (uint32_t i = 0; s != ODO_NONE && i < x->ports * VLS && !stays; i++)
				stays = waits[i] &&
					!gone[channel_of(odo_slot(x->f, s, i / VLS), i % VLS)];
			changed |= !stays && !gone[a];
			gone[a] |= !stays;
			left += stays;
		}
	}
	free(gone);
	return !left;
}

/* Fail unless packets arrive on VLs that links have, and cannot wait for each other, on any mix of
 * these SLs. */
static void check_sls(const odo_tables *t, unsigned sls, const char *what)
{
	waiting x = {.t = t, .f = t->fabric, .arrives = true, .has_vls = true};
	x.n = channel_of(x.f->first_slot[x.f->n_switches], 0);
	for (uint32_t s = 0; s < x.f->n_switches; s++)
		x.ports = odo_n_ports(x.f, s) >= x.ports ? odo_n_ports(x.f, s) + 1 : x.ports;
	x.waits = calloc((size_t)x.n * x.ports * VLS + 1, 1);
	walk_all(&x, sls);
	if (!x.arrives || !x.has_vls || !all_end(&x))
		fail_msg("%s: arrives %d, within VLs %d", what, x.arrives, x.has_vls);
	free(x.waits);
}

static odo_tables *route_from(const fixture *x, unsigned vls, const odo_tables *before, bool hold)
{
	odo_route_options options = {
		.max_sls = 1, .max_vls = vls, .before = before, .steps = true, .hold_step = hold};
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, NULL, &options, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static const struct {
	const char *spec;
	double switches, links;
	const char *engine; /* whose LFTs are coloured */
} cases[] = {
	{"torus:k=6x6,c=1", 0, 0, "torus"},         {"torus:k=5x5x3,c=1", 0, 0.01, "torus"},
	{"flatfly:k=4x4x4,c=2", 0.05, 0.02, "dor"}, {"hypercube:n=6,c=1", 0.03, 0.03, "dor"},
	{"slimfly:q=7,c=1", 0.1, 0.1, "slimfly"},   {"random:n=32,d=6,c=1", 0, 0, "layered"},
};

static void a_packet_is_safe_whatever_its_sl(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture whole = make(cases[i].spec, 0);
		fixture x = damaged(&whole, cases[i].switches, cases[i].links, 1);
		for (unsigned vls = 4; vls <= 8; vls += 4) {
			odo_tables *t = route_from(&x, vls, NULL, false);
			assert_string_equal(t->engine, cases[i].engine);
			assert_true(t->from.by_turn && t->n_vls <= vls && t->n_sls == 1);
			check_sls(t, vls == 4 ? 0x8001 : 0xFFFF, cases[i].spec);
			odo_tables_free(t);
		}
		unmake(&x);
		unmake(&whole);
	}
}

/* The engine's own entries stay, except few that avoid turns without a VL. */
static void entries_stay_as_the_engine_made_them(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture whole = make(cases[i].spec, 0);
		fixture x = damaged(&whole, cases[i].switches, cases[i].links, 1);
		odo_tables *t, *coloured;
		odo_colours colours;
		odo_error err;
		assert_int_equal(odo_route(x.f, x.c, cases[i].engine, NULL, &t, &err), 0);
		assert_int_equal(odo_colour_turns(t, 4, NULL, &coloured, &colours, &err), 0);
		uint32_t n_moved = 0;
		size_t n = (size_t)x.f->n_switches * x.f->lid_count;
		for (size_t k = 0; k < n; k++)
			n_moved += t->lft[k] != coloured->lft[k];
		assert_true(n_moved <= colours.n_moved && n_moved < n / 50);
		assert_true(colours.n_bare || !n_moved);
		odo_tables_free(coloured);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
}

/* A link with fewer VLs than others gets no more than it has. */
static void colours_stay_below_the_vls_of_each_link(void **state)
{
	(void)state;
	unsigned n_coloured = 0;
	fixture x = make("torus:k=6x6,c=1", 0);
	for (unsigned few = 1; few <= 2; few++) {
		for (uint32_t i = 0; i < x.f->n_slots; i++)
			x.f->n_vls[i] = (uint8_t)(x.f->owner[i] % 2 && odo_neighbour(x.f, i) % 2
							  ? few
							  : 8);
		odo_tables *t = route_from(&x, 0, NULL, false);
		check_sls(t, 0x0011, "few VLs");
		n_coloured += t->from.by_turn;
		odo_tables_free(t);
	}
	assert_true(n_coloured > 0);
	unmake(&x);
}

/* Each SL2VL entry between two links names a VL of the link, and all SLs have the same. */
static void unused_turns_have_a_vl(void **state)
{
	(void)state;
	fixture whole = make("flatfly:k=4x4,c=2", 0), x = damaged(&whole, 0, 0.1, 2);
	odo_tables *t, *coloured;
	odo_colours colours;
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, NULL, NULL, &t, &err), 0);
	assert_int_equal(odo_colour_turns(t, 4, NULL, &coloured, &colours, &err), 0);
	assert_true(colours.n_unused > 0 && colours.n_unsure < colours.n_unused);
	unsigned above = 0;
	for (uint32_t s = 0; s < x.f->n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(x.f, s); in++)
			for (unsigned out = 1; out <= odo_n_ports(x.f, s); out++)
				for (unsigned sl = 0; sl < ODO_N_SLS; sl++) {
					unsigned vl = odo_vl(coloured, s, in, out, sl);
					assert_true(!vl || vl < x.f->n_vls[odo_slot(x.f, s, out)]);
					assert_int_equal(vl, odo_vl(coloured, s, in, out, 0));
					above += vl > 0;
				}
	assert_true(above > 0);
	odo_tables_free(coloured);
	odo_tables_free(t);
	unmake(&x);
	unmake(&whole);
}

/* In a ring of seven, straight turns wait for each other all the way round, whatever their VLs. */
static void turns_that_wait_for_each_other_are_named(void **state)
{
	(void)state;
	fixture x = make("torus:k=7,c=1", 0);
	odo_tables *t, *coloured;
	odo_colours colours;
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, "torus", NULL, &t, &err), 0);
	assert_int_equal(odo_colour_turns(t, 8, NULL, &coloured, &colours, &err), ODO_EDECLINE);
	assert_null(coloured);
	assert_int_equal(colours.n_cyclic, 14);
	assert_non_null(strstr(err.text, "turns find no VL of 8, the first to port"));
	odo_tables_free(t);
	unmake(&x);
}

/* A tree has VLs together with unicast packets: multicast on any SL is safe beside them. */
static void a_multicast_tree_is_safe_beside_turns(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture whole = make(cases[i].spec, 0);
		fixture x = damaged(&whole, cases[i].switches, cases[i].links, 1);
		odo_tables *t, *coloured;
		odo_colours colours;
		odo_mcast *mcast;
		odo_error err;
		assert_int_equal(odo_route(x.f, x.c, cases[i].engine, NULL, &t, &err), 0);
		assert_int_equal(odo_colour_turns(t, 8, NULL, &coloured, &colours, &err), 0);
		assert_true(colours.has_trees);
		assert_int_equal(odo_mcast_create(coloured, 0xFFFF, &mcast, &err), 0);
		odo_mcast_free(mcast);
		odo_tables_free(coloured);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
}

static fixture without_a_cable(const fixture *x, uint64_t seed)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < x->f->first_slot[x->f->n_switches]; i++)
		n += odo_next_switch(x->f, i) != ODO_NONE;
	return damaged(x, 0, 2.0 / n, seed);
}

/* Route after a loss, with all steps of the change. */
static odo_tables *route_to_the_end(const fixture *x, unsigned vls, const odo_tables *before)
{
	odo_tables *t = route_from(x, vls, before, false);
	for (unsigned i = 0; i < 16 && t->goal; i++) {
		odo_tables *next = route_from(x, vls, t, false);
		odo_tables_free(t);
		t = next;
	}
	assert_null(t->goal);
	return t;
}

/* After the loss of a cable few SL2VL entries change: those of turns that packets take now. */
static void a_loss_keeps_nearly_all_vls(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture whole = make(cases[i].spec, 0);
		fixture x = damaged(&whole, cases[i].switches, cases[i].links, 1);
		odo_tables *before = route_from(&x, 4, NULL, false);
		for (uint64_t seed = 1; seed <= 2; seed++) {
			fixture y = without_a_cable(&x, seed);
			odo_tables *t = route_to_the_end(&y, 4, before);
			uint32_t n = t->sl2vl_at[y.f->n_switches], n_changed = 0;
			for (uint32_t k = 0; k < n; k++)
				n_changed += t->rows[t->sl2vl[k]].vl[0] !=
					     before->rows[before->sl2vl[k]].vl[0];
			assert_true(t->from.by_turn && n_changed <= n / 100);
			check_sls(t, 0x0008, cases[i].spec);
			odo_tables_free(t);
			unmake(&y);
		}
		odo_tables_free(before);
		unmake(&x);
		unmake(&whole);
	}
}

/* Tables as the switches of a fabric have them. */
typedef struct side {
	const odo_tables *t;
	const uint32_t *at; /* [switches of the fabric] number in the tables, or ODO_NONE */
} side;

static unsigned port_of_side(const side *x, uint32_t s, uint32_t lid)
{
	bool known = x->at[s] != ODO_NONE && lid < x->t->fabric->lid_count;
	return known ? odo_next_port(x->t, x->at[s], lid) : ODO_NO_PORT;
}

/* Push the channels by which packets leave switch `s`, and note that they are waited for.
 * @param on channel that the packets hold, or ODO_NONE */
static void leave_by_any(waiting *x, const side *sides, unsigned n, uint32_t s, unsigned in,
			 uint32_t lid, uint32_t on, uint8_t *seen, uint32_t *stack, uint32_t *top)
{
	for (unsigned i = 0; i < n * n; i++) {
		unsigned port = port_of_side(&sides[i / n], s, lid);
		const side *map = &sides[i % n];
		uint32_t slot = port - 1u < odo_n_ports(x->f, s) ? odo_slot(x->f, s, port)
								 : ODO_NONE;
		if (slot == ODO_NONE || odo_next_switch(x->f, slot) == ODO_NONE ||
		    map->at[s] == ODO_NONE)
			continue;
		unsigned vl = odo_vl(map->t, map->at[s], in, port, lid % ODO_N_SLS);
		uint32_t to = channel_of(slot, vl);
		if (on != ODO_NONE)
			x->waits[((size_t)on * x->ports + port) * VLS + vl] = 1;
		x->takes[((size_t)odo_slot(x->f, s, port)) * x->ports + in] = 1;
		if (!seen[to])
			stack[(*top)++] = to;
		seen[to] = 1;
	}
}

/* Packets to a LID, where each switch has the entries of any side, and the maps of any. */
static void meet(waiting *x, const side *sides, unsigned n, uint32_t lid)
{
	const odo_fabric *f = x->f;
	uint8_t *seen = calloc(x->n + 1u, 1);
	uint32_t *stack = malloc((x->n + 1ul) * sizeof *stack), top = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned in = 0; s != f->lid_switch[lid] && in <= odo_n_ports(f, s); in++)
			if (!in || f->slot_host[odo_slot(f, s, in)] != ODO_NONE)
				leave_by_any(x, sides, n, s, in, lid, ODO_NONE, seen, stack, &top);
	while (top) {
		uint32_t on = stack[--top], slot = on / VLS, s = odo_next_switch(f, slot);
		if (s != f->lid_switch[lid])
			leave_by_any(x, sides, n, s, odo_port(f, f->peer[slot]), lid, on, seen,
				     stack, &top);
	}
	free(seen);
	free(stack);
}

static waiting begin_waiting(const odo_fabric *f)
{
	waiting x = {.f = f, .n = channel_of(f->first_slot[f->n_switches], 0)};
	for (uint32_t s = 0; s < f->n_switches; s++)
		x.ports = odo_n_ports(f, s) >= x.ports ? odo_n_ports(f, s) + 1 : x.ports;
	x.waits = calloc((size_t)x.n * x.ports * VLS + 1, 1);
	x.takes = calloc((size_t)x.n * x.ports + 1, 1);
	return x;
}

static uint32_t *numbers_in(const odo_fabric *f, const odo_fabric *then)
{
	uint32_t *at = malloc((f->n_switches + 1ul) * sizeof *at);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		at[s] = ODO_NONE;
		for (uint32_t o = 0; o < then->n_switches; o++)
			if (then->node_guid[o] == f->node_guid[s])
				at[s] = o;
	}
	return at;
}

/* Old packets go on in what is left of their fabric. */
static void keep_old_waits(waiting *x, const waiting *old, const uint32_t *at)
{
	for (uint32_t a = 0; a < x->n; a++) {
		uint32_t slot = a / VLS, s = x->f->owner[slot], to = odo_next_switch(x->f, slot);
		if (to == ODO_NONE || at[s] == ODO_NONE || at[to] == ODO_NONE)
			continue;
		uint32_t was = odo_slot(old->f, at[s], odo_port(x->f, slot));
		for (unsigned i = 0; odo_next_switch(old->f, was) == at[to] && i < x->ports * VLS;
		     i++)
			x->waits[(size_t)a * x->ports * VLS + i] |=
				i / VLS < old->ports &&
				old->waits[((size_t)channel_of(was, a % VLS) * old->ports +
					    i / VLS) *
						   VLS +
					   i % VLS];
	}
}

/* Return true if no packets wait in a cycle while switches have entries and maps of either side,
 * and packets by old ones are under way. */
static bool is_change_safe(const odo_tables *before, const odo_tables *now)
{
	const odo_fabric *f = now->fabric, *then = before->fabric;
	waiting x = begin_waiting(f), old = begin_waiting(then);
	uint32_t *at = numbers_in(f, then), *self = numbers_in(f, f),
		 *past = numbers_in(then, then);
	const side sides[] = {{before, at}, {now, self}}, one = {before, past};
	for (uint32_t lid = 1; lid < then->lid_count; lid++)
		if (then->lid_switch[lid] != ODO_NONE)
			meet(&old, &one, 1, lid);
	keep_old_waits(&x, &old, at);
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE)
			meet(&x, sides, 2, lid);
	bool safe = all_end(&x);
	free(x.waits);
	free(x.takes);
	free(old.waits);
	free(old.takes);
	free(at);
	free(self);
	free(past);
	return safe;
}

static const struct {
	const char *spec;
	double switches, links;
	unsigned vls;
} changing[] = {
	{"torus:k=5x5,c=1", 0, 0, 4},         {"torus:k=4x4x3,c=1", 0, 0.01, 4},
	{"torus:k=8,c=1", 0, 0, 4},           {"flatfly:k=4x4,c=1", 0.05, 0.05, 4},
	{"hypercube:n=5,c=1", 0.03, 0.03, 4}, {"slimfly:q=5,c=1", 0.02, 0.02, 8},
	{"random:n=24,d=5,c=1", 0, 0, 8},     {"dragonfly:p=1,a=4,h=2", 0.02, 0.03, 4},
	{"mesh:k=5x5,c=1", 0, 0.03, 4},       {"fattree:k=4,levels=3", 0, 0.05, 4},
};

/* Follow a change to its end. @return steps that can close a cycle */
static unsigned follow_change(const fixture *y, unsigned vls, const odo_tables *before,
			      unsigned *n_steps)
{
	const odo_tables *was = before;
	odo_tables *t = NULL, *last = NULL;
	unsigned n_unsafe = 0;
	for (unsigned i = 0; i < 16 && (!t || t->goal); i++) {
		last = t;
		t = route_from(y, vls, was, false);
		n_unsafe += !is_change_safe(was, t);
		*n_steps += i > 0;
		odo_tables_free(last);
		was = t;
	}
	assert_null(t->goal);
	check_sls(t, 0x8001, "after the change");
	odo_tables_free(t);
	return n_unsafe;
}

/* OpenSM sends LFTs before SL2VL maps, and switches get both in no order. A change that is not safe
 * in any order goes in steps. */
static void a_change_closes_no_cycle_in_any_order(void **state)
{
	static const double lost[][2] = {{0, 1}, {1, 0}, {0, 3}}; /* switches, cables */
	unsigned n = 0, n_unsafe = 0, n_steps = 0;
	(void)state;
	for (size_t i = 0; TEST_ROW(i, changing, changing[i].spec); i++) {
		fixture whole = make(changing[i].spec, 0);
		fixture x = damaged(&whole, changing[i].switches, changing[i].links, 1);
		odo_tables *before = route_from(&x, changing[i].vls, NULL, false);
		uint32_t n_links = 0;
		for (uint32_t k = 0; k < x.f->first_slot[x.f->n_switches]; k++)
			n_links += odo_next_switch(x.f, k) != ODO_NONE;
		for (uint64_t seed = 0; seed < 3 * test_seeds(2); seed++, n++) {
			const double *of = lost[seed % 3];
			fixture y = damaged(&x, of[0] / x.f->n_switches, 2 * of[1] / n_links, seed);
			n_unsafe += follow_change(&y, changing[i].vls, before, &n_steps);
			unmake(&y);
		}
		odo_tables_free(before);
		unmake(&x);
		unmake(&whole);
	}
	print_message("%u changes, %u further steps, %u unsafe\n", n, n_steps, n_unsafe);
	assert_int_equal(n_unsafe, 0);
	assert_true(n_steps > 0);
}

/* Return true if packets that hold a channel can wait, over any others, for the link `to`, or for
 * the channel they began with. @param first they came to this channel by no other packet's way */
static bool comes_to(const waiting *x, uint32_t begin, uint32_t to, uint8_t *seen, uint32_t *stack)
{
	uint32_t top = 0;
	memset(seen, 0, x->n);
	stack[top++] = begin;
	while (top) {
		uint32_t on = stack[--top], s = odo_next_switch(x->f, on / VLS);
		unsigned in = odo_port(x->f, x->f->peer[on / VLS]);
		for (uint32_t i = VLS; i < (odo_n_ports(x->f, s) + 1u) * VLS; i++) {
			uint32_t slot = odo_slot(x->f, s, i / VLS),
				 then = channel_of(slot, i % VLS);
			bool waits = x->waits[(size_t)on * x->ports * VLS + i];
			if (on == begin) /* by the new turn, packets may go on in any way */
				waits |= x->takes[(size_t)slot * x->ports + in] &&
					 odo_vl(x->t, s, in, i / VLS, 0) == i % VLS;
			if (!waits || seen[then])
				continue;
			if (then == begin || slot == to)
				return true;
			seen[then] = 1;
			stack[top++] = then;
		}
	}
	return false;
}

static void check_unused(waiting *x, uint32_t s, unsigned in, unsigned out, uint32_t n[2])
{
	uint32_t slot = odo_slot(x->f, s, out), from = in ? odo_slot(x->f, s, in) : ODO_NONE;
	uint8_t *seen = malloc(x->n + 1u);
	uint32_t *stack = malloc((x->n + 1ul) * sizeof *stack), n_free = 0;
	uint32_t to = from == ODO_NONE ? ODO_NONE : x->f->peer[from];
	unsigned mine = odo_vl(x->t, s, in, out, 0);
	bool harms = comes_to(x, channel_of(slot, mine), to, seen, stack);
	for (unsigned vl = 0; vl < x->t->n_vls; vl++)
		n_free += !comes_to(x, channel_of(slot, vl), to, seen, stack);
	n[0] += harms;
	n[1] += harms && n_free;
	free(seen);
	free(stack);
}

/* A turn that no packet takes has a VL that closes no cycle, if there is one also beside multicast.
 * Turns without one are counted. */
static void unused_turns_close_no_cycle(void **state)
{
	static const struct {
		const char *spec;
		double links;
		const char *engine;
	} rows[] = {{"torus:k=6x6,c=1", 0, NULL},
		    {"torus:k=4x4x3,c=1", 0.03, NULL},
		    {"random:n=24,d=5,c=1", 0, NULL},
		    {"random:n=16,d=4,c=1", 0, "turns"},
		    {"torus:k=7x7,c=1", 0, "turns"}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		fixture whole = make(rows[i].spec, 0), x = damaged(&whole, 0, rows[i].links, 1);
		odo_route_options options = {.max_sls = 1, .max_vls = 4};
		odo_tables *routed, *t;
		odo_colours colours;
		odo_error err;
		assert_int_equal(odo_route(x.f, x.c, rows[i].engine, &options, &routed, &err), 0);
		assert_int_equal(odo_colour_turns(routed, 4, routed, &t, &colours, &err), 0);
		odo_tables_free(routed);
		waiting w = begin_waiting(x.f);
		uint32_t *self = numbers_in(x.f, x.f), n_unused = 0, n[2] = {0};
		const side one = {t, self};
		w.t = t;
		for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
			if (x.f->lid_switch[lid] != ODO_NONE)
				meet(&w, &one, 1, lid);
		for (uint32_t slot = 0; slot < x.f->first_slot[x.f->n_switches]; slot++) {
			uint32_t s = x.f->owner[slot];
			unsigned out = odo_port(x.f, slot);
			for (unsigned in = 0; in <= odo_n_ports(x.f, s); in++) {
				bool linked = !in || odo_next_switch(x.f, odo_slot(x.f, s, in)) !=
							     ODO_NONE;
				if (!linked || in == out || w.takes[(size_t)slot * w.ports + in] ||
				    odo_next_switch(x.f, slot) == ODO_NONE)
					continue;
				n_unused++;
				check_unused(&w, s, in, out, n);
			}
		}
		print_message("%s: %u unused turns, %u could close a cycle, %u of them not with "
			      "another VL; counted %u\n",
			      rows[i].spec, n_unused, n[0], n[0] - n[1], colours.n_unsure);
		/* beside multicast trees, which are not followed here, fewer VLs are safe */
		assert_true(colours.n_unused && n[0] <= colours.n_unsure && n[1] <= n_unused / 10);
		free(w.waits);
		free(w.takes);
		free(self);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet_is_safe_whatever_its_sl),
		cmocka_unit_test(entries_stay_as_the_engine_made_them),
		cmocka_unit_test(colours_stay_below_the_vls_of_each_link),
		cmocka_unit_test(unused_turns_have_a_vl),
		cmocka_unit_test(unused_turns_close_no_cycle),
		cmocka_unit_test(a_multicast_tree_is_safe_beside_turns),
		cmocka_unit_test(turns_that_wait_for_each_other_are_named),
		cmocka_unit_test(a_loss_keeps_nearly_all_vls),
		cmocka_unit_test(a_change_closes_no_cycle_in_any_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

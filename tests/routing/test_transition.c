/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables that change: cases whose answer is known, and every mix of small ones. */
#include <limits.h>

#include "base/random.h"
#include "fixture.h"
#include "naive.h"
#include "routing/reroute/connections.h"
#include "routing/transition/internal.h"

static odo_tables *routed(const fixture *x, const char *engine)
{
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine, err.text);
	return t;
}

static odo_transition counted(const odo_tables *before, const odo_tables *now)
{
	odo_transition x;
	odo_error err;
	if (odo_transition_count(before, now, false, &x, &err))
		fail_msg("%s", err.text);
	return x;
}

/* A cable less: the one by which switch s leads to switch d. */
static fixture without(const fixture *x, uint32_t s, uint32_t d)
{
	uint8_t *gone = calloc(x->f->n_nodes, 1), *cut = calloc(x->f->n_slots, 1);
	odo_origin origin;
	odo_fabric *f;
	odo_error err;
	for (uint32_t i = x->f->first_slot[s]; i < x->f->first_slot[s + 1]; i++)
		cut[i] = odo_next_switch(x->f, i) == d;
	assert_int_equal(odo_fabric_without(x->f, gone, cut, &f, &origin, &err), 0);
	free(gone);
	free(cut);
	return carry(x, f, &origin);
}

static unsigned port_to(const odo_fabric *f, uint32_t s, uint32_t d)
{
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (odo_next_switch(f, i) == d)
			return odo_port(f, i);
	fail_msg("no cable from %u to %u", s, d);
	return 0;
}

/* Leads LIDs of switch d from s to another switch. */
static void lead(odo_tables *t, uint32_t s, uint32_t d, uint32_t to)
{
	const odo_fabric *f = t->fabric;
	odo_tables_forget_proof(t);
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		if (f->lid_switch[lid] == d)
			t->lft[(size_t)s * f->lid_count + lid] = (uint8_t)port_to(f, s, to);
}

static void what_stays_does_nothing(void **state)
{
	(void)state;
	const char *specs[] = {"dragonfly:p=2,a=4,h=2", "torus:k=5x5,c=1", "slimfly:q=5,c=1",
			       "fattree:k=4,levels=3", "random:n=16,d=4,c=1"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0);
		odo_tables *a = routed(&x, NULL), *b = routed(&x, NULL);
		odo_transition r = counted(a, b);
		assert_true(odo_transition_is_safe(&r));
		assert_int_equal(r.n_cut + r.n_changed + r.n_least, 0);
		assert_int_equal(r.n_cycle_alone + r.n_cycle_mixed, 0);
		assert_true(r.n_pairs > 0 && r.n_pairs == r.n_entries);
		odo_tables_free(a);
		odo_tables_free(b);
		unmake(&x);
	}
}

/* Switch 0 went to 2 by way of 1, and 1 to 2 by way of 0 goes now: while both do, 0 and 1 play
 * ball. */
static void a_triangle_can_loop(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3,c=1", 0);
	odo_tables *a = routed(&x, NULL), *b = routed(&x, NULL);
	uint32_t n_lids = 2; /* switch 2 and its host */
	lead(a, 0, 2, 1);
	lead(b, 1, 2, 0);
	odo_transition r = counted(a, b);
	assert_int_equal(r.n_looping, 2 * n_lids);
	assert_int_equal(r.n_lost, 0);
	assert_int_equal(r.n_changed, 2 * n_lids);
	assert_int_equal(r.n_least + r.n_cut + r.n_cut_looping, 0);
	assert_int_equal(r.n_cycle_alone + r.n_cycle, 0);
	assert_false(odo_transition_is_safe(&r));
	lead(b, 1, 2, 2); /* only 0 changes */
	r = counted(a, b);
	assert_true(odo_transition_is_safe(&r));
	assert_int_equal(r.n_changed, n_lids);
	odo_tables_free(a);
	odo_tables_free(b);
	unmake(&x);
}

/* The switches of a ring, one after the other. */
typedef struct ring {
	uint32_t n, at[6];
} ring;

static ring ring_of(const odo_fabric *f)
{
	ring r = {.n = f->n_switches};
	assert_in_range(r.n, 3, 6);
	for (unsigned i = 0; i < r.n - 1; i++)
		for (uint32_t slot = f->first_slot[r.at[i]]; slot < f->first_slot[r.at[i] + 1];
		     slot++) {
			uint32_t to = odo_next_switch(f, slot);
			if (to != ODO_NONE && (!i || to != r.at[i - 1]))
				r.at[i + 1] = to;
		}
	return r;
}

/* Leads what is `far` places further round from place i on to the right or left. */
static void lead_round(odo_tables *t, const ring *r, unsigned i, unsigned far, bool right)
{
	lead(t, r->at[i], r->at[(i + far) % r->n], r->at[(i + (right ? 1 : r->n - 1)) % r->n]);
}

/* Two trees of a ring of four: each switch sends what is two hops away to the right, at first 0 and
 * 1, and then 2 and 3 do. None closes the circle by itself. */
static void two_safe_tables_can_close_a_circle(void **state)
{
	(void)state;
	fixture x = make("torus:k=4,c=1", 0);
	odo_tables *a = routed(&x, "updown"), *b = routed(&x, "updown");
	ring r4 = ring_of(x.f);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned far = 1; far < 4; far++) {
			lead_round(a, &r4, i, far, far == 1 || (far == 2 && i < 2));
			lead_round(b, &r4, i, far, far == 1 || (far == 2 && i >= 2));
		}
	odo_transition r = counted(a, b);
	assert_int_equal(r.n_cycle_alone, 0);
	assert_int_equal(r.n_cycle, 4);
	assert_int_equal(r.n_cycle_mixed, 4);
	assert_int_equal(counted(a, a).n_cycle + counted(b, b).n_cycle, 0);
	for (unsigned i = 0; i < 4; i++) /* and one that does close it */
		lead_round(b, &r4, i, 2, true);
	assert_int_equal(counted(b, a).n_cycle_alone, 4);
	assert_int_equal(counted(a, b).n_cycle_alone, 4);
	odo_tables_free(a);
	odo_tables_free(b);
	unmake(&x);
}

/* Cable lost, tables made anew: what had to change and what did agree with a plain count. */
static void a_lost_cable_is_not_blamed_on_the_change(void **state)
{
	(void)state;
	fixture whole = make("flatfly:k=4,c=2", 0), x = without(&whole, 0, 1);
	odo_tables *a = routed(&whole, "dor"), *b = routed(&x, "dor");
	odo_transition r = counted(a, b);
	assert_int_equal(r.n_least, 2 * 3); /* 0 to 1 and 1 to 0, a switch and two hosts each */
	assert_int_equal(r.n_changed, r.n_least);
	assert_int_equal(r.n_cut, r.n_least);
	assert_true(odo_transition_is_safe(&r));
	odo_tables_free(a);
	odo_tables_free(b);
	unmake(&x);
	unmake(&whole);
}

/* Where a packet from s to a LID ends: 0 there, 1 never, 2 elsewhere. Switch i has the new table
 * where bit i of `mix` is set. */
static int walk(const odo_tables *a, const odo_tables *b, uint32_t mix, uint32_t s, uint32_t lid)
{
	const odo_fabric *f = a->fabric;
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		if (s == f->lid_switch[lid])
			return 0;
		unsigned port = odo_next_port(mix >> s & 1 ? b : a, s, lid);
		if (port < 1 || port > odo_n_ports(f, s) ||
		    odo_next_switch(f, odo_slot(f, s, port)) == ODO_NONE)
			return 2;
		s = odo_next_switch(f, odo_slot(f, s, port));
	}
	return 1;
}

static odo_transition tried(const odo_tables *a, const odo_tables *b)
{
	const odo_fabric *f = a->fabric;
	odo_transition r = {0};
	uint32_t all = 1u << f->n_switches;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		for (uint32_t s = 0; f->lid_switch[lid] != ODO_NONE && s < f->n_switches; s++) {
			bool was = !walk(a, b, 0, s, lid), is = !walk(a, b, all - 1, s, lid);
			unsigned ends = 0;
			if (s == f->lid_switch[lid] || !is)
				continue;
			for (uint32_t mix = 0; mix < all; mix++)
				ends |= 1u << walk(a, b, mix, s, lid);
			r.n_pairs += was;
			r.n_looping += was && ends & 2;
			r.n_lost += was && ends & 4;
			r.n_cut += !was;
			r.n_cut_looping += !was && ends & 2;
		}
	return r;
}

/* Entries that point anywhere, most of them to where they should. */
static void spoil(odo_tables *t, odo_rng *rng, unsigned odds)
{
	const odo_fabric *f = t->fabric;
	odo_tables_forget_proof(t);
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (f->lid_switch[lid] != ODO_NONE && f->lid_switch[lid] != s &&
			    !odo_rng_below(rng, odds))
				t->lft[(size_t)s * f->lid_count + lid] =
					odo_rng_below(rng, 12)
						? (uint8_t)odo_rng_below(rng, odo_n_ports(f, s) + 1)
						: ODO_NO_PORT;
}

static void every_mix_says_the_same(void **state)
{
	(void)state;
	odo_rng rng = odo_rng_make(7, 0);
	uint64_t looping = 0, lost = 0, cut_looping = 0, fine = 0;
	for (unsigned round = 0; round < 90; round++) {
		char spec[64];
		snprintf(spec, sizeof spec, "random:n=%u,d=3,c=%u,seed=%u", 6 + 2 * (round % 2),
			 1 + round % 3, round);
		fixture x = make(spec, 0);
		odo_tables *a = routed(&x, round % 3 ? "updown" : "layered");
		odo_tables *b = routed(&x, "layered");
		spoil(a, &rng, 4u << round % 4);
		spoil(b, &rng, 4u << round % 5);
		odo_transition r = counted(a, b), e = tried(a, b);
		assert_int_equal(r.n_pairs, e.n_pairs);
		assert_int_equal(r.n_looping, e.n_looping);
		assert_int_equal(r.n_lost, e.n_lost);
		assert_int_equal(r.n_cut, e.n_cut);
		assert_int_equal(r.n_cut_looping, e.n_cut_looping);
		looping += r.n_looping;
		lost += r.n_lost;
		cut_looping += r.n_cut_looping;
		fine += r.n_pairs - r.n_looping - r.n_lost;
		odo_tables_free(a);
		odo_tables_free(b);
		unmake(&x);
	}
	print_message("%llu loop, %llu lost, %llu cut and loop, %llu fine\n",
		      (unsigned long long)looping, (unsigned long long)lost,
		      (unsigned long long)cut_looping, (unsigned long long)fine);
	assert_true(looping > 50 && lost > 50 && cut_looping > 50 && fine > 50);
}

/* Is there a cycle in what two plain walks wrote down together? */
static bool together_cyclic(const odo_tables *a, const odo_tables *b)
{
	naive p = naive_follow(a), q = naive_follow(b);
	for (size_t i = 0; i < (size_t)p.n * p.n; i++)
		p.waits[i] |= q.waits[i];
	bool acyclic = naive_acyclic(&p);
	free(p.waits);
	free(q.waits);
	return !acyclic;
}

/* Cycles against packets walked one by one, and the mixed ones against what they must hold. */
static void circles_are_those_of_plain_walks(void **state)
{
	(void)state;
	unsigned n_cyclic = 0, n_mixed = 0, rounds = 12;
	for (unsigned round = 0; round < rounds; round++) {
		const char *specs[] = {"torus:k=5x3,c=1", "random:n=12,d=4,c=1",
				       "dragonfly:p=1,a=3,h=1"};
		const char *engines[] = {"layered", "updown", NULL};
		fixture plain = make(specs[round % 3], 0), x = shuffled(&plain, round);
		odo_tables *a = routed(&x, engines[round / 3 % 3]);
		odo_tables *b = routed(&x, engines[(round / 3 + 1 + round / 9) % 3]);
		odo_transition r = counted(a, b);
		assert_int_equal(r.n_cycle_alone, 0);
		assert_int_equal(r.n_cycle != 0, together_cyclic(a, b));
		assert_true(r.n_cycle_mixed || !r.n_cycle);
		n_cyclic += r.n_cycle != 0;
		n_mixed += r.n_cycle_mixed != 0;
		odo_tables_free(a);
		odo_tables_free(b);
		unmake(&x);
		unmake(&plain);
	}
	print_message("%u of %u cyclic, %u mixed\n", n_cyclic, rounds, n_mixed);
	assert_true(n_cyclic > 0 && n_cyclic < rounds && n_mixed >= n_cyclic);
}

/* Packets that may do either at every hop, one state after the other. */
typedef struct explorer {
	const odo_tables *t[2];
	uint32_t lid, n_vls, n;
	uint8_t *waits; /* [n * n] */
	uint8_t *seen;  /* [(n_switches * 255 + input) * 16 + SL] of this LID */
} explorer;

/* Packets of an SL at a switch, on each of `vls` of `held` (none: they start there). */
static void explore(explorer *x, uint32_t s, unsigned in, unsigned sl, uint32_t held, unsigned vls)
{
	const odo_fabric *f = x->t[0]->fabric;
	if (s == f->lid_switch[x->lid])
		return;
	for (unsigned i = 0; i < 2; i++) {
		unsigned port = odo_next_port(x->t[i], s, x->lid), next = 0;
		if (port - 1u >= odo_n_ports(f, s) ||
		    odo_next_switch(f, odo_slot(f, s, port)) == ODO_NONE)
			continue;
		uint32_t slot = odo_slot(f, s, port);
		for (unsigned k = 0; k < 2; k++)
			next |= 1u << odo_vl(x->t[k], s, in, port, sl);
		for (unsigned v = 0; held != ODO_NONE && v < x->n_vls; v++)
			for (unsigned w = 0; vls >> v & 1 && w < x->n_vls; w++)
				if (next >> w & 1)
					x->waits[(size_t)(held * x->n_vls + v) * x->n +
						 slot * x->n_vls + w] = 1;
		size_t state = ((size_t)slot * 255 + in) * ODO_N_SLS + sl;
		if (x->seen[state])
			continue;
		x->seen[state] = 1;
		explore(x, odo_next_switch(f, slot), odo_port(f, f->peer[slot]), sl, slot, next);
	}
}

static uint64_t explored(explorer *x)
{
	const odo_fabric *f = x->t[0]->fabric;
	uint32_t n_slots = f->first_slot[f->n_switches];
	uint64_t n_waits = 0;
	size_t n_seen = (size_t)n_slots * 255 * ODO_N_SLS;
	x->n = n_slots * x->n_vls;
	x->waits = calloc((size_t)x->n * x->n, 1);
	x->seen = calloc(n_seen, 1);
	for (x->lid = 0; x->lid < f->lid_count; x->lid++) {
		if (f->lid_switch[x->lid] == ODO_NONE)
			continue;
		memset(x->seen, 0, n_seen);
		for (uint32_t s = 0; s < f->n_switches; s++)
			for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
				for (unsigned i = 0; i < 2; i++)
					if (!in || f->slot_host[odo_slot(f, s, in)] != ODO_NONE)
						explore(x, s, in, odo_path_sl(x->t[i], s, x->lid),
							ODO_NONE, 0);
	}
	for (size_t i = 0; i < (size_t)x->n * x->n; i++)
		n_waits += x->waits[i];
	free(x->waits);
	free(x->seen);
	return n_waits;
}

/* Collect what packets to hosts, or to all LIDs, wait for by any mix of two tables of a fabric. */
static odo_dependencies collect_waits(const odo_tables *a, const odo_tables *b, unsigned n_vls,
				      bool hosts_only)
{
	const odo_fabric *f = a->fabric;
	uint32_t *same = calloc(f->n_switches, sizeof *same);
	uint8_t *wanted = calloc(f->lid_count, 1);
	odo_mix mix;
	odo_dependencies deps;
	odo_error err;
	for (uint32_t s = 0; s < f->n_switches; s++)
		same[s] = s;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		wanted[lid] = (hosts_only ? f->lid_host : f->lid_switch)[lid] != ODO_NONE;
	odo_side side[2] = {{a, same}, {b, same}};
	assert_int_equal(odo_mix_init(&mix, f, side, a == b ? 1 : 2), 0);
	assert_int_equal(odo_dependencies_init(&deps, f, n_vls, &err), 0);
	assert_int_equal(odo_waits_collect(&mix, wanted, &deps, &err), 0);
	odo_mix_clear(&mix);
	free(same);
	free(wanted);
	return deps;
}

static uint64_t count_collected(const odo_tables *a, const odo_tables *b, unsigned n_vls)
{
	odo_dependencies deps = collect_waits(a, b, n_vls, false);
	uint64_t n = odo_dependencies_count(&deps);
	odo_dependencies_clear(&deps);
	return n;
}

static void every_hop_may_be_old_or_new(void **state)
{
	(void)state;
	odo_rng rng = odo_rng_make(9, 0);
	for (unsigned round = 0; round < 18; round++) {
		const char *specs[] = {"torus:k=5x3,c=2", "random:n=10,d=4,c=1",
				       "dragonfly:p=1,a=3,h=1"};
		const char *engines[] = {"layered", "updown", NULL};
		fixture x = make(specs[round % 3], 0);
		odo_tables *a = routed(&x, engines[round / 3 % 3]);
		odo_tables *b = routed(&x, engines[(round / 3 + round / 9) % 3]);
		if (round % 2)
			spoil(a, &rng, 8);
		unsigned n_vls = a->n_vls > b->n_vls ? a->n_vls : b->n_vls;
		explorer e = {.t = {a, b}, .n_vls = n_vls};
		assert_int_equal(count_collected(a, b, n_vls), explored(&e));
		odo_tables_free(a);
		odo_tables_free(b);
		unmake(&x);
	}
}

/* Every column of a LID, for the fewest changes by which all arrive. */
typedef struct columns {
	const odo_tables *now;
	const odo_fabric *f;
	uint32_t lid;
	uint8_t old[8], port[8];
	bool short_too; /* no path is longer than the new one */
	unsigned least;
} columns;

static uint32_t steps(const columns *x, const uint8_t *port, uint32_t s)
{
	uint32_t n = 0;
	for (; s != x->f->lid_switch[x->lid] && n <= x->f->n_switches; n++) {
		uint32_t to = port[s] - 1u < odo_n_ports(x->f, s)
				      ? odo_next_switch(x->f, odo_slot(x->f, s, port[s]))
				      : ODO_NONE;
		if (to == ODO_NONE)
			return ODO_NONE;
		s = to;
	}
	return n <= x->f->n_switches ? n : ODO_NONE;
}

static void try_columns(columns *x, uint32_t s, unsigned changes)
{
	uint8_t new[8];
	if (changes >= x->least)
		return;
	if (s < x->f->n_switches) {
		for (unsigned port = 1; port <= odo_n_ports(x->f, s); port++) {
			if (odo_next_switch(x->f, odo_slot(x->f, s, port)) == ODO_NONE)
				continue;
			bool is_home = s == x->f->lid_switch[x->lid];
			x->port[s] = (uint8_t)port;
			try_columns(x, s + 1, changes + (!is_home && port != x->old[s]));
			if (is_home)
				break;
		}
		return;
	}
	for (uint32_t i = 0; i < x->f->n_switches; i++)
		new[i] = (uint8_t)odo_next_port(x->now, i, x->lid);
	for (uint32_t i = 0; i < x->f->n_switches; i++) {
		uint32_t n = steps(x, x->port, i);
		if (n == ODO_NONE || (x->short_too && n > steps(x, new, i)))
			return;
	}
	x->least = changes;
}

static uint64_t fewest_changes(const odo_tables *a, const odo_tables *b, bool short_too)
{
	columns x = {.now = b, .f = b->fabric, .short_too = short_too};
	uint64_t sum = 0;
	for (x.lid = 0; x.lid < x.f->lid_count; x.lid++) {
		if (x.f->lid_switch[x.lid] == ODO_NONE)
			continue;
		for (uint32_t s = 0; s < x.f->n_switches; s++)
			x.old[s] = (uint8_t)odo_next_port(a, s, x.lid);
		x.least = UINT_MAX;
		try_columns(&x, 0, 0);
		sum += x.least;
	}
	return sum;
}

/* A ring loses the cable from place 0 to place 1. All went less than `right` places to the right,
 * and further to the left. @param fewest gets what a search over all tables finds */
static odo_transition broken_ring(const char *spec, unsigned right, uint64_t *fewest)
{
	fixture whole = make(spec, 0);
	ring r = ring_of(whole.f);
	fixture x = without(&whole, r.at[0], r.at[1]);
	odo_tables *a = routed(&whole, "updown"), *b = routed(&x, "updown");
	for (unsigned i = 0; i < r.n; i++)
		for (unsigned far = 1; far < r.n; far++)
			lead_round(a, &r, i, far, far < right);
	odo_transition counts = counted(a, b);
	*fewest = fewest_changes(a, b, false);
	odo_tables_free(a);
	odo_tables_free(b);
	unmake(&x);
	unmake(&whole);
	return counts;
}

/* All paths went to the right but to the switch on the left. Place 0 sent by this cable to places 1
 * and 2, place 1 to place 0. Place 3 sent to place 1 by way of 0, and behind that is nothing but 3
 * itself: it has to turn. Place 2 went to 0 by way of 3 and can go on. Two LIDs each. */
static void the_least_counts_what_leads_back(void **state)
{
	(void)state;
	uint64_t fewest;
	odo_transition r = broken_ring("torus:k=4,c=1", 3, &fewest);
	assert_int_equal(r.n_least, 2 * 4);
	assert_int_equal(r.n_least, fewest);
	assert_int_equal(r.n_changed, r.n_least);
	assert_int_equal(r.n_cut, 2 * 4);
	assert_int_equal(r.n_pairs, 2 * 8);
}

/* Places 4 and 5 sent to place 1 by the cable, and behind the entry of either there is nothing but
 * what comes back through it: both have to turn. */
static void all_of_a_dead_end_have_to_turn(void **state)
{
	(void)state;
	uint64_t fewest;
	odo_transition r = broken_ring("torus:k=6,c=1", 4, &fewest);
	assert_int_equal(r.n_least, fewest);
}

static void adaptive_tables_are_declined(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x3,c=1", 0);
	odo_tables *a = routed(&x, "dor"), *b = routed(&x, "ador");
	odo_transition r;
	odo_error err;
	assert_int_equal(odo_transition_count(a, b, false, &r, &err), ODO_EDECLINE);
	assert_int_equal(odo_transition_count(b, a, false, &r, &err), ODO_EDECLINE);
	odo_tables_free(a);
	odo_tables_free(b);
	unmake(&x);
}

/* What is said to be the least is never more than what can be had, and mostly is that. */
static void the_least_can_mostly_be_had(void **state)
{
	(void)state;
	static const char *const specs[] = {"random:n=6,d=3,c=1", "random:n=6,d=4,c=1",
					    "fattree:k=4,levels=2", "dragonfly:p=1,a=2,h=1"};
	uint64_t least = 0, as_short = 0, had = 0, had_short = 0;
	for (unsigned round = 0; round < 32; round++) {
		fixture whole = make(specs[round % 4], 0);
		uint32_t slot = round / 4 % 4 * 3;
		while (odo_next_switch(whole.f, slot) == ODO_NONE)
			slot++;
		uint32_t s = whole.f->owner[slot];
		fixture x = without(&whole, s, odo_next_switch(whole.f, slot));
		odo_tables *a = routed(&whole, "layered");
		odo_tables *b = routed(&x, round < 16 ? "layered" : "updown");
		odo_transition r = counted(a, b);
		uint64_t n = fewest_changes(a, b, false), n_short = fewest_changes(a, b, true);
		assert_true(r.n_least <= n && r.n_least_as_short <= n_short);
		assert_true(n_short <= r.n_changed && r.n_least <= r.n_least_as_short);
		least += r.n_least;
		as_short += r.n_least_as_short;
		had += n;
		had_short += n_short;
		odo_tables_free(a);
		odo_tables_free(b);
		unmake(&x);
		unmake(&whole);
	}
	print_message("least %llu, had %llu; as short %llu, had %llu\n", (unsigned long long)least,
		      (unsigned long long)had, (unsigned long long)as_short,
		      (unsigned long long)had_short);
	assert_true(10 * least >= 9 * had && 10 * as_short >= 9 * had_short);
}

/* What is judged in operation is not measured by its entries alone. */
static void hosts_that_share_a_tree_are_cheap(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=24x24,c=64", 0);
	odo_tables *t;
	odo_error err;
	assert_int_equal(odo_tables_create(x.f, "", &t, &err), 0);
	assert_true((uint64_t)x.f->n_switches * x.f->lid_count > ODO_TRANSITION_MOST);
	for (uint32_t lid = 1; lid < x.f->lid_count; lid++) /* each at another port of its switch */
		t->lft[(size_t)x.f->lid_switch[lid] * x.f->lid_count + lid] = (uint8_t)(lid % 64);
	bool dear;
	assert_int_equal(odo_transition_is_dear(t, &dear, &err), 0);
	assert_false(dear);
	for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
		t->lft[lid] = (uint8_t)(lid % 64);
	assert_int_equal(odo_transition_is_dear(t, &dear, &err), 0);
	assert_true(dear);
	odo_tables_free(t);
	unmake(&x);
}

/* The same without a proof in either of the tables. */
static odo_transition counted_unproved(const odo_tables *before, const odo_tables *now, bool weigh)
{
	odo_tables *a, *b;
	odo_transition x;
	odo_error err;
	assert_int_equal(odo_tables_copy(before, &a, &err), 0);
	assert_int_equal(odo_tables_copy(now, &b, &err), 0);
	assert_int_equal(odo_transition_count(a, b, true, &x, &err), 0);
	odo_tables_free(a);
	odo_tables_free(b);
	if (weigh)
		x.n_least = x.n_least_as_short = x.n_cycle_mixed = 0;
	return x;
}

/* Each of both may be proved or not; what is counted is the same. */
static void compare_counts(const odo_tables *before, odo_tables *now)
{
	odo_transition x, y = counted_unproved(before, now, false);
	odo_transition z = counted_unproved(before, now, true);
	odo_error err;
	uint64_t *proved = now->proved;
	for (unsigned i = 0; i < 2; i++) {
		now->proved = i ? NULL : proved;
		assert_int_equal(odo_transition_count(before, now, true, &x, &err), 0);
		assert_memory_equal(&x, &y, sizeof x);
		assert_int_equal(odo_transition_weigh(before, now, &x, &err), 0);
		assert_memory_equal(&x, &z, sizeof x);
	}
	now->proved = proved;
}

/* The dependencies that a proof leaves behind are those that packets to hosts wait for. */
static void compare_waits(const odo_tables *t)
{
	const odo_dependencies proved = odo_dependencies_proved(t);
	odo_dependencies deps = collect_waits(t, t, t->n_vls, true);
	assert_memory_equal(deps.bits, proved.bits,
			    (size_t)deps.n_channels * deps.words * sizeof *deps.bits);
	odo_dependencies_clear(&deps);
}

typedef struct sweep {
	fixture x;
	odo_tables *t;
	odo_history *history;
} sweep;

static sweep route_sweep(fixture x, const char *engine, const sweep *before, unsigned max_sls)
{
	odo_route_options options = {.before = before ? before->t : NULL,
				     .history = before ? before->history : NULL,
				     .max_sls = max_sls};
	sweep now = {.x = x};
	odo_error err;
	if (odo_route(x.f, x.c, engine, &options, &now.t, &err))
		fail_msg("%s", err.text);
	assert_int_equal(odo_history_note(options.history, now.t, &now.history, &err), 0);
	compare_waits(now.t);
	if (before)
		compare_counts(before->t, now.t);
	return now;
}

static void end_sweep(sweep *x)
{
	odo_history_free(x->history);
	odo_tables_free(x->t);
	unmake(&x->x);
}

/* Cables and switches go and come back; SLs are held; VLs are few. */
static void a_proof_changes_no_count(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		double switches, links;
		unsigned max_sls;
	} cases[] = {
		{"torus:k=4x3x3,c=2", NULL, 0, 0.04, 0},
		{"torus:k=5x4,c=2", NULL, 0.06, 0, 0},
		{"dragonfly:p=2,a=4,h=2", NULL, 0.05, 0.05, 0},
		{"fattree:k=6,levels=3", NULL, 0, 0.03, 0},
		{"flatfly:k=4x4,c=2", NULL, 0.1, 0.1, 0},
		{"random:n=20,d=4,c=2", "layered", 0, 0.08, 0},
		{"random:n=20,d=4,c=2", "updown", 0.06, 0.04, 0},
		{"slimfly:q=5,c=2", NULL, 0, 0.03, 1},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture plain = make(cases[i].spec, i % 2 ? 1 : 0);
		sweep first = route_sweep(shuffled(&plain, i), cases[i].engine, NULL,
					  cases[i].max_sls);
		sweep lost = route_sweep(damaged(&first.x, cases[i].switches, cases[i].links, i),
					 cases[i].engine, &first, cases[i].max_sls);
		sweep more = route_sweep(damaged(&lost.x, 0, 0.04, i), cases[i].engine, &lost,
					 cases[i].max_sls);
		compare_counts(more.t, lost.t);
		compare_counts(lost.t, first.t);
		end_sweep(&more);
		end_sweep(&lost);
		end_sweep(&first);
		unmake(&plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stays_does_nothing),
		cmocka_unit_test(a_proof_changes_no_count),
		cmocka_unit_test(a_triangle_can_loop),
		cmocka_unit_test(two_safe_tables_can_close_a_circle),
		cmocka_unit_test(a_lost_cable_is_not_blamed_on_the_change),
		cmocka_unit_test(every_mix_says_the_same),
		cmocka_unit_test(circles_are_those_of_plain_walks),
		cmocka_unit_test(every_hop_may_be_old_or_new),
		cmocka_unit_test(the_least_counts_what_leads_back),
		cmocka_unit_test(all_of_a_dead_end_have_to_turn),
		cmocka_unit_test(adaptive_tables_are_declined),
		cmocka_unit_test(the_least_can_mostly_be_had),
		cmocka_unit_test(hosts_that_share_a_tree_are_cheap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

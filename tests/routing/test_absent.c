/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SLs of ports that are away are not forgotten: when they are back, each is safe or reported. */
#include "absent.h"
#include "routing/reroute/saved.h"

typedef struct site {
	const char *spec;
	uint8_t lmc;
	bool two_ports; /* adapters with two ports, on two switches */
} site;

static const site sites[] = {
	{"torus:k=5x5,c=1", 0, false},       {"random:n=20,d=5,c=2", 0, false},
	{"dragonfly:p=2,a=4,h=2", 0, false}, {"random:n=16,d=4,c=2", 0, true},
	{"torus:k=4x4,c=2", 1, false},
};

/* Adapters of two hosts each become one with two ports. */
static odo_fabric *with_two_ports(const odo_fabric *f)
{
	odo_builder *b;
	odo_fabric *out;
	odo_error err;
	uint32_t id, n = f->n_hosts / 2;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		odo_node_info info = {ODO_SWITCH,     odo_n_ports(f, s), f->node_guid[s],
				      odo_name(f, s), f->switch_lid[s],  0};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		uint32_t t = odo_next_switch(f, i), s = f->owner[i];
		odo_link_info info = {f->width[i], f->speed[i], f->n_vls[i]};
		if (t != ODO_NONE && i < f->peer[i])
			assert_int_equal(odo_builder_link(b, s, odo_port(f, i), t,
							  odo_port(f, f->peer[i]), info, &err),
					 0);
	}
	for (uint32_t h = 0; h < n; h++) {
		odo_node_info info = {ODO_CA, 2, 0, "two ports", 0, 0};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
		for (unsigned p = 1; p <= 2; p++) {
			uint32_t slot = f->host_slot[h + (p - 1) * n], at = f->peer[slot];
			odo_link_info link = {f->width[slot], f->speed[slot], f->n_vls[slot]};
			assert_int_equal(odo_builder_port(b, id, p, 0xABC000u + 2 * h + p,
							  f->port_lid[slot], f->port_lmc[slot],
							  &err),
					 0);
			assert_int_equal(odo_builder_link(b, id, p, f->owner[at], odo_port(f, at),
							  link, &err),
					 0);
		}
	}
	if (odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &out, &err))
		fail_msg("%s", err.text);
	return out;
}

static fixture make_site(const site *p)
{
	fixture x = make(p->spec, p->lmc);
	if (p->two_ports) {
		odo_fabric *f = with_two_ports(x.f);
		odo_fabric_free(x.f);
		x.f = f;
	}
	return x;
}

typedef struct tally {
	unsigned sweeps, unsafe;
	uint32_t in_cycles;
	odo_sl_changes changes;
} tally;

static void count(tally *sum, absent *x)
{
	bool safe = absent_sweep(x);
	sum->sweeps++;
	sum->unsafe += !safe;
	sum->in_cycles += x->in_cycles;
}

static void end(tally *sum, absent *x)
{
	sum->changes.n_pairs += x->all.n_pairs;
	sum->changes.n_changed += x->all.n_changed;
	sum->changes.n_reconnect += x->all.n_reconnect;
	absent_end(x);
}

typedef void story(absent *x, tally *sum);

/* A host is off while cables are cut, and comes back. */
static void host_is_off(absent *x, tally *sum)
{
	uint32_t slot = absent_slot(x, odo_rng_below(&x->rng, x->whole->n_hosts));
	absent_cut(x, slot, true);
	count(sum, x);
	for (unsigned i = 0; i < 4; i++) {
		absent_toggle_cable(x, true);
		count(sum, x);
	}
	absent_cut(x, slot, false);
	count(sum, x);
}

/* A leaf comes back before the links of its hosts do, some one by one. */
static void leaf_is_first(absent *x, tally *sum)
{
	const odo_fabric *f = x->whole;
	uint32_t s = odo_host_switch(f, odo_rng_below(&x->rng, f->n_hosts));
	x->gone[s] = 1;
	absent_cut_hosts(x, s, true);
	count(sum, x);
	absent_toggle_cable(x, true);
	count(sum, x);
	x->gone[s] = 0;
	count(sum, x);
	for (unsigned i = 0; i < 3; i++) {
		absent_toggle_cable(x, i < 2);
		count(sum, x);
	}
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		if (!x->cut[i])
			continue;
		absent_cut(x, i, false);
		count(sum, x);
	}
}

/* A host is off while cables are cut, and comes back to another switch. */
static void host_moves_meanwhile(absent *x, tally *sum)
{
	uint32_t a = odo_rng_below(&x->rng, x->whole->n_hosts);
	uint32_t b = (a + 1 + odo_rng_below(&x->rng, x->whole->n_hosts - 1)) % x->whole->n_hosts;
	absent_cut(x, absent_slot(x, a), true);
	absent_cut(x, absent_slot(x, b), true);
	for (unsigned i = 0; i < 4; i++) {
		absent_toggle_cable(x, true);
		count(sum, x);
	}
	absent_swap_places(x, a, b);
	absent_cut(x, absent_slot(x, a), false);
	count(sum, x);
	absent_cut(x, absent_slot(x, b), false);
	count(sum, x);
}

/* Two hosts come back with each other's LIDs. */
static void lids_are_swapped(absent *x, tally *sum)
{
	uint32_t a = odo_rng_below(&x->rng, x->whole->n_hosts);
	uint32_t b = (a + 1 + odo_rng_below(&x->rng, x->whole->n_hosts - 1)) % x->whole->n_hosts;
	absent_cut(x, absent_slot(x, a), true);
	absent_cut(x, absent_slot(x, b), true);
	count(sum, x);
	absent_toggle_cable(x, true);
	absent_swap_lids(x, a, b);
	absent_cut(x, absent_slot(x, a), false);
	count(sum, x);
	absent_toggle_cable(x, true);
	count(sum, x);
	absent_cut(x, absent_slot(x, b), false);
	count(sum, x);
	absent_swap_lids(x, a, b);
	count(sum, x);
}

static void change_something(absent *x)
{
	const odo_fabric *f = x->whole;
	uint32_t a = odo_rng_below(&x->rng, f->n_hosts), b = odo_rng_below(&x->rng, f->n_hosts);
	uint32_t s = odo_host_switch(f, a), n_gone = 0, n_cut = 0;
	for (uint32_t v = 0; v < f->n_switches; v++)
		n_gone += x->gone[v];
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++)
		n_cut += x->cut[i] && odo_next_switch(f, i) != ODO_NONE;
	switch (odo_rng_below(&x->rng, 10)) {
	case 0:
		if (a != b)
			absent_swap_places(x, a, b);
		break;
	case 1:
		if (a != b &&
		    x->whole->port_lmc[absent_slot(x, a)] == x->whole->port_lmc[absent_slot(x, b)])
			absent_swap_lids(x, a, b);
		break;
	case 2:
		if (!x->gone[s] && n_gone < 2)
			absent_cut_hosts(x, s, true);
		x->gone[s] = !x->gone[s] && n_gone < 2;
		break;
	case 3:
	case 4:
	case 5:
		absent_cut(x, absent_slot(x, a), !x->cut[absent_slot(x, a)]);
		break;
	default:
		absent_toggle_cable(x, n_cut < 16 && odo_rng_below(&x->rng, 2));
	}
}

/* Another manager goes on from what this one left. */
static void restart(absent *x)
{
	FILE *file = tmpfile();
	odo_saved known;
	odo_error err;
	assert_non_null(file);
	assert_int_equal(odo_saved_write(x->t, x->history, 0, file, &err), 0);
	rewind(file);
	if (odo_saved_read(file, "saved", &known, &err))
		fail_msg("%s", err.text);
	fclose(file);
	odo_history_free(x->history);
	odo_tables_free(x->t);
	odo_fabric_free(x->f);
	x->history = known.history;
	x->t = known.tables;
	x->f = known.fabric;
}

static void anything_happens(absent *x, tally *sum)
{
	for (unsigned i = 0; i < 20; i++) {
		if (!odo_rng_below(&x->rng, 4))
			restart(x);
		for (unsigned n = 1 + odo_rng_below(&x->rng, 3); n; n--)
			change_something(x);
		count(sum, x);
	}
}

/* Few pairs are reported: no answer is to report them all. */
static void play_all(const char *name, story *play, unsigned seeds)
{
	for (size_t i = 0; TEST_ROW(i, sites, sites[i].spec); i += test_stride()) {
		fixture whole = make_site(&sites[i]);
		tally sum = {0};
		for (uint64_t seed = 1; seed <= test_seeds(seeds); seed++) {
			absent x = {0};
			absent_start(&x, whole.f, seed);
			play(&x, &sum);
			end(&sum, &x);
		}
		print_message("%s, %s, LMC %u%s: %u of %u sweeps unsafe, %u channels in cycles; "
			      "%llu of %llu pairs reported\n",
			      name, sites[i].spec, sites[i].lmc,
			      sites[i].two_ports ? ", two ports" : "", sum.unsafe, sum.sweeps,
			      sum.in_cycles, (unsigned long long)sum.changes.n_reconnect,
			      (unsigned long long)sum.changes.n_pairs);
		assert_int_equal(sum.unsafe, 0);
		assert_true(sum.changes.n_reconnect * 30 < sum.changes.n_pairs);
		unmake(&whole);
	}
}

static void a_host_that_was_off_is_safe(void **state)
{
	(void)state;
	play_all("host off", host_is_off, 30);
}

static void a_leaf_before_its_hosts_is_safe(void **state)
{
	(void)state;
	play_all("leaf first", leaf_is_first, 15);
}

static void a_host_that_moved_meanwhile_is_safe(void **state)
{
	(void)state;
	play_all("host moves", host_moves_meanwhile, 10);
}

static void lids_of_others_are_safe(void **state)
{
	(void)state;
	play_all("LIDs change", lids_are_swapped, 10);
}

static void whatever_happens_is_safe(void **state)
{
	(void)state;
	play_all("anything", anything_happens, 10);
}

static void compare(const absent *x, odo_sl_changes *changes)
{
	odo_error err;
	assert_int_equal(odo_history_compare(x->history, x->t, changes, NULL, 0, &err), 0);
}

/* Pairs are reported in the sweep in which the host is back, and not again. */
static void what_is_owed_is_reported_once(void **state)
{
	(void)state;
	fixture whole = make_site(&sites[3]);
	unsigned reported = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		absent x = {0};
		tally sum = {0};
		odo_sl_changes changes;
		absent_start(&x, whole.f, seed);
		uint32_t slot = absent_slot(&x, 3);
		absent_cut(&x, slot, true);
		for (unsigned i = 0; i < 4; i++) {
			absent_toggle_cable(&x, true);
			count(&sum, &x);
		}
		bool owed = x.history->owed != NULL;
		uint64_t before = x.all.n_reconnect;
		absent_cut(&x, slot, false);
		count(&sum, &x);
		reported += owed && x.all.n_reconnect > before;
		assert_null(x.history->owed);
		compare(&x, &changes);
		assert_int_equal(changes.n_reconnect, 0);
		end(&sum, &x);
	}
	assert_true(reported > 0);
	unmake(&whole);
}

/* SLs towards switches themselves, which programs that read their counters use. */
static void switches_are_destinations(void **state)
{
	(void)state;
	fixture x = make("torus:k=5x5,c=1", 0);
	odo_error err;
	odo_history *h;
	odo_tables *t;
	odo_sl_changes changes;
	odo_reconnect told;
	assert_int_equal(odo_route(x.f, x.c, "torus", NULL, &t, &err), 0);
	assert_int_equal(odo_history_note(NULL, t, &h, &err), 0);
	uint16_t lid = x.f->switch_lid[7];
	h->held[3 * h->lid_count + lid] |= 1u << 15;
	assert_int_equal(odo_history_compare(h, t, &changes, &told, 1, &err), 0);
	assert_int_equal(changes.n_reconnect, 1);
	assert_int_equal(changes.n_pairs, x.f->n_switches * (x.f->n_hosts + x.f->n_switches));
	assert_true(told.s == 3 && told.lid == lid && told.held == 1u << 15);
	t->hosts_only = true;
	assert_int_equal(odo_history_compare(h, t, &changes, &told, 1, &err), 0);
	assert_int_equal(changes.n_reconnect, 0);
	odo_history_free(h);
	odo_tables_free(t);
	unmake(&x);
}

/* Every node is replaced again and again: a history has an end, and knows those gone last. */
static void a_history_is_bounded(void **state)
{
	(void)state;
	fixture x = make("torus:k=4x4,c=1", 0);
	odo_error err;
	odo_history *h = NULL;
	odo_tables *t;
	uint32_t n = x.f->n_switches;
	assert_int_equal(odo_route(x.f, x.c, "updown", NULL, &t, &err), 0);
	for (unsigned round = 0; round < 40; round++) {
		odo_history *next;
		for (uint32_t v = 0; v < x.f->n_nodes; v++)
			x.f->node_guid[v] += 0x10000;
		for (uint32_t i = 0; i < x.f->n_hosts; i++)
			x.f->port_guid[x.f->host_slot[i]] += 0x10000;
		assert_int_equal(odo_history_note(h, t, &next, &err), 0);
		odo_history_free(h);
		h = next;
		assert_true(h->n_switches <= 2 * n + 64 && h->n_ports <= 2 * n + 64);
		assert_int_equal(h->n_here, n);
		assert_true(!round || h->switch_guid[n] == x.f->node_guid[0] - 0x10000);
		for (uint32_t i = 0; i < h->n_ports; i++)
			assert_in_range(h->port_switch[i], 0, h->n_switches - 1);
	}
	assert_int_equal(h->n_switches, 2 * n + 64);
	odo_history_free(h);
	odo_tables_free(t);
	unmake(&x);
}

/* Version 2635b85f wrote this file for a torus whose host 3 was away, and did not list ports. */
static void ports_of_older_files_are_found(void **state)
{
	(void)state;
	fixture whole = make("torus:k=4x5,c=1", 0);
	FILE *file = fopen(TEST_DATA "/without-ports.past", "rb");
	uint32_t slot = whole.f->host_slot[3], at = odo_host_switch(whole.f, 3);
	odo_saved known;
	odo_history *past;
	odo_error err;
	assert_non_null(file);
	if (odo_saved_read(file, "without-ports.past", &known, &err))
		fail_msg("%s", err.text);
	fclose(file);
	const odo_history *h = known.history;
	assert_int_equal(h->n_here, whole.f->n_hosts - 1);
	assert_int_equal(h->n_ports, whole.f->n_hosts);
	assert_true(h->port_guid[h->n_here] == whole.f->port_guid[slot]);
	assert_true(h->switch_guid[h->port_switch[h->n_here]] == whole.f->node_guid[at]);
	assert_int_equal(odo_history_continue(h, whole.f, &past, &err), 0);
	for (uint32_t lid = 1; lid < whole.f->lid_count; lid++)
		assert_true(odo_history_held(past, at, lid));
	odo_history_free(past);
	odo_saved_clear(&known);
	unmake(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_that_was_off_is_safe),
		cmocka_unit_test(a_leaf_before_its_hosts_is_safe),
		cmocka_unit_test(a_host_that_moved_meanwhile_is_safe),
		cmocka_unit_test(lids_of_others_are_safe),
		cmocka_unit_test(whatever_happens_is_safe),
		cmocka_unit_test(what_is_owed_is_reported_once),
		cmocka_unit_test(switches_are_destinations),
		cmocka_unit_test(a_history_is_bounded),
		cmocka_unit_test(ports_of_older_files_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

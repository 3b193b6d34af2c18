/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verifier finds what is wrong with tables: fed deadlocks, loops, dead ends, VLs that do
 * not exist, and the tables of a sound routing. */
#include "base/memory.h"
#include "fixture.h"

static odo_tables *route(const fixture *x, const char *engine)
{
	odo_tables *t = NULL;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static void expect_unsafe(const odo_tables *t, odo_verdict *verdict, const char *said)
{
	odo_error err = {0};
	assert_int_equal(odo_verify(t, verdict, &err), ODO_EUNSAFE);
	if (!strstr(err.text, said))
		fail_msg("expected \"%s\" in \"%s\"", said, err.text);
	assert_string_equal(verdict->text, err.text);
}

static void sound_tables_pass(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = route(&x, "dragonfly");
	odo_verdict verdict;
	odo_error err;
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	assert_true(verdict.delivers && verdict.deadlock_free && verdict.within_vls);
	assert_int_equal(verdict.max_hops, 3);
	assert_int_equal(verdict.n_pairs, 36 * (36 + 72));
	assert_int_equal(verdict.n_cut, 0);
	assert_true(verdict.n_dependencies > 0);
	assert_null(verdict.cycle);
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

static bool depends(const odo_tables *t, odo_channel a, odo_channel b)
{
	const odo_fabric *f = t->fabric;
	uint32_t from = f->owner[a.slot], at = f->owner[f->peer[a.slot]];
	if (f->owner[b.slot] != at)
		return false;
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		if (odo_next_port(t, from, lid) == odo_port(f, a.slot) &&
		    odo_next_port(t, at, lid) == odo_port(f, b.slot) && f->lid_switch[lid] != at)
			return true;
	return false;
}

/* Each step of the cycle is one that some LID's packets take. */
static void dragonfly_on_one_vl_deadlocks(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = route(&x, "dragonfly");
	odo_verdict verdict;
	for (uint32_t i = 0; i < t->n_rows; i++)
		memset(t->rows[i].vl, 0, sizeof t->rows[i].vl);
	t->n_vls = 1;
	expect_unsafe(t, &verdict, "deadlock");
	assert_true(verdict.delivers && verdict.within_vls && !verdict.deadlock_free);
	assert_true(verdict.n_cycle >= 3 && verdict.n_cycle <= 9);
	for (uint32_t i = 0; i < verdict.n_cycle; i++)
		assert_true(depends(t, verdict.cycle[i], verdict.cycle[(i + 1) % verdict.n_cycle]));
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

/* A ring of four with every LID sent clockwise: delivered, and deadlocked. */
static void ring_on_one_vl_deadlocks(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=2x2,c=1", 0);
	odo_tables *t = route(&x, "dor");
	odo_verdict verdict;
	uint32_t round[4] = {0, 1, 3, 2};
	for (unsigned i = 0; i < 4; i++) {
		uint32_t s = round[i];
		for (uint32_t slot = x.f->first_slot[s]; slot < x.f->first_slot[s + 1]; slot++)
			for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
				if (odo_next_switch(x.f, slot) == round[(i + 1) % 4] &&
				    x.f->lid_switch[lid] != s)
					t->lft[(size_t)s * x.f->lid_count + lid] = (uint8_t)
						odo_port(x.f, slot);
	}
	expect_unsafe(t, &verdict, "deadlock");
	assert_int_equal(verdict.n_cycle, 4);
	assert_int_equal(verdict.max_hops, 3);
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

static uint8_t *entry(odo_tables *t, uint32_t s, uint32_t lid)
{
	return &t->lft[(size_t)s * t->fabric->lid_count + lid];
}

static uint32_t port_between(const odo_fabric *f, uint32_t a, uint32_t b)
{
	for (uint32_t slot = f->first_slot[a]; slot < f->first_slot[a + 1]; slot++)
		if (odo_next_switch(f, slot) == b)
			return odo_port(f, slot);
	return 0;
}

static void broken_entries_are_found(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=4,c=2", 0);
	odo_tables *t = route(&x, "dor");
	odo_verdict verdict;
	uint32_t lid = x.f->switch_lid[3];
	uint8_t good = *entry(t, 0, lid);
	struct {
		uint8_t port;
		const char *said;
	} const cases[] = {
		{ODO_NO_PORT, "has no entry"},
		{0, "receives it itself"},
		{200, "does not have"},
		{(uint8_t)odo_port(x.f, x.f->peer[x.f->host_slot[0]]), "another LID"},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].said); i++) {
		*entry(t, 0, lid) = cases[i].port;
		expect_unsafe(t, &verdict, cases[i].said);
		assert_false(verdict.delivers);
		odo_verdict_clear(&verdict);
	}
	*entry(t, 0, lid) = good;
	uint8_t of_two = *entry(t, 2, lid); /* the switch that is to blame is named */
	*entry(t, 2, lid) = ODO_NO_PORT;
	expect_unsafe(t, &verdict, "ends at switch \"S2\"");
	odo_verdict_clear(&verdict);
	*entry(t, 2, lid) = of_two;
	*entry(t, 0, lid) = (uint8_t)port_between(x.f, 0, 1);
	*entry(t, 1, lid) = (uint8_t)port_between(x.f, 1, 0);
	expect_unsafe(t, &verdict, "loop");
	odo_verdict_clear(&verdict);
	*entry(t, 0, lid) = good;
	*entry(t, 1, lid) = (uint8_t)port_between(x.f, 1, 0);
	odo_error err;
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	assert_int_equal(verdict.max_hops, 2);
	odo_verdict_clear(&verdict);
	/* A host's LID that its own switch gives to the other host. */
	uint32_t of_host = x.f->port_lid[x.f->host_slot[0]];
	*entry(t, odo_host_switch(x.f, 0),
	       of_host) = (uint8_t)odo_port(x.f, x.f->peer[x.f->host_slot[1]]);
	expect_unsafe(t, &verdict, "another LID");
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

/* OpenSM would mask such a VL, and fold it onto another. */
static void vl_over_budget_is_found(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = route(&x, "dragonfly");
	odo_verdict verdict;
	uint32_t slot = 0;
	while (odo_next_switch(x.f, slot) == ODO_NONE || x.c->port_class[slot] == ODO_PORT_GLOBAL)
		slot++;
	x.f->n_vls[slot] = 1;
	expect_unsafe(t, &verdict, "needs VL 1");
	assert_true(verdict.delivers && !verdict.within_vls);
	odo_verdict_clear(&verdict);
	x.f->n_vls[slot] = 8;
	t->n_vls = 1;
	expect_unsafe(t, &verdict, "needs VL 1");
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

static void dropping_vl_is_found(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = route(&x, "dragonfly");
	odo_verdict verdict;
	for (uint32_t i = 1; i < t->n_rows; i++)
		t->rows[i].vl[0] = ODO_VL_DROP;
	expect_unsafe(t, &verdict, "drops");
	assert_false(verdict.delivers);
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

/* SLs of single pairs count: the same ring of dependencies is safe while no pair's SL leads
 * to the VL that closes it, and a deadlock as soon as one does. */
static void sls_of_pairs_are_followed(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = route(&x, "dragonfly");
	odo_verdict verdict;
	odo_error err;
	size_t n = (size_t)x.f->n_switches * x.f->lid_count;
	t->sl_of_pair = calloc(n, 1);
	for (uint32_t i = 0; i < t->n_rows; i++)
		t->rows[i].vl[1] = 0; /* SL 1 keeps to VL 0 */
	t->n_sls = 2;
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	odo_verdict_clear(&verdict);
	memset(t->sl_of_pair, 1, n);
	expect_unsafe(t, &verdict, "deadlock");
	for (uint32_t i = 0; i < verdict.n_cycle; i++)
		assert_int_equal(verdict.cycle[i].vl, 0);
	odo_verdict_clear(&verdict);
	t->sl_of_pair[n - 1] = 2;
	assert_int_equal(odo_verify(t, &verdict, &err), ODO_EINPUT);
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

/* Operators drop SLs that nobody may use. An SL that no path has needs no VL, wherever; and where
 * one path has it, its own way there must have one. */
static void sls_of_no_path_are_not_asked(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=4,c=2", 0);
	odo_tables *t = route(&x, "dor");
	odo_verdict verdict;
	odo_error err;
	uint32_t n = x.f->n_switches, lids = x.f->lid_count;
	uint32_t lid = x.f->port_lid[x.f->host_slot[0]], home = x.f->lid_switch[lid];
	uint32_t from = home ? 0 : 1;
	t->sl_of_pair = calloc((size_t)n * lids, 1);
	memset(t->sl_of_pair, 2, lids); /* from the first switch */
	t->n_sls = 3;
	for (uint32_t i = 0; i < t->n_rows; i++)
		t->rows[i].vl[1] = ODO_VL_DROP;
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	odo_verdict_clear(&verdict);
	/* The last hop drops SL 2 from a neighbour that is not the first switch, and then is. */
	for (uint32_t s = n - 1; s < n; s--) {
		if (s == home)
			continue;
		uint32_t slot = odo_slot(x.f, s, odo_next_port(t, s, lid));
		uint16_t *row = odo_sl2vl_entry(t, home, odo_port(x.f, x.f->peer[slot]),
						x.f->lid_port[lid]);
		odo_sl2vl map = t->rows[*row];
		map.vl[2] = ODO_VL_DROP;
		assert_int_equal(odo_tables_row(t, &map, row, &err), 0);
		t->sl_of_pair[(size_t)s * lids + lid] = 0;
		assert_int_equal(odo_verify(t, &verdict, &err), 0);
		odo_verdict_clear(&verdict);
	}
	t->sl_of_pair[(size_t)from * lids + lid] = 2;
	expect_unsafe(t, &verdict, "drops");
	odo_verdict_clear(&verdict);
	t->sl_of_pair[(size_t)from * lids + lid] = 1;
	expect_unsafe(t, &verdict, "drops");
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

static void parts_are_counted_as_cut(void **state)
{
	(void)state;
	odo_builder *b;
	odo_error err;
	fixture x = {0};
	uint32_t id;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (int i = 0; i < 4; i++) {
		odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 2};
		assert_int_equal(odo_builder_add(b, &sw, &id, &err), 0);
	}
	assert_int_equal(odo_builder_link(b, 0, 1, 1, 1, (odo_link_info){0}, &err), 0);
	assert_int_equal(odo_builder_link(b, 2, 1, 3, 1, (odo_link_info){0}, &err), 0);
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &x.f, &err), 0);
	odo_tables *t = route(&x, NULL);
	odo_verdict verdict;
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	assert_int_equal(verdict.n_pairs, 8);
	assert_int_equal(verdict.n_cut, 8);
	*entry(t, 0, x.f->switch_lid[2]) = 1;
	expect_unsafe(t, &verdict, "no path reaches");
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

/* A chain, all LIDs of which are at one end: what is further away than can be counted is not
 * passed over in silence. */
static void endless_paths_are_found(void **state)
{
	(void)state;
	for (uint32_t n = 0xFFFD; n <= 0xFFFE; n++) {
		odo_builder *b;
		odo_fabric *f;
		odo_tables *t;
		odo_verdict verdict;
		odo_error err = {0};
		uint32_t id;
		assert_int_equal(odo_builder_create(&b, &err), 0);
		for (uint32_t s = 0; s < n; s++) {
			odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 2, .lid = s == 0};
			assert_int_equal(odo_builder_add(b, &sw, &id, &err), 0);
			if (s)
				assert_int_equal(odo_builder_link(b, s - 1, 2, s, 1,
								  (odo_link_info){0}, &err),
						 0);
		}
		assert_int_equal(odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &f, &err), 0);
		assert_int_equal(odo_tables_create(f, "chain", &t, &err), 0);
		for (uint32_t s = 1; s < n; s++)
			*entry(t, s, 1) = 1;
		if (n == 0xFFFD)
			assert_int_equal(odo_verify(t, &verdict, &err), 0);
		else
			expect_unsafe(t, &verdict, "more than 65532 links");
		assert_int_equal(verdict.max_hops, 0xFFFC);
		odo_verdict_clear(&verdict);
		odo_tables_free(t);
		odo_fabric_free(f);
	}
}

/* VLs on which packets wait at a slot in vain, for VL arbitration that gives `vls` weights there,
 * and all elsewhere; with `everywhere`, of all slots together. */
static unsigned waiting(odo_tables *t, uint32_t slot, unsigned vls, bool everywhere)
{
	odo_verdict verdict;
	odo_error err;
	unsigned found = 0;
	for (uint32_t i = 0; i < t->fabric->n_slots; i++)
		t->served[i] = everywhere || i == slot ? (uint16_t)vls : UINT16_MAX;
	int status = odo_verify(t, &verdict, &err);
	assert_true(status == 0 || status == ODO_EUNSAFE);
	assert_true(verdict.delivers && verdict.deadlock_free && verdict.within_vls);
	for (uint32_t i = 0; verdict.unserved && i < t->fabric->n_slots; i++) {
		assert_true(everywhere || i == slot || !verdict.unserved[i]);
		found |= verdict.unserved[i];
	}
	assert_int_equal(status, found ? ODO_EUNSAFE : 0);
	assert_true(!found == !strstr(verdict.text, "never leave"));
	odo_verdict_clear(&verdict);
	return found;
}

/* The VLs without a weight are told that packets need, and no others: with SLs by destination, and
 * by pair. */
static void unserved_vls_are_found(void **state)
{
	(void)state;
	const char *const cases[][2] = {{"dragonfly:p=2,a=4,h=2", "dragonfly"},
					{"torus:k=5x4,c=1", NULL}};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i][0]); i++) {
		fixture x = make(cases[i][0], 0);
		odo_tables *t = route(&x, cases[i][1]);
		unsigned all = (1u << t->n_vls) - 1;
		t->served = odo_new(x.f->n_slots, sizeof *t->served);
		assert_non_null(t->served);
		assert_true(t->n_vls > 1);
		assert_int_equal(waiting(t, 0, all, true), 0);
		for (unsigned vl = 0; vl < t->n_vls; vl++)
			assert_int_equal(waiting(t, 0, all & ~(1u << vl), true), 1u << vl);
		assert_int_equal(waiting(t, x.f->host_slot[0], 0, false),
				 1u << t->rows[t->host_row[0]].vl[0]);
		/* Out of the last switch, to a host. */
		assert_int_not_equal(waiting(t, x.f->peer[x.f->host_slot[1]], 0, false), 0);
		odo_tables_free(t);
		unmake(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_tables_pass),
		cmocka_unit_test(dragonfly_on_one_vl_deadlocks),
		cmocka_unit_test(ring_on_one_vl_deadlocks),
		cmocka_unit_test(broken_entries_are_found),
		cmocka_unit_test(vl_over_budget_is_found),
		cmocka_unit_test(dropping_vl_is_found),
		cmocka_unit_test(sls_of_pairs_are_followed),
		cmocka_unit_test(sls_of_no_path_are_not_asked),
		cmocka_unit_test(parts_are_counted_as_cut),
		cmocka_unit_test(endless_paths_are_found),
		cmocka_unit_test(unserved_vls_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables carried over to what their fabric has become: what stays, what is left out, and that both
 * the verifier and a plain walk find them sound. */
#include "fabric/twins.h"
#include "naive.h"
#include "routing/reroute/carry.h"
#include "routing/multicast/multicast.h"

/* A fabric again without some of its hosts, with other LIDs, or with fewer VLs. */
typedef struct change {
	uint32_t every;   /* of so many hosts leave out one; 0: none */
	uint32_t lids_by; /* added to each LID */
	uint8_t n_vls;    /* of all links; 0: as they were */
	uint8_t host_vls; /* of the hosts that `every` names, which are replaced by others then */
} change;

static bool is_named(const odo_fabric *f, uint32_t node, const change *c)
{
	return node >= f->n_switches && c->every && (node - f->n_switches) % c->every == 0;
}

static void add_node(odo_builder *b, const odo_fabric *f, uint32_t v, const change *c)
{
	uint32_t id;
	odo_error err;
	bool is_switch = odo_is_switch(f, v);
	uint64_t other = c->host_vls && is_named(f, v, c) ? 1ull << 60 : 0;
	odo_node_info info = {.type = (odo_node_type)f->node_type[v],
			      .n_ports = odo_n_ports(f, v),
			      .guid = f->node_guid[v] ^ other,
			      .name = odo_name(f, v)};
	if (is_switch && f->switch_lid[v]) {
		info.lid = (uint16_t)(f->switch_lid[v] + c->lids_by);
		info.lmc = f->switch_lmc[v];
	}
	assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	for (unsigned p = 1; !is_switch && p <= info.n_ports; p++) {
		uint32_t slot = odo_slot(f, v, p);
		assert_int_equal(odo_builder_port(b, id, p, f->port_guid[slot] ^ other,
						  (uint16_t)(f->port_lid[slot] + c->lids_by),
						  f->port_lmc[slot], &err),
				 0);
	}
}

static odo_fabric *changed(const odo_fabric *f, change c)
{
	odo_builder *b;
	odo_fabric *out;
	odo_error err;
	uint32_t *id = calloc(f->n_nodes, sizeof *id), n = 0;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		id[v] = is_named(f, v, &c) && !c.host_vls ? ODO_NONE : n++;
		if (id[v] != ODO_NONE)
			add_node(b, f, v, &c);
	}
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t v = f->owner[i], t = odo_neighbour(f, i);
		if (t == ODO_NONE || v > t || id[v] == ODO_NONE || id[t] == ODO_NONE)
			continue;
		odo_link_info info = {f->width[i], f->speed[i], c.n_vls ? c.n_vls : f->n_vls[i]};
		if (c.host_vls && is_named(f, t, &c))
			info.n_vls = c.host_vls;
		assert_int_equal(odo_builder_link(b, id[v], odo_port(f, i), id[t],
						  odo_port(f, f->peer[i]), info, &err),
				 0);
	}
	free(id);
	if (odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &out, &err))
		fail_msg("%s", err.text);
	return out;
}

static odo_tables *routed(const fixture *x, const char *engine)
{
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine, err.text);
	return t;
}

/* Does the path of before stand on the fabric now? By walking it in both. */
static bool stands(const odo_tables *t, const odo_fabric *now, const uint32_t *twin, uint32_t s,
		   uint32_t lid)
{
	const odo_fabric *then = t->fabric;
	while (then->lid_switch[lid] != s) {
		unsigned port = odo_next_port(t, s, lid);
		uint32_t next = odo_next_switch(then, odo_slot(then, s, port));
		if (twin[s] == ODO_NONE || twin[next] == ODO_NONE ||
		    odo_next_switch(now, odo_slot(now, twin[s], port)) != twin[next])
			return false;
		s = next;
	}
	return twin[s] != ODO_NONE;
}

static void expect_sound(const odo_tables *t, const odo_carried *c)
{
	odo_verdict verdict;
	odo_error err;
	odo_mcast *tree;
	naive x = naive_check(t);
	assert_true(x.delivers && x.deadlock_free && x.within_vls);
	if (odo_verify(t, &verdict, &err))
		fail_msg("%s", err.text);
	assert_int_equal(verdict.n_dependencies, x.n_waits);
	assert_int_equal(verdict.max_hops, x.max_hops);
	assert_int_equal(verdict.n_pairs, c->n_pairs);
	assert_int_equal(verdict.n_missing, c->n_missing);
	odo_verdict_clear(&verdict);
	/* A tree may not be found; it must not be looked for where there are no entries. */
	if (!odo_mcast_create(t, 1, &tree, &err))
		odo_mcast_free(tree);
}

/* All LIDs being what they were: paths that stand have kept ports and SLs, others are left out. */
static void expect_carried(const odo_tables *before, const odo_tables *t, const odo_carried *c)
{
	const odo_fabric *then = before->fabric, *now = t->fabric;
	uint32_t *twin = odo_twins(then, then->n_switches, now, now->n_switches);
	uint64_t n_reached = 0, n = 0;
	for (uint32_t s = 0; s < then->n_switches; s++) {
		for (uint32_t lid = 1; twin[s] != ODO_NONE && lid < then->lid_count; lid++) {
			if (then->lid_switch[lid] == ODO_NONE || lid >= now->lid_count ||
			    now->lid_switch[lid] == ODO_NONE)
				continue;
			if (!stands(before, now, twin, s, lid)) {
				assert_int_equal(odo_next_port(t, twin[s], lid), ODO_NO_PORT);
				continue;
			}
			n_reached++;
			assert_int_equal(odo_next_port(t, twin[s], lid),
					 odo_next_port(before, s, lid));
			assert_int_equal(odo_path_sl(t, twin[s], lid), odo_path_sl(before, s, lid));
		}
	}
	for (uint32_t lid = 1; lid < now->lid_count; lid++)
		for (uint32_t s = 0; s < now->n_switches && now->lid_switch[lid] != ODO_NONE; s++)
			n += odo_next_port(t, s, lid) != ODO_NO_PORT;
	assert_int_equal(n, c->n_pairs - c->n_missing);
	assert_true(n >= n_reached);
	free(twin);
	expect_sound(t, c);
}

static const struct {
	const char *spec, *engine;
	uint8_t lmc;
} rows[] = {
	{"dragonfly:p=2,a=4,h=2", "dragonfly", 0},
	{"dragonfly:p=1,a=4,h=2", "dragonfly-valiant", 1},
	{"dragonfly-plus:p=1,leaves=2,spines=2,h=2,g=5", "dragonfly-plus-valiant", 1},
	{"flatfly:k=3x3,c=2", "mixed-dor", 1},
	{"torus:k=5x4,c=1", "torus", 0},
	{"random:n=20,d=5,c=2", "layered", 0},
	{"random:n=20,d=5,c=1", "updown", 0},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static odo_tables *carried(const odo_tables *before, const odo_fabric *now, odo_carried *c)
{
	odo_tables *t;
	odo_error err;
	if (odo_carry(before, NULL, now, &t, c, &err))
		fail_msg("%s: %s", before->engine, err.text);
	assert_true(t->from.carried);
	return t;
}

static void nothing_changes_where_nothing_has(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS; i++) {
		fixture x = make(rows[i].spec, rows[i].lmc);
		odo_tables *before = routed(&x, rows[i].engine);
		odo_carried c;
		odo_tables *t = carried(before, x.f, &c);
		assert_int_equal(c.n_missing, 0);
		assert_memory_equal(t->lft, before->lft, (size_t)x.f->n_switches * x.f->lid_count);
		assert_memory_equal(t->sl2vl, before->sl2vl,
				    t->sl2vl_at[x.f->n_switches] * sizeof *t->sl2vl);
		assert_memory_equal(t->host_row, before->host_row,
				    x.f->n_hosts * sizeof *t->host_row);
		expect_carried(before, t, &c);
		odo_tables_free(t);
		odo_tables_free(before);
		unmake(&x);
	}
}

/* There, and on from what was carried there: cables, then switches too. Back on the whole fabric
 * what was left out stays so, and new switches have no more than themselves. */
static void what_stands_stays_and_the_rest_is_left_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS; i++) {
		fixture x = make(rows[i].spec, rows[i].lmc);
		odo_tables *before = routed(&x, rows[i].engine);
		for (uint64_t seed = 0; seed < 4; seed++) {
			fixture y = damaged(&x, seed % 2 * 0.1, seed < 2 ? 0.05 : 0.3, seed);
			odo_fabric *sorted;
			odo_error err;
			odo_carried c;
			assert_int_equal(odo_fabric_sort(y.f, &sorted, &err), 0);
			odo_tables *hurt = carried(before, sorted, &c);
			assert_true(c.n_missing > 0);
			expect_carried(before, hurt, &c);
			odo_tables *whole = carried(hurt, x.f, &c);
			expect_sound(whole, &c);
			assert_true(c.n_missing > 0);
			odo_tables_free(whole);
			odo_tables_free(hurt);
			odo_fabric_free(sorted);
			unmake(&y);
		}
		odo_tables_free(before);
		unmake(&x);
	}
}

/* Even the first host of a switch: it follows the tree to the switch itself. */
static void new_hosts_reach_all_and_are_reached(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS; i++) {
		fixture x = make(rows[i].spec, rows[i].lmc);
		odo_fabric *fewer = changed(x.f, (change){.every = 3});
		fixture y = {fewer, NULL};
		const odo_engine *row = odo_engine_find(rows[i].engine);
		/* Engines for a kind want its coordinates, whose slots hosts' absence would move.
		 */
		odo_tables *before = routed(&y, row->kinds >> ODO_KIND_UNKNOWN & 1 ? row->name
										   : "layered");
		odo_carried c;
		odo_tables *t = carried(before, x.f, &c);
		assert_true(fewer->n_hosts < x.f->n_hosts);
		assert_int_equal(c.n_missing, 0);
		expect_sound(t, &c);
		odo_tables_free(t);
		odo_tables_free(before);
		unmake(&y);
		unmake(&x);
	}
}

static void other_lids_follow_the_trees_of_their_owners(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS; i++) {
		fixture x = make(rows[i].spec, rows[i].lmc);
		odo_tables *before = routed(&x, rows[i].engine);
		odo_fabric *moved = changed(x.f, (change){.lids_by = 6});
		odo_carried c;
		odo_tables *t = carried(before, moved, &c);
		assert_int_equal(c.n_missing, 0);
		expect_sound(t, &c);
		for (uint32_t s = 0; s < moved->n_switches; s++)
			for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
				assert_int_equal(odo_next_port(t, s, lid + 6),
						 odo_next_port(before, s, lid));
		odo_tables_free(t);
		odo_fabric_free(moved);
		odo_tables_free(before);
		unmake(&x);
	}
}

static void links_that_lost_vls_end_it(void **state)
{
	(void)state;
	fixture x = make(rows[0].spec, 0);
	odo_tables *before = routed(&x, "dragonfly"), *t = NULL;
	odo_fabric *one = changed(x.f, (change){.n_vls = 1});
	odo_carried c;
	odo_error err;
	assert_int_equal(odo_carry(before, NULL, one, &t, &c, &err), ODO_EUNSAFE);
	assert_non_null(strstr(err.text, "needs VL 1"));
	odo_fabric_free(one);
	odo_tables_free(before);
	unmake(&x);
}

/* An adapter with one VL, at a port that had none or one with eight, spoils nothing. */
static void new_hosts_with_one_vl_are_served(void **state)
{
	(void)state;
	fixture x = make("random:n=20,d=5,c=3", 0);
	odo_fabric *fewer = changed(x.f, (change){.every = 7}),
		   *now = changed(x.f, (change){.every = 7, .host_vls = 1});
	const odo_fabric *const then[] = {x.f, fewer};
	for (size_t i = 0; i < 2; i++) {
		odo_tables *before, *t;
		odo_carried c;
		odo_error err;
		assert_int_equal(odo_route(then[i], NULL, "layered", NULL, &before, &err), 0);
		assert_true(before->n_vls > 1);
		t = carried(before, now, &c);
		assert_int_equal(c.n_missing, 0);
		expect_sound(t, &c);
		odo_tables_free(t);
		odo_tables_free(before);
	}
	odo_fabric_free(now);
	odo_fabric_free(fewer);
	unmake(&x);
}

/* A port that leads elsewhere now is none that stands. */
static void moved_cables_are_not_followed(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS; i++) {
		fixture x = make(rows[i].spec, rows[i].lmc);
		odo_tables *before = routed(&x, rows[i].engine);
		odo_fabric *moved;
		odo_carried c;
		odo_error err;
		assert_int_equal(odo_fabric_miscable(x.f, 0.2, 3, &moved, NULL, &err), 0);
		odo_tables *t = carried(before, moved, &c);
		assert_true(c.n_missing > 0);
		expect_carried(before, t, &c);
		odo_tables_free(t);
		odo_fabric_free(moved);
		odo_tables_free(before);
		unmake(&x);
	}
}

/* Leaving out is allowed, sending astray is not: an entry less within a path is found. */
static void an_entry_astray_is_found(void **state)
{
	(void)state;
	fixture x = make(rows[0].spec, 0);
	odo_tables *before = routed(&x, "dragonfly");
	odo_carried c;
	odo_verdict verdict;
	odo_error err;
	uint32_t n_found = 0, n_fine = 0;
	for (uint32_t s = 0; s < x.f->n_switches; s++) {
		odo_tables *t = carried(before, x.f, &c);
		uint32_t lid = x.f->port_lid[x.f->host_slot[0]], n_by = 0;
		for (uint32_t from = 0; from < x.f->n_switches; from++) {
			unsigned port = odo_next_port(t, from, lid);
			n_by += from != x.f->lid_switch[lid] &&
				odo_next_switch(x.f, odo_slot(x.f, from, port)) == s;
		}
		t->lft[(size_t)s * x.f->lid_count + lid] = ODO_NO_PORT;
		bool astray = n_by || s == x.f->lid_switch[lid];
		assert_int_equal(odo_verify(t, &verdict, &err), astray ? ODO_EUNSAFE : 0);
		n_found += astray;
		n_fine += !astray;
		odo_verdict_clear(&verdict);
		t->from.carried = false; /* and without leave to, no entry may be missing */
		assert_int_equal(odo_verify(t, &verdict, &err), ODO_EUNSAFE);
		odo_verdict_clear(&verdict);
		odo_tables_free(t);
	}
	assert_true(n_found && n_fine);
	odo_tables_free(before);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changes_where_nothing_has),
		cmocka_unit_test(what_stands_stays_and_the_rest_is_left_out),
		cmocka_unit_test(new_hosts_reach_all_and_are_reached),
		cmocka_unit_test(other_lids_follow_the_trees_of_their_owners),
		cmocka_unit_test(links_that_lost_vls_end_it),
		cmocka_unit_test(new_hosts_with_one_vl_are_served),
		cmocka_unit_test(moved_cables_are_not_followed),
		cmocka_unit_test(an_entry_astray_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

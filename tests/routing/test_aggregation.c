/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Aggregation nodes, of which newer switches have one each, are reached, and change no path of
 * hosts: nobody sends data to them. */
#include "bounds.h"

/* The same fabric with an aggregation node behind a port more of each switch. */
static fixture with_aggregation_nodes(const fixture *x, uint8_t lmc)
{
	const odo_fabric *f = x->f;
	fixture y = {0};
	odo_builder *b;
	odo_error err;
	uint32_t id;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		odo_node_info info = {.type = (odo_node_type)f->node_type[v],
				      .n_ports = odo_n_ports(f, v) + (v < f->n_switches),
				      .guid = f->node_guid[v],
				      .name = odo_name(f, v)};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t far = f->peer[i];
		odo_link_info link = {f->width[i], f->speed[i], f->n_vls[i]};
		if (far != ODO_NONE && i < far)
			assert_int_equal(odo_builder_link(b, f->owner[i], odo_port(f, i),
							  f->owner[far], odo_port(f, far), link,
							  &err),
					 0);
	}
	for (uint32_t s = 0; s < f->n_switches; s++) {
		odo_node_info info = {.type = ODO_CA,
				      .n_ports = 1,
				      .guid = 0xa000000000000000 + 16ull * s,
				      .name = "Mellanox Technologies Aggregation Node"};
		odo_link_info link = {4, ODO_QDR, 8};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
		assert_int_equal(odo_builder_link(b, s, odo_n_ports(f, s) + 1, id, 1, link, &err),
				 0);
	}
	if (odo_builder_freeze(b, ODO_LIDS_FILL, lmc, &y.f, &err))
		fail_msg("%s", err.text);
	assert_int_equal(odo_coordinates_create(y.f, x->c->n_dims, &y.c, &err), 0);
	y.c->kind = x->c->kind;
	y.c->q = x->c->q;
	memcpy(y.c->factor, x->c->factor, sizeof y.c->factor);
	memcpy(y.c->size, x->c->size, sizeof y.c->size);
	memcpy(y.c->width, x->c->width, sizeof y.c->width);
	memcpy(y.c->at, x->c->at, (size_t)f->n_switches * x->c->n_dims * sizeof *y.c->at);
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned port = 1; port <= odo_n_ports(f, s); port++)
			y.c->port_class[odo_slot(y.f, s, port)] =
				x->c->port_class[odo_slot(f, s, port)];
	return y;
}

static void expect_the_same_paths(const fixture *x, const fixture *y, const char *engine,
				  const char *what)
{
	odo_tables *t = route(x, engine, NULL), *u = route(y, engine, NULL);
	assert_string_equal(t->engine, u->engine);
	assert_int_equal(t->n_vls, u->n_vls);
	for (uint32_t h = 0; h < x->f->n_hosts; h++) {
		uint32_t slot = x->f->host_slot[h], there = ODO_NONE;
		for (uint32_t k = 0; k < y->f->n_senders && there == ODO_NONE; k++)
			if (y->f->node_guid[y->f->owner[y->f->host_slot[k]]] ==
			    x->f->node_guid[x->f->owner[slot]])
				there = y->f->host_slot[k];
		assert_int_not_equal(there, ODO_NONE);
		for (uint32_t i = 0; i < x->f->n_switches << x->f->port_lmc[slot]; i++) {
			uint32_t s = i >> x->f->port_lmc[slot], k = i - (s << x->f->port_lmc[slot]);
			if (odo_next_port(t, s, x->f->port_lid[slot] + k) !=
			    odo_next_port(u, s, y->f->port_lid[there] + k))
				fail_msg("%s, %s: another way from switch %u to host %u", what,
					 t->engine, s, h);
		}
	}
	odo_tables_free(t);
	odo_tables_free(u);
}

static void paths_between_hosts_are_what_they_were(void **state)
{
	static const struct {
		const char *spec;
		double switches, links;
	} rows[] = {{"fattree:k=8,levels=3", 0, 0},
		    {"fattree:k=8,levels=3", .02, .04},
		    {"fattree:k=16,levels=2", 0, .05},
		    {"pgft:m=8x6,w=1x4,p=1x2", 0, 0},
		    {"fattree:k=8,levels=2,rails=2", 0, 0},
		    {"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9", 0, 0},
		    {"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=5", .03, .02},
		    {"dragonfly:p=2,a=4,h=2", .03, .02},
		    {"flatfly:k=4x4,c=2", 0, .05},
		    {"torus:k=5x4,c=2", 0, .03},
		    {"mesh:k=4x4,c=2", 0, 0},
		    {"slimfly:q=5,c=2", 0, .03}};
	static const char *const engines[] = {NULL, "updown", "layered"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		fixture whole = make(rows[i].spec, 0);
		fixture x = damaged(&whole, rows[i].switches, rows[i].links, 1);
		fixture y = with_aggregation_nodes(&x, 0);
		for (size_t k = 0; TEST_ROW(k, engines, engines[k]); k++)
			expect_the_same_paths(&x, &y, engines[k], rows[i].spec);
		unmake(&y);
		unmake(&x);
		unmake(&whole);
	}
}

static void several_lids_lead_where_they_did(void **state)
{
	static const char *const rows[][2] = {
		{"dragonfly-plus:p=2,leaves=4,spines=4,h=4,g=9", NULL},
		{"fattree:k=6,levels=3", NULL},
		{"fattree:k=6,levels=3", "updown"}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i][0]); i++) {
		fixture x = make(rows[i][0], 1), y = with_aggregation_nodes(&x, 1);
		expect_the_same_paths(&x, &y, rows[i][1], rows[i][0]);
		unmake(&y);
		unmake(&x);
	}
}

/* Which of several ways is taken hangs on the number of a switch's ports there. */
static void ways_over_a_third_group_are_proved(void **state)
{
	static const char *const rows[][2] = {
		{"dragonfly-plus:p=2,leaves=4,spines=4,h=4,g=17", "dragonfly-plus-valiant"},
		{"dragonfly:p=2,a=4,h=2", "dragonfly-valiant"}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i][0]); i++) {
		fixture x = make(rows[i][0], 1), y = with_aggregation_nodes(&x, 1);
		odo_tables *t = route(&x, rows[i][1], NULL), *u = route(&y, rows[i][1], NULL);
		assert_int_equal(t->n_vls, u->n_vls);
		assert_true(uniform(u) > 0.95 * uniform(t));
		odo_tables_free(t);
		odo_tables_free(u);
		unmake(&y);
		unmake(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_between_hosts_are_what_they_were),
		cmocka_unit_test(several_lids_lead_where_they_did),
		cmocka_unit_test(ways_over_a_third_group_are_proved),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Transforms change what they say and nothing else, exactly as much as they say, and the same
 * way for the same seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "tests/fabric_check.h"
#include "tests/unit.h"

static odo_error err;

static odo_fabric *make(const char *spec, odo_coordinates **truth)
{
	odo_fabric *f = NULL;
	assert_int_equal(odo_topology_generate(spec, 1, &f, truth, &err), 0);
	return f;
}

static uint32_t switch_links(const odo_fabric *f)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < f->first_slot[f->n_switches]; s++)
		n += odo_next_switch(f, s) != ODO_NONE;
	return n / 2;
}

static bool equal(const odo_fabric *f, const odo_fabric *g)
{
	return f->n_nodes == g->n_nodes && f->n_slots == g->n_slots &&
	       !memcmp(f->node_guid, g->node_guid, f->n_nodes * sizeof *f->node_guid) &&
	       !memcmp(f->first_slot, g->first_slot, f->n_nodes * sizeof *f->first_slot) &&
	       !memcmp(f->peer, g->peer, f->n_slots * sizeof *f->peer) &&
	       !memcmp(f->port_lid, g->port_lid, f->n_slots * sizeof *f->port_lid);
}

/* Cables of `out` are those of `in` where both ends have their origin. */
static void check_origin(const odo_fabric *in, const odo_fabric *out, const odo_origin *origin)
{
	for (uint32_t s = 0; s < out->n_slots; s++) {
		uint32_t old = origin->slot[s];
		assert_int_equal(in->owner[old], origin->node[out->owner[s]]);
		assert_int_equal(in->node_type[in->owner[old]], out->node_type[out->owner[s]]);
		if (out->peer[s] == ODO_NONE)
			continue;
		assert_int_equal(in->peer[old], origin->slot[out->peer[s]]);
		assert_int_equal(in->speed[old], out->speed[s]);
	}
}

static void shuffling_keeps_the_graph_and_hides_the_rest(void **state)
{
	(void)state;
	odo_fabric *in = make("dragonfly:p=2,a=4,h=2,ports=12", NULL), *out, *again, *other;
	odo_origin origin;
	assert_int_equal(odo_fabric_shuffle(in, 7, &out, &origin, &err), 0);
	assert_int_equal(odo_fabric_shuffle(in, 7, &again, NULL, &err), 0);
	assert_int_equal(odo_fabric_shuffle(in, 8, &other, NULL, &err), 0);
	assert_int_equal(odo_fabric_check(out, &err), 0);
	assert_int_equal(out->n_links, in->n_links);
	assert_int_equal(out->n_hosts, in->n_hosts);
	check_origin(in, out, &origin);
	assert_true(equal(out, again));
	assert_false(equal(out, other));
	uint32_t same_place = 0, same_port = 0;
	for (uint32_t v = 0; v < out->n_nodes; v++) {
		same_place += origin.node[v] == v;
		assert_string_not_equal(odo_name(out, v), odo_name(in, origin.node[v]));
		assert_true(out->node_guid[v] != in->node_guid[origin.node[v]]);
	}
	for (uint32_t s = 0; s < out->n_slots; s++)
		same_port += odo_port(out, s) == odo_port(in, origin.slot[s]);
	assert_in_range(same_place, 0, 15); /* 1 expected in each of two permutations */
	assert_in_range(same_port, 0, out->n_slots / 2);
	assert_int_equal(out->port_lmc[out->host_slot[0]], 1);
	odo_origin_free(&origin);
	odo_fabric_free(other);
	odo_fabric_free(again);
	odo_fabric_free(out);
	odo_fabric_free(in);
}

static void damage_takes_exactly_what_it_says(void **state)
{
	(void)state;
	static const odo_damage cases[] = {
		{0, 0, 1}, {0.2, 0.15, 2}, {0.5, 0, 3},          {0, 0.333, 4},
		{1, 1, 5}, {0.999, 0, 6},  {0.4, 0.1, 1ul << 40}};
	odo_fabric *in = make("flatfly:k=5x4,c=3", NULL);
	for (size_t i = 0; TEST_ROW(i, cases, NULL); i++) {
		odo_fabric *out, *cut;
		odo_origin origin;
		odo_damage switches = cases[i];
		switches.links = 0;
		assert_int_equal(odo_fabric_damage(in, &cases[i], &out, &origin, &err), 0);
		assert_int_equal(odo_fabric_damage(in, &switches, &cut, NULL, &err), 0);
		assert_int_equal(odo_fabric_check(out, &err), 0);
		uint32_t left = 20 - (uint32_t)lround(cases[i].switches * 20);
		assert_int_equal(out->n_switches, left);
		assert_int_equal(out->n_hosts, left * 3);
		assert_int_equal(out->n_nodes, left * 4);
		assert_int_equal(switch_links(out),
				 switch_links(cut) - lround(cases[i].links * switch_links(cut)));
		check_origin(in, out, &origin);
		for (uint32_t v = 0; v < out->n_nodes; v++)
			assert_true(out->node_guid[v] == in->node_guid[origin.node[v]]);
		for (uint32_t s = 0; s < out->n_slots; s++)
			assert_int_equal(out->port_lid[s], in->port_lid[origin.slot[s]]);
		odo_origin_free(&origin);
		odo_fabric_free(cut);
		odo_fabric_free(out);
	}
	odo_fabric_free(in);
}

static void impossible_shares_are_refused(void **state)
{
	(void)state;
	odo_fabric *in = make("flatfly:k=4", NULL), *out;
	odo_damage bad = {1.5, 0, 1}, nan_share = {0, NAN, 1};
	assert_int_equal(odo_fabric_damage(in, &bad, &out, NULL, &err), ODO_EINPUT);
	assert_int_equal(odo_fabric_damage(in, &nan_share, &out, NULL, &err), ODO_EINPUT);
	assert_int_equal(odo_fabric_miscable(in, -0.1, 1, &out, NULL, &err), ODO_EINPUT);
	odo_fabric_free(in);
}

static bool joined(const odo_fabric *f, uint32_t a, uint32_t b)
{
	for (uint32_t s = f->first_slot[a]; s < f->first_slot[a + 1]; s++)
		if (odo_next_switch(f, s) == b)
			return true;
	return false;
}

static void check_miscabling(const char *spec, double share, uint32_t expect)
{
	odo_fabric *in = make(spec, NULL), *out, *again;
	odo_miscabling moved;
	uint32_t changed = 0;
	assert_int_equal(odo_fabric_miscable(in, share, 3, &out, &moved, &err), 0);
	assert_int_equal(odo_fabric_miscable(in, share, 3, &again, NULL, &err), 0);
	assert_int_equal(odo_fabric_check(out, &err), 0);
	assert_true(equal(out, again));
	assert_int_equal(moved.n, expect);
	assert_int_equal(out->n_links, in->n_links);
	for (uint32_t i = 0; i < moved.n; i++) {
		uint32_t a = moved.slot[i][0], b = moved.slot[i][1];
		assert_int_equal(out->peer[a], b);
		assert_false(joined(in, out->owner[a], out->owner[b]));
	}
	/* Of a swap's two cables all four slots changed, of a moved one its ends and a third. */
	for (uint32_t s = 0; s < in->n_slots; s++)
		changed += out->peer[s] != in->peer[s];
	assert_in_range(changed, 2 * moved.n, 3 * moved.n);
	free(moved.slot);
	odo_fabric_free(again);
	odo_fabric_free(out);
	odo_fabric_free(in);
}

static void miscabling_moves_what_it_reports(void **state)
{
	(void)state;
	/* 288 cables between switches. */
	check_miscabling("flatfly:k=4x4x4", 0, 0);
	check_miscabling("flatfly:k=4x4x4", 0.05, 14); /* no port is free: swaps */
	check_miscabling("flatfly:k=4x4x4", 0.0348, 10);
	check_miscabling("flatfly:k=4x4x4", 0.5, 144); /* none twice */
	check_miscabling("flatfly:k=4x4x4,ports=36", 0.05, 14);
	check_miscabling("flatfly:k=4x4x4,ports=36", 0.0035, 1);
	check_miscabling("flatfly:k=8,ports=36", 0.5, 0); /* all adjacent: nowhere to go */
	check_miscabling("dragonfly:p=2,a=4,h=2,ports=12", 0.1, 9);
}

static void coordinates_go_along(void **state)
{
	(void)state;
	odo_coordinates *truth, *carried;
	odo_fabric *in = make("dragonfly:p=2,a=4,h=2", &truth), *out, *moved;
	odo_origin origin;
	odo_damage damage = {0.2, 0.2, 9};
	assert_int_equal(odo_fabric_damage(in, &damage, &out, &origin, &err), 0);
	assert_int_equal(odo_coordinates_carry(truth, out, &origin, &carried, &err), 0);
	assert_int_equal(carried->kind, ODO_KIND_DRAGONFLY);
	assert_int_equal(carried->n_switches, out->n_switches);
	for (uint32_t s = 0; s < out->n_switches; s++)
		assert_memory_equal(odo_at(carried, s), odo_at(truth, origin.node[s]),
				    2 * sizeof(uint32_t));
	for (uint32_t s = 0; s < out->n_slots; s++)
		assert_int_equal(carried->port_class[s],
				 out->peer[s] == ODO_NONE ? ODO_PORT_FREE
							  : truth->port_class[origin.slot[s]]);
	odo_coordinates_free(carried);
	assert_int_equal(odo_fabric_miscable(in, 0.1, 1, &moved, NULL, &err), 0);
	assert_int_equal(odo_coordinates_carry(truth, moved, NULL, &carried, &err), 0);
	assert_memory_equal(carried->at, truth->at, 2 * in->n_switches * sizeof *truth->at);
	odo_coordinates_free(carried);
	odo_coordinates_free(truth);
	odo_origin_free(&origin);
	odo_fabric_free(moved);
	odo_fabric_free(out);
	odo_fabric_free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shuffling_keeps_the_graph_and_hides_the_rest),
		cmocka_unit_test(damage_takes_exactly_what_it_says),
		cmocka_unit_test(impossible_shares_are_refused),
		cmocka_unit_test(miscabling_moves_what_it_reports),
		cmocka_unit_test(coordinates_go_along),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

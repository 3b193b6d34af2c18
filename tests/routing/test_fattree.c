/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fat trees: a whole one carries every shift in full, a damaged one no less than with balanced
 * up*\/down* paths; every LID is reached from everywhere on one VL, whatever is broken. */
#include "bounds.h"
#include "base/random.h"
#include "mapping/mapping.h"
#include "routing/turns.h"

static double worst_shift(const odo_tables *t)
{
	uint32_t n = t->fabric->n_hosts;
	double worst = 1;
	for (uint32_t by = 1; by < n; by++) {
		double bound = shift(t, by);
		worst = bound < worst ? bound : worst;
	}
	return worst;
}

static const struct {
	const char *spec;
	double bound; /* cables up by hosts below, at the level where that is least */
} whole[] = {
	{"fattree:k=4,levels=2", 1},
	{"fattree:k=16,levels=2", 1},
	{"fattree:k=8,levels=3", 1},
	{"fattree:k=6,levels=3", 1},
	{"fattree:k=4,levels=4", 1},
	{"fattree:k=8,levels=4", 1},
	{"pgft:m=6x18,w=1x9", 1}, /* more cables up than hosts */
	{"pgft:m=8x12,w=1x4", 0.5},
	{"pgft:m=8x8x4,w=1x8x4", 0.5},
	{"pgft:m=12x8,w=1x2,p=1x2", 1. / 3},
	{"pgft:m=6x6x4,w=1x3x3,p=1x2x2", 0.5},
	{"pgft:m=4x6x3,w=1x2x2,p=1x2x1", 1. / 6},
	{"pgft:m=8x4x4x3,w=1x4x2x2,p=1x1x2x2", 0.25},
};

static void every_shift_of_a_whole_tree_is_carried(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, whole, whole[i].spec); i++) {
		fixture x = make(whole[i].spec, 0);
		odo_tables *t = route(&x, NULL, NULL);
		assert_string_equal(t->engine, "fattree");
		assert_int_equal(t->n_vls, 1);
		assert_int_equal(t->n_sls, 1);
		double worst = worst_shift(t);
		if (worst < whole[i].bound - 1e-6 || worst > whole[i].bound + 1e-6)
			fail_msg("%s: %g", whole[i].spec, worst);
		assert_true(uniform(t) > whole[i].bound - 1e-6);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Whatever order its switches and ports are in, no cable has more destinations than others. */
static void a_shuffled_tree_carries_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < 6; i += test_stride())
		for (uint64_t seed = 1; seed <= 2; seed++) {
			fixture x = make(whole[i].spec, 0), y = shuffled(&x, seed);
			odo_tables *t = route(&y, NULL, NULL);
			assert_true(uniform(t) > 0.9999);
			odo_tables_free(t);
			unmake(&y);
			unmake(&x);
		}
}

static const struct {
	const char *spec;
	double switches, links;
} hurt[] = {
	{"fattree:k=36,levels=2", 0, 0.02},
	{"fattree:k=36,levels=2", 0.05, 0.01},
	{"fattree:k=8,levels=3", 0, 0.01},
	{"fattree:k=8,levels=3", 0, 0.05},
	{"fattree:k=8,levels=3", 0.05, 0.02},
	{"fattree:k=16,levels=3", 0, 0.02},
	{"fattree:k=16,levels=3", 0.02, 0.01},
	{"fattree:k=4,levels=4", 0.05, 0.05},
	{"pgft:m=12x8x4,w=1x3x3,p=1x2x2", 0, 0.03},
	{"pgft:m=16x12,w=1x4,p=1x2", 0.05, 0.05},
	{"pgft:m=4x6x3,w=1x2x2,p=1x2x1", 0.05, 0.05},
};

/* @param least share of up*\/down*'s rating @param sum both ratings are added */
static void compare_with_updown(const fixture *x, const char *spec, double least, double sum[2])
{
	odo_tables *t = route(x, "fattree", NULL), *u = route(x, "updown", NULL);
	odo_rating own, other;
	odo_error err;
	assert_int_equal(odo_floor_rate(t, &own, &err), 0);
	assert_int_equal(odo_floor_rate(u, &other, &err), 0);
	double a = odo_floor_mean(&own), b = odo_floor_mean(&other);
	if (a < least * b)
		fail_msg("%s: %g, up*/down* %g", spec, a, b);
	sum[0] += a;
	sum[1] += b;
	odo_tables_free(t);
	odo_tables_free(u);
}

/* What is lost at random makes either a few percent better; on the mean it is better clearly. */
static void a_damaged_tree_is_better_than_up_and_down(void **state)
{
	(void)state;
	double all[2] = {0};
	for (size_t i = 0; TEST_ROW(i, hurt, hurt[i].spec); i++) {
		fixture x = make(hurt[i].spec, 0);
		for (uint64_t seed = 1; seed <= test_seeds(20); seed++) {
			fixture y = damaged(&x, hurt[i].switches, hurt[i].links, seed);
			compare_with_updown(&y, hurt[i].spec, 0.94, all);
			unmake(&y);
		}
		unmake(&x);
	}
	assert_true(all[0] > 1.15 * all[1]);
}

/* Nothing is declined, even where hardly a pair has a path up and down the tree. */
static void wrecks_are_routed(void **state)
{
	(void)state;
	static const char *const specs[] = {"fattree:k=8,levels=3", "fattree:k=4,levels=4",
					    "pgft:m=4x6x3,w=1x2x2,p=1x2x1"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		for (uint64_t seed = 1; seed <= test_seeds(20); seed++) {
			fixture x = make(specs[i], 0), y = damaged(&x, 0.1, 0.4, seed);
			odo_tables_free(route(&y, "fattree", NULL));
			unmake(&y);
			unmake(&x);
		}
}

/* The first leaf keeps one spine, the second another: no way up and down joins them. */
static fixture two_leaves_without_a_spine_in_common(const fixture *x)
{
	const odo_fabric *f = x->f;
	uint8_t *gone = calloc(f->n_nodes, 1), *cut = calloc(f->n_slots, 1);
	odo_origin origin;
	odo_fabric *out;
	odo_error err;
	for (uint32_t leaf = 0; leaf < 2; leaf++)
		for (uint32_t i = f->first_slot[leaf], spine = 0; i < f->first_slot[leaf + 1]; i++)
			if (odo_next_switch(f, i) != ODO_NONE && spine++ != leaf)
				cut[i] = cut[f->peer[i]] = 1;
	assert_int_equal(odo_fabric_without(f, gone, cut, &out, &origin, &err), 0);
	free(gone);
	free(cut);
	return carry(x, out, &origin);
}

static uint64_t count_turned(const fixture *x, const char *engine, uint64_t *n_pairs)
{
	odo_tables *t = route(x, engine, NULL);
	odo_turns turns;
	odo_error err;
	assert_int_equal(odo_turns_count(t, x->c, &turns, &err), 0);
	assert_int_equal(t->n_vls, 1);
	odo_tables_free(t);
	*n_pairs = turns.n_pairs;
	return turns.n_turned;
}

static void what_has_no_way_up_and_down_is_told(void **state)
{
	uint64_t n_pairs;
	(void)state;
	for (size_t i = 0; TEST_ROW(i, whole, whole[i].spec); i++) {
		fixture x = make(whole[i].spec, 0);
		assert_int_equal(count_turned(&x, "fattree", &n_pairs), 0);
		assert_true(n_pairs > 0);
		unmake(&x);
	}
	fixture x = make("fattree:k=8,levels=2", 0), y = two_leaves_without_a_spine_in_common(&x);
	assert_int_equal(count_turned(&y, "fattree", &n_pairs), 2);
	assert_int_equal(n_pairs, 8 * 7);
	unmake(&x);
	unmake(&y);
	x = make("torus:k=4x4,c=1", 0);
	assert_int_equal(count_turned(&x, "updown", &n_pairs), 0);
	assert_int_equal(n_pairs, 0);
	unmake(&x);
}

/* Cables plugged into wrong switches, of which the coordinates do not tell, or do. */
static void wrong_cables_do_no_harm(void **state)
{
	(void)state;
	odo_error err;
	for (uint64_t seed = 1; seed <= test_seeds(10); seed++) {
		fixture x = make("fattree:k=8,levels=3", 0), y = {0};
		odo_miscabling moved;
		assert_int_equal(odo_fabric_miscable(x.f, 0.03, seed, &y.f, &moved, &err), 0);
		assert_int_equal(odo_coordinates_carry(x.c, y.f, NULL, &y.c, &err), 0);
		odo_tables_free(route(&y, "fattree", NULL));
		for (uint32_t i = 0; i < moved.n; i++)
			for (int end = 0; end < 2; end++)
				y.c->port_class[moved.slot[i][end]] = ODO_PORT_WRONG;
		odo_tables *t = route(&y, "fattree", NULL);
		for (uint32_t i = 0; i < moved.n; i++) { /* nobody needs them */
			uint32_t slot = moved.slot[i][0], s = y.f->owner[slot];
			for (uint32_t lid = 1; lid < y.f->lid_count; lid++)
				assert_int_not_equal(odo_next_port(t, s, lid), odo_port(y.f, slot));
		}
		odo_tables_free(t);
		free(moved.slot);
		unmake(&y);
		unmake(&x);
	}
}

/* Every so many cables between switches make room for a host at their upper end. */
static fixture with_hosts_above(const fixture *x, uint32_t every)
{
	const odo_fabric *f = x->f;
	fixture y = {0};
	odo_builder *b;
	odo_error err;
	uint32_t id, n_cables = 0;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		odo_node_info info = {.type = (odo_node_type)f->node_type[v],
				      .n_ports = odo_n_ports(f, v),
				      .guid = f->node_guid[v],
				      .name = odo_name(f, v)};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t v = f->owner[i], t = odo_neighbour(f, i);
		bool up = t < f->n_switches && v < f->n_switches &&
			  odo_at(x->c, v)[ODO_TREE_LEVEL] > odo_at(x->c, t)[ODO_TREE_LEVEL];
		if (t == ODO_NONE || (t < f->n_switches && v < f->n_switches && !up) ||
		    (!up && i > f->peer[i]))
			continue;
		odo_node_info host = {.type = ODO_CA, .n_ports = 1, .name = "storage"};
		uint32_t far = t, port = odo_port(f, f->peer[i]);
		if (up && n_cables++ % every == every / 2) {
			assert_int_equal(odo_builder_add(b, &host, &far, &err), 0);
			port = 1;
		}
		odo_link_info link = {f->width[i], f->speed[i], f->n_vls[i]};
		assert_int_equal(odo_builder_link(b, v, odo_port(f, i), far, port, link, &err), 0);
	}
	if (odo_builder_freeze(b, ODO_LIDS_FILL, 0, &y.f, &err))
		fail_msg("%s", err.text);
	assert_int_equal(odo_coordinates_create(y.f, ODO_TREE_DIMS, &y.c, &err), 0);
	y.c->kind = x->c->kind;
	memcpy(y.c->size, x->c->size, sizeof y.c->size);
	memcpy(y.c->at, x->c->at, (size_t)f->n_switches * ODO_TREE_DIMS * sizeof *y.c->at);
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++)
		if (y.c->port_class[i] == ODO_PORT_WRONG)
			y.c->port_class[i] = x->c->port_class[i];
	return y;
}

/* Storage and managers may hang on any switch. */
static void hosts_of_any_level_are_reached(void **state)
{
	(void)state;
	static const char *const specs[] = {"fattree:k=12,levels=2", "fattree:k=8,levels=3",
					    "fattree:k=4,levels=4"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		for (uint32_t every = 7; every < 40; every += 16) {
			double sum[2] = {0};
			fixture x = make(specs[i], 0), y = with_hosts_above(&x, every);
			assert_true(y.f->n_hosts > x.f->n_hosts);
			compare_with_updown(&y, specs[i], 0.9, sum);
			unmake(&y);
			unmake(&x);
		}
}

/* LIDs of one host come over different spines. */
static void lids_of_a_host_spread(void **state)
{
	(void)state;
	fixture x = make("fattree:k=8,levels=3", 2);
	const odo_fabric *f = x.f;
	odo_tables *t = route(&x, NULL, NULL);
	for (uint32_t h = 4; h < f->n_hosts; h++) { /* as seen from the first leaf */
		uint32_t lid = f->port_lid[f->host_slot[h]], ports = 0;
		for (uint32_t i = 0; i < 4; i++)
			ports |= 1u << odo_next_port(t, 0, lid + i);
		assert_int_equal(__builtin_popcount(ports), 4);
	}
	assert_true(uniform(t) > 0.9999);
	odo_tables_free(t);
	unmake(&x);
}

/* A root that the operator names, of any level, takes nothing away. */
static void a_named_root_leaves_the_others(void **state)
{
	(void)state;
	fixture x = make("fattree:k=6,levels=3", 0);
	for (uint32_t s = 0; s < x.f->n_switches; s++) {
		odo_route_options options = {.roots = &x.f->node_guid[s], .n_roots = 1};
		odo_tables *t;
		odo_error err;
		assert_int_equal(odo_route(x.f, x.c, "fattree", &options, &t, &err), 0);
		assert_true(worst_shift(t) > 0.9999);
		odo_tables_free(t);
	}
	unmake(&x);
}

/* Half of the hosts compute, at other ports of each leaf, and there are as many cables up as those:
 * shifts among them are free of contention if it is told which they are. */
static void compute_nodes_come_first(void **state)
{
	(void)state;
	fixture x = make("pgft:m=8x4x4,w=1x4x4", 0);
	const odo_fabric *f = x.f;
	odo_rng rng = odo_rng_make(3, 0);
	uint32_t n = 0, nodes[64];
	uint64_t compute[64], io[64];
	for (uint32_t h = 0, n_io = 0; h < f->n_hosts; h++) { /* four of the eight of each leaf */
		uint32_t left = 8 - h % 8, wanted = (h / 8 + 1) * 4 - n;
		if (odo_rng_below(&rng, left) < wanted) {
			compute[n] = f->port_guid[f->host_slot[h]];
			nodes[n++] = h;
		} else
			io[n_io++] = f->port_guid[f->host_slot[h]];
	}
	assert_int_equal(n, 64);
	for (int by_io = 0; by_io < 2; by_io++) {
		odo_route_options options = {.compute = compute, .n_compute = 64};
		if (by_io)
			options = (odo_route_options){.io = io, .n_io = 64};
		odo_tables *t;
		odo_error err;
		assert_int_equal(odo_route(f, x.c, "fattree", &options, &t, &err), 0);
		for (uint32_t by = 1; by < n; by++) {
			odo_flow flows[64];
			odo_analysis a;
			for (uint32_t i = 0; i < n; i++)
				flows[i] = (odo_flow){nodes[i], nodes[(i + by) % n], 1};
			assert_int_equal(odo_analyze_flows(t, NULL, flows, n, &a, &err), 0);
			assert_true(a.saturation > 0.9999);
			odo_analysis_clear(&a);
		}
		assert_true(uniform(t) > 0.4999); /* the others are spread as well */
		odo_tables_free(t);
	}
	unmake(&x);
}

enum { PODS = 3, LEAVES = 4, CHIPS = 4, TOPS = 4 };

/* A director: all chips that leaves are cabled to are cabled to all tops, so that several parents
 * of a leaf are in one plane. Switches: leaves and chips, pod by pod, then tops. */
static odo_fabric *make_director(void)
{
	odo_builder *b;
	odo_error err;
	odo_fabric *f;
	uint32_t id, port[PODS * (LEAVES + CHIPS) + TOPS] = {0};
	const uint32_t top = PODS * (LEAVES + CHIPS);
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < top + TOPS; s++)
		odo_builder_add(b, &(odo_node_info){.type = ODO_SWITCH, .n_ports = 16}, &id, &err);
	for (uint32_t pod = 0, leaf = 0; pod < PODS; pod++, leaf += LEAVES + CHIPS)
		for (uint32_t i = 0; i < CHIPS; i++) {
			uint32_t chip = leaf + LEAVES + i;
			for (uint32_t j = 0; j < LEAVES; j++)
				odo_builder_link(b, leaf + j, ++port[leaf + j], chip, ++port[chip],
						 (odo_link_info){0}, &err);
			for (uint32_t j = top; j < top + TOPS; j++)
				odo_builder_link(b, chip, ++port[chip], j, ++port[j],
						 (odo_link_info){0}, &err);
		}
	for (uint32_t s = 0; s < top; s++) /* as many hosts as cables up */
		for (uint32_t i = 0; s % (LEAVES + CHIPS) < LEAVES && i < CHIPS; i++) {
			odo_builder_add(b, &(odo_node_info){.type = ODO_CA, .n_ports = 1}, &id,
					&err);
			odo_builder_link(b, s, ++port[s], id, 1, (odo_link_info){0}, &err);
		}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	return f;
}

/* Every leaf takes all its cables up alike: the one that the tree hangs on, too. */
static void a_leaf_takes_several_parents_to_one_plane(void **state)
{
	(void)state;
	fixture x = {.f = make_director()};
	odo_error err;
	assert_int_equal(odo_map(x.f, &x.c, &err), 0);
	assert_int_equal(x.c->kind, ODO_KIND_FATTREE);
	assert_int_equal(x.c->n_faults, 0);
	for (uint64_t seed = 0; seed < 3; seed++) {
		fixture y = shuffled(&x, seed);
		odo_tables *t = route(&y, "fattree", NULL);
		double bound = uniform(t);
		print_message("director, seed %u: %g\n", (unsigned)seed, bound);
		assert_true(bound > 0.85);
		odo_tables_free(t);
		unmake(&y);
	}
	unmake(&x);
}

/* Of eight cables up two lead to each parent. One is lost: hosts of that leaf go over all others.
 */
static void parallel_cables_share_what_one_loses(void **state)
{
	(void)state;
	fixture x = make("pgft:m=12x6,w=1x4,p=1x2", 0), y = damaged(&x, 0, 0.01, 1);
	odo_tables *t = route(&y, "fattree", NULL);
	double bound = uniform(t);
	print_message("a parallel cable lost: %g\n", bound);
	assert_true(bound > 0.7);
	odo_tables_free(t);
	unmake(&y);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leaf_takes_several_parents_to_one_plane),
		cmocka_unit_test(parallel_cables_share_what_one_loses),
		cmocka_unit_test(every_shift_of_a_whole_tree_is_carried),
		cmocka_unit_test(a_shuffled_tree_carries_all),
		cmocka_unit_test(a_damaged_tree_is_better_than_up_and_down),
		cmocka_unit_test(wrecks_are_routed),
		cmocka_unit_test(what_has_no_way_up_and_down_is_told),
		cmocka_unit_test(wrong_cables_do_no_harm),
		cmocka_unit_test(hosts_of_any_level_are_reached),
		cmocka_unit_test(lids_of_a_host_spread),
		cmocka_unit_test(a_named_root_leaves_the_others),
		cmocka_unit_test(compute_nodes_come_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

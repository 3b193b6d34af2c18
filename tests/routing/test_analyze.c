/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The analyser against closed forms, and its two ways of counting against each other. */
#include "fixture.h"

#include <math.h>

#include "base/random.h"
#include "routing/analyze/analyze.h"
#include "routing/analyze/internal.h"

static odo_tables *route(const fixture *x, const char *engine)
{
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine, err.text);
	return t;
}

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1e-6 * (1 + fabs(b)))
		fail_msg("expected %g, found %g", b, a);
}

static void uniform_counts_what_following_all_pairs_counts(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"dragonfly:p=2,a=4,h=2", "dragonfly"},
					       {"flatfly:k=4x3,l=1x2,c=3", "dor"},
					       {"random:n=20,d=4,c=2", "layered"}};
	for (unsigned i = 0; i < 3; i++) {
		for (uint8_t lmc = 0; lmc < 2; lmc++) {
			fixture x = make(cases[i][0], lmc);
			odo_tables *t = route(&x, cases[i][1]);
			uint32_t n = x.f->n_hosts;
			odo_flow *flows = calloc((size_t)n * n, sizeof *flows);
			for (uint32_t h = 0; h < n * n; h++)
				flows[h] = (odo_flow){h / n, h % n, 1.0f / (float)(n - 1)};
			odo_analysis a, b;
			odo_error err;
			double index;
			assert_int_equal(odo_analyze_flows(t, x.c, flows, (size_t)n * n, &a, &err),
					 0);
			assert_int_equal(odo_analyze_uniform(t, x.c, &b, &index, &err), 0);
			for (uint32_t slot = 0; slot < a.n_slots; slot++)
				assert_true(fabs(a.load[slot] - b.load[slot]) < 1e-4);
			for (unsigned k = 0; k < ODO_MAX_HISTOGRAM; k++)
				assert_true(fabs(a.hops[k] - b.hops[k]) < 1e-3);
			assert_true(index >= 1);
			assert_true(b.lost < 1e-9);
			odo_analysis_clear(&a);
			odo_analysis_clear(&b);
			odo_tables_free(t);
			free(flows);
			unmake(&x);
		}
	}
}

/* All hosts of a group send to the next: a*p of them through the cables between the two. */
static void adversarial_traffic_saturates_at_its_closed_form(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = route(&x, "dragonfly");
	uint32_t n = x.f->n_hosts, k = 0;
	odo_flow *flows = calloc((size_t)n * n, sizeof *flows);
	for (uint32_t h = 0; h < n; h++)
		for (uint32_t d = 0; d < n; d++)
			if (odo_at(x.c, odo_host_switch(x.f, d))[0] ==
			    (odo_at(x.c, odo_host_switch(x.f, h))[0] + 1) % 9)
				flows[k++] = (odo_flow){h, d, 1.0f / 8};
	odo_analysis a;
	odo_error err;
	uint32_t worst[4];
	assert_int_equal(odo_analyze_flows(t, x.c, flows, k, &a, &err), 0);
	assert_near(a.saturation, 1.0 / (4 * 2));
	assert_near(a.dim[0].max, 8);
	assert_near(a.dim[0].mean, 1); /* 72 global channels carry what 72 hosts send */
	double most;
	assert_int_equal(odo_analyze_most(t, flows, k, &a, &most, &err), 0);
	assert_near(most, 9); /* a cable from each group to the next */
	assert_int_equal(odo_analysis_worst(&a, 4, worst), 4);
	assert_int_equal(x.c->port_class[worst[0]], ODO_PORT_GLOBAL);
	assert_true(worst[0] < worst[1] && worst[1] < worst[2] && worst[2] < worst[3]);
	odo_analysis_clear(&a);
	odo_tables_free(t);
	free(flows);
	unmake(&x);
}

/* Give every flow in turn what its path has left. @return the sum */
static double fill(const odo_tables *t, const odo_flow *flows, size_t n)
{
	uint32_t path[ODO_MAX_PATH + 3];
	double sum = 0, *left = malloc(t->fabric->n_slots * sizeof *left);
	for (uint32_t slot = 0; slot < t->fabric->n_slots; slot++)
		left[slot] = 1;
	for (size_t i = 0; i < n; i++) {
		uint32_t lid = t->fabric->port_lid[t->fabric->host_slot[flows[i].to]];
		uint32_t hops = odo_follow(t, flows[i].from, lid, path);
		double rate = (double)flows[i].rate;
		for (uint32_t k = 0; k < hops; k++)
			rate = fmin(rate, left[path[k]]);
		for (uint32_t k = 0; k < hops; k++)
			left[path[k]] -= rate;
		sum += rate;
	}
	free(left);
	return sum;
}

/* Whatever channels can be shared out to is no more than the most, and all flows at the load of
 * saturation are such a sharing. */
static void no_sharing_out_gives_more_than_the_most(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"dragonfly:p=2,a=4,h=2", "dragonfly"},
					       {"torus:k=5x4,c=2", "torus"},
					       {"random:n=20,d=4,c=2", "updown"}};
	for (unsigned i = 0; i < 3; i++) {
		fixture x = make(cases[i][0], 0);
		odo_tables *t = route(&x, cases[i][1]);
		uint32_t n = x.f->n_hosts;
		odo_flow *flows = calloc(n, sizeof *flows);
		for (uint64_t seed = 1; seed < 200; seed++) {
			odo_rng rng = odo_rng_make(seed, 0);
			odo_analysis a;
			odo_error err;
			double most, offered = 0;
			for (uint32_t h = 0; h < n; h++) {
				flows[h] = (odo_flow){h, odo_rng_below(&rng, n), 1};
				offered += flows[h].to != h;
			}
			assert_int_equal(odo_analyze_flows(t, x.c, flows, n, &a, &err), 0);
			assert_int_equal(odo_analyze_most(t, flows, n, &a, &most, &err), 0);
			assert_true(most <= offered + 1e-6);
			assert_true(most >= a.saturation * offered - 1e-6);
			assert_true(most >= fill(t, flows, n) - 1e-6);
			odo_analysis_clear(&a);
		}
		odo_tables_free(t);
		free(flows);
		unmake(&x);
	}
}

/* Fewer hosts on a switch than parallel cables: all of these carry about as much. */
static void few_hosts_use_all_parallel_cables(void **state)
{
	(void)state;
	static const char *const specs[] = {"torus:k=8x16,l=8x8,c=4", "torus:k=4x6x7,l=3x5x6,c=6",
					    "torus:k=5x5x5,l=4,c=2", "torus:k=6x9,l=2x3,c=1"};
	for (unsigned i = 0; i < 4; i++) {
		fixture x = make(specs[i], 0);
		odo_tables *t = route(&x, "torus");
		odo_analysis a;
		odo_error err;
		assert_int_equal(odo_analyze_uniform(t, x.c, &a, NULL, &err), 0);
		for (unsigned dim = 0; dim < x.c->n_dims; dim++)
			if (a.dim[dim].max > 1.34 * a.dim[dim].mean)
				fail_msg("%s, dimension %u: %g of %g", specs[i], dim,
					 a.dim[dim].max, a.dim[dim].mean);
		odo_analysis_clear(&a);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Uniform traffic on a complete graph of k switches with c hosts: c*c pairs a cable. */
static void uniform_on_a_complete_graph_has_its_closed_form(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=6,c=3", 0);
	odo_tables *t = route(&x, "dor");
	odo_analysis a;
	odo_error err;
	double index, mean, least;
	assert_int_equal(odo_analyze_uniform(t, x.c, &a, &index, &err), 0);
	assert_near(index, 9);
	assert_near(a.dim[0].max, 9.0 / 17);
	assert_near(a.dim[0].mean, 9.0 / 17);
	assert_near(a.saturation, 1);
	assert_near(a.hops[0], 18 * 2.0 / 17);
	assert_near(a.mean_hops, 15.0 / 17);
	assert_int_equal(a.dim[0].n_channels, 30);
	assert_int_equal(a.inject.n_channels, 18);
	odo_analysis_clear(&a);
	assert_int_equal(odo_analyze_bisection(t, 50, 1, &mean, &least, &err), 0);
	assert_true(least > 1.0 / 3 && least <= mean && mean < 1);
	odo_tables_free(t);
	unmake(&x);
}

/* Hosts on one switch never share a channel: full bisection. */
static void one_switch_has_full_bisection(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=1,c=8", 0);
	odo_tables *t = route(&x, "dor");
	odo_error err;
	double mean, least;
	assert_int_equal(odo_analyze_bisection(t, 5, 3, &mean, &least, &err), 0);
	assert_near(mean, 1);
	assert_near(least, 1);
	odo_tables_free(t);
	unmake(&x);
}

static void what_does_not_arrive_is_lost(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3,c=1", 0);
	odo_tables *t = route(&x, "dor");
	odo_error err;
	odo_analysis a;
	uint32_t lid = x.f->port_lid[x.f->host_slot[2]];
	for (uint32_t s = 0; s < 2; s++) /* to each other, for ever */
		t->lft[(size_t)s * x.f->lid_count + lid] =
			t->lft[(size_t)s * x.f->lid_count + x.f->switch_lid[1 - s]];
	odo_flow flows[] = {{0, 2, 1}, {0, 1, 0.5f}, {1, 1, 1}};
	assert_int_equal(odo_analyze_flows(t, x.c, flows, 3, &a, &err), 0);
	assert_near(a.lost, 1);
	assert_near(a.hops[1], 0.5);
	odo_analysis_clear(&a);
	assert_int_equal(odo_analyze_uniform(t, x.c, &a, NULL, &err), 0);
	assert_near(a.lost, 1);
	odo_analysis_clear(&a);
	odo_tables_free(t);
	unmake(&x);
}

/* Tables of others may send a host's LID to another host, which drops what comes. */
static void what_ends_at_another_host_is_lost(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3,c=1", 0);
	odo_tables *t = route(&x, "dor");
	odo_error err;
	odo_analysis a;
	uint32_t lid = x.f->port_lid[x.f->host_slot[2]], wrong = x.f->peer[x.f->host_slot[0]];
	t->lft[(size_t)x.f->owner[wrong] * x.f->lid_count + lid] = (uint8_t)odo_port(x.f, wrong);
	odo_flow flows[] = {{0, 2, 1}, {0, 1, 0.5f}, {1, 1, 1}};
	assert_int_equal(odo_analyze_flows(t, x.c, flows, 3, &a, &err), 0);
	assert_near(a.lost, 1);
	odo_analysis_clear(&a);
	assert_int_equal(odo_analyze_uniform(t, x.c, &a, NULL, &err), 0);
	assert_near(a.lost, 0.5); /* one pair of six */
	assert_near(a.hops[1], 2.5);
	odo_analysis_clear(&a);
	odo_tables_free(t);
	unmake(&x);
}

/* So does a switch that hands what is for one of its hosts to another one of them. */
static void what_ends_beside_its_host_is_lost(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3,c=2", 0);
	odo_tables *t = route(&x, "dor");
	odo_error err;
	odo_analysis a;
	uint32_t lid = x.f->port_lid[x.f->host_slot[2]], beside = x.f->peer[x.f->host_slot[3]];
	t->lft[(size_t)x.f->owner[beside] * x.f->lid_count + lid] = (uint8_t)odo_port(x.f, beside);
	odo_flow flows[] = {{0, 2, 1}, {0, 3, 0.5f}, {3, 2, 1}};
	assert_int_equal(odo_analyze_flows(t, x.c, flows, 3, &a, &err), 0);
	assert_near(a.lost, 2);
	odo_analysis_clear(&a);
	assert_int_equal(odo_analyze_uniform(t, x.c, &a, NULL, &err), 0);
	assert_near(a.lost, 1); /* from five hosts a fifth of each */
	odo_analysis_clear(&a);
	odo_tables_free(t);
	unmake(&x);
}

/* A host that the subnet manager has given no LID yet: nobody can send to it. */
static void what_has_no_lid_gets_nothing(void **state)
{
	(void)state;
	fixture x = {0};
	odo_builder *b;
	odo_error err;
	uint32_t id;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 3, .lid = 1},
		      ca = {ODO_CA, .n_ports = 1};
	assert_int_equal(odo_builder_add(b, &sw, &id, &err), 0);
	for (unsigned h = 1; h <= 3; h++) {
		assert_int_equal(odo_builder_add(b, &ca, &id, &err), 0);
		assert_int_equal(odo_builder_port(b, h, 1, 0, h < 3 ? h + 1 : 0, 0, &err), 0);
		assert_int_equal(odo_builder_link(b, 0, h, h, 1, (odo_link_info){0}, &err), 0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &x.f, &err), 0);
	odo_tables *t = route(&x, "updown");
	odo_flow flows[9];
	for (uint32_t i = 0; i < 9; i++)
		flows[i] = (odo_flow){i / 3, i % 3, 0.5f};
	odo_analysis a;
	assert_int_equal(odo_analyze_flows(t, NULL, flows, 9, &a, &err), 0);
	assert_near(a.lost, 1);
	odo_analysis_clear(&a);
	assert_int_equal(odo_analyze_uniform(t, NULL, &a, NULL, &err), 0);
	assert_near(a.lost, 1);
	assert_near(a.hops[0], 2);
	odo_analysis_clear(&a);
	odo_tables_free(t);
	unmake(&x);
}

static void adaptive_tables_are_declined(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x3,c=1", 0);
	odo_tables *t = route(&x, "ador");
	odo_error err;
	odo_analysis a;
	double mean, least;
	assert_int_equal(odo_analyze_uniform(t, x.c, &a, NULL, &err), ODO_EDECLINE);
	odo_analysis_clear(&a);
	assert_int_equal(odo_analyze_bisection(t, 1, 1, &mean, &least, &err), ODO_EDECLINE);
	odo_tables_free(t);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_counts_what_following_all_pairs_counts),
		cmocka_unit_test(adversarial_traffic_saturates_at_its_closed_form),
		cmocka_unit_test(no_sharing_out_gives_more_than_the_most),
		cmocka_unit_test(few_hosts_use_all_parallel_cables),
		cmocka_unit_test(uniform_on_a_complete_graph_has_its_closed_form),
		cmocka_unit_test(one_switch_has_full_bisection),
		cmocka_unit_test(what_does_not_arrive_is_lost),
		cmocka_unit_test(what_ends_at_another_host_is_lost),
		cmocka_unit_test(what_ends_beside_its_host_is_lost),
		cmocka_unit_test(what_has_no_lid_gets_nothing),
		cmocka_unit_test(adaptive_tables_are_declined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

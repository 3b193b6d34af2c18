/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every policy delivers what is offered below saturation and does not deadlock above it; the
 * papers' bounds hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/emulator.h"
#include "emulator/policy/escape.h"
#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "tests/unit.h"

static odo_measures *run(const char *fabric, const char *policy, const char *model,
			 const char *pattern, double load, uint64_t cycles, unsigned threads)
{
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	odo_model switches;
	odo_traffic *traffic;
	odo_measures *out;
	assert_int_equal(odo_topology_generate(fabric, 0, &f, &c, &err), 0);
	assert_int_equal(odo_model_parse(model, NULL, &switches, &err), 0);
	assert_int_equal(odo_traffic_create(pattern, f, c, 1, &traffic, &err), 0);
	odo_emulation e = {
		.fabric = f,
		.coordinates = c,
		.policy = policy,
		.model = &switches,
		.traffic = traffic,
		.run = {.seed = 7,
			.load = load,
			.warmup = 1000,
			.measured = cycles,
			.threads = threads},
	};
	if (odo_emulate(&e, &out, &err))
		fail_msg("%s on %s: %s", policy, fabric, err.text);
	odo_traffic_free(traffic);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return out;
}

static double accepted(const char *fabric, const char *policy, const char *model,
		       const char *pattern, double load)
{
	odo_measures *m = run(fabric, policy, model, pattern, load, 2000, 1);
	double value = m->accepted;
	if (m->outcome != ODO_RUN_DONE)
		fail_msg("%s under %s: %s", policy, pattern, m->report);
	odo_measures_free(m);
	return value;
}

/* A fabric that a policy's row says it routes, and a pattern that loads few of its cables. */
static const struct {
	odo_kind kind;
	const char *fabric, *adverse;
} kinds[] = {
	{ODO_KIND_DRAGONFLY, "dragonfly:p=2,a=4,h=2", "advg:n=2"},
	{ODO_KIND_FLATFLY, "flatfly:k=4x4,c=4", "neighbour"},
	{ODO_KIND_FATTREE, "fattree:k=4,levels=3", "transpose"},
	{ODO_KIND_DRAGONFLY_PLUS, "dragonfly-plus:p=2,leaves=4,spines=4,h=2", "advg:n=2"},
};

static unsigned kind_of(const odo_policy *p)
{
	unsigned i = 0;
	while (!(p->kinds & 1u << kinds[i].kind))
		assert_true(++i < sizeof kinds / sizeof *kinds);
	return i;
}

static const char *fabric_of(const odo_policy *p)
{
	return kinds[kind_of(p)].fabric;
}

static const char *adverse_to(const odo_policy *p)
{
	return kinds[kind_of(p)].adverse;
}

static void every_policy_delivers_what_is_offered(void **state)
{
	(void)state;
	for (const odo_policy *const *p = odo_policies; *p; p++) {
		odo_measures *m = run(fabric_of(*p), (*p)->name, "ofar", "uniform", 0.2, 3000, 1);
		if (m->outcome != ODO_RUN_DONE || m->accepted < 0.97 * m->offered ||
		    m->accepted > 1.03 * m->offered)
			fail_msg("%s: %.4f of %.4f", (*p)->name, m->accepted, m->offered);
		odo_measures_free(m);
	}
}

/* What policies accept of full offer, under uniform and adverse traffic, as measured: one that no
 * longer sees congestion, or sends all packets the long way, is far from it. */
static const struct {
	const char *policy;
	double uniform, adverse;
} saturated[] = {
	{"min", 0.736, 0.125},
	{"val", 0.488, 0.357},
	{"val-any", 0.453, 0.378},
	{"ugal-l", 0.703, 0.222},
	{"ugal-l-vc", 0.646, 0.297},
	{"ugal-l-vch", 0.706, 0.274},
	{"ugal-l-cr", 0.687, 0.273},
	{"ugal-g", 0.739, 0.364},
	{"ugal-phase", 0.686, 0.162},
	{"pb", 0.695, 0.263},
	{"par", 0.725, 0.395},
	{"ofar", 0.838, 0.431},
	{"dor", 0.578, 0.250},
	{"flatfly-val", 0.387, 0.358},
	{"flatfly-ugal", 0.586, 0.299},
	{"dal", 0.688, 0.448},
	{"fattree-random", 0.616, 0.561},
	{"fattree-adaptive", 0.664, 0.597},
	{"dragonfly-plus-min", 0.748, 0.125},
	{"dragonfly-plus-val", 0.494, 0.495},
	{"dragonfly-plus-ugal", 0.760, 0.280},
	{"dragonfly-plus-par", 0.758, 0.327},
};

static void expect_accepted(const odo_policy *p, const char *pattern, double least, double most)
{
	double found = accepted(fabric_of(p), p->name, "ofar", pattern, 1.0);
	if (found < least || found > most)
		fail_msg("%s under %s accepts %.4f, and not %.3f to %.3f", p->name, pattern, found,
			 least, most);
}

static void policies_do_not_deadlock_and_accept_what_they_did_beyond_saturation(void **state)
{
	(void)state;
	size_t n = sizeof saturated / sizeof *saturated;
	for (const odo_policy *const *p = odo_policies; *p; p++) {
		size_t i = 0;
		while (i < n && strcmp(saturated[i].policy, (*p)->name))
			i++;
		if (i == n)
			fail_msg("expected a row in saturated[], found none; measured: {\"%s\", "
				 "%.3f, %.3f}",
				 (*p)->name,
				 accepted(fabric_of(*p), (*p)->name, "ofar", "uniform", 1.0),
				 accepted(fabric_of(*p), (*p)->name, "ofar", adverse_to(*p), 1.0));
		double uniform = saturated[i].uniform, adverse = saturated[i].adverse;
		expect_accepted(*p, "uniform", 0.93 * uniform, 1.07 * uniform);
		expect_accepted(*p, adverse_to(*p), 0.93 * adverse, 1.07 * adverse);
	}
}

/* With two global channels a switch neither is ever twice as full as both are in the mean; with
 * three one may be. */
static void piggybacking_sees_congestion(void **state)
{
	(void)state;
	double found = accepted("dragonfly:p=3,a=6,h=3", "pb", "ofar", "advg:n=1", 1.0);
	if (fabs(found - 0.300) > 0.02) /* blind to it, 0.205 */
		fail_msg("%.4f", found);
}

/* Lanes beyond what an input may send at once wait; where it has no more lanes than that, nothing
 * does. */
static void inputs_send_as_many_lanes_as_the_model_says(void **state)
{
	(void)state;
	double found[5];
	for (unsigned n = 1; n < 5; n++) {
		char model[80];
		snprintf(model, sizeof model, "ofar:speedup=2,iterations=4,input-parallel=%u", n);
		found[n] = accepted("dragonfly:p=2,a=4,h=2", "min", model, "uniform", 1.0);
	}
	assert_true(found[1] < found[2] && found[2] < found[3]);
	assert_memory_equal(&found[3], &found[4], sizeof *found); /* three VLs */
}

/* Paper 000, section 2: one global link for a*p hosts; half for two global hops each. */
static void bounds_of_the_papers_hold(void **state)
{
	(void)state;
	const char *d = "dragonfly:p=2,a=4,h=2";
	double minimal = accepted(d, "min", "ofar", "advg:n=1", 1.0);
	assert_true(minimal <= 0.1251 && minimal > 0.115);
	assert_true(accepted(d, "val", "ofar", "advg:n=1", 1.0) <= 0.5);
	assert_true(accepted(d, "ofar", "ofar", "advg:n=1", 1.0) > 3 * minimal);
	/* Paper 003, section V.A: restricted Valiant keeps local traffic local. */
	odo_measures *m = run(d, "val-any:restricted=yes", "ofar", "advl", 0.3, 4000, 1);
	assert_int_equal(m->hops[ODO_LINK_GLOBAL], 0);
	odo_measures_free(m);
	m = run(d, "val-any", "ofar", "advl", 0.3, 4000, 1);
	assert_true(m->hops[ODO_LINK_GLOBAL] > 0);
	odo_measures_free(m);
	/* And on a FlatFly traffic along one dimension in that dimension (section III.A). */
	m = run("flatfly:k=4x4,c=2", "flatfly-val:restricted=yes", "ofar", "neighbour", 0.3, 4000,
		1);
	assert_true(m->path[2] > 0);
	assert_int_equal(m->path[3], 0);
	odo_measures_free(m);
	m = run("flatfly:k=4x4,c=2", "flatfly-val", "ofar", "neighbour", 0.3, 4000, 1);
	assert_true(m->path[4] > 0);
	odo_measures_free(m);
}

static void ofar_lives_on_one_vl_and_any_escape(void **state)
{
	(void)state;
	static const char *const specs[] = {
		"ofar:local-vls=1,global-vls=1,bcm=1",
		"ofar:local-vls=1,global-vls=1,escape=tree,ecm=20",
		"ofar:escape=tree,local-vls=2,global-vls=1",
		"ofar:escape=trees,local-vls=1,global-vls=1,ecm=20",
		"ofar:local=no,bounces=2",
		"ofar:trigger=granted,threshold=50",
		"ofar:wait=no",
		"ofar:trigger=granted,wait=no,inject=yes",
	};
	for (unsigned i = 0; TEST_ROW(i, specs, specs[i]); i++)
		assert_true(accepted("dragonfly:p=2,a=4,h=2", specs[i], "ofar", "advg:n=2", 1.0) >
			    0.1);
	assert_true(accepted("dragonfly:p=5,a=10,h=5", "ofar:escape=abc,local-vls=1,global-vls=1",
			     "ofar", "advg:n=5", 0.2) > 0.19);
}

/* Several of them cross in a cycle, after which no event opens a port again. */
static void packets_of_one_phit_pass_a_fast_crossbar(void **state)
{
	(void)state;
	static const char *const models[] = {
		"packet=1,speedup=2,output-buffer=4,iterations=2",
		"packet=1,speedup=3,output-buffer=3,iterations=1,input-parallel=2",
		"packet=1,speedup=3,output-buffer=5,iterations=3,input-parallel=4",
	};
	for (unsigned i = 0; TEST_ROW(i, models, models[i]); i++)
		assert_true(accepted("dragonfly:p=2,a=4,h=2", "min", models[i], "uniform", 0.5) >
			    0.48);
}

/* Paper 000, section 3.3: cables of an escape's own carry escapes and nothing else, and all of
 * those. */
static void cables_of_its_own_carry_the_escapes_alone(const char *kind)
{
	static const unsigned vls[2] = {1, 1};
	char spec[80], policy[80];
	snprintf(spec, sizeof spec, "dragonfly:p=2,a=4,h=2,escape=%s", kind);
	snprintf(policy, sizeof policy, "ofar:escape=own-%s,local-vls=1,global-vls=1", kind);
	odo_measures *m = run(spec, policy, "ofar", "advg:n=2", 1.0, 3000, 1);
	assert_true(m->accepted > 0.1);
	odo_fabric *f;
	odo_coordinates *c;
	odo_ways *ways;
	odo_escape escape;
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &f, &c, &err), 0);
	snprintf(policy, sizeof policy, "own-%s", kind);
	assert_int_equal(odo_escape_create(f, c, policy, 0, 8, vls, &ways, &escape, &err), 0);
	uint8_t *own = calloc(f->n_slots, 1);
	uint64_t phits = 0;
	odo_escape_cables(&escape, f, own);
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		phits += own[slot] ? m->channel[slot] : 0;
	assert_true(m->escape_hops > 500);
	assert_in_range(phits, 8 * m->escape_hops * 0.99, 8 * m->escape_hops * 1.01);
	odo_measures_free(m);
	m = run(spec, "min", "ofar", "uniform", 0.1, 3000, 1);
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		if (own[slot] && c->port_class[slot] != ODO_PORT_GLOBAL)
			assert_int_equal(m->channel[slot], 0);
	odo_measures_free(m);
	free(own);
	odo_escape_clear(&escape);
	odo_ways_free(ways);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void escapes_of_their_own_carry_the_escapes_alone(void **state)
{
	(void)state;
	cables_of_its_own_carry_the_escapes_alone("ring");
	cables_of_its_own_carry_the_escapes_alone("rings");
	cables_of_its_own_carry_the_escapes_alone("tree");
}

static void threads_change_nothing(void **state)
{
	(void)state;
	static const char *const specs[] = {"ofar:ecm=20", "pb", "ugal-g", "ugal-l-cr",
					    "val-any:recompute=yes"};
	for (unsigned i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		const char *d = "dragonfly:p=2,a=4,h=2";
		odo_measures *one = run(d, specs[i], "ofar", "advg:n=1", 0.4, 2000, 1);
		odo_measures *two = run(d, specs[i], "ofar", "advg:n=1", 0.4, 2000, 2);
		assert_int_equal(one->delivered, two->delivered);
		assert_int_equal(one->latency.sum, two->latency.sum);
		assert_int_equal(one->packet_hops, two->packet_hops);
		odo_measures_free(one);
		odo_measures_free(two);
	}
}

/* Paper 001, Fig. 8(b): with buffers of 16 flits too. By credits alone such buffers tell UGAL-G
 * more of packets under way than of those that wait. */
static void ugal_g_carries_the_worst_case_as_valiant_does(void **state)
{
	(void)state;
	const char *d = "dragonfly:p=3,a=6,h=3";
	double valiant = accepted(d, "val", "kim", "advg:n=1", 0.5);
	double informed = accepted(d, "ugal-g", "kim", "advg:n=1", 0.5);
	double by_credits = accepted(d, "ugal-g:queue=credits", "kim", "advg:n=1", 0.5);
	assert_true(informed > 0.98 * valiant);
	assert_true(by_credits < 0.8 * valiant);
	assert_true(accepted(d, "ugal-g", "kim", "uniform", 0.9) > 0.89);
}

/* Buffers that never have the room asked for would hold packets back for ever. */
static void switches_that_ofar_cannot_use_are_refused(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"ofar:bcm=4", "ofar"},
		{"ofar", "ofar:buffer-local=15"},
		{"ofar:escape=tree,bcm=1", "ofar:buffer-global=15"},
		{"ofar", "ofar:flow=flits,input-parallel=1"},
		{"ofar:escape=own-ring", "ofar"},
		{"ofar:escape=own-rings", "ofar"},
		{"ofar:escape=own-tree", "ofar"},
	};
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	odo_traffic *traffic;
	assert_int_equal(odo_topology_generate("dragonfly:p=2,a=4,h=2", 0, &f, &c, &err), 0);
	assert_int_equal(odo_traffic_create("uniform", f, c, 1, &traffic, &err), 0);
	for (unsigned i = 0; TEST_ROW(i, bad, bad[i][0]); i++) {
		odo_model model;
		odo_measures *out;
		assert_int_equal(odo_model_parse(bad[i][1], NULL, &model, &err), 0);
		odo_emulation e = {.fabric = f,
				   .coordinates = c,
				   .policy = bad[i][0],
				   .model = &model,
				   .traffic = traffic,
				   .run = {.seed = 1, .load = 0.1, .measured = 100}};
		int status = odo_emulate(&e, &out, &err);
		assert_true(status == ODO_EINPUT || status == ODO_EDECLINE);
		assert_non_null(strstr(err.text, "expected"));
	}
	odo_traffic_free(traffic);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void bad_specs_are_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"", "nosuch", "ofar:escape=d", "ofar:bcm=-1", "pb:x=1", "val:restricted=maybe"};
	for (unsigned i = 0; TEST_ROW(i, bad, bad[i]); i++) {
		const odo_policy *row;
		odo_value value[ODO_MAX_OPTIONS];
		odo_error err = {0};
		assert_int_equal(odo_policy_parse(bad[i], &row, value, &err), ODO_EINPUT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_delivers_what_is_offered),
		cmocka_unit_test(
			policies_do_not_deadlock_and_accept_what_they_did_beyond_saturation),
		cmocka_unit_test(bounds_of_the_papers_hold),
		cmocka_unit_test(piggybacking_sees_congestion),
		cmocka_unit_test(inputs_send_as_many_lanes_as_the_model_says),
		cmocka_unit_test(ofar_lives_on_one_vl_and_any_escape),
		cmocka_unit_test(packets_of_one_phit_pass_a_fast_crossbar),
		cmocka_unit_test(escapes_of_their_own_carry_the_escapes_alone),
		cmocka_unit_test(ugal_g_carries_the_worst_case_as_valiant_does),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(switches_that_ofar_cannot_use_are_refused),
		cmocka_unit_test(bad_specs_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

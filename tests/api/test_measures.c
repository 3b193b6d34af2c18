/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Analyses and emulations by the public functions are the core's. */
#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "rig.h"
#include "routing/analyze/analyze.h"

#define DRAGONFLY "dragonfly:p=2,a=4,h=2"

static odonata_analysis analyze(const struct rig *r, const char *pattern, double *use)
{
	odonata_error err = {0};
	odonata_analysis a = {.size = sizeof a};
	expect_ok(odonata_analyze(r->tables, pattern, 1, use, &a, &err), &err);
	return a;
}

static void uniform_analysis_is_the_cores(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	uint32_t n = view_of(r.fabric).n_slots;
	double *use = calloc(n, sizeof *use), index;
	odonata_analysis ours = analyze(&r, NULL, use);
	odo_analysis a;
	odo_error why;
	assert_int_equal(odo_analyze_uniform(r.tables->core, r.found->core, &a, &index, &why), 0);
	assert_true(ours.saturation == a.saturation && ours.max_use == a.max_use);
	assert_true(ours.mean_hops == a.mean_hops && ours.lost == 0 && a.lost == 0);
	assert_true(ours.forwarding_index == index && index > 0);
	assert_memory_equal(use, a.use, n * sizeof *use);
	assert_true(use[ours.fullest] == ours.max_use);
	odo_analysis_clear(&a);
	free(use);
	rig_free(&r);
}

/* Every host of a group sends to the next: one global cable for eight hosts. */
static void adversarial_traffic_fills_the_global_cable(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	odonata_analysis a = analyze(&r, "advg:n=1", NULL);
	assert_true(a.saturation == 0.125 && a.max_use == 8);
	assert_true(a.forwarding_index < 0);
	assert_int_equal(r.found->core->port_class[a.fullest], ODO_PORT_GLOBAL);
	rig_free(&r);
}

static void bisections_are_the_cores(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	odonata_error err = {0};
	odo_error why;
	double mean, least, core_mean, core_least;
	expect_ok(odonata_bisection(r.tables, 5, 2, &mean, &least, &err), &err);
	assert_int_equal(odo_analyze_bisection(r.tables->core, 5, 2, &core_mean, &core_least, &why),
			 0);
	assert_true(mean == core_mean && least == core_least && least <= mean && mean <= 1);
	expect_ok(odonata_bisection(r.tables, 5, 2, &mean, NULL, &err), &err);
	expect_failure(odonata_bisection(r.tables, 0, 2, &mean, &least, &err), ODONATA_EINPUT, &err,
		       "at least one bisection");
	rig_free(&r);
}

static odonata_measures emulate(odonata_emulation how)
{
	odonata_error err = {0};
	odonata_measures m = {.size = sizeof m};
	how.size = sizeof how;
	expect_ok(odonata_emulate(&how, &m, &err), &err);
	return m;
}

static odo_measures *emulate_core(const struct rig *r, double load)
{
	odo_error why;
	odo_model model;
	odo_traffic *traffic;
	odo_measures *m;
	assert_int_equal(odo_model_parse("", NULL, &model, &why), 0);
	assert_int_equal(
		odo_traffic_create("uniform", r->fabric->core, r->found->core, 4, &traffic, &why),
		0);
	odo_emulation e = {.fabric = r->fabric->core,
			   .coordinates = r->found->core,
			   .tables = r->tables->core,
			   .model = &model,
			   .traffic = traffic,
			   .run = {.seed = 4, .load = load, .warmup = 1000, .measured = 2000}};
	assert_int_equal(odo_emulate(&e, &m, &why), 0);
	odo_traffic_free(traffic);
	return m;
}

static void measures_are_the_cores(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	odonata_measures m = emulate((odonata_emulation){
		.tables = r.tables, .load = 0.9, .seed = 4, .warmup = 1000, .cycles = 2000});
	odo_measures *c = emulate_core(&r, 0.9);
	assert_int_equal(m.outcome, ODONATA_DONE);
	assert_int_equal(m.n_hosts, 72);
	assert_true(m.warmup == c->warmup && m.cycles == c->cycles && m.cycles == 2000);
	assert_true(m.offered == c->offered && m.accepted == c->accepted);
	assert_true(m.accepted_error == c->accepted_error && m.latency_error == c->latency_error);
	assert_true(m.latency == odo_histogram_mean(&c->latency));
	assert_true(m.network_latency == odo_histogram_mean(&c->network));
	assert_true(m.latency_median == odo_histogram_percentile(&c->latency, 0.5));
	assert_true(m.latency_p99 == odo_histogram_percentile(&c->latency, 0.99));
	assert_true(m.latency_max == c->latency.max);
	assert_true(m.fairness == c->jain && m.generated == c->generated);
	assert_true(m.dropped == c->dropped && m.injected == c->injected);
	assert_true(m.delivered == c->delivered && m.escaped == c->escaped);
	assert_true(m.waiting == c->waiting && m.in_network == c->in_network);
	assert_true(m.mean_hops > 2 && m.mean_hops < 3);
	assert_string_equal(m.report, "");
	/* 0.9 is too much for it: accepted says so, and waiting too. */
	assert_true(m.accepted < 0.85 && m.waiting > 1000);
	odo_measures_free(c);
	rig_free(&r);
}

static void no_emulation_accepts_more_than_the_analysis_allows(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	odonata_analysis a = analyze(&r, "advg:n=1", NULL);
	odonata_measures m = emulate((odonata_emulation){.tables = r.tables,
							 .pattern = "advg:n=1",
							 .load = 1,
							 .warmup = 2000,
							 .cycles = 4000});
	assert_true(m.accepted > 0.1 && m.accepted <= a.saturation * 1.01);
	rig_free(&r);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	odonata_emulation how = {
		.tables = r.tables, .load = 0.6, .seed = 1, .warmup = 500, .cycles = 1000};
	odonata_measures one = emulate(how);
	how.threads = 2;
	odonata_measures two = emulate(how);
	assert_memory_equal(&one, &two, sizeof one);
	how.seed = 2;
	assert_true(emulate(how).generated != one.generated);
	rig_free(&r);
}

static void policies_and_models_are_heeded(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	odonata_emulation how = {.fabric = r.fabric,
				 .coordinates = r.found,
				 .policy = "val",
				 .pattern = "advg:n=1",
				 .load = 0.3,
				 .warmup = 2000,
				 .cycles = 4000};
	odonata_measures m = emulate(how);
	assert_true(m.accepted > 0.2); /* more than minimal routing could: 0.125 */
	how.model = "ofar:packet=4";
	assert_true(emulate(how).generated > m.generated); /* more, of smaller packets */
	rig_free(&r);
}

static void defaults_stand_for_zeroes(void **state)
{
	(void)state;
	struct rig r = rig_make("flatfly:k=2x2,c=1");
	odonata_emulation how = {.tables = r.tables, .load = 0.2};
	odonata_measures m = emulate(how);
	assert_true(m.warmup == 5000 && m.cycles == 10000);
	how.cycles = 300;
	m = emulate(how);
	assert_true(m.warmup == 0 && m.cycles == 300);
	how.warmup = 1000;
	how.steady = 1;
	assert_true(emulate(how).warmup >= 4000); /* four batches of it */
	rig_free(&r);
}

/* LFTs of a dragonfly on one VL: the emulation ends, and says who waits for whom. */
static void deadlock_is_a_result(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	struct folder d = folder_make();
	const char *const path[] = {file_in(&d, "lfts")};
	odonata_error err = {0};
	odonata_tables *unsafe;
	expect_ok(odonata_export(r.tables, "lfts", path[0], &err), &err);
	expect_ok(odonata_tables_read(r.fabric, r.found, path, 1, &unsafe, &err), &err);
	odonata_measures m = emulate((odonata_emulation){
		.tables = unsafe, .model = "ofar", .load = 1, .warmup = 10000, .cycles = 200000});
	assert_int_equal(m.outcome, ODONATA_DEADLOCK);
	assert_true(strlen(m.report) > 20);
	unlink(path[0]);
	rmdir(d.name);
	odonata_tables_free(unsafe);
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_analysis_is_the_cores),
		cmocka_unit_test(adversarial_traffic_fills_the_global_cable),
		cmocka_unit_test(bisections_are_the_cores),
		cmocka_unit_test(measures_are_the_cores),
		cmocka_unit_test(no_emulation_accepts_more_than_the_analysis_allows),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(policies_and_models_are_heeded),
		cmocka_unit_test(defaults_stand_for_zeroes),
		cmocka_unit_test(deadlock_is_a_result),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

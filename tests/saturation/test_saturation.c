/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Saturation against closed forms: what the links of a pattern can carry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"
#include "saturation/saturation.h"
#include "saturation/verdict.h"
#include "tests/unit.h"

/** @param bound highest load that the busiest link can carry; @param slack how far below it
 * queues may saturate, in steps */
struct row {
	const char *fabric, *routing, *pattern;
	double bound;
	uint32_t slack;
};

static const struct row rows[] = {
	/* A group's p * a hosts over one link: 1/(a*p) (paper 003, V.B). */
	{"dragonfly:p=2,a=4,h=2", "min", "advg:n=1", 1.0 / 8, 2},
	{"dragonfly:p=2,a=4,h=2", NULL, "advg:n=1", 1.0 / 8, 2},
	/* Three switches' worth of hosts over one link. */
	{"dragonfly:p=3,a=2,h=1", "min", "advg:n=1", 1.0 / 6, 2},
	/* A switch's C hosts over one link (paper 004, section 3.1). */
	{"flatfly:k=4x4x4,c=4", NULL, "neighbour:dim=1", 1.0 / 4, 2},
	{"flatfly:k=4x4x4,c=4", "dor", "neighbour", 1.0 / 4, 2},
	{"dragonfly:p=2,a=4,h=2", "min", "advl", 1.0 / 2, 4},
};

/** A row, ready to run. */
struct rig {
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *tables;
	odo_traffic *traffic;
	odo_model model;
	odo_emulation e;
};

/** @param engine or NULL */
static void set_up(struct rig *rig, const struct row *row, const char *engine, const char *model)
{
	odo_error err = {0};
	const odo_route_options options = {0};
	*rig = (struct rig){0};
	if (odo_topology_generate(row->fabric, 0, &rig->f, &rig->c, &err) ||
	    (!row->routing && odo_route(rig->f, rig->c, engine, &options, &rig->tables, &err)) ||
	    odo_traffic_create(row->pattern, rig->f, rig->c, 1, &rig->traffic, &err) ||
	    odo_model_parse(model, NULL, &rig->model, &err))
		fail_msg("%s", err.text);
	rig->e = (odo_emulation){.fabric = rig->f,
				 .coordinates = rig->c,
				 .tables = rig->tables,
				 .policy = row->routing,
				 .model = &rig->model,
				 .traffic = rig->traffic,
				 .run = {.seed = 1}};
}

static void tear_down(struct rig *rig)
{
	odo_traffic_free(rig->traffic);
	odo_tables_free(rig->tables);
	odo_coordinates_free(rig->c);
	odo_fabric_free(rig->f);
}

static odo_saturation find(struct rig *rig, odo_saturation_search how, uint64_t warmup,
			   uint64_t measured)
{
	odo_saturation found;
	odo_error err = {0};
	rig->e.run.warmup = warmup;
	rig->e.run.measured = measured;
	if (odo_saturation_find(&rig->e, &how, &found, &err))
		fail_msg("%s", err.text);
	return found;
}

static odo_saturation search_within(const struct row *row, odo_saturation_search how,
				    uint64_t warmup, uint64_t measured)
{
	struct rig rig;
	set_up(&rig, row, NULL, "ofar");
	odo_saturation found = find(&rig, how, warmup, measured);
	tear_down(&rig);
	return found;
}

static odo_saturation search(const struct row *row, odo_saturation_search how)
{
	return search_within(row, how, 1000, 4000);
}

/** Packets, by which those of a host on their way differ by chance. */
#define CHANCE 20.0

/* Counted apart from the search: the run's own sums, and each host's. */
static void assert_all_arrives(odo_emulation *e, const char *what)
{
	odo_measures *m;
	odo_error err = {0};
	double offered = 0, arrived = 0, most = 0;
	e->run.sources = true;
	if (odo_emulate(e, &m, &err))
		fail_msg("%s", err.text);
	for (uint32_t h = 0; h < m->n_hosts; h++) {
		double some = m->offered_by_host[h], of = m->arrived_by_host[h];
		offered += some;
		arrived += of;
		most = fmax(most, some - of - CHANCE);
	}
	double share = most * m->n_hosts / offered;
	printf("%s: %.4f sustained; in %llu cycles %.4f of it arrive, the worst-off host lacks "
	       "%.4f\n",
	       what, e->run.load, (unsigned long long)e->run.measured, arrived / offered, share);
	assert_true(arrived == (double)m->delivered && offered == (double)m->generated);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	double chance = 5 * sqrt(2.0 * (double)(m->in_network + m->waiting));
	assert_true(arrived >= 0.99 * offered - chance);
	assert_true(share < 1.0 / 16);
	odo_measures_free(m);
}

/* Ten times as long as was asked for, and from where the search stopped to twice that. The first
 * row is congestion that feeds itself: beyond a fifth packets are deflected, take longer ways and
 * deflect others, which begins after some thousand cycles; then two thirds arrive. Buffers take in
 * more for as long as that. */
static void what_is_sustained_arrives_in_longer_runs(void **state)
{
	(void)state;
	static const struct {
		struct row row;
		const char *engine, *model;
		odo_saturation_search how;
	} of[] = {
		{{"slimfly-flatfly:q=4,k=4,c=8", NULL, "complement", 0, 0},
		 "deflection+4",
		 "daryin",
		 {.steps = 128, .first = 16, .last = 64, .relative = 8}},
		{{"flatfly:k=4x4,c=4", NULL, "complement", 0, 0},
		 "deflection+2",
		 "daryin",
		 {.steps = 64, .first = 16}},
		{{"dragonfly:p=2,a=4,h=2", "min", "advl", 0, 0},
		 NULL,
		 "fogsim-v5",
		 {.steps = 64, .first = 16}},
	};
	/* The first is most of the work, and the slow suite's. */
	for (size_t i = test_wide() ? 0 : 1; i < sizeof of / sizeof *of; i++) {
		struct rig rig;
		set_up(&rig, &of[i].row, of[i].engine, of[i].model);
		odo_saturation s = find(&rig, of[i].how, 300, 300);
		assert_true(s.sustained > 0);
		rig.e.run.load = (double)s.sustained / s.steps;
		rig.e.run.warmup = rig.e.run.measured = 3000;
		assert_all_arrives(&rig.e, of[i].row.fabric);
		rig.e.run.warmup = rig.e.run.measured = s.cycles;
		assert_all_arrives(&rig.e, of[i].row.fabric);
		tear_down(&rig);
	}
}

/* One host of 64 on a switch sends to one whose cable is slow. Of all that is offered 99.7 % still
 * arrive where that takes a phit in four cycles, a quarter of full load for 0.3 offered. */
static void one_source_that_falls_behind_is_enough(void **state)
{
	(void)state;
	const struct row row = {"flatfly:k=1,c=64", NULL, "shift:n=1", 0, 0};
	struct rig rig;
	odo_load_verdict fast, slow;
	odo_error err = {0};
	set_up(&rig, &row, NULL, "ofar");
	uint32_t *cycles = calloc(rig.f->n_slots, sizeof *cycles);
	assert_non_null(cycles);
	for (uint32_t slot = 0; slot < rig.f->n_slots; slot++)
		cycles[slot] = 1;
	rig.e.slot_cycles = cycles;
	rig.e.run = (odo_run_options){.seed = 1, .load = 0.3, .warmup = 3000, .measured = 3000};
	cycles[rig.f->host_slot[5]] = 3;
	assert_int_equal(odo_load_verdict_find(&rig.e, 0.002, 1, &fast, &err), 0);
	cycles[rig.f->host_slot[5]] = 4;
	assert_int_equal(odo_load_verdict_find(&rig.e, 0.002, 1, &slow, &err), 0);
	free(cycles);
	tear_down(&rig);
	assert_true(fast.sustained);
	assert_false(slow.sustained);
}

/* A packet that waits at the end of 200 cycles, four steps of a host's load, decides nothing. */
static void short_runs_sustain_as_much(void **state)
{
	(void)state;
	const struct row uniform = {"dragonfly:p=2,a=4,h=2", NULL, "uniform", 0, 0};
	const odo_saturation_search how = {.steps = 128};
	uint32_t sustained = search(&uniform, how).sustained;
	for (uint64_t cycles = 200; cycles <= (test_wide() ? 1000 : 200); cycles += 800)
		assert_in_range(search_within(&uniform, how, cycles / 2, cycles).sustained,
				sustained - 3, sustained + 3);
}

static void saturation_is_what_links_can_carry(void **state)
{
	(void)state;
	/* A sample has a dragonfly and a FlatFly. */
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].fabric); i += test_wide() ? 1 : 3) {
		odo_saturation s = search(&rows[i],
					  (odo_saturation_search){.steps = 128, .full = true});
		printf("%s %s %s: sustained %u/128, accepted at full offer %.4f, bound %.4f\n",
		       rows[i].fabric, rows[i].routing ? rows[i].routing : "tables",
		       rows[i].pattern, s.sustained, s.accepted_at_full, rows[i].bound);
		uint32_t bound = (uint32_t)(rows[i].bound * 128 + 0.5);
		assert_in_range(s.sustained, bound - rows[i].slack, bound);
		assert_true(s.accepted_at_full <= rows[i].bound * 1.005);
		assert_true(s.accepted_at_full >= rows[i].bound * 0.9);
		assert_int_equal(s.deadlocks, 0);
	}
}

/** Runs of a load: until a window is long enough, and longer ones near saturation. */
#define RUNS 7

/* Halving from 1: full offer, then a load for each doubling of the steps. Of 64: 1, 2, 4 and 8 or
 * 16, then what is between. */
static void search_doubles_and_halves(void **state)
{
	(void)state;
	odo_saturation coarse = search(&rows[0], (odo_saturation_search){.steps = 8, .full = true});
	odo_saturation fine = search(&rows[0], (odo_saturation_search){.steps = 64});
	assert_in_range(coarse.runs, 2, 3 * RUNS);
	assert_true(coarse.accepted_at_full > 0.1);
	assert_true(coarse.sustained <= 1);
	assert_in_range(fine.runs, 6, 8 * RUNS);
	assert_in_range(fine.sustained, 7, 8);
	assert_true(fine.accepted_at_full < 0);
}

/* "Next switch" sustains half: 58 to 64 of 128, told apart within a fourth of that. */
static void relative_search_ends_within_its_share(void **state)
{
	(void)state;
	odo_saturation s = search(&rows[5], (odo_saturation_search){.steps = 128, .relative = 4});
	assert_in_range(s.sustained, 48, 64);
	assert_in_range(s.runs, 8, 12 * RUNS);
}

/* From 16 down to 8 or up to 32, and no further than 32: "next switch" sustains 58 to 64. */
static void search_starts_and_ends_where_told(void **state)
{
	(void)state;
	odo_saturation below = search(
		&rows[0], (odo_saturation_search){.steps = 128, .first = 32, .last = 64});
	odo_saturation above = search(
		&rows[5], (odo_saturation_search){.steps = 128, .first = 16, .last = 32});
	assert_in_range(below.sustained, 14, 16);
	assert_in_range(below.runs, 4, 6 * RUNS);
	assert_int_equal(above.sustained, 32);
	assert_in_range(above.runs, 2, 2 * RUNS);
	/* Nothing is in the way of two hosts of a switch. */
	const struct row free_way = {"flatfly:k=1,c=2", NULL, "shift:n=1", 1, 0};
	for (uint32_t last = 0; last <= 128; last += 128) {
		odo_saturation all = search(
			&free_way,
			(odo_saturation_search){.steps = 128, .last = last, .full = true});
		assert_int_equal(all.sustained, 128);
		assert_in_range(all.runs, 1, RUNS);
	}
	odo_saturation quarter = search(
		&free_way, (odo_saturation_search){.steps = 128, .last = 32, .full = true});
	assert_int_equal(quarter.sustained, 32);
}

/* From what nearly every host gets at full offer, as from below. */
static void search_near_full_offer_finds_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < 6; i += 3) {
		odo_saturation far = search(&rows[i], (odo_saturation_search){.steps = 128});
		odo_saturation near = search(
			&rows[i],
			(odo_saturation_search){.steps = 128, .near = true, .full = true});
		printf("%s %s: %u in %u runs, near %u in %u, least %.4f, mean %.4f\n",
		       rows[i].fabric, rows[i].pattern, far.sustained, far.runs, near.sustained,
		       near.runs, near.least_at_full, near.accepted_at_full);
		assert_in_range(near.sustained, far.sustained - 1, far.sustained + 1);
		assert_true(near.runs < far.runs + RUNS);
		/* However short the glances on the way, the answer is judged as long. */
		if (near.sustained == far.sustained)
			assert_int_equal(near.cycles, far.cycles);
		/* Hosts of a FlatFly share evenly. */
		assert_true(near.least_at_full > (i == 3 ? 0.8 : -1) * near.accepted_at_full);
		assert_true(near.least_at_full <= near.accepted_at_full);
		assert_true(far.least_at_full < 0);
	}
	/* No host is stopped, and none gets half. */
	const struct row free_way = {"flatfly:k=1,c=2", NULL, "shift:n=1", 1, 0};
	const struct row shared = {"flatfly:k=2,c=4", NULL, "neighbour", 0.25, 0};
	const odo_saturation_search to = {.steps = 128, .near = true, .full = true, .last = 20};
	assert_int_equal(search(&free_way, to).sustained, 20);
	assert_int_equal(search(&shared, to).sustained, 20);
}

/* Four hosts share a cable, and offer 4 % more than it carries: each falls short by less than
 * chance at first, all four together do not, and by as much in each window. */
static void queues_that_go_on_growing_are_told_early(void **state)
{
	(void)state;
	struct rig rig;
	odo_load_verdict of;
	odo_error err = {0};
	set_up(&rig, &rows[3], NULL, "kim");
	rig.e.run = (odo_run_options){.seed = 1, .load = 0.26, .warmup = 2000, .measured = 2000};
	assert_int_equal(odo_load_verdict_find(&rig.e, 1.0 / 256, 1, &of, &err), 0);
	printf("beyond a shared cable: %u runs, %llu cycles\n", of.runs,
	       (unsigned long long)of.cycles);
	assert_false(of.sustained);
	assert_in_range(of.cycles, 2000, 20000);
	tear_down(&rig);
}

/* A cable of one switch is half as fast, and its 16 hosts offer 9 % more than it carries. The
 * other hosts hide that in the total, and for 160,000 cycles chance hides it in each of the 16. */
static void hosts_of_one_switch_are_judged_together(void **state)
{
	(void)state;
	const struct row row = {"flatfly:k=4x4,c=16", NULL, "neighbour:dim=1", 1.0 / 16, 0};
	struct rig rig;
	odo_load_verdict of;
	odo_error err = {0};
	set_up(&rig, &row, NULL, "ofar");
	uint32_t *cycles = calloc(rig.f->n_slots, sizeof *cycles);
	assert_non_null(cycles);
	for (uint32_t slot = 0; slot < rig.f->n_slots; slot++)
		cycles[slot] = 1 + (slot < rig.f->first_slot[1] &&
				    odo_next_switch(rig.f, slot) != ODO_NONE);
	rig.e.slot_cycles = cycles;
	rig.e.run = (odo_run_options){.seed = 1, .load = 0.034, .warmup = 2000, .measured = 2000};
	assert_int_equal(odo_load_verdict_find(&rig.e, 1.0 / 2048, 1, &of, &err), 0);
	print_message("one slow switch: %u runs, %llu cycles\n", of.runs,
		      (unsigned long long)of.cycles);
	assert_false(of.sustained);
	assert_in_range(of.cycles, 2000, 64000);
	free(cycles);
	tear_down(&rig);
}

/* An eighth of full load in 32 steps, and four more: full offer stays that of every host. */
static void steps_may_be_shares_of_a_lower_load(void **state)
{
	(void)state;
	const odo_saturation_search how = {
		.steps = 32, .whole = 0.125, .first = 30, .last = 36, .full = true};
	odo_saturation s = search(&rows[0], how);
	assert_in_range(s.sustained, 30, 32);
	assert_in_range(s.runs, 4, 4 * RUNS);
	assert_true(s.accepted_at_full > 0.11 && s.accepted_at_full < 0.1255);
}

static void searches_that_cannot_be_are_refused(void **state)
{
	(void)state;
	odo_saturation found;
	odo_error err;
	odo_emulation none = {0};
	const odo_saturation_search bad[] = {{.steps = 1},
					     {.steps = 8, .first = 9},
					     {.steps = 8, .last = 9},
					     {.steps = 8, .near = true},
					     {.steps = 8, .whole = 0.5, .last = 17},
					     {.steps = 8, .whole = 1.1},
					     {.steps = 8, .first = 5, .last = 4}};
	for (unsigned i = 0; TEST_ROW(i, bad, NULL); i++)
		assert_int_equal(odo_saturation_find(&none, &bad[i], &found, &err), ODO_EINPUT);
}

typedef struct told {
	unsigned first, load, most; /* the bound told first; load at work and bound of the last */
	bool wrong;                 /* what was told cannot be */
} told;

static void hear(void *context, const char *what, double share, bool at_most)
{
	told *t = context;
	unsigned load, most;
	bool fine = sscanf(what, "searching for saturation, load %u of at most %u", &load, &most) ==
		    2;
	t->first = t->first ? t->first : most;
	t->wrong |= !fine || at_most || share < 0 || share > 1 || load > most || load < t->load ||
		    (t->most && most > t->most);
	t->load = load;
	t->most = most;
}

/* Whoever waits is told how many loads there are left at most, and that never rises. */
static void the_bound_on_loads_holds(void **state)
{
	(void)state;
	static const odo_saturation_search how[] = {
		{.steps = 128, .full = true},
		{.steps = 128, .full = true, .near = true},
		{.steps = 128},
		{.steps = 64, .first = 32},
		{.steps = 16, .last = 8},
	};
	const struct row row = {"dragonfly:p=2,a=4,h=2", NULL, "advg:n=1", 0, 0};
	for (size_t i = 0; TEST_ROW(i, how, NULL); i++) {
		told t = {0};
		const odo_watch watch = {hear, &t};
		odo_saturation_search watched = how[i];
		watched.watch = &watch;
		search_within(&row, watched, 300, 500);
		print_message("%u loads of at most %u\n", t.load, t.first);
		assert_true(t.load && !t.wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(searches_that_cannot_be_are_refused),
		cmocka_unit_test(search_doubles_and_halves),
		cmocka_unit_test(steps_may_be_shares_of_a_lower_load),
		cmocka_unit_test(search_starts_and_ends_where_told),
		cmocka_unit_test(search_near_full_offer_finds_the_same),
		cmocka_unit_test(queues_that_go_on_growing_are_told_early),
		cmocka_unit_test(hosts_of_one_switch_are_judged_together),
		cmocka_unit_test(relative_search_ends_within_its_share),
		cmocka_unit_test(short_runs_sustain_as_much),
		cmocka_unit_test(saturation_is_what_links_can_carry),
		cmocka_unit_test(one_source_that_falls_behind_is_enough),
		cmocka_unit_test(what_is_sustained_arrives_in_longer_runs),
		cmocka_unit_test(the_bound_on_loads_holds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What holds of every run: exact bounds of saturation, nothing lost, the same for any number of
 * threads, and an end with a report where nothing moves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emulator/rig.h"

/* The one link between two groups carries what all a * p hosts of a group send. Transit goes
 * first, since hosts that are served first by the exit's own switch fill its link with their
 * share alone. */
static void minimal_dragonfly_under_advg_saturates_at_one_link(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar:transit-first=1", "advg:n=1", NULL);
	odo_measures *m = rig_run(&r);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	assert_true(fabs(m->accepted - 1.0 / 8) < 0.002);
	assert_true(fabs(m->offered - 1) < 0.02);
	odo_measures_free(m);
	rig_free(&r);
}

static void flatfly_to_a_neighbour_saturates_at_one_of_c(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=4x4x4,c=4", "ofar", "neighbour", NULL);
	odo_measures *m = rig_run(&r);
	assert_true(fabs(m->accepted - 1.0 / 4) < 0.002);
	odo_measures_free(m);
	rig_free(&r);
}

static void no_packet_is_lost(void **state)
{
	(void)state;
	static const char *const models[] = {
		"ofar",       "fogsim-v5",     "fogsim-v1",
		"kim",        "valiant",       "daryin",
		"infiniband", "ofar:packet=3", "ofar:arbiter=round-robin,injection-queues=1"};
	for (size_t i = 0; TEST_ROW(i, models, models[i]); i++) {
		struct rig r;
		rig_make(&r, "dragonfly:p=2,a=4,h=2", models[i], "uniform", NULL);
		r.e.run.load = 0.3;
		r.e.run.warmup = 0;
		r.e.run.measured = 20000;
		odo_measures *m = rig_run(&r);
		assert_int_equal(m->outcome, ODO_RUN_DONE);
		assert_int_equal(m->generated,
				 m->delivered + m->in_network + m->waiting + m->dropped);
		assert_int_equal(m->latency.count, m->delivered);
		uint64_t by_path = 0, by_switch = 0;
		for (unsigned h = 0; h < 256; h++)
			by_path += m->path[h];
		for (uint32_t s = 0; s < r.fabric->n_switches; s++)
			by_switch += m->by_switch[s];
		assert_int_equal(by_path, m->delivered);
		assert_int_equal(by_switch, m->injected);
		assert_true(fabs(m->accepted - 0.3) < 0.03); /* packets on their way at the end */
		odo_measures_free(m);
		rig_free(&r);
	}
}

static void threads_change_nothing(void **state)
{
	(void)state;
	static const char *const policies[] = {NULL, "val", "pb", "ugal-l"};
	for (size_t i = 0; TEST_ROW(i, policies, policies[i]); i++) {
		struct rig r;
		rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", policies[i]);
		r.e.run.load = 0.9;
		r.e.run.series = 700;
		r.e.run.channels = true;
		rig_same_on(&r, 2);
		rig_same_on(&r, 4);
		rig_free(&r);
	}
}

/* What cycle_avx512.c does where it can, against cycle.c, and policies that wait to be asked, against
 * those that are asked in every round. A switch of 66 ports has two words. */
static void what_saves_time_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *topology, *model, *policy, *pattern;
		double load;
	} runs[] = {
		{"dragonfly:p=2,a=4,h=2", "fogsim-v5", NULL, "uniform", 1},
		{"dragonfly:p=2,a=4,h=2", "fogsim-v1", NULL, "uniform", 0.8},
		{"dragonfly:p=2,a=4,h=2", "daryin", NULL, "uniform", 1},
		{"dragonfly:p=2,a=4,h=2", "ofar", "pb", "uniform", 0.9},
		{"dragonfly:p=2,a=4,h=2", "ofar", "pb:minimal-vl=high", "advg:n=1", 0.7},
		{"dragonfly:p=2,a=4,h=2", "ofar", "par", "advg:n=1", 0.7},
		{"dragonfly:p=2,a=4,h=2", "fogsim-v1", "ugal-l-vc:revise=yes", "uniform", 0.7},
		{"dragonfly:p=2,a=4,h=2", "kim", "ugal-l:revise=minimal", "advg:n=1", 0.5},
		{"dragonfly:p=2,a=4,h=2", "ofar", "ofar", "uniform", 0.9},
		{"dragonfly:p=2,a=4,h=2", "ofar", "ofar:escape=tree", "advg:n=2", 1},
		{"dragonfly:p=2,a=4,h=2", "ofar", "ofar:local-vls=2,global-vls=1,bcm=1,ecm=60",
		 "60%uniform+40%advg:n=1", 0.7},
		{"dragonfly:p=2,a=4,h=2", "fogsim-v1", "ofar:trigger=granted,inject=yes",
		 "advg:n=1", 1},
		{"dragonfly:p=2,a=4,h=2", "valiant", "ofar:trigger=injection", "advl", 0.6},
		{"flatfly:k=3x3,c=62", "fogsim-v5", NULL, "uniform", 0.9},
	};
	for (size_t i = 0; TEST_ROW(i, runs, runs[i].topology); i++) {
		struct rig r;
		rig_make(&r, runs[i].topology, runs[i].model, runs[i].pattern, runs[i].policy);
		r.e.run.load = runs[i].load;
		odo_run_options plain = r.e.run;
		plain.plain = true;
		rig_same(&r, plain);
		rig_free(&r);
	}
}

static void series_add_up(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "advg:n=1/4000/uniform", NULL);
	r.e.run.load = 0.3;
	r.e.run.series = 300;
	r.e.run.channels = true;
	r.e.run.warmup = 0;
	r.e.run.measured = 8100;
	odo_measures *m = rig_run(&r);
	odo_interval sum = {0};
	assert_int_equal(m->n_intervals, 27);
	for (uint32_t i = 0; i < m->n_intervals; i++) {
		sum.delivered += m->intervals[i].delivered;
		sum.generated += m->intervals[i].generated;
		sum.latency_sum += m->intervals[i].latency_sum;
		sum.born_latency_sum += m->intervals[i].born_latency_sum;
	}
	assert_int_equal(sum.delivered, m->delivered);
	assert_int_equal(sum.generated, m->generated);
	assert_int_equal(sum.latency_sum, m->latency.sum);
	assert_int_equal(sum.born_latency_sum, m->latency.sum);
	odo_measures_free(m);
	rig_free(&r);
}

/* Intervals shorter than a packet, and than a phit: no cable is busy for longer than they last, and
 * in all of them together it is for what it was granted, but for packets under way at the end. */
static void channels_are_busy_for_as_long_as_packets_are(void **state)
{
	(void)state;
	static const struct {
		const char *model, *policy;
		uint32_t cycles; /* of a phit, where not 1 */
	} runs[] = {
		{"ofar", NULL, 0},
		{"ofar", NULL, 5},
		{"ofar:input-parallel=1", "ofar", 0},
		{"fogsim-v5:pipeline=7", "pb", 3},
		{"valiant", "val", 0},
		{"daryin", NULL, 0},
		{"kim:packet=4", "min", 2},
		{"kim:flow=flits,packet=6", "min", 0},
		{"kim:flow=flits,packet=6,output-buffer=0", "min", 3},
	};
	static const uint32_t series[] = {1, 3, 700};
	for (size_t i = 0; i < sizeof runs / sizeof *runs * 3; i++) {
		struct rig r;
		rig_make(&r, "dragonfly:p=2,a=4,h=2", runs[i / 3].model, "uniform",
			 runs[i / 3].policy);
		uint32_t *cycles = calloc(r.fabric->n_slots, sizeof *cycles);
		uint32_t of_phit = runs[i / 3].cycles ? runs[i / 3].cycles : 1, busiest = 0;
		for (uint32_t s = 0; s < r.fabric->n_slots; s++)
			cycles[s] = of_phit;
		r.e.slot_cycles = runs[i / 3].cycles ? cycles : NULL;
		r.e.run = (odo_run_options){.seed = 1,
					    .load = 0.9,
					    .series = series[i % 3],
					    .channels = true,
					    .measured = 2000};
		odo_measures *m = rig_run(&r);
		for (uint32_t s = 0; s < r.fabric->n_slots; s++) {
			uint64_t busy = 0, granted = (uint64_t)m->channel[s] * of_phit;
			for (uint32_t k = 0; k < m->n_intervals; k++) {
				uint32_t b = m->channel_series[(size_t)k * r.fabric->n_slots + s];
				assert_true(b <= series[i % 3]);
				busiest = b > busiest ? b : busiest;
				busy += b;
			}
			assert_true(busy <= granted);
			assert_true(granted - busy <=
				    of_phit * (r.model.packet + r.model.output_buffer));
		}
		if (series[i % 3] < 700)
			assert_int_equal(busiest, series[i % 3]);
		odo_measures_free(m);
		free(cycles);
		rig_free(&r);
	}
}

/* An interval in which measuring begins is none the poorer for it. */
static void measuring_hides_no_load_of_channels(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL);
	r.e.run = (odo_run_options){
		.seed = 1, .load = 0.7, .series = 300, .channels = true, .measured = 3000};
	odo_measures *from_first = rig_run(&r);
	r.e.run.warmup = 1234;
	r.e.run.measured -= 1234;
	odo_measures *later = rig_run(&r);
	assert_int_equal(from_first->n_intervals, later->n_intervals);
	assert_memory_equal(from_first->channel_series, later->channel_series,
			    10ul * r.fabric->n_slots * sizeof *later->channel_series);
	odo_measures_free(from_first);
	odo_measures_free(later);
	rig_free(&r);
}

/* Minimal routing of a dragonfly on one VL: its channels depend on each other in a circle. */
static void one_vl_too_few_ends_with_a_report(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar:buffer-global=8,buffer-local=8", "advg:n=2",
		 NULL);
	for (uint32_t i = 0; i < r.tables->n_rows; i++)
		memset(&r.tables->rows[i], 0, sizeof r.tables->rows[i]);
	r.tables->n_vls = 1;
	r.e.run.measured = 200000;
	odo_measures *m = rig_run(&r);
	assert_int_equal(m->outcome, ODO_RUN_DEADLOCK);
	/* It has ended long before what it was given: loads are of the cycles it ran. */
	assert_in_range(m->cycles, 1, 100000);
	assert_true(fabs(m->offered - 1) < 0.05);
	assert_true(m->accepted_error < 0 && m->latency_error < 0);
	assert_non_null(strstr(m->report, "waiting for port"));
	unsigned lines = 0;
	for (const char *at = m->report; *at; at++)
		lines += *at == '\n';
	assert_true(lines >= 2);
	/* In the same cycle, though threads meet more often than one rests. */
	r.e.run.threads = 4;
	odo_measures *again = rig_run(&r);
	assert_int_equal(m->cycles, again->cycles);
	assert_int_equal(m->generated, again->generated);
	assert_string_equal(m->report, again->report);
	odo_measures_free(again);
	odo_measures_free(m);
	rig_free(&r);
}

static void tables_that_loop_end_with_a_report(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=3,c=1", "ofar", "uniform", NULL);
	/* Switch s sends everything for host 2's LID on to switch 1 - s. */
	uint32_t lid = r.fabric->port_lid[r.fabric->host_slot[2]];
	for (uint32_t s = 0; s < 2; s++)
		for (unsigned p = 1; p <= odo_n_ports(r.fabric, s); p++)
			if (odo_next_switch(r.fabric, odo_slot(r.fabric, s, p)) == 1 - s)
				r.tables->lft[s * r.fabric->lid_count + lid] = (uint8_t)p;
	r.e.run.load = 0.02;
	odo_measures *m = rig_run(&r);
	assert_int_equal(m->outcome, ODO_RUN_LIVELOCK);
	char to[64];
	snprintf(to, sizeof to, "to host \"%s\"",
		 odo_name(r.fabric, r.fabric->owner[r.fabric->host_slot[2]]));
	assert_non_null(strstr(m->report, to));
	odo_measures_free(m);
	rig_free(&r);
}

enum { SEEDS = 30 };

/* 19 of 20 intervals should hold the true mean; near saturation batches hang together. Nor are they so wide that they
 * say nothing: some 2 standard deviations, and near saturation more. */
static void expect_intervals(const double *x, const double *error)
{
	double mean = 0, squares = 0, width = 0;
	unsigned held = 0;
	for (unsigned i = 0; i < SEEDS; i++)
		mean += x[i] / SEEDS;
	for (unsigned i = 0; i < SEEDS; i++) {
		held += fabs(x[i] - mean) <= error[i];
		squares += (x[i] - mean) * (x[i] - mean);
		width += error[i] / SEEDS;
	}
	double deviations = width / sqrt(squares / (SEEDS - 1));
	assert_in_range(held, SEEDS - 5, SEEDS);
	if (!(deviations > 1.6 && deviations < 4))
		fail_msg("intervals of %.2f standard deviations", deviations);
}

static void intervals_hold_the_mean(void **state)
{
	(void)state;
	static const double loads[] = {0.3, 0.65};
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", "min");
	r.e.run.measured = 10000;
	for (size_t k = 0; TEST_ROW(k, loads, NULL); k++) {
		double latency[SEEDS], latency_error[SEEDS], accepted[SEEDS], accepted_error[SEEDS];
		r.e.run.load = loads[k];
		for (unsigned i = 0; i < SEEDS; i++) {
			r.e.run.seed = i + 1;
			odo_measures *m = rig_run(&r);
			latency[i] = odo_histogram_mean(&m->latency);
			latency_error[i] = m->latency_error;
			accepted[i] = m->accepted;
			accepted_error[i] = m->accepted_error;
			odo_measures_free(m);
		}
		expect_intervals(latency, latency_error);
		expect_intervals(accepted, accepted_error);
	}
	rig_free(&r);
}

/* Half the 95 % confidence interval of the mean of n batches by Student's t, from its definition. */
static double half_width(const double *x, unsigned n)
{
	double mean = 0, squares = 0, t = n == 32 ? 2.04 : n == 16 ? 2.13 : 2.36;
	for (unsigned i = 0; i < n; i++)
		mean += x[i];
	mean /= n;
	for (unsigned i = 0; i < n; i++)
		squares += pow(x[i] - mean, 2);
	return t * sqrt(squares / (n - 1)) / sqrt(n);
}

/* The time series has the batches, one in each of its intervals. */
static void intervals_are_the_widest_by_batches(void **state)
{
	(void)state;
	enum { BATCH = 100, N = 32 };
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", "min");
	r.e.run.load = 0.5;
	r.e.run.warmup = r.e.run.measured = N * BATCH;
	r.e.run.series = BATCH;
	odo_measures *m = rig_run(&r);
	const odo_interval *batch = m->intervals + N;
	double accepted_error = 0, latency_error = 0;
	for (unsigned n = N; n >= N / 4; n /= 2) {
		double accepted[N], latency[N];
		for (unsigned i = 0; i < n; i++) {
			uint64_t phits = 0, packets = 0, sum = 0;
			for (unsigned j = i * N / n; j < (i + 1) * N / n; j++) {
				phits += batch[j].delivered_phits;
				packets += batch[j].delivered;
				sum += batch[j].latency_sum;
			}
			accepted[i] = (double)phits / (N / n * BATCH) / r.fabric->n_hosts;
			latency[i] = (double)sum / (double)packets;
		}
		accepted_error = fmax(accepted_error, half_width(accepted, n));
		latency_error = fmax(latency_error, half_width(latency, n));
	}
	assert_true(fabs(m->accepted_error - accepted_error) < 1e-9);
	assert_true(fabs(m->latency_error - latency_error) < 1e-9);
	odo_measures_free(m);
	rig_free(&r);
}

static void latency_without_load_is_that_of_the_links(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=1", "ofar", "uniform", NULL);
	r.e.run.load = 0.001;
	r.e.run.measured = 100000;
	odo_measures *m = rig_run(&r);
	/* Injection 1, local link 10, and 8 phits to receive. */
	assert_int_equal(odo_histogram_percentile(&m->latency, 0), 19);
	assert_int_equal(odo_histogram_percentile(&m->network, 0), 18);
	assert_true(odo_histogram_mean(&m->latency) < 20);
	odo_measures_free(m);
	rig_free(&r);
}

static void slots_override_the_model(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=1", "ofar", "uniform", NULL);
	uint32_t *latency = calloc(r.fabric->n_slots, sizeof *latency);
	uint32_t *cycles = calloc(r.fabric->n_slots, sizeof *cycles);
	for (uint32_t s = 0; s < r.fabric->n_slots; s++) {
		latency[s] = r.fabric->slot_host[s] == ODO_NONE ? 50 : 1;
		cycles[s] = r.fabric->slot_host[s] == ODO_NONE ? 4 : 1;
	}
	r.e.slot_latency = latency;
	r.e.slot_cycles = cycles;
	odo_measures *m = rig_run(&r);
	assert_true(fabs(m->accepted - 0.25) < 0.002);
	assert_int_equal(odo_histogram_percentile(&m->network, 0), 58);
	odo_measures_free(m);
	free(latency);
	free(cycles);
	rig_free(&r);
}

/* InfiniBand: the cable between two switches has a share of the hosts' lanes, or half their speed.
 */
static void links_are_as_wide_and_fast_as_the_fabric_says(void **state)
{
	(void)state;
	static const struct {
		uint8_t width, speed;
		double carried;
	} cable[] = {{4, ODO_HDR, 0.8}, {2, ODO_HDR, 0.5}, {1, ODO_HDR, 0.25}, {4, ODO_EDR, 0.5}};
	for (size_t i = 0; TEST_ROW(i, cable, NULL); i++) {
		struct rig r;
		rig_make(&r, "flatfly:k=2,c=1", "infiniband", "uniform", NULL);
		r.e.run.load = 0.8;
		for (uint32_t s = 0; s < r.fabric->n_slots; s++) {
			bool inner = odo_next_switch(r.fabric, s) != ODO_NONE;
			r.fabric->width[s] = inner ? cable[i].width : 4;
			r.fabric->speed[s] = inner ? cable[i].speed : ODO_HDR;
		}
		odo_measures *m = rig_run(&r);
		if (fabs(m->accepted - cable[i].carried) > 0.02)
			fail_msg("%ux of speed %u: %g accepted", cable[i].width, cable[i].speed,
				 m->accepted);
		odo_measures_free(m);
		rig_free(&r);
	}
}

static void measuring_waits_for_a_steady_state(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL);
	r.e.run.steady = true;
	r.e.run.warmup = 0;
	r.e.run.load = 0.5;
	odo_measures *m = rig_run(&r), *two;
	assert_in_range(m->warmup, 2000, 20000);
	assert_int_equal(m->cycles, 5000);
	assert_true(fabs(m->accepted - 0.5) < 0.02);
	r.e.run.threads = 2;
	two = rig_run(&r);
	assert_int_equal(m->warmup, two->warmup);
	assert_memory_equal(&m->latency, &two->latency, sizeof m->latency);
	odo_measures_free(two);
	odo_measures_free(m);
	/* Near saturation latency rises long after as much arrives as is sent. */
	r.e.run.load = 0.8;
	m = rig_run(&r);
	assert_in_range(m->warmup, 5000, 20000);
	odo_measures_free(m);
	rig_free(&r);
}

/* The one cable between two switches dies: what was granted before still arrives, then nothing. */
static void nothing_passes_a_dead_cable(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=1", "ofar", "uniform", NULL);
	uint32_t slot = 0;
	while (odo_next_switch(r.fabric, slot) != 1)
		slot++;
	odo_failure failure = {.cycle = 4000, .slot = slot};
	r.e.run.failures = &failure;
	r.e.run.n_failures = 1;
	r.e.run.warmup = 0;
	odo_measures *m = rig_run(&r);
	/* Until then, nearly a packet every 8 cycles in each direction. */
	assert_in_range(m->delivered, 900, 2 * 4000 / 8);
	assert_int_equal(m->generated, m->delivered + m->in_network + m->waiting);
	odo_measures_free(m);
	rig_free(&r);
}

static void what_cannot_be_run_is_refused(void **state)
{
	(void)state;
	struct rig r;
	odo_error err = {0};
	odo_measures *m = NULL;
	odo_model model;
	assert_int_equal(odo_model_parse("nosuch", NULL, &model, &err), ODO_EINPUT);
	assert_int_equal(odo_model_parse("ofar:packet=64", NULL, &model, &err), ODO_EINPUT);
	assert_int_equal(odo_model_parse("ofar:packet=-1", NULL, &model, &err), ODO_EINPUT);
	assert_int_equal(odo_model_parse("ofar:nosuch=1", NULL, &model, &err), ODO_EINPUT);
	assert_int_equal(odo_model_parse("arbiter=coin", NULL, &model, &err), ODO_EINPUT);
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL);
	r.e.run.load = 1.5;
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EINPUT);
	r.e.run.load = NAN;
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EINPUT);
	r.e.run.load = 0.5;
	r.model.vls[0] = 1;
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EDECLINE);
	r.model.vls[0] = 0;
	r.tables->lft[0 * r.fabric->lid_count + r.fabric->port_lid[r.fabric->host_slot[40]]] =
		ODO_NO_PORT;
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "no next hop"));
	assert_non_null(
		strstr(err.text, odo_name(r.fabric, r.fabric->owner[r.fabric->host_slot[40]])));
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(minimal_dragonfly_under_advg_saturates_at_one_link),
		cmocka_unit_test(flatfly_to_a_neighbour_saturates_at_one_of_c),
		cmocka_unit_test(no_packet_is_lost),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(what_saves_time_changes_nothing),
		cmocka_unit_test(series_add_up),
		cmocka_unit_test(channels_are_busy_for_as_long_as_packets_are),
		cmocka_unit_test(measuring_hides_no_load_of_channels),
		cmocka_unit_test(one_vl_too_few_ends_with_a_report),
		cmocka_unit_test(tables_that_loop_end_with_a_report),
		cmocka_unit_test(intervals_hold_the_mean),
		cmocka_unit_test(intervals_are_the_widest_by_batches),
		cmocka_unit_test(latency_without_load_is_that_of_the_links),
		cmocka_unit_test(slots_override_the_model),
		cmocka_unit_test(links_are_as_wide_and_fast_as_the_fabric_says),
		cmocka_unit_test(measuring_waits_for_a_steady_state),
		cmocka_unit_test(nothing_passes_a_dead_cable),
		cmocka_unit_test(what_cannot_be_run_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

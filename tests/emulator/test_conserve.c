/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* In no cycle of any sort of run is a packet, a phit or a credit lost or made, and looking for it
 * changes nothing. What is taken away by hand is missed at once. */
#include <stdio.h>

#include "emulator/kernel/state/part.h"
#include "tests/emulator/rig.h"

static const struct {
	const char *fabric, *model, *traffic, *policy;
} runs[] = {
	{"dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL},
	{"flatfly:k=4x4,c=4", "ofar:buffer-local=16", "neighbour", NULL},
	{"torus:k=4x4,c=2", "ofar:speedup=2,output-buffer=16", "uniform", NULL},
	{"fattree:k=4,levels=3", "infiniband", "uniform", NULL},
	{"slimfly:q=5,c=2", "ofar:latency-local=1,latency-host=1", "uniform", NULL},
	{"flatfly:k=40,c=1", "ofar", "uniform", NULL},
	{"dragonfly:p=2,a=4,h=2", "ofar", "advg:n=2", "ofar"},
	{"dragonfly:p=2,a=4,h=2", "ofar", "advg:n=2",
	 "ofar:escape=tree,local-vls=1,global-vls=1,ecm=20"},
	{"dragonfly:p=2,a=4,h=2",
	 "ofar:packet=1,speedup=3,output-buffer=3,iterations=1,input-parallel=2", "uniform", "min"},
	{"dragonfly:p=2,a=4,h=2", "ofar:input-parallel=3,transit-first=0", "permutation", "val"},
	{"dragonfly:p=2,a=4,h=2", "ofar:injection-queues=3,paced-hosts=1", "uniform", "ugal-l-cr"},
	{"dragonfly:p=2,a=4,h=2", "ofar:flow=flits,input-parallel=1", "uniform", "ugal-g"},
	{"dragonfly:p=1,a=8,h=3", "ofar:latency-global=1000", "advg:n=1", "pb"},
	{"fattree:k=4,levels=3", "ofar", "transpose", "fattree-adaptive"},
};

static void make_run(struct rig *r, size_t i, uint64_t measured)
{
	rig_make(r, runs[i].fabric, runs[i].model, runs[i].traffic, runs[i].policy);
	r->e.run.warmup = 200;
	r->e.run.measured = measured;
}

static void nothing_is_lost_in_any_cycle(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, runs, runs[i].fabric); i++) {
		struct rig r;
		make_run(&r, i, 800);
		odo_run_options looked = r.e.run;
		looked.conserve = true;
		rig_same(&r, looked);
		rig_free(&r);
	}
}

/* Cables that die keep what is on them. */
static void nothing_is_lost_with_a_cable(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=5,h=2,g=5", "ofar", "uniform",
		 "ofar:escape=ab,bounces=3,local-vls=1,global-vls=1");
	odo_failure lost = {.slot = 0, .cycle = 300};
	while (odo_next_switch(r.fabric, lost.slot) == ODO_NONE)
		lost.slot++;
	r.e.run = (odo_run_options){.seed = 1,
				    .load = 0.4,
				    .warmup = 200,
				    .measured = 800,
				    .conserve = true,
				    .failures = &lost,
				    .n_failures = 1};
	odo_measures *m = rig_run(&r);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	odo_measures_free(m);
	rig_free(&r);
}

/* Called before a window; the linker puts ours before it. */
int __real_odo_measure_window(odo_worker *k, uint32_t from);
int __wrap_odo_measure_window(odo_worker *k, uint32_t from);

enum { TAMPERED = 500 };
static void (*tamper)(odo_part *part, odo_spot at);
static bool long_ago; /* whether counts are soon as high as their bits allow */

/* As if there had been many petitions, and grants of each output, before. */
static void count_further(odo_part *part)
{
	const odo_world *w = part->world;
	uint32_t petitions = UINT32_MAX - 10000 - part->petitions;
	for (odo_spot at = 0; at < part->n_words * 64u << w->lane_bits; at++)
		part->lanes[at].petition += petitions;
	part->petitions += petitions;
	if (w->model.arbiter == ODO_ARBITER_ROUND_ROBIN)
		return;
	for (uint32_t f = 0; f < part->n_switches << w->port_bits; f++) {
		odo_link *out = odo_link_at(part, f);
		unsigned grants = UINT16_MAX - 20u - out->grants;
		for (unsigned i = 0; i < part->sw[f >> w->port_bits].ports; i++)
			out->served[i] = (uint16_t)(out->served[i] + grants);
		out->grants = (uint16_t)(out->grants + grants);
	}
}

/* A lane of a cable that holds packets, and the VL of an output of the same switch's. */
int __wrap_odo_measure_window(odo_worker *k, uint32_t from)
{
	odo_part *part = &k->world->parts[0];
	const odo_world *w = k->world;
	for (uint32_t i = 0; from == TAMPERED && long_ago && i < w->n_parts; i++)
		count_further(&k->world->parts[i]);
	for (odo_spot at = 0;
	     from == TAMPERED && tamper && at < part->n_switches << w->port_bits << w->lane_bits;
	     at++) {
		const odo_link *link = odo_link_at(part, at >> w->lane_bits);
		if (!link->up || link->side == ODO_SIDE_HOST ||
		    odo_spot_lane(w, at) >= w->n_lanes || part->lanes[at].head == ODO_NONE ||
		    part->lanes[at].head == part->lanes[at].tail)
			continue;
		tamper(part, at);
		break;
	}
	return __real_odo_measure_window(k, from);
}

static void lose_credit(odo_part *part, odo_spot at)
{
	part->credits[at]--;
}

/* Of the very first lane. */
static void lose_first_credit(odo_part *part, odo_spot at)
{
	(void)at;
	part->credits[0]--;
}

static void make_credit(odo_part *part, odo_spot at)
{
	part->credits[at]++;
}

static void shorten_packet(odo_part *part, odo_spot at)
{
	part->pool[part->lanes[at].tail].phits--;
}

static void lose_packet(odo_part *part, odo_spot at)
{
	odo_lane *lane = &part->lanes[at];
	part->next[lane->head] = ODO_NONE;
	lane->tail = lane->head;
}

static void count_once_more(odo_part *part, odo_spot at)
{
	(void)at;
	part->in_network++;
}

static void leak_place(odo_part *part, odo_spot at)
{
	(void)at;
	part->pool_free = part->next[part->pool_free];
}

static void what_is_lost_is_missed(void **state)
{
	(void)state;
	static const struct {
		void (*tamper)(odo_part *part, odo_spot at);
		const char *says;
	} losses[] = {
		{lose_credit, "credits were lost or duplicated"},
		{lose_first_credit, "credits were lost or duplicated"},
		{make_credit, "credits were lost or duplicated"},
		{shorten_packet, "credits were lost or duplicated"},
		{lose_packet, "the network holds more or fewer packets than entered it"},
		{count_once_more, "the network holds more or fewer packets than entered it"},
		{leak_place, "packets were lost, or are in two places"},
	};
	for (size_t i = 0; TEST_ROW(i, losses, losses[i].says); i++) {
		struct rig r;
		char says[120];
		odo_error err = {0};
		odo_measures *m = NULL;
		rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL);
		r.e.run.conserve = true;
		r.e.run.measured = 2000;
		tamper = losses[i].tamper;
		assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EIO);
		tamper = NULL;
		snprintf(says, sizeof says, "emulation: cycle %d, near switch", TAMPERED + 1);
		if (strncmp(err.text, says, strlen(says)) || !strstr(err.text, losses[i].says))
			fail_msg("expected \"%s\", found \"%s\"", losses[i].says, err.text);
		rig_free(&r);
	}
}

/* Petitions are counted in 32 bits, an output's grants in 16: long runs exceed both. */
static void counts_begin_anew(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, runs, runs[i].fabric); i++) {
		struct rig r;
		make_run(&r, i, 1300);
		r.e.run.conserve = true;
		odo_measures *few = rig_run(&r);
		long_ago = true;
		odo_measures *many = rig_run(&r);
		long_ago = false;
		same_measures(few, many, r.fabric);
		odo_measures_free(few);
		odo_measures_free(many);
		rig_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_in_any_cycle),
		cmocka_unit_test(nothing_is_lost_with_a_cable),
		cmocka_unit_test(what_is_lost_is_missed),
		cmocka_unit_test(counts_begin_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

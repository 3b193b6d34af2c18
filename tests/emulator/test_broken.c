/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cables that fail in the course of a run: OFAR on two escape rings outlives any one of them
 * (paper 000, section 3.3.3). */
#include <stdlib.h>

#include "emulator/policy/escape.h"
#include "emulator/traffic/workload.h"
#include "tests/emulator/rig.h"

/* Every host sends `packets`; `slot` ODO_NONE for no failure. Returns what was received. */
static uint64_t burst(struct rig *r, uint32_t packets, odo_failure lost)
{
	odo_error err = {0};
	odo_workload w;
	uint32_t n = r->fabric->n_hosts, *host = calloc(n, sizeof *host);
	assert_non_null(host);
	for (uint32_t i = 0; i < n; i++)
		host[i] = i;
	odo_workload_setup setup = {
		.n_hosts = n, .host = host, .n_ranks = n, .seed = 1, .packet = r->model.packet};
	assert_int_equal(odo_workload_burst(r->traffic, packets, &setup, &w, &err), 0);
	r->e.traffic = NULL;
	r->e.workload = &w;
	r->e.run = (odo_run_options){.seed = 1,
				     .measured = 1000000,
				     .patience = 5000,
				     .failures = &lost,
				     .n_failures = lost.slot != ODO_NONE};
	odo_measures *m = rig_run(r);
	if (m->outcome != ODO_RUN_DONE)
		fail_msg("cable at %s: %s",
			 lost.slot == ODO_NONE ? "none"
					       : odo_name(r->fabric, r->fabric->owner[lost.slot]),
			 m->report);
	uint64_t delivered = m->delivered;
	odo_measures_free(m);
	odo_workload_free(&w);
	free(host);
	return delivered;
}

/* Whichever it is, a switch's only global cable among them, where packets can be injected by the
 * escape alone. */
static void two_rings_outlive_any_cable(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"dragonfly:p=1,a=5,h=1,g=4", "ofar:escape=ab,bounces=3,local-vls=1,global-vls=1"},
		{"dragonfly:p=1,a=6,h=1,g=7",
		 "ofar:escape=ab,bounces=3,local-vls=2,global-vls=1,local=no,bcm=1"},
		{"dragonfly:p=2,a=5,h=2,g=5",
		 "ofar:escape=ab,bounces=3,local-vls=1,global-vls=1,trigger=granted,wait=no"},
		{"dragonfly:p=1,a=2,h=1,escape=rings",
		 "ofar:escape=own-rings,bounces=3,local-vls=1,global-vls=1"},
		{"dragonfly:p=1,a=4,h=2,g=5,escape=rings",
		 "ofar:escape=own-rings,bounces=3,local-vls=1,global-vls=1,ecm=20"},
	};
	for (unsigned i = 0; TEST_ROW(i, pairs, pairs[i][0]); i++) {
		struct rig r;
		rig_make(&r, pairs[i][0], "ofar", "permutation", pairs[i][1]);
		for (uint32_t slot = 0; slot < r.fabric->first_slot[r.fabric->n_switches]; slot++) {
			uint32_t there = odo_next_switch(r.fabric, slot);
			if (there == ODO_NONE || there < r.fabric->owner[slot])
				continue;
			odo_failure lost = {.cycle = 40, .slot = slot};
			assert_int_equal(burst(&r, 12, lost), 12 * r.fabric->n_hosts);
		}
		rig_free(&r);
	}
}

/* At the broken end a packet inside ring A is offered ring B, as one that enters it; elsewhere it
 * stays where it is. */
static void packets_of_a_broken_ring_are_offered_the_other(void **state)
{
	(void)state;
	static const unsigned vls[2] = {2, 1};
	struct rig r;
	odo_error err = {0};
	odo_ways *ways;
	odo_escape escape;
	rig_make(&r, "dragonfly:p=1,a=8,h=4", "ofar", "uniform", "ofar");
	assert_int_equal(
		odo_escape_create(r.fabric, r.coordinates, "ab", 0, 8, vls, &ways, &escape, &err),
		0);
	odo_packet p = {.phits = 8};
	for (uint32_t node = 0; node < r.fabric->n_switches; node++) {
		uint32_t target = (node + 1) % r.fabric->n_switches;
		uint64_t dead[(ODO_MAX_PORTS + 63) / 64] = {0};
		odo_view v = {.node = node, .dead = dead};
		odo_way way = {0};
		unsigned which = 0;
		odo_escape_way(&escape, &v, &p, target, true, &which, &way);
		odo_link_class class = odo_ways_class(ways, node, way.port);
		assert_int_equal(which, 0);
		assert_int_equal(way.vl, vls[class]);
		assert_int_equal(way.space, 8);
		dead[(way.port - 1) / 64] |= 1ull << (way.port - 1) % 64;
		odo_escape_way(&escape, &v, &p, target, true, &which, &way);
		class = odo_ways_class(ways, node, way.port);
		assert_int_equal(which, 1);
		assert_int_equal(way.port, escape.ring[1].port[odo_ring_direction(
						   &escape.ring[1], node, target)][node]);
		assert_int_equal(way.vl, vls[class] + 1);
		assert_int_equal(way.space, 16);
	}
	odo_escape_clear(&escape);
	odo_ways_free(ways);
	rig_free(&r);
}

/* In open loop, too: what is accepted hardly changes. */
static void a_broken_ring_costs_little(void **state)
{
	(void)state;
	struct rig r;
	odo_error err = {0};
	odo_ways *ways;
	odo_ring ring[2];
	rig_make(&r, "dragonfly:p=4,a=8,h=4,g=33", "ofar", "advg:n=4",
		 "ofar:escape=ab,local-vls=1,global-vls=1,bcm=2,bounces=8");
	assert_int_equal(odo_ways_create(r.fabric, r.coordinates, &ways, &err), 0);
	assert_int_equal(odo_rings_find(ways, "ab", ring, &err), 0);
	odo_failure lost = {1000, odo_slot(r.fabric, 0, ring[0].port[0][0])};
	r.e.run = (odo_run_options){.seed = 3, .load = 0.3, .warmup = 2000, .measured = 4000};
	odo_measures *whole = rig_run(&r), *broken, *none;
	r.e.run.failures = &lost;
	r.e.run.n_failures = 1;
	broken = rig_run(&r);
	assert_int_equal(broken->outcome, ODO_RUN_DONE);
	assert_true(whole->channel[lost.slot] > 0);
	assert_int_equal(broken->channel[lost.slot], 0);
	assert_true(broken->accepted > 0.95 * whole->accepted);
	lost.slot = r.fabric->n_slots;
	assert_int_equal(odo_emulate(&r.e, &none, &err), ODO_EINPUT);
	odo_measures_free(whole);
	odo_measures_free(broken);
	odo_ring_clear(&ring[0]);
	odo_ring_clear(&ring[1]);
	odo_ways_free(ways);
	rig_free(&r);
}

/* A packet that settles for its way in allocation, and not when it comes to the head of its queue,
 * hears of the credit that it waits for: small buffers far away, and nothing else in its switch. */
static void packets_that_settle_late_are_not_forgotten(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=3,a=4,h=2",
		 "packet=6,latency-local=1,latency-global=40,buffer-local=40,buffer-global=12,"
		 "buffer-host=18,injection-queues=1,iterations=1,arbiter=round-robin,"
		 "input-parallel=3,transit-first=0",
		 "permutation", "ugal-l-vc:minimal-vl=low,revise=minimal,lengths=consecutive");
	assert_int_equal(burst(&r, 110, (odo_failure){.slot = ODO_NONE}), 110 * r.fabric->n_hosts);
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_rings_outlive_any_cable),
		cmocka_unit_test(packets_of_a_broken_ring_are_offered_the_other),
		cmocka_unit_test(a_broken_ring_costs_little),
		cmocka_unit_test(packets_that_settle_late_are_not_forgotten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verifier's channel dependency graph of what policies do: packets are led from switch to
 * switch by the policy's own functions, past queues filled at random, until every choice has been
 * made many times. No cycle may come of it, where a policy says that its VLs grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emulator/escape.h"
#include "emulator/policy.h"
#include "fabric/random.h"
#include "fabric/topology.h"
#include "routing/dependency.h"

#define PACKETS 30000
#define BUFFER 32

typedef struct walker {
	odo_fabric *fabric;
	odo_coordinates *coordinates;
	const odo_policy *policy;
	void *state;
	odo_policy_setup setup;
	odo_model model;
	unsigned n_vls;
	bool fold; /* every hop on VL 0, which must make cycles */
	odo_dependencies deps;
	odo_rng rng;
	uint16_t credits[ODO_MAX_PORTS * 16], capacity[ODO_MAX_PORTS * 16];
	uint64_t all[4], none[4];
	uint64_t local[4096], group[4096];
} walker;

static walker *make(const char *policy, const char *fabric)
{
	walker *w = calloc(1, sizeof *w);
	odo_value value[ODO_MAX_OPTIONS];
	odo_error err;
	assert_non_null(w);
	assert_int_equal(odo_policy_parse(policy, &w->policy, value, &err), 0);
	assert_int_equal(odo_topology_generate(fabric, 0, &w->fabric, &w->coordinates, &err), 0);
	assert_int_equal(odo_model_parse("ofar", &w->model, &err), 0);
	w->setup = (odo_policy_setup){.fabric = w->fabric,
				      .coordinates = w->coordinates,
				      .model = &w->model,
				      .variant = w->policy->variant,
				      .value = value};
	assert_int_equal(w->policy->create(&w->setup, &w->state, &err), 0);
	assert_true(w->setup.local_bytes <= sizeof w->local);
	assert_true(w->setup.group_bytes <= sizeof w->group);
	w->n_vls = w->setup.vls[0] > w->setup.vls[1] ? w->setup.vls[0] : w->setup.vls[1];
	assert_true(w->n_vls <= 16);
	assert_int_equal(odo_dependencies_init(&w->deps, w->fabric, w->n_vls, &err), 0);
	w->rng = odo_rng_make(1, 1);
	memset(w->all, 0xFF, sizeof w->all);
	for (size_t i = 0; i < sizeof w->capacity / sizeof *w->capacity; i++)
		w->capacity[i] = BUFFER;
	return w;
}

static void done(walker *w)
{
	w->policy->free(w->state);
	odo_dependencies_clear(&w->deps);
	odo_coordinates_free(w->coordinates);
	odo_fabric_free(w->fabric);
	free(w);
}

/* Queues as they never were: each full or empty or between, on its own. */
static odo_view look(walker *w, uint32_t node)
{
	unsigned n_ports = w->fabric->first_slot[node + 1] - w->fabric->first_slot[node];
	for (unsigned i = 0; i < n_ports * w->n_vls; i++)
		w->credits[i] = (uint16_t)odo_rng_below(&w->rng, BUFFER + 1);
	return (odo_view){.node = node,
			  .n_ports = n_ports,
			  .n_vls = w->n_vls,
			  .credits = w->credits,
			  .capacity = w->capacity,
			  .free = w->all,
			  .dead = w->none,
			  .local = w->local,
			  .group = w->group};
}

static void lead(walker *w, uint32_t source, uint32_t target)
{
	const odo_fabric *f = w->fabric;
	odo_packet p = {.source = source, .target = target, .phits = 8};
	uint32_t slot = f->peer[f->host_slot[source]], came = ODO_NONE;
	unsigned in_vl = 0;
	if (w->policy->generate)
		w->policy->generate(w->state, &p, &w->rng);
	for (unsigned hops = 0;; hops++) {
		uint32_t node = f->owner[slot];
		unsigned in_port = odo_port(f, slot);
		odo_way way = {0};
		odo_view v = look(w, node);
		assert_true(hops < 30);
		if (!w->policy->route(w->state, &v, &p, in_port, in_vl, &way))
			continue;
		if (w->policy->leave)
			w->policy->leave(w->state, &v, &p, in_port, &way);
		uint32_t out = odo_slot(f, node, way.port);
		if (odo_next_switch(f, out) == ODO_NONE) {
			assert_int_equal(f->slot_host[out], target);
			return;
		}
		assert_true(way.vl < w->n_vls);
		if (w->fold)
			way.vl = 0;
		if (came != ODO_NONE)
			odo_depend(&w->deps, came, in_vl, way.port, way.vl);
		came = out;
		in_vl = way.vl;
		slot = f->peer[out];
		p.hops++;
	}
}

static uint32_t cycle_of(walker *w)
{
	uint32_t n = 0;
	odo_channel *cycle = NULL;
	odo_error err;
	for (uint32_t i = 0; i < PACKETS; i++) {
		uint32_t source = odo_rng_below(&w->rng, w->fabric->n_hosts);
		uint32_t target = odo_rng_below(&w->rng, w->fabric->n_hosts - 1);
		lead(w, source, target + (target >= source));
	}
	assert_true(odo_dependencies_count(&w->deps) > 0);
	assert_int_equal(odo_dependencies_cycle(&w->deps, &cycle, &n, &err), 0);
	free(cycle);
	return n;
}

/* UGAL-G looks into other switches, which only a run has; what it does with what it sees there is
 * ugal-l's. OFAR's canonical VLs make cycles and are meant to. */
static bool can_be_led(const odo_policy *p)
{
	return strcmp(p->name, "ugal-g") && strcmp(p->name, "ofar");
}

static void vls_that_grow_make_no_cycle(void **state)
{
	(void)state;
	for (const odo_policy *const *p = odo_policies; *p; p++) {
		bool dragonfly = (*p)->kinds & 1u << ODO_KIND_DRAGONFLY;
		if (!can_be_led(*p))
			continue;
		walker *w = make((*p)->name,
				 dragonfly ? "dragonfly:p=1,a=4,h=2" : "flatfly:k=3x4x2,c=2");
		uint32_t n = cycle_of(w);
		if (n)
			fail_msg("%s: a cycle of %u channels", (*p)->name, n);
		done(w);
	}
}

static void on_one_vl_they_would(void **state)
{
	(void)state;
	static const char *const names[] = {"val", "pb", "flatfly-val"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		walker *w = make(names[i], i < 2 ? "dragonfly:p=1,a=4,h=2" : "flatfly:k=4x4,c=1");
		w->fold = true;
		assert_true(cycle_of(w) > 0);
		done(w);
	}
}

/* From every switch to every other by the escape alone; entering a ring takes a bubble. */
static uint32_t escape_cycle(const char *fabric, const char *name)
{
	static const unsigned vls[2] = {2, 1};
	odo_fabric *f;
	odo_coordinates *c;
	odo_ways *ways;
	odo_escape e;
	odo_dependencies deps;
	odo_channel *cycle = NULL;
	odo_error err;
	uint32_t n = 0;
	const uint64_t none[4] = {0};
	odo_packet p = {.phits = 8};
	assert_int_equal(odo_topology_generate(fabric, 0, &f, &c, &err), 0);
	assert_int_equal(odo_escape_create(f, c, name, 0, 8, vls, &ways, &e, &err), 0);
	assert_int_equal(odo_dependencies_init(&deps, f, 4, &err), 0);
	for (uint32_t from = 0; from < f->n_switches; from++) {
		for (uint32_t to = 0; to < f->n_switches; to++) {
			uint32_t at = from, came = ODO_NONE;
			unsigned vl = 0, which = 0;
			while (at != to) {
				odo_view v = {.node = at, .dead = none};
				odo_way way = {0};
				odo_escape_way(&e, &v, &p, to, came != ODO_NONE, &which, &way);
				assert_int_equal(way.space,
						 came == ODO_NONE && !e.is_tree ? 16 : 8);
				if (came != ODO_NONE)
					odo_depend(&deps, came, vl, way.port, way.vl);
				came = odo_slot(f, at, way.port);
				vl = way.vl;
				at = odo_next_switch(f, came);
			}
		}
	}
	assert_int_equal(odo_dependencies_cycle(&deps, &cycle, &n, &err), 0);
	free(cycle);
	odo_dependencies_clear(&deps);
	odo_escape_clear(&e);
	odo_ways_free(ways);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return n;
}

static void the_escape_tree_has_no_cycle_and_a_ring_is_one(void **state)
{
	(void)state;
	assert_int_equal(escape_cycle("dragonfly:p=1,a=6,h=3", "tree"), 0);
	assert_int_equal(escape_cycle("dragonfly:p=1,a=6,h=3", "trees"), 0);
	assert_int_equal(escape_cycle("dragonfly:p=1,a=6,h=3,escape=tree", "own-tree"), 0);
	assert_int_equal(escape_cycle("dragonfly:p=1,a=4,h=2", "a"), 36);
	assert_int_equal(escape_cycle("dragonfly:p=1,a=4,h=2,escape=ring", "own-ring"), 36);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vls_that_grow_make_no_cycle),
		cmocka_unit_test(on_one_vl_they_would),
		cmocka_unit_test(the_escape_tree_has_no_cycle_and_a_ring_is_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

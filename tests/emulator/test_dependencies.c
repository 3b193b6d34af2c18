/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verifier's channel dependency graph of what policies do: packets are led from switch to
 * switch by the policy's own functions, past queues filled at random, until every choice has been
 * made many times. No cycle may come of it, where a policy says that its VLs grow. */
#include <stdlib.h>
#include <string.h>

#include "emulator/policy/escape.h"
#include "emulator/kernel/state/part.h"
#include "base/random.h"
#include "fabric/topology/topology.h"
#include "routing/graph/dependency.h"
#include "tests/unit.h"

#define PACKETS 4000
#define BUFFER 32

/* A part of the emulator without packets: what policies see of switches, and draw from. */
typedef struct walker {
	odo_fabric *fabric;
	odo_coordinates *coordinates;
	const odo_policy *policy;
	void *state;
	odo_model model;
	unsigned n_vls;
	bool fold; /* every hop on VL 0, which must make cycles */
	odo_dependencies deps;
	odo_rng rng;
	odo_emulation emulation;
	odo_world world;
	odo_part part;
	unsigned char *local;
} walker;

/* Enough for any of these fabrics. */
#define PORT_BITS 8u
#define LANE_BITS 4u

/* Each switch is its own group where the policy has no groups. */
static void make_part(walker *w, const odo_policy_setup *setup)
{
	const odo_fabric *f = w->fabric;
	uint32_t n = f->n_switches, lanes = n << (PORT_BITS + LANE_BITS);
	w->emulation.run.seed = 1;
	w->world = (odo_world){.e = &w->emulation,
			       .n_vls = w->n_vls,
			       .port_bits = PORT_BITS,
			       .lane_bits = LANE_BITS,
			       .revises = !setup->for_good,
			       .plain = !setup->for_good && setup->plain,
			       .group = calloc(n, sizeof(uint32_t)),
			       .local_of = calloc(n, sizeof(uint32_t)),
			       .group_state = calloc(n, setup->group_bytes + 1),
			       .group_bytes = setup->group_bytes};
	w->part = (odo_part){.world = &w->world,
			     .sw = calloc(n, sizeof(odo_switch)),
			     .global = calloc(n, sizeof(uint32_t)),
			     .free_out = calloc(n, (1u << PORT_BITS) / 8),
			     .dead = calloc(n, (1u << PORT_BITS) / 8),
			     .credits = calloc(lanes, sizeof(uint16_t)),
			     .capacity = calloc(lanes, sizeof(uint16_t))};
	w->local = calloc(n, setup->local_bytes + 8);
	memset(w->part.free_out, 0xFF, (size_t)n << PORT_BITS >> 3);
	for (size_t i = 0; i < lanes; i++)
		w->part.credits[i] = w->part.capacity[i] = BUFFER;
	for (uint32_t s = 0; s < n; s++) {
		uint32_t first = odo_spot_make(&w->world, s, 0, 0);
		w->part.sw[s] = (odo_switch){.credits = w->part.credits + first,
					     .capacity = w->part.capacity + first,
					     .local = w->local + s * setup->local_bytes,
					     .ports = odo_n_ports(f, s)};
		w->world.group[s] = odo_at(w->coordinates, s)[0];
		w->world.local_of[s] = w->part.global[s] = s;
	}
}

static walker *make(const char *policy, const char *fabric)
{
	walker *w = calloc(1, sizeof *w);
	odo_value value[ODO_MAX_OPTIONS];
	odo_error err;
	assert_non_null(w);
	assert_int_equal(odo_policy_parse(policy, &w->policy, value, &err), 0);
	assert_int_equal(odo_topology_generate(fabric, 0, &w->fabric, &w->coordinates, &err), 0);
	assert_int_equal(odo_model_parse("ofar", NULL, &w->model, &err), 0);
	odo_policy_setup setup = {.fabric = w->fabric,
				  .coordinates = w->coordinates,
				  .model = &w->model,
				  .variant = w->policy->variant,
				  .value = value};
	assert_int_equal(w->policy->create(&setup, &w->state, &err), 0);
	w->n_vls = setup.vls[0] > setup.vls[1] ? setup.vls[0] : setup.vls[1];
	assert_int_equal(odo_dependencies_init(&w->deps, w->fabric, w->n_vls, &err), 0);
	w->rng = odo_rng_make(1, 1);
	make_part(w, &setup);
	return w;
}

static void done(walker *w)
{
	w->policy->free(w->state);
	odo_dependencies_clear(&w->deps);
	odo_coordinates_free(w->coordinates);
	odo_fabric_free(w->fabric);
	free(w->world.group);
	free(w->world.local_of);
	free(w->world.group_state);
	free(w->part.sw);
	free(w->part.global);
	free(w->part.free_out);
	free(w->part.dead);
	free(w->part.credits);
	free(w->part.capacity);
	free(w->local);
	free(w);
}

/* Queues as they never were: each full or empty or between, on its own. What the group is told
 * comes of that. */
static odo_view look(walker *w, uint32_t node)
{
	odo_view v;
	const odo_switch *sw = &w->part.sw[node];
	for (unsigned port = 0; port < sw->ports; port++)
		for (unsigned vl = 0; vl < w->n_vls; vl++)
			sw->credits[port << LANE_BITS | vl] = (uint16_t)odo_rng_below(&w->rng,
										      BUFFER + 1);
	w->part.now++;
	w->part.draws = 0;
	odo_part_view(&w->part, node, &v);
	if (w->policy->tick)
		w->policy->tick(w->state, &v);
	return v;
}

/* Asked once, or until the packet is granted what it asks for. */
static void ask(walker *w, uint32_t node, odo_packet *p, unsigned in_port, unsigned in_vl,
		odo_way *way)
{
	odo_view v;
	bool has_way;
	do {
		*way = (odo_way){0};
		v = look(w, node);
		has_way = w->policy->route(w->state, &v, p, in_port, in_vl, way);
	} while (!has_way || (way->again != ODO_ASK_NEVER && odo_rng_below(&w->rng, 2)));
	if (!w->world.revises)
		assert_int_equal(way->again, ODO_ASK_NEVER);
	if (!w->world.revises || w->world.plain)
		assert_int_equal(way->space + way->escape + way->yields, 0);
	bool told = w->world.plain ? way->again != ODO_ASK_NEVER : w->world.revises;
	if (told && w->policy->leave)
		w->policy->leave(w->state, &v, p, in_port, way);
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
		odo_way way;
		assert_true(hops < 30);
		ask(w, f->owner[slot], &p, odo_port(f, slot), in_vl, &way);
		uint32_t out = odo_slot(f, f->owner[slot], way.port);
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

static void check_free_of_cycles(const char *policy, const char *fabric)
{
	walker *w = make(policy, fabric);
	uint32_t n = cycle_of(w);
	if (n)
		fail_msg("%s: a cycle of %u channels", policy, n);
	done(w);
}

#define DRAGONFLY "dragonfly:p=1,a=4,h=2"
#define FLATFLY "flatfly:k=3x4x2,c=2"
#define TREE "pgft:m=2x3x3,w=1x2x2,p=1x2x1"
#define PLUS "dragonfly-plus:p=2,leaves=3,spines=3,h=2,g=4"

static const char *fabric_of(const odo_policy *p)
{
	return p->kinds & 1u << ODO_KIND_DRAGONFLY        ? DRAGONFLY
	       : p->kinds & 1u << ODO_KIND_FATTREE        ? TREE
	       : p->kinds & 1u << ODO_KIND_DRAGONFLY_PLUS ? PLUS
							  : FLATFLY;
}

/* OFAR's canonical VLs make cycles and are meant to. */
static void vls_that_grow_make_no_cycle(void **state)
{
	(void)state;
	for (const odo_policy *const *p = odo_policies; *p; p++)
		if (strcmp((*p)->name, "ofar"))
			check_free_of_cycles((*p)->name, fabric_of(*p));
}

/* RVAL, Recomp and both of paper 003 on either kind; the readings of the others. */
static void options_make_no_cycle_either(void **state)
{
	(void)state;
	static const char *const dragonfly[] = {
		"val:own-group=no,restricted=yes",
		"val:recompute=yes",
		"val:pick=link",
		"val-any:restricted=yes",
		"val-any:recompute=yes",
		"val-any:restricted=yes,recompute=yes",
		"val-any:own-group=no",
		"ugal-l:minimal-vl=low,revise=minimal,lengths=consecutive",
		"ugal-l-vc:minimal-vl=low,revise=yes",
		"ugal-l-vch:minimal-vl=low,revise=minimal",
		"ugal-l-cr:minimal-vl=low,revise=yes",
		"ugal-g:minimal-vl=low,revise=yes",
		"pb:minimal-vl=high,revise=no,percent=50,excess=0",
		"pb:lengths=consecutive-local,percent=125,excess=0",
		"par:percent=50,excess=0",
		"par:minimal-vl=high,revise=minimal,percent=50,excess=0",
		"ugal-phase:threshold=0",
	};
	static const char *const flatfly[] = {
		"flatfly-val:restricted=yes",
		"flatfly-val:recompute=yes",
		"flatfly-val:restricted=yes,recompute=yes",
		"flatfly-val:early=yes",
		"flatfly-ugal:restricted=yes",
		"dal:threshold=2",
	};
	static const char *const plus[] = {
		"dragonfly-plus-val:via=leaf",
		"dragonfly-plus-ugal:via=leaf",
		"dragonfly-plus-par:via=leaf,threshold=1",
	};
	for (unsigned i = 0; TEST_ROW(i, dragonfly, dragonfly[i]); i++)
		check_free_of_cycles(dragonfly[i], DRAGONFLY);
	for (unsigned i = 0; TEST_ROW(i, flatfly, flatfly[i]); i++)
		check_free_of_cycles(flatfly[i], FLATFLY);
	for (unsigned i = 0; TEST_ROW(i, plus, plus[i]); i++)
		check_free_of_cycles(plus[i], PLUS);
	check_free_of_cycles("fattree-adaptive:choices=2,revise=no", TREE);
}

/* BookSim2's VLs by phase are not free of deadlock, as its policy says. */
static void vls_by_phase_make_a_cycle(void **state)
{
	(void)state;
	walker *w = make("ugal-phase:vls=phase,threshold=0", "dragonfly:p=1,a=4,h=2");
	assert_true(cycle_of(w) > 0);
	done(w);
}

static void on_one_vl_they_would(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"val", DRAGONFLY},
		{"ugal-g", DRAGONFLY},
		{"pb", DRAGONFLY},
		{"par", DRAGONFLY},
		{"flatfly-val", "flatfly:k=4x4,c=1"},
		{"dal", "flatfly:k=4x4,c=1"},
		{"dragonfly-plus-val", PLUS},
		{"dragonfly-plus-val:via=leaf", PLUS},
		{"dragonfly-plus-ugal", PLUS},
		{"dragonfly-plus-par", PLUS},
	};
	for (unsigned i = 0; TEST_ROW(i, pairs, pairs[i][0]); i++) {
		walker *w = make(pairs[i][0], pairs[i][1]);
		w->fold = true;
		if (!cycle_of(w))
			fail_msg("%s: no cycle", pairs[i][0]);
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
	odo_escape escape;
	odo_dependencies deps;
	odo_channel *cycle = NULL;
	odo_error err;
	uint32_t n = 0;
	const uint64_t none[4] = {0};
	odo_packet p = {.phits = 8};
	assert_int_equal(odo_topology_generate(fabric, 0, &f, &c, &err), 0);
	assert_int_equal(odo_escape_create(f, c, name, 0, 8, vls, &ways, &escape, &err), 0);
	assert_int_equal(odo_dependencies_init(&deps, f, 4, &err), 0);
	for (uint32_t from = 0; from < f->n_switches; from++) {
		for (uint32_t to = 0; to < f->n_switches; to++) {
			uint32_t at = from, came = ODO_NONE;
			unsigned vl = 0, which = 0;
			while (at != to) {
				odo_view v = {.node = at, .dead = none};
				odo_way way = {0};
				odo_escape_way(&escape, &v, &p, to, came != ODO_NONE, &which, &way);
				assert_int_equal(way.space,
						 came == ODO_NONE && !escape.is_tree ? 16 : 8);
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
	odo_escape_clear(&escape);
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
		cmocka_unit_test(options_make_no_cycle_either),
		cmocka_unit_test(vls_by_phase_make_a_cycle),
		cmocka_unit_test(on_one_vl_they_would),
		cmocka_unit_test(the_escape_tree_has_no_cycle_and_a_ring_is_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

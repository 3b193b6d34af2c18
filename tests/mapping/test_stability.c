/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdio.h>

#include "base/random.h"
#include "mapping/labels/pins.h"
#include "trial.h"
#include "tests/unit.h"

static const char *const specs[] = {
	"flatfly:k=4x4x4,l=2x1x1,c=1",
	"flatfly:k=3x3x3,c=1",
	"hypercube:n=5,l=2,c=1",
	"torus:k=5x5x6,c=1",
	"mesh:k=5x5x6,c=1",
	"slimfly-flatfly:q=4,k=3x3,c=1",
	"torus:k=4x5x5x3,c=0",
	"slimfly:q=5,c=1",
	"slimfly:q=9,c=0",
	"slimfly:q=13,c=0",
	"slimfly:q=16,c=0",
	"slimfly-flatfly:q=5,k=2,c=0",
	"dragonfly:p=1,a=4,h=2",
	"dragonfly:p=1,a=3x3,h=1",
	"dragonfly:p=0,a=8,h=4,g=9",
	"dragonfly:p=0,a=2x4,h=2,g=9",
	"dragonfly:p=0,a=2x3x4,h=2,g=9",
	"flatfly:k=4x5,c=1",
	"flatfly:k=5x5,c=1",
	"flatfly:k=3x5,c=0",
	"fattree:k=12,levels=2",
	"fattree:k=8,levels=3",
	"fattree:k=6,levels=4",
	"pgft:m=4x6x3,w=1x2x2,p=1x2x1",
	"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",
	"dragonfly-plus:p=4,leaves=6,spines=6,h=3,g=13",
};

enum { N_SPECS = sizeof specs / sizeof *specs };

static void add(odo_builder *b, const odo_fabric *f, uint32_t v, uint32_t *id)
{
	odo_error err;
	odo_node_info info = {.type = (odo_node_type)f->node_type[v],
			      .n_ports = odo_n_ports(f, v),
			      .guid = f->node_guid[v],
			      .name = odo_name(f, v)};
	assert_int_equal(odo_builder_add(b, &info, id, &err), 0);
}

/* All cables but one, between nodes that were numbered anew. */
static odo_fabric *cable(odo_builder *b, const odo_fabric *f, const uint32_t *to, uint32_t lost)
{
	odo_fabric *out;
	odo_error err;
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t far = f->peer[i];
		if (far == ODO_NONE || far < i || i == lost || far == lost)
			continue;
		assert_int_equal(odo_builder_link(b, to[f->owner[i]], odo_port(f, i),
						  to[f->owner[far]], odo_port(f, far),
						  (odo_link_info){0}, &err),
				 0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &out, &err), 0);
	return out;
}

/* The same GUIDs and cables, switches in another order. to[v]: new number of each node. */
static odo_fabric *reorder(const odo_fabric *f, uint64_t seed, uint32_t *to)
{
	odo_rng rng = odo_rng_make(seed, 0);
	odo_builder *b;
	odo_error err;
	uint32_t *order = calloc(f->n_nodes, sizeof *order);
	for (uint32_t v = 0; v < f->n_nodes; v++)
		order[v] = v;
	odo_rng_shuffle(&rng, order, f->n_switches);
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t i = 0; i < f->n_nodes; i++)
		add(b, f, order[i], &to[order[i]]);
	free(order);
	return cable(b, f, to, ODO_NONE);
}

static void the_order_of_discovery_does_not_matter(void **state)
{
	(void)state;
	for (size_t i = test_stride() - 1; i < N_SPECS; i += test_stride()) {
		outcome o;
		odo_error err;
		odo_coordinates *c;
		assert_int_equal(trial_run(&(trial){specs[i], {.05, .05, 7}, 0, 0}, &o, &err), 0);
		uint32_t *to = calloc(o.fabric->n_nodes, sizeof *to);
		odo_fabric *f = reorder(o.fabric, 3, to);
		assert_int_equal(odo_map(f, &c, &err), 0);
		assert_int_equal(c->kind, o.found->kind);
		for (uint32_t s = 0; s < f->n_switches; s++)
			assert_memory_equal(odo_at(c, to[s]), odo_at(o.found, s),
					    c->n_dims * sizeof *c->at);
		odo_coordinates_free(c);
		odo_fabric_free(f);
		free(to);
		outcome_clear(&o);
	}
}

/* The same fabric without one of its cables, nodes and ports where they were. */
static odo_fabric *lose_cable(const odo_fabric *f, uint32_t lost)
{
	odo_builder *b;
	odo_error err;
	uint32_t *to = calloc(f->n_nodes, sizeof *to);
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t v = 0; v < f->n_nodes; v++)
		add(b, f, v, &to[v]);
	odo_fabric *out = cable(b, f, to, lost);
	free(to);
	return out;
}

static void losing_a_cable_keeps_all_coordinates(void **state)
{
	(void)state;
	/* Specs that the test before left out. */
	for (size_t i = 0; i < N_SPECS; i += test_stride()) {
		outcome o;
		odo_error err;
		odo_rng rng = odo_rng_make(11, i);
		assert_int_equal(trial_run(&(trial){specs[i], {0, 0, 7}, 0, 0}, &o, &err), 0);
		for (unsigned k = 0; k < test_seeds(20); k++) {
			uint32_t slot;
			odo_coordinates *c;
			do
				slot = odo_rng_below(&rng,
						     o.fabric->first_slot[o.fabric->n_switches]);
			while (odo_next_switch(o.fabric, slot) == ODO_NONE);
			odo_fabric *f = lose_cable(o.fabric, slot);
			assert_int_equal(odo_map(f, &c, &err), 0);
			assert_int_equal(c->kind, o.found->kind);
			if (memcmp(c->at, o.found->at,
				   (size_t)c->n_switches * c->n_dims * sizeof *c->at))
				fail_msg("%s without cable %u has other coordinates", specs[i], k);
			assert_int_equal(c->n_faults, 1);
			assert_int_equal(c->faults[0].type, ODO_FAULT_MISSING_LINK);
			uint32_t ends = o.fabric->owner[slot] + odo_next_switch(o.fabric, slot);
			assert_int_equal(c->faults[0].node[0] + c->faults[0].node[1], ends);
			odo_coordinates_free(c);
			odo_fabric_free(f);
		}
		outcome_clear(&o);
	}
}

/* Ports that are left over join some pairs of groups by a second cable. Its loss shows at the two
 * spines that have a port open. */
static void each_cable_is_missed_where_some_pairs_have_two(void **state)
{
	(void)state;
	outcome o;
	odo_error err;
	const trial whole = {"dragonfly-plus:p=1,leaves=2,spines=2,h=3,g=5", {0, 0, 7}, 0, 0};
	assert_int_equal(trial_run(&whole, &o, &err), 0);
	for (uint32_t slot = 0; slot < o.fabric->first_slot[o.fabric->n_switches]; slot++) {
		odo_coordinates *c;
		uint32_t to = odo_next_switch(o.fabric, slot);
		if (to == ODO_NONE || slot > o.fabric->peer[slot])
			continue;
		odo_fabric *f = lose_cable(o.fabric, slot);
		assert_int_equal(odo_map(f, &c, &err), 0);
		if (c->n_faults != 1 || c->faults[0].type != ODO_FAULT_MISSING_LINK ||
		    c->faults[0].node[0] + c->faults[0].node[1] != o.fabric->owner[slot] + to)
			fail_msg("slot %u: %u faults, or another", slot, c->n_faults);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
	outcome_clear(&o);
}

/* A few switches pinned where an operator wants them, by hand: others follow. The same file on the
 * fabric without one of its cables gives the same coordinates. */
static void losing_a_cable_keeps_pinned_coordinates(void **state)
{
	static const struct {
		const char *spec;
		uint32_t swapped[2]; /* values of the first dimension that pins exchange */
	} cases[] = {{"flatfly:k=4x5,c=1", {0, 2}}, {"dragonfly:p=1,a=4,h=2", {3, 8}}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		outcome o;
		odo_error err;
		odo_pins pins;
		char text[400] = "";
		size_t used = 0;
		assert_int_equal(trial_run(&(trial){cases[i].spec, {0, 0, 7}, 0, 0}, &o, &err), 0);
		for (uint32_t s = 0, n = 0; s < o.fabric->n_switches && n < 2; s++) {
			const uint32_t *at = odo_at(o.found, s);
			if (at[0] != cases[i].swapped[n])
				continue;
			used += (size_t)snprintf(text + used, sizeof text - used, "0x%llx %u %u\n",
						 (unsigned long long)o.fabric->node_guid[s],
						 cases[i].swapped[!n], at[1]);
			n++;
			s = UINT32_MAX; /* from the start for the other */
		}
		assert_int_equal(odo_pins_read(o.fabric, text, "pins", &pins, &err), 0);
		assert_int_equal(odo_pins_apply(&pins, o.fabric, o.found, &err), 0);
		for (uint32_t slot = 0; slot < o.fabric->first_slot[o.fabric->n_switches];
		     slot += 7) {
			odo_coordinates *c;
			if (odo_next_switch(o.fabric, slot) == ODO_NONE)
				continue;
			odo_fabric *f = lose_cable(o.fabric, slot);
			assert_int_equal(odo_map(f, &c, &err), 0);
			assert_int_equal(odo_pins_apply(&pins, f, c, &err), 0);
			assert_memory_equal(c->at, o.found->at,
					    (size_t)c->n_switches * c->n_dims * sizeof *c->at);
			odo_coordinates_free(c);
			odo_fabric_free(f);
		}
		odo_pins_clear(&pins);
		outcome_clear(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_discovery_does_not_matter),
		cmocka_unit_test(losing_a_cable_keeps_all_coordinates),
		cmocka_unit_test(each_cable_is_missed_where_some_pairs_have_two),
		cmocka_unit_test(losing_a_cable_keeps_pinned_coordinates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

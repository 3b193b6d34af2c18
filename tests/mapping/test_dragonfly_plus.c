/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dragonfly+: groups, leaves and spines are found, damaged and miscabled, too. */
#include <stdio.h>
#include <stdlib.h>

#include "run.h"

/* Several cables between groups, one, one and two by turns, groups of one spine and of few groups.
 */
static const char *const shapes[] = {
	"dragonfly-plus:p=2,leaves=4,spines=4,h=2,g=9",
	"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",
	"dragonfly-plus:p=4,leaves=4,spines=4,h=4",
	"dragonfly-plus:p=4,leaves=6,spines=6,h=3,g=13",
	"dragonfly-plus:p=8,leaves=8,spines=8,h=8,g=17",
	"dragonfly-plus:p=4,leaves=8,spines=4,h=6,g=7",
	"dragonfly-plus:p=8,leaves=4,spines=8,h=4,g=11,cables=2",
};
static const char *const small[] = {"dragonfly-plus:p=4,leaves=3,spines=1,h=5",
				    "dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5",
				    "dragonfly-plus:p=4,leaves=4,spines=4,h=2,g=2",
				    "dragonfly-plus:p=4,leaves=4,spines=2,h=4,g=3"};
enum { N_SHAPES = sizeof shapes / sizeof *shapes, N_SMALL = sizeof small / sizeof *small };

static void expect_whole(const char *spec, uint64_t seed)
{
	outcome o = run(&(trial){.spec = spec, .damage = {0, 0, seed}});
	if (!o.right || o.found->n_faults)
		fail_msg("%s: %s, %u faults", spec, o.why.text, o.found->n_faults);
	for (unsigned dim = 0; dim < o.truth->n_dims; dim++) {
		assert_int_equal(o.found->size[dim], o.truth->size[dim]);
		assert_int_equal(o.found->width[dim], o.truth->width[dim]);
	}
	outcome_clear(&o);
}

static void whole_ones_are_found(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		for (size_t i = 0; i < N_SHAPES; i++)
			expect_whole(shapes[i], seed);
		for (size_t i = 0; i < N_SMALL; i++)
			expect_whole(small[i], seed);
	}
}

/* Every switch that has a place has the right one. */
static bool same_groups(const outcome *o)
{
	uint32_t to[1000];
	memset(to, 0xFF, sizeof to);
	if (o->found->kind != ODO_KIND_DRAGONFLY_PLUS || o->found->size[0] > 1000)
		return false;
	for (uint32_t s = 0; s < o->fabric->n_switches; s++) {
		const uint32_t *at = odo_at(o->found, s), *truth = odo_at(o->truth, s);
		if (at[0] == ODO_NONE)
			continue;
		if (to[at[0]] == ODO_NONE)
			to[at[0]] = truth[0];
		if (to[at[0]] != truth[0] || at[1] != truth[1])
			return false;
	}
	return true;
}

static void damaged_ones_keep_their_groups(void **state)
{
	unsigned trials = 0, right = 0;
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		for (uint64_t seed = 1; seed <= 50; seed++) {
			outcome o = run(&(trial){.spec = shapes[i], .damage = {.1, .05, seed}});
			trials++;
			right += same_groups(&o);
			outcome_clear(&o);
		}
	}
	if (100 * right < 99 * trials)
		fail_msg("%u of %u right", right, trials);
}

/* Between the groups that a cable joins. */
static uint32_t count_between(const odo_fabric *f, const odo_coordinates *truth, uint32_t a,
			      uint32_t b)
{
	uint32_t n = 0;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		uint32_t far = odo_next_switch(f, slot);
		n += far != ODO_NONE && odo_at(truth, f->owner[slot])[0] == a &&
		     odo_at(truth, far)[0] == b;
	}
	return n;
}

/* Sound cables are accused where their groups have a cable too many, and nowhere else. */
static void accuses_where_there_are_too_many(const outcome *o)
{
	uint8_t *moved = calloc(o->fabric->n_slots, 1);
	for (uint32_t k = 0; k < o->moved.n; k++)
		moved[o->moved.slot[k][0]] = moved[o->moved.slot[k][1]] = 1;
	for (uint32_t k = 0; k < o->found->n_faults; k++) {
		const odo_fault *x = &o->found->faults[k];
		if (x->type != ODO_FAULT_WRONG_LINK || moved[x->slot[0]])
			continue;
		uint32_t a = odo_at(o->truth, x->node[0])[0], b = odo_at(o->truth, x->node[1])[0];
		assert_int_not_equal(a, b);
		assert_true(count_between(o->fabric, o->truth, a, b) >
			    count_between(o->before, o->truth, a, b));
	}
	free(moved);
}

/* Which of the cables between two groups is wrong is not always told, but that one is; those within
 * groups, and from there elsewhere, are all named. */
static void wrong_cables_of_groups_are_named(void **state)
{
	unsigned moved_local = 0, hit = 0;
	cables all = {0};
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		for (uint64_t seed = 1; seed <= 20; seed++) {
			outcome o = run(&(trial){shapes[i], {0, 0, seed}, .01, 0});
			assert_true(same_groups(&o));
			accuses_where_there_are_too_many(&o);
			for (uint32_t k = 0; k < o.moved.n; k++) {
				const uint32_t *slot = o.moved.slot[k];
				const uint32_t *a = odo_at(o.truth, o.fabric->owner[slot[0]]);
				const uint32_t *b = odo_at(o.truth, o.fabric->owner[slot[1]]);
				bool global = a[1] == 1 && b[1] == 1 && a[0] != b[0];
				moved_local += !global;
				hit += !global && o.found->port_class[slot[0]] == ODO_PORT_WRONG;
			}
			cables_count(&o, &all);
			outcome_clear(&o);
		}
	}
	if (100 * hit < 99 * moved_local || 100 * all.hit < 95 * all.reported ||
	    10 * all.hit < 8 * all.moved)
		fail_msg("%u moved, %u of them named; of all %u moved, %u reported, %u both",
			 moved_local, hit, all.moved, all.reported, all.hit);
}

/* With one cable between two groups, in an arrangement where groups share spines. */
static void wrong_global_cables_are_named_by_the_arrangement(void **state)
{
	cables sum = {0};
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		const char *spec = "dragonfly-plus:p=2,leaves=8,spines=8,h=4,g=33";
		outcome o = run(&(trial){spec, {0, 0, seed}, .01, 0});
		cables_count(&o, &sum);
		outcome_clear(&o);
	}
	if (100 * sum.hit < 99 * sum.reported || 100 * sum.hit < 98 * sum.moved)
		fail_msg("%u moved, %u reported, %u hit", sum.moved, sum.reported, sum.hit);
}

/* Between whichever spines: the groups are right. */
static void a_global_cable_that_is_missing_is_counted(void **state)
{
	unsigned global = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		const char *spec = "dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9";
		outcome o = run(&(trial){.spec = spec, .damage = {0, .0035, seed}});
		assert_int_equal(o.found->n_faults, 1);
		assert_int_equal(o.found->faults->type, ODO_FAULT_MISSING_LINK);
		const uint32_t *a = odo_at(o.truth, o.found->faults->node[0]);
		const uint32_t *b = odo_at(o.truth, o.found->faults->node[1]);
		global += a[0] != b[0];
		assert_true(a[0] != b[0] || a[1] != b[1]);
		outcome_clear(&o);
	}
	assert_in_range(global, 1, 9);
}

static void unplug(odo_plan *plan, uint32_t slot)
{
	plan->peer[plan->peer[slot]] = ODO_NONE;
	plan->peer[slot] = ODO_NONE;
}

/* Without the cables from spine v to its leaves, and with none from spine w to any switch. */
static odo_coordinates *map_without(const outcome *o, uint32_t v, uint32_t w)
{
	const odo_fabric *f = o->fabric;
	odo_plan plan = {0};
	odo_fabric *fewer;
	odo_coordinates *c;
	odo_error err;
	assert_int_equal(odo_plan_make(f, &plan, &err), 0);
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		uint32_t far = odo_next_switch(f, slot);
		if (far != ODO_NONE && plan.peer[slot] != ODO_NONE &&
		    (f->owner[slot] == w || (f->owner[slot] == v && odo_at(o->truth, far)[1] == 0)))
			unplug(&plan, slot);
	}
	assert_int_equal(odo_plan_carry_out(f, &plan, &fewer, NULL, &err), 0);
	assert_int_equal(odo_map(fewer, &c, &err), 0);
	odo_fabric_free(fewer);
	odo_plan_clear(&plan);
	return c;
}

/* Both are spines, and are cabled to the same groups. */
static bool reach_the_same(const outcome *o, uint32_t v, uint32_t w)
{
	uint64_t groups[2] = {0};
	for (int k = 0; k < 2; k++) {
		uint32_t s = k ? w : v;
		for (uint32_t i = o->fabric->first_slot[s]; i < o->fabric->first_slot[s + 1]; i++) {
			uint32_t far = odo_next_switch(o->fabric, i);
			if (far != ODO_NONE && odo_at(o->truth, far)[1])
				groups[k] |= UINT64_C(1) << odo_at(o->truth, far)[0];
		}
	}
	return odo_at(o->truth, v)[1] && odo_at(o->truth, w)[1] && groups[0] == groups[1];
}

/* Its group is the one that lacks its cables; where two do, it has no place. */
static void a_spine_without_leaves_is_told_by_its_cables(void **state)
{
	outcome o = run(&(trial){.spec = "dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=17"});
	uint32_t v = 0, w = 1, ports, n_missing = 0;
	(void)state;
	while (v == w || !reach_the_same(&o, v, w))
		if (++w == o.fabric->n_switches) {
			v++;
			w = 0;
		}
	odo_coordinates *one = map_without(&o, v, ODO_NONE), *two = map_without(&o, v, w);
	assert_true(same_places(o.fabric, one, o.truth, &ports, NULL));
	for (uint32_t i = 0; i < one->n_faults; i++)
		n_missing += one->faults[i].type == ODO_FAULT_MISSING_LINK;
	assert_int_equal(n_missing, 4);
	assert_int_equal(one->n_faults, 4);
	assert_int_equal(odo_at(two, v)[0], ODO_NONE);
	odo_coordinates_free(one);
	odo_coordinates_free(two);
	outcome_clear(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_ones_are_found),
		cmocka_unit_test(damaged_ones_keep_their_groups),
		cmocka_unit_test(wrong_cables_of_groups_are_named),
		cmocka_unit_test(wrong_global_cables_are_named_by_the_arrangement),
		cmocka_unit_test(a_global_cable_that_is_missing_is_counted),
		cmocka_unit_test(a_spine_without_leaves_is_told_by_its_cables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

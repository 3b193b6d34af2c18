/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Each fault of each kind of fabric is told right against its plan, and nothing else is accused. */
#include <string.h>

#include "base/random.h"
#include "fabric/match/change.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/plan.h"
#include "tests/unit.h"

/* A chain, a ring, two leaves of a tree and one switch are there as well. */
static const char *const specs[] = {"flatfly:k=4x4x4,c=4",
				    "flatfly:k=16,c=2",
				    "hypercube:n=6,l=2,c=2",
				    "mesh:k=5x6x4,l=2x1x1,c=2",
				    "mesh:k=3,c=3",
				    "torus:k=5x6x4,l=2x1x1,c=2",
				    "torus:k=7,c=2",
				    "dragonfly:p=2,a=4,h=2",
				    "dragonfly:p=1,a=4,h=1,g=3",
				    "slimfly:q=5,c=3",
				    "slimfly-flatfly:q=4,k=3,c=2",
				    "fattree:k=8,levels=3",
				    "fattree:k=12,levels=2",
				    "dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",
				    "random:n=64,d=6,c=2",
				    "bipartite:n=32,d=5,c=2",
				    "pgft:m=4x6x3,w=1x2x2,p=1x2x1",
				    "pgft:m=4x3,w=1x2,p=1x2"};

/* Things that happen to a fabric. */
typedef enum fault {
	NO_FAULT,
	LOST_SWITCH,
	LOST_HOST,
	LOST_CABLE,
	LOST_HOST_CABLE,
	REPLACED,
	REPLACED_NAMED,
	SWAPPED,
	SLOWER,
	N_FAULTS
} fault;

/* Names of a plan that the present fabric has, too. */
typedef enum sight { ALL_THERE, OTHER_GUIDS, OTHER_NAMES, CABLES_ONLY, SHUFFLED, N_SIGHTS } sight;

typedef struct scene {
	odo_fabric *plan, *is;
	uint32_t node, slot, other; /* of the plan: what the fault is about */
} scene;

static uint32_t draw_cable(const odo_fabric *f, odo_rng *rng, bool of_host)
{
	for (;;) {
		uint32_t s = odo_rng_below(rng, f->first_slot[f->n_switches]);
		if (f->peer[s] != ODO_NONE && (odo_next_switch(f, s) == ODO_NONE) == of_host)
			return s;
	}
}

/* Swap the far ends of two cables of one switch, which lead to different switches. */
static bool swap_cables(scene *x, odo_plan *p)
{
	const odo_fabric *f = x->plan;
	uint32_t v = f->owner[x->slot];
	for (uint32_t s = f->first_slot[v]; s < f->first_slot[v + 1]; s++) {
		if (odo_next_switch(f, s) == ODO_NONE ||
		    odo_next_switch(f, s) == odo_next_switch(f, x->slot))
			continue;
		x->other = s;
		uint32_t a = f->peer[x->slot], b = f->peer[s];
		p->peer[x->slot] = b;
		p->peer[b] = x->slot;
		p->peer[s] = a;
		p->peer[a] = s;
		return true;
	}
	return false;
}

static void drop_node(odo_plan *p, uint32_t v)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < p->n_nodes; i++)
		if (p->node[i] != v)
			p->node[kept++] = p->node[i];
	p->n_nodes = kept;
}

static void lose_switch(scene *x, odo_plan *p)
{
	for (uint32_t i = x->plan->first_slot[x->node]; i < x->plan->first_slot[x->node + 1]; i++)
		if (x->plan->peer[i] != ODO_NONE && odo_next_switch(x->plan, i) == ODO_NONE)
			drop_node(p, odo_neighbour(x->plan, i));
	drop_node(p, x->node);
}

/* Find the node of the present fabric with a planned node's GUID. */
static uint32_t find_again(const scene *x, uint32_t v)
{
	for (uint32_t y = 0; y < x->is->n_nodes; y++)
		if (x->is->node_guid[y] == x->plan->node_guid[v])
			return y;
	return ODO_NONE;
}

static void change_name(odo_fabric *f, uint32_t v)
{
	f->names[f->name_at[v]] = 'Z';
}

static void hide_names(odo_fabric *f, sight how)
{
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		if (how == OTHER_GUIDS || how == CABLES_ONLY)
			f->node_guid[v] = f->node_guid[v] * 0x9e3779b97f4a7c15u;
		if (how == OTHER_NAMES || how == CABLES_ONLY)
			memset(f->names + f->name_at[v], 'z', strlen(odo_name(f, v)));
	}
}

/* @return false if the fabric is too small for the fault */
static bool make_scene(const char *spec, fault what, uint64_t seed, scene *x)
{
	odo_error err;
	odo_plan p = {0};
	odo_rng rng = odo_rng_make(seed, what);
	bool made = true;
	*x = (scene){.other = ODO_NONE};
	assert_int_equal(odo_topology_generate(spec, 0, &x->plan, NULL, &err), 0);
	x->plan->no_guids = false;
	x->slot = draw_cable(x->plan, &rng, what == LOST_HOST || what == LOST_HOST_CABLE);
	x->node = what == LOST_HOST ? odo_neighbour(x->plan, x->slot) : x->plan->owner[x->slot];
	assert_int_equal(odo_plan_make(x->plan, &p, &err), 0);
	if (what == LOST_SWITCH)
		lose_switch(x, &p);
	else if (what == LOST_HOST)
		drop_node(&p, x->node);
	else if (what == LOST_CABLE || what == LOST_HOST_CABLE)
		p.peer[x->slot] = p.peer[x->plan->peer[x->slot]] = ODO_NONE;
	else if (what == SWAPPED)
		made = swap_cables(x, &p);
	assert_int_equal(odo_plan_carry_out(x->plan, &p, &x->is, NULL, &err), 0);
	odo_plan_clear(&p);
	return made;
}

static void spoil_scene(scene *x, fault what, sight how)
{
	uint32_t y = find_again(x, x->node);
	if (what == SLOWER) {
		uint32_t a = odo_slot(x->is, y, odo_port(x->plan, x->slot));
		x->is->width[a] = x->is->width[x->is->peer[a]] = 1;
	}
	if (what == REPLACED || what == REPLACED_NAMED)
		x->is->node_guid[y] = 0x0b00000000000077u;
	if (what == REPLACED_NAMED)
		change_name(x->is, y);
	hide_names(x->is, how);
	if (how == SHUFFLED) {
		odo_fabric *mixed;
		odo_error err;
		assert_int_equal(odo_fabric_shuffle(x->is, 7, &mixed, NULL, &err), 0);
		odo_fabric_free(x->is);
		x->is = mixed;
	}
}

static void scene_clear(scene *x)
{
	odo_fabric_free(x->plan);
	odo_fabric_free(x->is);
}

static const odo_change_sort expected[N_FAULTS] = {
	[LOST_SWITCH] = ODO_CHANGE_MISSING_NODE, [LOST_HOST] = ODO_CHANGE_MISSING_NODE,
	[LOST_CABLE] = ODO_CHANGE_MISSING_CABLE, [LOST_HOST_CABLE] = ODO_CHANGE_MISSING_CABLE,
	[REPLACED] = ODO_CHANGE_REPLACED,        [REPLACED_NAMED] = ODO_CHANGE_REPLACED,
	[SWAPPED] = ODO_CHANGE_SWAPPED,          [SLOWER] = ODO_CHANGE_RATE,
};

static bool is_about(const scene *x, fault what, const odo_change *row)
{
	uint32_t s = row->slot;
	if (what == LOST_SWITCH || what == LOST_HOST || what == REPLACED || what == REPLACED_NAMED)
		return row->node == x->node;
	return s != ODO_NONE && (s == x->slot || x->plan->peer[s] == x->slot || s == x->other ||
				 x->plan->peer[s] == x->other);
}

/* Without names and GUIDs a fault may be told at an equivalent place, and replacing shows nothing.
 */
static void check_changes(const scene *x, fault what, sight how, const odo_changes *all)
{
	bool blind = how >= CABLES_ONLY;
	uint32_t rows = all->n - all->n_folded, n = what == NO_FAULT ? 0 : what == SWAPPED ? 2 : 1;
	if ((what == REPLACED || what == REPLACED_NAMED) && (how == OTHER_GUIDS || blind))
		n = what == REPLACED_NAMED && how == OTHER_GUIDS; /* a new name is all there is */
	if (rows != n)
		print_error("fault %d, sight %d: %u rows, not %u; first %s\n", what, how, rows, n,
			    rows ? odo_change_name(all->row[0].sort) : "");
	assert_int_equal(rows, n);
	for (uint32_t i = 0; i < n; i++) {
		if (what != REPLACED_NAMED || how == ALL_THERE)
			assert_int_equal(all->row[i].sort, expected[what]);
		assert_true(blind || is_about(x, what, &all->row[i]));
	}
}

static void check_scene(const char *spec, fault what, sight how, uint64_t seed)
{
	scene x;
	odo_error err;
	odo_match m;
	odo_changes all;
	/* an adapter without name, GUID and cable could be any */
	bool nothing_left = what == LOST_HOST_CABLE && how >= CABLES_ONLY;
	/* two cables of one switch, whose ports have other numbers */
	nothing_left |= what == SWAPPED && how == SHUFFLED;
	/* too little is left of a chain, and too alike are the switches of this graph */
	nothing_left |= how == SHUFFLED && (!strncmp(spec, "mesh:k=3,", 9) ||
					    (!strncmp(spec, "slimfly:", 8) && what == LOST_CABLE));
	if (make_scene(spec, what, seed, &x) && !nothing_left) {
		spoil_scene(&x, what, how);
		assert_int_equal(odo_match_make(x.plan, x.is, &m, &err), 0);
		assert_int_equal(odo_changes_find(&m, &all, &err), 0);
		check_changes(&x, what, how, &all);
		odo_changes_clear(&all);
		odo_match_clear(&m);
	}
	scene_clear(&x);
}

static void each_fault_of_each_kind_is_told_and_nothing_else(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i += test_stride())
		for (unsigned seed = 1; seed <= (test_wide() ? 100 : 1); seed++)
			for (fault what = NO_FAULT; what < N_FAULTS; what++)
				for (sight how = ALL_THERE; how < N_SIGHTS; how++)
					if (how != SHUFFLED || seed == 1)
						check_scene(specs[i], what, how, seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_of_each_kind_is_told_and_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Each row of the kernel's loops (emulator/kernel/cycle/loops.h): a run takes it, and finds the
 * same as the general loop. */
#include "emulator/kernel/cycle/loops.h"
#include "emulator/kernel/setup/setup.h"
#include "tests/emulator/rig.h"

#define DRAGONFLY "dragonfly:p=2,a=4,h=2"
#define FLATFLY "flatfly:k=4x4,c=4"

static const struct run {
	const char *loop, *topology, *model, *policy,
		*engine; /* of tables; NULL: the one that suits */
} runs[] = {
	{"any", DRAGONFLY, "valiant", NULL, NULL},
	{"any", DRAGONFLY, "ofar:vls-local=8,vls-global=8", NULL, NULL},
	{"any", FLATFLY, "daryin:minimal-first=1", NULL, "distance-based+4"},
	{"flits", DRAGONFLY, "kim:flow=flits", NULL, NULL},
	{"tables", "torus:k=4x4,c=2", "fogsim-v5", NULL, NULL},
	{"tables, 16 ports", FLATFLY, "fogsim-v5", NULL, NULL},
	{"tables, 32 ports", "flatfly:k=8x4,c=10", "fogsim-v5", NULL, NULL},
	{"tables, 64 ports", "flatfly:k=12x2,c=24", "fogsim-v5", NULL, NULL},
	{"tables, VLs side by side", DRAGONFLY, "ofar", NULL, NULL},
	{"answers", DRAGONFLY, "fogsim-v5", "val", NULL},
	{"answers, VLs side by side", DRAGONFLY, "ofar", "val", NULL},
	{"policy", DRAGONFLY, "fogsim-v5", "pb", NULL},
	{"policy, VLs side by side", DRAGONFLY, "ofar", "pb", NULL},
	{"policy, 8 lanes", DRAGONFLY, "fogsim-v5:vls-local=8,vls-global=8", "pb", NULL},
	{"policy, 8 lanes", DRAGONFLY, "fogsim-v5:vls-local=8,vls-global=8", "val", NULL},
	{"policy, 8 lanes side by side", DRAGONFLY, "ofar:vls-local=8,vls-global=8", "pb", NULL},
	{"policy, 128 ports", "flatfly:k=3x3,c=62", "fogsim-v5", "flatfly-ugal", NULL},
	{"policy, 128 ports", "flatfly:k=3x3,c=62", "ofar", "dal", NULL},
	{"tables, output queues", FLATFLY, "daryin", NULL, "dor"},
	{"sets", FLATFLY, "daryin", NULL, "ador"},
	{"sets, 8 lanes", FLATFLY, "daryin", NULL, "distance-based+4"},
};

static void make_rig(struct rig *r, const struct run *run)
{
	odo_error err = {0};
	rig_make(r, run->topology, run->model, "uniform", run->policy);
	if (run->engine) {
		odo_tables_free(r->tables);
		assert_int_equal(odo_route(r->fabric, r->coordinates, run->engine,
					   &(odo_route_options){0}, &r->tables, &err),
				 0);
		r->e.tables = r->tables;
	}
	r->e.run.load = 0.8;
	r->e.run.warmup = 100;
	r->e.run.measured = 400;
}

static const odo_loop *loop_of(const odo_emulation *e)
{
	odo_error err = {0};
	odo_world w = {.e = e, .n_ranks = 1};
	assert_int_equal(odo_world_make(&w, &err), 0);
	const odo_loop *loop = w.loop;
	odo_world_free(&w);
	return loop;
}

static void every_loop_finds_what_the_general_one_finds(void **state)
{
	(void)state;
	bool taken[64] = {false};
	for (size_t i = 0; TEST_ROW(i, runs, runs[i].model); i++) {
		struct rig r;
		make_rig(&r, &runs[i]);
		const odo_loop *loop = loop_of(&r.e);
		if (strcmp(loop->name, runs[i].loop) != 0)
			fail_msg("takes the loop \"%s\", not \"%s\"", loop->name, runs[i].loop);
		taken[loop - odo_loops] = true;
		odo_run_options plain = r.e.run;
		plain.plain = true;
		rig_same(&r, plain);
		r.e.run = plain;
		bool flits = loop == &odo_loops[ODO_LOOP_FLITS];
		assert_ptr_equal(loop_of(&r.e),
				 &odo_loops[flits ? ODO_LOOP_FLITS : ODO_LOOP_PACKETS]);
		rig_free(&r);
	}
	for (size_t i = 0; odo_loops[i].name; i++)
		if (!taken[i])
			fail_msg("no run here takes the loop \"%s\"", odo_loops[i].name);
}

/* Combinations of properties without a row take the general loop. */
static void others_take_the_general_loop(void **state)
{
	(void)state;
	static const struct run others[] = {
		{"any", DRAGONFLY, "fogsim-v5:transit-first=1", NULL, NULL},
		{"any", DRAGONFLY, "fogsim-v5:arbiter=round-robin", "val", NULL},
		{"any", DRAGONFLY, "fogsim-v5:vls-local=8,vls-global=8", NULL, NULL},
		{"any", DRAGONFLY, "ofar:vls-local=12,vls-global=12", "val", NULL},
		{"any", DRAGONFLY, "daryin", "val", NULL},
		{"any", "flatfly:k=3x3,c=62", "fogsim-v5", NULL, NULL},
	};
	for (size_t i = 0; TEST_ROW(i, others, others[i].model); i++) {
		struct rig r;
		make_rig(&r, &others[i]);
		if (strcmp(loop_of(&r.e)->name, "any") != 0)
			fail_msg("takes the loop \"%s\"", loop_of(&r.e)->name);
		rig_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_loop_finds_what_the_general_one_finds),
		cmocka_unit_test(others_take_the_general_loop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

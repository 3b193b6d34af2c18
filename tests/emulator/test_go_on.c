/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A run that goes on finds what a run finds that was as long from the start. */
#include "tests/emulator/rig.h"

/** Windows after the first one, and how far a run has come. */
struct plan {
	uint64_t warmup[4], measured[4];
	unsigned n, at;
};

static bool follow(void *context, const odo_measures *m, uint64_t *warmup, uint64_t *measured)
{
	struct plan *p = context;
	assert_int_equal(m->warmup, *warmup);
	assert_int_equal(m->cycles, *measured);
	if (p->at == p->n)
		return false;
	*warmup = p->warmup[p->at];
	*measured = p->measured[p->at++];
	return true;
}

static void same_sources(const odo_measures *a, const odo_measures *b)
{
	size_t bytes = a->n_hosts * sizeof *a->offered_by_host;
	assert_memory_equal(a->offered_by_host, b->offered_by_host, bytes);
	assert_memory_equal(a->arrived_by_host, b->arrived_by_host, bytes);
	assert_int_equal(a->waiting, b->waiting);
	assert_int_equal(a->dropped, b->dropped);
	assert_int_equal(a->cycles, b->cycles);
}

/* In windows, against the last window alone. */
static void try_plan(struct rig *r, struct plan plan, unsigned threads)
{
	odo_run_options first = r->e.run;
	bool stretched = plan.n && plan.warmup[plan.n - 1] ==
					   (plan.n > 1 ? plan.warmup[plan.n - 2] : first.warmup);
	r->e.run.sources = true;
	r->e.run.threads = threads;
	r->e.run.go_on = follow;
	r->e.run.go_on_context = &plan;
	odo_measures *windows = rig_run(r);
	r->e.run.go_on = NULL;
	r->e.run.threads = 1;
	if (plan.n) {
		r->e.run.warmup = plan.warmup[plan.n - 1];
		r->e.run.measured = plan.measured[plan.n - 1];
	}
	odo_measures *whole = rig_run(r);
	if (stretched) {
		assert_true(windows->accepted_error < 0);
		windows->accepted_error = whole->accepted_error;
	}
	same_measures(windows, whole, r->fabric);
	assert_memory_equal(windows->born_by_switch, whole->born_by_switch,
			    r->fabric->n_switches * sizeof *whole->born_by_switch);
	same_sources(windows, whole);
	odo_measures_free(windows);
	odo_measures_free(whole);
	r->e.run = first;
}

static void windows_are_as_one_run(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *model, *traffic, *policy;
		double load;
	} runs[] = {
		{"dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL, 0.3},
		{"dragonfly:p=2,a=4,h=2", "ofar", "advg:n=1", NULL, 1},
		{"dragonfly:p=2,a=4,h=2", "fogsim-v5", "advg:n=1", NULL, 0.8},
		{"dragonfly:p=2,a=4,h=2", "ofar:source-full=stops", "advg:n=1", "val", 1},
		{"flatfly:k=4x4,c=4", "daryin", "uniform", NULL, 0.01},
		{"dragonfly:p=2,a=4,h=2", "ofar:flow=flits,input-parallel=1", "uniform", "ugal-g",
		 0.9},
	};
	static const struct plan plans[] = {
		{.n = 0},
		{.n = 1, .warmup = {1300}, .measured = {1700}},
		{.n = 1, .warmup = {300}, .measured = {4000}},
		{.n = 3, .warmup = {1300, 1300, 6000}, .measured = {600, 2500, 999}},
	};
	for (size_t i = 0; TEST_ROW(i, runs, runs[i].fabric); i++) {
		struct rig r;
		rig_make(&r, runs[i].fabric, runs[i].model, runs[i].traffic, runs[i].policy);
		r.e.run.load = runs[i].load;
		r.e.run.warmup = 300;
		r.e.run.measured = 1000;
		for (size_t j = 0; TEST_ROW(j, plans, NULL); j++)
			for (unsigned threads = 1; threads <= 3; threads += 2)
				try_plan(&r, plans[j], threads);
		rig_free(&r);
	}
}

/* As few packets as make one part of all switches (emulator/kernel/setup/deal.c), and more. */
static void parts_change_nothing(void **state)
{
	(void)state;
	for (double load = 0.002; load < 0.6; load *= 4) {
		struct rig r;
		rig_make(&r, "flatfly:k=8x8,c=8", "daryin", "uniform", NULL);
		r.e.run.load = load;
		rig_same_on(&r, 3);
		rig_free(&r);
	}
}

static bool backwards(void *context, const odo_measures *m, uint64_t *warmup, uint64_t *measured)
{
	(void)m;
	*warmup += *(int *)context;
	*measured -= *measured / 2;
	return true;
}

static void runs_go_on_forwards(void **state)
{
	(void)state;
	struct rig r;
	odo_error err = {0};
	odo_measures *m = NULL;
	int later = 10;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL);
	r.e.run.go_on = backwards;
	r.e.run.go_on_context = &later;
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "more than 8000 cycles"));
	r.e.run.series = 100;
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "no time series"));
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_as_one_run),
		cmocka_unit_test(parts_change_nothing),
		cmocka_unit_test(runs_go_on_forwards),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

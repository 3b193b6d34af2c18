/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The time that mapping takes is bounded: counted in work, so that every machine finds the same. */
#include "mapping/graph/budget.h"
#include "trial.h"
#include "tests/unit.h"

/* A fabric of `n` switches in which `linked` says who is linked to whom. */
static odo_fabric *make(uint32_t n, uint8_t ports, bool (*linked)(uint32_t a, uint32_t b))
{
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	unsigned *used = calloc(n, sizeof *used);
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < n; s++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = ports};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t u = 0; u < v; u++) {
			if (!linked(u, v))
				continue;
			unsigned p = ++used[u], q = ++used[v];
			assert_int_equal(odo_builder_link(b, u, p, v, q, (odo_link_info){0}, &err),
					 0);
		}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	free(used);
	return f;
}

enum { PALEY = 509, TRIANGULAR = 64, CIRCULANT = 1000 };

/* Paley graph: vertices whose difference is a square modulo a prime. */
static bool in_paley(uint32_t a, uint32_t b)
{
	for (uint32_t x = 1; x <= PALEY / 2; x++)
		if (x * x % PALEY == b - a)
			return true;
	return false;
}

/* The v-th pair of numbers below TRIANGULAR, the larger first. */
static void pair_of(uint32_t v, uint32_t pair[2])
{
	uint32_t a = 1;
	for (; v >= a; a++)
		v -= a;
	pair[0] = a;
	pair[1] = v;
}

/* Triangular graph: pairs that have one number in common. */
static bool in_triangular(uint32_t a, uint32_t b)
{
	uint32_t p[2], q[2];
	pair_of(a, p);
	pair_of(b, q);
	return p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
}

/* Each switch linked to the 100 before it and the 100 after it. */
static bool in_circulant(uint32_t a, uint32_t b)
{
	return b - a <= 100 || a + CIRCULANT - b <= 100;
}

static odo_coordinates *map(const odo_fabric *f, odo_budget *budget)
{
	odo_coordinates *c;
	odo_error err;
	if (odo_map_within(f, budget, &c, &err))
		fail_msg("%s", err.text);
	return c;
}

/* The last look at all paths of two links may be begun with nothing left, and memory is looked for
 * more than once. */
static void assert_bounded(const odo_budget *allowed, const odo_budget *after)
{
	if (after->used > allowed->left + allowed->left / 2)
		fail_msg("%llu used of %llu", (unsigned long long)after->used,
			 (unsigned long long)allowed->left);
}

static void is_bounded_and_says_so(odo_fabric *f)
{
	odo_budget budget = odo_map_budget(f), allowed = budget;
	odo_coordinates *c = map(f, &budget);
	assert_bounded(&allowed, &budget);
	assert_true(c->kind == ODO_KIND_UNKNOWN);
	assert_non_null(strstr(c->reason, ODO_GAVE_UP));
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void strongly_regular_graphs_are_bounded(void **state)
{
	(void)state;
	is_bounded_and_says_so(make(PALEY, 254, in_paley));
	if (test_stride() > 1)
		return;
	is_bounded_and_says_so(make(TRIANGULAR * (TRIANGULAR - 1) / 2, 124, in_triangular));
	is_bounded_and_says_so(make(CIRCULANT, 200, in_circulant));
}

/* The fabric of a trial, and the work that it takes. */
static uint64_t work_of(const char *spec, double miscabled, uint64_t seed, bool *found)
{
	trial t = {spec, {.seed = seed}, miscabled, 0};
	outcome o;
	odo_error err;
	assert_int_equal(trial_prepare(&t, &o, &err), 0);
	odo_budget budget = odo_map_budget(o.fabric);
	odo_coordinates *c = map(o.fabric, &budget);
	*found = c->kind == o.truth->kind && !strstr(c->reason, ODO_GAVE_UP);
	odo_coordinates_free(c);
	outcome_clear(&o);
	return budget.used;
}

/* One cable in a thousand in a wrong port: at most twice the work. */
static void few_wrong_cables_cost_no_more_than_the_whole(void **state)
{
	static const char *const specs[] = {
		"flatfly:k=16x16x16,c=0", "flatfly:k=24x24x8,c=0", "hypercube:n=12,c=0",
		"torus:k=16x16x16,c=0",   "mesh:k=16x16x16,c=0",   "dragonfly:p=0,a=16,h=8,g=129",
		"slimfly:q=32,c=0"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i += 2 * test_stride() - 1) {
		bool found;
		uint64_t whole = work_of(specs[i], 0, 1, &found);
		assert_true(found);
		for (uint64_t seed = 1; seed <= test_seeds(3); seed++) {
			uint64_t work = work_of(specs[i], 0.001, seed, &found);
			if (!found || work > 2 * whole)
				fail_msg("%s, seed %u: %llu, whole %llu", specs[i], (unsigned)seed,
					 (unsigned long long)work, (unsigned long long)whole);
		}
	}
}

/* However little is left, the answer is one of those that there are: never an error. */
static void any_budget_has_an_answer(void **state)
{
	static const char *const specs[] = {"flatfly:k=4x4x4,c=0", "torus:k=6x6x6,c=0",
					    "slimfly-flatfly:q=5,k=3,c=0", "slimfly:q=7,c=0",
					    "dragonfly:p=0,a=2x3,h=2,g=9"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i += test_stride()) {
		trial t = {specs[i], {.1, .05, 3}, .02, 0};
		outcome o;
		odo_error err;
		assert_int_equal(trial_prepare(&t, &o, &err), 0);
		for (uint64_t left = 0; left < 1u << 28; left = 4 * left + 1) {
			odo_budget budget = {.left = left};
			odo_coordinates *c = map(o.fabric, &budget);
			if (c->kind == ODO_KIND_UNKNOWN)
				assert_true(*c->reason);
			assert_true(!strstr(c->reason, ODO_GAVE_UP) || budget.spent);
			odo_coordinates_free(c);
		}
		outcome_clear(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strongly_regular_graphs_are_bounded),
		cmocka_unit_test(few_wrong_cables_cost_no_more_than_the_whole),
		cmocka_unit_test(any_budget_has_an_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

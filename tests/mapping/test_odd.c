/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics at the edge of making sense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fabric/random.h"
#include "trial.h"

/* `n` switches of 40 ports, cabled as `link` says: pairs of switches, in order of free ports. */
static odo_fabric *make(uint32_t n, const uint32_t (*link)[2], size_t n_links)
{
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	unsigned *used = calloc(n, sizeof *used);
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < n; s++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = 40};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (size_t i = 0; i < n_links; i++) {
		unsigned p = ++used[link[i][0]], q = ++used[link[i][1]];
		assert_int_equal(
			odo_builder_link(b, link[i][0], p, link[i][1], q, (odo_link_info){0}, &err),
			0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	free(used);
	return f;
}

static odo_coordinates *map(const odo_fabric *f)
{
	odo_coordinates *c;
	odo_error err;
	assert_int_equal(odo_map(f, &c, &err), 0);
	assert_int_equal(c->n_switches, f->n_switches);
	assert_true(c->kind != ODO_KIND_UNKNOWN || *c->reason);
	return c;
}

static void expect_kind(uint32_t n, const uint32_t (*link)[2], size_t n_links, odo_kind kind)
{
	odo_fabric *f = make(n, link, n_links);
	odo_coordinates *c = map(f);
	assert_int_equal(c->kind, kind);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void few_switches_are_what_they_are(void **state)
{
	static const uint32_t one[][2] = {{0, 1}}, three[][2] = {{0, 1}, {1, 2}, {2, 0}};
	(void)state;
	expect_kind(0, NULL, 0, ODO_KIND_UNKNOWN);
	expect_kind(1, NULL, 0, ODO_KIND_FLATFLY);
	expect_kind(2, NULL, 0, ODO_KIND_UNKNOWN);
	expect_kind(2, one, 1, ODO_KIND_FLATFLY);
	expect_kind(3, three, 3, ODO_KIND_FLATFLY);
	expect_kind(3, NULL, 0, ODO_KIND_UNKNOWN);
	expect_kind(5, one, 1, ODO_KIND_UNKNOWN);
}

static void a_cable_from_a_switch_to_itself_is_wrong(void **state)
{
	static const uint32_t links[][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 1}};
	(void)state;
	odo_fabric *f = make(3, links, 4);
	odo_coordinates *c = map(f);
	assert_int_equal(c->kind, ODO_KIND_FLATFLY);
	assert_int_equal(c->n_faults, 1);
	assert_int_equal(c->faults[0].type, ODO_FAULT_WRONG_LINK);
	assert_int_equal(c->faults[0].node[0], 1);
	assert_int_equal(c->faults[0].node[1], 1);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* Nothing is expected of these but an answer: dense, sparse, parallel and looped cables. */
static void random_cabling_gets_an_answer(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		odo_rng rng = odo_rng_make(seed, 0);
		uint32_t n = 1 + odo_rng_below(&rng, 40), links[400][2];
		size_t n_links = odo_rng_below(&rng, n * 8 < 400 ? n * 8 : 400), kept = 0;
		unsigned used[41] = {0};
		for (size_t i = 0; i < n_links; i++) {
			uint32_t a = odo_rng_below(&rng, n), b = odo_rng_below(&rng, n);
			if (used[a] + 2 > 40 || used[b] + 2 > 40)
				continue;
			used[a]++;
			used[b]++;
			links[kept][0] = a;
			links[kept++][1] = b;
		}
		odo_fabric *f = make(n, (const uint32_t(*)[2])links, kept);
		odo_coordinates_free(map(f));
		odo_fabric_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_switches_are_what_they_are),
		cmocka_unit_test(a_cable_from_a_switch_to_itself_is_wrong),
		cmocka_unit_test(random_cabling_gets_an_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

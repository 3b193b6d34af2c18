/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Handles may be freed in any order and used by several threads; AddressSanitizer looks on. Where
 * memory runs out, at whichever allocation, the status says so and nothing is lost. */
#include <pthread.h>

#include "rig.h"

#define DRAGONFLY "dragonfly:p=2,a=4,h=2"

static void handles_are_freed_in_any_order(void **state)
{
	(void)state;
	for (unsigned order = 0; order < 6; order++) {
		struct rig r = rig_make("flatfly:k=2x2,c=2");
		odonata_error err = {0};
		odonata_verdict v = {.size = sizeof v};
		unsigned first = order / 2, second = (first + 1 + order % 2) % 3;
		for (unsigned i = 0; i < 2; i++) {
			unsigned which = i ? second : first;
			if (which == 0)
				odonata_fabric_free(r.fabric);
			else if (which == 1)
				odonata_coordinates_free(r.found);
			else
				odonata_tables_free(r.tables);
		}
		unsigned left = 3 - first - second;
		if (left == 2)
			expect_ok(odonata_verify(r.tables, 0, &v, &err), &err);
		rig_free(&(struct rig){.fabric = left == 0 ? r.fabric : NULL,
				       .found = left == 1 ? r.found : NULL,
				       .tables = left == 2 ? r.tables : NULL});
	}
}

/* Each of the threads routes, verifies and emulates the same fabric. */
static void *use(void *fabric)
{
	odonata_error err = {0};
	odonata_coordinates *found = map(fabric);
	odonata_tables *t = NULL;
	odonata_measures *m = calloc(1, sizeof *m);
	odonata_emulation how = {.size = sizeof how, .load = 0.5, .warmup = 100, .cycles = 300};
	m->size = sizeof *m;
	if (odonata_route(fabric, found, NULL, &t, &err))
		return NULL;
	how.tables = t;
	if (odonata_emulate(&how, m, &err))
		return NULL;
	odonata_tables_free(t);
	odonata_coordinates_free(found);
	return m;
}

static void threads_share_handles(void **state)
{
	(void)state;
	odonata_fabric *f = generate(DRAGONFLY);
	pthread_t thread[4];
	odonata_measures *m[4];
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, use, f), 0);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(thread[i], (void **)&m[i]), 0);
		assert_non_null(m[i]);
		assert_memory_equal(m[i], m[0], sizeof *m[0]);
	}
	for (unsigned i = 0; i < 4; i++)
		free(m[i]);
	odonata_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handles_are_freed_in_any_order),
		cmocka_unit_test(threads_share_handles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "mapping/pins.h"
#include "trial.h"

typedef struct mapped {
	odo_fabric *f;
	odo_coordinates *c, *truth;
} mapped;

static mapped map_spec(const char *spec)
{
	mapped m;
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &m.f, &m.truth, &err), 0);
	assert_int_equal(odo_map(m.f, &m.c, &err), 0);
	return m;
}

static void mapped_clear(mapped *m)
{
	odo_fabric_free(m->f);
	odo_coordinates_free(m->c);
	odo_coordinates_free(m->truth);
}

/* Every switch pinned to its true coordinates. */
static void all_pins_give_the_true_labels(void **state)
{
	static const char *const specs[] = {"flatfly:k=4x4x3,l=1x2x1,c=1", "torus:k=5x6x3,c=1",
					    "hypercube:n=5,c=1", "dragonfly:p=1,a=4,h=2",
					    "dragonfly:p=1,a=3x2,h=1"};
	(void)state;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		mapped m = map_spec(specs[i]);
		char text[65536];
		size_t used = 0;
		odo_pins pins;
		odo_error err;
		for (uint32_t s = 0; s < m.f->n_switches; s++) {
			used += (size_t)snprintf(text + used, sizeof text - used, "\"%s\"",
						 odo_name(m.f, s));
			for (unsigned d = 0; d < m.truth->n_dims; d++)
				used += (size_t)snprintf(text + used, sizeof text - used, " %u",
							 odo_at(m.truth, s)[d]);
			used += (size_t)snprintf(text + used, sizeof text - used, "\n");
		}
		assert_int_equal(odo_pins_read(m.f, text, "pins", &pins, &err), 0);
		if (!odo_pins_apply(&pins, m.f, m.c, &err)) {
			for (size_t k = 0; k < (size_t)m.f->n_switches * m.c->n_dims; k++)
				assert_int_equal(m.c->at[k], m.truth->at[k]);
			for (uint32_t k = 0; k < m.f->n_slots; k++)
				assert_int_equal(m.c->port_class[k], m.truth->port_class[k]);
		} else {
			fail_msg("%s: %s", specs[i], err.text);
		}
		odo_pins_clear(&pins);
		mapped_clear(&m);
	}
}

static void one_pin_moves_one_switch_and_stays_true(void **state)
{
	mapped m = map_spec("dragonfly:p=1,a=4,h=2");
	odo_pins pins;
	odo_error err;
	char text[80];
	(void)state;
	snprintf(text, sizeof text, "# pinned\n\n  0x%llx  8  3 # last\n",
		 (unsigned long long)m.f->node_guid[0]);
	assert_int_equal(odo_pins_read(m.f, text, "pins", &pins, &err), 0);
	assert_int_equal(odo_pins_apply(&pins, m.f, m.c, &err), 0);
	assert_int_equal(odo_at(m.c, 0)[0], 8);
	assert_int_equal(odo_at(m.c, 0)[1], 3);
	assert_true(odo_coordinates_same(m.f, m.c, m.truth, NULL, NULL));
	odo_pins_clear(&pins);
	mapped_clear(&m);
}

static void pins_that_contradict_are_named_and_change_nothing(void **state)
{
	mapped m = map_spec("flatfly:k=3x3,c=1"), kept = map_spec("flatfly:k=3x3,c=1");
	odo_pins pins;
	odo_error err;
	char text[200];
	(void)state;
	/* Switches 0 and 4 differ in both coordinates. */
	snprintf(text, sizeof text, "\"%s\" 0 0\n\"%s\" 0 1\n", odo_name(m.f, 0), odo_name(m.f, 4));
	assert_int_equal(odo_pins_read(m.f, text, "pins", &pins, &err), 0);
	assert_int_equal(odo_pins_apply(&pins, m.f, m.c, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "pins:2: expected"));
	assert_memory_equal(m.c->at, kept.c->at, 18 * sizeof *m.c->at);
	odo_pins_clear(&pins);
	mapped_clear(&m);
	mapped_clear(&kept);
}

static void bad_lines_are_refused_with_their_number(void **state)
{
	static const char *const bad[][2] = {
		{"0x1\n", "pins:1: expected a switch of this fabric, found \"0x1\""},
		{"\n\"nobody\" 1 2\n", "pins:2: expected a switch of this fabric"},
		{"\"open\n", "pins:1: expected a closing quote"},
		{"word 1 2\n", "pins:1: expected a switch's GUID"},
		{"\"%s\" 1 x\n", "pins:1: expected a coordinate, found \"x\""},
		{"\"%s\" -1 0\n", "pins:1: expected a coordinate"},
		{"\"%s\" 4294967295 0\n", "pins:1: expected a coordinate"},
		{"\"%s\"\n", "pins:1: expected coordinates"},
		{"\"%s\" 1 1\n\"%s\" 1 1\n", "pins:2: expected each switch once"},
		{"\"%s\" 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8\n", "pins:1: expected a coordinate"},
	};
	mapped m = map_spec("flatfly:k=3x3,c=1");
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[200];
		odo_pins pins;
		odo_error err;
		const char *name = odo_name(m.f, 0);
		size_t used = 0;
		for (const char *from = bad[i][0]; *from; from++) {
			if (from[0] == '%' && from[1] == 's') {
				used += (size_t)snprintf(text + used, sizeof text - used, "%s",
							 name);
				from++;
			} else {
				text[used++] = *from;
			}
		}
		text[used] = 0;
		assert_int_equal(odo_pins_read(m.f, text, "pins", &pins, &err), ODO_EINPUT);
		if (!strstr(err.text, bad[i][1]))
			fail_msg("expected \"%s\", found \"%s\"", bad[i][1], err.text);
	}
	mapped_clear(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_pins_give_the_true_labels),
		cmocka_unit_test(one_pin_moves_one_switch_and_stays_true),
		cmocka_unit_test(pins_that_contradict_are_named_and_change_nothing),
		cmocka_unit_test(bad_lines_are_refused_with_their_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns by their text: which names there are, what is refused, and what a fabric declines. */
#include <string.h>

#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "tests/unit.h"

/** A dragonfly, its coordinates and a traffic on it. */
struct world {
	odo_fabric *f;
	odo_coordinates *c;
	odo_traffic *t;
};

static struct world make(const char *pattern)
{
	struct world w = {0};
	odo_error err = {0};
	if (odo_topology_generate("dragonfly:p=2,a=4,h=2", 0, &w.f, &w.c, &err) ||
	    odo_traffic_create(pattern, w.f, w.c, 1, &w.t, &err))
		fail_msg("%s: %s", pattern, err.text);
	return w;
}

static void done(struct world *w)
{
	odo_traffic_free(w->t);
	odo_coordinates_free(w->c);
	odo_fabric_free(w->f);
}

static void unknown_coordinates_decline_what_needs_them(void **state)
{
	(void)state;
	struct world w = make("uniform");
	odo_traffic *traffic;
	odo_error err;
	assert_int_equal(odo_traffic_create("advg", w.f, NULL, 1, &traffic, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, "pattern advg"));
	assert_int_equal(odo_traffic_create("tornado", w.f, NULL, 1, &traffic, &err), ODO_EDECLINE);
	assert_int_equal(odo_traffic_create("complement", w.f, NULL, 1, &traffic, &err), 0);
	odo_traffic_free(traffic);
	done(&w);
}

static void bad_specs_are_refused_with_what_was_expected(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"", "expected a pattern of uniform"},
		{"unifrom", "found \"unifrom\""},
		{"uniform:n=1", "expected no options"},
		{"advg:m=1", "option of n, unit"},
		{"advg:n=", "expected n=a number"},
		{"advg:n=-1", "expected n=a number"},
		{"advg:n=0", "from 1 to"},
		{"advg:n=99999999999", "expected n from"},
		{"advg:n=1,n=2", "found twice"},
		{"advg:unit=x", "one of groups, h"},
		{"50%uniform", "add up to 100%, found 50%"},
		{"60%uniform+60%reverse", "found 120%"},
		{"0%uniform+100%reverse", "shares from 1%"},
		{"uniform+reverse", "found 200%"},
		{"uniform/", "expected pattern/cycle/pattern"},
		{"uniform/5", "expected pattern/cycle/pattern"},
		{"uniform/x/reverse", "found \"/x\""},
		{"uniform/9/reverse/9/uniform", "rising"},
		{"uniform/9/", "expected a pattern of"},
		{"bits:from=0x0", "each once"},
		{"bits:from=0x1x3", "each once"},
		{"bits:from=0x1x2x3x4x5x6x7x8", "expected at least 512 hosts"},
		{"advg:n=9", "expected groups to send to others"},
	};
	struct world w = make("uniform");
	for (size_t i = 0; TEST_ROW(i, bad, bad[i][0]); i++) {
		odo_error err = {0};
		odo_traffic *traffic;
		assert_true(odo_traffic_create(bad[i][0], w.f, w.c, 1, &traffic, &err) < 0);
		if (!strstr(err.text, bad[i][1]))
			fail_msg("\"%s\": %s", bad[i][0], err.text);
	}
	done(&w);
}

static void every_name_is_a_traffic(void **state)
{
	(void)state;
	for (const odo_traffic_name *n = odo_traffic_names; n->name; n++) {
		struct world w = make(n->name);
		assert_true(w.t->n_parts > 1);
		done(&w);
	}
}

/* A run without a packet would say nothing; only silence asked for is well. */
static void patterns_in_which_nobody_sends_are_declined(void **state)
{
	(void)state;
	static const char *const nobody[][2] = {
		{"slimfly:q=5,c=1", "advl"},        {"flatfly:k=1,c=1", "uniform"},
		{"flatfly:k=1,c=1", "permutation"}, {"flatfly:k=1,c=1", "80%uniform+20%silent"},
		{"flatfly:k=1,c=1", "mix1"},        {"flatfly:k=2,c=1", "transpose"},
	};
	for (size_t i = 0; TEST_ROW(i, nobody, nobody[i][0]); i++) {
		odo_fabric *f;
		odo_coordinates *c;
		odo_traffic *traffic;
		odo_error err = {0};
		assert_int_equal(odo_topology_generate(nobody[i][0], 0, &f, &c, &err), 0);
		assert_int_equal(odo_traffic_create(nobody[i][1], f, c, 1, &traffic, &err),
				 ODO_EDECLINE);
		assert_non_null(strstr(err.text, "expected"));
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
	struct world w = make("silent");
	assert_true(odo_traffic_active(w.t, 0) == 0);
	done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_specs_are_refused_with_what_was_expected),
		cmocka_unit_test(unknown_coordinates_decline_what_needs_them),
		cmocka_unit_test(every_name_is_a_traffic),
		cmocka_unit_test(patterns_in_which_nobody_sends_are_declined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

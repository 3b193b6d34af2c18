/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Experiment files: read as written, and what is wrong with one told in one line. */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "experiment/result.h"
#include "tests/experiment/small_experiment.h"
#include "tests/unit.h"

static void file_is_read_as_written(void **state)
{
	(void)state;
	odo_experiment *x;
	odo_error err = {0};
	if (parse(good, &x, &err))
		fail_msg("%s", err.text);
	assert_string_equal(x->name, "small");
	assert_string_equal(x->fabric, "dragonfly:p=1,a=2,h=1");
	assert_int_equal(x->kind, ODO_EXPERIMENT_LOAD);
	assert_int_equal(x->n_curves, 2);
	assert_string_equal(x->curves[1].model, "packet=4");
	assert_int_equal(x->n_patterns, 2);
	assert_string_equal(x->patterns[1], "advg:n=1");
	assert_int_equal(x->n_loads, 4);
	assert_float_equal(x->loads[3], 0.9, 1e-9);
	assert_int_equal(x->warmup, 100);
	assert_int_equal(x->details, ODO_DETAIL_PATH | ODO_DETAIL_SWITCHES);
	assert_int_equal(odo_experiment_points(x), 2 * 2 * 4 * 2);
	assert_int_equal(odo_experiment_find(x, "patterns", "advg:n=1").line, 6);
	odo_experiment_free(x);
}

static void seeds_begin_where_the_file_says(void **state)
{
	(void)state;
	char text[2000];
	odo_experiment *x;
	odo_error err = {0};
	change(text, "details", "seed: 7");
	assert_int_equal(parse(text, &x, &err), 0);
	assert_int_equal(x->first_seed, 7);
	odo_experiment_free(x);
}

static void faults_are_told_in_one_line_with_their_place(void **state)
{
	(void)state;
	static const struct {
		const char *key, *line, *message;
	} bad[] = {
		{"name", NULL, "expected key \"name\", found none"},
		{"name", "name: A B", "f:2: expected lower-case letters"},
		{"title", "title: it's", "f:3: expected text without quotes"},
		{"title", "title: x\n\tpaper: y",
		 "f:4: expected YAML, found an error: found a tab character"},
		{"title", "titel: x",
		 "f:3: expected a key that may stand here, found key \"titel\""},
		{"title", "title: [a]", "f:3: expected a single value, found a list"},
		{"title", "title: a\ntitle: b", "expected each key once, found \"title\" twice"},
		{"measure", "measure: lode",
		 "f:5: expected one of load, saturation, burst, workload, bound"},
		{"measure", "measure: burst",
		 "f:7: expected key \"loads\" with measure: load only"},
		{"measure", "measure: bound",
		 "f:7: expected key \"loads\" with measure: load only"},
		{"details", "lmc: 8", "f:11: lmc: expected a whole number from 0 to 7"},
		{"measure", "measure: workload", "f:1: expected key \"workloads\""},
		{"patterns", NULL, "f:1: expected key \"patterns\""},
		{"patterns", "patterns: uniform", "f:6: expected a list, found a single value"},
		{"patterns", "patterns: []",
		 "f:6: expected a list with entries, found an empty one"},
		{"fabric", "fabric:", "f:4: expected a spec, preset or file for fabric, found"},
		{"patterns", "patterns: [*all]", "f:6: expected"},
		{"patterns", "patterns: [uniform", "expected YAML, found an error"},
		{"loads", NULL, "f:1: expected key \"loads\""},
		{"loads", "loads: [0.5, 1.5]", "f:7: expected loads above 0 up to 1"},
		{"loads", "loads: [0]", "found \"0\""},
		{"loads", "loads: [nan]", "found \"nan\""},
		{"loads", "loads: [0.1:0.9:0]", "f:7: expected loads above 0"},
		{"loads", "loads: [0.1:0.9:0.00001]", "f:7: expected loads above 0"},
		{"warmup", "warmup: -1",
		 "f:8: warmup: expected a whole number from 0 to 1000000000, "
		 "found \"-1\""},
		{"warmup", "warmup: 12abc", "found \"12abc\""},
		{"warmup", "warmup: 99999999999999999999", "f:8: warmup: expected a whole number"},
		{"measured", "measured: 0", "f:9: measured: expected a whole number from 1"},
		{"seeds", "seeds: 0x10", "f:10: seeds: expected a whole number from 1 to 1000"},
		{"details", "steady: maybe", "f:11: expected one of no, yes for steady"},
		{"details", "full: maybe", "f:11: expected one of no, yes for full"},
		{"details", "last: 129", "f:11: last: expected a whole number from 1 to 128"},
		{"details", "first: 0", "f:11: first: expected a whole number from 1"},
		{"details", "scaled: 2", "f:11: expected one of no, yes for scaled"},
		{"details", "relative: 1", "f:11: relative: expected a whole number from 2"},
		{"details", "packets: 5", "f:11: expected no key \"packets\" with measure: load"},
		{"details", "full: no", "f:11: expected no key \"full\" with measure: load"},
		{"details", "series: 5", "f:11: expected key \"series\" with series among details"},
		{"details", "? [a]: b", "expected a word for each key"},
		{"details", "details: [paths]", "f:11: expected one of series, path"},
		{"details", "damage: {links: 2}", "f:11: links: expected a number from 0 to 1"},
		{"details", "damage: {link: 1}", "f:11: expected a key that may stand here"},
		{"  - name: MIN", "  - nom: MIN", "f:13: expected a key that may stand here"},
		{"  - name: MIN", "  - name: tables", "expected each name once"},
		{"    routing: min", "    model: x", "expected key \"routing\", found none"},
		{"curves", "curves: 5", "expected"},
	};
	for (size_t i = 0; TEST_ROW(i, bad, bad[i].key); i++) {
		char text[2000];
		odo_experiment *x = NULL;
		odo_error err = {0};
		change(text, bad[i].key, bad[i].line);
		assert_int_equal(parse(text, &x, &err), ODO_EINPUT);
		if (!strstr(err.text, bad[i].message) || strchr(err.text, '\n'))
			fail_msg("%s: %s", bad[i].line ? bad[i].line : bad[i].key, err.text);
	}
}

static void damaged_files_never_harm(void **state)
{
	(void)state;
	odo_rng rng = odo_rng_make(2, 0);
	static const char letters[] = "0123456789 \n#:[]{},-&*!|>'\"%@`?\t\377az";
	unsigned refused = 0;
	for (int round = 0; round < 3000; round++) {
		char text[1000];
		size_t n = strlen(good);
		memcpy(text, good, n + 1);
		for (uint32_t k = 1 + odo_rng_below(&rng, 3); k; k--) {
			size_t i = odo_rng_below(&rng, (uint32_t)n);
			if (odo_rng_below(&rng, 4))
				text[i] = letters[odo_rng_below(&rng, sizeof letters - 1)];
			else
				n = i + 1;
		}
		odo_experiment *x;
		odo_error err = {0};
		text[n] = '\0';
		int status = odo_experiment_parse("f", text, n, &x, &err);
		refused += status != 0;
		if (!status)
			odo_experiment_free(x);
		else if (status != ODO_EINPUT || strncmp(err.text, "f:", 2) ||
			 strchr(err.text, '\n') || !strstr(err.text, "expected"))
			fail_msg("%s\n%s", err.text, text);
	}
	assert_true(refused > 1000);
}

static void a_result_that_cannot_be_read_may_be_freed(void **state)
{
	(void)state;
	odo_result r;
	odo_error err;
	assert_int_equal(odo_result_read("nowhere/result.csv", &r, &err), ODO_EINPUT);
	odo_result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_begin_where_the_file_says),
		cmocka_unit_test(faults_are_told_in_one_line_with_their_place),
		cmocka_unit_test(damaged_files_never_harm),
		cmocka_unit_test(file_is_read_as_written),
		cmocka_unit_test(a_result_that_cannot_be_read_may_be_freed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

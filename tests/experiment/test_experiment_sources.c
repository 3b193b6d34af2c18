/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Experiment files that include others and have variants: what is put together, and where faults in
 * it are said to be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "experiment/experiment.h"
#include "tests/unit.h"

static char folder[64];

/** Write a file into the folder. */
static void put(const char *name, const char *text)
{
	char path[200];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *to = fopen(path, "w");
	assert_true(to && fputs(text, to) >= 0 && !fclose(to));
}

static const char *const files[][2] = {
	{"base.yaml", "# Of the base.\nmodel: kim\nmeasure: load\nloads: [0.1, 0.2] # two\n"
		      "# not carried along\nwarmup: 100\n"},
	{"below/deep.yaml", "seeds: 3\n"},
	{"below/middle.yaml", "title: middle\ninclude: deep.yaml\n"},
	{"one.yaml", "name: one\ntitle: One\nfabric: demo-slimfly\nmeasure: load\nloads: [0.5]\n"
		     "patterns: [uniform]\ncurves: [{name: MIN, routing: min}]\n"},
	{"self.yaml", "include: self.yaml\n"},
	{"a.yaml", "include: b.yaml\n"},
	{"b.yaml", "include: a.yaml\n"},
	{"slow.yaml", "include: ./slow.yaml\n"},
	{"variants.yaml", "variants:\n  - name: x\n"},
	{"broken.yaml", "seeds: 1\nloads: [0.1\ntitle: x\n"},
	{"list.yaml", "- a\n- b\n"},
	{"odd.yaml", "\nseeds: 3\ncolour: red\n"},
	{"wrong.yaml", "title: a\nseeds: 0\n"},
};
#define N_FILES (sizeof files / sizeof *files)

static int begin(void **state)
{
	(void)state;
	char below[100];
	bool fast = !access("/dev/shm", W_OK);
	strcpy(folder, fast ? "/dev/shm/odonata-src-XXXXXX" : "/tmp/odonata-src-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(below, sizeof below, "%s/below", folder);
	mkdir(below, 0777);
	for (size_t i = 0; i < N_FILES; i++)
		put(files[i][0], files[i][1]);
	return 0;
}

static int end(void **state)
{
	(void)state;
	char path[200];
	for (size_t i = 0; i < N_FILES; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/below", folder);
	return rmdir(path) || rmdir(folder);
}

/** Read `text` as if it were main.yaml of the folder. */
static int parse(const char *text, size_t size, odo_experiments *out, odo_error *err)
{
	char path[200];
	snprintf(path, sizeof path, "%s/main.yaml", folder);
	return odo_experiments_parse(path, text, size, out, err);
}

/** The text of an experiment of `text` is `expected`. */
static void expands_to(const char *text, const char *name, const char *expected)
{
	odo_experiments all;
	odo_experiment *x;
	odo_error err = {0};
	if (parse(text, strlen(text), &all, &err) || odo_experiments_find(&all, name, &x, &err))
		fail_msg("%s", err.text);
	assert_string_equal(x->text, expected);
	odo_experiments_free(&all);
}

static const char *const two = "# Of the file.\n"
			       "include: base.yaml\n"
			       "warmup: 200\n"
			       "# patterns\n"
			       "patterns: [uniform]\n"
			       "curves:\n"
			       "  - {name: MIN, routing: min}\n"
			       "variants:\n"
			       "  # Of the first.\n"
			       "  - name: first\n"
			       "    title: 'F\xc3\xbcrst' # of all\n"
			       "    fabric: demo-slimfly\n"
			       "\n"
			       "    loads:\n"
			       "      - 0.3\n"
			       "      - 0.4\n"
			       "    # of seeds\n"
			       "    seeds: 2\n"
			       "  - {name: second, fabric: demo-torus, title: The\n"
			       "         second, model: ofar}\n";

static void keys_stand_where_those_they_replace_stood(void **state)
{
	(void)state;
	expands_to(two, "first",
		   "# Of the first.\nname: first\ntitle: 'F\xc3\xbcrst' # of all\n"
		   "fabric: demo-slimfly\nmodel: kim\nmeasure: load\nloads:\n  - 0.3\n  - 0.4\n"
		   "warmup: 200\npatterns: [uniform]\ncurves:\n"
		   "  - {name: MIN, routing: min}\n# of seeds\nseeds: 2\n");
	expands_to(two, "second",
		   "name: second\ntitle: The\n second\nfabric: demo-torus\nmodel: ofar\n"
		   "measure: load\nloads: [0.1, 0.2] # two\nwarmup: 200\npatterns: [uniform]\n"
		   "curves:\n  - {name: MIN, routing: min}\n");
	expands_to("# Mine.\nname: other\ninclude: one.yaml\n# mine too\nloads: [1]\n", "other",
		   "# Mine.\nname: other\ntitle: One\nfabric: demo-slimfly\nmeasure: load\n"
		   "# mine too\nloads: [1]\npatterns: [uniform]\n"
		   "curves: [{name: MIN, routing: min}]\n");
}

static void what_needs_no_other_file_is_left_as_it_is(void **state)
{
	(void)state;
	const char *text = "# A.\r\n\nseeds: 2\nname: one\ntitle: One\nfabric: demo-slimfly\n"
			   "measure: load\nloads: [0.5]\n\n# B\npatterns: [uniform]\n"
			   "curves: [{name: MIN, routing: min}]\n# end";
	expands_to(text, "one", text);
}

static void files_include_files_of_folders_below(void **state)
{
	(void)state;
	expands_to("include: below/middle.yaml\nname: x\nfabric: demo-slimfly\nmeasure: load\n"
		   "loads: [1]\npatterns: [uniform]\ncurves: [{name: MIN, routing: min}]\n",
		   "x",
		   "name: x\ntitle: middle\nfabric: demo-slimfly\nseeds: 3\nmeasure: load\n"
		   "loads: [1]\npatterns: [uniform]\ncurves: [{name: MIN, routing: min}]\n");
}

#define REST                                                                                       \
	"title: t\nfabric: demo-slimfly\nmeasure: load\nloads: [1]\npatterns: [uniform]\n"         \
	"curves: [{name: MIN, routing: min}]\n"

static void faults_are_told_where_they_stand(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message; /**< % in a message is the folder */
	} bad[] = {
		{"\ninclude: /etc/passwd\n",
		 "%/main.yaml:2: expected a file in the same folder or one below it for include, "
		 "found \"/etc/passwd\""},
		{"include: ../main.yaml\n", "%/main.yaml:1: expected a file in the same folder"},
		{"include: below/../main.yaml\n", "%/main.yaml:1: expected a file in the same"},
		{"include: below/..\n", "%/main.yaml:1: expected a file in the same folder"},
		{"include:\n",
		 "%/main.yaml:1: expected the name of a file for include, found none"},
		{"include: [a, b]\n", "%/main.yaml:1: expected the name of a file for include"},
		{"\n\ninclude: nowhere.yaml\n",
		 "%/main.yaml:3: %/nowhere.yaml: cannot open: No such file"},
		{"include: main.yaml\n",
		 "%/main.yaml:1: expected no file that includes itself, found \"main.yaml\""},
		{"include: self.yaml\n", "%/self.yaml:1: expected no file that includes itself"},
		{"include: a.yaml\n", "%/b.yaml:1: expected no file that includes itself"},
		{"include: slow.yaml\n", "slow.yaml:1: expected at most 8 files that include"},
		{"include: variants.yaml\n", "%/variants.yaml:1: expected no variants in a file"},
		{"include: broken.yaml\n", "%/broken.yaml:3: expected YAML, found an error"},
		{"include: list.yaml\n", "%/list.yaml:1: expected keys and values, found a list"},
		{"name: x\ninclude: odd.yaml\n" REST,
		 "%/odd.yaml:3: expected a key that may stand here, found key \"colour\""},
		{"name: x\ninclude: wrong.yaml\n" REST,
		 "%/wrong.yaml:2: seeds: expected a whole number from 1 to 1000, found \"0\""},
		{"include: below/deep.yaml\n" REST,
		 "%/main.yaml:1: expected key \"name\", found none"},
		{"name: x\nname: y\n" REST,
		 "%/main.yaml:2: expected each key once, found \"name\" twice"},
		{"variants: x\n",
		 "%/main.yaml:1: expected a list of variants, found a single value"},
		{"\nvariants: []\n",
		 "%/main.yaml:2: expected a list of variants, found an empty one"},
		{"variants:\n  - a\n",
		 "%/main.yaml:2: expected the keys and values of a variant, found a single value"},
		{REST "variants:\n  - seeds: 2\n",
		 "%/main.yaml:8: expected key \"name\" in each variant, found none"},
		{REST "variants:\n  - name: a\n  - name: a\n",
		 "%/main.yaml:9: expected each name once, found \"a\" twice"},
		{REST "variants:\n  - name: a\n  - name: b\n    include: base.yaml\n",
		 "%/main.yaml:10: expected a key that variants have, found \"include\""},
		{REST "variants:\n  - name: a\n    variants: []\n",
		 "%/main.yaml:9: expected a key that variants have, found \"variants\""},
		{REST "variants:\n  - name: a\n  - name: b\n    seeds: 0\n",
		 "%/main.yaml:10: seeds: expected a whole number from 1 to 1000"},
		{REST "variants:\n  - name: a\n  - name: b\n    measure: burst\n",
		 "%/main.yaml:4: expected key \"loads\" with measure: load only, found it"},
		{"title: t\nvariants:\n  - name: a\n    measure: load\n",
		 "%/main.yaml:3: expected key \"fabric\", found none"},
		{"title: t\nvariants:\n\n  - {measure: load, name: a, fabric: f}\n",
		 "%/main.yaml:4: expected key \"curves\""},
		{"variants:\n  - [a]: b\n", "%/main.yaml:2: expected a word for each key"},
	};
	for (size_t i = 0; TEST_ROW(i, bad, bad[i].text); i++) {
		odo_experiments all;
		odo_error err = {0};
		char expected[600] = "";
		for (const char *at = bad[i].message; *at; at++)
			strncat(expected, *at == '%' ? folder : at, *at == '%' ? 100 : 1);
		assert_int_not_equal(parse(bad[i].text, strlen(bad[i].text), &all, &err), 0);
		if (!strstr(err.text, expected) || strchr(err.text, '\n'))
			fail_msg("%s\nexpected %s\nfound %s", bad[i].text, expected, err.text);
	}
}

static void names_of_experiments_are_known(void **state)
{
	(void)state;
	odo_experiments all;
	odo_experiment *x;
	odo_error err = {0};
	assert_int_equal(parse(two, strlen(two), &all, &err), 0);
	assert_int_equal(all.n, 2);
	assert_int_equal(odo_experiments_find(&all, "third", &x, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "expected one of its experiments (first, second), found"));
	assert_int_equal(odo_experiments_find(&all, "second", &x, &err), 0);
	odo_text_place at = odo_experiment_find(x, "loads", "0.2");
	assert_non_null(strstr(at.path, "/base.yaml"));
	assert_int_equal(at.line, 4);
	assert_int_equal(odo_experiment_find(x, "title", "second").line, 20);
	odo_experiments_free(&all);
}

/** A file of n variants, for free(). */
static char *variants_of(unsigned n, size_t *size)
{
	char *text;
	FILE *to = open_memstream(&text, size);
	fputs(REST "variants:\n", to);
	for (unsigned i = 0; i < n; i++)
		fprintf(to, "  - name: a%u\n", i);
	fclose(to);
	return text;
}

static void variants_are_up_to_a_hundred(void **state)
{
	(void)state;
	odo_experiments all;
	odo_error err = {0};
	size_t size;
	char *text = variants_of(100, &size);
	assert_int_equal(parse(text, size, &all, &err), 0);
	assert_int_equal(all.n, 100);
	odo_experiments_free(&all);
	free(text);
	text = variants_of(101, &size);
	assert_int_equal(parse(text, size, &all, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, ":108: expected at most 100 variants"));
	free(text);
}

static void damaged_files_never_harm(void **state)
{
	(void)state;
	odo_rng rng = odo_rng_make(3, 0);
	static const char letters[] = "0123456789 \n#:[]{},-&*!|>'\"%@`?\t\377\303\274az";
	unsigned refused = 0;
	for (int round = 0; round < 5000; round++) {
		char text[1000];
		size_t n = strlen(two);
		memcpy(text, two, n + 1);
		for (uint32_t k = 1 + odo_rng_below(&rng, 3); k; k--) {
			size_t i = odo_rng_below(&rng, (uint32_t)n);
			if (odo_rng_below(&rng, 4))
				text[i] = letters[odo_rng_below(&rng, sizeof letters - 1)];
			else
				n = i + 1;
		}
		odo_experiments all;
		odo_error err = {0};
		text[n] = '\0';
		int status = parse(text, n, &all, &err);
		refused += status != 0;
		if (!status)
			odo_experiments_free(&all);
		else if (strncmp(err.text, folder, strlen(folder)) || strchr(err.text, '\n') ||
			 (!strstr(err.text, "expected") && !strstr(err.text, "cannot open")))
			fail_msg("%s\n%s", err.text, text);
	}
	assert_true(refused > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_stand_where_those_they_replace_stood),
		cmocka_unit_test(what_needs_no_other_file_is_left_as_it_is),
		cmocka_unit_test(files_include_files_of_folders_below),
		cmocka_unit_test(faults_are_told_where_they_stand),
		cmocka_unit_test(names_of_experiments_are_known),
		cmocka_unit_test(variants_are_up_to_a_hundred),
		cmocka_unit_test(damaged_files_never_harm),
	};
	return cmocka_run_group_tests(tests, begin, end);
}

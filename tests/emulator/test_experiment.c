/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Experiment files: faults are told with their place, and what runs gives the same bytes for
 * any number of threads. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "emulator/experiment_world.h"
#include "fabric/random.h"

static const char *const good = "# small\n"
				"name: small\n"
				"title: A test\n"
				"fabric: dragonfly:p=1,a=2,h=1\n"
				"measure: load\n"
				"patterns: [uniform, \"advg:n=1\"]\n"
				"loads: [0.1, 0.5:0.9:0.2]\n"
				"warmup: 100\n"
				"measured: 300\n"
				"seeds: 2\n"
				"details: [path, switches]\n"
				"curves:\n"
				"  - name: MIN\n"
				"    routing: min\n"
				"  - {name: tables, routing: tables, model: \"packet=4\"}\n";

static int parse(const char *text, odo_experiment **x, odo_error *err)
{
	return odo_experiment_parse("f", text, strlen(text), x, err);
}

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
	assert_int_equal(odo_experiment_line(x, "patterns", "advg:n=1"), 6);
	odo_experiment_free(x);
}

/** `good` with the line that begins with `key` replaced; NULL: left out. */
static void change(char *out, const char *key, const char *line)
{
	const char *at = strstr(good, key), *end = strchr(at, '\n') + 1;
	sprintf(out, "%.*s%s%s%s", (int)(at - good), good, line ? line : "", line ? "\n" : "", end);
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
		 "f:3: expected a key that experiments have, found key \"titel\""},
		{"title", "title: [a]", "f:3: expected a single value, found SEQUENCE"},
		{"title", "title: a\ntitle: b", "expected each key once, found \"title\" twice"},
		{"measure", "measure: lode",
		 "f:5: expected one of load, saturation, burst, workload"},
		{"measure", "measure: burst",
		 "f:7: expected key \"loads\" with measure: load only"},
		{"measure", "measure: workload", "f:1: expected key \"workloads\""},
		{"patterns", NULL, "f:1: expected key \"patterns\""},
		{"patterns", "patterns: uniform", "f:6: expected a list, found SCALAR"},
		{"patterns", "patterns: []", "f:6: expected a list with entries"},
		{"patterns", "patterns: [*all]", "f:6: expected"},
		{"patterns", "patterns: [uniform", "expected YAML, found an error"},
		{"loads", NULL, "f:1: expected key \"loads\""},
		{"loads", "loads: [0.5, 1.5]", "f:7: expected loads above 0 up to 1"},
		{"loads", "loads: [0]", "found \"0\""},
		{"loads", "loads: [nan]", "found \"nan\""},
		{"loads", "loads: [0.1:0.9:0]", "f:7: expected loads above 0"},
		{"loads", "loads: [0.1:0.9:0.00001]", "f:7: expected loads above 0"},
		{"warmup", "warmup: -1",
		 "f:8: expected a whole number from 0 to 1000000000 for warmup, "
		 "found \"-1\""},
		{"warmup", "warmup: 12abc", "found \"12abc\""},
		{"warmup", "warmup: 99999999999999999999", "f:8: expected a whole number"},
		{"measured", "measured: 0", "f:9: expected a whole number from 1"},
		{"seeds", "seeds: 0x10", "f:10: expected a whole number from 1 to 1000"},
		{"details", "steady: maybe", "f:11: expected one of no, yes for steady"},
		{"details", "full: maybe", "f:11: expected one of no, yes for full"},
		{"details", "last: 129", "f:11: expected a whole number from 1 to 128"},
		{"details", "first: 0", "f:11: expected a whole number from 1"},
		{"details", "scaled: 2", "f:11: expected one of no, yes for scaled"},
		{"details", "relative: 1", "f:11: expected a whole number from 2"},
		{"details", "packets: 5", "f:11: expected no key \"packets\" with measure: load"},
		{"details", "full: no", "f:11: expected no key \"full\" with measure: load"},
		{"details", "series: 5", "f:11: expected key \"series\" with series among details"},
		{"details", "? [a]: b", "expected a word for each key"},
		{"details", "details: [paths]", "f:11: expected one of series, path"},
		{"details", "damage: {links: 2}", "f:11: expected a share from 0 to 1 for links"},
		{"details", "damage: {link: 1}", "f:11: expected a key that experiments have"},
		{"  - name: MIN", "  - nom: MIN", "f:13: expected a key that experiments have"},
		{"  - name: MIN", "  - name: tables", "expected each name once"},
		{"    routing: min", "    model: x", "expected key \"routing\", found none"},
		{"curves", "curves: 5", "expected"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
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

/* Running. */

static char folder[64];

static int begin(void **state)
{
	(void)state;
	bool fast = !access("/dev/shm", W_OK);
	strcpy(folder, fast ? "/dev/shm/odonata-exp-XXXXXX" : "/tmp/odonata-exp-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

/** Remove what runs have made. */
static void clear(void)
{
	DIR *d = opendir(folder);
	for (struct dirent *e; (e = readdir(d));) {
		char path[400];
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (e->d_name[0] != '.')
			unlink(path);
	}
	closedir(d);
}

static int end(void **state)
{
	(void)state;
	clear();
	return rmdir(folder);
}

static int run(const char *text, unsigned threads, odo_error *err)
{
	odo_experiment *x;
	const odo_experiment_options options = {.folder = folder, .threads = threads};
	int status = parse(text, &x, err);
	if (status)
		return status;
	status = odo_experiment_run(x, &options, err);
	odo_experiment_free(x);
	return status;
}

/** A file in the folder, for free(). */
static char *slurp(const char *name)
{
	char path[400];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *from = fopen(path, "r");
	if (!from)
		fail_msg("no %s", path);
	char *text = calloc(1, 1 << 20);
	assert_true(fread(text, 1, (1 << 20) - 1, from) > 0);
	fclose(from);
	return text;
}

static void threads_change_no_byte(void **state)
{
	(void)state;
	odo_error err = {0};
	if (run(good, 1, &err))
		fail_msg("%s", err.text);
	char *one = slurp("small.csv"), *path = slurp("small.31.path.csv");
	clear();
	assert_int_equal(run(good, 3, &err), 0);
	char *three = slurp("small.csv"), *again = slurp("small.31.path.csv");
	assert_string_equal(one, three);
	assert_string_equal(path, again);
	assert_non_null(strstr(one, "# fabric: dragonfly:p=1,a=2,h=1\n"));
	assert_non_null(strstr(one, "# model of tables: packet=4 "));
	assert_non_null(strstr(one, "\n31,tables,\"advg:n=1\",0.9,2,done,"));
	assert_non_null(
		strstr(path, "# small: tables, advg:n=1, load 0.9, seed 2\nhops,packets\n"));
	free(one);
	free(three);
	free(path);
	free(again);
	clear();
}

/* `good` with a curve more, whose VL arbitration tables are `tables`, written to the folder. */
static int run_weighted(const char *tables, odo_error *err)
{
	char text[2000], path[100], curve[200];
	snprintf(path, sizeof path, "%s/vlarb.conf", folder);
	FILE *to = fopen(path, "w");
	assert_true(to && fputs(tables, to) >= 0 && !fclose(to));
	snprintf(curve, sizeof curve,
		 "  - {name: tables, routing: tables, model: \"packet=4\", vlarb: \"%s\"}", path);
	change(text, "  - {name: tables", curve);
	return run(text, 1, err);
}

static void fewer_seeds_are_the_first_ones(void **state)
{
	(void)state;
	odo_error err = {0};
	odo_experiment *x;
	const odo_experiment_options one = {.folder = folder, .seeds = 1};
	assert_int_equal(run(good, 1, &err), 0);
	char *all = slurp("small.csv");
	clear();
	assert_int_equal(parse(good, &x, &err), 0);
	assert_int_equal(odo_experiment_run(x, &one, &err), 0);
	char *first = slurp("small.csv"), *at = strstr(all, "\n30,tables");
	assert_non_null(strstr(first, "# as run: warmup 100, measured 300, seeds 1\n"));
	/* The last point of one seed is the last but one of two. */
	const char *mine = strstr(first, "\n15,tables");
	assert_non_null(mine);
	assert_int_equal(strncmp(at + 3, mine + 3, strcspn(at + 3, "\n")), 0);
	assert_null(strstr(first, "\n16,"));
	odo_experiment_free(x);
	free(all);
	free(first);
	clear();
}

static void loads_of_ones_own_replace_the_files(void **state)
{
	(void)state;
	const double loads[] = {0.5, 0.25};
	const odo_experiment_options options = {.folder = folder, .loads = loads, .n_loads = 2};
	odo_experiment *x;
	odo_error err = {0};
	char text[2000];
	assert_int_equal(parse(good, &x, &err), 0);
	assert_int_equal(odo_experiment_run(x, &options, &err), 0);
	odo_experiment_free(x);
	char *csv = slurp("small.csv");
	assert_non_null(strstr(csv, "# as run: warmup 100, measured 300, loads 0.5 0.25\n"));
	assert_non_null(strstr(csv, "\n2,MIN,\"uniform\",0.25,1,done,"));
	assert_non_null(strstr(csv, "\n15,tables,"));
	assert_null(strstr(csv, "\n16,"));
	free(csv);
	clear();
	/* Where nothing is measured at a load they mean nothing. */
	strcpy(text, "name: b\ntitle: b\nfabric: dragonfly:p=1,a=2,h=1\nmeasure: burst\n"
		     "patterns: [uniform]\ncurves:\n  - {name: m, routing: min}\n");
	assert_int_equal(parse(text, &x, &err), 0);
	assert_int_equal(odo_experiment_run(x, &options, &err), ODO_EINPUT);
	assert_int_equal(strncmp(err.text, "f:4: expected measure: load", 27), 0);
	odo_experiment_free(x);
}

static void packets_of_ones_own_shorten_a_burst(void **state)
{
	(void)state;
	const odo_experiment_options options = {.folder = folder, .packets = 3};
	odo_experiment *x;
	odo_error err = {0};
	char text[2000];
	strcpy(text, "name: b\ntitle: b\nfabric: dragonfly:p=1,a=2,h=1\nmeasure: burst\n"
		     "patterns: [uniform]\ncurves:\n  - {name: m, routing: min}\n");
	assert_int_equal(parse(text, &x, &err), 0);
	assert_int_equal(odo_experiment_run(x, &options, &err), 0);
	odo_experiment_free(x);
	char *csv = slurp("b.csv");
	assert_non_null(strstr(csv, ", packets 3\n"));
	assert_non_null(strstr(csv, ",18,")); /* of each of six hosts */
	free(csv);
	clear();
	assert_int_equal(parse(good, &x, &err), 0);
	assert_int_equal(odo_experiment_run(x, &options, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "expected measure: burst"));
	odo_experiment_free(x);
}

static void burst_without_an_end_has_no_cycles(void **state)
{
	(void)state;
	const odo_experiment_options options = {.folder = folder};
	odo_experiment *x;
	odo_error err = {0};
	assert_int_equal(parse("name: b\ntitle: b\nfabric: dragonfly:p=1,a=2,h=1\n"
			       "measure: burst\npatterns: [uniform]\nmeasured: 20\n"
			       "curves:\n  - {name: m, routing: min}\n",
			       &x, &err),
			 0);
	assert_int_equal(odo_experiment_run(x, &options, &err), 0);
	odo_experiment_free(x);
	char *table = slurp("b.md"), *plot = slurp("b.gp");
	assert_non_null(strstr(table, "\n| m | timeout |\n"));
	assert_non_null(strstr(plot, "\"uniform\" NaN\n"));
	free(table);
	free(plot);
	clear();
}

static void vl_arbitration_is_of_a_curve(void **state)
{
	(void)state;
	odo_error err = {0};
	assert_int_equal(run(good, 1, &err), 0);
	char *without = slurp("small.csv");
	clear();
	if (run_weighted("qos_vlarb_high 0:255\nqos_vlarb_low 1:1\nqos_high_limit 255\n", &err))
		fail_msg("%s", err.text);
	char *weighted = slurp("small.csv");
	/* The line of a policy stays, that of tables under load changes. */
	const char *rows[] = {strstr(without, "\n31,"), strstr(weighted, "\n31,"),
			      strstr(without, "\n0,"), strstr(weighted, "\n0,")};
	assert_true(strcspn(rows[2] + 1, "\n") == strcspn(rows[3] + 1, "\n") &&
		    !strncmp(rows[2], rows[3], 1 + strcspn(rows[2] + 1, "\n")));
	assert_true(strncmp(rows[0], rows[1], 1 + strcspn(rows[0] + 1, "\n")) != 0);
	free(without);
	free(weighted);
	clear();
	assert_int_not_equal(run_weighted("qos_vlarb_high 0:4,1\n", &err), 0);
	assert_int_equal(strncmp(err.text, "f:15: ", 6), 0);
	assert_non_null(strstr(err.text, "vlarb.conf:1: expected"));
	/* VL 1 would never be served. */
	assert_int_not_equal(run_weighted("qos_vlarb_high 0:4\nqos_vlarb_low 0:4\n", &err), 0);
	assert_non_null(strstr(err.text, "VL 1"));
	clear();
}

static void names_that_mean_nothing_are_told_with_their_line(void **state)
{
	(void)state;
	static const char *const bad[][3] = {
		{"fabric", "fabric: dragonfly:p=0", "f:4: "},
		{"fabric", "fabric: /nowhere.net", "f:4: "},
		{"patterns", "patterns: [uniform, unifrom]", "f:6: expected a pattern of"},
		{"  - {name: tables", "  - {name: x, routing: minimax}", "f:15: expected"},
		{"  - {name: tables", "  - {name: x, routing: \"tables:dore\"}", "f:15: expected"},
		{"  - {name: tables", "  - {name: x, routing: min, model: pakket=5}",
		 "f:15: model"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[2000];
		odo_error err = {0};
		change(text, bad[i][0], bad[i][1]);
		assert_int_not_equal(run(text, 1, &err), 0);
		if (strncmp(err.text, bad[i][2], strlen(bad[i][2])))
			fail_msg("%s: %s", bad[i][1], err.text);
	}
	clear();
}

static void routing_that_declines_is_a_result(void **state)
{
	(void)state;
	char text[2000];
	odo_error err = {0};
	change(text, "  - {name: tables", "  - {name: dor, routing: \"tables:dor\"}");
	if (run(text, 1, &err))
		fail_msg("%s", err.text);
	char *csv = slurp("small.csv");
	assert_non_null(strstr(csv, "\n16,dor,\"uniform\",0.1,1,declined,"));
	/* Every line has as many fields as there are columns. */
	unsigned columns = 0;
	for (char *line = strstr(csv, "point,"); line; line = strchr(line, '\n')) {
		unsigned n = 1, quoted = 0;
		line += *line == '\n';
		for (const char *at = line; *at && *at != '\n'; at++) {
			quoted ^= *at == '"';
			n += *at == ',' && !quoted;
		}
		if (!columns)
			columns = n;
		if (*line)
			assert_int_equal(n, columns);
	}
	free(csv);
	/* And they are told apart at the end. */
	odo_experiment *x;
	uint32_t count[ODO_EXPERIMENT_OUTCOMES] = {0};
	assert_int_equal(parse(text, &x, &err), 0);
	assert_int_equal(odo_experiment_count(x, folder, count, &err), 0);
	odo_experiment_free(x);
	assert_int_equal(count[ODO_RUN_DONE], 16);
	assert_int_equal(count[ODO_EXPERIMENT_OUTCOMES - 1], 16);
	assert_string_equal(odo_experiment_outcomes[ODO_EXPERIMENT_OUTCOMES - 1], "declined");
	clear();
}

static void damaged_and_shuffled_fabric_runs(void **state)
{
	(void)state;
	char text[2000];
	odo_error err = {0};
	change(text, "details", "shuffle: 4\ndamage: {links: 0.1, seed: 2}");
	if (run(text, 1, &err))
		fail_msg("%s", err.text);
	char *csv = slurp("small.csv");
	assert_null(strstr(csv, "deadlock"));
	free(csv);
	clear();
}

/** Every file of configs/ names only what there is, on the fabric it names. */
static void every_config_can_be_run(void **state)
{
	(void)state;
	const char *configs = TEST_DATA "/../../configs";
	DIR *d = opendir(configs);
	unsigned n = 0;
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		size_t length = strlen(e->d_name);
		if (length < 5 || strcmp(e->d_name + length - 5, ".yaml"))
			continue;
		char path[700];
		odo_experiment *x;
		odo_experiment_world w;
		odo_error err = {0};
		snprintf(path, sizeof path, "%s/%s", configs, e->d_name);
		if (odo_experiment_read(path, &x, &err) || odo_experiment_world_make(x, &w, &err))
			fail_msg("%s", err.text);
		assert_int_equal(strncmp(x->name, e->d_name, length - 5), 0);
		odo_experiment_world_clear(&w);
		odo_experiment_free(x);
		n++;
	}
	closedir(d);
	assert_true(n >= 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_told_in_one_line_with_their_place),
		cmocka_unit_test(damaged_files_never_harm),
		cmocka_unit_test(file_is_read_as_written),
		cmocka_unit_test(names_that_mean_nothing_are_told_with_their_line),
		cmocka_unit_test(threads_change_no_byte),
		cmocka_unit_test(packets_of_ones_own_shorten_a_burst),
		cmocka_unit_test(burst_without_an_end_has_no_cycles),
		cmocka_unit_test(vl_arbitration_is_of_a_curve),
		cmocka_unit_test(fewer_seeds_are_the_first_ones),
		cmocka_unit_test(loads_of_ones_own_replace_the_files),
		cmocka_unit_test(routing_that_declines_is_a_result),
		cmocka_unit_test(damaged_and_shuffled_fabric_runs),
		cmocka_unit_test(every_config_can_be_run),
	};
	return cmocka_run_group_tests(tests, begin, end);
}

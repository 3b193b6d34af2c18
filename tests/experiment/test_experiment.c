/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Experiments that run: names are told with their place, and what runs gives the same bytes for
 * any number of threads. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/world.h"
#include "tests/experiment/small_experiment.h"
#include "tests/unit.h"

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

static int run_of(const char *text, const char *pattern, unsigned threads, odo_error *err)
{
	odo_experiment *x;
	const odo_experiment_options options = {
		.folder = folder, .threads = threads, .pattern = pattern};
	int status = parse(text, &x, err);
	if (status)
		return status;
	status = odo_experiment_run(x, &options, err);
	odo_experiment_free(x);
	return status;
}

static int run(const char *text, unsigned threads, odo_error *err)
{
	return run_of(text, NULL, threads, err);
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

static void patterns_may_be_run_one_by_one(void **state)
{
	(void)state;
	odo_error err = {0};
	assert_int_equal(run_of(good, "advg", 1, &err), 0);
	char *half = slurp("small.csv");
	assert_null(strstr(half, "\"uniform\""));
	assert_non_null(strstr(half, "\n31,tables,\"advg:n=1\",0.9,2,done,"));
	assert_int_equal(run(good, 2, &err), 0);
	char *both = slurp("small.csv");
	clear();
	assert_int_equal(run(good, 1, &err), 0);
	char *whole = slurp("small.csv");
	assert_string_equal(both, whole);
	assert_int_equal(run_of(good, "tornado", 1, &err), ODO_EINPUT);
	assert_string_equal(err.text,
			    "f:6: expected a pattern that begins with tornado, found none");
	free(half);
	free(both);
	free(whole);
	clear();
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
	for (size_t i = 0; TEST_ROW(i, bad, bad[i][0]); i++) {
		char text[2000];
		odo_error err = {0};
		change(text, bad[i][0], bad[i][1]);
		assert_int_not_equal(run(text, 1, &err), 0);
		if (strncmp(err.text, bad[i][2], strlen(bad[i][2])))
			fail_msg("%s: %s", bad[i][1], err.text);
	}
	clear();
}

/* The two hosts of a switch share the cable to the next: a half, over any of their LIDs. What sends
 * nothing has no bound, nor have policies, adaptive tables and links of several rates. */
static void search_may_be_in_shares_of_the_bound(void **state)
{
	(void)state;
	const odo_experiment_options options = {.folder = folder};
	odo_experiment *x;
	odo_error err = {0};
	assert_int_equal(parse("name: b\ntitle: b\nfabric: \"flatfly:k=3x3,c=2\"\n"
			       "measure: bound\npatterns: [\"neighbour:dim=1\", silent]\n"
			       "lmc: 2\nmodel: kim\nmeasured: 2000\nscaled: yes\ncurves:\n"
			       "  - {name: tables, routing: \"tables:dor\"}\n"
			       "  - {name: ador, routing: \"tables:ador\"}\n"
			       "  - {name: min, routing: dor}\n"
			       "  - {name: rates, routing: tables, model: link-rates=1}\n",
			       &x, &err),
			 0);
	assert_int_equal(x->lmc, 2);
	if (odo_experiment_run(x, &options, &err))
		fail_msg("%s", err.text);
	odo_experiment_free(x);
	char *csv = slurp("b.csv"), *line = strstr(csv, "\n0,tables,"), *table = slurp("b.md");
	double share, sustained, bound, full, full_share, most;
	assert_non_null(strstr(csv, "sustained,bound,accepted_at_full,full_share,most_at_full,"));
	assert_int_equal(sscanf(line,
				"\n0,tables,\"neighbour:dim=1\",1,done,%lf,%lf,%lf,%lf,%lf,%lf,",
				&share, &sustained, &bound, &full, &full_share, &most),
			 6);
	assert_true(share >= 0.95 && share <= 1.01);
	assert_float_equal(sustained, share * 0.5, 1e-6);
	assert_float_equal(bound, 0.5, 1e-6);
	assert_float_equal(full, 0.5, 0.005);
	assert_float_equal(full_share, 1, 0.01);
	assert_float_equal(most, 0.5, 1e-6);
	assert_non_null(strstr(csv, "\n1,tables,\"silent\",1,declined,"));
	assert_non_null(strstr(csv, "\n2,ador,\"neighbour:dim=1\",1,declined,"));
	assert_non_null(strstr(csv, "\n4,min,\"neighbour:dim=1\",1,declined,"));
	assert_non_null(strstr(csv, "\n6,rates,\"neighbour:dim=1\",1,declined,"));
	assert_non_null(strstr(table, "| tables |"));
	free(csv);
	free(table);
	clear();
}

/* Two hosts share a cable: a load that fills it is never tried where packets have one way. */
static void search_ends_below_the_bound_of_tables(void **state)
{
	(void)state;
	const odo_experiment_options options = {.folder = folder};
	odo_experiment *x;
	odo_error err = {0};
	assert_int_equal(parse("name: n\ntitle: n\nfabric: \"flatfly:k=3x3,c=2\"\n"
			       "measure: saturation\npatterns: [\"neighbour:dim=1\", uniform]\n"
			       "near: yes\nmodel: kim\nwarmup: 500\nmeasured: 2000\ncurves:\n"
			       "  - {name: tables, routing: \"tables:dor\"}\n",
			       &x, &err),
			 0);
	if (odo_experiment_run(x, &options, &err))
		fail_msg("%s", err.text);
	odo_experiment_free(x);
	char *csv = slurp("n.csv");
	double sustained, full, least;
	assert_non_null(strstr(csv, ",sustained,accepted_at_full,least_at_full,latency,"));
	assert_int_equal(sscanf(strstr(csv, "\n0,tables,"),
				"\n0,tables,\"neighbour:dim=1\",1,done,%lf,%lf,%lf,", &sustained,
				&full, &least),
			 3);
	assert_true(sustained >= 0.46 && sustained < 0.5);
	assert_float_equal(full, 0.5, 0.01);
	assert_true(least > 0.4 && least <= full);
	assert_int_equal(sscanf(strstr(csv, "\n1,tables,"), "\n1,tables,\"uniform\",1,done,%lf,",
				&sustained),
			 1);
	assert_true(sustained > 0.6);
	free(csv);
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

/** Each name of a result is that of one experiment. */
struct names {
	char name[300][64];
	unsigned n;
};

static void check_config(const char *path, struct names *seen)
{
	odo_experiments all;
	odo_error err = {0};
	if (odo_experiments_read(path, &all, &err))
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i < all.n; i++) {
		const odo_experiment *x = all.experiment[i];
		odo_experiment_world made;
		if (odo_experiment_world_make(x, &made, &err))
			fail_msg("%s: %s", x->name, err.text);
		odo_experiment_world_clear(&made);
		for (unsigned k = 0; k < seen->n; k++)
			assert_string_not_equal(seen->name[k], x->name);
		assert_true(seen->n < 300);
		snprintf(seen->name[seen->n++], sizeof *seen->name, "%s", x->name);
	}
	odo_experiments_free(&all);
}

static void check_configs(const char *at, struct names *seen)
{
	DIR *d = opendir(at);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		char path[700];
		snprintf(path, sizeof path, "%s/%s", at, e->d_name);
		size_t length = strlen(path);
		bool is_prices = !strcmp(e->d_name, "plan");
		if (!strncmp(e->d_name, "base", 4) || e->d_name[0] == '.' || is_prices)
			continue; /* others include base files */
		if (!strcmp(path + length - 5, ".yaml"))
			check_config(path, seen);
		else if (!strchr(e->d_name, '.'))
			check_configs(path, seen);
	}
	closedir(d);
}

/** Every experiment of configs/ names only what there is, on the fabric it names. */
static void every_config_can_be_run(void **state)
{
	(void)state;
	struct names seen = {0};
	check_configs(TEST_DATA "/../../configs", &seen);
	assert_true(seen.n >= 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_mean_nothing_are_told_with_their_line),
		cmocka_unit_test(threads_change_no_byte),
		cmocka_unit_test(patterns_may_be_run_one_by_one),
		cmocka_unit_test(packets_of_ones_own_shorten_a_burst),
		cmocka_unit_test(burst_without_an_end_has_no_cycles),
		cmocka_unit_test(vl_arbitration_is_of_a_curve),
		cmocka_unit_test(fewer_seeds_are_the_first_ones),
		cmocka_unit_test(loads_of_ones_own_replace_the_files),
		cmocka_unit_test(search_may_be_in_shares_of_the_bound),
		cmocka_unit_test(search_ends_below_the_bound_of_tables),
		cmocka_unit_test(routing_that_declines_is_a_result),
		cmocka_unit_test(damaged_and_shuffled_fabric_runs),
		cmocka_unit_test(every_config_can_be_run),
	};
	return cmocka_run_group_tests(tests, begin, end);
}

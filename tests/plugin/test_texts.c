/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is wrong in the plugin's options is said with its place, and what is right is taken. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plugin/config/options.h"
#include "tests/unit.h"

static void refused(const char *text, const char *why)
{
	odo_plugin_options options;
	odo_error err;
	int status = odo_plugin_options_parse(text, &options, &err);
	if (!status || !strstr(err.text, why))
		fail_msg("%s: expected \"%s\", found \"%s\"", text, why, status ? err.text : "");
}

static void what_is_wrong_is_named(void **state)
{
	(void)state;
	refused("max_vls=0", "event_plugin_options: expected max_vls from 1 to 15, found 0");
	refused("max_vls=16", "expected max_vls from 1 to 15, found 16");
	refused("max_vls=2x", "expected max_vls=a number from 1 to 15, found \"2x\"");
	refused("max_vls=-1", "expected max_vls=a number from 1 to 15, found \"-1\"");
	refused("max_vls=", "expected max_vls=a number from 1 to 15, found \"\"");
	refused("max_sls=99999999999999999999", "found \"99999999999999999999\"");
	refused("spread_lids", "engine or conf, found \"spread_lids\"");
	refused("strict=1 max_lanes=3", "engine or conf, found \"max_lanes=3\"");
	refused("strict=2", "expected strict from 0 to 1, found 2");
	refused("engine=ofar", "expected engine=an engine of profile ib, found \"ofar\"");
	refused("engine=ador", "expected engine=an engine of profile ib, found \"ador\"");
	refused("engine=", "expected engine=an engine of profile ib, found \"\"");
	refused("conf=/nowhere/at/all", "cannot read \"/nowhere/at/all\"");
	refused("conf=/", "/: expected a regular file, found a folder");
}

static void options_end_where_the_guide_says(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int least, most;
	} rows[] = {
		{"max_vls", 1, 15},
		{"max_sls", 1, 16},
		{"strict", 0, 1},
		{"spread_lids", 0, 1},
		{"no_fallback", 0, 1},
		{"dry_run", 0, 1},
		{"flap_limit", 0, 16},
		{"flap_window", 1, 86400},
		{"flap_hold", 1, 86400},
		{"good_after", 0, 86400},
		{"read_back_seconds", 0, 86400},
		{"read_back_rate", 1, 4000},
		{"disk_wait", 1, 86400},
	};
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].name); i++) {
		const int values[] = {rows[i].least, rows[i].most, rows[i].least - 1,
				      rows[i].most + 1};
		for (unsigned k = 0; k < 4; k++) {
			char text[64];
			odo_plugin_options options;
			odo_error err = {0};
			snprintf(text, sizeof text, "%s=%d", rows[i].name, values[k]);
			if (!odo_plugin_options_parse(text, &options, &err) != (k < 2))
				fail_msg("%s: %s", text, k < 2 ? err.text : "accepted");
		}
	}
}

/* @param length of the text, which may hold anything */
static void write_file(const char *path, const char *text, size_t length)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void what_is_wrong_in_a_file_is_named_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t length; /* 0: up to its end */
		const char *why;
	} cases[] = {
		{"max_vls=4 # enough\nstrict=maybe\n", 0,
		 ":2: expected strict=a number from 0 to 1"},
		{"conf=again\n", 0,
		 ":1: expected name=value with max_vls, max_sls, sl, strict, "
		 "spread_lids, no_fallback, dry_run, flap_limit, flap_window, flap_hold, "
		 "good_after, read_back_seconds, read_back_rate, disk_wait or engine, "
		 "found \"conf=again\""},
		{"max_vls=4\n\0\377\1\n", 14, ":2: expected"},
		{"max_vls=4\n\n\377=1\n", 0, ":3: expected"},
	};
	char path[] = "/tmp/odonata-options.XXXXXX", conf[64], line[5000];
	int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	snprintf(conf, sizeof conf, "conf=%s", path);
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].text); i++) {
		size_t length = cases[i].length;
		write_file(path, cases[i].text, length ? length : strlen(cases[i].text));
		refused(conf, cases[i].why);
	}
	memset(line, 'x', sizeof line);
	write_file(path, line, sizeof line);
	refused(conf, ":1: expected text of at most");
	unlink(path);
}

static void what_comes_later_wins(void **state)
{
	(void)state;
	odo_plugin_options options;
	odo_error err;
	assert_int_equal(odo_plugin_options_parse(NULL, &options, &err), 0);
	assert_true(!options.route.max_vls && !options.route.strict && !*options.engine);
	assert_int_equal(odo_plugin_options_parse("max_vls=2 engine=layered\tmax_vls=7\n"
						  "engine=dor no_fallback=1 strict=1 strict=0",
						  &options, &err),
			 0);
	assert_int_equal(options.route.max_vls, 7);
	assert_int_equal(options.route.max_sls, 0);
	assert_string_equal(options.engine, "dor");
	assert_true(options.route.no_fallback && !options.route.strict);
	assert_string_equal(options.text, "engine=dor max_vls=7 strict=0 no_fallback=1");
	assert_int_equal(odo_plugin_options_parse("max_sls=8 sl=any", &options, &err), 0);
	assert_int_equal(options.route.max_sls, 1);
	assert_string_equal(options.text, "max_sls=1");
	refused("sl=3", "max_sls, sl, strict");
	assert_int_equal(odo_plugin_options_parse(
				 "engine=dragonfly-plus-valiant max_vls=15 max_sls=16 strict=1 "
				 "spread_lids=1 no_fallback=1 dry_run=1 flap_limit=16 "
				 "flap_window=86400 flap_hold=86400 good_after=86400 "
				 "read_back_seconds=86400 read_back_rate=4000 disk_wait=86400",
				 &options, &err),
			 0);
	assert_non_null(strstr(options.text, " disk_wait=86400")); /* the longest has room */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(options_end_where_the_guide_says),
		cmocka_unit_test(what_is_wrong_in_a_file_is_named_with_its_line),
		cmocka_unit_test(what_comes_later_wins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define ORIGIN "event_plugin_options"
#define LONGEST_LINE 1024

typedef enum value_type { NUMBER, FLAG, ENGINE } value_type;

static const struct row {
	const char *name;
	value_type type;
	size_t offset;
	unsigned max;
	const char *expected;
} rows[] = {
	{"max_vls", NUMBER, offsetof(odo_plugin_options, route.max_vls), ODO_MAX_VLS, "1 to 15"},
	{"max_sls", NUMBER, offsetof(odo_plugin_options, route.max_sls), ODO_N_SLS, "1 to 16"},
	{"strict", FLAG, offsetof(odo_plugin_options, route.strict), 1, "0 or 1"},
	{"spread_lids", FLAG, offsetof(odo_plugin_options, route.spread_lids), 1, "0 or 1"},
	{"no_fallback", FLAG, offsetof(odo_plugin_options, route.no_fallback), 1, "0 or 1"},
	{"engine", ENGINE, offsetof(odo_plugin_options, engine), 0, "an engine of profile ib"},
};

static int set_engine(char *to, size_t room, const char *value)
{
	const odo_engine *engine = odo_engine_find(value);
	if (!engine || engine->profile != ODO_PROFILE_IB)
		return -1;
	return snprintf(to, room, "%s", value) < (int)room ? 0 : -1;
}

static int set_value(const struct row *row, odo_plugin_options *options, const char *value)
{
	char *field = (char *)options + row->offset;
	if (row->type == ENGINE)
		return set_engine(options->engine, sizeof options->engine, value);
	uint32_t n;
	if (odo_read_number32(value, row->type == NUMBER, row->max, &n, NULL))
		return -1;
	if (row->type == FLAG)
		*(bool *)field = n;
	else
		*(unsigned *)field = n;
	return 0;
}

static int set_option(char *word, const char *origin, odo_plugin_options *options, odo_error *err)
{
	char *value = strchr(word, '=');
	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].name, word))
			continue;
		if (value && !set_value(&rows[i], options, value))
			return 0;
		return odo_fail(err, ODO_EINPUT, "%s: expected %s=%s, found \"%s\"", origin, word,
				rows[i].expected, value ? value : "");
	}
	return odo_fail(err, ODO_EINPUT,
			"%s: expected max_vls, max_sls, strict, spread_lids, no_fallback%s, "
			"found \"%s\"",
			origin, strcmp(origin, ORIGIN) ? " or engine" : ", engine or conf", word);
}

static int read_file(const char *path, odo_plugin_options *options, odo_error *err)
{
	char line[LONGEST_LINE], origin[LONGEST_LINE];
	FILE *file = fopen(path, "r");
	if (!file)
		return odo_fail(err, ODO_EIO, ORIGIN ": cannot read \"%s\": %s", path,
				strerror(errno));
	int status = 0;
	for (unsigned at = 1; !status && fgets(line, sizeof line, file); at++) {
		char *rest = NULL;
		snprintf(origin, sizeof origin, "%.900s:%u", path, at);
		if (!strchr(line, '\n') && !feof(file))
			status = odo_fail(err, ODO_EINPUT,
					  "%s: expected text of at most %d characters", origin,
					  LONGEST_LINE - 2);
		line[strcspn(line, "#\r\n")] = '\0';
		for (char *word = strtok_r(line, " \t", &rest); word && !status;
		     word = strtok_r(NULL, " \t", &rest))
			status = set_option(word, origin, options, err);
	}
	if (!status && ferror(file))
		status = odo_fail(err, ODO_EIO, ORIGIN ": cannot read \"%s\"", path);
	fclose(file);
	return status;
}

int odo_plugin_options_parse(const char *text, odo_plugin_options *options, odo_error *err)
{
	*options = (odo_plugin_options){0};
	char *copy = strdup(text ? text : ""), *rest = NULL;
	if (!copy)
		return odo_fail(err, ODO_ENOMEM, "no memory for " ORIGIN);
	int status = 0;
	for (char *word = strtok_r(copy, " \t\r\n", &rest); word && !status;
	     word = strtok_r(NULL, " \t\r\n", &rest)) {
		if (!strncmp(word, "conf=", 5))
			status = read_file(word + 5, options, err);
		else
			status = set_option(word, ORIGIN, options, err);
	}
	free(copy);
	return status;
}

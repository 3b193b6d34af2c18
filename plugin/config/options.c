/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/config/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/replace.h"
#include "fabric/transform/flaps.h"

#define ORIGIN "event_plugin_options"
#define LONGEST_LINE 1024

enum {
	MAX_VLS,
	MAX_SLS,
	STRICT,
	SPREAD_LIDS,
	NO_FALLBACK,
	DRY_RUN,
	FLAP_LIMIT,
	FLAP_WINDOW,
	FLAP_HOLD,
	GOOD_AFTER,
	READ_BACK_SECONDS,
	READ_BACK_RATE,
	DISK_WAIT,
	N_ROWS
};

/* Defaults of flapping: a cable that disappears for the fifth time within ten minutes must then be
 * steady for ten minutes. */
enum { USUAL_LIMIT = 5, USUAL_SECONDS = 600, A_DAY = 86400 };

/* Seconds for which tables must have stood to become the last good ones: options that are tried one
 * after another in an incident do not replace the tables from before it. */
enum { USUAL_GOOD_AFTER = 600 };
/* Defaults of reading back. Lost tables are found while jobs still wait for their time-outs. At
 * this rate the manager spends 5 % of a core (50 us a MAD, measured with ibsim), and 370 switches
 * of 36 ports are read in that time, each by two or three MADs a second. */
enum { USUAL_PERIOD = 600, USUAL_RATE = 1000 };

/* The thread of the plugin sends 16 MADs each 4 ms, at most. */
enum { MOST_RATE = 4000 };

/* Seconds for which a sweep waits for files. A sync of a busy disk takes seconds, and OpenSM's lock
 * may be held meanwhile, so that no path query is answered. */
enum { USUAL_DISK_WAIT = 30 };

/* Options without defaults: a missing one is 0. */
static const odo_option rows[] = {
	[MAX_VLS] = {.name = "max_vls", .min = 1, .max = ODO_MAX_VLS},
	[MAX_SLS] = {.name = "max_sls", .min = 1, .max = ODO_N_SLS},
	[STRICT] = {.name = "strict", .max = 1},
	[SPREAD_LIDS] = {.name = "spread_lids", .max = 1},
	[NO_FALLBACK] = {.name = "no_fallback", .max = 1},
	[DRY_RUN] = {.name = "dry_run", .max = 1},
	[FLAP_LIMIT] = {.name = "flap_limit", .max = ODO_MOST_FLAPS},
	[FLAP_WINDOW] = {.name = "flap_window", .min = 1, .max = A_DAY},
	[FLAP_HOLD] = {.name = "flap_hold", .min = 1, .max = A_DAY},
	[GOOD_AFTER] = {.name = "good_after", .max = A_DAY},
	[READ_BACK_SECONDS] = {.name = "read_back_seconds", .max = A_DAY},
	[READ_BACK_RATE] = {.name = "read_back_rate", .min = 1, .max = MOST_RATE},
	[DISK_WAIT] = {.name = "disk_wait", .min = 1, .max = A_DAY},
};

typedef struct reading {
	odo_value value[N_ROWS];
	char *engine;
	size_t room; /* for its name */
} reading;

static int set_engine(reading *r, const char *value, const char *origin, odo_error *err)
{
	const odo_engine *engine = odo_engine_find(value);
	if (engine && engine->profile == ODO_PROFILE_IB && strlen(value) < r->room) {
		strcpy(r->engine, value);
		return 0;
	}
	return odo_fail(err, ODO_EINPUT,
			"%s: expected engine=an engine of profile ib, found \"%s\"", origin, value);
}

static int set_option(const char *word, const char *origin, reading *r, odo_error *err)
{
	/* `sl=any` is named after its meaning for applications. */
	if (!strcmp(word, "sl=any"))
		word = "max_sls=1";
	if (!strncmp(word, "engine=", 7))
		return set_engine(r, word + 7, origin, err);
	for (unsigned i = 0; i < N_ROWS; i++)
		if (odo_option_is(&rows[i], word, strlen(word)))
			return odo_option_read(origin, &rows[i], word, strlen(word), &r->value[i],
					       err);
	return odo_fail(err, ODO_EINPUT,
			"%s: expected name=value with max_vls, max_sls, sl, strict, spread_lids, "
			"no_fallback, dry_run, flap_limit, flap_window, flap_hold, good_after, "
			"read_back_seconds, read_back_rate, disk_wait%s, found \"%s\"",
			origin, strcmp(origin, ORIGIN) ? " or engine" : ", engine or conf", word);
}

static int read_options_file(const char *path, reading *r, odo_error *err)
{
	char line[LONGEST_LINE], origin[LONGEST_LINE];
	struct stat is;
	FILE *file;
	int status = odo_open_regular(path, true, UINT64_MAX, &file, &is, err);
	if (status)
		return odo_fail_within(err, ORIGIN);
	if (!file)
		return odo_fail(err, ODO_EIO, ORIGIN ": cannot read \"%s\": %s", path,
				strerror(ENOENT));
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
			status = set_option(word, origin, r, err);
	}
	if (!status && ferror(file))
		status = odo_fail(err, ODO_EIO, ORIGIN ": cannot read \"%s\"", path);
	fclose(file);
	return status;
}

static uint32_t given_or(const odo_value *value, uint32_t usual)
{
	return value->n ? value->number[0] : usual;
}

/* Write the options in force: a later one replaces an earlier one. */
static void write_options_text(const reading *r, char *text, size_t room)
{
	size_t at = 0;
	if (*r->engine)
		at += (size_t)snprintf(text, room, "engine=%s ", r->engine);
	for (unsigned i = 0; i < N_ROWS && at < room; i++)
		if (r->value[i].n)
			at += (size_t)snprintf(text + at, room - at, "%s=%u ", rows[i].name,
					       r->value[i].number[0]);
	if (at && at <= room)
		text[at - 1] = '\0';
}

int odo_plugin_options_parse(const char *text, odo_plugin_options *options, odo_error *err)
{
	*options = (odo_plugin_options){0};
	reading r = {.engine = options->engine, .room = sizeof options->engine};
	odo_error later;
	char *copy = strdup(text ? text : ""), *rest = NULL;
	if (!copy)
		return odo_fail(err, ODO_ENOMEM, "no memory for " ORIGIN);
	int status = 0;
	for (char *word = strtok_r(copy, " \t\r\n", &rest); word;
	     word = strtok_r(NULL, " \t\r\n", &rest)) {
		odo_error *first = status ? &later : err;
		int found = !strncmp(word, "conf=", 5) ? read_options_file(word + 5, &r, first)
						       : set_option(word, ORIGIN, &r, first);
		status = status ? status : found;
	}
	free(copy);
	write_options_text(&r, options->text, sizeof options->text);
	options->flap_limit = given_or(&r.value[FLAP_LIMIT], USUAL_LIMIT);
	options->flap_window = given_or(&r.value[FLAP_WINDOW], USUAL_SECONDS);
	options->flap_hold = given_or(&r.value[FLAP_HOLD], USUAL_SECONDS);
	options->good_after = given_or(&r.value[GOOD_AFTER], USUAL_GOOD_AFTER);
	options->read_back_seconds = given_or(&r.value[READ_BACK_SECONDS], USUAL_PERIOD);
	options->read_back_rate = given_or(&r.value[READ_BACK_RATE], USUAL_RATE);
	options->disk_wait = given_or(&r.value[DISK_WAIT], USUAL_DISK_WAIT);
	options->dry_run = r.value[DRY_RUN].number[0];
	options->route = (odo_route_options){.max_vls = r.value[MAX_VLS].number[0],
					     .max_sls = r.value[MAX_SLS].number[0],
					     .strict = r.value[STRICT].number[0],
					     .spread_lids = r.value[SPREAD_LIDS].number[0],
					     .no_fallback = r.value[NO_FALLBACK].number[0]};
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata status: what the plugin's state file says, for people and for monitoring. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "fabric/format/slurp.h"

#define DEFAULT_FILE "/var/log/odonata.json"

/* Version of the state file's shape that is understood (plugin/state.c). */
enum { SCHEMA = 1 };

typedef struct settings {
	uint64_t max_age; /**< s; 0: any */
	bool strict;
} settings;

enum { KEY_MAX_AGE = 0x200, KEY_STRICT };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
	switch (key) {
	case KEY_MAX_AGE:
		own->max_age = cli_parse_number(state, "--max-age", arg, 1, 1000000000);
		return 0;
	case KEY_STRICT:
		own->strict = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int load(const char *path, json_t **out, odo_error *err)
{
	json_error_t why;
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	*out = json_loadb(text, size, 0, &why);
	free(text);
	if (!*out)
		return odo_fail(err, ODO_EINPUT, "%s:%d: expected the plugin's state file: %s",
				odo_origin_name(path), why.line, why.text);
	const char *outcome = json_string_value(json_object_get(*out, "outcome"));
	if (!outcome || json_integer_value(json_object_get(*out, "schema")) != SCHEMA)
		return odo_fail(err, ODO_EINPUT,
				"%s:1: expected the plugin's state file of schema %d, found "
				"something else",
				odo_origin_name(path), SCHEMA);
	return 0;
}

static uint64_t seconds(const json_t *state, const char *key)
{
	double value = json_number_value(json_object_get(state, key));
	return value > 0 && value < 1e15 ? (uint64_t)value : 0; /* later than any calendar: no time */
}

/** A time for people. */
static int set_time(json_t *state, const char *from, const char *to)
{
	char text[64];
	struct tm parts;
	time_t at = (time_t)seconds(state, from);
	json_object_del(state, from);
	if (!at || !localtime_r(&at, &parts) ||
	    !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts))
		return json_object_set_new(state, to, json_null());
	return json_object_set_new(state, to, json_string(text));
}

static int add_alarm(json_t *alarms, const char *what)
{
	return json_array_append_new(alarms, json_pack("{ss}", "what", what));
}

/** Is all as it should be? The reasons against it go to the answer. */
static bool is_well(const settings *own, json_t *state, int *failed)
{
	json_t *alarms = json_array();
	double refused = json_number_value(json_object_get(state, "options_refused"));
	uint64_t written = seconds(state, "time_seconds"), now = (uint64_t)time(NULL);
	const char *outcome = json_string_value(json_object_get(state, "outcome"));
	size_t n_faults = json_array_size(json_object_get(state, "faults"));
	if (strcmp(outcome, "installed"))
		*failed |= add_alarm(alarms, "no new tables were installed");
	if (refused > 0)
		*failed |= add_alarm(alarms, "the new options are refused");
	if (json_number_value(json_object_get(state, "multicast_unserved_sls")) > 0)
		*failed |= add_alarm(alarms, "multicast may deadlock with unicast");
	if (own->max_age && now > written + own->max_age)
		*failed |= add_alarm(alarms, "the state file is old");
	if (own->strict && n_faults)
		*failed |= add_alarm(alarms, "the fabric has faults");
	if (own->strict && json_array_size(json_object_get(state, "left_out")))
		*failed |= add_alarm(alarms, "a cable comes and goes");
	bool well = !json_array_size(alarms);
	*failed |= json_object_set_new(state, "alarms", alarms);
	return well;
}

static int run(cli_call *call)
{
	odo_error err = {0};
	json_t *state = NULL;
	int failed = 0;
	int status = load(call->n_args ? call->arg[0] : DEFAULT_FILE, &state, &err);
	if (status) {
		json_decref(state);
		return cli_fail(call, &err);
	}
	bool well = is_well(call->settings, state, &failed);
	if (!call->json) {
		failed |= set_time(state, "time_seconds", "written");
		failed |= set_time(state, "since_seconds", "entries_last_changed");
	}
	call->result = cli_json_whole(state, failed);
	if (!call->result) {
		odo_fail(&err, ODO_ENOMEM, "out of memory");
		return cli_fail(call, &err);
	}
	return well ? CLI_OK : CLI_NO;
}

static const struct argp_option options[] = {
	{"max-age", KEY_MAX_AGE, "SECONDS", 0,
	 "Exit with 1 where the file was written longer ago: the subnet manager may be gone", 0},
	{"strict", KEY_STRICT, 0, 0, "Exit with 1 where the fabric has faults", 0},
	{0}};

static const cli_example examples[] = {
	{"odonata status state.json", "What the last sweep did", CLI_OK},
	{"odonata status state.json --strict", "The same as a check for monitoring", CLI_NO},
	{0}};

const cli_command cli_status = {
	.name = "status",
	.arguments = "[FILE]",
	.summary = "Show what the plugin did in its last sweep",
	.about = "Read the state file that the plugin writes after each sweep, odonata.json in "
		 "OpenSM's dump_files_dir [" DEFAULT_FILE
		 "]: the topology, its faults with both ends, the engine, virtual lanes, entries "
		 "that changed, and since when they stand. Exits with 1 where no new tables were "
		 "installed in the last sweep, or where the plugin's options were changed and are "
		 "wrong. odonata.prom beside it has the same figures for "
		 "Prometheus' node_exporter.",
	.options = options,
	.groups = CLI_OUTPUT,
	.min_args = 0,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.parse = parse,
	.run = run,
	.examples = examples,
};

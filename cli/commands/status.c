/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata status: the plugin's state file, for people and for monitoring. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/replace.h"
#include "cli/parts/manager.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"

typedef struct settings {
	uint64_t max_age; /**< s; 0: any age */
	bool strict;
} settings;

static uint64_t state_seconds(const json_t *state, const char *key)
{
	double value = json_number_value(json_object_get(state, key));
	return value > 0 && value < 1e15 ? (uint64_t)value
					 : 0; /* no valid time: later than any calendar */
}

/** Replace seconds by a time for people. */
static void set_time(json_t **state, const char *from, const char *to)
{
	char text[64];
	struct tm parts;
	time_t at = (time_t)state_seconds(*state, from);
	bool valid = at && localtime_r(&at, &parts) &&
		     strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
	json_object_del(*state, from);
	cli_put(state, to, valid ? json_string(text) : json_null());
}

static void add_alarm(json_t **alarms, bool raised, const char *what)
{
	if (raised)
		cli_append(alarms, json_pack("{ss}", "what", what));
}

/** Judge a state, and add "alarms", the reasons against it.
 * @return true if there are none */
static bool is_well(const cli_call *call, const char *path, json_t **state)
{
	const settings *own = call->settings;
	json_t *alarms = json_array();
	const json_t *s = *state;
	uint64_t written = state_seconds(s, "time_seconds"), now = (uint64_t)time(NULL);
	const char *outcome = json_string_value(json_object_get(s, "outcome"));
	const char *certainty = json_string_value(json_object_get(s, "topology_certainty"));
	bool unconfirmed = !strcmp(outcome, "unconfirmed");
	cli_judge_manager(path, state, &alarms);
	cli_judge_read_back(path, !call->json, state, &alarms);
	add_alarm(&alarms, unconfirmed,
		  "it is not known whether all switches and adapters hold the new tables");
	add_alarm(&alarms, !unconfirmed && strcmp(outcome, "installed"),
		  "no new tables were installed");
	add_alarm(&alarms, json_number_value(json_object_get(s, "ordered")) > 0,
		  "an order of odonata handover is in force");
	add_alarm(&alarms, json_string_length(json_object_get(s, "order_reason")),
		  "the new order of odonata handover is refused");
	add_alarm(&alarms, json_number_value(json_object_get(s, "options_refused")) > 0,
		  "the new options are refused");
	add_alarm(&alarms, json_number_value(json_object_get(s, "multicast_unserved_sls")) > 0,
		  "multicast may deadlock with unicast");
	add_alarm(&alarms, own->max_age && now > written + own->max_age, "the state file is old");
	add_alarm(&alarms, own->strict && json_array_size(json_object_get(s, "faults")),
		  "the fabric has faults");
	add_alarm(&alarms, own->strict && certainty && !strcmp(certainty, "nearest"),
		  "the topology is none that is known, only near to one");
	add_alarm(&alarms, own->strict && json_array_size(json_object_get(s, "left_out")),
		  "a cable comes and goes");
	bool well = alarms && !json_array_size(alarms);
	cli_put(state, "alarms", alarms);
	return well;
}

/** Make the answer for a file.
 * @param well set to false if something is wrong */
static int judge_file(const cli_call *call, const char *path, json_t **out, bool *well,
		      odo_error *err)
{
	int status = cli_state_load(path, out, err);
	if (status)
		return status;
	*well &= is_well(call, path, out);
	if (!call->json) {
		set_time(out, "time_seconds", "written");
		set_time(out, "since_seconds", "entries_last_changed");
	}
	return cli_check_answer(*out, err);
}

/** Report a file that cannot be read as an alarm. It does not hide other files. */
static json_t *judge_unread(const odo_error *why, bool *well)
{
	*well = false;
	return json_pack("{sns[{so}]}", "outcome", "alarms", "what", cli_json_text(why->text));
}

/** Judge a file of a folder; other programs may have put any file there. */
static int judge_entry(const cli_call *call, const char *folder, const char *name, json_t **all,
		       bool *well, odo_error *err)
{
	json_t *state = NULL;
	struct stat is;
	FILE *from;
	char *path;
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	int status = odo_open_regular(path, false, CLI_STATE_BYTES, &from, &is, err);
	if (from)
		fclose(from);
	if (!status)
		status = judge_file(call, path, &state, well, err);
	free(path);
	if (status && status != ODO_ENOMEM)
		state = judge_unread(err, well);
	cli_put_text(&state, "file", name);
	cli_append(all, state);
	return cli_check_answer(*all, err);
}

/** Judge all state files of a folder, in the order of their names. */
static int judge_folder(const cli_call *call, const char *folder, json_t **all, bool *well,
			odo_error *err)
{
	struct dirent **list = NULL;
	int n = scandir(folder, &list, cli_is_state_file, alphasort);
	int status = n < 0 ? odo_fail(err, ODO_EIO, "%s: cannot read: %s", folder, strerror(errno))
			   : 0;
	if (!n)
		status = odo_fail(
			err, ODO_EINPUT,
			"%s: expected the plugin's state files, odonata-SUBNET.json, found none",
			folder);
	for (int i = 0; i < n; i++) {
		if (!status)
			status = judge_entry(call, folder, list[i]->d_name, all, well, err);
		free(list[i]);
	}
	free(list);
	return status;
}

/** Join alarms for a cell of a table. */
static json_t *join_alarms(const json_t *alarms)
{
	json_t *list = json_array(), *alarm;
	size_t i;
	json_array_foreach(alarms, i, alarm)
	{
		const char *what = json_string_value(json_object_get(alarm, "what"));
		cli_append(&list,
			   json_sprintf("%s%s", what, i + 1 < json_array_size(alarms) ? ";" : ""));
	}
	return list;
}

/** Make a table with a row for each subnet. */
static json_t *make_table(const json_t *all)
{
	static const char *const columns[] = {
		"file",     "manager_port_guid", "outcome", "engine",
		"topology", "switches",          "hosts",   "written"};
	json_t *rows = json_array(), *state;
	size_t i;
	json_array_foreach(all, i, state)
	{
		json_t *row = json_object();
		for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
			json_t *value = json_object_get(state, columns[c]);
			cli_put(&row, columns[c], value ? json_incref(value) : json_null());
		}
		cli_put_count(&row, "faults", json_array_size(json_object_get(state, "faults")));
		cli_put(&row, "alarms", join_alarms(json_object_get(state, "alarms")));
		cli_append(&rows, row);
	}
	return rows;
}

/** Answer for a folder. As text a single subnet is shown in full, several ones in a table. */
static json_t *answer_folder(const cli_call *call, const json_t *all)
{
	if (!call->json && json_array_size(all) == 1)
		return json_incref(json_array_get(all, 0));
	return json_pack("{so}", "subnets",
			 call->json ? json_incref((json_t *)all) : make_table(all));
}

static int run_status(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	bool well = true;
	const char *path = call->n_args ? call->arg[0] : CLI_STATE_FOLDER;
	json_t *all = json_array();
	int status = 0;
	if (!cli_is_folder(path))
		status = judge_file(call, path, &call->result, &well, err);
	else if (!(status = judge_folder(call, path, &all, &well, err)))
		call->result = answer_folder(call, all);
	if (!status && !call->result)
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	json_decref(all);
	call->code = well ? CLI_OK : CLI_NO;
	return status;
}

static const cli_flag flags[] = {
	{"max-age", 0, "SECONDS", "Exit with 1 if the file is older",
	 "Exit with 1 if the file was written longer ago: the subnet manager may be gone",
	 CLI_NUMBER(settings, max_age, 1, 1000000000)},
	{"strict", 0, NULL, "Exit with 1 if the fabric has faults", NULL,
	 CLI_BOOL(settings, strict)},
	{0}};

static const cli_example examples[] = {
	{"odonata status state.json", "What the last sweep did", CLI_OK},
	{"odonata status state.json --strict", "The same as a check for monitoring", CLI_NO},
	{"odonata status states", "All subnets whose managers run on this machine", CLI_OK},
	{0}};

const cli_command cli_status = {
	.name = "status",
	.arguments = "[FILE|FOLDER]",
	.summary = "Show what the plugin did in its last sweep",
	.about = "Read the state file that the plugin writes after each sweep, odonata-SUBNET.json "
		 "in OpenSM's dump_files_dir: the topology, its faults with both ends, the engine, "
		 "virtual lanes, changed entries, and the time of the last change. In a folder "
		 "[" CLI_STATE_FOLDER "] read all state files, one for each subnet: several are "
		 "printed as a table, and the worst decides the exit code.\n\n"
		 "'read back' says how many switches were seen with all tables right, and how long "
		 "ago the oldest was. With --json it lists for each switch when its tables were "
		 "sent, acknowledged and last seen right.\n\n"
		 "Exits with 1 if the last sweep installed no new tables, if it is not known "
		 "whether all switches hold them, if the manager that wrote the file has ended or "
		 "has given no sign of life for a minute, or if the plugin's changed options are "
		 "wrong. odonata-SUBNET.prom beside the file has the same figures for Prometheus' "
		 "node_exporter.",
	.flags = flags,
	.groups = CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.run = run_status,
	.examples = examples,
};

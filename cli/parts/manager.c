/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/manager.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/process.h"
#include "base/replace.h"
#include "base/seal.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "fabric/format/slurp.h"

/* Signs of life that a manager may miss before it is considered gone: a busy machine delays
 * them. */
enum { MOST_MISSED = 4 };

/* Supported version of the state file's format (plugin/monitor/state.c). */
enum { SCHEMA = 1 };

/* Maximum bytes of the file with the sign of life. */
enum { MOST_BYTES = 65536 };

typedef struct life {
	bool here;         /* process numbers are those of this machine */
	bool runs;         /* if so: the process exists */
	uint64_t process;  /* number of the manager's process */
	double silent;     /* seconds since its last sign of life; < 0: it gave none */
	double too_silent; /* silence in seconds from which it is considered gone */
	bool stands_by;    /* by its last report another manager is master of its subnet */
} life;

static uint64_t state_number(const json_t *state, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(state, key));
	return value > 0 ? (uint64_t)value : 0;
}

bool cli_name_beside(const char *path, const char *before, const char *after, char *name,
		     size_t room)
{
	static const char prefix[] = "odonata-", ending[] = ".json";
	const char *slash = strrchr(path, '/'), *own = slash ? slash + 1 : path;
	size_t n = strlen(own), least = sizeof prefix + sizeof ending - 2;
	if (n <= least || strncmp(own, prefix, sizeof prefix - 1) ||
	    strcmp(own + n - (sizeof ending - 1), ending))
		return false;
	int length = snprintf(name, room, "%.*s%s%.*s%s", (int)(own - path), path, before,
			      (int)(n - least), own + sizeof prefix - 1, after);
	return length >= 0 && (size_t)length < room;
}

static bool says_it_stands_by(FILE *from)
{
	static const char figure[] = "odonata_master{";
	char line[200];
	bool found = false;
	while (!found && fgets(line, sizeof line, from)) {
		const char *end = strchr(line, '}');
		found = !strncmp(line, figure, sizeof figure - 1) && end && !strcmp(end, "} 0\n");
	}
	return found;
}

/* The file's own time counts, because a shared folder shows the same time to both machines. If a
 * clock was set back, the time is in the future, which is no sign of death. */
static void read_beats(const char *path, life *x)
{
	char beats[4096];
	struct stat is;
	FILE *from = NULL;
	odo_error err;
	x->silent = -1;
	if (!cli_name_beside(path, "odonata_alive-", ".prom", beats, sizeof beats) ||
	    odo_open_regular(beats, true, MOST_BYTES, &from, &is, &err) || !from)
		return;
	double age = difftime(time(NULL), is.st_mtime);
	x->silent = age > 0 ? age : 0;
	x->stands_by = says_it_stands_by(from);
	fclose(from);
}

static life read_life(const char *path, const json_t *state)
{
	char space[160];
	const char *wanted = json_string_value(json_object_get(state, "process_space"));
	life x = {.process = state_number(state, "process"),
		  .too_silent = (double)state_number(state, "heartbeat_interval_seconds") *
				MOST_MISSED};
	read_beats(path, &x);
	odo_process_space(space, sizeof space);
	x.here = wanted && *wanted && !strcmp(wanted, space);
	x.runs = x.here && odo_process_start(x.process) == state_number(state, "process_started");
	return x;
}

static bool is_opensm(const char *number)
{
	char path[300], name[32] = "";
	snprintf(path, sizeof path, "/proc/%.200s/comm", number);
	FILE *from = isdigit((unsigned char)*number) ? fopen(path, "re") : NULL;
	bool same = from && fgets(name, sizeof name, from) && !strcmp(name, "opensm\n");
	if (from)
		fclose(from);
	return same && odo_process_start(strtoull(number, NULL, 10));
}

/* Return the number of any opensm process on this machine, or 0. */
static uint64_t find_opensm(void)
{
	DIR *all = opendir("/proc");
	const struct dirent *entry;
	uint64_t found = 0;
	while (all && !found && (entry = readdir(all)))
		if (is_opensm(entry->d_name))
			found = strtoull(entry->d_name, NULL, 10);
	if (all)
		closedir(all);
	return found;
}

static json_t *say_gone(const life *x)
{
	uint64_t other = find_opensm();
	if (other)
		return json_sprintf(
			"the subnet manager that wrote this, process %llu, has ended; an opensm "
			"runs as process %llu: if it is this subnet's, it runs without the plugin",
			(unsigned long long)x->process, (unsigned long long)other);
	return json_sprintf("the subnet manager that wrote this, process %llu, has ended, and no "
			    "opensm runs here",
			    (unsigned long long)x->process);
}

/* Return the reason for an alarm.
 * @return NULL if the manager lives as far as is known, or without memory */
static json_t *say_alarm(const life *x)
{
	if (x->here && !x->runs)
		return say_gone(x);
	if (x->silent < 0 && !x->here)
		return json_string(
			"the subnet manager that wrote this is not on this machine, and its signs "
			"of life, odonata_alive-SUBNET.prom, are not beside the file");
	if (x->silent > x->too_silent)
		return json_sprintf(
			"the subnet manager that wrote this has given no sign of life for %.0f s",
			x->silent);
	if (x->stands_by)
		return json_string("the subnet manager that wrote this is not the master any more: "
				   "another one routes this subnet, and this file tells of the "
				   "last sweep before that");
	return NULL;
}

static bool manager_lives(const life *x)
{
	return (x->here ? x->runs : x->silent >= 0) && x->silent <= x->too_silent;
}

static json_t *say_life(const life *x)
{
	if (!manager_lives(x))
		return json_string("gone, or hangs");
	if (x->stands_by)
		return json_string("stands by");
	if (x->here)
		return json_sprintf("runs as process %llu", (unsigned long long)x->process);
	return json_sprintf("not on this machine; last sign of life %.0f s ago", x->silent);
}

void cli_judge_manager(const char *path, json_t **state, json_t **alarms)
{
	if (!json_object_get(*state, "process_space"))
		return; /* an older plugin wrote this file */
	life x = read_life(path, *state);
	json_t *alarm = say_alarm(&x);
	cli_put(state, "manager", say_life(&x));
	if (alarm)
		cli_append(alarms, json_pack("{so}", "what", alarm));
}

/* ---- State files ---- */

static int drop_state(json_t **state, const char *path, odo_error *err)
{
	json_decref(*state);
	*state = NULL;
	return odo_fail(err, ODO_EINPUT,
			"%s:1: expected the plugin's state file of schema %d, found something else",
			odo_origin_name(path), SCHEMA);
}

/** Check the seal of a state file. Older versions wrote none. */
static int check_seal(const char *path, char *text, size_t size, odo_error *err)
{
	uint64_t contents;
	if (!odo_seal_is_there(&odo_seal_state, text, size))
		return 0;
	FILE *from = fmemopen(text, size, "r");
	if (!from)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	int status = odo_seal_check(&odo_seal_state, from, odo_origin_name(path), &contents, err);
	fclose(from);
	return status;
}

int cli_state_load(const char *path, json_t **out, odo_error *err)
{
	json_error_t why;
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	status = check_seal(path, text, size, err);
	*out = status ? NULL : json_loadb(text, size, 0, &why);
	free(text);
	if (!status && !*out)
		status = odo_fail(err, ODO_EINPUT, "%s:%d: expected the plugin's state file: %s",
				  odo_origin_name(path), why.line, why.text);
	if (status)
		return status;
	json_object_del(*out, "seal");
	const char *outcome = json_string_value(json_object_get(*out, "outcome"));
	if (!outcome || json_integer_value(json_object_get(*out, "schema")) != SCHEMA)
		return drop_state(out, path, err);
	return 0;
}

int cli_is_state_file(const struct dirent *entry)
{
	const char *name = entry->d_name;
	size_t n = strlen(name);
	return n > 5 && !strcmp(name + n - 5, ".json") && !strncmp(name, "odonata", 7) &&
	       (name[7] == '-' || name[7] == '.');
}

int cli_state_find(const char *path, const char **out, odo_error *err)
{
	struct dirent **list = NULL;
	char *file = NULL;
	int n = cli_is_folder(path) ? scandir(path, &list, cli_is_state_file, alphasort) : 0;
	int status = n < 0 ? odo_fail(err, ODO_EIO, "%s: cannot read: %s", path, strerror(errno))
			   : 0;
	if (!status && cli_is_folder(path) && n != 1)
		status = odo_fail(err, ODO_EINPUT,
				  "%s: expected the state file of one subnet, odonata-SUBNET.json, "
				  "found %d: name the file",
				  path, n);
	if (!status &&
	    (n ? asprintf(&file, "%s/%s", path, list[0]->d_name) < 0 : !(file = strdup(path))))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	for (int i = 0; i < n; i++)
		free(list[i]);
	free(list);
	*out = status ? NULL : file;
	return status;
}

bool cli_manager_runs_here(const json_t *state)
{
	return read_life("", state).runs;
}

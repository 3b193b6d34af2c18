/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Switches whose tables the plugin has read back: odonata_switches-SUBNET.json beside a state file.
 */
#include <string.h>
#include <time.h>

#include "base/replace.h"
#include "cli/parts/manager.h"
#include "cli/terminal/answer.h"

/* Supported version of the file's format (plugin/monitor/switches.c). */
enum { SCHEMA = 1 };

/* Maximum bytes of the file: a switch takes 300. */
enum { MOST_BYTES = 64 << 20 };

/* Maximum switches that an alarm names. */
enum { MOST_NAMED = 8 };

static json_t *load_switches(const char *path)
{
	char name[4096];
	struct stat is;
	FILE *from = NULL;
	odo_error err;
	if (!cli_name_beside(path, "odonata_switches-", ".json", name, sizeof name) ||
	    odo_open_regular(name, true, MOST_BYTES, &from, &is, &err) || !from)
		return NULL;
	json_t *file = json_loadf(from, 0, NULL);
	fclose(from);
	if (json_integer_value(json_object_get(file, "schema")) == SCHEMA &&
	    json_is_array(json_object_get(file, "switches")))
		return file;
	json_decref(file);
	return NULL;
}

static double number_of(const json_t *file, const char *key)
{
	double value = json_number_value(json_object_get(file, key));
	return value > 0 && value < 1e15 ? value : 0;
}

/* Time has passed since the file was written. */
static double age_of(const json_t *file)
{
	double since = difftime(time(NULL), (time_t)number_of(file, "time_seconds"));
	return number_of(file, "oldest_seconds") + (since > 0 ? since : 0);
}

static json_t *describe_file(const json_t *file)
{
	size_t n = json_array_size(json_object_get(file, "switches"));
	double wanted = number_of(file, "read_back_seconds");
	bool all = number_of(file, "seen_right") >= (double)n;
	if (wanted <= 0)
		return json_sprintf("off: read_back_seconds=0");
	return json_sprintf("%.0f of %zu switches seen with the right tables, the oldest %s%.0f s "
			    "ago; %.0f s are wanted",
			    number_of(file, "seen_right"), n, all ? "" : "not seen, but sent ",
			    age_of(file), wanted);
}

/* @return NULL if no switch is in doubt, or without memory */
static json_t *name_doubts(const json_t *file)
{
	const json_t *list = json_object_get(file, "switches"), *x;
	json_t *names = json_string("");
	size_t i, n = 0;
	json_array_foreach(list, i, x)
	{
		const char *doubt = json_string_value(json_object_get(x, "doubt"));
		const char *name = json_string_value(json_object_get(x, "switch"));
		if (!doubt || !*doubt || ++n > MOST_NAMED)
			continue;
		json_t *clean = cli_json_text(name ? name : "?");
		json_t *longer = json_sprintf("%s%s%s", json_string_value(names), n > 1 ? ", " : "",
					      json_string_value(clean));
		json_decref(clean);
		json_decref(names);
		names = longer;
	}
	json_t *all = n ? json_sprintf("it is not known what tables these switches hold, %zu "
				       "switches in doubt: %s%s",
				       n, json_string_value(names), n > MOST_NAMED ? ", ..." : "")
			: NULL;
	json_decref(names);
	return all;
}

void cli_judge_read_back(const char *path, bool for_people, json_t **state, json_t **alarms)
{
	json_t *file = load_switches(path);
	json_t *doubts = name_doubts(file);
	if (doubts)
		cli_append(alarms, json_pack("{so}", "what", doubts));
	if (file)
		cli_put(state, "read_back", for_people ? describe_file(file) : json_incref(file));
	json_decref(file);
}

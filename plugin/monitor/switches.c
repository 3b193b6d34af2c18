/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/monitor/switches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"

/* Version of the file's format. It rises when a field is removed or changes its meaning. */
enum { SCHEMA = 1 };

void odo_switches_path(const char *folder, const char *id, char *path)
{
	snprintf(path, ODO_PATH_ROOM, "%.900s/odonata_switches-%s.json", folder, id);
}

/* Clocks of the schedule and of the calendar. */
typedef struct clocks {
	uint64_t steady; /* ms */
	time_t calendar;
} clocks;

static clocks read_clocks(void)
{
	return (clocks){.steady = odo_steady_ms(), .calendar = time(NULL)};
}

static uint64_t age_seconds(const clocks *now, uint64_t at)
{
	return at && now->steady > at ? (now->steady - at) / 1000 : 0;
}

/* Return seconds since 1970; 0: never. */
static long long date_of(const clocks *now, uint64_t at)
{
	return at ? (long long)now->calendar - (long long)age_seconds(now, at) : 0;
}

static void put_reading(const odo_reading *reading, const clocks *now, FILE *to)
{
	fputs("    {\"switch\": ", to);
	odo_put_quoted(reading->name, to);
	fprintf(to,
		", \"switch_guid\": \"0x%016" PRIx64 "\", \"tables\": %" PRIu32
		", \"sent_sweep\": %u, \"sent_seconds\": %lld, \"acknowledged\": %s, "
		"\"seen_right_seconds\": %lld, \"doubt\": \"%s\"}",
		reading->guid, reading->n_mads, reading->sent_sweep, date_of(now, reading->sent),
		reading->acknowledged ? "true" : "false", date_of(now, odo_reading_seen(reading)),
		odo_doubt_names[reading->doubt]);
}

static void put_readings(const char *subnet, const odo_confirm *confirm, FILE *to)
{
	const odo_schedule *schedule = &confirm->schedule;
	const odo_seen seen = odo_schedule_seen(schedule);
	const clocks now = read_clocks();
	fprintf(to, "{\n  \"schema\": %d,\n  \"subnet\": \"%s\",\n  \"time_seconds\": %lld,\n",
		SCHEMA, subnet, (long long)now.calendar);
	fprintf(to,
		"  \"read_back_seconds\": %" PRIu64 ",\n  \"read_back_rate\": %u,\n"
		"  \"round_seconds\": %" PRIu64 ",\n  \"tables\": %" PRIu64 ",\n"
		"  \"seen_right\": %zu,\n  \"in_doubt\": %zu,\n  \"oldest_seconds\": %" PRIu64
		",\n  \"switches\": [",
		schedule->period / 1000, schedule->rate, odo_schedule_round(schedule) / 1000,
		schedule->n_mads, seen.n, seen.n_doubts, age_seconds(&now, seen.oldest));
	for (size_t i = 0; i < schedule->n; i++) {
		fputs(i ? ",\n" : "\n", to);
		put_reading(&schedule->list[i], &now, to);
	}
	fputs("]\n}\n", to);
}

char *odo_switches_json(const char *subnet, odo_confirm *confirm)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (to) {
		pthread_mutex_lock(&confirm->mutex);
		put_readings(subnet, confirm, to);
		pthread_mutex_unlock(&confirm->mutex);
	}
	if (!odo_text_close(to, &text))
		return text;
	return NULL;
}

void odo_read_back_figures(odo_confirm *confirm, odo_figure *list)
{
	const clocks now = read_clocks();
	pthread_mutex_lock(&confirm->mutex);
	const odo_schedule *schedule = &confirm->schedule;
	const odo_seen seen = odo_schedule_seen(schedule);
	const odo_figure all[ODO_READ_BACK_FIGURES] = {
		{"read_back_switches", "Switches whose tables are read back", (double)schedule->n},
		{"read_back_seen_right", "Switches that were seen with all their tables right",
		 (double)seen.n},
		{"read_back_in_doubt",
		 "Switches that hold, or may hold, other tables than those that were proved",
		 (double)seen.n_doubts},
		{"read_back_oldest_seconds",
		 "Longest time for which tables of a switch have not been seen, or sent",
		 (double)age_seconds(&now, seen.oldest)},
		{"read_back_limit_seconds",
		 "Time within which all tables are to be read, read_back_seconds; 0: off",
		 (double)schedule->period / 1000},
		{"read_back_round_seconds", "Time that it takes at the allowed rate",
		 (double)odo_schedule_round(schedule) / 1000},
		{"read_back_tables", "Tables of all switches, a MAD each",
		 (double)schedule->n_mads},
		{"read_back_mads_total", "MADs sent to read tables back",
		 (double)schedule->n_asked},
		{"read_back_alarms_total",
		 "Times that a node was found with other tables, or did not answer",
		 (double)confirm->n_alarms},
	};
	pthread_mutex_unlock(&confirm->mutex);
	for (unsigned i = 0; i < ODO_READ_BACK_FIGURES; i++)
		list[i] = all[i];
}

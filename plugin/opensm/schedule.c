/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/schedule.h"

#include <stdlib.h>
#include <string.h>

/* A round over all parts takes 7/8 of the period: sweeps, during which nothing is read, and the
 * granularity of slices may take the rest. */
enum { USED = 7, OF = 8 };

/* Slices of a round on fabrics with few MADs. More slices would be more even; the thread would wake
 * up more often. */
enum { LEAST_SLICES = 64 };

void odo_schedule_clear(odo_schedule *schedule)
{
	free(schedule->list);
	*schedule = (odo_schedule){0};
}

/* Return the number of switches with a lower GUID. */
static size_t count_readings_below(const odo_schedule *schedule, uint64_t guid)
{
	size_t from = 0, to = schedule->n;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (schedule->list[middle].guid < guid)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

odo_reading *odo_schedule_find(const odo_schedule *schedule, uint64_t guid)
{
	size_t at = count_readings_below(schedule, guid);
	return at < schedule->n && schedule->list[at].guid == guid ? &schedule->list[at] : NULL;
}

/* Keep what is known of parts whose tables stay. */
static void keep_known(odo_reading *reading, const odo_reading *before, uint64_t now,
		       unsigned sweep)
{
	bool same = before && !reading->all_sent;
	for (unsigned part = 0; part < ODO_PARTS && before; part++) {
		bool stays = reading->digest[part] == before->digest[part];
		reading->seen[part] = stays ? before->seen[part] : 0;
		same &= stays;
	}
	reading->sent = same ? before->sent : now;
	reading->sent_sweep = same ? before->sent_sweep : sweep;
}

void odo_schedule_replace(odo_schedule *schedule, odo_reading *list, size_t n, uint64_t now,
			  unsigned sweep)
{
	/* The first time counts from here. */
	if (!schedule->n) {
		schedule->now = now > schedule->now ? now : schedule->now;
		schedule->left = schedule->rate;
	}
	schedule->n_mads = 0;
	for (size_t i = 0; i < n; i++) {
		keep_known(&list[i], odo_schedule_find(schedule, list[i].guid), now, sweep);
		schedule->n_mads += list[i].n_mads;
	}
	free(schedule->list);
	schedule->list = list;
	schedule->n = n;
	schedule->next = 0;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Return the number of MADs that are sent at a time. */
static unsigned slice_of(const odo_schedule *schedule)
{
	uint64_t n = schedule->n_mads / LEAST_SLICES;
	n = n > ODO_MOST_ASKED ? ODO_MOST_ASKED : n;
	n = n > schedule->rate ? schedule->rate : n;
	return n ? (unsigned)n : 1;
}

/* Return the MADs a ms that keep the period. */
static double pace_of(const odo_schedule *schedule)
{
	return schedule->period ? (double)schedule->n_mads / ((double)schedule->period * USED / OF)
				: 0;
}

static double rate_of(const odo_schedule *schedule)
{
	return (double)schedule->rate / 1000;
}

void odo_schedule_credit(odo_schedule *schedule, uint64_t now)
{
	double ms = now > schedule->now ? (double)(now - schedule->now) : 0;
	if (now > schedule->now)
		schedule->now = now;
	schedule->left = least(schedule->left + ms * rate_of(schedule), schedule->rate);
	schedule->due = least(schedule->due + ms * pace_of(schedule), (double)schedule->n_mads);
}

unsigned odo_schedule_may_ask(const odo_schedule *schedule)
{
	double n = least(schedule->due, schedule->left);
	return schedule->period && schedule->n_mads && n >= slice_of(schedule)
		       ? (unsigned)least(n, ODO_MOST_ASKED)
		       : 0;
}

/* Return the ms in which so many MADs are credited. */
static uint64_t time_for(double missing, double a_ms)
{
	return missing > 0 ? (uint64_t)(missing / a_ms) + 1 : 0;
}

uint64_t odo_schedule_wait(const odo_schedule *schedule)
{
	if (!schedule->period || !schedule->n_mads || !schedule->rate)
		return UINT64_MAX;
	double slice = slice_of(schedule);
	uint64_t a = time_for(slice - schedule->due, pace_of(schedule));
	uint64_t b = time_for(slice - schedule->left, rate_of(schedule));
	return a > b ? a : b;
}

void odo_schedule_asked(odo_schedule *schedule, unsigned n, bool urgent)
{
	schedule->n_asked += n;
	schedule->left -= n;
	if (!urgent)
		schedule->due -= n;
}

uint64_t odo_schedule_pause(odo_schedule *schedule, unsigned n)
{
	uint64_t ms = schedule->rate ? time_for(n - schedule->left, rate_of(schedule)) : 0;
	odo_schedule_credit(schedule, schedule->now + ms);
	return ms;
}

uint64_t odo_schedule_round(const odo_schedule *schedule)
{
	double pace = schedule->period ? least(pace_of(schedule), rate_of(schedule)) : 0;
	return pace > 0 ? time_for((double)schedule->n_mads, pace) : 0;
}

/* Return the switch after the last one, and go on to the next part after all switches. */
static odo_reading *next_reading(odo_schedule *schedule)
{
	size_t at = count_readings_below(schedule, schedule->after);
	at += at < schedule->n && schedule->list[at].guid == schedule->after;
	if (at == schedule->n) {
		schedule->part = (schedule->part + 1) % ODO_PARTS;
		schedule->n_rounds += !schedule->part;
		schedule->after = 0;
		at = 0;
	}
	return &schedule->list[at];
}

odo_reading *odo_schedule_next(odo_schedule *schedule)
{
	for (size_t i = 0; i < schedule->n; i++) {
		odo_reading *reading = next_reading(schedule);
		if (!reading->doubt)
			return reading;
		schedule->after = reading->guid;
		schedule->next = 0;
	}
	return NULL;
}

void odo_schedule_end_part(odo_schedule *schedule, odo_reading *reading, bool right)
{
	if (right)
		reading->seen[schedule->part] = schedule->began;
	schedule->after = reading->guid;
	schedule->next = 0;
}

void odo_reading_is_right(odo_reading *reading, uint64_t now)
{
	for (unsigned part = 0; part < ODO_PARTS; part++)
		reading->seen[part] = now;
	reading->doubt = 0;
}

uint64_t odo_reading_seen(const odo_reading *reading)
{
	uint64_t oldest = reading->seen[0];
	for (unsigned part = 1; part < ODO_PARTS; part++)
		if (reading->seen[part] < oldest)
			oldest = reading->seen[part];
	return oldest;
}

odo_seen odo_schedule_seen(const odo_schedule *schedule)
{
	odo_seen all = {0};
	for (size_t i = 0; i < schedule->n; i++) {
		const odo_reading *reading = &schedule->list[i];
		uint64_t seen = odo_reading_seen(reading), known = seen ? seen : reading->sent;
		all.n += seen > 0;
		all.n_doubts += reading->doubt > 0;
		if (!i || known < all.oldest)
			all.oldest = known;
	}
	return all;
}

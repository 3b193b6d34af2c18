/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Schedule of reading back: which tables of which switch are read next, how many MADs may be sent
 * now, and when each switch was last seen with all its tables right. It knows neither OpenSM nor a
 * clock.
 *
 * Tables of a switch are divided into parts. One part of every switch is read, then the next part
 * of every switch: so a switch that has lost everything is found after a small share of the time in
 * which all tables are read. */
#ifndef ODONATA_PLUGIN_OPENSM_SCHEDULE_H
#define ODONATA_PLUGIN_OPENSM_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Parts of a switch's tables. Table number i belongs to part i % ODO_PARTS. */
enum { ODO_PARTS = 16 };

/** MADs that may be under way at a time. A sweep that begins has to wait for them: if none is
 * answered in OpenSM's 0.8 seconds, 4 at a time, 3 seconds. */
enum { ODO_MOST_ASKED = 16 };

typedef struct odo_reading {
	uint64_t guid;
	char name[64];
	uint32_t n_mads;            /**< for all its tables */
	uint32_t digest[ODO_PARTS]; /**< of the tables that each part shall have */
	uint64_t seen[ODO_PARTS];   /**< ms at which its right tables were asked for; 0: never */
	uint64_t sent;              /**< ms of the last sweep that sent tables; 0: none */
	unsigned sent_sweep;        /**< its number */
	bool all_sent;              /**< the last sweep sent all tables, changed or not */
	bool acknowledged;          /**< the switch has answered for all tables that were sent */
	unsigned doubt;             /**< why the schedule does not read it; 0: it does */
} odo_reading;

typedef struct odo_schedule {
	odo_reading *list; /**< by GUID */
	size_t n;
	uint64_t n_mads;  /**< for all tables of all switches */
	uint64_t period;  /**< ms within which all tables are to be read; 0: none are */
	unsigned rate;    /**< most MADs a second */
	uint64_t n_asked; /**< MADs sent since the start */

	/* ---- Position ---- */
	unsigned part;     /**< that is read of every switch now */
	uint64_t after;    /**< GUID of the last switch whose part was read */
	unsigned next;     /**< number of the next table in the part, divided by ODO_PARTS */
	uint64_t began;    /**< ms at which the first table of this part was asked for */
	unsigned n_rounds; /**< times that all parts were read */

	/* ---- MADs that may be sent ---- */
	uint64_t now; /**< ms of the last credit */
	double due;   /**< so that the period is kept */
	double left;  /**< so that the rate is kept */
} odo_schedule;

void odo_schedule_clear(odo_schedule *schedule);

/** Find a switch. @return NULL if it is not in the schedule */
odo_reading *odo_schedule_find(const odo_schedule *schedule, uint64_t guid);

/**
 * Replace the switches. Switches that stay keep what is known of them.
 * @param list sorted by GUID, without seen, sent, sent_sweep and doubt; owned by the schedule
 *   afterwards
 * @param now ms, as for all functions here
 * @param sweep number of the sweep that has sent their tables
 */
void odo_schedule_replace(odo_schedule *schedule, odo_reading *list, size_t n, uint64_t now,
			  unsigned sweep);

/** Let time pass. */
void odo_schedule_credit(odo_schedule *schedule, uint64_t now);

/** Return the number of MADs that may be sent now; 0 until it is worth to send some. */
unsigned odo_schedule_may_ask(const odo_schedule *schedule);

/** Return the ms until odo_schedule_may_ask() is above 0; UINT64_MAX if it never is. */
uint64_t odo_schedule_wait(const odo_schedule *schedule);

/** Note that MADs were sent. @param urgent they were sent because of a doubt */
void odo_schedule_asked(odo_schedule *schedule, unsigned n, bool urgent);

/** Return ms to wait before so many urgent MADs, so that the rate is kept; they count as passed.
 * @param n at most the rate */
uint64_t odo_schedule_pause(odo_schedule *schedule, unsigned n);

/** Return the ms that reading all tables takes. */
uint64_t odo_schedule_round(const odo_schedule *schedule);

/** Return the switch whose part is read next; NULL if there is none, or if all are in doubt. */
odo_reading *odo_schedule_next(odo_schedule *schedule);

/** Note that this part of the switch was read, and go on to the next switch.
 * @param right its tables are as they should be */
void odo_schedule_end_part(odo_schedule *schedule, odo_reading *reading, bool right);

/** Note that all tables of a switch were asked for at this time, and are right. */
void odo_reading_is_right(odo_reading *reading, uint64_t now);

/** Number and age of switches that were seen with all tables right. */
typedef struct odo_seen {
	size_t n, n_doubts; /**< of them; switches in doubt */
	uint64_t oldest; /**< ms at which the oldest was seen, or its tables were sent; 0: none */
} odo_seen;
odo_seen odo_schedule_seen(const odo_schedule *schedule);

/** Return the ms at which the switch was last seen with all tables right; 0: never. */
uint64_t odo_reading_seen(const odo_reading *reading);

#endif

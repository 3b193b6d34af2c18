/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Messages that parts (part.h) send each other: put into inboxes during a window, sorted by cycle
 * at the start of the next window. */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_CALENDAR_H
#define ODONATA_EMULATOR_KERNEL_STATE_CALENDAR_H

#include "emulator/policy.h"
#include "base/memory.h"

/** A lane of a part; for an output, one of its VLs. */
typedef uint32_t odo_spot;
/** The host itself, in an event. */
#define ODO_SPOT_HOST UINT32_MAX

/** An event: its place in the high half; in the low half a packet (arrival) or phits (credit). */
typedef uint64_t odo_event;

static inline odo_event odo_event_at(odo_spot at, uint32_t what)
{
	return (odo_event)at << 32 | what;
}
static inline odo_spot odo_event_spot(odo_event event)
{
	return (odo_spot)(event >> 32);
}

/** A packet on its way into a part. */
typedef struct odo_parcel {
	odo_packet packet;
	odo_spot at;
	uint32_t when;
} odo_parcel;

/** A credit on its way into a part. */
typedef struct odo_receipt {
	odo_event event;
	uint32_t when;
} odo_receipt;

/** Messages from one worker to one part in one window. The padding keeps workers from writing to a
 * common cache line. */
typedef struct odo_inbox {
	odo_parcel *parcels;
	odo_receipt *receipts;
	size_t n_parcels, parcels_room, n_receipts, receipts_room;
	char apart[80];
} odo_inbox;
static_assert(sizeof(odo_inbox) == 128, "a cache line, and as much again for alignment");

/** Make room for one more entry of an inbox; NULL, with out_of_memory set, if there is no memory.
 * Boxes are filled in turn, so the prefetched line has arrived by the time of the next entry. */
static inline odo_parcel *odo_inbox_parcel(odo_inbox *box, bool *out_of_memory)
{
	if (box->n_parcels == box->parcels_room &&
	    odo_grow(&box->parcels, &box->parcels_room, box->n_parcels + 1, sizeof *box->parcels)) {
		*out_of_memory = true;
		return NULL;
	}
	__builtin_prefetch(&box->parcels[box->n_parcels + 2], 1);
	return &box->parcels[box->n_parcels++];
}
static inline odo_receipt *odo_inbox_receipt(odo_inbox *box, bool *out_of_memory)
{
	if (box->n_receipts == box->receipts_room &&
	    odo_grow(&box->receipts, &box->receipts_room, box->n_receipts + 1,
		     sizeof *box->receipts)) {
		*out_of_memory = true;
		return NULL;
	}
	__builtin_prefetch(&box->receipts[box->n_receipts + 4], 1);
	return &box->receipts[box->n_receipts++];
}

/** Messages that arrive in a part in the present window, in the order of cycles. Parcels stay in
 * their inbox until they arrive, so a packet on a long link needs no place in the pool. */
typedef struct odo_calendar {
	uint32_t from; /**< first cycle of the window */
	/** [cycles of the longest window + 2] index of each cycle's first entry in the arrays
	 * below */
	uint32_t *first_receipt, *first_parcel;
	odo_event *receipts;
	const odo_parcel **parcels;
	size_t receipts_room, parcels_room;
} odo_calendar;

struct odo_part;
int odo_calendar_make(odo_calendar *calendar, uint32_t longest);
void odo_calendar_free(odo_calendar *calendar);
/** Sort the messages of the previous window by cycle, for a window that ends at `until`. */
void odo_part_receive(struct odo_part *part, uint32_t until);

#endif

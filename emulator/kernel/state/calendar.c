/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages between parts, sorted by cycle at the start of a window. A counting sort replaces an
 * event list for each cycle of a long link.
 */
#include <stdlib.h>
#include <string.h>

#include "emulator/kernel/state/events.h"

int odo_calendar_make(odo_calendar *calendar, uint32_t longest)
{
	calendar->first_receipt = odo_new(longest + 2ul, sizeof(uint32_t));
	calendar->first_parcel = odo_new(longest + 2ul, sizeof(uint32_t));
	return calendar->first_receipt && calendar->first_parcel ? 0 : ODO_ENOMEM;
}

void odo_calendar_free(odo_calendar *calendar)
{
	free(calendar->first_receipt);
	free(calendar->first_parcel);
	free(calendar->receipts);
	free(calendar->parcels);
}

/* Turn counts into positions. `first[i + 2]` holds the count of cycle i; afterwards `first[i + 1]`
 * is where the next entry of cycle i is placed. Once all are placed, first[i] is where the entries
 * of cycle i begin. */
static void add_up(uint32_t *first, uint32_t cycles)
{
	for (uint32_t i = 2; i < cycles + 2; i++)
		first[i] += first[i - 1];
}

/* Keep a receipt for a cycle behind the window in the box for the next window. A parcel is kept
 * there only if it is further off than events of a part can be. */
static void put_off_receipt(odo_part *part, odo_inbox *later, const odo_receipt *receipt)
{
	odo_receipt *to = odo_inbox_receipt(later, &part->out_of_memory);
	if (to)
		*to = *receipt;
}

static void put_off_parcel(odo_part *part, odo_inbox *later, const odo_parcel *parcel)
{
	if (parcel->when - part->now < part->wheel) {
		uint32_t packet = odo_packet_new(part);
		if (packet == ODO_NONE)
			return;
		part->pool[packet] = parcel->packet;
		push_arrival(part, parcel->when, parcel->at, packet);
		return;
	}
	odo_parcel *to = odo_inbox_parcel(later, &part->out_of_memory);
	if (to)
		*to = *parcel;
}

static void sort_receipts(odo_part *part, const odo_inbox *boxes, odo_inbox *later, uint32_t cycles)
{
	odo_calendar *to = &part->coming;
	uint32_t n = odo_n_inboxes(part->world), *first = to->first_receipt;
	for (const odo_inbox *box = boxes; box < boxes + n; box++)
		for (size_t i = 0; i < box->n_receipts; i++) {
			uint32_t at = box->receipts[i].when - to->from;
			if (at < cycles)
				first[at + 2]++;
			else
				put_off_receipt(part, later, &box->receipts[i]);
		}
	add_up(first, cycles);
	for (const odo_inbox *box = boxes; box < boxes + n; box++)
		for (size_t i = 0; i < box->n_receipts; i++) {
			uint32_t at = box->receipts[i].when - to->from;
			if (at < cycles)
				to->receipts[first[at + 1]++] = box->receipts[i].event;
		}
}

static void sort_parcels(odo_part *part, const odo_inbox *boxes, odo_inbox *later, uint32_t cycles)
{
	odo_calendar *to = &part->coming;
	uint32_t n = odo_n_inboxes(part->world), *first = to->first_parcel;
	for (const odo_inbox *box = boxes; box < boxes + n; box++)
		for (size_t i = 0; i < box->n_parcels; i++) {
			uint32_t at = box->parcels[i].when - to->from;
			if (at < cycles)
				first[at + 2]++;
			else
				put_off_parcel(part, later, &box->parcels[i]);
		}
	add_up(first, cycles);
	for (const odo_inbox *box = boxes; box < boxes + n; box++)
		for (size_t i = 0; i < box->n_parcels; i++) {
			uint32_t at = box->parcels[i].when - to->from;
			if (at < cycles)
				to->parcels[first[at + 1]++] = &box->parcels[i];
		}
}

/* The boxes are read until the window ends, but count as empty for the workers that fill them after
 * it. */
void odo_part_receive(odo_part *part, uint32_t until)
{
	odo_calendar *to = &part->coming;
	uint32_t n = odo_n_inboxes(part->world), cycles = until - part->now;
	odo_inbox *boxes = &part->inbox[(1 - part->odd) * n],
		  *later = &part->inbox[part->odd * n + n - 1];
	size_t receipts = 0, parcels = 0;
	for (uint32_t i = 0; i < n; i++) {
		receipts += boxes[i].n_receipts;
		parcels += boxes[i].n_parcels;
	}
	to->from = part->now;
	memset(to->first_receipt, 0, (cycles + 2ul) * sizeof *to->first_receipt);
	memset(to->first_parcel, 0, (cycles + 2ul) * sizeof *to->first_parcel);
	if (odo_grow(&to->receipts, &to->receipts_room, receipts, sizeof *to->receipts) ||
	    odo_grow(&to->parcels, &to->parcels_room, parcels, sizeof *to->parcels)) {
		part->out_of_memory = true;
		return;
	}
	sort_receipts(part, boxes, later, cycles);
	sort_parcels(part, boxes, later, cycles);
	for (uint32_t i = 0; i < n; i++)
		boxes[i].n_receipts = boxes[i].n_parcels = 0;
}

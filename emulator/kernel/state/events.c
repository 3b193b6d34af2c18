/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/state/events.h"

void odo_bucket_grow(odo_part *part, odo_bucket *bucket)
{
	size_t room = odo_bucket_room(bucket), n = (size_t)(bucket->end - bucket->at);
	if (odo_grow(&bucket->at, &room, n + 1, sizeof *bucket->at)) {
		part->out_of_memory = true;
		return;
	}
	bucket->end = bucket->at + n;
	bucket->limit = bucket->at + room;
}

void odo_pool_grow(odo_part *part)
{
	size_t room = part->pool_room, again = room;
	size_t needed = room ? room + 1 : 1024;
	if (needed > UINT32_MAX / 2 || odo_grow(&part->pool, &room, needed, sizeof *part->pool) ||
	    odo_grow(&part->next, &again, needed, sizeof *part->next)) {
		part->out_of_memory = true;
		return;
	}
	for (size_t i = room; i-- > part->pool_room;) {
		part->next[i] = part->pool_free;
		part->pool_free = (uint32_t)i;
	}
	part->pool_room = (uint32_t)room;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/events.h"

void odo_bucket_grow(odo_part *c, odo_bucket *b)
{
	size_t room = b->room;
	if (room < UINT32_MAX / 2 && !odo_grow(&b->at, &room, room + 1, sizeof *b->at))
		b->room = (uint32_t)room;
	else
		c->out_of_memory = true;
}

void odo_pool_grow(odo_part *c)
{
	size_t room = c->pool_room, again = room;
	size_t needed = room ? room + 1 : 1024;
	if (needed > UINT32_MAX / 2 || odo_grow(&c->pool, &room, needed, sizeof *c->pool) ||
	    odo_grow(&c->next, &again, needed, sizeof *c->next)) {
		c->out_of_memory = true;
		return;
	}
	for (size_t i = room; i-- > c->pool_room;) {
		c->next[i] = c->pool_free;
		c->pool_free = (uint32_t)i;
	}
	c->pool_room = (uint32_t)room;
}

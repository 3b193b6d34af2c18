/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/events.h"

void odo_bucket_grow(odo_part *c, odo_bucket *b)
{
	size_t room = odo_bucket_room(b), n = (size_t)(b->end - b->at);
	if (odo_grow(&b->at, &room, n + 1, sizeof *b->at)) {
		c->out_of_memory = true;
		return;
	}
	b->end = b->at + n;
	b->limit = b->at + room;
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

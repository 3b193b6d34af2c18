/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>

struct odo_arena_block {
	struct odo_arena_block *older;
	alignas(max_align_t) unsigned char bytes[];
};

void *odo_arena_new(odo_arena *arena, size_t count, size_t size)
{
	const size_t head = sizeof(struct odo_arena_block);
	struct odo_arena_block *block = NULL;
	if (!size || count <= ((size_t)-1 - head) / size)
		block = calloc(1, head + count * size);
	if (!block) {
		arena->failed = true;
		return NULL;
	}
	block->older = arena->newest;
	arena->newest = block;
	return block->bytes;
}

void odo_arena_free(odo_arena *arena)
{
	for (struct odo_arena_block *block = arena->newest, *older; block; block = older) {
		older = block->older;
		free(block);
	}
	*arena = (odo_arena){0};
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Arena: working memory of one function or one object, freed together.
 *
 *     odo_arena memory = {0};
 *     uint32_t *depth = odo_arena_new(&memory, n, sizeof *depth);
 *     uint32_t *queue = odo_arena_new(&memory, n, sizeof *queue);
 *     if (!memory.failed)
 *             ...
 *     odo_arena_free(&memory);
 */
#ifndef ODONATA_BASE_ARENA_H
#define ODONATA_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct odo_arena {
	struct odo_arena_block *newest;
	bool failed; /**< some allocation returned NULL: one check serves for all */
} odo_arena;

/**
 * Allocate `count` zeroed elements of `size` bytes that live as long as the arena. Each allocation
 * is one of malloc(), so that sanitizers see its ends.
 * @return memory of the arena, never for free(); NULL, with `failed` set, if there is none or the
 *         product overflows
 */
void *odo_arena_new(odo_arena *arena, size_t count, size_t size);

/** Free all allocations of the arena, which is empty then and may be used again. */
void odo_arena_free(odo_arena *arena);

#endif

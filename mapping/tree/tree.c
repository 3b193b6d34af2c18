/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/tree.h"

#include <stdlib.h>

#include "base/arena.h"
#include "mapping/tree/dragonfly_plus.h"
#include "mapping/tree/fattree.h"
#include "mapping/tree/heights.h"

int odo_clos_map(const odo_fabric *f, const odo_links *g, const uint32_t *slot_edge,
		 odo_coordinates **out, const char **lacks, odo_error *err)
{
	odo_arena memory = {0};
	odo_clos t = {.f = f,
		      .g = g,
		      .hosted = odo_arena_new(&memory, g->n, sizeof *t.hosted),
		      .level = odo_arena_new(&memory, g->n, sizeof *t.level),
		      .dealt = odo_arena_new(&memory, g->n, sizeof *t.dealt),
		      .up = odo_arena_new(&memory, g->n, sizeof *t.up),
		      .down = odo_arena_new(&memory, g->n, sizeof *t.down),
		      .wrong = odo_arena_new(&memory, g->n_edges, sizeof *t.wrong)};
	*out = NULL;
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for a tree")
				   : odo_heights_find(&t, err);
	if (!status)
		status = odo_dragonfly_plus_map(&t, slot_edge, out, err);
	if (!status && !*out)
		status = odo_fattree_map(&t, slot_edge, out, err);
	*lacks = t.lacks;
	free(t.block);
	odo_arena_free(&memory);
	return status;
}

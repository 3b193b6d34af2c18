/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/tree/dragonfly_plus.h"
#include "mapping/tree/fattree.h"
#include "mapping/tree/heights.h"

static void clos_clear(odo_clos *t)
{
	free(t->hosted);
	free(t->level);
	free(t->dealt);
	free(t->up);
	free(t->down);
	free(t->block);
	free(t->wrong);
	*t = (odo_clos){0};
}

/* An empty tree over the links. */
static int clos_make(const odo_fabric *f, const odo_links *g, odo_clos *t, odo_error *err)
{
	*t = (odo_clos){.f = f,
			.g = g,
			.hosted = odo_new(g->n, sizeof *t->hosted),
			.level = odo_new(g->n, sizeof *t->level),
			.dealt = odo_new(g->n, sizeof *t->dealt),
			.up = odo_new(g->n, sizeof *t->up),
			.down = odo_new(g->n, sizeof *t->down),
			.wrong = odo_new(g->n_edges, sizeof *t->wrong)};
	if (t->hosted && t->level && t->dealt && t->up && t->down && t->wrong)
		return 0;
	clos_clear(t);
	return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
}

int odo_clos_map(const odo_fabric *f, const odo_links *g, const uint32_t *slot_edge,
		 odo_coordinates **out, const char **lacks, odo_error *err)
{
	odo_clos t;
	*out = NULL;
	int status = clos_make(f, g, &t, err);
	if (!status)
		status = odo_heights_find(&t, err);
	if (!status)
		status = odo_dragonfly_plus_map(&t, slot_edge, out, err);
	if (!status && !*out)
		status = odo_fattree_map(&t, slot_edge, out, err);
	*lacks = t.lacks;
	clos_clear(&t);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/turns/channels.h"

#include <stdlib.h>

#include "base/memory.h"

/* Places of a new table; it grows as it fills. */
#define FIRST_ROOM 1024u

int odo_channels_init(odo_channels *x, const odo_fabric *f, unsigned n_vls, odo_error *err)
{
	*x = (odo_channels){.room = FIRST_ROOM};
	int status = odo_acyclic_init(&x->graph, f, n_vls, err);
	x->edges = odo_new(FIRST_ROOM, sizeof *x->edges);
	if (!status && !x->edges)
		status = odo_fail(err, ODO_ENOMEM, "no memory for channel dependencies");
	return status;
}

void odo_channels_clear(odo_channels *x)
{
	odo_acyclic_clear(&x->graph);
	free(x->edges);
	x->edges = NULL;
}

/* Return the place of a key, or the empty one where it belongs. */
static struct odo_counted_edge *place_of_key(struct odo_counted_edge *edges, size_t room,
					     uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (room - 1);
	while (edges[at].key && edges[at].key != key)
		at = (at + 1) & (room - 1);
	return &edges[at];
}

static struct odo_counted_edge *place_of_edge(const odo_channels *x, odo_edge edge)
{
	uint64_t key = (uint64_t)edge.from * x->graph.forward.n_channels + edge.to + 1;
	return place_of_key(x->edges, x->room, key);
}

/* Double the table, without dependencies that nobody uses. */
static bool grow_edges(odo_channels *x)
{
	struct odo_counted_edge *grown = odo_new(2 * x->room, sizeof *grown);
	if (!grown)
		return false;
	x->n_keys = 0;
	for (size_t i = 0; i < x->room; i++) {
		if (!x->edges[i].uses)
			continue;
		*place_of_key(grown, 2 * x->room, x->edges[i].key) = x->edges[i];
		x->n_keys++;
	}
	free(x->edges);
	x->edges = grown;
	x->room *= 2;
	return true;
}

uint32_t odo_channels_uses(const odo_channels *x, odo_edge edge)
{
	return place_of_edge(x, edge)->uses;
}

bool odo_channels_add(odo_channels *x, odo_edge edge)
{
	if (2 * x->n_keys >= x->room && !grow_edges(x)) {
		x->no_memory = true;
		return false;
	}
	struct odo_counted_edge *place = place_of_edge(x, edge);
	if (!place->uses && !odo_acyclic_add(&x->graph, edge))
		return false;
	if (!place->key) {
		place->key = (uint64_t)edge.from * x->graph.forward.n_channels + edge.to + 1;
		x->n_keys++;
	}
	place->uses++;
	return true;
}

bool odo_channels_add_all(odo_channels *x, const odo_edge *edges, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (odo_channels_add(x, edges[i]))
			continue;
		while (i--)
			odo_channels_remove(x, edges[i]);
		return false;
	}
	return true;
}

void odo_channels_remove(odo_channels *x, odo_edge edge)
{
	struct odo_counted_edge *place = place_of_edge(x, edge);
	if (!--place->uses)
		odo_acyclic_remove(&x->graph, edge);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/twins.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "fabric/machine.h"

typedef struct named {
	uint64_t guid;
	uint32_t node;
} named;

uint32_t *odo_twins(const odo_fabric *a, uint32_t n_a, const odo_fabric *b, uint32_t n_b)
{
	uint32_t *twin = odo_new(n_a, sizeof *twin);
	named *index = odo_new(n_b, sizeof *index);
	if (!twin || !index) {
		free(twin);
		free(index);
		return NULL;
	}
	for (uint32_t v = 0; v < n_b; v++)
		index[v] = (named){b->node_guid[v], v};
	qsort(index, n_b, sizeof *index, odo_by_u64);
	for (uint32_t v = 0; v < n_a; v++) {
		named wanted = {a->node_guid[v], 0};
		const named *found = bsearch(&wanted, index, n_b, sizeof *index, odo_by_u64);
		twin[v] = found ? found->node : ODO_NONE;
	}
	free(index);
	return twin;
}

/* A node, sorted by name. */
typedef struct called {
	odo_machine of;        /* for a switch: the whole description is the name */
	bool is_switch, alone; /* `alone`: only the machine's name is compared */
	uint32_t node;
} called;

static int compare_called(const void *x, const void *y)
{
	const called *a = x, *b = y;
	if (a->is_switch != b->is_switch)
		return a->is_switch ? -1 : 1;
	int order = odo_machine_compare_names(&a->of, &b->of);
	return order || a->alone ? order : odo_machine_compare_adapters(&a->of, &b->of);
}

/* List the nodes that have a name, sorted. */
static size_t list_called(const odo_fabric *f, bool alone, called *list)
{
	size_t n = 0;
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		const char *text = odo_name(f, v);
		odo_machine of = odo_is_switch(f, v)
					 ? (odo_machine){text, "", strlen(text), 0, ODO_NONE}
					 : odo_machine_of(text);
		if (of.length)
			list[n++] = (called){of, odo_is_switch(f, v), alone, v};
	}
	if (n)
		qsort(list, n, sizeof *list, compare_called);
	return n;
}

static size_t count_called(const called *list, size_t n)
{
	size_t i = 1;
	while (i < n && !compare_called(list, &list[i]))
		i++;
	return i;
}

/* Match names by walking both lists in parallel. */
static void match_called(const called *x, size_t n, const called *y, size_t m, uint32_t *forth,
			 uint32_t *back)
{
	for (size_t i = 0, j = 0; i < n && j < m;) {
		size_t here = count_called(x + i, n - i), there = count_called(y + j, m - j);
		int order = compare_called(&x[i], &y[j]);
		uint32_t v = x[i].node, u = y[j].node;
		if (!order && here == 1 && there == 1 && forth[v] == ODO_NONE &&
		    back[u] == ODO_NONE) {
			forth[v] = u;
			back[u] = v;
		}
		i += order <= 0 ? here : 0;
		j += order >= 0 ? there : 0;
	}
}

int odo_twins_by_name(const odo_fabric *a, const odo_fabric *b, uint32_t *forth, uint32_t *back)
{
	odo_arena memory = {0};
	called *x = odo_arena_new(&memory, a->n_nodes, sizeof *x);
	called *y = odo_arena_new(&memory, b->n_nodes, sizeof *y);
	for (int alone = 0; alone < 2 && !memory.failed; alone++) {
		size_t n = list_called(a, alone, x), m = list_called(b, alone, y);
		match_called(x, n, y, m, forth, back);
	}
	int status = memory.failed ? ODO_ENOMEM : 0;
	odo_arena_free(&memory);
	return status;
}

bool odo_same_cable(const odo_fabric *a, uint32_t slot, const odo_fabric *b, const uint32_t *twin)
{
	uint32_t s = twin[a->owner[slot]], far = odo_next_switch(a, slot);
	uint32_t t = far == ODO_NONE ? ODO_NONE : twin[far];
	return s != ODO_NONE && t != ODO_NONE &&
	       b->peer[odo_slot(b, s, odo_port(a, slot))] ==
		       odo_slot(b, t, odo_port(a, a->peer[slot]));
}

int odo_has_grown(const odo_fabric *now, const odo_fabric *then)
{
	uint32_t *old = odo_twins(now, now->n_switches, then, then->n_switches);
	bool grown = false;
	if (!old)
		return -1;
	for (uint32_t s = 0; s < now->n_switches; s++)
		grown |= old[s] == ODO_NONE || odo_n_ports(then, old[s]) != odo_n_ports(now, s);
	for (uint32_t i = 0; !grown && i < now->first_slot[now->n_switches]; i++)
		grown = odo_next_switch(now, i) != ODO_NONE && !odo_same_cable(now, i, then, old);
	free(old);
	return grown;
}

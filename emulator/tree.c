/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/tree.h"

#include <stdlib.h>

#include "fabric/memory.h"

void odo_tree_clear(odo_tree *t)
{
	free(t->up);
	free(t->enter);
	free(t->last);
	free(t->first);
	free(t->child);
	free(t->down);
	*t = (odo_tree){0};
}

static int allocate(odo_tree *t, uint32_t n)
{
	*t = (odo_tree){.n = n};
	t->up = odo_new(n, 1);
	t->enter = odo_new(n, sizeof *t->enter);
	t->last = odo_new(n, sizeof *t->last);
	t->first = odo_new(n + 1ul, sizeof *t->first);
	t->child = odo_new(n, sizeof *t->child);
	t->down = odo_new(n, 1);
	return t->up && t->enter && t->last && t->first && t->child && t->down ? 0 : ODO_ENOMEM;
}

/* Port of each switch to its parent, by the rule above. */
static void choose_parents(const odo_ways *w, uint32_t root, uint8_t *up)
{
	uint32_t home = w->group[root];
	for (uint32_t group = 0; group < w->n_groups; group++) {
		uint32_t entry = root;
		if (group != home) {
			const odo_gateway
				*g = &w->gateways[w->first_gateway[group * w->n_groups + home]];
			entry = g->node;
			up[entry] = g->port;
		}
		for (uint32_t i = 0; i < w->a; i++) {
			uint32_t s = w->member[group * w->a + i];
			if (s != entry)
				up[s] = w->local_port[s * w->a + w->position[entry]];
		}
	}
}

static uint32_t parent(const odo_ways *w, const uint8_t *up, uint32_t s)
{
	return odo_next_switch(w->fabric, odo_slot(w->fabric, s, up[s]));
}

static void list_children(const odo_ways *w, uint32_t root, odo_tree *t, uint32_t *next)
{
	for (uint32_t s = 0; s < t->n; s++)
		if (s != root)
			t->first[parent(w, t->up, s) + 1]++;
	for (uint32_t s = 0; s < t->n; s++) {
		t->first[s + 1] += t->first[s];
		next[s] = t->first[s];
	}
	for (uint32_t s = 0; s < t->n; s++) {
		if (s == root)
			continue;
		uint32_t above = parent(w, t->up, s), at = next[above]++;
		t->child[at] = s;
		uint32_t slot = w->fabric->peer[odo_slot(w->fabric, s, t->up[s])];
		t->down[at] = (uint8_t)odo_port(w->fabric, slot);
	}
}

/* Depth is at most 3, so this may recurse. */
static uint32_t number(odo_tree *t, uint32_t s, uint32_t next)
{
	t->enter[s] = next++;
	for (uint32_t i = t->first[s]; i < t->first[s + 1]; i++)
		next = number(t, t->child[i], next);
	t->last[s] = next - 1;
	return next;
}

int odo_tree_find(const odo_ways *w, uint32_t root, odo_tree *out, odo_error *err)
{
	uint32_t *next = odo_new(w->n_switches, sizeof *next);
	if (root >= w->n_switches) {
		free(next);
		*out = (odo_tree){0};
		return odo_fail(err, ODO_EINPUT, "expected a root below %u, found %u",
				w->n_switches, root);
	}
	if (allocate(out, w->n_switches) || !next) {
		free(next);
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	}
	choose_parents(w, root, out->up);
	list_children(w, root, out, next);
	number(out, root, 0);
	free(next);
	return 0;
}

uint8_t odo_tree_port(const odo_tree *t, uint32_t here, uint32_t to)
{
	uint32_t target = t->enter[to];
	if (target < t->enter[here] || target > t->last[here])
		return t->up[here];
	uint32_t low = t->first[here], high = t->first[here + 1];
	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;
		if (t->enter[t->child[middle]] <= target)
			low = middle;
		else
			high = middle;
	}
	return t->down[low];
}

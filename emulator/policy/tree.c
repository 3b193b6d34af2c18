/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/tree.h"

#include <stdlib.h>

#include "base/memory.h"

#define MOST_LEVELS 8

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

static uint32_t parent(const odo_fabric *f, const uint8_t *up, uint32_t s)
{
	return odo_next_switch(f, odo_slot(f, s, up[s]));
}

static void list_children(const odo_fabric *f, uint32_t root, odo_tree *t, uint32_t *next)
{
	for (uint32_t s = 0; s < t->n; s++)
		if (s != root)
			t->first[parent(f, t->up, s) + 1]++;
	for (uint32_t s = 0; s < t->n; s++) {
		t->first[s + 1] += t->first[s];
		next[s] = t->first[s];
	}
	for (uint32_t s = 0; s < t->n; s++) {
		if (s == root)
			continue;
		uint32_t above = parent(f, t->up, s), at = next[above]++;
		t->child[at] = s;
		t->down[at] = (uint8_t)odo_port(f, f->peer[odo_slot(f, s, t->up[s])]);
	}
}

/* Depth is at most MOST_LEVELS, so this may recurse. */
static uint32_t number(odo_tree *t, uint32_t s, uint32_t next)
{
	t->enter[s] = next++;
	for (uint32_t i = t->first[s]; i < t->first[s + 1]; i++)
		next = number(t, t->child[i], next);
	t->last[s] = next - 1;
	return next;
}

/* From every switch's port to its parent, all the rest. */
static int complete(const odo_fabric *f, uint32_t root, odo_tree *t, odo_error *err)
{
	uint32_t *next = odo_new(t->n, sizeof *next);
	if (!next)
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	list_children(f, root, t, next);
	number(t, root, 0);
	free(next);
	return 0;
}

int odo_tree_find(const odo_ways *w, uint32_t root, odo_tree *out, odo_error *err)
{
	*out = (odo_tree){0};
	if (root >= w->n_switches)
		return odo_fail(err, ODO_EINPUT, "expected a root below %u, found %u",
				w->n_switches, root);
	if (allocate(out, w->n_switches))
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	choose_parents(w, root, out->up);
	return complete(w->fabric, root, out, err);
}

/* A switch's last port that is cabled to a switch; 0 without. */
static unsigned last_port(const odo_fabric *f, uint32_t s)
{
	for (uint32_t slot = f->first_slot[s + 1]; slot-- > f->first_slot[s];)
		if (odo_next_switch(f, slot) != ODO_NONE)
			return odo_port(f, slot);
	return 0;
}

/* Is a switch's cable at `port` one to a parent, which has it at a later port? */
static bool goes_up(const odo_fabric *f, uint32_t s, unsigned port)
{
	if (port >= f->first_slot[s + 1] - f->first_slot[s] + 1)
		return false;
	uint32_t slot = odo_slot(f, s, port);
	return odo_next_switch(f, slot) != ODO_NONE && odo_port(f, f->peer[slot]) > port;
}

static bool reaches(const odo_fabric *f, const uint8_t *up, uint32_t s, uint32_t root)
{
	for (unsigned level = 0; level <= MOST_LEVELS && up[s]; level++)
		s = parent(f, up, s);
	return s == root;
}

int odo_tree_own(const odo_fabric *f, odo_tree *out, odo_error *err)
{
	unsigned port = ODO_MAX_PORTS;
	uint32_t root = ODO_NONE;
	*out = (odo_tree){0};
	if (allocate(out, f->n_switches))
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	for (uint32_t s = 0; s < f->n_switches; s++) /* leaves have only the one up */
		port = last_port(f, s) < port ? last_port(f, s) : port;
	for (uint32_t s = 0; s < f->n_switches && port; s++) {
		out->up[s] = goes_up(f, s, port) ? (uint8_t)port : 0;
		if (!out->up[s] && root == ODO_NONE)
			root = s;
	}
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (root == ODO_NONE || !reaches(f, out->up, s, root))
			return odo_fail(err, ODO_EDECLINE,
					"expected the last cables of every switch to make a tree, "
					"as in dragonfly:...,escape=tree, found none at \"%s\"",
					odo_name(f, s));
	return complete(f, root, out, err);
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

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/tree.h"

#include <stdlib.h>

#include "base/memory.h"

#define MOST_LEVELS 8

void odo_tree_clear(odo_tree *tree)
{
	odo_arena_free(&tree->memory);
	*tree = (odo_tree){0};
}

static int tree_alloc(odo_tree *tree, uint32_t n)
{
	odo_arena *memory = &tree->memory;
	tree->n = n;
	tree->up = odo_arena_new(memory, n, 1);
	tree->enter = odo_arena_new(memory, n, sizeof *tree->enter);
	tree->last = odo_arena_new(memory, n, sizeof *tree->last);
	tree->first = odo_arena_new(memory, n + 1ul, sizeof *tree->first);
	tree->child = odo_arena_new(memory, n, sizeof *tree->child);
	tree->down = odo_arena_new(memory, n, 1);
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Choose the port of each switch to its parent, by the rule in tree.h. */
static void choose_parents(const odo_ways *ways, uint32_t root, uint8_t *up)
{
	uint32_t home = ways->group[root];
	for (uint32_t group = 0; group < ways->n_groups; group++) {
		uint32_t entry = root;
		if (group != home) {
			const odo_gateway *gateway =
				&ways->gateways[ways->first_gateway[group * ways->n_groups + home]];
			entry = gateway->node;
			up[entry] = gateway->port;
		}
		for (uint32_t i = 0; i < ways->a; i++) {
			uint32_t s = ways->member[group * ways->a + i];
			if (s != entry)
				up[s] = ways->local_port[s * ways->a + ways->position[entry]];
		}
	}
}

static uint32_t parent_of(const odo_fabric *f, const uint8_t *up, uint32_t s)
{
	return odo_next_switch(f, odo_slot(f, s, up[s]));
}

static void list_children(const odo_fabric *f, uint32_t root, odo_tree *tree, uint32_t *next)
{
	for (uint32_t s = 0; s < tree->n; s++)
		if (s != root)
			tree->first[parent_of(f, tree->up, s) + 1]++;
	for (uint32_t s = 0; s < tree->n; s++) {
		tree->first[s + 1] += tree->first[s];
		next[s] = tree->first[s];
	}
	for (uint32_t s = 0; s < tree->n; s++) {
		if (s == root)
			continue;
		uint32_t above = parent_of(f, tree->up, s), at = next[above]++;
		tree->child[at] = s;
		tree->down[at] = (uint8_t)odo_port(f, f->peer[odo_slot(f, s, tree->up[s])]);
	}
}

/* Recursion is safe: the depth is at most MOST_LEVELS. */
static uint32_t number_subtree(odo_tree *tree, uint32_t s, uint32_t next)
{
	tree->enter[s] = next++;
	for (uint32_t i = tree->first[s]; i < tree->first[s + 1]; i++)
		next = number_subtree(tree, tree->child[i], next);
	tree->last[s] = next - 1;
	return next;
}

/* Complete a tree from the port of every switch to its parent. */
static int complete_tree(const odo_fabric *f, uint32_t root, odo_tree *tree, odo_error *err)
{
	uint32_t *next = odo_new(tree->n, sizeof *next);
	if (!next)
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	list_children(f, root, tree, next);
	number_subtree(tree, root, 0);
	free(next);
	return 0;
}

int odo_tree_find(const odo_ways *ways, uint32_t root, odo_tree *out, odo_error *err)
{
	*out = (odo_tree){0};
	if (root >= ways->n_switches)
		return odo_fail(err, ODO_EINPUT, "expected a root below %u, found %u",
				ways->n_switches, root);
	if (tree_alloc(out, ways->n_switches))
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	choose_parents(ways, root, out->up);
	return complete_tree(ways->fabric, root, out, err);
}

/* Return a switch's last port that is cabled to a switch; 0 if there is none. */
static unsigned last_port(const odo_fabric *f, uint32_t s)
{
	for (uint32_t slot = f->first_slot[s + 1]; slot-- > f->first_slot[s];)
		if (odo_next_switch(f, slot) != ODO_NONE)
			return odo_port(f, slot);
	return 0;
}

/* Is the cable at `port` one to a parent, whose end of it has a higher port number? */
static bool goes_up(const odo_fabric *f, uint32_t s, unsigned port)
{
	if (port >= f->first_slot[s + 1] - f->first_slot[s] + 1)
		return false;
	uint32_t slot = odo_slot(f, s, port);
	return odo_next_switch(f, slot) != ODO_NONE && odo_port(f, f->peer[slot]) > port;
}

static bool reaches_root(const odo_fabric *f, const uint8_t *up, uint32_t s, uint32_t root)
{
	for (unsigned level = 0; level <= MOST_LEVELS && up[s]; level++)
		s = parent_of(f, up, s);
	return s == root;
}

int odo_tree_own(const odo_fabric *f, odo_tree *out, odo_error *err)
{
	unsigned port = ODO_MAX_PORTS;
	uint32_t root = ODO_NONE;
	*out = (odo_tree){0};
	if (tree_alloc(out, f->n_switches))
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	for (uint32_t s = 0; s < f->n_switches; s++) /* leaves have only the port to their parent */
		port = last_port(f, s) < port ? last_port(f, s) : port;
	for (uint32_t s = 0; s < f->n_switches && port; s++) {
		out->up[s] = goes_up(f, s, port) ? (uint8_t)port : 0;
		if (!out->up[s] && root == ODO_NONE)
			root = s;
	}
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (root == ODO_NONE || !reaches_root(f, out->up, s, root))
			return odo_fail(err, ODO_EDECLINE,
					"expected the last cables of every switch to make a tree, "
					"as in dragonfly:...,escape=tree, found none at \"%s\"",
					odo_name(f, s));
	return complete_tree(f, root, out, err);
}

uint8_t odo_tree_port(const odo_tree *tree, uint32_t here, uint32_t to)
{
	uint32_t target = tree->enter[to];
	if (target < tree->enter[here] || target > tree->last[here])
		return tree->up[here];
	uint32_t low = tree->first[here], high = tree->first[here + 1];
	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;
		if (tree->enter[tree->child[middle]] <= target)
			low = middle;
		else
			high = middle;
	}
	return tree->down[low];
}

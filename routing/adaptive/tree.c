/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tree as next ports of all pairs: n * n bytes, one load per hop. A switch sends packets up if
 * their destination is not below it. So its row is the port to its parent. For each child, the part
 * of the preorder that is the child's subtree overwrites this row.
 */

#include "routing/adaptive/ext.h"

typedef struct tree {
	odo_arena memory;
	const odo_fabric *f;
	const odo_coordinates *c; /**< NULL unless a dragonfly */
	uint32_t n;
	uint8_t *reached; /**< [n] */
	uint8_t *entered; /**< [groups] */
	uint32_t *up;     /**< [n] slot of the cable to the parent, ODO_NONE for a root */
	uint32_t *order;  /**< [n_reached] parents before children, roots included */
	uint32_t n_reached;
	uint32_t *size;    /**< [n] switches of the subtree */
	uint32_t *place;   /**< [n] place in the preorder */
	uint32_t *switch_; /**< [n] switch at each place of the preorder */
	uint32_t *part;    /**< [n] */
	uint32_t *left;    /**< [n] next place for a child */
} tree;

static bool allocate_spanning(tree *t, const odo_fabric *f)
{
	uint32_t **arrays[] = {&t->up,      &t->order, &t->size, &t->place,
			       &t->switch_, &t->part,  &t->left};
	for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++)
		*arrays[i] = odo_arena_new(&t->memory, f->n_switches, sizeof **arrays[i]);
	t->reached = odo_arena_new(&t->memory, f->n_switches, 1);
	t->entered = odo_arena_new(&t->memory, t->c ? t->c->size[0] : 0, 1);
	t->f = f;
	t->n = f->n_switches;
	return !t->memory.failed;
}

static uint32_t count_cables_of(const odo_fabric *f, uint32_t s)
{
	uint32_t n = 0;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		n += odo_next_switch(f, i) != ODO_NONE;
	return n;
}

/* Return the unreached switch with the most cables, or ODO_NONE. */
static uint32_t choose_unreached_root(const tree *t)
{
	uint32_t root = ODO_NONE, most = 0;
	for (uint32_t s = 0; s < t->n; s++) {
		uint32_t cables = t->reached[s] ? 0 : count_cables_of(t->f, s);
		if (!t->reached[s] && (root == ODO_NONE || cables > most)) {
			root = s;
			most = cables;
		}
	}
	return root;
}

static bool is_global_slot(const tree *t, uint32_t slot)
{
	return t->c && t->c->port_class[slot] == ODO_PORT_GLOBAL;
}

/* Return the group of a switch of a dragonfly, or ODO_NONE. */
static uint32_t group_of_dragonfly(const tree *t, uint32_t s)
{
	uint32_t group = t->c ? odo_at(t->c, s)[0] : ODO_NONE;
	return t->c && group < t->c->size[0] ? group : ODO_NONE;
}

static void reach_switch(tree *t, uint32_t s, uint32_t up, uint32_t root)
{
	uint32_t group = group_of_dragonfly(t, s);
	t->reached[s] = 1;
	t->up[s] = up;
	t->part[s] = root;
	t->order[t->n_reached++] = s;
	if (group != ODO_NONE)
		t->entered[group] = 1;
}

enum { LOCAL, NEW_GROUPS, ANY };

/* Reach neighbours of the switches from `from` on, by cables of a kind; for LOCAL and ANY, also the
 * neighbours of these, and so on. */
static void spread_tree(tree *t, uint32_t from, unsigned kind, uint32_t root)
{
	const odo_fabric *f = t->f;
	uint32_t end = t->n_reached;
	for (uint32_t done = from; done < (kind == NEW_GROUPS ? end : t->n_reached); done++) {
		uint32_t s = t->order[done];
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t v = odo_next_switch(f, i);
			if (v == ODO_NONE || t->reached[v])
				continue;
			uint32_t group = group_of_dragonfly(t, v);
			bool entered = group == ODO_NONE || t->entered[group];
			if (kind == ANY || (kind == LOCAL ? !is_global_slot(t, i) : !entered))
				reach_switch(t, v, f->peer[i], root);
		}
	}
}

/* Reach all switches that are connected to a root. On a dragonfly, first reach its own group by
 * local cables. Then reach every group that this group leads to, by one cable each, and the rest of
 * each group by local cables. Then continue from these groups, if cables are missing. */
static void grow_spanning_tree(tree *t, uint32_t root)
{
	uint32_t start = t->n_reached, before;
	reach_switch(t, root, ODO_NONE, root);
	do {
		before = t->n_reached;
		spread_tree(t, start, LOCAL, root);
		spread_tree(t, start, NEW_GROUPS, root);
	} while (t->n_reached > before);
	spread_tree(t, start, ANY, root);
}

/* Compute the preorder from the sizes of subtrees: children, in breadth-first order, take the next
 * places of their parent. */
static void place_preorder(tree *t)
{
	uint32_t roots_end = 0, *left = t->left;
	for (uint32_t i = t->n; i-- > 0;) {
		uint32_t s = t->order[i];
		t->size[s]++;
		if (t->up[s] != ODO_NONE)
			t->size[odo_next_switch(t->f, t->up[s])] += t->size[s];
	}
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t s = t->order[i];
		if (t->up[s] == ODO_NONE) {
			t->place[s] = roots_end;
			roots_end += t->size[s];
		} else {
			uint32_t parent = odo_next_switch(t->f, t->up[s]);
			t->place[s] = left[parent];
			left[parent] += t->size[s];
		}
		left[s] = t->place[s] + 1;
		t->switch_[t->place[s]] = s;
	}
}

static void write_tree_ports(const tree *t, uint8_t *port)
{
	const odo_fabric *f = t->f;
	for (uint32_t s = 0; s < t->n; s++) {
		uint8_t *row = port + (size_t)s * t->n;
		for (uint32_t d = 0; d < t->n; d++)
			row[d] = t->up[s] != ODO_NONE && t->part[d] == t->part[s]
					 ? (uint8_t)odo_port(f, t->up[s])
					 : ODO_NO_PORT;
	}
	/* now the rows of parents, for the subtree of child v */
	for (uint32_t v = 0; v < t->n; v++) {
		if (t->up[v] == ODO_NONE)
			continue;
		uint32_t down = f->peer[t->up[v]];
		uint8_t *row = port + (size_t)f->owner[down] * t->n;
		for (uint32_t i = 0; i < t->size[v]; i++)
			row[t->switch_[t->place[v] + i]] = (uint8_t)odo_port(f, down);
	}
	for (uint32_t s = 0; s < t->n; s++)
		port[(size_t)s * t->n + s] = ODO_NO_PORT;
}

int odo_ext_tree(const odo_fabric *f, const odo_coordinates *c, odo_arena *memory, uint8_t **port,
		 odo_error *err)
{
	tree t = {.c = c && c->kind == ODO_KIND_DRAGONFLY ? c : NULL};
	uint32_t n = f->n_switches, root;
	bool room = allocate_spanning(&t, f) && (*port = odo_arena_new(memory, n, n));
	if (room) {
		while ((root = choose_unreached_root(&t)) != ODO_NONE)
			grow_spanning_tree(&t, root);
		place_preorder(&t);
		write_tree_ports(&t, *port);
	}
	odo_arena_free(&t.memory);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for a tree of %u switches", n);
}

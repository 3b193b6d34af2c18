/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A spine cannot reach a leaf through a missing cable, and paths between hosts avoid this spine and
 * the switches around it. But their LFT entries led over the missing cable. New shortest entries
 * for all these switches would change many entries that no host uses. It is enough that the switch
 * with the missing cable makes a detour, down to some leaf and up again, if this closes no cycle.
 *
 * A spine that lost a cable may also lose its place in the order by which paths go up and down
 * (order.c). Entries that still work but follow only the old order are restored if they close no
 * cycle and switches have them already. A manager that starts on new switches balances loads
 * instead.
 */
#include <string.h>

#include "routing/graph/acyclic.h"
#include "routing/tree/whole.h"

typedef struct settler {
	const odo_tree *tree;
	const odo_fabric *f;
	odo_acyclic paths;
	uint32_t *next; /* [slots of switches] switch at the far end, or ODO_NONE */
	bool at_work;   /* switches already have the old columns */
	uint32_t d;
	uint8_t *port;   /* [n] the column being tested */
	uint8_t *used;   /* [n] a path between hosts crosses the switch, or starts there */
	uint8_t *fate;   /* [n] */
	uint32_t *path;  /* [n] scratch */
	odo_edge *edges; /* [n] scratch */
} settler;

enum { UNSEEN, ON_PATH, ENDS, ARRIVES };

static uint32_t slot_in_column(const settler *x, const uint8_t *column, uint32_t s)
{
	unsigned port = column[s];
	if (s == x->d || port - 1u >= odo_n_ports(x->f, s))
		return ODO_NONE;
	uint32_t slot = odo_slot(x->f, s, port);
	return x->next[slot] == ODO_NONE ? ODO_NONE : slot;
}

/* Find the dependency of packets that leave s. @return false if they wait for no further channel */
static bool edge_in_column(const settler *x, const uint8_t *column, uint32_t s, odo_edge *edge)
{
	uint32_t slot = slot_in_column(x, column, s);
	if (slot == ODO_NONE)
		return false;
	*edge = (odo_edge){slot, slot_in_column(x, column, x->next[slot])};
	return edge->to != ODO_NONE;
}

static void mark_column(settler *x, const uint8_t *column)
{
	odo_edge edge;
	for (uint32_t s = 0; s < x->tree->n; s++)
		if (edge_in_column(x, column, s, &edge))
			odo_depend(&x->paths.forward, edge.from, 0, column[x->next[edge.from]], 0);
}

static void find_used_switches(settler *x, const uint8_t *column)
{
	memset(x->used, 0, x->tree->n);
	for (uint32_t i = 0; i < x->tree->n; i++) {
		uint32_t s = i;
		while (x->tree->hosts[i] && s != x->d && !x->used[s] &&
		       slot_in_column(x, column, s) != ODO_NONE) {
			x->used[s] = 1;
			s = x->next[slot_in_column(x, column, s)];
		}
	}
}

/* Find for each switch if its packets arrive. */
static void find_fates(settler *x)
{
	memset(x->fate, UNSEEN, x->tree->n);
	x->fate[x->d] = ARRIVES;
	for (uint32_t i = 0; i < x->tree->n; i++) {
		uint32_t s = i, n = 0;
		while (s != ODO_NONE && x->fate[s] == UNSEEN) {
			uint32_t slot = slot_in_column(x, x->port, s);
			x->fate[s] = ON_PATH;
			x->path[n++] = s;
			s = slot == ODO_NONE ? ODO_NONE : x->next[slot];
		}
		uint8_t fate = s != ODO_NONE && x->fate[s] == ARRIVES ? ARRIVES : ENDS;
		while (n)
			x->fate[x->path[--n]] = fate;
	}
}

/* Choose a neighbour whose packets arrive without s. The search begins at a place that depends on
 * switch and destination, to spread detours. */
static bool redirect_around(settler *x, uint32_t s)
{
	const odo_tree *tree = x->tree;
	const odo_tree_link *links = tree->near + tree->above[s];
	uint32_t n = tree->above[s + 1] - tree->above[s];
	uint32_t turn = n ? (tree->rank[s] + tree->rank[x->d]) % n : 0;
	for (uint32_t i = 0; i < n; i++) {
		const odo_tree_link *way = &links[(i + turn) % n];
		if (x->fate[way->to] != ARRIVES)
			continue;
		x->port[s] = (uint8_t)(way->slot - x->f->first_slot[s] + 1);
		return true;
	}
	return false;
}

/* Use entries of the column from s up to a switch whose packets arrive. */
static void redirect_by_column(settler *x, const uint8_t *column, uint32_t s)
{
	while (x->fate[s] != ARRIVES) {
		x->port[s] = column[s];
		s = x->next[slot_in_column(x, column, s)];
	}
}

/* Next hop of a switch whose cable is missing: a detour, or the newly computed entry. */
enum { ROUND, AS_BEFORE, N_HOWS };

static void redirect_switch(settler *x, const uint8_t *column, uint32_t s, int how)
{
	if (how == AS_BEFORE)
		redirect_by_column(x, column, s);
	else if (!redirect_around(x, s))
		return;
	find_fates(x);
}

static bool keeps_all_paths(const settler *x, const uint8_t *column)
{
	bool complete = true;
	for (uint32_t s = 0; s < x->tree->n; s++)
		complete &= column[s] == ODO_NO_PORT || x->fate[s] == ARRIVES;
	return complete;
}

/*
 * Propose the old column, with new entries only for switches whose packets no longer arrive.
 * @return false if that is the new column already, or if some switch loses its path
 */
static bool propose_old_column(settler *x, const uint8_t *whole, const uint8_t *column)
{
	bool changes = false;
	memcpy(x->port, whole, x->tree->n);
	find_fates(x);
	for (uint32_t s = 0; s < x->tree->n; s++) {
		if (x->fate[s] != ARRIVES)
			x->port[s] = column[s];
		changes |= x->port[s] != column[s];
	}
	if (!changes)
		return false;
	find_fates(x);
	return keeps_all_paths(x, column);
}

/*
 * Propose a column with as many old entries as possible.
 * @return false if a switch would lose its path
 */
static bool propose_detours(settler *x, const uint8_t *whole, const uint8_t *column, int how)
{
	bool changes = false;
	memcpy(x->port, column, x->tree->n);
	for (uint32_t s = 0; s < x->tree->n; s++)
		if (!x->used[s] && s != x->d && column[s] != ODO_NO_PORT) {
			changes |= column[s] != whole[s];
			x->port[s] = whole[s];
		}
	if (!changes)
		return false;
	find_fates(x);
	for (uint32_t s = 0; s < x->tree->n; s++)
		if (!x->used[s] && column[s] != ODO_NO_PORT && s != x->d &&
		    slot_in_column(x, x->port, s) == ODO_NONE)
			redirect_switch(x, column, s, how);
	return keeps_all_paths(x, column);
}

/* Add the dependencies of the tested column. @return false if they would close a cycle */
static bool add_column_edges(settler *x)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < x->tree->n; s++)
		n += edge_in_column(x, x->port, s, &x->edges[n]);
	return odo_acyclic_add_all(&x->paths, x->edges, n);
}

static void settle_columns(settler *x, const uint8_t *whole, uint8_t *columns)
{
	size_t n = x->tree->n;
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++) {
		x->d = x->f->lid_switch[lid];
		if (x->d == ODO_NONE)
			continue;
		mark_column(x, whole + lid * n);
		if (memcmp(whole + lid * n, columns + lid * n, n))
			mark_column(x, columns + lid * n);
	}
	bool sorted = odo_acyclic_sort(&x->paths);
	for (uint32_t lid = 0; sorted && lid < x->f->lid_count; lid++) {
		uint8_t *column = columns + lid * n;
		x->d = x->f->lid_switch[lid];
		if (x->d == ODO_NONE || !memcmp(column, whole + lid * n, n))
			continue;
		if (x->at_work && propose_old_column(x, whole + lid * n, column) &&
		    add_column_edges(x))
			memcpy(column, x->port, n);
		find_used_switches(x, column);
		for (int how = 0; how < N_HOWS; how++)
			if (propose_detours(x, whole + lid * n, column, how) &&
			    add_column_edges(x)) {
				memcpy(column, x->port, n);
				break;
			}
	}
}

int odo_tree_settle(const odo_tree *tree, const uint8_t *whole, bool at_work, uint8_t *columns,
		    odo_error *err)
{
	odo_arena scratch = {0};
	settler x = {.tree = tree, .f = tree->f, .at_work = at_work};
	x.port = odo_arena_new(&scratch, tree->n, 1);
	x.used = odo_arena_new(&scratch, tree->n, 1);
	x.fate = odo_arena_new(&scratch, tree->n, 1);
	x.path = odo_arena_new(&scratch, tree->n, sizeof *x.path);
	x.edges = odo_arena_new(&scratch, tree->n, sizeof *x.edges);
	x.next = odo_arena_new(&scratch, tree->f->first_slot[tree->n], sizeof *x.next);
	int status = odo_acyclic_init(&x.paths, tree->f, 1, err);
	if (!status && scratch.failed)
		status = odo_fail(err, ODO_ENOMEM, "no memory to settle LFTs");
	for (uint32_t i = 0; !status && i < tree->f->first_slot[tree->n]; i++)
		x.next[i] = odo_next_switch(tree->f, i);
	if (!status)
		settle_columns(&x, whole, columns);
	odo_acyclic_clear(&x.paths);
	odo_arena_free(&scratch);
	return status;
}

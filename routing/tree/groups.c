/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The plan of a Dragonfly+: up to a spine, over a global cable, down to the leaf. A leaf can choose
 * among spines, but a spine has few choices: few spines have several cables to one group. So one
 * global cable is chosen for each LID and each source group, and all leaves of the group go to the
 * spine that has it. Its far spine must have a cable to the destination leaf. The plan takes the
 * global cable for which the fullest cable on the way (up, across or down) has the least load.
 *
 * A cable into a leaf should be shared by few hosts with many paths each rather than by many hosts
 * with few. Then fewer packets of a permutation meet there by chance, since each host receives one.
 * So the draft sends a host's paths over the spine that already has most of them. Later balancing
 * keeps most of this.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "routing/tree/filler.h"

/* Maximum number of choices that are stored, so that they can be repeated when all loads are
 * known. */
#define MAX_CHOICES (1u << 26)

typedef struct odo_tree_groups {
	const odo_tree *tree;
	uint32_t n;
	uint32_t *cable_at; /* [n * n + 1] first cable from one group to another */
	uint32_t *cables;   /* slots of spines, sorted by pair of groups */
	uint32_t *hosts;    /* [n] hosts of each group */
	uint32_t *leaves;   /* [n] leaves of each group */
	/* [switches] mean number of paths from a leaf of the group up to a spine */
	uint64_t *drawn;
	/* [goals * n] or NULL: the global cable chosen for each group, for the goal's own group the
	 * cable down; or ODO_NONE. */
	uint32_t *chosen;
	uint32_t *into; /* [switches] slot by which each goes down to the current leaf */
	uint32_t *over; /* [switches] hosts whose paths to the current LID come down from each */
} odo_tree_groups;

/* Return the index of the pair of groups that a global cable connects, or ODO_NONE. */
static uint32_t pair_of_cable(const odo_tree_groups *x, const odo_tree_link *link)
{
	const odo_tree *tree = x->tree;
	uint32_t s = tree->f->owner[link->slot], from = odo_tree_pod(tree, s);
	uint32_t to = odo_tree_pod(tree, link->to);
	bool global = from != ODO_NONE && to != ODO_NONE && from != to &&
		      tree->c->port_class[link->slot] == ODO_PORT_GLOBAL &&
		      tree->level[s] == tree->level[link->to];
	return global ? from * x->n + to : ODO_NONE;
}

/* Order the cables between two groups: the first cable of each spine, then the second of each. */
static void alternate_spines(const odo_tree_groups *x, uint32_t *cables, uint32_t n)
{
	uint64_t placed[ODO_MAX_PORTS];
	uint32_t nth = 0;
	if (n > ODO_MAX_PORTS)
		return;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *owner = x->tree->f->owner;
		nth = i && owner[cables[i]] == owner[cables[i - 1]] ? nth + 1 : 0;
		placed[i] = (uint64_t)(nth * n + i) << 32 | cables[i];
	}
	qsort(placed, n, sizeof *placed, odo_by_u64);
	for (uint32_t i = 0; i < n; i++)
		cables[i] = (uint32_t)placed[i];
}

static void list_global_cables(odo_tree_groups *x)
{
	const odo_tree *tree = x->tree;
	uint32_t *next = x->cable_at;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t number = 0; number < tree->n; number++) {
			uint32_t s = tree->sorted[number];
			for (uint32_t i = tree->above[s]; i < tree->above[s + 1]; i++) {
				uint32_t pair = pair_of_cable(x, &tree->near[i]);
				if (pair != ODO_NONE && pass)
					x->cables[next[pair]++] = tree->near[i].slot;
				else if (pair != ODO_NONE)
					next[pair + 1]++;
			}
		}
		for (size_t i = 0; !pass && i < (size_t)x->n * x->n; i++)
			next[i + 1] += next[i];
	}
	/* Each next[pair] is now the end of its list: shift by one to get the beginnings. */
	memmove(next + 1, next, (size_t)x->n * x->n * sizeof *next);
	next[0] = 0;
	for (size_t pair = 0; pair < (size_t)x->n * x->n; pair++)
		alternate_spines(x, x->cables + next[pair], next[pair + 1] - next[pair]);
}

struct odo_tree_groups *odo_tree_groups_new(const odo_tree *tree, uint32_t n_goals,
					    odo_arena *memory)
{
	odo_tree_groups *x = odo_arena_new(memory, 1, sizeof *x);
	if (!x)
		return NULL;
	*x = (odo_tree_groups){.tree = tree, .n = tree->c->size[tree->dim[ODO_TREE_POD]]};
	x->cable_at = odo_arena_new(memory, (size_t)x->n * x->n + 1, sizeof *x->cable_at);
	x->cables = odo_arena_new(memory, tree->f->first_slot[tree->n], sizeof *x->cables);
	x->hosts = odo_arena_new(memory, x->n, sizeof *x->hosts);
	x->leaves = odo_arena_new(memory, x->n, sizeof *x->leaves);
	x->drawn = odo_arena_new(memory, tree->n, sizeof *x->drawn);
	x->into = odo_arena_new(memory, tree->n, sizeof *x->into);
	x->over = odo_arena_new(memory, tree->n, sizeof *x->over);
	size_t choices = (size_t)n_goals * x->n;
	if (choices <= MAX_CHOICES)
		x->chosen = odo_arena_new(memory, choices, sizeof *x->chosen);
	if (memory->failed)
		return NULL;
	list_global_cables(x);
	for (uint32_t s = 0; s < tree->n; s++) {
		uint32_t group = odo_tree_pod(tree, s);
		if (group == ODO_NONE)
			continue;
		x->hosts[group] += tree->hosts[s];
		x->leaves[group] += !tree->level[s];
	}
	return x;
}

/* Find the cable by which each spine above the leaf goes down to it; of several, the least
 * loaded. */
static void find_into(odo_filler *x)
{
	odo_tree_groups *g = x->groups;
	const odo_tree *tree = x->tree;
	memset(g->into, 0xFF, tree->n * sizeof *g->into);
	memset(g->over, 0, tree->n * sizeof *g->over);
	for (uint32_t i = tree->up_at[x->d]; i < tree->up_at[x->d + 1]; i++) {
		uint32_t s = tree->up[i].to, slot = x->f->peer[tree->up[i].slot];
		if (odo_filler_is_way(x, s, x->d) &&
		    (g->into[s] == ODO_NONE || x->load[slot] < x->load[g->into[s]]))
			g->into[s] = slot;
	}
}

/*
 * Cost of going down from a spine. In a draft, the spine with most of the host's paths comes before
 * the least loaded one.
 * @param s the spine above the leaf
 */
static uint64_t cost_over(const odo_filler *x, uint32_t s, uint64_t load)
{
	const odo_tree_groups *g = x->groups;
	uint64_t others = x->drafts ? x->f->n_senders - g->over[s] : 0;
	return (others << 32) + load + x->load[g->into[s]];
}

/* Choose a cable from a group to that of the leaf; ODO_NONE if no cable is usable. */
static uint32_t choose_cable(const odo_filler *x, uint32_t pair)
{
	const odo_tree_groups *g = x->groups;
	uint32_t first = g->cable_at[pair], n = g->cable_at[pair + 1] - first, best = ODO_NONE;
	uint64_t least = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = g->cables[first + (i + x->goal->number) % n];
		uint32_t s = x->f->owner[slot], far = odo_next_switch(x->f, slot);
		if (g->into[far] == ODO_NONE || !odo_filler_is_way(x, s, far))
			continue;
		uint64_t cost = cost_over(x, far, g->drawn[s] + x->load[slot]);
		if (best != ODO_NONE && cost >= least)
			continue;
		best = slot;
		least = cost;
	}
	return best;
}

/* Choose a spine of the leaf's own group. */
static uint32_t choose_spine(const odo_filler *x)
{
	const odo_tree_groups *g = x->groups;
	const odo_tree *tree = x->tree;
	uint32_t first = tree->up_at[x->d], n = tree->up_at[x->d + 1] - first, best = ODO_NONE;
	uint64_t least = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = tree->up[first + (i + x->goal->number) % n].to;
		if (g->into[s] == ODO_NONE)
			continue;
		uint64_t cost = cost_over(x, s, g->drawn[s]);
		if (best != ODO_NONE && cost >= least)
			continue;
		best = s;
		least = cost;
	}
	return best;
}

/* Send all leaves below a spine that have no port yet up to it, over parallel cables in turn. */
static void draw_leaves(odo_filler *x, uint32_t s)
{
	const odo_tree *tree = x->tree;
	uint32_t side = tree->sides[0] ? x->goal->number % tree->sides[0] : 0;
	for (uint32_t i = tree->down_at[s]; i < tree->down_at[s + 1]; i++) {
		uint32_t leaf = tree->down[i].to;
		bool fresh = x->port[leaf] == ODO_NO_PORT && odo_filler_is_way(x, leaf, s);
		bool in_turn = !fresh && leaf != x->d && tree->down[i].side == side &&
			       x->port[leaf] != ODO_NO_PORT && odo_filler_next(x, leaf) == s;
		if (fresh || in_turn)
			odo_filler_set(x, leaf, x->f->peer[tree->down[i].slot]);
	}
}

/* Count the paths from one group over the chosen cables. @param sign -1 to subtract them */
static void count_choice(odo_filler *x, uint32_t group, uint32_t slot, int sign)
{
	odo_tree_groups *g = x->groups;
	uint64_t hosts = (uint64_t)sign * g->hosts[group];
	uint32_t s = x->f->owner[slot], t = odo_next_switch(x->f, slot);
	x->load[slot] += hosts;
	if (t != x->d)
		x->load[odo_filler_slot(x, t)] += hosts;
	if (g->leaves[group])
		g->drawn[s] += (uint64_t)sign * (g->hosts[group] / g->leaves[group]);
}

static uint32_t *choice_for_group(const odo_filler *x, uint32_t group)
{
	const odo_tree_groups *g = x->groups;
	return g->chosen ? &g->chosen[(size_t)x->i_goal * g->n + group] : NULL;
}

/*
 * Use a cable for a group.
 * @param slot the global cable, or for the own group the cable down to the leaf
 */
static void use_cable(odo_filler *x, uint32_t group, uint32_t slot)
{
	if (choice_for_group(x, group))
		*choice_for_group(x, group) = slot;
	if (slot == ODO_NONE)
		return;
	uint32_t s = x->f->owner[slot], t = odo_next_switch(x->f, slot);
	odo_filler_set(x, s, slot);
	if (t != x->d)
		odo_filler_set(x, t, x->groups->into[t]);
	x->groups->over[t == x->d ? s : t] += x->groups->hosts[group];
	count_choice(x, group, slot, 1);
	draw_leaves(x, s);
}

void odo_tree_forget_groups(odo_filler *x)
{
	for (uint32_t group = 0; group < x->groups->n && !x->tree->level[x->d]; group++)
		if (*choice_for_group(x, group) != ODO_NONE)
			count_choice(x, group, *choice_for_group(x, group), -1);
}

void odo_tree_plan_groups(odo_filler *x)
{
	const odo_tree_groups *g = x->groups;
	uint32_t own = odo_tree_pod(x->tree, x->d);
	for (uint32_t group = 0; g->chosen && group < g->n; group++)
		*choice_for_group(x, group) = ODO_NONE;
	if (own == ODO_NONE || x->tree->level[x->d])
		return;
	find_into(x);
	for (uint32_t i = 1; i < g->n; i++) {
		uint32_t group = (own + i) % g->n;
		use_cable(x, group, choose_cable(x, group * g->n + own));
	}
	uint32_t spine = choose_spine(x);
	use_cable(x, own, spine == ODO_NONE ? ODO_NONE : g->into[spine]);
}

bool odo_tree_has_draft(const odo_filler *x)
{
	return x->groups && x->groups->chosen;
}

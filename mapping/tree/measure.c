/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <string.h>

#include "base/arena.h"
#include "mapping/graph/shares.h"
#include "mapping/tree/blocks.h"
#include "base/lists.h"

enum {
	MOST_CABLES = 256, /* limit for a switch, and more than any link has */
	SEVERAL = 3,       /* a number that this many members have is no accident */
};

/* Blocks of a tree, with their edges, children and parents. */
typedef struct parts {
	odo_clos *t;
	uint32_t *block_of;    /* [n_edges] block of each edge */
	uint32_t *cables_up;   /* [n] cables of each vertex to parents in its block */
	uint32_t *cables_down; /* [n] */
	odo_lists edges, children, parents;
	odo_arena memory;
} parts;

static void parts_clear(parts *x)
{
	odo_arena_free(&x->memory);
	odo_lists_clear(&x->edges);
	odo_lists_clear(&x->children);
	odo_lists_clear(&x->parents);
}

static void count_block_cables(parts *x)
{
	odo_clos *t = x->t;
	uint32_t low, high;
	for (uint32_t e = 0; e < t->g->n_edges; e++) {
		x->block_of[e] = odo_clos_fits(t, e, &low, &high) ? t->up[low] : ODO_NONE;
		if (x->block_of[e] == ODO_NONE)
			continue;
		x->cables_up[low] += t->g->n_cables[e];
		x->cables_down[high] += t->g->n_cables[e];
	}
}

static int parts_make(odo_clos *t, parts *x)
{
	uint32_t n = t->g->n;
	*x = (parts){.t = t};
	x->block_of = odo_arena_new(&x->memory, t->g->n_edges, sizeof *x->block_of);
	x->cables_up = odo_arena_new(&x->memory, n, sizeof *x->cables_up);
	x->cables_down = odo_arena_new(&x->memory, n, sizeof *x->cables_down);
	if (x->memory.failed)
		return ODO_ENOMEM;
	count_block_cables(x);
	int status = odo_lists_make(x->block_of, t->g->n_edges, t->n_blocks, &x->edges);
	if (!status)
		status = odo_lists_make(t->up, n, t->n_blocks, &x->children);
	return status ? status : odo_lists_make(t->down, n, t->n_blocks, &x->parents);
}

/* Return the number of cables that more than half of a list have, or ODO_NONE. */
static uint32_t common_cables(const odo_lists *of, uint32_t block, const uint32_t *cables)
{
	uint32_t have[MOST_CABLES] = {0}, n = of->first[block + 1] - of->first[block];
	for (uint32_t i = of->first[block]; i < of->first[block + 1]; i++) {
		uint32_t x = cables[of->item[i]];
		if (x < MOST_CABLES && ++have[x] >= SEVERAL && odo_majority(have[x], n))
			return x;
	}
	return ODO_NONE;
}

static uint64_t more_than_few(uint32_t n)
{
	uint64_t rare = odo_at_least_rare(n);
	return n > 1 && rare < 2 ? 2 : rare;
}

/* Determine the width of a link: the most cables that more than a few links have. Smaller links are
 * intended if many are smaller and all children, or all parents, have equally many cables: for
 * example 18 cables to 12 parents. */
static void measure_width(const parts *x, uint32_t b)
{
	odo_block *block = &x->t->block[b];
	uint32_t have[MOST_CABLES] = {0}, n = x->edges.first[b + 1] - x->edges.first[b];
	for (uint32_t i = x->edges.first[b]; i < x->edges.first[b + 1]; i++)
		have[x->t->g->n_cables[x->edges.item[i]]]++;
	block->width = n ? odo_usual_most(have, 1, MOST_CABLES - 1, more_than_few(n)) : 1;
	uint32_t up = common_cables(&x->children, b, x->cables_up);
	uint32_t down = common_cables(&x->parents, b, x->cables_down);
	bool dealt_up = up < block->width * block->n_parents;
	bool dealt_down = down < block->width * block->n_children;
	bool full = odo_majority(have[block->width], n);
	block->uneven = full ? dealt_up && dealt_down : dealt_up || dealt_down;
}

int odo_blocks_measure(odo_clos *t, odo_error *err)
{
	parts x;
	int status = parts_make(t, &x);
	for (uint32_t b = 0; b < t->n_blocks && !status; b++)
		measure_width(&x, b);
	parts_clear(&x);
	return status ? odo_fail(err, status, "no memory for blocks of a tree") : 0;
}

uint32_t odo_blocks_width(const odo_clos *t, uint32_t level)
{
	uint64_t links[UINT8_MAX + 1] = {0};
	uint32_t width = 1;
	for (uint32_t b = 0; b < t->n_blocks; b++)
		if (t->block[b].level == level)
			links[t->block[b].width] += t->block[b].n_links;
	for (uint32_t i = 1; i <= UINT8_MAX; i++)
		width = links[i] > links[width] ? i : width;
	return width;
}

/* Share of links that must be in nearly complete blocks, among blocks where each switch has several
 * others above or below. The rest may belong to a director: a leaf is cabled to only some of its
 * chips. */
static const odo_share regular = {1, 3};
/* Maximum share of links that are in no block. */
static const odo_share wrong = {1, 10};

/* Maximum share of switches with hosts that are not leaves. */
static const odo_share astray = {1, 4};

static bool most_hosts_are_on_leaves(const odo_clos *t)
{
	uint32_t hosted = 0, off = 0;
	for (uint32_t v = 0; v < t->g->n; v++) {
		hosted += t->hosted[v];
		off += t->hosted[v] && t->level[v];
	}
	return !odo_exceeds(off, astray, hosted);
}

bool odo_blocks_hold(const odo_clos *t)
{
	uint64_t complete = 0, loose = 0, inside = 0, stars = 0;
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		inside += odo_clos_global(t, e);
	for (uint32_t b = 0; b < t->n_blocks; b++) {
		const odo_block *block = &t->block[b];
		bool star = block->n_children < 2 || block->n_parents < 2;
		inside += block->n_links;
		loose += block->loose ? block->n_links : 0;
		stars += block->n_children > 1 && block->n_parents == 1 ? block->n_links : 0;
		complete += block->loose || star ? 0 : block->n_links;
	}
	/* Links between groups of one spine are also too regular for chance (dragonfly_plus.c). */
	bool bare = t->global ? stars > 0 : t->g->n_edges < t->g->n;
	bool shape = complete ? odo_reaches(complete, regular, complete + loose) : bare;
	return shape && most_hosts_are_on_leaves(t) &&
	       !odo_exceeds(t->g->n_edges - inside, wrong, t->g->n_edges);
}

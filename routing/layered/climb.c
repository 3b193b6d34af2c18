/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shortest paths in several up*\/down* layers. Each layer numbers the switches from a root of its
 * own. A path that goes up and then down by these numbers closes no cycle with other such paths in
 * the layer. If numbers were random, two hops would go up and down in two layers of three, four
 * hops in one of seven or eight. So with eight layers nearly every pair has such a shortest path,
 * if the ways are chosen with care.
 *
 * A tree grows outwards from its destination. For each switch, a few bits show the layers in which
 * its path is allowed. A switch takes any way that leaves it a layer, at random, with odds by the
 * load that the cables ahead carried in trials (price.c). If many switches then find no way, the
 * switches take the ways that leave most layers, since others will join them.
 *
 * No tree depends on another. Paths that a failed cable does not affect stay the same, even without
 * the tables before.
 */
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "routing/graph/columns.h"
#include "routing/layered/layered.h"

/* Larger than any odo_layered_cost(). */
#define MOST_COST ((1ull << 35) - 1)
/* Fewer than one switch in FEW counts as few. */
#define FEW 32u

/* A neighbour of a switch, over one cable or several. */
typedef struct neighbour {
	uint32_t s, lot;
	uint32_t price; /* price of a way over these cables; see layered.h */
	uint32_t first; /* index in `slots` of the first of its cables */
	uint16_t n, up; /* n: cables; up: layers in which they lead up */
} neighbour;

/* A switch in a tree. */
typedef struct place {
	uint32_t price; /* highest price on its way */
	uint16_t bears; /* layers in which its path is allowed, 0 if it has none */
	uint16_t up;    /* layers in which its first hop leads up */
} place;

typedef struct climber {
	odo_grower *g;
	odo_arena memory;
	neighbour *near;   /* [first[n]] of each switch, by number */
	uint32_t *first;   /* [n + 1] */
	uint32_t *slots;   /* slots by which switches lead to their neighbours */
	uint32_t *carried; /* [n] hosts whose packets pass each switch */
	uint32_t turn;     /* index among parallel cables, for the first of the current trees */
	/* Sets of switches: neighbours of each, [n * words]; switches at the current distance;
	 * switches one hop further; switches up to this distance. */
	uint64_t *adjacent, *level, *next, *seen;
	uint16_t *rank; /* [n * words] neighbours in front of each word of `adjacent` */
	size_t words;
	place *at[ODO_MOST_SPREAD];     /* [n] */
	uint32_t *via[ODO_MOST_SPREAD]; /* random number of each current tree */
	uint32_t lot[ODO_MOST_SPREAD];  /* of the trees at hand */
	uint8_t *ports[ODO_MOST_SPREAD],
		*sls[ODO_MOST_SPREAD]; /* columns of a block of destinations */
	size_t stride;
} climber;

static unsigned count_bits(uint64_t x)
{
	x = x - (x >> 1 & 0x5555555555555555u);
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	return (unsigned)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}

static uint64_t *neighbours_of(const climber *x, uint32_t s)
{
	return x->adjacent + s * x->words;
}

/* Return the index of neighbour t of s. */
static uint32_t neighbour_index(const climber *x, uint32_t s, uint32_t t)
{
	uint64_t below = neighbours_of(x, s)[t / 64] & ((1ull << t % 64) - 1);
	return x->first[s] + x->rank[s * x->words + t / 64] + count_bits(below);
}

static void list_neighbours_of(climber *x, uint32_t s, uint32_t *n)
{
	const odo_grower *growth = x->g;
	const odo_forest *forest = growth->forest;
	uint64_t *set = neighbours_of(x, s);
	uint32_t begin = forest->f->first_slot[s], end = forest->f->first_slot[s + 1], at = begin;
	for (uint32_t i = begin; i < end; i++)
		if (forest->next[i] != ODO_NONE && forest->next[i] != s)
			odo_set_bit(set, forest->next[i]);
	x->first[s] = *n;
	for (size_t word = 0; word < x->words; word++) {
		x->rank[s * x->words + word] = (uint16_t)(*n - x->first[s]);
		for (uint64_t left = set[word]; left; left &= left - 1) {
			uint32_t t = (uint32_t)(word * 64) + odo_lowest_bit(left);
			neighbour *by = &x->near[(*n)++];
			*by = (neighbour){.s = t,
					  .lot = odo_mix(growth->hash[t] ^ growth->hash[s]),
					  .first = at};
			for (uint32_t i = begin; i < end; i++) {
				if (forest->next[i] != t)
					continue;
				by->up = growth->up[i];
				by->n++;
				x->slots[at++] = i;
			}
			by->price = (growth->price[x->slots[by->first]] - 1) / by->n + 1;
		}
	}
}

/* Return the layers in which a switch may use a hop with these `up` layers to the next switch: a
 * path never goes up after it went down. */
static unsigned borne_layers(place on, unsigned up)
{
	return on.bears & (up | (on.up ^ 0xFFFFu));
}

static uint32_t higher_price(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Choose the ways of s in trees k to end - 1, over switches of a set. Only ways that some layer
 * allows count. The way with most layers wins, counted up to `enough`; among these, the way of
 * least cost. */
static inline void choose_tree_ways(climber *x, uint32_t s, const uint64_t *over, unsigned k,
				    unsigned end, unsigned enough)
{
	const uint64_t *set = neighbours_of(x, s);
	uint64_t best[ODO_MOST_SPREAD];
	for (unsigned j = k; j < end; j++)
		best[j] = 0;
	for (size_t word = 0; word < x->words; word++) {
		for (uint64_t left = set[word] & over[word]; left; left &= left - 1) {
			uint32_t t = (uint32_t)(word * 64) + odo_lowest_bit(left);
			uint32_t i = neighbour_index(x, s, t);
			const neighbour *by = &x->near[i];
			for (unsigned j = k; j < end; j++) {
				unsigned bears = borne_layers(x->at[j][t], by->up);
				unsigned n = enough > 1 ? count_bits(bears) : 1;
				uint32_t lot = (by->lot ^ x->lot[j]) * 0x9E3779B1u;
				uint32_t price = higher_price(by->price, x->at[j][t].price);
				uint64_t score = (uint64_t)(n < enough ? n : enough) << 59 |
						 (MOST_COST - odo_layered_cost(lot, price)) << 24 |
						 i;
				score = bears ? score : 0;
				best[j] = score > best[j] ? score : best[j];
			}
		}
	}
	for (unsigned j = k; j < end; j++) {
		uint32_t way = best[j] & 0xFFFFFF;
		const neighbour *by = &x->near[way];
		x->at[j][s].bears = best[j] ? (uint16_t)borne_layers(x->at[j][by->s], by->up) : 0;
		x->at[j][s].up = by->up;
		x->at[j][s].price = higher_price(by->price, x->at[j][by->s].price);
		x->via[j][s] = way;
	}
}

/* Append unseen neighbours of the switches from queue[from] on to the queue. */
static void step_outwards(climber *x, uint32_t from)
{
	odo_grower *growth = x->g;
	memset(x->next, 0, x->words * sizeof *x->next);
	for (uint32_t i = from; i < growth->n_queue; i++) {
		const uint64_t *set = neighbours_of(x, growth->queue[i]);
		for (size_t word = 0; word < x->words; word++)
			x->next[word] |= set[word];
	}
	for (size_t word = 0; word < x->words; word++) {
		x->next[word] &= ~x->seen[word];
		x->seen[word] |= x->next[word];
		for (uint64_t left = x->next[word]; left; left &= left - 1)
			growth->queue[growth->n_queue++] = (uint32_t)(word * 64) +
							   odo_lowest_bit(left);
	}
}

/* Grow trees k to end - 1, distance by distance from the destination. */
static void spread_trees(climber *x, uint32_t d, unsigned k, unsigned end, unsigned enough)
{
	odo_grower *growth = x->g;
	uint32_t from = 0;
	memset(x->level, 0, x->words * sizeof *x->level);
	memset(x->seen, 0, x->words * sizeof *x->seen);
	odo_set_bit(x->level, d);
	odo_set_bit(x->seen, d);
	growth->queue[0] = d;
	growth->n_queue = 1;
	for (unsigned j = k; j < end; j++)
		x->at[j][d] = (place){.bears = (uint16_t)((1u << growth->n_layers) - 1)};
	while (from < growth->n_queue) {
		uint32_t near_end = growth->n_queue;
		step_outwards(x, from);
		for (uint32_t i = near_end; i < growth->n_queue; i++) {
			if (enough == 1)
				choose_tree_ways(x, growth->queue[i], x->level, k, end, 1);
			else
				choose_tree_ways(x, growth->queue[i], x->level, k, end, enough);
		}
		uint64_t *level = x->level;
		x->level = x->next;
		x->next = level;
		from = near_end;
	}
}

static uint32_t count_pathless(const climber *x, unsigned k)
{
	uint32_t n_lost = 0;
	for (uint32_t i = 0; i < x->g->n_queue; i++)
		n_lost += !x->at[k][x->g->queue[i]].bears;
	return n_lost;
}

/*
 * Let switches without a shortest way join any switch that has a way, in rounds. Nearly always this
 * takes one hop more.
 * @return number of switches that still have no way
 */
static uint32_t take_longer(climber *x, unsigned k)
{
	const odo_grower *growth = x->g;
	uint32_t n_lost = count_pathless(x, k), n_before = n_lost + 1;
	while (n_lost && n_lost < n_before) {
		n_before = n_lost;
		memset(x->level, 0, x->words * sizeof *x->level);
		for (uint32_t i = 0; i < growth->n_queue; i++)
			if (x->at[k][growth->queue[i]].bears)
				odo_set_bit(x->level, growth->queue[i]);
		for (uint32_t i = 0; i < growth->n_queue; i++)
			if (!x->at[k][growth->queue[i]].bears)
				choose_tree_ways(x, growth->queue[i], x->level, k, k + 1,
						 ODO_N_SLS);
		n_lost = count_pathless(x, k);
	}
	return n_lost;
}

static uint8_t port_by(const climber *x, unsigned k, uint32_t s)
{
	const neighbour *by = &x->near[x->via[k][s]];
	uint32_t slot = x->slots[by->first + (x->turn + k) % by->n];
	return (uint8_t)(slot - x->g->forest->f->first_slot[s] + 1);
}

/* Add the paths between hosts in tree k to the loads of the cables. A switch on a longer way may
 * stand in the queue before the switch that it joined. This is rare, and its load is left out. */
static void count_loads(climber *x, unsigned k, uint32_t d)
{
	odo_grower *growth = x->g;
	const uint8_t *port = x->ports[k] + d % ODO_COLUMNS * x->stride;
	uint32_t weight = x->g->followers[(size_t)k * growth->forest->n + d];
	memcpy(x->carried, x->g->hosts, growth->forest->n * sizeof *x->carried);
	for (uint32_t i = growth->n_queue; i-- > 1 && weight;) {
		uint32_t s = growth->queue[i];
		if (port[s] == ODO_NO_PORT)
			continue;
		growth->load[growth->forest->f->first_slot[s] + port[s] - 1] +=
			(uint64_t)x->carried[s] * weight;
		x->carried[x->near[x->via[k][s]].s] += x->carried[s];
	}
}

/* Write tree k into column j of the block. Each path uses the lowest layer that allows it, so that
 * the other layers keep room for paths that no layer allows. */
static void write_tree_column(climber *x, unsigned k, uint32_t d, uint32_t j)
{
	odo_grower *growth = x->g;
	uint8_t *port = x->ports[k] + j * x->stride, *sl = x->sls[k] + j * x->stride;
	memset(port, ODO_NO_PORT, growth->forest->n);
	port[d] = sl[d] = 0;
	for (uint32_t i = 1; i < growth->n_queue; i++) {
		uint32_t s = growth->queue[i];
		unsigned bears = x->at[k][s].bears;
		port[s] = bears ? port_by(x, k, s) : ODO_NO_PORT;
		sl[s] = bears ? (uint8_t)__builtin_ctz(bears) : 0;
		growth->by_pair |= sl[s] != 0;
	}
	growth->forest->layer[(size_t)k * growth->forest->n + d] = 0;
}

/* Copy a block of columns into rows of the forest. */
static void put_block(climber *x, unsigned k, uint32_t d, uint32_t width)
{
	const odo_forest *forest = x->g->forest;
	uint8_t *sl = x->g->sl + (size_t)k * forest->n * forest->n + d;
	for (uint32_t s = 0; s < forest->n; s += ODO_COLUMNS) {
		uint32_t n = odo_column_width(forest->n, s);
		odo_columns_cut(x->ports[k] + s, x->stride, width, n,
				odo_forest_row(forest, k, s) + d, forest->n);
		odo_columns_cut(x->sls[k] + s, x->stride, width, n, sl + (size_t)s * forest->n,
				forest->n);
	}
}

static int allocate_climber(climber *x)
{
	const odo_forest *forest = x->g->forest;
	size_t n = forest->n, slots = forest->f->first_slot[n];
	x->stride = odo_column_stride(forest->n);
	x->words = odo_bit_words(n);
	x->first = odo_arena_new(&x->memory, n + 1, sizeof *x->first);
	x->near = odo_arena_new(&x->memory, slots, sizeof *x->near);
	x->carried = odo_arena_new(&x->memory, n, sizeof *x->carried);
	x->slots = odo_arena_new(&x->memory, slots, sizeof *x->slots);
	x->adjacent = odo_arena_new(&x->memory, n * x->words, sizeof *x->adjacent);
	x->rank = odo_arena_new(&x->memory, n * x->words, sizeof *x->rank);
	x->level = odo_arena_new(&x->memory, x->words, sizeof *x->level);
	x->next = odo_arena_new(&x->memory, x->words, sizeof *x->next);
	x->seen = odo_arena_new(&x->memory, x->words, sizeof *x->seen);
	for (unsigned k = 0; k < forest->n_trees; k++) {
		x->at[k] = odo_arena_new(&x->memory, n, sizeof *x->at[k]);
		x->via[k] = odo_arena_new(&x->memory, n, sizeof *x->via[k]);
		x->ports[k] = odo_arena_new(&x->memory, x->stride, ODO_COLUMNS);
		x->sls[k] = odo_arena_new(&x->memory, x->stride, ODO_COLUMNS);
	}
	return x->memory.failed ? ODO_ENOMEM : 0;
}

/*
 * Grow tree k again, and prefer ways that leave up to `enough` layers.
 * @return number of switches without a shortest way
 */
static uint32_t look_ahead(climber *x, uint32_t d, unsigned k, unsigned enough)
{
	spread_trees(x, d, k, k + 1, enough);
	return count_pathless(x, k);
}

/*
 * Complete tree k, whose ways were chosen at random and are evenly spread. If many switches have no
 * way, the tree grows again with a preference for layers, which favours some cables. A few switches
 * take longer ways.
 * @return number of switches without a way
 */
static uint32_t complete_climbed_tree(climber *x, uint32_t d, unsigned k, bool longer,
				      uint64_t *n_longer)
{
	static const unsigned ahead[] = {2, 8};
	uint32_t n = count_pathless(x, k), many = longer ? x->g->n_queue / FEW : 0;
	uint32_t left = n && n <= many ? take_longer(x, k) : n;
	for (unsigned i = 0; left && i < sizeof ahead / sizeof *ahead; i++) {
		uint32_t before = n;
		left = n = look_ahead(x, d, k, ahead[i]);
		bool helps = n < before;
		if (n && longer && (n <= many || !helps || ahead[i] == 8))
			left = take_longer(x, k);
	}
	*n_longer += n;
	return left;
}

static void climb_to_destination(climber *x, uint32_t d, bool longer, odo_climbed *to)
{
	unsigned n_trees = x->g->forest->n_trees;
	x->turn = x->g->hash[d] >> 8;
	for (unsigned k = 0; k < n_trees; k++)
		x->lot[k] = odo_layered_lot(x->g, k, d);
	spread_trees(x, d, 0, n_trees, 1);
	for (unsigned k = 0; k < n_trees; k++) {
		bool lost = complete_climbed_tree(x, d, k, longer, &to->n_longer) != 0;
		to->lost[(size_t)k * x->g->forest->n + d] = lost;
		to->n_lost += lost;
		write_tree_column(x, k, d, d % ODO_COLUMNS);
	}
}

/* Grow trees to about one destination in `one_in`, to learn their loads. */
static void climb_to_some(climber *x, uint32_t one_in, bool longer, odo_climbed *to)
{
	const odo_forest *forest = x->g->forest;
	memset(x->g->load, 0, forest->f->first_slot[forest->n] * sizeof *x->g->load);
	for (uint32_t d = 0; d < forest->n; d++) {
		odo_forest_tell(forest, "pricing layered paths", d, forest->n);
		if (x->g->hash[d] % one_in)
			continue;
		climb_to_destination(x, d, longer, to);
		for (unsigned k = 0; k < forest->n_trees; k++)
			count_loads(x, k, d);
	}
}

/* Grow trees to all destinations, a block of columns at a time. */
static void climb_to_all(climber *x, bool longer, odo_climbed *to)
{
	const odo_forest *forest = x->g->forest;
	for (uint32_t d = 0; d < forest->n; d++) {
		uint32_t j = d % ODO_COLUMNS;
		odo_forest_tell(forest, "routing, layered", d, forest->n);
		climb_to_destination(x, d, longer, to);
		for (unsigned k = 0;
		     k < forest->n_trees && (j + 1 == ODO_COLUMNS || d + 1 == forest->n); k++)
			put_block(x, k, d - j, j + 1);
	}
}

int odo_layered_climb(odo_grower *growth, bool longer, uint32_t trial, odo_climbed *to,
		      odo_error *err)
{
	climber x = {.g = growth};
	const odo_forest *forest = growth->forest;
	uint32_t n = 0;
	int status = allocate_climber(&x)
			     ? odo_fail(err, ODO_ENOMEM, "no memory for shortest paths")
			     : 0;
	for (uint32_t s = 0; !status && s < forest->n; s++)
		list_neighbours_of(&x, s, &n);
	if (!status && trial)
		climb_to_some(&x, trial, longer, to);
	else if (!status)
		climb_to_all(&x, longer, to);
	odo_arena_free(&x.memory);
	return status;
}

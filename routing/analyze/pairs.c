/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Loads of all pairs at once. The entries of one LID over all switches form a tree. Hosts are
 * summed from its leaves down to its root, so that a LID costs one pass over the switches, not over
 * the hosts times their hops. Entries of one LID are lid_count bytes apart. Therefore 64 LIDs are
 * extracted at a time, one cache line of each switch's LFT.
 */
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "routing/analyze/internal.h"
#include "routing/graph/columns.h"

#define LOST UINT32_MAX

typedef struct count {
	const odo_fabric *f;
	odo_arena memory;
	uint32_t n;
	uint32_t *next;    /**< [slots of switches] switch at the far end, or ODO_NONE */
	uint32_t *hosts;   /**< [n] hosts of each switch */
	uint32_t *out;     /**< [n] slot by which the LID leaves; ODO_NONE at home and if lost */
	uint32_t *to;      /**< [n] next switch, or ODO_NONE */
	uint32_t *pending; /**< [n] switches that lead to this one and are not in the order yet */
	uint32_t *depth;   /**< [n] hops to home, or LOST */
	uint32_t *order;   /**< [n] switches, each after all that lead to it */
	uint32_t n_order;  /**< switches that lead into a loop are not in the order */
	uint32_t *carried; /**< [n] hosts whose packets pass the switch */
	uint8_t *block;    /**< [ODO_COLUMNS * n] */
} count;

static int allocate_count(count *k, const odo_fabric *f)
{
	uint32_t slots = f->first_slot[f->n_switches];
	k->f = f;
	k->n = f->n_switches;
	k->next = odo_arena_new(&k->memory, slots, sizeof *k->next);
	k->hosts = odo_arena_new(&k->memory, k->n, sizeof *k->hosts);
	k->out = odo_arena_new(&k->memory, k->n, sizeof *k->out);
	k->to = odo_arena_new(&k->memory, k->n, sizeof *k->to);
	k->pending = odo_arena_new(&k->memory, k->n, sizeof *k->pending);
	k->depth = odo_arena_new(&k->memory, k->n, sizeof *k->depth);
	k->order = odo_arena_new(&k->memory, k->n, sizeof *k->order);
	k->carried = odo_arena_new(&k->memory, k->n, sizeof *k->carried);
	k->block = odo_arena_new(&k->memory, ODO_COLUMNS, k->n);
	if (k->memory.failed)
		return ODO_ENOMEM;
	for (uint32_t slot = 0; slot < slots; slot++)
		k->next[slot] = odo_next_switch(f, slot);
	for (uint32_t h = 0; h < f->n_senders; h++)
		k->hosts[odo_host_switch(f, h)]++;
	return 0;
}

static void find_column_order(count *k, const uint8_t *column)
{
	memset(k->pending, 0, k->n * sizeof *k->pending);
	for (uint32_t s = 0; s < k->n; s++) {
		unsigned port = column[s];
		bool leads = port && port <= odo_n_ports(k->f, s);
		k->out[s] = leads ? odo_slot(k->f, s, port) : ODO_NONE;
		k->to[s] = leads ? k->next[k->out[s]] : ODO_NONE;
		if (k->to[s] != ODO_NONE)
			k->pending[k->to[s]]++;
	}
	uint32_t n = 0;
	for (uint32_t s = 0; s < k->n; s++) {
		k->order[n] = s;
		n += !k->pending[s];
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t t = k->to[k->order[i]];
		if (t != ODO_NONE && !--k->pending[t])
			k->order[n++] = t;
	}
	k->n_order = n;
}

static void find_column_depths(count *k, const uint8_t *column, uint32_t home, unsigned last_port)
{
	find_column_order(k, column);
	memset(k->depth, 0xFF, k->n * sizeof *k->depth); /* LOST */
	k->depth[home] = column[home] == last_port ? 0 : LOST;
	for (uint32_t i = k->n_order; i-- > 0;) {
		uint32_t s = k->order[i], t = k->to[s];
		if (s != home && t != ODO_NONE && k->depth[t] != LOST)
			k->depth[s] = k->depth[t] + 1;
	}
}

/* Count `weight` LIDs of one switch that all share the current tree. The first of them is `lid`. */
static void count_tree_load(count *k, uint32_t lid, double weight, odo_analysis *a)
{
	const odo_fabric *f = k->f;
	uint32_t home = f->lid_switch[lid], arrived = 0, reached[ODO_MAX_HISTOGRAM] = {0};
	memcpy(k->carried, k->hosts, k->n * sizeof *k->carried);
	k->carried[home] -= k->depth[home] != LOST; /* the host itself does not send */
	for (uint32_t i = 0; i < k->n_order; i++) {
		uint32_t s = k->order[i], depth = k->depth[s];
		if (depth == LOST)
			continue;
		reached[depth < ODO_MAX_HISTOGRAM ? depth : ODO_MAX_HISTOGRAM - 1] += k->hosts[s];
		if (s == home)
			continue;
		a->load[k->out[s]] += weight * k->carried[s];
		k->carried[k->to[s]] += k->carried[s];
	}
	reached[0] -= k->depth[home] != LOST;
	for (unsigned depth = 0; depth < ODO_MAX_HISTOGRAM; depth++) {
		a->hops[depth] += weight * reached[depth];
		arrived += reached[depth];
	}
	a->lost += weight * (f->n_senders - 1 - arrived);
}

/* Return true if LIDs i and j of the block belong to one switch and have the same tree. */
static bool same_tree(const count *k, uint32_t first, uint32_t i, uint32_t j)
{
	const odo_fabric *f = k->f;
	uint32_t home = f->lid_switch[first + i], tail = k->n - home - 1;
	const uint8_t *a = k->block + (size_t)i * k->n, *b = k->block + (size_t)j * k->n;
	return f->lid_switch[first + j] == home && f->lid_host[first + j] < f->n_senders &&
	       (a[home] == f->lid_port[first + i]) == (b[home] == f->lid_port[first + j]) &&
	       !memcmp(a, b, home) && !memcmp(a + home + 1, b + home + 1, tail);
}

/*
 * Count all LIDs of the block that have the same tree as LID `first + i`. LIDs behind one switch
 * mostly share a few trees.
 * @return these LIDs as bits
 */
static uint64_t count_alike_lids(count *k, uint32_t first, uint32_t i, uint32_t width,
				 odo_analysis *a)
{
	const odo_fabric *f = k->f;
	uint32_t home = f->lid_switch[first + i];
	uint64_t alike = 0;
	double weight = 0, part[ODO_COLUMNS];
	for (uint32_t j = i; j < width; j++) {
		if (!same_tree(k, first, i, j))
			continue;
		part[j] = 1.0 / (1u << f->port_lmc[f->host_slot[f->lid_host[first + j]]]);
		alike |= 1ull << j;
		weight += part[j];
	}
	find_column_depths(k, k->block + (size_t)i * k->n, home, f->lid_port[first + i]);
	count_tree_load(k, first + i, weight, a);
	for (uint64_t left = k->depth[home] == LOST ? 0 : alike; left; left &= left - 1) {
		uint32_t j = odo_lowest_bit(left);
		a->load[odo_slot(f, home, f->lid_port[first + j])] += part[j] *
								      (double)k->carried[home];
	}
	return alike;
}

/* Add the traffic that hosts inject. Every host sends the same amount to every other host,
 * delivered or not. Traffic to a host without a LID is lost. */
static void count_injections(const odo_fabric *f, odo_analysis *a)
{
	for (uint32_t h = 0; h < f->n_senders; h++) {
		a->load[f->host_slot[h]] = f->n_senders - 1;
		a->lost += f->port_lid[f->host_slot[h]] ? 0 : f->n_senders - 1;
	}
}

int odo_count_pairs(const odo_tables *t, odo_analysis *a, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	count k = {0};
	if (allocate_count(&k, f)) {
		odo_arena_free(&k.memory);
		return odo_fail(err, ODO_ENOMEM, "no memory to count pairs");
	}
	for (uint32_t first = 0; first < f->lid_count; first += ODO_COLUMNS) {
		uint32_t width = f->lid_count - first < ODO_COLUMNS ? f->lid_count - first
								    : ODO_COLUMNS;
		odo_tables_tell(t, "counting the pairs of", first, f->lid_count);
		odo_columns_cut(t->lft + first, f->lid_count, k.n, width, k.block, k.n);
		uint64_t done = 0;
		for (uint32_t i = 0; i < width; i++)
			if (!(done >> i & 1) && f->lid_host[first + i] < f->n_senders)
				done |= count_alike_lids(&k, first, i, width, a);
	}
	count_injections(f, a);
	odo_arena_free(&k.memory);
	return 0;
}

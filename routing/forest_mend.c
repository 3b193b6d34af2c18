/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detours. Where damage takes away the port of a structured path, some switches no longer
 * reach a destination along it. What still does is kept as it is; every other switch of the
 * connected part gets the shortest way into it. Unbroken entries never change, so one dead
 * cable costs only the entries that needed it.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/forest.h"

static bool row_is_broken(const odo_forest *w, const uint8_t *row, uint32_t s, uint32_t d)
{
	return row[d] == ODO_NO_PORT && w->part[s] == w->part[d];
}

int odo_forest_broken(const odo_forest *w, uint32_t **broken, uint32_t *n_broken, odo_error *err)
{
	uint32_t n = 0, *list = odo_new((size_t)w->n_trees * w->n, sizeof *list);
	uint8_t *marked = odo_new((size_t)w->n_trees * w->n, 1);
	*broken = list;
	*n_broken = 0;
	if (!list || !marked) {
		free(marked);
		return odo_fail(err, ODO_ENOMEM, "no memory for detours");
	}
	for (unsigned k = 0; k < w->n_trees; k++) {
		for (uint32_t s = 0; s < w->n; s++) {
			const uint8_t *row = odo_forest_row(w, k, s), *at = row;
			while ((at = memchr(at, ODO_NO_PORT, (size_t)(row + w->n - at)))) {
				uint32_t d = (uint32_t)(at++ - row);
				marked[(size_t)k * w->n + d] |= row_is_broken(w, row, s, d);
			}
		}
	}
	for (uint32_t tree = 0; tree < w->n_trees * w->n; tree++)
		if (marked[tree])
			list[n++] = tree;
	free(marked);
	*n_broken = n;
	return 0;
}

typedef struct mender {
	odo_forest *w;
	uint8_t *port; /* [n] the tree: port towards its destination */
	uint32_t *depth;
	uint32_t *path;
	uint32_t *queue, *bucket; /* switches in order of depth; where each depth starts */
	uint8_t *rerouted;
} mender;

enum { UNSEEN = UINT32_MAX, ON_PATH = UINT32_MAX - 1, LOST = UINT32_MAX - 2 };

static uint32_t follow(const mender *m, uint32_t s)
{
	return m->port[s] == ODO_NO_PORT ? ODO_NONE
					 : m->w->next[m->w->f->first_slot[s] + m->port[s] - 1];
}

/* Depth of what still arrives; the rest, loops included, is LOST. */
static void measure(mender *m, uint32_t d)
{
	memset(m->depth, 0xFF, m->w->n * sizeof *m->depth);
	m->depth[d] = 0;
	for (uint32_t s = 0; s < m->w->n; s++) {
		uint32_t n_path = 0, at = s;
		while (at != ODO_NONE && m->depth[at] == UNSEEN) {
			m->depth[at] = ON_PATH;
			m->path[n_path++] = at;
			at = follow(m, at);
		}
		uint32_t depth = at == ODO_NONE || m->depth[at] >= LOST ? LOST : m->depth[at];
		while (n_path) {
			depth = depth == LOST ? LOST : depth + 1;
			m->depth[m->path[--n_path]] = depth;
		}
	}
}

/* Switches that arrive, in order of depth (a counting sort). */
static uint32_t sort_served(mender *m)
{
	uint32_t n = m->w->n, n_served = 0;
	memset(m->bucket, 0, (n + 2ul) * sizeof *m->bucket);
	for (uint32_t s = 0; s < n; s++)
		if (m->depth[s] != LOST)
			m->bucket[m->depth[s] + 1]++;
	for (uint32_t i = 1; i < n + 2; i++)
		m->bucket[i] += m->bucket[i - 1];
	for (uint32_t s = 0; s < n; s++) {
		if (m->depth[s] != LOST) {
			m->path[m->bucket[m->depth[s]]++] = s;
			n_served++;
		}
	}
	return n_served;
}

/* Shortest depth of the lost: breadth first from all that arrive, each entering in its turn. */
static void reach_lost(mender *m)
{
	const odo_forest *w = m->w;
	uint32_t n_served = sort_served(m), served = 0, head = 0, tail = 0;
	while (served < n_served || head < tail) {
		bool own = head == tail || (served < n_served &&
					    m->depth[m->path[served]] <= m->depth[m->queue[head]]);
		uint32_t t = own ? m->path[served++] : m->queue[head++];
		for (uint32_t i = w->f->first_slot[t]; i < w->f->first_slot[t + 1]; i++) {
			uint32_t s = w->next[i];
			if (s == ODO_NONE || m->depth[s] != LOST)
				continue;
			m->depth[s] = m->depth[t] + 1;
			m->rerouted[s] = 1;
			m->queue[tail++] = s;
		}
	}
}

/* How well a detour by `slot` fits: turns against the order of classes come last, and ties
 * are dealt out by destination and cable. */
static uint64_t dislike(const mender *m, unsigned k, uint32_t d, uint32_t slot)
{
	const odo_forest *w = m->w;
	uint32_t t = w->next[slot];
	unsigned turn = 0;
	if (t != d && m->port[t] != ODO_NO_PORT) {
		unsigned here = w->rank[k][w->class_of[slot]];
		unsigned then = w->rank[k][w->class_of[w->f->first_slot[t] + m->port[t] - 1]];
		turn = here < then ? 0 : here == then ? 1 : 2;
	}
	uint32_t hash = (odo_node_hash(w->f, t) ^ (slot - w->f->first_slot[w->f->owner[slot]])) *
				0x9E3779B1u ^
			odo_node_hash(w->f, d) * (2 * k + 1);
	return (uint64_t)turn << 32 | hash * 0x85EBCA6Bu;
}

static void choose(mender *m, unsigned k, uint32_t d, uint32_t s)
{
	const odo_forest *w = m->w;
	uint64_t best = UINT64_MAX;
	for (uint32_t i = w->f->first_slot[s]; i < w->f->first_slot[s + 1]; i++) {
		uint32_t t = w->next[i];
		if (t == ODO_NONE || t == s || m->depth[t] + 1 != m->depth[s])
			continue;
		uint64_t cost = dislike(m, k, d, i);
		if (cost < best) {
			best = cost;
			m->port[s] = (uint8_t)(i - w->f->first_slot[s] + 1);
		}
	}
}

/* By growing depth, so that the port of the next switch is known when a turn is judged. */
static void choose_all(mender *m, unsigned k, uint32_t d)
{
	uint32_t n_lost = 0;
	for (uint32_t s = 0; s < m->w->n; s++)
		n_lost += m->rerouted[s];
	for (uint32_t i = 0; i < n_lost; i++)
		choose(m, k, d, m->queue[i]);
}

static void mend_tree(mender *m, uint32_t tree)
{
	odo_forest *w = m->w;
	unsigned k = tree / w->n;
	uint32_t d = tree % w->n;
	memset(m->rerouted, 0, w->n);
	for (uint32_t s = 0; s < w->n; s++)
		m->port[s] = odo_forest_row(w, k, s)[d];
	measure(m, d);
	reach_lost(m);
	choose_all(m, k, d);
	for (uint32_t s = 0; s < w->n; s++)
		if (m->rerouted[s])
			odo_forest_row(w, k, s)[d] = m->port[s];
}

int odo_forest_mend(odo_forest *w, const uint32_t *broken, uint32_t n_broken, odo_error *err)
{
	mender m = {.w = w};
	m.port = odo_new(w->n, 1);
	m.rerouted = odo_new(w->n, 1);
	m.depth = odo_new(w->n, sizeof *m.depth);
	m.path = odo_new(w->n, sizeof *m.path);
	m.queue = odo_new(w->n, sizeof *m.queue);
	m.bucket = odo_new(w->n + 2ul, sizeof *m.bucket);
	bool room = m.port && m.rerouted && m.depth && m.path && m.queue && m.bucket;
	for (uint32_t i = 0; room && i < n_broken; i++)
		mend_tree(&m, broken[i]);
	free(m.port);
	free(m.rerouted);
	free(m.depth);
	free(m.path);
	free(m.queue);
	free(m.bucket);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for detours");
}

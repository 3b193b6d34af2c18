/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Things that paths cross are numbered: channels by slot, then cables by the lower slot of both,
 * then nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/path.h"

typedef struct counts {
	const odo_tables *t;
	const odo_measured *pair;
	size_t n_pairs;
	bool *explained;       /* [n_pairs] */
	uint32_t *slow, *fine; /* [things] paths over each; of slow ones those not explained */
	uint32_t *all_slow;    /* [things] slow paths, also explained ones */
	uint32_t n_things;
} counts;

enum { MOST_THINGS = 3 * (ODO_MAX_PATH + 3) + 1 };

/* @return the number of things that the path of a pair crosses; 0 if it does not arrive */
static uint32_t list_things(const counts *c, const odo_measured *pair, uint32_t *thing)
{
	const odo_fabric *f = c->t->fabric;
	uint32_t n = 0, lid = f->port_lid[f->host_slot[pair->to]], path[ODO_MAX_PATH + 3];
	uint32_t hops = lid ? odo_follow(c->t, pair->from, lid, path) : 0;
	for (uint32_t i = 0; i < hops; i++) {
		uint32_t far = f->peer[path[i]];
		thing[n++] = path[i];
		thing[n++] = f->n_slots + (far < path[i] ? far : path[i]);
		thing[n++] = 2 * f->n_slots + f->owner[path[i]];
	}
	if (hops)
		thing[n++] = 2 * f->n_slots + f->owner[f->host_slot[pair->to]];
	return n;
}

static void count_measured_paths(counts *c)
{
	uint32_t thing[MOST_THINGS];
	for (size_t i = 0; i < c->n_pairs; i++) {
		uint32_t n = list_things(c, &c->pair[i], thing);
		c->explained[i] = !n || !c->pair[i].slow;
		for (uint32_t k = 0; k < n; k++) {
			c->slow[thing[k]] += c->pair[i].slow;
			c->all_slow[thing[k]] += c->pair[i].slow;
			c->fine[thing[k]] += !c->pair[i].slow;
		}
	}
}

/* Take the paths over a suspect from the slow ones. */
static void explain_paths(counts *c, uint32_t suspect)
{
	uint32_t thing[MOST_THINGS];
	for (size_t i = 0; i < c->n_pairs; i++) {
		uint32_t n = c->explained[i] ? 0 : list_things(c, &c->pair[i], thing), k = 0;
		while (k < n && thing[k] != suspect)
			k++;
		if (k == n)
			continue;
		c->explained[i] = true;
		for (k = 0; k < n; k++)
			c->slow[thing[k]]--;
	}
}

static size_t count_unexplained(const counts *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_pairs; i++)
		n += !c->explained[i];
	return n;
}

static double score_of(const counts *c, uint32_t i, size_t n_left)
{
	return c->slow[i] ? c->slow[i] / sqrt((double)n_left * (c->slow[i] + c->fine[i])) : 0;
}

/* Count the other cables with the same score. */
static uint32_t count_alike(const counts *c, uint32_t number, size_t n_left, double score)
{
	const odo_fabric *f = c->t->fabric;
	uint32_t slot = number % f->n_slots, n = 0;
	bool is_node = number >= 2 * f->n_slots;
	for (uint32_t i = f->n_slots; i < 2 * f->n_slots; i++)
		if (score_of(c, i, n_left) >= score &&
		    (is_node || (i - f->n_slots != slot && i - f->n_slots != f->peer[slot])))
			n++;
	return n;
}

static odo_suspect best_suspect(const counts *c, size_t n_left, uint32_t *number)
{
	const odo_fabric *f = c->t->fabric;
	odo_suspect best = {.score = -1};
	for (uint32_t i = 0; i < c->n_things; i++) {
		double score = score_of(c, i, n_left);
		if (score <= best.score)
			continue;
		*number = i;
		best = (odo_suspect){.slot = i < 2 * f->n_slots ? i % f->n_slots : ODO_NONE,
				     .both = i >= f->n_slots && i < 2 * f->n_slots,
				     .node = i < 2 * f->n_slots ? ODO_NONE : i - 2 * f->n_slots,
				     .n_slow = c->all_slow[i],
				     .n_fine = c->fine[i],
				     .n_explained = c->slow[i],
				     .score = score};
	}
	best.n_alike = count_alike(c, *number, n_left, best.score);
	return best;
}

int odo_suspects_find(const odo_tables *t, const odo_measured *pairs, size_t n_pairs, uint32_t most,
		      odo_suspect *out, uint32_t *n, odo_error *err)
{
	uint32_t n_things = 2 * t->fabric->n_slots + t->fabric->n_nodes, number = 0;
	counts c = {.t = t,
		    .pair = pairs,
		    .n_pairs = n_pairs,
		    .explained = odo_new(n_pairs, sizeof *c.explained),
		    .slow = odo_new(n_things, sizeof *c.slow),
		    .fine = odo_new(n_things, sizeof *c.fine),
		    .all_slow = odo_new(n_things, sizeof *c.all_slow),
		    .n_things = n_things};
	bool room = c.explained && c.slow && c.fine && c.all_slow;
	*n = 0;
	if (room)
		count_measured_paths(&c);
	for (size_t left; room && *n < most && (left = count_unexplained(&c)) > 0; ++*n) {
		out[*n] = best_suspect(&c, left, &number);
		explain_paths(&c, number);
	}
	free(c.explained);
	free(c.slow);
	free(c.fine);
	free(c.all_slow);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "out of memory");
}

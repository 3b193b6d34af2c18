/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/global_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/graph/shares.h"
#include "base/lists.h"

/* If this share of pairs or more have fewer cables than usual, that may be by design: the remaining
 * ports do not suffice for another round. */
static const odo_share by_design = {1, 4};

static int compare_links(const void *a, const void *b)
{
	const odo_group_link *x = a, *y = b;
	for (int i = 0; i < 2; i++)
		if (x->group[i] != y->group[i])
			return x->group[i] < y->group[i] ? -1 : 1;
	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static uint32_t list_global_links(odo_global_pairs *p)
{
	const odo_clos *t = p->t;
	uint32_t n = 0;
	for (uint32_t e = 0; e < t->g->n_edges; e++) {
		uint32_t a = p->group[t->g->end[e][0]], b = p->group[t->g->end[e][1]];
		if (odo_clos_global(t, e) && a != b && a != ODO_NONE && b != ODO_NONE)
			p->link[n++] = (odo_group_link){{a < b ? a : b, a < b ? b : a}, e};
	}
	qsort(p->link, n, sizeof *p->link, compare_links);
	return n;
}

static void list_group_pairs(odo_global_pairs *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const odo_group_link *link = &p->link[i];
		odo_group_pair *last = p->n ? &p->pair[p->n - 1] : NULL;
		if (!last || memcmp(last->group, link->group, sizeof link->group)) {
			last = &p->pair[p->n++];
			*last = (odo_group_pair){{link->group[0], link->group[1]}, 0, i, 0};
		}
		last->n_cables += p->t->g->n_cables[link->edge];
		last->n++;
	}
}

uint32_t odo_global_pairs_most(const odo_global_pairs *pairs)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < pairs->n; i++)
		most = pairs->pair[i].n_cables > most ? pairs->pair[i].n_cables : most;
	return most;
}

/* Find the number of cables that more than half of all pairs have, if few have less. */
static int find_usual_pair_cables(odo_global_pairs *p)
{
	uint32_t most = odo_global_pairs_most(p), usual = 0;
	uint32_t *have = odo_new((size_t)most + 1, sizeof *have);
	if (!have)
		return ODO_ENOMEM;
	uint64_t all = (uint64_t)p->n_groups * (p->n_groups - 1) / 2, less = all - p->n;
	for (uint32_t i = 0; i < p->n; i++)
		if (odo_majority(++have[p->pair[i].n_cables], all))
			usual = p->pair[i].n_cables;
	for (uint32_t i = 0; i < usual; i++)
		less += have[i];
	free(have);
	p->usual = odo_reaches(less, by_design, all) ? 0 : usual;
	return 0;
}

int odo_global_pairs_make(const odo_clos *t, const uint32_t *group, uint32_t n_groups,
			  odo_global_pairs *out)
{
	*out = (odo_global_pairs){.t = t, .group = group, .n_groups = n_groups};
	out->link = odo_new(t->g->n_edges, sizeof *out->link);
	out->pair = odo_new(t->g->n_edges, sizeof *out->pair);
	if (!out->link || !out->pair)
		return ODO_ENOMEM;
	list_group_pairs(out, list_global_links(out));
	return find_usual_pair_cables(out);
}

void odo_global_pairs_clear(odo_global_pairs *pairs)
{
	free(pairs->link);
	free(pairs->pair);
	*pairs = (odo_global_pairs){0};
}

/* Spines by group, and the number of global cables of each. */
typedef struct spines {
	const odo_global_pairs *p;
	odo_lists of;
	uint32_t *cables; /* [n] */
	uint32_t usual;   /* the highest number that more than a few spines have */
} spines;

static void count_spine_cables(spines *x, const uint8_t *wrong)
{
	const odo_clos *t = x->p->t;
	uint32_t have[UINT8_MAX + 1] = {0}, n = 0;
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		for (int side = 0; side < 2 && odo_clos_global(t, e); side++)
			x->cables[t->g->end[e][side]] += t->g->n_cables[e] - wrong[e];
	for (uint32_t v = 0; v < t->g->n; v++)
		if (t->level[v] == 1 && x->p->group[v] != ODO_NONE && x->cables[v] <= UINT8_MAX) {
			have[x->cables[v]]++;
			n++;
		}
	x->usual = odo_usual_most(have, 0, UINT8_MAX, odo_at_least_rare(n));
}

/* Return the spine of a group with the fewest global cables, if it has less than usual, or
 * ODO_NONE. */
static uint32_t open_spine(const spines *x, uint32_t group)
{
	uint32_t best = ODO_NONE, least = x->usual;
	for (uint32_t i = x->of.first[group]; i < x->of.first[group + 1]; i++) {
		uint32_t v = x->of.item[i];
		if (x->p->t->level[v] != 1 || x->cables[v] >= least)
			continue;
		best = v;
		least = x->cables[v];
	}
	return best;
}

/* List one fault for each cable. Both spines then lack one cable less. */
static int add_absent_global(spines *x, uint32_t a, uint32_t b, uint32_t n, odo_faults *list)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t end[2] = {open_spine(x, a), open_spine(x, b)};
		if (end[0] == ODO_NONE || end[1] == ODO_NONE)
			return 0;
		odo_fault *fault = odo_faults_add(list, ODO_FAULT_MISSING_LINK);
		if (!fault)
			return ODO_ENOMEM;
		for (int side = 0; side < 2; side++) {
			fault->node[side] = x->p->t->g->vertex[end[side]];
			x->cables[end[side]]++;
		}
	}
	return 0;
}

/* Walk all pairs of groups in parallel with the list of pairs that have cables. */
static int add_all_absent(spines *x, odo_faults *list)
{
	const odo_global_pairs *p = x->p;
	uint32_t next = 0, usual = p->usual;
	int status = 0;
	for (uint32_t a = 0; a < p->n_groups && !status; a++)
		for (uint32_t b = a + 1; b < p->n_groups && !status; b++) {
			bool has = next < p->n && p->pair[next].group[0] == a &&
				   p->pair[next].group[1] == b;
			uint32_t cables = has ? p->pair[next++].n_cables : 0;
			if (cables < usual)
				status = add_absent_global(x, a, b, usual - cables, list);
		}
	return status;
}

/* If exactly two ports are open, in different groups, one cable between them is missing, even if
 * other cables join these groups. With more open ports nothing shows which pairs were joined, so a
 * further fault would be a guess. */
static int add_only_absent(spines *x, odo_faults *list)
{
	const odo_clos *t = x->p->t;
	uint32_t group[2] = {ODO_NONE, ODO_NONE}, n = 0;
	for (uint32_t v = 0; v < t->g->n; v++)
		if (t->level[v] == 1 && x->p->group[v] != ODO_NONE && x->cables[v] < x->usual) {
			group[n > 0] = x->p->group[v];
			n += x->usual - x->cables[v];
		}
	return n == 2 && group[1] != ODO_NONE && group[0] != group[1]
		       ? add_absent_global(x, group[0], group[1], 1, list)
		       : 0;
}

int odo_global_pairs_absent(const odo_global_pairs *p, const uint8_t *wrong, odo_faults *list)
{
	spines x = {.p = p};
	x.cables = odo_new(p->t->g->n, sizeof *x.cables);
	int status = odo_lists_make(p->group, p->t->g->n, p->n_groups, &x.of);
	if (!x.cables)
		status = ODO_ENOMEM;
	if (!status) {
		count_spine_cables(&x, wrong);
		status = add_only_absent(&x, list);
		if (!status)
			status = add_all_absent(&x, list);
	}
	odo_lists_clear(&x.of);
	free(x.cables);
	return status;
}

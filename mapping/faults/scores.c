/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/scores.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "mapping/graph/shares.h"

/* For every two global links of v: their groups share a switch once more, or less. */
static void pair_up(odo_scores *s, uint32_t v)
{
	const odo_links *g = s->h->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		if (!odo_scores_global(s, g->edge[a]))
			continue;
		for (uint32_t b = g->first[v]; b < g->first[v + 1]; b++)
			if (a != b && odo_scores_global(s, g->edge[b]))
				s->together[(size_t)odo_scores_group(s, g->to[a]) * s->n +
					    odo_scores_group(s, g->to[b])]++;
	}
}

void odo_scores_add(const odo_scores *s, uint32_t v, uint32_t group, bool own, odo_score *sum)
{
	const odo_links *g = s->h->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t x = odo_scores_global(s, g->edge[a]) ? odo_scores_group(s, g->to[a])
							      : group;
		if (x == group)
			continue;
		uint32_t n = s->together[(size_t)x * s->n + group];
		sum->companions++;
		sum->shared += n > own ? n - own : 0;
	}
}

uint32_t odo_scores_of(const odo_scores *s, uint32_t e)
{
	uint32_t u = s->h->g->end[e][0], v = s->h->g->end[e][1];
	odo_score sum = {0};
	odo_scores_add(s, u, odo_scores_group(s, v), true, &sum);
	odo_scores_add(s, v, odo_scores_group(s, u), true, &sum);
	return sum.companions ? (uint32_t)(ODO_SCORE_ONE * sum.shared / sum.companions) : s->usual;
}

static int find_usual(odo_scores *s)
{
	const odo_finding *h = s->h;
	uint32_t *all = odo_new(h->g->n_edges, sizeof *all), count = 0;
	if (!all)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		if (odo_scores_global(s, e))
			all[count++] = odo_scores_of(s, e);
	qsort(all, count, sizeof *all, odo_by_u32);
	s->usual = count ? all[count / 2] : 0;
	free(all);
	return 0;
}

/* The number that most switches have. Where damage left none so many: the most that is usual. */
static void count_ports(odo_scores *s)
{
	uint32_t n = s->h->g->n, count[ODO_MAX_PORTS + 1] = {0};
	for (uint32_t v = 0; v < n; v++)
		count[s->global[v]]++;
	for (s->ports = ODO_MAX_PORTS; s->ports > 0; s->ports--)
		if (odo_majority(count[s->ports], n))
			return;
	s->ports = odo_usual_most(count, 0, ODO_MAX_PORTS, odo_more_than_rare(n));
}

static void count_link_cables(odo_scores *s)
{
	uint32_t count[256] = {0};
	for (uint32_t e = 0; e < s->h->g->n_edges; e++)
		if (odo_scores_global(s, e))
			count[s->h->g->n_cables[e]]++;
	for (uint32_t i = 1; i < 256; i++)
		s->cables = count[i] > count[s->cables] ? i : s->cables;
}

void odo_scores_recount(odo_scores *s)
{
	const odo_links *g = s->h->g;
	memset(s->global, 0, g->n * sizeof *s->global);
	for (uint32_t e = 0; e < g->n_edges; e++) {
		s->global[g->end[e][0]] += odo_scores_global(s, e);
		s->global[g->end[e][1]] += odo_scores_global(s, e);
	}
}

int odo_scores_make(odo_finding *h, odo_scores *out)
{
	size_t n = h->placement.size[0];
	*out = (odo_scores){.h = h, .n = h->placement.size[0]};
	out->together = odo_new(n * n, sizeof *out->together);
	out->global = odo_new(h->g->n, sizeof *out->global);
	if (!out->together || !out->global)
		return ODO_ENOMEM;
	odo_scores_recount(out);
	count_ports(out);
	count_link_cables(out);
	return 0;
}

void odo_scores_clear(odo_scores *s)
{
	free(s->together);
	free(s->global);
	free(s->room);
	odo_parallel_pairs_clear(&s->beside);
}

int odo_scores_find(odo_scores *s)
{
	for (uint32_t v = 0; v < s->h->g->n; v++)
		pair_up(s, v);
	return find_usual(s);
}

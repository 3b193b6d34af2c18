/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/scores.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "mapping/graph/shares.h"

/* Count for every two global links of v that their groups share a switch. */
static void count_shared_switches(odo_scores *scores, uint32_t v)
{
	const odo_links *g = scores->h->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		if (!odo_scores_global(scores, g->edge[a]))
			continue;
		for (uint32_t b = g->first[v]; b < g->first[v + 1]; b++)
			if (a != b && odo_scores_global(scores, g->edge[b]))
				scores->together[(size_t)odo_scores_group(scores, g->to[a]) *
							 scores->n +
						 odo_scores_group(scores, g->to[b])]++;
	}
}

void odo_scores_add(const odo_scores *scores, uint32_t v, uint32_t group, bool own, odo_score *sum)
{
	const odo_links *g = scores->h->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t x = odo_scores_global(scores, g->edge[a])
				     ? odo_scores_group(scores, g->to[a])
				     : group;
		if (x == group)
			continue;
		uint32_t n = scores->together[(size_t)x * scores->n + group];
		sum->companions++;
		sum->shared += n > own ? n - own : 0;
	}
}

uint32_t odo_scores_of(const odo_scores *scores, uint32_t e)
{
	uint32_t u = scores->h->g->end[e][0], v = scores->h->g->end[e][1];
	odo_score sum = {0};
	odo_scores_add(scores, u, odo_scores_group(scores, v), true, &sum);
	odo_scores_add(scores, v, odo_scores_group(scores, u), true, &sum);
	return sum.companions ? (uint32_t)(ODO_SCORE_ONE * sum.shared / sum.companions)
			      : scores->usual;
}

static int find_usual_score(odo_scores *scores)
{
	const odo_finding *h = scores->h;
	uint32_t *all = odo_new(h->g->n_edges, sizeof *all), count = 0;
	if (!all)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		if (odo_scores_global(scores, e))
			all[count++] = odo_scores_of(scores, e);
	qsort(all, count, sizeof *all, odo_by_u32);
	scores->usual = count ? all[count / 2] : 0;
	free(all);
	return 0;
}

/* Share of switches that get a surplus cable if one cable in fifty is wrong; it is lower than
 * this. */
static const odo_share some = {3, 10};

/* Return the number that most switches have and few exceed. If there is none, because cables are
 * missing or groups were never bought, return the highest usual number. */
static uint32_t usual_number(const odo_scores *scores, bool *sure)
{
	uint32_t n = scores->h->g->n, above = 0, count[ODO_MAX_PORTS + 1] = {0};
	for (uint32_t v = 0; v < n; v++)
		count[scores->global[v]]++;
	*sure = true;
	for (uint32_t most = ODO_MAX_PORTS; most > 0 && !odo_reaches(above, some, n);
	     above += count[most--])
		if (odo_majority(count[most], n))
			return most;
	*sure = false;
	return odo_usual_most(count, 0, ODO_MAX_PORTS, odo_more_than_rare(n));
}

static void count_link_cables(odo_scores *scores)
{
	uint32_t count[256] = {0};
	for (uint32_t e = 0; e < scores->h->g->n_edges; e++)
		if (odo_scores_global(scores, e))
			count[scores->h->g->n_cables[e]]++;
	for (uint32_t i = 1; i < 256; i++)
		scores->cables = count[i] > count[scores->cables] ? i : scores->cables;
}

void odo_scores_recount(odo_scores *scores, bool cables)
{
	const odo_links *g = scores->h->g;
	memset(scores->global, 0, g->n * sizeof *scores->global);
	for (uint32_t e = 0; e < g->n_edges; e++) {
		if (!odo_scores_global(scores, e))
			continue;
		scores->global[g->end[e][0]] += cables ? g->n_cables[e] : 1;
		scores->global[g->end[e][1]] += cables ? g->n_cables[e] : 1;
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
	odo_scores_recount(out, true);
	out->cabled = usual_number(out, &out->sure);
	odo_scores_recount(out, false);
	out->ports = usual_number(out, &out->sure);
	count_link_cables(out);
	return 0;
}

void odo_scores_clear(odo_scores *scores)
{
	free(scores->together);
	free(scores->global);
	free(scores->room);
	odo_parallel_pairs_clear(&scores->beside);
}

int odo_scores_find(odo_scores *scores)
{
	for (uint32_t v = 0; v < scores->h->g->n; v++)
		count_shared_switches(scores, v);
	return find_usual_score(scores);
}

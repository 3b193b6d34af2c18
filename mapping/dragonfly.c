/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Paper 004, section 2.2, takes the classes of its relation with more than one link for the
 * groups. That breaks where two global links join the same two groups, since they close
 * rectangles with local links, and where global links close triangles among themselves. Here
 * groups are clusters: sets of switches with few links missing inside and few links leaving.
 * Seeds are unions of links in many triangles; then each switch moves to where it belongs.
 */
#include "mapping/dragonfly.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "mapping/unionfind.h"

typedef struct clusters {
	uint32_t *of;    /* [n] cluster of each vertex: the number of one of its members */
	uint32_t *size;  /* [n] by cluster */
	uint32_t *links; /* [n] scratch, zero: links of one vertex into each cluster */
} clusters;

static void seed(const odo_links *g, const uint32_t *triangles, uint32_t least, clusters *k)
{
	odo_uf_reset(k->of, g->n);
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (triangles[e] >= least)
			odo_uf_unite(k->of, g->end[e][0], g->end[e][1]);
	odo_uf_flatten(k->of, g->n);
	memset(k->size, 0, g->n * sizeof *k->size);
	for (uint32_t v = 0; v < g->n; v++)
		k->size[k->of[v]]++;
}

/* Pairs that a set of complete groups lacks, and links that leave the groups. */
static uint64_t cost(const odo_links *g, const clusters *k)
{
	uint64_t inside = 0, pairs = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		inside += k->of[g->end[e][0]] == k->of[g->end[e][1]];
	for (uint32_t v = 0; v < g->n; v++)
		pairs += (uint64_t)k->size[v] * (k->size[v] - 1) / 2;
	return pairs - inside + g->n_edges - inside;
}

/* Move v to the cluster that lowers the cost most. True if it moved. */
static bool move(const odo_links *g, uint32_t v, clusters *k)
{
	uint32_t own = k->of[v], best = own;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		k->links[k->of[g->to[a]]]++;
	int64_t most = 2 * (int64_t)k->links[own] - (k->size[own] - 1);
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t there = k->of[g->to[a]];
		int64_t gain = 2 * (int64_t)k->links[there] - k->size[there];
		if (there != own && gain > most) {
			most = gain;
			best = there;
		}
	}
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		k->links[k->of[g->to[a]]] = 0;
	k->size[own]--;
	k->size[best]++;
	k->of[v] = best;
	return best != own;
}

static void improve(const odo_links *g, clusters *k)
{
	bool moved = true;
	for (int pass = 0; pass < 8 && moved; pass++) {
		moved = false;
		for (uint32_t v = 0; v < g->n; v++)
			moved |= move(g, v, k);
	}
}

static uint32_t most_triangles(const odo_links *g, const uint32_t *triangles)
{
	uint32_t most = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (triangles[e] > most)
			most = triangles[e];
	return most;
}

/* Try seeds from strict to lenient and keep the cheapest clusters. */
static int cluster(const odo_links *g, const uint32_t *triangles, clusters *k, odo_error *err)
{
	uint32_t *best = odo_new(g->n, sizeof *best), last = 0;
	uint64_t least = UINT64_MAX;
	if (!best)
		return odo_fail(err, ODO_ENOMEM, "no memory for groups");
	uint32_t most = most_triangles(g, triangles);
	for (uint32_t tenths = 10; tenths > 0; tenths -= 1 + tenths / 4) {
		uint32_t threshold = (most * tenths + 9) / 10;
		if (!threshold || threshold == last)
			continue;
		last = threshold;
		seed(g, triangles, threshold, k);
		improve(g, k);
		uint64_t c = cost(g, k);
		if (c < least) {
			least = c;
			memcpy(best, k->of, g->n * sizeof *best);
		}
	}
	memcpy(k->of, best, g->n * sizeof *best);
	free(best);
	return least < UINT64_MAX ? 0
				  : odo_fail(err, ODO_EUNKNOWN, "no links close triangles");
}

/* Number groups and their members in order of the smallest vertex. */
static int place(const odo_links *g, clusters *k, odo_grid *p, odo_error *err)
{
	int status = odo_grid_make(g->n, 2, p, err);
	if (status)
		return status;
	p->factor[0] = ODO_GROUPS;
	p->factor[1] = ODO_COMPLETE;
	uint32_t *number = k->links;
	memset(number, 0xFF, g->n * sizeof *number);
	memset(k->size, 0, g->n * sizeof *k->size);
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t *at = odo_grid_at(p, v), c = k->of[v];
		if (number[c] == ODO_NONE)
			number[c] = p->size[0]++;
		at[0] = number[c];
		at[1] = k->size[c]++;
		if (k->size[c] > p->size[1])
			p->size[1] = k->size[c];
	}
	return 0;
}

int odo_dragonfly_find(const odo_links *g, const odo_support *s, odo_grid *p, odo_error *err)
{
	*p = (odo_grid){0};
	clusters k = {odo_new(g->n, sizeof *k.of), odo_new(g->n, sizeof *k.size),
		      odo_new(g->n, sizeof *k.links)};
	int status = k.of && k.size && k.links
			     ? 0
			     : odo_fail(err, ODO_ENOMEM, "no memory for groups");
	if (!status)
		status = cluster(g, s->triangles, &k, err);
	if (!status)
		status = place(g, &k, p, err);
	free(k.of);
	free(k.size);
	free(k.links);
	return status;
}

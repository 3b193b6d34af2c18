/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Paper 004, section 2.2, takes classes of its relation with more than one link as groups. This
 * fails if two global links join the same two groups, because they close rectangles with local
 * links. It also fails if global links close triangles among themselves. Here groups are clusters:
 * sets of switches with few links missing inside and few links leaving. Seeds are sets joined by
 * links in many triangles. Then each switch moves to the best cluster. If two clusters are about
 * equally good, as for the last switches of a damaged group, the number of cables between groups
 * decides.
 */
#include "mapping/dragonfly/dragonfly.h"

#include <string.h>

#include "base/arena.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

typedef struct clusters {
	uint32_t *of;      /* [n] cluster of each vertex, named by the number of one member */
	uint32_t *best;    /* [n] clusters of least cost so far */
	uint32_t *size;    /* [n] by cluster */
	uint32_t *links;   /* [n] scratch, zero: links of one vertex into each cluster */
	uint32_t *between; /* [n] scratch, zero: cables from one cluster to each other one */
	uint32_t *first;   /* [n + 2] into member, by cluster */
	uint32_t *member;  /* [n] vertices by cluster, when they were listed last */
} clusters;

static void measure_clusters(uint32_t n, clusters *k)
{
	memset(k->size, 0, n * sizeof *k->size);
	for (uint32_t v = 0; v < n; v++)
		k->size[k->of[v]]++;
}

static void seed_clusters(const odo_links *g, const uint32_t *triangles, uint32_t least,
			  clusters *k)
{
	odo_uf_reset(k->of, g->n);
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (triangles[e] >= least)
			odo_uf_unite(k->of, g->end[e][0], g->end[e][1]);
	odo_uf_flatten(k->of, g->n);
	measure_clusters(g->n, k);
}

/* Share of the triangles of a complete graph that remain if a switch or two are missing. */
static const odo_share nearly_clique = {8, 10};

/* The group of v consists of its neighbours by links in many triangles, if these are linked to each
 * other. A switch that is also in a clique of global links fails this test. It joins its group
 * later. */
static void seed_dense(const odo_links *g, const uint32_t *triangles, uint32_t least, clusters *k)
{
	for (uint32_t v = 0; v < g->n; v++)
		k->of[v] = ODO_NONE;
	for (uint32_t v = 0; v < g->n; v++) {
		uint64_t n = 0, inside = 0;
		if (k->of[v] != ODO_NONE)
			continue;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
			if (triangles[g->edge[a]] < least || k->of[g->to[a]] != ODO_NONE)
				continue;
			n++;
			inside += triangles[g->edge[a]];
		}
		/* In a complete graph each of the n links is in n - 1 triangles. */
		if (!n || !odo_reaches(inside, nearly_clique, n * (n - 1)) || inside > n * n)
			continue;
		k->of[v] = v;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			if (triangles[g->edge[a]] >= least && k->of[g->to[a]] == ODO_NONE)
				k->of[g->to[a]] = v;
	}
	for (uint32_t v = 0; v < g->n; v++)
		if (k->of[v] == ODO_NONE)
			k->of[v] = v;
	measure_clusters(g->n, k);
}

/* Weights of a missing link within a cluster and of a link that leaves it. Each leaving link counts
 * at both clusters. */
enum { MISSING = 1, WHOLE = 2 };

/* Rounds after which clusters rarely change. A round may undo the previous one, so a limit is
 * needed. */
enum { ROUNDS = 8, ROUNDS_OF_SETTLING = 4 };

/* Links visited in the time of moving both ends of a link (for the budget). */
enum { WORK_OF_MOVE = 6 };

/* A choice is close if its gain differs by less than this. The last switches of a damaged group
 * have such gains. */
enum { CLOSE = 2 * WHOLE };

static uint64_t cost_of_clusters(const odo_links *g, const clusters *k)
{
	uint64_t inside = 0, pairs = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		inside += k->of[g->end[e][0]] == k->of[g->end[e][1]];
	for (uint32_t v = 0; v < g->n; v++)
		pairs += (uint64_t)k->size[v] * (k->size[v] - 1) / 2;
	return MISSING * (pairs - inside) + (WHOLE - MISSING) * (g->n_edges - inside);
}

/* Return the gain of v in a cluster of `size` other switches, `links` of them neighbours. */
static int64_t gain_of_move(uint32_t links, uint32_t size)
{
	return WHOLE * (int64_t)links - MISSING * (int64_t)size;
}

static void count_links_to_clusters(const odo_links *g, uint32_t v, clusters *k)
{
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		k->links[k->of[g->to[a]]]++;
}

static void forget_links(const odo_links *g, uint32_t v, clusters *k)
{
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		k->links[k->of[g->to[a]]] = 0;
}

static void assign_to_cluster(clusters *k, uint32_t v, uint32_t cluster)
{
	k->size[k->of[v]]--;
	k->size[cluster]++;
	k->of[v] = cluster;
}

/* Move v to the cluster with the highest gain. Return true if it moved. */
static bool move_to_cluster(const odo_links *g, uint32_t v, clusters *k)
{
	uint32_t own = k->of[v], best = own;
	count_links_to_clusters(g, v, k);
	int64_t most = gain_of_move(k->links[own], k->size[own] - 1);
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t there = k->of[g->to[a]];
		if (there != own && gain_of_move(k->links[there], k->size[there]) > most) {
			most = gain_of_move(k->links[there], k->size[there]);
			best = there;
		}
	}
	forget_links(g, v, k);
	assign_to_cluster(k, v, best);
	return best != own;
}

static void improve_clusters(const odo_links *g, clusters *k)
{
	bool moved = true;
	for (int pass = 0; pass < ROUNDS && moved; pass++) {
		moved = false;
		odo_charge(g->budget, WORK_OF_MOVE * (uint64_t)g->n_edges);
		for (uint32_t v = 0; v < g->n; v++)
			moved |= move_to_cluster(g, v, k);
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

/* Try seeds from strict to lenient, and keep the clusters of least cost. */
static int find_clusters(const odo_links *g, const uint32_t *triangles, clusters *k, odo_error *err)
{
	uint32_t most = most_triangles(g, triangles), last = 0;
	uint64_t least = UINT64_MAX;
	for (uint32_t tenths = 10; tenths > 0; tenths -= 1 + tenths / 4) {
		if (last && !odo_uses("lenient seeds"))
			break;
		uint32_t threshold = (most * tenths + 9) / 10;
		if (!threshold || threshold == last)
			continue;
		last = threshold;
		for (int dense = 0; dense < 2 && (!dense || odo_uses("dense seeds")); dense++) {
			if (least < UINT64_MAX && !odo_may_go_on(g->budget))
				break;
			(dense ? seed_dense : seed_clusters)(g, triangles, threshold, k);
			improve_clusters(g, k);
			uint64_t c = cost_of_clusters(g, k);
			if (c < least) {
				least = c;
				memcpy(k->best, k->of, g->n * sizeof *k->best);
			}
		}
	}
	memcpy(k->of, k->best, g->n * sizeof *k->best);
	measure_clusters(g->n, k);
	return least < UINT64_MAX ? 0 : odo_fail(err, ODO_EUNKNOWN, "no links close triangles");
}

/* Return the highest usual number of cables between two clusters. `links` is zero afterwards. */
static uint32_t usual_cluster_cables(const odo_links *g, clusters *k)
{
	uint32_t count[256] = {0}, total = 0;
	for (uint32_t c = 0; c < g->n; c++) {
		for (int pass = 0; pass < 2; pass++) {
			for (uint32_t i = k->first[c]; i < k->first[c + 1]; i++) {
				uint32_t v = k->member[i];
				for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
					uint32_t d = k->of[g->to[a]];
					if (!pass) {
						k->links[d] += g->n_cables[g->edge[a]];
					} else if (k->links[d]) {
						count[k->links[d] < 255 ? k->links[d] : 255] += d !=
												c;
						total += d != c;
						k->links[d] = 0;
					}
				}
			}
		}
	}
	return odo_usual_most(count, 1, 255, odo_more_than_rare(total));
}

/* Add the cables from the members of c, except v, to each cluster, `by` times. */
static void add_others(const odo_links *g, clusters *k, uint32_t v, uint32_t c, uint32_t by)
{
	for (uint32_t i = k->first[c]; i < k->first[c + 1]; i++) {
		uint32_t w = k->member[i];
		if (k->of[w] != c || w == v)
			continue;
		odo_charge(g->budget, odo_degree(g, w));
		for (uint32_t a = g->first[w]; a < g->first[w + 1]; a++)
			k->between[k->of[g->to[a]]] += by * g->n_cables[g->edge[a]];
	}
}

/* Count the clusters that would have more than the usual number of cables to c if v were in c.
 * `links` has v's own links by cluster. */
static uint32_t count_wide_pairs(const odo_links *g, clusters *k, uint32_t v, uint32_t c,
				 uint32_t usual)
{
	uint32_t n = 0;
	add_others(g, k, v, c, 1);
	for (uint32_t b = g->first[v]; b < g->first[v + 1]; b++) {
		uint32_t d = k->of[g->to[b]];
		n += d != c && k->between[d] + k->links[d] > usual;
	}
	add_others(g, k, v, c, UINT32_MAX); /* minus one */
	return n;
}

/* Decide close choices by cables between groups. Return true if v moved. */
static bool reconsider_cluster(const odo_links *g, clusters *k, uint32_t v, uint32_t usual,
			       uint32_t largest)
{
	uint32_t own = k->of[v], best = own;
	bool alone = k->size[own] == 1;
	count_links_to_clusters(g, v, k);
	int64_t here = gain_of_move(k->links[own], k->size[own] - 1), most = here;
	if (here < CLOSE) { /* otherwise no other cluster is close */
		most -= alone ? WHOLE * (int64_t)largest
			      : WHOLE * (int64_t)count_wide_pairs(g, k, v, own, usual);
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
			uint32_t there = k->of[g->to[a]];
			int64_t saved = gain_of_move(k->links[there], k->size[there]);
			if (there == own || k->size[there] >= largest || saved + CLOSE < most)
				continue;
			saved -= WHOLE * (int64_t)count_wide_pairs(g, k, v, there, usual);
			if (saved > most) {
				most = saved;
				best = there;
			}
		}
	}
	forget_links(g, v, k);
	assign_to_cluster(k, v, best);
	return best != own;
}

/* Add the cables from the members of c to each cluster to k->links, `by` times. */
static void add_cables(const odo_links *g, clusters *k, uint32_t c, uint32_t by)
{
	for (uint32_t i = k->first[c]; i < k->first[c + 1]; i++) {
		uint32_t v = k->member[i];
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			k->links[k->of[g->to[a]]] += by * g->n_cables[g->edge[a]];
	}
}

/* Count the clusters with more than the usual number of cables to the union of c and d, once for
 * each link of d. `links` has the cables of c. */
static uint32_t count_shared_groups(const odo_links *g, clusters *k, uint32_t c, uint32_t d,
				    uint32_t usual)
{
	uint32_t n = 0;
	for (uint32_t i = k->first[d]; i < k->first[d + 1]; i++) {
		uint32_t v = k->member[i];
		odo_charge(g->budget, odo_degree(g, v));
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
			uint32_t x = k->of[g->to[a]];
			n += x != c && x != d && k->links[x] + g->n_cables[g->edge[a]] > usual;
		}
	}
	return n;
}

/* Merge c into another cluster if both are parts of one group. Parts have more cables between them
 * than two groups have, and no cables to the same group. Return true if c was merged. */
static bool merge_cluster(const odo_links *g, clusters *k, uint32_t c, uint32_t usual,
			  uint32_t largest)
{
	uint32_t best = ODO_NONE, most = 0;
	add_cables(g, k, c, 1);
	for (uint32_t i = k->first[c]; i < k->first[c + 1]; i++) {
		uint32_t v = k->member[i];
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
			uint32_t d = k->of[g->to[a]];
			uint32_t surplus = k->links[d] > usual ? k->links[d] - usual : 0;
			if (d == c || surplus <= most || k->size[c] + k->size[d] > largest ||
			    count_shared_groups(g, k, c, d, usual) >= surplus)
				continue;
			most = surplus;
			best = d;
		}
	}
	add_cables(g, k, c, UINT32_MAX); /* minus one */
	for (uint32_t i = k->first[c]; i < k->first[c + 1] && best != ODO_NONE; i++)
		assign_to_cluster(k, k->member[i], best);
	return best != ODO_NONE;
}

static void settle_clusters(const odo_links *g, clusters *k)
{
	uint32_t largest = 0;
	bool moved = true;
	for (uint32_t c = 0; c < g->n; c++)
		if (k->size[c] > largest)
			largest = k->size[c];
	for (int pass = 0; pass < ROUNDS_OF_SETTLING && moved; pass++) {
		odo_uf_list(k->of, g->n, NULL, g->n, k->first, k->member);
		uint32_t usual = usual_cluster_cables(g, k);
		moved = false;
		for (uint32_t v = 0;
		     v < g->n && odo_uses("clusters: close calls") && odo_may_go_on(g->budget); v++)
			moved |= reconsider_cluster(g, k, v, usual, largest);
		for (uint32_t c = 0; c < g->n; c++) {
			if (odo_majority(k->size[c], largest) || !k->size[c] ||
			    !odo_uses("clusters: merging parts") || !odo_may_go_on(g->budget))
				continue;
			odo_charge(g->budget, g->n);
			odo_uf_list(k->of, g->n, NULL, g->n, k->first, k->member);
			moved |= merge_cluster(g, k, c, usual, largest);
		}
	}
}

int odo_dragonfly_place(const odo_links *g, const uint32_t *of, odo_placement *placement,
			odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *number = odo_arena_new(&memory, g->n, sizeof *number),
		 *size = odo_arena_new(&memory, g->n, sizeof *size);
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for groups")
				   : odo_placement_make(g->n, 2, placement, err);
	if (!status) {
		placement->factor[0] = ODO_GROUPS;
		placement->factor[1] = ODO_COMPLETE;
	}
	for (uint32_t v = 0; !status && v < g->n; v++) {
		uint32_t *at = odo_placement_at(placement, v), c = of[v];
		if (!size[c])
			number[c] = placement->size[0]++;
		at[0] = number[c];
		at[1] = size[c]++;
		if (size[c] > placement->size[1])
			placement->size[1] = size[c];
	}
	odo_arena_free(&memory);
	return status;
}

int odo_dragonfly_find(const odo_links *g, const odo_support *support, odo_placement *placement,
		       odo_error *err)
{
	odo_arena memory = {0};
	*placement = (odo_placement){0};
	clusters k = {.of = odo_arena_new(&memory, g->n, sizeof *k.of),
		      .best = odo_arena_new(&memory, g->n, sizeof *k.best),
		      .size = odo_arena_new(&memory, g->n, sizeof *k.size),
		      .links = odo_arena_new(&memory, g->n, sizeof *k.links),
		      .between = odo_arena_new(&memory, g->n, sizeof *k.between),
		      .first = odo_arena_new(&memory, (size_t)g->n + 2, sizeof *k.first),
		      .member = odo_arena_new(&memory, g->n, sizeof *k.member)};
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for groups")
				   : find_clusters(g, support->triangles, &k, err);
	if (!status && odo_uses("cables between clusters"))
		settle_clusters(g, &k);
	if (!status)
		status = odo_dragonfly_place(g, k.of, placement, err);
	odo_arena_free(&memory);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Groups of two switches have no triangles, and few rectangles distinguish local links from global
 * ones. But the number of links between two groups is the same for all pairs of groups, or differs
 * by one. So one link is assumed local. Then the neighbours of its ends cannot form one group. This
 * continues until every switch has a partner, or some switch has no possible partner.
 *
 * If a few links are missing, too few links between two groups are no contradiction. The sum of
 * missing links must not exceed the total. Two switches may remain whose own link is missing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/dragonfly/dragonfly.h"
#include "base/odds.h"
#include "base/strategies.h"

/* Edges examined before the search stops. */
#define MOST_STEPS 20000000u
/* At most one link in this many may be missing. With more, other pairings lack equally few. */
#define MISSING 20
#define MOST_OWN 4 /* groups whose own link is missing */
/* A random graph in 2^10 has such uneven numbers of links between groups by chance. */
#define LEAST_BITS 10

typedef struct pairing {
	const odo_links *g;
	bool by_cable;        /* count cables, not links of one or more cables */
	uint32_t least, most; /* minimum and maximum between two groups */
	uint32_t *partner;    /* [n] partner, or ODO_NONE */
	uint32_t *dead;       /* [n_edges] decision that made it global, 0 for none */
	uint32_t *n_alive;    /* [n] edges that may be local */
	int *links;           /* [n] scratch: links to the two switches of a new group */
	uint32_t *trail; /* [n] decided switches, two for each group; the same twice: skipped */
	uint32_t n_trail;
	uint32_t own;      /* maximum number of groups whose own link is missing */
	uint32_t missing;  /* missing links in all; 0: none */
	uint32_t *lacking; /* [n] missing links found so far, by decision */
	uint32_t n_single; /* switches that can no longer have a partner */
	uint64_t steps;
} pairing;

static void count_links_of_pair(pairing *p, uint32_t v, int by)
{
	for (uint32_t a = p->g->first[v]; a < p->g->first[v + 1]; a++)
		p->links[p->g->to[a]] += by * (p->by_cable ? p->g->n_cables[p->g->edge[a]] : 1);
}

/* Kill edge e. Return false if too many switches have neither a partner nor a possible one. */
static bool kill_edge(pairing *p, uint32_t e, uint32_t decision)
{
	p->dead[e] = decision;
	for (int side = 0; side < 2; side++) {
		uint32_t v = p->g->end[e][side];
		p->n_single += !--p->n_alive[v] && p->partner[v] == ODO_NONE;
	}
	return p->n_single <= 2 * p->own;
}

/* Count the links that the new group, the last of the trail, lacks to earlier groups. Return false
 * if the count exceeds the number of missing links. */
static bool count_lacking(pairing *p)
{
	uint32_t decision = p->n_trail / 2, lacking = p->lacking[decision - 1];
	uint32_t u = p->trail[p->n_trail - 2], v = p->trail[p->n_trail - 1];
	lacking += odo_links_arc(p->g, u, v) == ODO_NONE;
	for (uint32_t i = 0; i + 2 < p->n_trail; i += 2) {
		if (p->trail[i] == p->trail[i + 1])
			continue;
		int n = p->links[p->trail[i]] + p->links[p->trail[i + 1]];
		if (n > (int)p->most)
			return false;
		lacking += p->most - (uint32_t)n;
	}
	p->lacking[decision] = lacking;
	return !p->missing || lacking <= p->missing;
}

/* Make u and v a group, and kill edges that cannot be local beside it. Return false if a switch
 * then has no possible partner. */
static bool decide_pair(pairing *p, uint32_t u, uint32_t v)
{
	const odo_links *g = p->g;
	uint32_t decision = p->n_trail / 2 + 1;
	bool fine = true;
	p->partner[u] = v;
	p->partner[v] = u;
	p->trail[p->n_trail++] = u;
	p->trail[p->n_trail++] = v;
	count_links_of_pair(p, u, 1);
	count_links_of_pair(p, v, 1);
	fine = count_lacking(p);
	for (uint32_t e = 0; e < g->n_edges && fine; e++) {
		uint32_t x = g->end[e][0], y = g->end[e][1];
		if (p->dead[e] || (p->partner[x] == y && p->partner[y] == x))
			continue;
		uint32_t n = (uint32_t)(p->links[x] + p->links[y]);
		bool own = x == u || x == v || y == u || y == v;
		if (own || n < p->least || n > p->most)
			fine = kill_edge(p, e, decision);
	}
	count_links_of_pair(p, u, -1);
	count_links_of_pair(p, v, -1);
	p->steps += g->n_edges;
	return fine;
}

/* Undo all decisions from `keep` on. */
static void undo_pairs(pairing *p, uint32_t keep)
{
	for (uint32_t e = 0; e < p->g->n_edges; e++) {
		if (p->dead[e] <= keep)
			continue;
		p->dead[e] = 0;
		for (int side = 0; side < 2; side++) {
			uint32_t v = p->g->end[e][side];
			p->n_single -= !p->n_alive[v]++ && p->partner[v] == ODO_NONE;
		}
	}
	while (p->n_trail > 2 * keep)
		p->partner[p->trail[--p->n_trail]] = ODO_NONE;
	p->steps += p->g->n_edges;
}

/* Return the switch without a partner that has the fewest possible ones, but at least one, or
 * ODO_NONE. */
static uint32_t most_constrained_switch(const pairing *p)
{
	uint32_t best = ODO_NONE;
	for (uint32_t v = 0; v < p->g->n; v++)
		if (p->partner[v] == ODO_NONE && p->n_alive[v] &&
		    (best == ODO_NONE || p->n_alive[v] < p->n_alive[best]))
			best = v;
	return best;
}

/* Skip v for now, as a decision of its own. */
static bool leave_unpaired(pairing *p, uint32_t v)
{
	const odo_links *g = p->g;
	uint32_t decision = p->n_trail / 2 + 1;
	bool fine = p->n_single < 2 * p->own;
	if (!fine)
		return false;
	p->trail[p->n_trail++] = v;
	p->trail[p->n_trail++] = v;
	p->lacking[decision] = p->lacking[decision - 1];
	for (uint32_t a = g->first[v]; a < g->first[v + 1] && fine; a++)
		if (!p->dead[g->edge[a]])
			fine = kill_edge(p, g->edge[a], decision);
	return fine;
}

/* Make groups of the skipped switches if their links to other groups suit. */
static bool pair_single(pairing *p)
{
	uint32_t single[2 * MOST_OWN], n = 0, keep = p->n_trail / 2;
	for (uint32_t v = 0; v < p->g->n && n < 2 * MOST_OWN; v++)
		if (p->partner[v] == ODO_NONE)
			single[n++] = v;
	if (n % 2)
		return false;
	for (uint32_t i = 1; i < n && p->steps < MOST_STEPS; i++) {
		if (decide_pair(p, single[0], single[i]) && pair_single(p))
			return true;
		undo_pairs(p, keep);
	}
	return !n;
}

static bool search_pairs(pairing *p)
{
	uint32_t v = most_constrained_switch(p), keep = p->n_trail / 2;
	if (v == ODO_NONE)
		return pair_single(p);
	for (uint32_t a = p->g->first[v]; a < p->g->first[v + 1]; a++) {
		if (p->dead[p->g->edge[a]])
			continue;
		if (p->steps > MOST_STEPS)
			return false;
		if (decide_pair(p, v, p->g->to[a]) && search_pairs(p))
			return true;
		undo_pairs(p, keep);
	}
	if (odo_uses("groups of two without their link") && leave_unpaired(p, v) && search_pairs(p))
		return true;
	undo_pairs(p, keep);
	return false;
}

/* Return the expected number of such pairings in a random regular graph with as many links, as a
 * power of two. It is the number of perfect matchings, times the chance that the remaining links
 * spread evenly over all pairs. */
static double bits_of_pairing(const odo_links *g)
{
	double n = g->n, groups = n / 2, d = 2.0 * g->n_edges / n, ports = 2 * (d - 1);
	double rounds = floor(ports / (groups - 1)), extra = ports - rounds * (groups - 1);
	double matchings = groups * ((d - 1) * log2(d - 1) - (d - 2) * log2(d));
	double wider = groups * extra / 2, pairs = groups * (groups - 1) / 2;
	double which = odo_log2_factorial(2 * wider) - odo_log2_factorial(wider) - wider -
		       groups * odo_log2_factorial(extra);
	double deals = groups * (odo_log2_factorial(ports) -
				 (groups - 1 - extra) * odo_log2_factorial(rounds) -
				 extra * odo_log2_factorial(rounds + 1)) +
		       (pairs - wider) * odo_log2_factorial(rounds) +
		       wider * odo_log2_factorial(rounds + 1);
	double all = groups * ports,
	       any = odo_log2_factorial(all) - odo_log2_factorial(all / 2) - all / 2;
	return matchings + which + deals - any;
}

static int match_partners(pairing *p, odo_error *err)
{
	const odo_links *g = p->g;
	p->partner = odo_new(g->n, sizeof *p->partner);
	p->dead = odo_new(g->n_edges, sizeof *p->dead);
	p->n_alive = odo_new(g->n, sizeof *p->n_alive);
	p->links = odo_new(g->n, sizeof *p->links);
	p->trail = odo_new((size_t)g->n + 4 * MOST_OWN, sizeof *p->trail);
	p->lacking = odo_new((size_t)g->n + 2 * MOST_OWN, sizeof *p->lacking);
	if (!p->partner || !p->dead || !p->n_alive || !p->links || !p->trail || !p->lacking)
		return odo_fail(err, ODO_ENOMEM, "no memory for groups of two");
	memset(p->partner, 0xFF, g->n * sizeof *p->partner);
	for (uint32_t v = 0; v < g->n; v++)
		p->n_alive[v] = odo_degree(g, v);
	return search_pairs(p) ? 0 : odo_fail(err, ODO_EUNKNOWN, "switches form no groups of two");
}

static void place_pairs(const pairing *p, odo_placement *to)
{
	to->factor[0] = ODO_GROUPS;
	to->factor[1] = ODO_COMPLETE;
	to->size[1] = 2;
	for (uint32_t v = 0; v < p->g->n; v++) {
		if (p->partner[v] < v)
			continue;
		uint32_t *a = odo_placement_at(to, v), *b = odo_placement_at(to, p->partner[v]);
		a[0] = b[0] = to->size[0]++;
		a[1] = 0;
		b[1] = 1;
	}
}

static int pair_by(pairing *p, odo_placement *to, odo_error *err)
{
	int status = match_partners(p, err);
	if (!status)
		status = odo_placement_make(p->g->n, 2, to, err);
	if (!status)
		place_pairs(p, to);
	odo_charge(p->g->budget, p->steps);
	free(p->partner);
	free(p->dead);
	free(p->n_alive);
	free(p->links);
	free(p->trail);
	free(p->lacking);
	return status;
}

/* Pair all switches by `n` links, or by `n` cables if each local link is one cable. */
static int pair_all(const odo_links *g, uint32_t n, bool by_cable, odo_placement *to,
		    odo_error *err)
{
	uint32_t groups = g->n / 2, pairs = groups * (groups - 1) / 2, least = (n - groups) / pairs;
	bool even = (n - groups) % pairs == 0;
	if (!even && bits_of_pairing(g) > -LEAST_BITS)
		return odo_fail(err, ODO_EUNKNOWN, "chance makes groups of two as well");
	pairing p = {.g = g, .by_cable = by_cable, .least = least, .most = least + !even};
	return pair_by(&p, to, err);
}

int odo_dragonfly_pairs_lacking(const odo_links *g, odo_placement *to, odo_error *err)
{
	uint64_t groups = g->n / 2, pairs = groups ? groups * (groups - 1) / 2 : 0;
	*to = (odo_placement){0};
	if (g->n % 2 || groups < 5 || g->n_edges < pairs)
		return odo_fail(err, ODO_EUNKNOWN, "too few links for groups of two");
	uint64_t most = (g->n_edges + pairs - 1 - groups) / pairs, all = most * pairs + groups;
	uint64_t missing = all > g->n_edges ? all - g->n_edges : 0;
	if (!missing || MISSING * missing > all)
		return odo_fail(err, ODO_EUNKNOWN, "groups of two have links missing");
	int status = ODO_EUNKNOWN;
	for (uint32_t own = 0; own <= missing && own <= MOST_OWN && status == ODO_EUNKNOWN &&
			       odo_may_go_on(g->budget);
	     own++) {
		pairing p = {
			.g = g, .most = (uint32_t)most, .own = own, .missing = (uint32_t)missing};
		status = pair_by(&p, to, err);
	}
	return status;
}

int odo_dragonfly_pairs(const odo_links *g, odo_placement *to, odo_error *err)
{
	uint64_t groups = g->n / 2, pairs = groups ? groups * (groups - 1) / 2 : 0;
	uint64_t cables = odo_links_cables(g);
	*to = (odo_placement){0};
	if (g->n % 2 || groups < 3 || g->n_edges < groups + pairs)
		return odo_fail(err, ODO_EUNKNOWN, "too few links for groups of two");
	int status = pair_all(g, g->n_edges, false, to, err);
	if (status == ODO_EUNKNOWN && cables > g->n_edges && cables < UINT32_MAX &&
	    odo_uses("groups of two by cables"))
		status = pair_all(g, (uint32_t)cables, true, to, err);
	return status;
}

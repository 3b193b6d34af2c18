/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/globals.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "fabric/order.h"

/* A table of groups by groups is kept up to this many; 65,000 switches have a few hundred. */
enum { MOST_GROUPS = 4096 };

typedef struct scores {
	odo_finding *h;
	uint32_t n;         /* groups */
	uint32_t *together; /* [n * n] switches that are cabled to both groups */
	uint32_t *global;   /* [switches] global links */
	uint32_t usual;     /* median score of all global links */
	uint32_t ports;     /* global links of a switch, nothing missing */
	bool regular;       /* next to no links are low at one end */
	bool sure;          /* links that contradict the arrangement are wrong */
	bool suspicious;    /* pairs of groups or switches have too many cables, or pairs too few */
} scores;

static uint32_t group_of(const scores *s, uint32_t v)
{
	return odo_placement_at(&s->h->placement, v)[0];
}

static bool is_global(const scores *s, uint32_t e)
{
	return s->h->edge_class[e] == ODO_PORT_GLOBAL;
}

/* For every two global links of v: their groups share a switch once more, or less. */
static void pair_up(scores *s, uint32_t v)
{
	const odo_links *g = s->h->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		if (!is_global(s, g->edge[a]))
			continue;
		for (uint32_t b = g->first[v]; b < g->first[v + 1]; b++)
			if (a != b && is_global(s, g->edge[b]))
				s->together[(size_t)group_of(s, g->to[a]) * s->n +
					    group_of(s, g->to[b])]++;
	}
}

/* Companions of a cable, and how often in all they share a switch with its far group. */
typedef struct score {
	uint32_t companions, shared;
} score;

/* How a cable from v to `group` suits the others of v. With `own` it is there, and counted
 * once itself: a wrong cable must not speak for itself. */
static void add_score(const scores *s, uint32_t v, uint32_t group, bool own, score *sum)
{
	const odo_links *g = s->h->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t x = is_global(s, g->edge[a]) ? group_of(s, g->to[a]) : group;
		if (x == group)
			continue;
		uint32_t n = s->together[(size_t)x * s->n + group];
		sum->companions++;
		sum->shared += n > own ? n - own : 0;
	}
}

/* In 1/64 of a group per companion; the usual score where there are none to ask. */
static uint32_t score_of(const scores *s, uint32_t e)
{
	uint32_t u = s->h->g->end[e][0], v = s->h->g->end[e][1];
	score sum = {0};
	add_score(s, u, group_of(s, v), true, &sum);
	add_score(s, v, group_of(s, u), true, &sum);
	return sum.companions ? (uint32_t)(64ull * sum.shared / sum.companions) : s->usual;
}

static int find_usual(scores *s)
{
	const odo_finding *h = s->h;
	uint32_t *all = odo_new(h->g->n_edges, sizeof *all), count = 0;
	if (!all)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		if (is_global(s, e))
			all[count++] = score_of(s, e);
	qsort(all, count, sizeof *all, odo_by_u32);
	s->usual = count ? all[count / 2] : 0;
	free(all);
	return 0;
}

/* The number that most switches have, where next to none have more: then these have wrong cables.
 * Or else, where damage left few switches all, the most but for one switch in 20. */
static void count_ports(scores *s)
{
	uint32_t n = s->h->g->n, count[ODO_MAX_PORTS + 1] = {0}, above = 0;
	for (uint32_t v = 0; v < n; v++)
		count[s->global[v]]++;
	for (s->ports = ODO_MAX_PORTS; s->ports > 0 && 8 * above < n; s->ports--) {
		if (2 * count[s->ports] > n)
			return;
		above += count[s->ports];
	}
	above = 0;
	for (s->ports = ODO_MAX_PORTS; s->ports > 0; s->ports--)
		if ((above += count[s->ports]) > n / 20)
			break;
}

/* Links of a pair of groups, the least likely first. A switch with more global links than
 * others have makes a link less likely still. */
typedef struct suspect {
	uint32_t edge;
	int64_t likely;
} suspect;

static int by_score(const void *a, const void *b)
{
	const suspect *x = a, *y = b;
	if (x->likely != y->likely)
		return x->likely < y->likely ? -1 : 1;
	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static int64_t likelihood(const scores *s, uint32_t e)
{
	int64_t likely = score_of(s, e);
	for (int side = 0; side < 2; side++)
		if (s->global[s->h->g->end[e][side]] > s->ports)
			likely -= s->usual / 2 + 1;
	return likely;
}

/* The score of a link at one of its ends is far below the usual, in an arrangement that scores
 * say something of, and damage has not left its switch few companions. */
static bool low_end(const scores *s, uint32_t e, int side)
{
	uint32_t v = s->h->g->end[e][side], far = s->h->g->end[e][!side];
	score sum = {0};
	if (s->usual < 64 * 4 || s->global[v] < s->ports)
		return false;
	add_score(s, v, group_of(s, far), true, &sum);
	return sum.companions > 1 && 16 * 64ull * sum.shared < (uint64_t)s->usual * sum.companions;
}

/* Such a link is wrong, whatever its pair, if it is low at both ends, or at one where a cable
 * was added. Where next to no links are low, being low at one end is enough. */
static bool outlier(const scores *s, uint32_t e)
{
	bool low[2] = {low_end(s, e, 0), low_end(s, e, 1)};
	const uint32_t *end = s->h->g->end[e];
	if (low[0] && low[1])
		return true;
	return (low[0] && (s->regular || s->global[end[0]] > s->ports)) ||
	       (low[1] && (s->regular || s->global[end[1]] > s->ports));
}

/* Some arrangements (consecutive ones) have links that are low at one end by rights. */
static bool is_regular(const scores *s)
{
	uint32_t n = 0, low = 0;
	for (uint32_t e = 0; e < s->h->g->n_edges; e++) {
		if (!is_global(s, e))
			continue;
		n++;
		low += low_end(s, e, 0) != low_end(s, e, 1);
	}
	return 100 * (uint64_t)low < 2 * (uint64_t)n;
}

/* Cables that were moved leave pairs of groups with too few or too many, unless these have so by
 * rights: then nothing but the arrangement speaks against a cable, and every arrangement is a
 * right one. */
static bool is_suspicious(const scores *s)
{
	const odo_finding *h = s->h;
	uint64_t pairs = (uint64_t)s->n * (s->n - 1) / 2;
	bool odd = h->n_pairs < pairs;
	for (uint32_t i = 0; i < h->n_pairs && !odd; i++)
		odd = h->pair[i].n_cables > h->width[0] || h->pair[i].n_cables < h->least_width;
	for (uint32_t v = 0; v < h->g->n && !odd; v++)
		odd = s->global[v] > s->ports;
	return odd;
}

/* Most wrong cables join two groups that have all of theirs, and leave them one too many, or a
 * switch. Many outliers, and few of these, are how the fabric was built: where the arrangement
 * begins anew within a switch, say. */
static bool outliers_count(const scores *s)
{
	const odo_finding *h = s->h;
	uint64_t excess = 0, full = 0, outliers = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		uint32_t n = h->pair[i].n_cables;
		excess += n > h->width[0] ? n - h->width[0] : 0;
		full += n >= h->width[0];
	}
	for (uint32_t v = 0; v < h->g->n; v++)
		excess += s->global[v] > s->ports ? s->global[v] - s->ports : 0;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		outliers += is_global(s, e) && outlier(s, e);
	return 4 * excess * h->n_pairs >= outliers * full;
}

static void condemn(scores *s, odo_pair *pair, uint32_t e)
{
	s->h->edge_class[e] = ODO_PORT_WRONG;
	s->h->n_wrong++;
	pair->n_cables -= s->h->g->n_cables[e];
	pair->n_edges--;
}

/* `e` is wrong: its switches have a global link less that is right. */
static void blame(scores *s, uint32_t e, bool *wrong)
{
	wrong[e] = true;
	s->global[s->h->g->end[e][0]]--;
	s->global[s->h->g->end[e][1]]--;
}

/* The links of a pair, the least likely first. */
static void list_links(const scores *s, const odo_pair *pair, suspect *list)
{
	for (uint32_t i = 0; i < pair->n_edges; i++) {
		uint32_t e = s->h->by_pair[pair->first_edge + i];
		list[i] = (suspect){e, likelihood(s, e)};
	}
	qsort(list, pair->n_edges, sizeof *list, by_score);
}

/* Wrong are the least likely links of a pair with more cables than pairs have. */
static void check_excess(const scores *s, const odo_pair *pair, suspect *list, bool *wrong)
{
	uint32_t cables = pair->n_cables;
	if (cables <= s->h->width[0])
		return;
	list_links(s, pair, list);
	for (uint32_t i = 0; cables > s->h->width[0]; i++) {
		wrong[list[i].edge] = true;
		cables -= s->h->g->n_cables[list[i].edge];
	}
}

/* Of the others those that contradict the arrangement, the least likely first: where a switch has a
 * link too many, one of its links is wrong, and no more. */
static void check_outliers(scores *s, suspect *list, bool *wrong)
{
	const odo_finding *h = s->h;
	uint32_t n = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		if (h->pair[i].n_cables > h->width[0])
			continue;
		list_links(s, &h->pair[i], list + n);
		n += h->pair[i].n_edges;
	}
	qsort(list, n, sizeof *list, by_score);
	for (uint32_t i = 0; i < n; i++)
		if (outlier(s, list[i].edge))
			blame(s, list[i].edge, wrong);
}

/* Decided for all pairs before any is condemned. */
static int check_pairs(scores *s)
{
	odo_finding *h = s->h;
	suspect *list = odo_new(h->g->n_edges, sizeof *list);
	bool *wrong = odo_new(h->g->n_edges, sizeof *wrong);
	int status = list && wrong ? 0 : ODO_ENOMEM;
	for (uint32_t i = 0; i < h->n_pairs && !status; i++)
		check_excess(s, &h->pair[i], list, wrong);
	for (uint32_t e = 0; e < h->g->n_edges && !status; e++)
		if (wrong[e])
			blame(s, e, wrong);
	if (!status && s->sure)
		check_outliers(s, list, wrong);
	for (uint32_t i = 0; i < h->n_pairs && !status; i++) {
		odo_pair *pair = &h->pair[i];
		uint32_t n = pair->n_edges;
		for (uint32_t j = 0; j < n; j++) {
			uint32_t e = h->by_pair[pair->first_edge + j];
			if (wrong[e])
				condemn(s, pair, e);
		}
	}
	free(list);
	free(wrong);
	return status;
}

/* The switch of group a that has a global port left and suits group b best, or ODO_NONE. */
static uint32_t best_end(const scores *s, uint32_t a, uint32_t b)
{
	const odo_placement *p = &s->h->placement;
	size_t room = p->n_positions / s->n;
	uint32_t best = ODO_NONE, most = 0;
	for (size_t i = a * room; i < (a + 1) * room; i++) {
		uint32_t v = p->occupant[i];
		if (v == ODO_NONE || s->global[v] >= s->ports)
			continue;
		score sum = {.companions = 1};
		add_score(s, v, b, false, &sum);
		uint32_t suits = 1 + (uint32_t)(64ull * sum.shared / sum.companions);
		if (suits > most) {
			most = suits;
			best = v;
		}
	}
	/* In an arrangement that scores say something of, a poor one means that the switch
	 * is missing itself. */
	return s->usual >= 64 * 4 && 8 * most < s->usual ? ODO_NONE : best;
}

static int note_missing(scores *s, uint32_t a, uint32_t b, uint32_t count, odo_missing **list,
			uint32_t *n, size_t *room)
{
	uint32_t u = best_end(s, a, b), v = best_end(s, b, a);
	if (u == ODO_NONE || v == ODO_NONE)
		return 0;
	if (odo_grow(list, room, (size_t)*n + 1, sizeof **list))
		return ODO_ENOMEM;
	(*list)[(*n)++] = (odo_missing){{u, v}, count};
	s->global[u]++;
	s->global[v]++;
	return 0;
}

/* Walk all pairs of groups beside the list of those that have cables. */
static int find_missing(scores *s, odo_missing **list, uint32_t *n)
{
	const odo_finding *h = s->h;
	uint32_t next = 0;
	size_t room = 0;
	int status = 0;
	for (uint32_t a = 0; a < s->n && !status; a++) {
		for (uint32_t b = a + 1; b < s->n && !status; b++) {
			bool has = next < h->n_pairs && h->pair[next].group[0] == a &&
				   h->pair[next].group[1] == b;
			uint32_t cables = has ? h->pair[next++].n_cables : 0;
			if (cables < h->least_width)
				status = note_missing(s, a, b, h->least_width - cables, list, n,
						      &room);
		}
	}
	return status;
}

static void recount(scores *s)
{
	const odo_links *g = s->h->g;
	memset(s->global, 0, g->n * sizeof *s->global);
	for (uint32_t e = 0; e < g->n_edges; e++) {
		s->global[g->end[e][0]] += is_global(s, e);
		s->global[g->end[e][1]] += is_global(s, e);
	}
}

static int check_all(scores *s, odo_missing **missing, uint32_t *n_missing)
{
	for (uint32_t v = 0; v < s->h->g->n; v++)
		pair_up(s, v);
	int status = find_usual(s);
	if (status)
		return status;
	s->regular = is_regular(s);
	s->sure = outliers_count(s);
	status = check_pairs(s);
	if (status)
		return status;
	recount(s);
	return find_missing(s, missing, n_missing);
}

int odo_globals_check(odo_finding *h, odo_missing **missing, uint32_t *n_missing, odo_error *err)
{
	scores s = {.h = h, .n = h->placement.size[0]};
	*missing = NULL;
	*n_missing = 0;
	if (s.n > MOST_GROUPS)
		return 0;
	s.together = odo_new((size_t)s.n * s.n, sizeof *s.together);
	s.global = odo_new(h->g->n, sizeof *s.global);
	int status = s.together && s.global ? 0 : ODO_ENOMEM;
	if (!status) {
		recount(&s);
		count_ports(&s);
		s.suspicious = is_suspicious(&s);
	}
	if (s.suspicious && !status)
		status = check_all(&s, missing, n_missing);
	free(s.together);
	free(s.global);
	return status ? odo_fail(err, status, "no memory to check global links") : 0;
}

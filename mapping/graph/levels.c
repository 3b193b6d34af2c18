/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/shares.h"

/* Factor by which links between two switches with hosts must be rarer than chance. Some remain,
 * because wrong cables may link leaves. */
#define LESS_THAN_CHANCE 8
/* The same factor for a first test: some spines may have as many hosts as leaves. */
#define WORTH_A_LOOK 2
/* Hosted switches must be more than one in this many. In a dragonfly with few hosted switches these
 * are rarely linked either. A group in which each switch belongs to a clique of three or more has
 * no room for more hosted switches without links. */
#define LEAST_HOSTED 3

/* Return true if links between two switches with hosts are rarer than chance by this factor. */
static bool are_apart(const odo_levels *l, const odo_links *g, double factor)
{
	double n = g->n, h = l->hosted, by_chance = g->n_edges * h * (h - 1) / (n * (n - 1));
	return l->bare && h > 1 && g->n_edges && factor * l->hosted_links <= by_chance;
}

bool odo_levels_open(const odo_levels *l, const odo_links *g)
{
	return are_apart(l, g, WORTH_A_LOOK);
}

static bool are_divided(const odo_levels *l, const odo_links *g)
{
	return LEAST_HOSTED * l->hosted > g->n && are_apart(l, g, LESS_THAN_CHANCE);
}

/* Return true if the number is above half of the average. */
static bool is_hosted(const odo_fabric *f, uint32_t hosts)
{
	return 2 * (uint64_t)hosts * f->n_switches > f->n_senders;
}

int odo_levels_hosted(const odo_fabric *f, bool *hosted, odo_error *err)
{
	uint32_t *hosts = odo_new(f->n_switches, sizeof *hosts);
	if (!hosts)
		return odo_fail(err, ODO_ENOMEM, "no memory to count hosts");
	for (uint32_t host = 0; host < f->n_senders; host++)
		hosts[odo_host_switch(f, host)]++;
	for (uint32_t s = 0; s < f->n_switches; s++)
		hosted[s] = is_hosted(f, hosts[s]);
	free(hosts);
	return 0;
}

int odo_levels_find(const odo_fabric *f, const odo_links *g, odo_levels *out, odo_error *err)
{
	uint32_t *hosts = odo_new(f->n_switches, sizeof *hosts);
	*out = (odo_levels){0};
	if (!hosts)
		return odo_fail(err, ODO_ENOMEM, "no memory to count hosts");
	for (uint32_t host = 0; host < f->n_senders; host++)
		hosts[odo_host_switch(f, host)]++;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		bool hosted = is_hosted(f, hosts[s]);
		out->hosted += hosted;
		out->bare += !hosted;
		out->hosts_on_bare += hosted ? 0 : hosts[s];
		hosts[s] = hosted;
	}
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t ends = hosts[g->vertex[g->end[e][0]]] + hosts[g->vertex[g->end[e][1]]];
		out->hosted_links += ends == 2;
		out->bare_links += ends == 0;
	}
	free(hosts);
	out->divided = are_divided(out, g);
	return 0;
}

/* Divide the connected component of v into two sides, so that every link joins both sides. Return
 * false if this is impossible. */
static bool divide_component(const odo_links *g, uint32_t v, uint8_t *side, uint32_t *queue,
			     uint32_t n[2])
{
	uint32_t tail = 1;
	queue[0] = v;
	side[v] = 1;
	n[0] = 1;
	for (uint32_t head = 0; head < tail; head++) {
		uint32_t u = queue[head];
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
			uint32_t w = g->to[a];
			if (side[w] == side[u])
				return false;
			if (side[w])
				continue;
			side[w] = 3 - side[u];
			n[side[w] - 1]++;
			queue[tail++] = w;
		}
	}
	return true;
}

void odo_levels_explain_acyclic(const odo_links *g, char *text, size_t size)
{
	uint32_t most = 0;
	for (uint32_t v = 0; v < g->n; v++)
		most = odo_degree(g, v) > most ? odo_degree(g, v) : most;
	if (g->n < 3 || g->n_edges + 1 != g->n)
		return;
	if (most == g->n_edges)
		snprintf(text, size,
			 "no known topology, but a star: one switch is linked to each of the %u "
			 "others, and a pair of switches has one path",
			 most);
	else
		snprintf(text, size,
			 "no known topology, but a tree without a second path: %u links join %u "
			 "switches",
			 g->n_edges, g->n);
}

/* Minimum share of pairs that must be linked: one in twenty may lack its link. */
static const odo_share few_lack = {19, 20};

int odo_levels_explain_unhosted(const odo_links *g, char *text, size_t size, odo_error *err)
{
	odo_arena memory = {0};
	uint8_t *side = odo_arena_new(&memory, g->n, sizeof *side);
	uint32_t *queue = odo_arena_new(&memory, g->n, sizeof *queue), n[2] = {0}, v = 0;
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for two sides") : 0;
	while (v + 1 < g->n && !odo_degree(g, v))
		v++;
	if (!status && g->n && divide_component(g, v, side, queue, n) && n[0] > 2 && n[1] > 2 &&
	    odo_exceeds(g->n_edges, few_lack, (uint64_t)n[0] * n[1]))
		snprintf(text, size,
			 "looks like a tree of two levels, such as a director's chips, with too "
			 "few hosts to tell its leaves: nearly all of %u switches are linked to "
			 "all of %u",
			 n[0] > n[1] ? n[0] : n[1], n[0] > n[1] ? n[1] : n[0]);
	odo_arena_free(&memory);
	return status;
}

void odo_levels_explain(const odo_levels *l, const char *but, char *text, size_t size)
{
	const char *without = l->hosts_on_bare ? "with few or none" : "without";
	if (!l->hosted_links && !l->bare_links)
		snprintf(text, size,
			 "looks like a tree of two levels: every cable between switches joins one "
			 "of the %u switches with hosts and one of the %u %s",
			 l->hosted, l->bare, without);
	else if (!l->hosted_links)
		snprintf(text, size,
			 "looks like a tree or a Dragonfly+: no cable joins two of the %u switches "
			 "with hosts, and %u switches are %s",
			 l->hosted, l->bare, without);
	else
		snprintf(text, size,
			 "looks like a tree or a Dragonfly+: only %u links join two of the %u "
			 "switches with hosts, and %u switches are %s",
			 l->hosted_links, l->hosted, l->bare, without);
	size_t used = strlen(text);
	if (but)
		snprintf(text + used, size - used, "; but %s", but);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/analyze/states.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "routing/analyze/internal.h"

/* Graphs are stored up to this number of bytes; other graphs are recomputed in each sweep. */
#define MOST_KEPT ((size_t)1 << 31)
#define MOST_CELLS 100000000u

/* LIDs of one switch that the tables treat alike. */
typedef struct group {
	uint32_t lid;           /* one of them */
	uint32_t first, n;      /* part of `lids` */
	size_t first_flow, end; /* part of `by_group`, if there are flows */
} group;

/* A state of the current graph. */
typedef struct state {
	uint32_t cell;
	uint32_t first, end; /* its ways, in `arc` */
	uint32_t rank, before;
	double rate; /* rate that hosts send from it */
} state;

struct odo_commodities {
	const odo_tables *t;
	odo_arena memory;      /* arrays that do not grow */
	const odo_flow *flows; /* NULL: uniform */
	uint32_t n_groups, n_inputs;
	group *groups;
	uint32_t *lids;
	uint32_t *group_of; /* [lid_count] or ODO_NONE */
	uint32_t *by_group; /* [parts of flows] flows by group, once for each LID of the group */
	uint32_t *cell_at;  /* [slots] state on VL 0 after a sending slot, or ODO_NONE */
	odo_states *kept;   /* [n_groups], n = 0: not stored */
	odo_states last;    /* last graph that was not stored */
	size_t kept_bytes;
	/* For the current graph; states are numbered in the order in which they are found,
	 * beginning with the destination. */
	uint32_t *state_of; /* [cells] or ODO_NONE */
	state *state;       /* [n] */
	uint32_t *order;    /* [n] */
	odo_arc *arc;
	size_t state_room, order_room, arc_room;
	uint32_t n, n_arcs;
	odo_candidate *way;
};

static void free_states(odo_states *g)
{
	free(g->first);
	free(g->arc);
	free(g->supply);
	*g = (odo_states){0};
}

void odo_commodities_free(odo_commodities *x)
{
	if (!x)
		return;
	for (uint32_t i = 0; x->kept && i < x->n_groups; i++)
		free_states(&x->kept[i]);
	free_states(&x->last);
	odo_arena_free(&x->memory);
	free(x->state);
	free(x->order);
	free(x->arc);
	free(x);
}

uint32_t odo_commodities_count(const odo_commodities *x)
{
	return x->n_groups;
}

static bool is_destination(const odo_fabric *f, uint32_t lid)
{
	return f->lid_host[lid] < f->n_senders && f->lid_switch[lid] != ODO_NONE;
}

/*
 * Return the group of an earlier LID of the same switch.
 * @param newest latest group of each switch
 */
static uint32_t find_alike_group(const odo_commodities *x, const uint32_t *newest,
				 const uint32_t *older, uint32_t lid)
{
	const odo_adaptive *a = x->t->adaptive;
	for (uint32_t g = newest[x->t->fabric->lid_switch[lid]]; a->alike && g != ODO_NONE;
	     g = older[g])
		if (a->alike(x->t, x->groups[g].lid) == a->alike(x->t, lid))
			return g;
	return ODO_NONE;
}

static int make_groups(odo_commodities *x)
{
	const odo_fabric *f = x->t->fabric;
	odo_arena scratch = {0};
	uint32_t *newest = odo_arena_new(&scratch, f->n_switches, sizeof *newest), n = 0;
	uint32_t *older = odo_arena_new(&scratch, f->lid_count, sizeof *older);
	int status = scratch.failed ? ODO_ENOMEM : 0;
	if (!status)
		memset(newest, 0xFF, f->n_switches * sizeof *newest);
	memset(x->group_of, 0xFF, f->lid_count * sizeof *x->group_of);
	for (uint32_t lid = 0; !status && lid < f->lid_count; lid++) {
		if (!is_destination(f, lid))
			continue;
		uint32_t g = find_alike_group(x, newest, older, lid);
		if (g == ODO_NONE) {
			g = x->n_groups++;
			older[g] = newest[f->lid_switch[lid]];
			newest[f->lid_switch[lid]] = g;
			x->groups[g].lid = lid;
		}
		x->group_of[lid] = g;
		x->groups[g].n++;
	}
	for (uint32_t g = 0; g < x->n_groups; g++) {
		x->groups[g].first = n;
		n += x->groups[g].n;
		x->groups[g].n = 0;
	}
	for (uint32_t lid = 0; !status && lid < f->lid_count; lid++)
		if (x->group_of[lid] != ODO_NONE) {
			group *g = &x->groups[x->group_of[lid]];
			x->lids[g->first + g->n++] = lid;
		}
	odo_arena_free(&scratch);
	return status;
}

/* Sort flows by group. A flow to several LIDs appears once for each LID. */
static int sort_flows(odo_commodities *x, size_t n)
{
	const odo_fabric *f = x->t->fabric;
	size_t total = 0;
	for (int fill = 0; fill < 2; fill++) {
		for (size_t i = 0; i < n; i++) {
			uint32_t to = x->flows[i].to, k = odo_count_host_lids(f, to);
			for (; k-- && x->flows[i].from != to;) {
				uint32_t g = x->group_of[f->port_lid[f->host_slot[to]] + k];
				if (g == ODO_NONE)
					continue;
				if (fill)
					x->by_group[x->groups[g].end] = (uint32_t)i;
				x->groups[g].end++;
			}
		}
		for (uint32_t g = 0; !fill && g < x->n_groups; g++) {
			x->groups[g].first_flow = total;
			total += x->groups[g].end;
			x->groups[g].end = x->groups[g].first_flow;
		}
		if (!fill && !(x->by_group = odo_arena_new(&x->memory, total, sizeof *x->by_group)))
			return ODO_ENOMEM;
	}
	return 0;
}

static void lay_cells(odo_commodities *x)
{
	const odo_fabric *f = x->t->fabric;
	const odo_adaptive *a = x->t->adaptive;
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t peer = f->peer[i];
		x->cell_at[i] = ODO_NONE;
		if (peer == ODO_NONE || !odo_is_switch(f, f->owner[peer]))
			continue;
		unsigned input = a->input ? a->input[peer] : odo_port(f, peer);
		x->cell_at[i] = (f->owner[peer] * x->n_inputs + input) * x->t->n_vls;
	}
}

int odo_commodities_create(const odo_tables *t, const odo_flow *flows, size_t n,
			   odo_commodities **out, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	odo_commodities *x = *out = odo_new(1, sizeof *x);
	unsigned ports = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		ports = odo_n_ports(f, s) > ports ? odo_n_ports(f, s) : ports;
	unsigned n_inputs = t->adaptive->input ? t->adaptive->n_inputs : ports + 1;
	uint64_t n_cells = (uint64_t)f->n_switches * n_inputs * t->n_vls;
	if (!x)
		return odo_fail(err, ODO_ENOMEM, "no memory for the states of packets");
	if (n_cells > MOST_CELLS || n >= ODO_NONE)
		return odo_fail(err, ODO_EDECLINE, "packets can be in %llu states: too many",
				(unsigned long long)n_cells);
	*x = (odo_commodities){.t = t, .flows = flows, .n_inputs = n_inputs};
	x->groups = odo_arena_new(&x->memory, f->lid_count, sizeof *x->groups);
	x->lids = odo_arena_new(&x->memory, f->lid_count, sizeof *x->lids);
	x->group_of = odo_arena_new(&x->memory, f->lid_count, sizeof *x->group_of);
	x->cell_at = odo_arena_new(&x->memory, f->n_slots, sizeof *x->cell_at);
	x->state_of = odo_arena_new(&x->memory, n_cells, sizeof *x->state_of);
	x->way = odo_arena_new(&x->memory, ODO_MAX_CANDIDATES, sizeof *x->way);
	int status = x->memory.failed ? ODO_ENOMEM : make_groups(x);
	if (!status && flows)
		status = sort_flows(x, n);
	if (!status && !(x->kept = odo_arena_new(&x->memory, x->n_groups, sizeof *x->kept)))
		status = ODO_ENOMEM;
	if (status)
		return odo_fail(err, ODO_ENOMEM, "no memory for the states of packets");
	lay_cells(x);
	memset(x->state_of, 0xFF, n_cells * sizeof *x->state_of);
	return 0;
}

void odo_commodities_host_rates(const odo_commodities *x, double *sent, double *received)
{
	const odo_fabric *f = x->t->fabric;
	for (uint32_t g = 0; g < x->n_groups; g++)
		for (size_t i = x->groups[g].first_flow; i < x->groups[g].end; i++) {
			const odo_flow *flow = &x->flows[x->by_group[i]];
			double part = (double)flow->rate / odo_count_host_lids(f, flow->to);
			sent[flow->from] += part;
			received[flow->to] += part;
		}
	for (uint32_t h = 0; !x->flows && f->n_senders > 1 && h < f->n_senders; h++) {
		sent[h] += 1;
		received[h] += 1;
	}
}

/* Return the number of a state, and create it if it is new; ODO_NONE if memory runs out. */
static uint32_t enter_state(odo_commodities *x, uint32_t cell)
{
	if (x->state_of[cell] != ODO_NONE)
		return x->state_of[cell];
	if (odo_grow(&x->state, &x->state_room, x->n + 1ul, sizeof *x->state))
		return ODO_NONE;
	x->state[x->n] = (state){.cell = cell};
	x->state_of[cell] = x->n;
	return x->n++;
}

/* Add the traffic of a host to a group. Hosts at the group's own switch use no cable between
 * switches. */
static int supply_host(odo_commodities *x, uint32_t host, uint32_t lid, double rate)
{
	const odo_fabric *f = x->t->fabric;
	uint32_t cell = x->cell_at[f->host_slot[host]];
	if (cell == ODO_NONE || odo_host_switch(f, host) == f->lid_switch[lid])
		return 0;
	uint32_t number = enter_state(x, cell + x->t->adaptive->inject(x->t, host, lid));
	if (number == ODO_NONE)
		return ODO_ENOMEM;
	x->state[number].rate += rate;
	return 0;
}

static int supply_group(odo_commodities *x, const group *g)
{
	const odo_fabric *f = x->t->fabric;
	double rate = 0;
	int status = 0;
	for (size_t i = g->first_flow; i < g->end && !status; i++) {
		const odo_flow *flow = &x->flows[x->by_group[i]];
		status = supply_host(x, flow->from, g->lid,
				     (double)flow->rate / odo_count_host_lids(f, flow->to));
	}
	if (x->flows)
		return status;
	for (uint32_t i = 0; i < g->n; i++)
		rate += 1.0 / odo_count_host_lids(f, f->lid_host[x->lids[g->first + i]]);
	for (uint32_t h = 0; h < f->n_senders && !status; h++)
		status = supply_host(x, h, g->lid, rate / (f->n_senders - 1));
	return status;
}

/* List the ways of a state. */
static int list_state_ways(odo_commodities *x, uint32_t number, uint32_t lid)
{
	const odo_fabric *f = x->t->fabric;
	uint32_t cell = x->state[number].cell, vls = x->t->n_vls, s = cell / (x->n_inputs * vls);
	unsigned n = x->t->adaptive->candidates(x->t, s, cell / vls % x->n_inputs, cell % vls, lid,
						x->way);
	x->state[number].first = x->n_arcs;
	if (odo_grow(&x->arc, &x->arc_room, x->n_arcs + (size_t)n, sizeof *x->arc))
		return ODO_ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		if (!x->way[i].port || x->way[i].port > odo_n_ports(f, s))
			continue;
		uint32_t slot = odo_slot(f, s, x->way[i].port), to = 0;
		if (x->cell_at[slot] == ODO_NONE || x->way[i].vl >= vls)
			continue;
		if (f->owner[f->peer[slot]] != f->lid_switch[lid])
			to = enter_state(x, x->cell_at[slot] + x->way[i].vl);
		if (to == ODO_NONE)
			return ODO_ENOMEM;
		x->arc[x->n_arcs++] = (odo_arc){slot, to};
	}
	x->state[number].end = x->n_arcs;
	return 0;
}

/*
 * Sort states so that predecessors come first, as far as there are no cycles.
 * @return true if there are cycles
 */
static bool sort_states(odo_commodities *x)
{
	uint32_t done = 0, n = 0;
	for (uint32_t i = 0; i < x->n_arcs; i++)
		x->state[x->arc[i].to].before++;
	for (uint32_t s = 1; s < x->n; s++)
		if (!x->state[s].before)
			x->order[n++] = s;
	for (; done < n; done++)
		for (uint32_t i = x->state[x->order[done]].first; i < x->state[x->order[done]].end;
		     i++)
			if (!--x->state[x->arc[i].to].before && x->arc[i].to)
				x->order[n++] = x->arc[i].to;
	bool cyclic = n < x->n - 1;
	for (uint32_t s = 1; s < x->n && cyclic; s++)
		if (x->state[s].before)
			x->order[n++] = s;
	for (uint32_t i = 0; i < n; i++)
		x->state[x->order[i]].rank = n - i;
	return cyclic;
}

/* Copy a graph, renumbered so that arcs lead to lower states. */
static int copy_states(odo_commodities *x, odo_states *g)
{
	uint32_t n_arcs = 0;
	*g = (odo_states){.n = x->n, .n_arcs = x->n_arcs, .cyclic = sort_states(x)};
	for (uint32_t s = 1; s < x->n; s++)
		g->n_supplies += x->state[s].rate > 0;
	g->first = odo_new(x->n + 1ul, sizeof *g->first);
	g->arc = odo_new(x->n_arcs, sizeof *g->arc);
	g->supply = odo_new(g->n_supplies, sizeof *g->supply);
	if (!g->first || !g->arc || !g->supply)
		return ODO_ENOMEM;
	g->n_supplies = 0;
	for (uint32_t rank = 1; rank < x->n; rank++) {
		uint32_t s = x->order[x->n - 1 - rank];
		g->first[rank] = n_arcs;
		for (uint32_t i = x->state[s].first; i < x->state[s].end; i++)
			g->arc[n_arcs++] = (odo_arc){x->arc[i].slot, x->state[x->arc[i].to].rank};
		if (x->state[s].rate > 0)
			g->supply[g->n_supplies++] = (odo_supply){rank, x->state[s].rate};
	}
	g->first[x->n] = n_arcs;
	return 0;
}

static int find_states(odo_commodities *x, const group *g, odo_states *out)
{
	x->n = 1; /* the destination's switch */
	x->n_arcs = 0;
	int status = odo_grow(&x->state, &x->state_room, 1, sizeof *x->state);
	if (!status) {
		x->state[0] = (state){0};
		status = supply_group(x, g);
	}
	for (uint32_t s = 1; s < x->n && !status; s++)
		status = list_state_ways(x, s, g->lid);
	status = status || odo_grow(&x->order, &x->order_room, x->n, sizeof *x->order);
	if (!status)
		status = copy_states(x, out);
	for (uint32_t s = 1; s < x->n; s++)
		x->state_of[x->state[s].cell] = ODO_NONE;
	if (status)
		free_states(out);
	return status ? ODO_ENOMEM : 0;
}

const odo_states *odo_commodities_states(odo_commodities *x, uint32_t index)
{
	odo_states *kept = &x->kept[index];
	if (kept->n)
		return kept;
	free_states(&x->last);
	if (find_states(x, &x->groups[index], &x->last))
		return NULL;
	size_t size = x->last.n * sizeof *x->last.first + x->last.n_arcs * sizeof *x->last.arc +
		      x->last.n_supplies * sizeof *x->last.supply;
	if (x->kept_bytes + size > MOST_KEPT)
		return &x->last;
	x->kept_bytes += size;
	*kept = x->last;
	x->last = (odo_states){0};
	return kept;
}

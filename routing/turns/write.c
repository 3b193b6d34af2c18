/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SL2VL maps of coloured turns. A turn that no packet takes has a VL as well: the next LFTs may
 * lead packets there before a switch gets its next maps. Such a turn gets a VL with which the graph
 * stays acyclic, whichever turns packets take before it and after it. All turns that find such a VL
 * may be taken at the same time.
 */
#include <stdlib.h>
#include <string.h>

#include "routing/turns/internal.h"

/* Channels that are examined or moved in the graph for unused turns: some 50 ms. What does not
 * agree with the order of the channels is not tried after that. */
#define MOST_WORK_FOR_UNUSED 20000000u

/* Turns that packets may take, and their dependencies. */
typedef struct open_turns {
	uint16_t *vls;  /* [slots of switches] VLs on which they lead to each link, a bit each */
	bool *is_open;  /* [n_turns] */
	unsigned n_vls; /* that they use, or 2: unused turns get no more */
	bool together;  /* turns that are coloured are open from then on */
	uint64_t most_work;
} open_turns;

static void open_turn(const odo_turning *x, open_turns *open, uint32_t turn)
{
	open->is_open[turn] = true;
	open->vls[x->to[turn]] |= (uint16_t)(1u << x->colour[turn]);
}

/* List the dependencies of packets that take a turn: they come to its input link by any open turn,
 * and leave its output link by any. @return their number */
static uint32_t list_dependencies(const odo_turning *x, const open_turns *open, uint32_t turn,
				  odo_edge *edges)
{
	uint32_t on = odo_turn_channel(x, turn), n = 0, from = x->from[turn];
	for (unsigned vls = from == ODO_NONE ? 0 : open->vls[from]; vls; vls &= vls - 1)
		edges[n++] = (odo_edge){
			odo_channel_at(&x->channels, from, (unsigned)__builtin_ctz(vls)), on};
	uint32_t to = x->f->owner[x->f->peer[x->to[turn]]];
	for (unsigned out = 1; out <= odo_n_ports(x->f, to); out++) {
		uint32_t next = odo_turn_after(x, turn, out);
		if (open->is_open[next])
			edges[n++] = (odo_edge){on, odo_turn_channel(x, next)};
	}
	return n;
}

static bool agrees_with_order(const odo_turning *x, const odo_edge *edges, uint32_t n)
{
	const uint32_t *place = x->channels.graph.place;
	for (uint32_t i = 0; i < n; i++)
		if (place[edges[i].from] >= place[edges[i].to])
			return false;
	return true;
}

/* Add dependencies, if they close no cycle. @param keep or only try */
static bool add_turn_dependencies(odo_turning *x, odo_edge *edges, uint32_t n, bool keep)
{
	odo_acyclic *graph = &x->channels.graph;
	uint32_t n_new = 0;
	bool added = true;
	for (uint32_t i = 0; i < n && added; i++) {
		odo_edge edge = edges[i];
		if (odo_acyclic_has(graph, edge))
			continue;
		added = odo_acyclic_add(graph, edge);
		if (added)
			edges[n_new++] = edge;
	}
	while (n_new && !(added && keep))
		odo_acyclic_remove(graph, edges[--n_new]);
	return added;
}

/* Return the i-th VL that a turn tries: the installed one, its own, then all. */
static unsigned vl_to_try(const odo_turning *x, uint32_t turn, unsigned i)
{
	return !i ? x->wish[turn] : i == 1 ? odo_turn_own(x, turn) : i - 2;
}

/* Give an unused turn the first VL that closes no cycle: those that agree with the order of the
 * channels cost no search. @return false if there is none */
static bool colour_unused(odo_turning *x, const open_turns *open, uint32_t turn)
{
	odo_edge edges[ODO_MAX_VLS + ODO_MAX_PORTS];
	odo_acyclic *graph = &x->channels.graph;
	unsigned most = odo_turn_vls(x, turn), n_vls = most < open->n_vls ? most : open->n_vls;
	for (unsigned search = 0; search < 2; search++)
		for (unsigned i = 0; i < n_vls + 2; i++) {
			unsigned vl = vl_to_try(x, turn, i);
			if (vl >= n_vls || (search && graph->work > open->most_work))
				continue;
			x->colour[turn] = (uint8_t)vl;
			uint32_t n = list_dependencies(x, open, turn, edges);
			if ((search || agrees_with_order(x, edges, n)) &&
			    add_turn_dependencies(x, edges, n, open->together))
				return true;
		}
	x->colour[turn] = ODO_UNCOLOURED;
	return false;
}

static bool is_unused_turn(const odo_turning *x, uint32_t s, unsigned in, unsigned out)
{
	uint32_t turn = odo_turn_at(x, s, in, out);
	return in != out && (!in || x->from[turn] != ODO_NONE) && x->to[turn] != ODO_NONE &&
	       !odo_is_coloured(x, turn);
}

static void list_unused(const odo_turning *x, uint32_t *list, uint32_t *n)
{
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(x->f, s); in++)
			for (unsigned out = 1; out <= odo_n_ports(x->f, s); out++)
				if (is_unused_turn(x, s, in, out))
					list[(*n)++] = odo_turn_at(x, s, in, out);
}

/* Colour listed turns. Those that find no VL stay in the list. */
static void colour_listed(odo_turning *x, open_turns *open, uint32_t *list, uint32_t *n)
{
	uint32_t n_left = 0;
	open->most_work = x->channels.graph.work + MOST_WORK_FOR_UNUSED;
	for (uint32_t i = 0; i < *n; i++)
		if (!colour_unused(x, open, list[i]))
			list[n_left++] = list[i];
		else if (open->together)
			open_turn(x, open, list[i]);
	*n = n_left;
}

static void open_used_turns(const odo_turning *x, open_turns *open, const uint32_t *list,
			    uint32_t n)
{
	memset(open->vls, 0, x->f->first_slot[x->f->n_switches] * sizeof *open->vls);
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		open->is_open[turn] = odo_is_coloured(x, turn);
	for (uint32_t i = 0; i < n; i++)
		open->is_open[list[i]] = false;
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		if (open->is_open[turn])
			open_turn(x, open, turn);
}

/* Colour as many unused turns as may be taken at the same time; then each that is left, as if only
 * this one was taken besides those in use. */
static int colour_all_unused(odo_turning *x, odo_error *err)
{
	const odo_dependencies *graph = &x->channels.graph.forward;
	size_t words = (size_t)graph->n_channels * graph->words;
	uint32_t n_unused = 0, n = 0;
	uint32_t *list = odo_arena_new(&x->memory, x->n_turns, sizeof *list);
	uint32_t *unused = odo_arena_new(&x->memory, x->n_turns, sizeof *unused);
	uint64_t *in_use = odo_arena_new(&x->memory, words, sizeof *in_use);
	open_turns open = {.vls = odo_arena_new(&x->memory, x->f->first_slot[x->f->n_switches],
						sizeof *open.vls),
			   .is_open = odo_arena_new(&x->memory, x->n_turns, sizeof *open.is_open),
			   .n_vls = 2,
			   .together = true};
	if (x->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for SL2VL maps");
	list_unused(x, unused, &n_unused);
	memcpy(list, unused, n_unused * sizeof *list);
	memcpy(in_use, graph->bits, words * sizeof *in_use);
	n = n_unused;
	open_used_turns(x, &open, unused, 0);
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		if (open.is_open[turn] && x->colour[turn] >= open.n_vls)
			open.n_vls = x->colour[turn] + 1u;
	colour_listed(x, &open, list, &n);
	memcpy(graph->bits, in_use, words * sizeof *in_use);
	open_used_turns(x, &open, unused, n_unused);
	open.together = false;
	colour_listed(x, &open, list, &n);
	for (uint32_t i = 0; i < n; i++)
		x->colour[list[i]] = x->wish[list[i]] < odo_turn_vls(x, list[i]) ? x->wish[list[i]]
										 : 0;
	x->report->n_unused = n_unused;
	x->report->n_unsure = n;
	return 0;
}

/* Return the VL of an SL2VL entry. Hosts' ports, and ports without a cable, have the VLs of input
 * 0. No packet waits behind a delivery: VL 0 serves. */
static unsigned vl_of_entry(const odo_turning *x, uint32_t s, unsigned in, unsigned out)
{
	uint32_t turn = odo_turn_at(x, s, in, out);
	if (x->to[turn] == ODO_NONE || in == out)
		return 0;
	return x->colour[x->from[turn] == ODO_NONE ? odo_turn_at(x, s, 0, out) : turn];
}

static int write_maps(odo_turning *x, odo_error *err)
{
	const odo_fabric *f = x->f;
	odo_tables *t = x->t;
	uint16_t row;
	t->n_rows = 0;
	t->n_vls = 1;
	for (unsigned vl = 0; vl < x->max_vls; vl++) { /* row number = VL */
		odo_sl2vl map;
		memset(map.vl, (int)vl, sizeof map.vl);
		int status = odo_tables_row(t, &map, &row, err);
		if (status)
			return status;
	}
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 0; out <= odo_n_ports(f, s); out++) {
				unsigned vl = vl_of_entry(x, s, in, out);
				*odo_sl2vl_entry(t, s, in, out) = (uint16_t)vl;
				if (vl >= t->n_vls)
					t->n_vls = (uint8_t)(vl + 1);
			}
	t->n_rows = t->n_vls;
	return 0;
}

/* Let all paths have SL 0, and remove what says otherwise. */
static void forget_sls(odo_tables *t)
{
	free(t->sl_of_pair);
	free(t->held_of_lid);
	free(t->held_of_pair);
	t->sl_of_pair = NULL;
	t->held_of_lid = t->held_of_pair = NULL;
	memset(t->sl_of_lid, 0, t->fabric->lid_count);
	memset(t->host_row, 0, t->fabric->n_hosts * sizeof *t->host_row);
	t->n_sls = 1;
	t->from.by_pair = false;
	t->from.by_turn = true;
}

int odo_turns_write(odo_turning *x, odo_error *err)
{
	int status = colour_all_unused(x, err);
	if (status)
		return status;
	forget_sls(x->t);
	status = write_maps(x, err);
	x->report->n_vls = x->t->n_vls;
	return status;
}

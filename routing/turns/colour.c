/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns get VLs in the order in which packets take them: each gets the first VL that closes no
 * cycle. */
#include "routing/turns/colour.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/twins.h"
#include "routing/turns/internal.h"

/* Entries are moved if at most one turn in FEW finds no VL. On fabrics with more (a random graph of
 * 100 switches, one in 6) other ways for all of them were not found, and the search took longest.
 */
#define FEW 16u

/* Channels that are examined or moved in the graph: half a second. A FlatFly of 8x8x8 without 5 %
 * of its switches and cables takes 176 million. */
#define MOST_WORK 250000000u
/* Tables are declined at once if fewer than one turn in MANY is off the cycles of turns. A random
 * graph of 100 switches, with two in 9, took longest and found no VLs. */
#define MANY 4u

/* Roots of multicast trees that are tried, of the 16 that odo_mcast_create() tries: few in large
 * fabrics. Up to FEW_TURNS, the best of several roots is taken. A root takes some 0.1 s for an
 * 8x8x8 FlatFly of 340,000 turns. */
#define MOST_ROOTS 8u
#define MOST_TURNS 280000u
#define FEW_TURNS 30000u

/* Remove the edges to turns before and after, up to a number of them. */
static void remove_pairs(odo_turning *x, uint32_t turn, uint32_t n)
{
	const uint64_t *before = x->before + (size_t)turn * x->words;
	const uint64_t *after = x->after + (size_t)turn * x->words;
	unsigned end = 64 * x->words;
	for (unsigned in = 0; (in = odo_next_bit(before, x->words, in)) < end && n; in++) {
		uint32_t first = odo_turn_before(x, turn, in);
		if (!odo_is_coloured(x, first))
			continue;
		odo_channels_remove(&x->channels, odo_pair_edge(x, first, turn));
		n--;
	}
	for (unsigned out = 0; (out = odo_next_bit(after, x->words, out)) < end && n; out++) {
		uint32_t second = odo_turn_after(x, turn, out);
		if (!odo_is_coloured(x, second))
			continue;
		odo_channels_remove(&x->channels, odo_pair_edge(x, turn, second));
		n--;
	}
}

/* Add the edges of a turn with its VL, or none of them. */
static bool add_pairs(odo_turning *x, uint32_t turn)
{
	const uint64_t *before = x->before + (size_t)turn * x->words;
	const uint64_t *after = x->after + (size_t)turn * x->words;
	unsigned end = 64 * x->words;
	uint32_t n = 0;
	bool added = true;
	for (unsigned in = 0; added && (in = odo_next_bit(before, x->words, in)) < end; in++) {
		uint32_t first = odo_turn_before(x, turn, in);
		if (!odo_is_coloured(x, first))
			continue;
		added = odo_channels_add(&x->channels, odo_pair_edge(x, first, turn));
		n += added;
	}
	for (unsigned out = 0; added && (out = odo_next_bit(after, x->words, out)) < end; out++) {
		uint32_t second = odo_turn_after(x, turn, out);
		if (!odo_is_coloured(x, second))
			continue;
		added = odo_channels_add(&x->channels, odo_pair_edge(x, turn, second));
		n += added;
	}
	if (!added)
		remove_pairs(x, turn, n);
	return added;
}

/* Give a turn the number of its input port for a VL: no other turn to its link has this. */
static bool set_turn_apart(odo_turning *x, uint32_t turn)
{
	x->colour[turn] = (uint8_t)odo_turn_input(x, turn);
	if (add_pairs(x, turn))
		return true;
	x->colour[turn] = ODO_UNCOLOURED;
	return false;
}

bool odo_turn_colour(odo_turning *x, uint32_t turn)
{
	if (x->apart)
		return set_turn_apart(x, turn);
	unsigned wish = x->wish[turn], n = odo_turn_vls(x, turn);
	x->colour[turn] = (uint8_t)wish;
	if (wish < n && add_pairs(x, turn))
		return true;
	for (unsigned vl = 0; vl < n; vl++) {
		x->colour[turn] = (uint8_t)vl;
		if (vl != wish && add_pairs(x, turn))
			return true;
	}
	x->colour[turn] = ODO_UNCOLOURED;
	return false;
}

void odo_turn_uncolour(odo_turning *x, uint32_t turn)
{
	remove_pairs(x, turn, UINT32_MAX);
	x->colour[turn] = ODO_UNCOLOURED;
}

/* Let channels start in the order of the turns: those that packets come to first, VL by VL. */
static void order_channels(odo_turning *x)
{
	odo_acyclic *graph = &x->channels.graph;
	uint32_t n = graph->forward.n_channels, n_placed = 0;
	memset(graph->place, 0xFF, n * sizeof *graph->place);
	for (unsigned vl = 0; vl < (x->apart ? 1 : x->max_vls); vl++)
		for (uint32_t i = 0; i < x->n_used; i++) {
			uint32_t turn = x->order[i];
			uint32_t channel = odo_channel_at(&x->channels, x->to[turn],
							  x->apart ? odo_turn_input(x, turn) : vl);
			if (graph->place[channel] == ODO_NONE)
				graph->place[channel] = n_placed++;
		}
	for (uint32_t channel = 0; channel < n; channel++) {
		if (graph->place[channel] == ODO_NONE)
			graph->place[channel] = n_placed++;
		graph->at[graph->place[channel]] = channel;
	}
}

static int colour_in_order(odo_turning *x, odo_error *err)
{
	uint32_t *bare = x->order; /* a turn that is left takes the place of one that is done */
	for (uint32_t i = 0; i < x->n_used && x->n_bare <= x->n_used / FEW; i++)
		if (x->channels.graph.work > MOST_WORK || !odo_turn_colour(x, x->order[i]))
			bare[x->n_bare++] = x->order[i];
	x->bare = bare;
	x->report->n_bare += x->n_bare;
	return x->channels.no_memory ? odo_fail(err, ODO_ENOMEM, "no memory for turns") : 0;
}

/* Take over the VLs of tables before, if these do not depend on the SL. */
static int read_wishes(odo_turning *x, const odo_tables *before, odo_error *err)
{
	const odo_fabric *f = x->f, *then = before ? before->fabric : NULL;
	memset(x->wish, ODO_UNCOLOURED, x->n_turns);
	if (!before || !odo_tables_sls_alike(before))
		return 0;
	uint32_t *at = odo_twins(f, f->n_switches, then, then->n_switches);
	if (!at)
		return odo_fail(err, ODO_ENOMEM, "no memory for turns");
	for (uint32_t s = 0; s < f->n_switches; s++) {
		unsigned sides = odo_n_ports(f, s) + 1;
		if (at[s] == ODO_NONE || odo_n_ports(then, at[s]) + 1 != sides)
			continue;
		const uint16_t *rows = before->sl2vl + before->sl2vl_at[at[s]];
		for (uint32_t i = 0; i < sides * sides; i++)
			x->wish[x->t->sl2vl_at[s] + i] = before->rows[rows[i]].vl[0];
	}
	free(at);
	return 0;
}

/* Return the number of VLs that any link may use. */
static unsigned most_vls(const odo_fabric *f, unsigned max_vls)
{
	unsigned most = 1;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		if (f->n_vls[slot] > most && odo_next_switch(f, slot) != ODO_NONE)
			most = f->n_vls[slot];
	return max_vls && max_vls < most ? max_vls : most;
}

static int prepare_turning(odo_turning *x, const odo_tables *t, unsigned max_vls, odo_error *err)
{
	int status = odo_tables_copy(t, &x->t, err);
	if (status)
		return status;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (odo_n_ports(x->f, s) > x->ports)
			x->ports = odo_n_ports(x->f, s);
	x->n_turns = t->sl2vl_at[x->f->n_switches];
	x->words = (unsigned)odo_bit_words(x->ports + 1ul);
	x->max_vls = most_vls(x->f, max_vls);
	x->colour = odo_arena_new(&x->memory, x->n_turns, 1);
	x->wish = odo_arena_new(&x->memory, x->n_turns, 1);
	x->hosts = odo_arena_new(&x->memory, x->f->n_switches, sizeof *x->hosts);
	x->load = odo_arena_new(&x->memory, x->f->first_slot[x->f->n_switches], sizeof *x->load);
	return x->memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for turns") : 0;
}

static int fail_cyclic(const odo_turning *x, odo_error *err)
{
	return odo_fail(err, ODO_EDECLINE,
			"%u of %u turns are on cycles of turns or behind them: VLs by turn need "
			"other paths",
			x->n_cyclic, x->n_used);
}

static int fail_bare(const odo_turning *x, odo_error *err)
{
	const odo_fabric *f = x->f;
	uint32_t slot = x->to[x->bare[0]];
	return odo_fail(
		err, ODO_EDECLINE,
		"%u or more of %u turns find no VL of %u, the first to port %u of \"%s\"; %u turns "
		"are on cycles of turns or behind them",
		x->n_bare, x->report->n_turns, x->max_vls, odo_port(f, slot),
		odo_name(f, f->owner[slot]), x->report->n_cyclic);
}

/* Colour the turns of the tables as they are, and let entries avoid those that find no VL.
 * @param n_vls of the graph */
static int colour_once(odo_turning *x, unsigned n_vls, odo_error *err)
{
	odo_channels_clear(&x->channels);
	memset(x->colour, ODO_UNCOLOURED, x->n_turns);
	x->n_bare = 0;
	int status = x->report->n_moved == x->n_moved_then ? 0 : odo_turns_find(x, err);
	x->n_moved_then = x->report->n_moved;
	if (!status)
		status = odo_channels_init(&x->channels, x->f, n_vls, err);
	if (status)
		return status;
	order_channels(x);
	status = colour_in_order(x, err);
	if (!status && x->n_bare && x->n_bare <= x->n_used / FEW)
		odo_turns_avoid(x);
	return !status && x->channels.no_memory ? odo_fail(err, ODO_ENOMEM, "no memory for turns")
						: status;
}

/* Colour turns again, without pairs that moved entries left behind, as long as that helps. */
static int colour_in_rounds(odo_turning *x, unsigned n_vls, odo_error *err)
{
	uint32_t before = UINT32_MAX;
	int status = colour_once(x, n_vls, err);
	while (!status && x->n_bare && x->n_bare < before && x->n_bare <= x->n_used / FEW &&
	       odo_may_try(x)) {
		before = x->n_bare;
		status = colour_once(x, n_vls, err);
	}
	return !status && x->n_bare ? fail_bare(x, err) : status;
}

/* Break cycles of turns first, as if there were VLs enough for all turns. Then colour the turns. */
static int colour_tables(odo_turning *x, const odo_tables *t, unsigned max_vls,
			 const odo_tables *before, odo_error *err)
{
	int status = prepare_turning(x, t, max_vls, err);
	if (!status)
		status = read_wishes(x, before, err);
	if (!status)
		status = odo_turns_find(x, err);
	x->report->n_cyclic = x->n_cyclic;
	if (!status && x->n_cyclic > x->n_used - x->n_used / MANY)
		return fail_cyclic(x, err);
	if (!status && x->n_cyclic) {
		x->apart = true;
		status = colour_in_rounds(x, x->ports + 1, err);
		x->apart = false;
	}
	if (!status)
		status = colour_in_rounds(x, x->max_vls, err);
	return status ? status : odo_turns_write(x, err);
}

/* Colour a copy of tables. @param root number of the root of multicast trees; ODO_NONE: no trees */
static int colour_copy(const odo_tables *t, unsigned max_vls, const odo_tables *before,
		       uint32_t root, odo_tables **out, odo_colours *report, odo_error *err)
{
	*report = (odo_colours){.has_trees = root != ODO_NONE};
	odo_turning x = {.f = t->fabric, .root = root, .report = report};
	int status = colour_tables(&x, t, max_vls, before, err);
	odo_channels_clear(&x.channels);
	odo_arena_free(&x.memory);
	odo_arena_free(&x.found);
	if (status)
		odo_tables_free(x.t);
	*out = status ? NULL : x.t;
	return status;
}

/* Colour tables together with multicast trees, from the root for which the fewest entries move. */
static int colour_beside_trees(const odo_tables *t, unsigned max_vls, const odo_tables *before,
			       odo_tables **out, odo_colours *colours, odo_error *err)
{
	uint32_t n_turns = t->sl2vl_at[t->fabric->n_switches], n = MOST_TURNS / n_turns + 1;
	int status = 0;
	*out = NULL;
	for (uint32_t root = 0; root < n && root < MOST_ROOTS; root++) {
		odo_tables *coloured;
		odo_colours report;
		status = colour_copy(t, max_vls, before, root, &coloured, &report, err);
		if (status && status != ODO_EDECLINE)
			break;
		if (!status && (!*out || report.n_moved < colours->n_moved)) {
			odo_tables_free(*out);
			*out = coloured;
			*colours = report;
		} else if (!status) {
			odo_tables_free(coloured);
		}
		if (*out && (!colours->n_moved || n_turns > FEW_TURNS))
			break;
	}
	return *out ? 0 : status;
}

int odo_colour_turns(const odo_tables *t, unsigned max_vls, const odo_tables *before,
		     odo_tables **out, odo_colours *colours, odo_error *err)
{
	odo_colours report;
	int status = colour_beside_trees(t, max_vls, before, out, &report, err);
	if (status == ODO_EDECLINE)
		status = colour_copy(t, max_vls, before, ODO_NONE, out, &report, err);
	if (colours)
		*colours = report;
	return status;
}

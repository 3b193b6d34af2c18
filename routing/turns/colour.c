/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns get VLs in the order in which packets take them: each gets the first VL that closes no
 * cycle. */
#include "routing/turns/colour.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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

/* Times that LIDs are sought whose old and new entries may not meet. More do not help: each time
 * finds some ten of them. */
#define MOST_HUNTS 4u

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

/* Installed VLs are tried first, then those that the tables have already. */
bool odo_turn_colour(odo_turning *x, uint32_t turn)
{
	if (x->apart)
		return set_turn_apart(x, turn);
	unsigned wish = x->wish[turn], own = odo_turn_own(x, turn), n = odo_turn_vls(x, turn);
	for (unsigned i = 0; i < n + 2; i++) {
		unsigned vl = !i ? wish : i == 1 ? own : i - 2;
		x->colour[turn] = (uint8_t)vl;
		if (vl < n && (i < 2 || (vl != wish && vl != own)) && add_pairs(x, turn))
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

/* Turns of the tables before keep their VLs if that is possible, so they come first. */
static int colour_in_order(odo_turning *x, odo_error *err)
{
	uint32_t *bare = x->order; /* a turn that is left takes the place of one that is done */
	for (uint32_t i = 0; x->held && i < x->n_used; i++)
		if (x->held[x->order[i]] && !x->apart)
			odo_turn_colour(x, x->order[i]);
	for (uint32_t i = 0; i < x->n_used && x->n_bare <= x->n_used / FEW; i++)
		if (!odo_is_coloured(x, x->order[i]) &&
		    (x->channels.graph.work > MOST_WORK || !odo_turn_colour(x, x->order[i])))
			bare[x->n_bare++] = x->order[i];
	x->bare = bare;
	x->report->n_bare += x->n_bare;
	return x->channels.no_memory ? odo_fail(err, ODO_ENOMEM, "no memory for turns") : 0;
}

/* Take over the VLs of tables before, if these do not depend on the SL. */
static int read_wishes(odo_turning *x, odo_error *err)
{
	const odo_tables *before = x->installed;
	memset(x->wish, ODO_UNCOLOURED, x->n_turns);
	if (!before)
		return 0;
	uint32_t lids = x->f->lid_count, lids_then = before->fabric->lid_count;
	x->held = odo_arena_new(&x->memory, x->n_turns, 1);
	x->emptied = odo_arena_new(&x->memory, lids > lids_then ? lids : lids_then, 1);
	if (odo_stage_init(&x->stage, before, x->f, &x->memory))
		return odo_fail(err, ODO_ENOMEM, "no memory for turns");
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		uint32_t at = x->stage.at[s];
		unsigned sides = odo_n_ports(x->f, s) + 1;
		if (at == ODO_NONE)
			continue;
		const uint16_t *rows = before->sl2vl + before->sl2vl_at[at];
		for (uint32_t i = 0; i < sides * sides; i++)
			x->wish[x->t->sl2vl_at[s] + i] = before->rows[rows[i]].vl[0];
	}
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

/* Colour the turns of the tables as they are. @param n_vls of the graph */
static int colour_all(odo_turning *x, unsigned n_vls, bool find, odo_error *err)
{
	odo_channels_clear(&x->channels);
	memset(x->colour, ODO_UNCOLOURED, x->n_turns);
	x->n_bare = 0;
	int status = find ? odo_turns_find(x, err) : 0;
	if (!status)
		status = odo_channels_init(&x->channels, x->f, n_vls, err);
	if (status)
		return status;
	order_channels(x);
	return colour_in_order(x, err);
}

/* Colour turns, and let entries avoid those that find no VL. Carried tables lack entries, and move
 * none. */
static int colour_once(odo_turning *x, unsigned n_vls, odo_error *err)
{
	int status = colour_all(x, n_vls, x->report->n_moved != x->n_moved_then, err);
	x->n_moved_then = x->report->n_moved;
	if (!status && x->n_bare && x->n_bare <= x->n_used / FEW && !x->t->from.carried)
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

/* Colour the turns of any mix of old and new entries. Where turns find no VL, old and new entries
 * of the LIDs whose packets take them may not meet. */
static int colour_mix(odo_turning *x, odo_error *err)
{
	int status = colour_all(x, x->max_vls, false, err);
	for (unsigned i = 0; i < MOST_HUNTS && !status && x->n_bare; i++) {
		status = odo_turns_hunt(x, err);
		if (!status)
			status = colour_all(x, x->max_vls, true, err);
	}
	return !status && x->n_bare ? fail_bare(x, err) : status;
}

/* Break cycles of turns, as if there were VLs enough for all turns. Then colour the turns. */
static int colour_cyclic(odo_turning *x, odo_error *err)
{
	int status = 0;
	if (x->n_cyclic > x->n_used - x->n_used / MANY)
		return fail_cyclic(x, err);
	if (x->n_cyclic) {
		x->apart = true;
		status = colour_in_rounds(x, x->ports + 1, err);
		x->apart = false;
	}
	return status ? status : colour_in_rounds(x, x->max_vls, err);
}

static int colour_tables(odo_turning *x, const odo_tables *t, unsigned max_vls, odo_error *err)
{
	int status = prepare_turning(x, t, max_vls, err);
	if (!status)
		status = read_wishes(x, err);
	if (!status)
		status = odo_turns_find(x, err);
	x->report->n_cyclic = x->n_cyclic;
	if (!status && x->mixing == ODO_ANY_ORDER)
		status = colour_mix(x, err);
	else if (!status && (!x->n_cyclic || x->installed))
		/* installed VLs mostly serve, also where turns are on cycles */
		status = colour_once(x, x->max_vls, err);
	if (!status && (x->n_bare || (x->n_cyclic && !x->installed)))
		status = colour_cyclic(x, err);
	for (uint32_t turn = 0; x->held && !status && turn < x->n_turns; turn++)
		x->report->n_recoloured += x->held[turn] && x->colour[turn] != x->wish[turn];
	return status ? status : odo_turns_write(x, err);
}

/* How tables are coloured. */
typedef struct manner {
	unsigned max_vls;
	const odo_tables *before;
	odo_mixing mixing;
	uint32_t root; /* number of the root of multicast trees; ODO_NONE: no trees */
} manner;

/* Coloured tables, and what was found. */
typedef struct coloured {
	odo_tables *t; /* NULL: none yet */
	odo_colours report;
	odo_mixing mixing;
	uint8_t *emptied; /* NULL, or [lid_count] as odo_turning.emptied */
} coloured;

/* Keep a byte for each LID, from memory that is freed soon. */
static int keep_emptied(const odo_turning *x, coloured *out, odo_error *err)
{
	if (x->mixing == ODO_NEW_ALONE)
		return 0;
	out->emptied = odo_new(x->f->lid_count, 1);
	if (!out->emptied)
		return odo_fail(err, ODO_ENOMEM, "no memory for steps");
	if (x->mixing == ODO_SIDE_BY_SIDE)
		memset(out->emptied, 1, x->f->lid_count);
	else
		memcpy(out->emptied, x->emptied, x->f->lid_count);
	return 0;
}

/* Colour a copy of tables. */
static int colour_copy(const odo_tables *t, const manner *how, coloured *out, odo_error *err)
{
	*out = (coloured){.mixing = how->mixing};
	out->report.has_trees = how->root != ODO_NONE;
	odo_turning x = {.f = t->fabric,
			 .installed = how->before,
			 .mixing = how->mixing,
			 .root = how->root,
			 .report = &out->report};
	int status = colour_tables(&x, t, how->max_vls, err);
	if (!status)
		status = keep_emptied(&x, out, err);
	odo_channels_clear(&x.channels);
	odo_arena_free(&x.memory);
	odo_arena_free(&x.found);
	if (status)
		odo_tables_free(x.t);
	out->t = status ? NULL : x.t;
	return status;
}

static void free_coloured(coloured *x)
{
	odo_tables_free(x->t);
	free(x->emptied);
}

/* Return the number of things that differ from the tables as they were. */
static uint32_t harm_of(const coloured *x)
{
	return x->report.n_moved + x->report.n_recoloured;
}

/* Colour tables in one more manner, and keep the better ones. Errors: ODO_EDECLINE if there are
 * none. */
static int try_manner(const odo_tables *t, const manner *how, coloured *best, odo_error *err)
{
	coloured x;
	int status = colour_copy(t, how, &x, err);
	if (best->t && (status || harm_of(&x) >= harm_of(best))) {
		free_coloured(&x);
		return status == ODO_EDECLINE ? 0 : status;
	}
	free_coloured(best);
	*best = x;
	return status;
}

/* Colour tables together with multicast trees, from the root that does the least harm. */
static int colour_beside_trees(const odo_tables *t, manner how, coloured *best, odo_error *err)
{
	uint32_t n_turns = t->sl2vl_at[t->fabric->n_switches], n = MOST_TURNS / n_turns + 1;
	int status = ODO_EDECLINE;
	for (how.root = 0; how.root < n && how.root < MOST_ROOTS; how.root++) {
		status = try_manner(t, &how, best, err);
		if ((status && status != ODO_EDECLINE) ||
		    (best->t && (!harm_of(best) || n_turns > FEW_TURNS)))
			break;
	}
	return status;
}

/* Colour tables beside those before, as closely as the manner says, if that is possible; and
 * together with multicast trees, if that is. */
static int colour_as_possible(const odo_tables *t, manner how, coloured *best, odo_error *err)
{
	int status = ODO_EDECLINE;
	*best = (coloured){0};
	how.mixing++;
	while (how.mixing-- > ODO_NEW_ALONE && (!best->t || (how.mixing && harm_of(best))) &&
	       (!status || status == ODO_EDECLINE)) {
		status = colour_beside_trees(t, how, best, err);
		how.root = ODO_NONE;
		if (status == ODO_EDECLINE)
			status = try_manner(t, &how, best, err);
	}
	if (status) {
		free_coloured(best);
		best->t = NULL;
		best->emptied = NULL;
	}
	return status;
}

int odo_colour_turns(const odo_tables *t, unsigned max_vls, const odo_tables *before,
		     odo_tables **out, odo_colours *colours, odo_error *err)
{
	coloured best;
	bool by_turn = before && odo_tables_sls_alike(before);
	manner how = {.max_vls = max_vls, .before = by_turn ? before : NULL};
	int status = colour_as_possible(t, how, &best, err);
	if (colours)
		*colours = best.report;
	free(best.emptied);
	*out = best.t;
	return status;
}

int odo_colour_change(const odo_tables *t, unsigned max_vls, const odo_tables *before,
		      odo_tables **goal, odo_tables **first, odo_error *err)
{
	coloured best;
	manner how = {.max_vls = max_vls, .before = before, .mixing = ODO_ANY_ORDER};
	int status = colour_as_possible(t, how, &best, err);
	*goal = best.t;
	*first = NULL;
	if (!status && best.mixing != ODO_NEW_ALONE)
		status = odo_stage_tables(before, best.t, ODO_STEP_ENTRIES, best.emptied, first,
					  err);
	free(best.emptied);
	return status == ODO_EDECLINE && *goal ? 0 : status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SL2VL maps of coloured turns. A turn that no packet takes has a VL as well: the next LFTs may
 * lead packets there before a switch gets its next maps. Such a turn gets a VL whose channel stands
 * in the topological order behind all channels of its input link, and before all that follow its
 * output link. Turns that find such a VL may all be taken at the same time.
 */
#include <stdlib.h>
#include <string.h>

#include "routing/turns/internal.h"

/* Places of channels in the order: the last of each link's own, and the first of those behind it.
 */
typedef struct bounds {
	uint32_t *last, *first; /* [slots of switches] */
} bounds;

static uint32_t place_of_vl(const odo_turning *x, uint32_t turn, unsigned vl)
{
	return x->channels.graph.place[odo_channel_at(&x->channels, x->to[turn], vl)];
}

/* Let the bounds of links include a turn. */
static void include_turn(const odo_turning *x, bounds *b, uint32_t turn)
{
	/* places count from 1 here: 0 is a link without packets */
	uint32_t place = place_of_vl(x, turn, x->colour[turn]) + 1, to = x->to[turn];
	if (b->last[to] < place)
		b->last[to] = place;
	if (x->from[turn] != ODO_NONE && b->first[x->from[turn]] > place)
		b->first[x->from[turn]] = place;
}

static bool is_within(const odo_turning *x, const bounds *b, uint32_t turn, unsigned vl)
{
	uint32_t place = place_of_vl(x, turn, vl) + 1, from = x->from[turn];
	return vl < odo_turn_vls(x, turn) && place < b->first[x->to[turn]] &&
	       (from == ODO_NONE || place > b->last[from]);
}

/* Colour an unused turn: as it was, or with the first VL that the bounds allow. */
static void colour_unused(odo_turning *x, bounds *b, uint32_t turn)
{
	unsigned wish = x->wish[turn], n = odo_turn_vls(x, turn), vl = 0;
	while (vl < n && !is_within(x, b, turn, vl))
		vl++;
	if (wish < n && is_within(x, b, turn, wish))
		vl = wish;
	x->report->n_unused++;
	x->report->n_unsure += vl == n;
	x->colour[turn] = (uint8_t)(vl < n ? vl : wish < n ? wish : 0);
	if (vl < n)
		include_turn(x, b, turn);
}

static void colour_all_unused(odo_turning *x, bounds *b)
{
	const odo_fabric *f = x->f;
	for (uint32_t turn = 0; turn < x->n_turns; turn++)
		if (x->colour[turn] != ODO_UNCOLOURED)
			include_turn(x, b, turn);
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 1; out <= odo_n_ports(f, s); out++) {
				uint32_t turn = odo_turn_at(x, s, in, out);
				bool apart = in != out && (!in || x->from[turn] != ODO_NONE);
				if (apart && x->to[turn] != ODO_NONE &&
				    x->colour[turn] == ODO_UNCOLOURED)
					colour_unused(x, b, turn);
			}
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
	uint32_t n_slots = x->f->first_slot[x->f->n_switches];
	bounds b = {odo_arena_new(&x->memory, n_slots, sizeof *b.last),
		    odo_arena_new(&x->memory, n_slots, sizeof *b.first)};
	if (x->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for SL2VL maps");
	memset(b.first, 0xFF, n_slots * sizeof *b.first);
	colour_all_unused(x, &b);
	forget_sls(x->t);
	int status = write_maps(x, err);
	x->report->n_vls = x->t->n_vls;
	return status;
}

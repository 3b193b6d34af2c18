/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The turn model on hypercubes (paper 004, section 3.4): minimal, adaptive among the dimensions of
 * a phase, one VL. A dimension is negative if the packet goes from 1 to 0, positive if it goes from
 * 0 to 1. "Dimension 1" is the first coordinate, in both directions.
 *
 * Damage: a byte per (destination, switch) says if a way on exists. Only such ways are offered.
 * Pairs without a way go up and down a spanning tree on a second VL.
 */

#include "base/memory.h"
#include "routing/adaptive/product.h"

#define TREE_VL 1u

typedef struct state {
	odo_arena memory;
	odo_product_ports ports;
	odo_turn_model model;
	uint32_t *word; /**< [n] coordinate i as bit i; UINT32_MAX if unknown */
	uint8_t *input; /**< [slots of switches] 0: the input port does not matter */
	uint8_t *alive; /**< NULL if undamaged; [n * n] at d * n + s */
	uint8_t *tree;  /**< NULL if undamaged; [n * n] ports */
} state;

/* Return the dimensions, as bits, in which a packet at `a` for `b` may go next. */
static uint32_t next_dims(odo_turn_model model, uint32_t a, uint32_t b)
{
	uint32_t negative = a & ~b, first = negative;
	if (model == ODO_ABO_NEGATIVE_FIRST)
		first &= ~1u;
	if (model == ODO_ABO_POSITIVE_LAST)
		first |= (a ^ b) & 1;
	return first ? first : a ^ b;
}

static uint64_t ports_for(const state *e, uint32_t s, uint32_t d)
{
	uint64_t ports = 0;
	for (uint32_t dims = next_dims(e->model, e->word[s], e->word[d]); dims; dims &= dims - 1)
		ports |= odo_ports_in(&e->ports, s, (unsigned)__builtin_ctz(dims));
	for (uint64_t left = e->alive ? ports : 0; left; left &= left - 1) {
		unsigned port = (unsigned)__builtin_ctzll(left) + 1;
		if (!e->alive[(size_t)d * e->ports.n + odo_ports_next(&e->ports, s, port)])
			ports &= ~odo_ext_bit(port);
	}
	return ports;
}

static uint8_t inject_turn(const odo_tables *t, uint32_t host, uint32_t lid)
{
	const state *e = t->adaptive->state;
	if (!e->alive)
		return 0;
	uint32_t s = odo_host_switch(t->fabric, host), d = t->fabric->lid_switch[lid];
	bool lost = d != ODO_NONE && !e->alive[(size_t)d * e->ports.n + s];
	return lost ? TREE_VL : 0;
}

static unsigned list_turn_sets(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_port_set *set)
{
	(void)input;
	const state *e = t->adaptive->state;
	uint32_t d = t->fabric->lid_switch[lid];
	if (in_vl == TREE_VL && e->tree)
		return odo_ext_tree_set(e->tree, e->ports.n, s, d, TREE_VL, set);
	set[0] = (odo_port_set){.ports = ports_for(e, s, d)};
	return 1;
}

static unsigned list_turn_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_candidate *way)
{
	return odo_ext_ways(t, s, input, in_vl, lid, way, list_turn_sets);
}

/* Fill in `alive` for destination d: 0 unknown, 1 alive, 2 dead; the caller clears 2 afterwards.
 * Every hop corrects a bit, so the search is at most as deep as the number of dimensions. */
static bool search_words(state *e, uint32_t s, uint32_t d)
{
	uint8_t *alive = e->alive + (size_t)d * e->ports.n;
	if (alive[s])
		return alive[s] == 1;
	alive[s] = 2;
	if (e->word[s] == UINT32_MAX || e->word[d] == UINT32_MAX)
		return false;
	uint32_t dims = next_dims(e->model, e->word[s], e->word[d]);
	for (; dims; dims &= dims - 1) {
		uint64_t ports = odo_ports_in(&e->ports, s, (unsigned)__builtin_ctz(dims));
		for (; ports; ports &= ports - 1)
			if (search_words(e,
					 odo_ports_next(&e->ports, s,
							(unsigned)__builtin_ctzll(ports) + 1),
					 d))
				alive[s] = 1;
	}
	return alive[s] == 1;
}

/* @return true if some connected pair needs the tree */
static bool find_turn_ways(state *e)
{
	uint32_t n = e->ports.n;
	bool lost = false;
	for (uint32_t d = 0; d < n; d++) {
		uint8_t *alive = e->alive + (size_t)d * n;
		alive[d] = 1;
		for (uint32_t s = 0; s < n; s++)
			lost |= !search_words(e, s, d) && e->tree[(size_t)s * n + d] != ODO_NO_PORT;
		for (uint32_t s = 0; s < n; s++)
			alive[s] &= 1;
	}
	return lost;
}

static int read_words(state *e, size_t n_slots, odo_error *err)
{
	e->word = odo_arena_new(&e->memory, e->ports.n, sizeof *e->word);
	e->input = odo_arena_new(&e->memory, n_slots, sizeof *e->input);
	if (e->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	for (uint32_t s = 0; s < e->ports.n; s++)
		for (unsigned i = 0; i < e->ports.n_dims; i++)
			e->word[s] |= odo_ports_at(&e->ports, s)[i] == UINT16_MAX
					      ? UINT32_MAX
					      : (uint32_t)odo_ports_at(&e->ports, s)[i] << i;
	return 0;
}

/* @return the number of VLs needed, or a negative status */
static int count_turn_vls(state *e, const odo_fabric *f, const odo_route_options *options,
			  odo_error *err)
{
	if (e->ports.whole)
		return 1;
	int status = odo_ext_tree(f, NULL, &e->memory, &e->tree, err);
	if (status)
		return status;
	e->alive = odo_arena_new(&e->memory, e->ports.n, e->ports.n);
	if (!e->alive)
		return odo_fail(err, ODO_ENOMEM, "no memory for the ways that are left");
	if (!find_turn_ways(e))
		return 1;
	return odo_ext_vls(f, options) > TREE_VL
		       ? (int)TREE_VL + 1
		       : odo_fail(err, ODO_EDECLINE,
				  "detours around the damage need a second VL, 1 can be used");
}

int odo_route_turn(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		   const odo_route_options *options, odo_tables *t, odo_error *err)
{
	state *e = odo_new(1, sizeof *e);
	if (!e)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	e->model = (odo_turn_model)row->variant;
	int vls = odo_product_ports_init(&e->ports, &e->memory, f, c, err);
	if (!vls)
		vls = read_words(e, f->first_slot[f->n_switches], err);
	if (!vls)
		vls = count_turn_vls(e, f, options, err);
	return odo_ext_finish(row, t, vls,
			      (odo_adaptive){
				      .state = e,
				      .inject = inject_turn,
				      .candidates = list_turn_ways,
				      .alike = odo_ext_alike,
				      .input = e->input,
				      .n_inputs = 1,
				      .sets = list_turn_sets,
			      },
			      err);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The engine offers all shortest ways up and then down a fat tree or a Dragonfly+, as a group of
 * ports for each LID, on one VL. A group depends on the LID's switch alone, not on the VL or the
 * input port. Switches with adaptive routing can therefore store it directly.
 *
 * The order of the switches by which paths go up and down is that of the engine fattree
 * (routing/tree/order.c). So are the entries of the LFTs, each from its group: a switch without
 * adaptive routing uses these.
 */

#include "base/memory.h"
#include "routing/adaptive/ext.h"
#include "routing/tree/filler.h"

/* Bit of a distance: from here on a path goes down only. */
#define DOWN 0x80u
#define FAR 0x7Fu

typedef struct state {
	odo_arena memory;
	odo_tree *tree;
	uint8_t *hops;  /* [n * n] hops from switch s to d at d * n + s, with DOWN; FAR: not
			   connected */
	uint8_t *input; /* [slots of switches] 0: the input port does not matter */
} state;

/* Return true if a cable of s leads nearer to the destination of `hops`. */
static bool leads_nearer(const odo_tree *tree, const uint8_t *hops, uint32_t s, uint32_t to)
{
	bool up = tree->order[to] < tree->order[s];
	return (hops[to] & FAR) + 1u == (hops[s] & FAR) && (hops[s] & FAR) != FAR &&
	       up == !(hops[s] & DOWN) && (up || (hops[to] & DOWN));
}

static unsigned list_tree_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_candidate *way)
{
	const state *e = t->adaptive->state;
	const odo_tree *tree = e->tree;
	uint32_t d = t->fabric->lid_switch[lid];
	unsigned n = 0;
	(void)input;
	if (d == s)
		return odo_ext_deliver(t->fabric, lid, in_vl, way);
	for (uint32_t i = tree->above[s]; i < tree->above[s + 1]; i++)
		if (leads_nearer(tree, e->hops + (size_t)d * tree->n, s, tree->near[i].to))
			way[n++] = (odo_candidate){
				.port = (uint8_t)odo_port(tree->f, tree->near[i].slot)};
	return n;
}

/* Compute hops to every switch, by the same search as the engine fattree. */
static int find_tree_hops(state *e, odo_error *err)
{
	uint32_t n = e->tree->n;
	odo_arena scratch = {0};
	odo_filler x = {.tree = e->tree, .f = e->tree->f};
	x.depth = odo_arena_new(&scratch, n, sizeof *x.depth);
	x.down = odo_arena_new(&scratch, n, 1);
	x.queue = odo_arena_new(&scratch, n, sizeof *x.queue);
	x.any = odo_arena_new(&scratch, n, 1);
	int status = scratch.failed ? odo_fail(err, ODO_ENOMEM, "no memory for a routing") : 0;
	for (uint32_t d = 0; !status && d < n; d++) {
		odo_tree_approach(&x, d, ODO_FILL_COUNT);
		for (uint32_t s = 0; s < n; s++)
			e->hops[(size_t)d * n + s] = x.depth[s] < FAR
							     ? (uint8_t)(x.depth[s] |
									 (x.down[s] ? DOWN : 0))
							     : FAR;
	}
	odo_arena_free(&scratch);
	return status;
}

static int make_tree_state(state *e, const odo_fabric *f, const odo_coordinates *c,
			   const odo_route_options *options, odo_error *err)
{
	int status = odo_tree_create(f, c, options, NULL, &e->memory, &e->tree, err);
	if (status)
		return status;
	e->tree->options = NULL; /* options were lent for odo_tree_create() only */
	e->hops = odo_arena_new(&e->memory, f->n_switches, f->n_switches);
	e->input = odo_arena_new(&e->memory, f->first_slot[f->n_switches], 1);
	if (e->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	return find_tree_hops(e, err);
}

int odo_route_fattree_ar(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
			 const odo_route_options *options, odo_tables *t, odo_error *err)
{
	state *e = odo_new(1, sizeof *e);
	if (!e)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	int status = make_tree_state(e, f, c, options, err);
	if (!status)
		status = odo_route_tree(row, f, c, options, t, err);
	return odo_ext_adopt(row, t, status ? status : 1,
			     (odo_adaptive){
				     .state = e,
				     .inject = odo_ext_inject,
				     .candidates = list_tree_ways,
				     .alike = odo_ext_alike,
				     .input = e->input,
				     .n_inputs = 1,
			     },
			     err);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof of adaptive.c for ways that are sets of ports (routing/adaptive.h): the same cells,
 * with the same ways, dependencies and checks. With thousands of switches, a destination has tens
 * of thousands of cells, and each has dozens of ways.
 *
 * Nearly all dependencies of a destination are known from earlier destinations. For every cell and
 * VL of its ways, a set stores the ports that all inputs of the cell already wait for: these ways
 * add no dependency. A set of ways is followed port by port only if it leads to a cell that packets
 * of this LID have not yet entered by that port.
 *
 * A sample of cells checks that candidates() gives the same ways.
 */

#include "base/random.h"
#include "routing/verify/explorer.h"

#define N_SAMPLES 16u

/* A cell of the current LID. */
typedef struct found {
	odo_port_set set[ODO_MAX_PORT_SETS];
	uint32_t cell, n;
} found;

struct odo_set_proof {
	uint64_t *cabled; /* [n_switches] ports that lead to switches, from bit 0 as in sets */
	uint64_t *served; /* [n_vls][n_switches] ports in `cabled` whose cables have the VL */
	uint64_t *inputs; /* [n_switches * n_inputs] ports of a class, from bit 1 as in cells */
	/* [n_cells * n_vls] ports, on a VL, that all ports of the cell's class already wait for.
	 * For `onward` ways, all ports except the port itself. */
	uint64_t *settled, *settled_onward;
	found *found; /* [n_cells] */
	uint32_t n_found;
};

void odo_explorer_prepare_sets(odo_explorer *x)
{
	const odo_fabric *f = x->f;
	odo_arena *memory = &x->memory;
	struct odo_set_proof *p;
	if (!x->t->adaptive->sets || x->has_escape || x->measures || x->port_words > 1)
		return;
	x->by_sets = p = odo_arena_new(memory, 1, sizeof *p);
	if (!p)
		return;
	p->cabled = odo_arena_new(memory, f->n_switches, sizeof *p->cabled);
	p->served = odo_arena_new(memory, (size_t)x->n_vls * f->n_switches, sizeof *p->served);
	p->inputs = odo_arena_new(memory, (size_t)f->n_switches * x->n_inputs, sizeof *p->inputs);
	p->settled = odo_arena_new(memory, x->n_cells * x->n_vls, sizeof *p->settled);
	p->settled_onward = odo_arena_new(memory, x->n_cells * x->n_vls, sizeof *p->settled_onward);
	p->found = odo_arena_new(memory, x->n_cells, sizeof *p->found);
	if (memory->failed)
		return;
	for (uint32_t i = 0; i < f->n_slots; i++) {
		odo_entry e = x->entries[i];
		uint32_t s = f->owner[i];
		if (e.cell == ODO_NONE)
			continue;
		p->inputs[e.cell / x->n_vls] |= 1ull << e.port;
		if (s >= f->n_switches) /* a host's */
			continue;
		uint64_t bit = 1ull << (odo_port(f, i) - 1);
		p->cabled[s] |= bit;
		for (unsigned vl = 0; vl < e.n_vls; vl++)
			p->served[(size_t)vl * f->n_switches + s] |= bit;
	}
}

/* Remove ports that are no way on, and report them. */
static uint64_t existing_ports(odo_explorer *x, uint32_t cell, const odo_port_set *set,
			       uint32_t lid)
{
	const struct odo_set_proof *p = x->by_sets;
	uint32_t s = odo_switch_of_cell(x, cell);
	uint64_t none = set->ports & ~p->cabled[s], cabled = set->ports & p->cabled[s], good = 0;
	if (none)
		odo_explorer_lost(x, cell, lid, "a way leads to no switch");
	if (set->vl < x->n_vls)
		good = cabled & p->served[(size_t)set->vl * x->f->n_switches + s];
	if (cabled & ~good)
		odo_explorer_no_vl(x, x->f->first_slot[s] + odo_lowest_bit(cabled & ~good), set->vl,
				   lid);
	return good;
}

static void find_cell_sets(odo_explorer *x, uint32_t cell, uint32_t lid)
{
	found *at = &x->by_sets->found[x->by_sets->n_found++];
	uint32_t s = odo_switch_of_cell(x, cell);
	at->cell = cell;
	at->n = 0;
	if (s == x->f->lid_switch[lid]) {
		odo_explorer_deliver(x, cell, lid);
		return;
	}
	at->n = x->t->adaptive->sets(x->t, s, cell / x->n_vls % x->n_inputs,
				     odo_vl_of_cell(x, cell), lid, at->set);
	uint64_t all = 0;
	for (unsigned i = 0; i < at->n; i++)
		all |= at->set[i].ports;
	if (!all)
		odo_explorer_lost(x, cell, lid, "no way on");
	for (unsigned i = 0; i < at->n; i++)
		at->set[i].ports = existing_ports(x, cell, &at->set[i], lid);
}

/* Follow the ways of a cell. While it is reached by a single port, its `onward` ways do not lead
 * back there. Then its state is ODO_HELD until it is reached by another port. */
static void enter_cell_ways(odo_explorer *x, const found *at)
{
	const odo_entry *entry = x->entries + x->f->first_slot[odo_switch_of_cell(x, at->cell)];
	uint64_t inputs = x->inputs[at->cell];
	uint64_t back = inputs & (inputs - 1) ? 0 : inputs >> 1, held = 0;
	for (unsigned i = 0; i < at->n; i++) {
		uint64_t left = at->set[i].ports;
		if (at->set[i].onward) {
			held |= left & back;
			left &= ~back;
		}
		for (; left; left &= left - 1)
			odo_explorer_enter(x, entry[odo_lowest_bit(left)], at->set[i].vl, false);
	}
	x->state[at->cell] = held ? ODO_HELD : ODO_DONE;
}

/* Check that packets from each input port find a way. An `onward` way is none for packets from its
 * own port. */
static void check_cell_ways(odo_explorer *x, const found *at, uint32_t lid)
{
	uint64_t onward = 0;
	for (unsigned i = 0; i < at->n; i++) {
		if (at->set[i].ports && !at->set[i].onward)
			return;
		onward |= at->set[i].ports;
	}
	if (!onward || (!(onward & (onward - 1)) && x->inputs[at->cell] & onward << 1))
		odo_explorer_lost(x, at->cell, lid, "the only way leads back");
}

static void depend_set(odo_explorer *x, uint32_t cell, const odo_port_set *set)
{
	struct odo_set_proof *p = x->by_sets;
	size_t row = (size_t)cell * x->n_vls + set->vl;
	uint64_t known = p->settled[row] | (set->onward ? p->settled_onward[row] : 0);
	uint64_t left = set->ports & ~known;
	uint64_t all = p->inputs[cell / x->n_vls], from = x->inputs[cell];
	uint64_t *waits = odo_waits_of(x, odo_switch_of_cell(x, cell), odo_vl_of_cell(x, cell));
	for (; left; left &= left - 1) {
		unsigned port = odo_lowest_bit(left) + 1;
		uint64_t *to = waits + x->out[(port - 1) * x->n_vls + set->vl].at;
		uint64_t own = set->onward ? 1ull << port : 0;
		*to |= from & ~own;
		if (!(all & ~own & ~*to))
			(set->onward ? p->settled_onward : p->settled)[row] |= left & -left;
	}
}

/* Compare the ways of some cells with candidates(). */
static void compare_samples(odo_explorer *x, uint32_t lid)
{
	const odo_adaptive *a = x->t->adaptive;
	odo_rng rng = odo_rng_make(lid, x->by_sets->n_found);
	for (unsigned i = 0; i < N_SAMPLES && x->by_sets->n_found; i++) {
		const found *at = &x->by_sets->found[odo_rng_below(&rng, x->by_sets->n_found)];
		uint32_t s = odo_switch_of_cell(x, at->cell);
		unsigned n = 0, all;
		bool same = true;
		if (s == x->f->lid_switch[lid])
			continue;
		all = a->candidates(x->t, s, at->cell / x->n_vls % x->n_inputs,
				    odo_vl_of_cell(x, at->cell), lid, x->way);
		for (unsigned k = 0; k < at->n; k++)
			for (uint64_t left = at->set[k].ports; left; left &= left - 1, n++)
				same &= n < all && x->way[n].port == odo_lowest_bit(left) + 1 &&
					x->way[n].vl == at->set[k].vl &&
					x->way[n].priority == at->set[k].priority &&
					x->way[n].onward == at->set[k].onward && !x->way[n].escape;
		if (!same || n != all)
			odo_explorer_lost(x, at->cell, lid, "ways differ from their sets");
	}
}

void odo_explorer_follow_sets(odo_explorer *x, uint32_t lid)
{
	struct odo_set_proof *p = x->by_sets;
	/* counts from 1; `hops` has no other use unless paths are measured */
	uint32_t *place = x->hops;
	p->n_found = 0;
	while (x->n_stack) {
		uint32_t cell = x->stack[--x->n_stack];
		if (!place[cell]) {
			find_cell_sets(x, cell, lid);
			place[cell] = p->n_found;
		}
		enter_cell_ways(x, &p->found[place[cell] - 1]);
	}
	for (uint32_t i = 0; i < p->n_found; i++) {
		const found *at = &p->found[i];
		place[at->cell] = 0;
		if (odo_switch_of_cell(x, at->cell) == x->f->lid_switch[lid])
			continue;
		check_cell_ways(x, at, lid);
		for (unsigned k = 0; k < at->n; k++)
			if (at->set[k].ports)
				depend_set(x, at->cell, &at->set[k]);
	}
	compare_samples(x, lid);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/verify/explorer.h"

/* The cell that a way of a cell leads to, or ODO_NONE where none of its packets may take it. */
static uint32_t leads_to(const odo_explorer *x, uint32_t cell, const odo_cell_sets *c,
			 unsigned channel)
{
	unsigned port = channel / x->n_vls + 1;
	bool held = !odo_has_bit(c->open, channel) && odo_has_bit(c->inputs, port) &&
		    odo_count_bits(c->inputs, x->port_words) == 1;
	odo_entry e = x->entries[x->f->first_slot[odo_switch_of_cell(x, cell)] + port - 1];
	return held ? ODO_NONE : e.cell + channel % x->n_vls;
}

/* Calls the cells after one in turn: counts it among what each waits for, or carries paths on
 * to it, which makes those ready that wait for nothing else. */
static void visit_next(odo_explorer *x, uint32_t cell, bool carry)
{
	odo_cell_sets c = odo_sets_of(x, cell);
	for (unsigned i = 0; i < x->words; i++) {
		for (uint64_t left = c.open[i] | c.onward[i]; left; left &= left - 1) {
			unsigned channel = i * 64 + odo_lowest_bit(left);
			uint32_t to = leads_to(x, cell, &c, channel);
			if (to == ODO_NONE)
				continue;
			x->waiting[to] += carry ? -1u : 1u;
			if (carry && x->hops[to] < x->hops[cell] + 1)
				x->hops[to] = x->hops[cell] + 1;
			if (carry && !x->waiting[to])
				x->stack[x->n_stack++] = to;
		}
	}
}

/* The longest path, in topological order. Cells on or behind a cycle never come up: with
 * escape channels a packet may go round, and then there is no bound. */
void odo_explorer_measure(odo_explorer *x)
{
	uint32_t n = 0, longest = 0;
	for (uint32_t i = 0; i < x->n_reached; i++)
		x->waiting[x->reached[i]] = x->hops[x->reached[i]] = 0;
	for (uint32_t i = 0; i < x->n_reached; i++)
		visit_next(x, x->reached[i], false);
	for (uint32_t i = 0; i < x->n_reached; i++)
		if (!x->waiting[x->reached[i]])
			x->stack[x->n_stack++] = x->reached[i];
	for (; x->n_stack; n++) {
		uint32_t cell = x->stack[--x->n_stack];
		if (x->hops[cell] > longest)
			longest = x->hops[cell];
		visit_next(x, cell, true);
	}
	if (n < x->n_reached)
		longest = ODO_NONE;
	if (longest > x->verdict->max_hops)
		x->verdict->max_hops = longest;
}

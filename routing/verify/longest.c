/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/verify/explorer.h"

/* Return the cell that a way of a cell leads to, or ODO_NONE if none of its packets may take it. */
static uint32_t leads_to(const odo_explorer *explorer, uint32_t cell, const odo_cell_sets *sets,
			 unsigned channel)
{
	unsigned port = channel / explorer->n_vls + 1;
	bool held = !odo_has_bit(sets->open, channel) && odo_has_bit(sets->inputs, port) &&
		    odo_count_bits(sets->inputs, explorer->port_words) == 1;
	odo_entry e =
		explorer->entries[explorer->f->first_slot[odo_switch_of_cell(explorer, cell)] +
				  port - 1];
	return held ? ODO_NONE : e.cell + channel % explorer->n_vls;
}

/* Visit the cells after a cell: count the predecessors of each, or extend paths to it. Cells
 * without further predecessors become ready. */
static void visit_next(odo_explorer *explorer, uint32_t cell, bool carry)
{
	odo_cell_sets sets = odo_sets_of(explorer, cell);
	for (unsigned i = 0; i < explorer->words; i++) {
		for (uint64_t left = sets.open[i] | sets.onward[i]; left; left &= left - 1) {
			unsigned channel = i * 64 + odo_lowest_bit(left);
			uint32_t to = leads_to(explorer, cell, &sets, channel);
			if (to == ODO_NONE)
				continue;
			explorer->waiting[to] += carry ? -1u : 1u;
			if (carry && explorer->hops[to] < explorer->hops[cell] + 1)
				explorer->hops[to] = explorer->hops[cell] + 1;
			if (carry && !explorer->waiting[to])
				explorer->stack[explorer->n_stack++] = to;
		}
	}
}

/* Find the longest path, in topological order. Cells on or behind a cycle never become ready: with
 * escape channels a packet may circulate, and then there is no bound. */
void odo_explorer_measure(odo_explorer *explorer)
{
	uint32_t n = 0, longest = 0;
	for (uint32_t i = 0; i < explorer->n_reached; i++)
		explorer->waiting[explorer->reached[i]] = explorer->hops[explorer->reached[i]] = 0;
	for (uint32_t i = 0; i < explorer->n_reached; i++)
		visit_next(explorer, explorer->reached[i], false);
	for (uint32_t i = 0; i < explorer->n_reached; i++)
		if (!explorer->waiting[explorer->reached[i]])
			explorer->stack[explorer->n_stack++] = explorer->reached[i];
	for (; explorer->n_stack; n++) {
		uint32_t cell = explorer->stack[--explorer->n_stack];
		if (explorer->hops[cell] > longest)
			longest = explorer->hops[cell];
		visit_next(explorer, cell, true);
	}
	if (n < explorer->n_reached)
		longest = ODO_NONE;
	if (longest > explorer->verdict->max_hops)
		explorer->verdict->max_hops = longest;
}

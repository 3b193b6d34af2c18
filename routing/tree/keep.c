/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */

#include "routing/tree/filler.h"
#include "routing/tree/whole.h"

/* Keep a switch's port if it still leads on, to a switch whose port is also kept. */
static void keep_port(odo_filler *x, uint32_t s, unsigned port)
{
	if (s == x->d || port - 1u >= odo_n_ports(x->f, s))
		return;
	uint32_t slot = odo_slot(x->f, s, port), t = odo_next_switch(x->f, slot);
	if (t != ODO_NONE && odo_filler_is_way(x, s, t) && (t == x->d || x->port[t] != ODO_NO_PORT))
		odo_filler_set(x, s, slot);
}

/* Process the nearest switches first: those that go down, then those that go up to them. */
void odo_tree_keep(odo_filler *x, const uint8_t *column)
{
	const odo_tree *tree = x->tree;
	for (uint32_t i = 1; i < x->n_down; i++)
		keep_port(x, x->queue[i], column[x->queue[i]]);
	for (uint32_t number = 0; number < tree->n; number++) {
		uint32_t s = tree->sorted[number];
		if (!x->down[s])
			keep_port(x, s, column[s]);
	}
}

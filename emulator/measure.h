/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the core counts as it goes; private to the emulator. */
#ifndef ODONATA_EMULATOR_MEASURE_H
#define ODONATA_EMULATOR_MEASURE_H

#include "emulator/core.h"

/** Is this cycle measured, and in which batch? */
void odo_measure_cycle(odo_core *c);

static inline void odo_measure_grant(odo_core *c, const odo_switch *s, unsigned out, uint32_t node,
				     bool injected, bool escape, unsigned phits)
{
	odo_measures *m = c->m;
	odo_sw_sent(s)[out] += phits;
	m->hops[odo_sw_links(s)[out].class]++;
	m->escape_hops += escape;
	m->injected += injected;
	m->by_switch[node] += injected;
}

/** A packet is granted the way to its host: count it, and be done with it. */
void odo_deliver(odo_core *c, const odo_link *link, uint32_t packet);

/** Sum up what the cores counted. */
int odo_measures_gather(const odo_world *w, odo_measures **out, odo_error *err);

#endif

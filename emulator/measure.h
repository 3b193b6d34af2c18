/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the part counts as it goes; private to the emulator. */
#ifndef ODONATA_EMULATOR_MEASURE_H
#define ODONATA_EMULATOR_MEASURE_H

#include "emulator/part.h"

/** The next cycle after `now` at which a window must end: where measuring or an interval begins or
 * ends. */
uint64_t odo_measure_cut(const odo_world *w, uint64_t now);
/** A window begins. 0, or there is no memory for its interval. */
int odo_measure_window(odo_worker *k, uint32_t from);
/** Count towards the batch of cycle `now`. Returns the first cycle of the next one. */
uint64_t odo_measure_batch(odo_worker *k, uint64_t now);

/** An output is granted. Where all packets are alike, phits tell how often. */
static inline void odo_measure_grant(odo_part *c, uint32_t out, unsigned phits, bool alike)
{
	c->links[out].sent += phits;
	if (!alike)
		c->worker->m.hops[c->links[out].class]++;
}

/** A packet has left its injection queue. */
static inline void odo_measure_injected(odo_part *c, uint32_t si)
{
	c->worker->m.injected++;
	c->injected[si]++;
	if (c->worker->interval)
		c->worker->interval->injected++;
}

/** A packet is born; in the past where its host lags behind. */
static inline void odo_measure_born(odo_part *c, const odo_host *h, uint64_t born)
{
	const odo_world *w = c->world;
	odo_worker *k = c->worker;
	if (k->interval)
		k->intervals[born / w->e->run.series].generated++;
	if (born < w->measure_from || born >= w->measure_to)
		return;
	k->m.generated++;
	c->born[odo_spot_switch(w, h->at)]++;
}

/** Count a packet that has been received in full. */
void odo_measure_received(odo_part *c, const odo_packet *p, uint32_t received);

/** A packet is granted the way to its host, and enters the link to it in cycle `sent`: count
 * it, and be done with it; or have it counted when it has been received. */
void odo_deliver(odo_part *c, const odo_link *link, uint32_t packet, uint32_t sent);

/** The last interval of the channels ends. */
void odo_measure_finish(odo_worker *k, uint32_t now);

/** Sum up what the parts counted. */
int odo_measures_gather(odo_world *w, odo_measures **out, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Counters of a running part; private to the emulator. */
#ifndef ODONATA_EMULATOR_KERNEL_MEASURE_MEASURE_H
#define ODONATA_EMULATOR_KERNEL_MEASURE_MEASURE_H

#include "emulator/kernel/state/events.h"

/** Return the next cycle after `now` at which a window must end, because measuring or an interval
 * begins or ends. */
uint64_t odo_measure_cut(const odo_world *w, uint64_t now);
/** Begin a window. Returns 0, or ODO_ENOMEM if there is no memory for its interval. */
int odo_measure_window(odo_worker *worker, uint32_t from);
/** Select the batch of cycle `now` for counting. Returns the first cycle of the next batch. */
uint64_t odo_measure_batch(odo_worker *worker, uint64_t now);

/** Count a grant of an output; with flits, a grant of one flit. If all packets are alike, hops are
 * computed from phits at the end. @param alike do not count a hop */
static inline void odo_measure_grant(odo_part *part, uint32_t out, unsigned phits, bool alike)
{
	odo_link *link = odo_link_at(part, out);
	link->sent += phits;
	if (!alike)
		part->worker->m.hops[link->class]++;
}

/** A packet has left its injection queue. */
static inline void odo_measure_injected(odo_part *part, uint32_t si)
{
	part->worker->m.injected++;
	part->injected[si]++;
	if (part->worker->interval)
		part->worker->interval->injected++;
}

/** A host offers a packet, generated or not; in the past if the host lags behind.
 * @param count 1, or -1 to undo that */
static inline void odo_measure_offered(odo_part *part, const odo_host *host, uint64_t born,
				       int count)
{
	const odo_world *w = part->world;
	if (part->worker->offered_by_host && born >= w->measure_from && born < w->measure_to)
		part->worker->offered_by_host[host->global] += (uint32_t)count;
}

/** A packet is born; in the past if its host lags behind.
 * @param count 1, or -1 to undo that */
static inline void odo_measure_born(odo_part *part, const odo_host *host, uint64_t born, int count)
{
	const odo_world *w = part->world;
	odo_worker *worker = part->worker;
	if (worker->interval)
		worker->intervals[born / w->e->run.series].generated += (uint64_t)count;
	if (born < w->measure_from || born >= w->measure_to)
		return;
	worker->m.generated += (uint64_t)count;
	part->born[odo_spot_switch(w, host->at)] += (uint32_t)count;
	odo_measure_offered(part, host, born, count);
}

/* ---- Received ---- */

#define ODO_HISTOGRAM_EXACT 1024u
#define ODO_HISTOGRAM_FINE 64u

static inline unsigned odo_histogram_bucket(uint64_t value)
{
	if (value < ODO_HISTOGRAM_EXACT)
		return (unsigned)value;
	unsigned top = 63u - (unsigned)__builtin_clzll(value); /* 10 .. */
	unsigned fine = (unsigned)(value >> (top - 6)) & (ODO_HISTOGRAM_FINE - 1);
	unsigned bucket = ODO_HISTOGRAM_EXACT + (top - 10) * ODO_HISTOGRAM_FINE + fine;
	return bucket < ODO_HISTOGRAM_BUCKETS ? bucket : ODO_HISTOGRAM_BUCKETS - 1;
}

static inline void odo_histogram_add(odo_histogram *histogram, uint64_t value)
{
	histogram->count++;
	histogram->sum += value;
	if (value > histogram->max)
		histogram->max = value;
	histogram->bucket[odo_histogram_bucket(value)]++;
}

static inline void odo_count_interval(odo_worker *worker, const odo_packet *p, uint64_t latency)
{
	odo_interval *of_birth = &worker->intervals[p->born / worker->world->e->run.series];
	worker->interval->delivered++;
	worker->interval->delivered_phits += p->phits;
	worker->interval->latency_sum += latency;
	of_birth->born_delivered++;
	of_birth->born_latency_sum += latency;
}

static inline void odo_count_delivery(odo_part *part, const odo_packet *p, uint64_t received)
{
	odo_measures *m = &part->worker->m;
	odo_batch *batch = part->worker->batch;
	uint64_t latency = received - p->born;
	m->delivered++;
	m->delivered_phits += p->phits;
	odo_histogram_add(&m->latency, latency);
	odo_histogram_add(&m->network, received - p->entered);
	m->path[p->hops]++;
	m->escaped += (p->flags & ODO_PACKET_ESCAPED) != 0;
	if (part->worker->arrived_by_host)
		part->worker->arrived_by_host[p->source]++;
	batch->packets++;
	batch->phits += p->phits;
	batch->latency += latency;
}

/** Count a packet that has been received in full. */
static inline void odo_measure_received(odo_part *part, const odo_packet *p, uint32_t received)
{
	if (part->worker->measuring)
		odo_count_delivery(part, p, received);
	if (part->worker->interval)
		odo_count_interval(part->worker, p, received - p->born);
	part->delivered_ever++;
	part->phits_ever += p->phits;
	part->latency_ever += received - p->born;
	part->in_network--;
}

/** End the last interval of the channels. */
void odo_measure_finish(odo_worker *worker, uint32_t now);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hosts: when they generate a packet, and when it gets into their injection queue.
 *
 * A host that waits costs nothing: the gap to its next packet is drawn at once, and a list per
 * cycle holds the hosts that are due. The unbounded queue of a source that waits is not stored
 * either: a host lags behind its own clock, and generates each packet with the cycle in which it
 * should have been born.
 *
 * Draws for the n-th packet of a host come from blocks n * 16 .. of its stream, so that four
 * bytes are all a host keeps of it.
 */
#include <math.h>
#include <string.h>

#include "base/strategies.h"
#include "emulator/kernel/draws.h"
#include "emulator/kernel/events.h"
#include "emulator/kernel/measure.h"
#include "routing/adaptive.h"

#define BLOCKS_PER_PACKET 16u
#define LONG_GAP (1u << 20)

void odo_gaps_make(odo_gaps *g, double probability)
{
	*g = (odo_gaps){.silent = probability <= 0, .always = probability >= 1};
	if (g->silent || g->always)
		return;
	double none = 1;
	for (unsigned k = 0; k < ODO_GAP_ENTRIES; k++) {
		none *= 1 - probability;
		g->below[k] = (uint64_t)ldexp(1 - none, 32);
	}
	for (unsigned lead = 0, k = 0; lead < 256; lead++) {
		while (k < ODO_GAP_ENTRIES - 1 && g->below[k] <= (uint64_t)lead << 24)
			k++;
		g->guide[lead] = (uint8_t)k;
	}
	g->below[ODO_GAP_ENTRIES] = UINT64_MAX;
}

/* Cycles to the next success, from 1. Beyond the table the process starts anew; not for ever beyond
 * the end of the run, or loads near 0 would take millions of draws. */
ALWAYS_INLINE uint32_t draw_gap(const odo_world *w, odo_rng *rng)
{
	const odo_gaps *g = &w->gaps;
	uint32_t gap = 1;
	if (g->always)
		return gap;
	for (;;) {
		uint32_t draw = odo_rng_next(rng), k = g->guide[draw >> 24];
		k += draw >= g->below[k];
		while (__builtin_expect(draw >= g->below[k], 0))
			k++;
		if (k < ODO_GAP_ENTRIES)
			return gap + k;
		gap += ODO_GAP_ENTRIES;
		if (gap > LONG_GAP && (gap > UINT32_MAX / 2 || gap > w->measure_to))
			return gap;
	}
}

ALWAYS_INLINE odo_rng stream_of(const odo_part *c, odo_host *h)
{
	odo_rng rng = odo_rng_make(c->world->e->run.seed, h->global);
	rng.block = (uint64_t)h->drawn++ * BLOCKS_PER_PACKET;
	return rng;
}

/* ---- Being due ---- */

ALWAYS_INLINE void schedule(odo_part *c, uint32_t host, uint64_t cycle)
{
	odo_host *h = &c->hosts[host];
	h->due = cycle > UINT32_MAX ? UINT32_MAX : (uint32_t)cycle;
	uint32_t far = c->now + ODO_DUE_CYCLES - 1;
	uint32_t slot = h->due - c->now < ODO_DUE_CYCLES ? h->due : far;
	uint32_t *list = &c->due[slot % ODO_DUE_CYCLES];
	h->next = *list;
	*list = host;
}

/* ---- Injection ---- */

ALWAYS_INLINE const odo_link *link_of(const odo_part *c, const odo_host *h)
{
	return odo_link_at(c, h->at >> c->world->lane_bits);
}

ALWAYS_INLINE bool has_space(const odo_part *c, const odo_host *h, const odo_link *link,
			     unsigned lane, unsigned phits)
{
	return c->rest[h->at | lane].fill + phits <= link->buffer;
}

ALWAYS_INLINE unsigned choose_queue(const odo_part *c, const odo_host *h, const odo_link *link,
				    const odo_packet *p, odo_rng *rng)
{
	const odo_model *m = &c->world->model;
	unsigned n = m->injection_queues, open[ODO_MAX_LANES], k = 0;
	if (n == 1)
		return 0;
	if (m->queue_policy == ODO_QUEUE_VL)
		return p->vl < n ? p->vl : n - 1;
	if (m->queue_policy == ODO_QUEUE_DEST)
		return c->world->address[p->target].queue;
	for (unsigned i = 0; i < n; i++)
		if (has_space(c, h, link, i, p->phits))
			open[k++] = i;
	return k ? open[odo_rng_below(rng, k)] : odo_rng_below(rng, n);
}

/* Onto the host's cable, behind what is on it. Returns when the head will be there. */
NEVER_INLINE uint32_t pace(odo_part *c, const odo_link *link, odo_spot at, unsigned phits)
{
	uint32_t *inward = &c->inward[at >> c->world->lane_bits];
	uint32_t start = *inward > c->now ? *inward : c->now;
	*inward = start + phits * link->cycles;
	for (uint32_t i = 1; i < phits && c->world->flits; i++)
		push_event(c, c->returns, start + i * link->cycles + link->latency,
			   odo_event_at(at, ODO_BODY_FLIT));
	return start + link->latency;
}

ALWAYS_INLINE void inject(odo_part *c, odo_host *h, const odo_link *link, uint32_t packet,
			  unsigned lane)
{
	odo_packet *p = &c->pool[packet];
	c->rest[h->at | lane].fill += p->phits;
	h->last = (uint8_t)lane;
	c->in_network++;
	uint32_t when = c->now + link->latency;
	if (c->world->model.paced_hosts)
		when = pace(c, link, h->at | lane, p->phits);
	arrive(c, when, h->at | lane, packet);
}

/* ---- Generation ---- */

/* What tables need to know of a packet. */
ALWAYS_INLINE void address_by_tables(const odo_part *c, const odo_host *h, odo_packet *p,
				     odo_rng *rng)
{
	const odo_world *w = c->world;
	const odo_tables *t = w->e->tables;
	const odo_address *to = &w->address[p->target];
	uint32_t lid = to->lid;
	if (to->lmc)
		lid += odo_rng_next(rng) & ((1u << to->lmc) - 1);
	p->word = lid | (uint32_t)to->home << 16;
	p->byte[1] = to->exit;
	if (c->vl_row) { /* one SL */
		p->vl = h->vl;
		return;
	}
	p->byte[0] = odo_path_sl(t, c->global[odo_spot_switch(w, h->at)], lid);
	p->vl = t->adaptive ? t->adaptive->inject(t, h->global, lid)
			    : t->rows[t->host_row[h->global]].vl[p->byte[0]];
}

/* Or what a policy draws for it. */
ALWAYS_INLINE void address(const odo_part *c, const odo_host *h, odo_packet *p, odo_rng *rng,
			   bool policy)
{
	const odo_world *w = c->world;
	if (!policy || !w->e->policy)
		address_by_tables(c, h, p, rng);
	if (policy && w->policy->generate)
		w->policy->generate(w->policy_state, p, rng);
}

/* The packet goes into its queue, or waits, or never was. False: the host is blocked. */
ALWAYS_INLINE bool place(odo_part *c, odo_host *h, uint32_t packet, odo_rng *rng)
{
	odo_packet *p = &c->pool[packet];
	const odo_link *link = link_of(c, h);
	unsigned lane = choose_queue(c, h, link, p, rng);
	if (has_space(c, h, link, lane, p->phits)) {
		inject(c, h, link, packet, lane);
		return true;
	}
	if (c->world->model.source_full == ODO_SOURCE_WAITS || c->world->e->workload) {
		h->pending = packet;
		h->lane = (uint8_t)lane;
		return false;
	}
	c->worker->m.dropped += c->worker->measuring;
	odo_packet_free(c, packet);
	return true;
}

/* One packet of open-loop traffic, born in cycle h->due. False: the host is blocked. Without a
 * policy, known as a constant, nobody else draws, and the stream stays in registers. */
ALWAYS_INLINE bool generate(odo_part *c, odo_host *h, odo_rng *rng, bool policy)
{
	const odo_world *w = c->world;
	uint32_t born = h->due;
	h->due = born + draw_gap(w, rng);
	if (w->model.source_full == ODO_SOURCE_STOPS &&
	    !has_space(c, h, link_of(c, h), h->last, w->model.packet)) {
		odo_measure_offered(c, h, born);
		return true;
	}
	uint32_t target = odo_traffic_destination(w->e->traffic, h->global, rng, born);
	if (target == ODO_NONE)
		return true;
	uint32_t packet = odo_packet_new(c);
	if (packet == ODO_NONE)
		return true;
	odo_packet *p = &c->pool[packet];
	*p = (odo_packet){.source = h->global,
			  .target = target,
			  .born = born,
			  .phits = (uint16_t)w->model.packet};
	address(c, h, p, rng, policy);
	odo_measure_born(c, h, born);
	return place(c, h, packet, rng);
}

/* Up to date with the present cycle, or until blocked. */
static void open_loop(odo_part *c, uint32_t host)
{
	odo_host *h = &c->hosts[host];
	while (h->due <= c->now) {
		odo_rng rng = stream_of(c, h);
		if (!generate(c, h, &rng, c->world->policy))
			return;
	}
	schedule(c, host, h->due);
}

/* All that a workload's host has to send now. */
static void closed_loop(odo_part *c, uint32_t host)
{
	const odo_workload *work = c->world->e->workload;
	odo_host *h = &c->hosts[host];
	odo_send send;
	uint64_t again = UINT64_MAX;
	while (work->next(work->state, h->global, c->now, &send, &again)) {
		odo_rng rng = stream_of(c, h);
		uint32_t packet = odo_packet_new(c);
		if (packet == ODO_NONE)
			return;
		odo_packet *p = &c->pool[packet];
		*p = (odo_packet){.source = h->global,
				  .target = send.target,
				  .born = c->now,
				  .tag = send.tag,
				  .phits = send.phits};
		address(c, h, p, &rng, c->world->policy);
		odo_measure_born(c, h, c->now);
		c->worker->m.generated_phits += c->worker->measuring ? send.phits : 0;
		if (!place(c, h, packet, &rng))
			return;
		again = UINT64_MAX;
	}
	if (again == UINT64_MAX) {
		h->asleep = 1;
		c->awake--;
	} else {
		schedule(c, host, again > c->now ? again : (uint64_t)c->now + 1);
	}
}

static void proceed(odo_part *c, uint32_t host)
{
	if (c->world->e->workload)
		closed_loop(c, host);
	else
		open_loop(c, host);
}

void odo_source_moved(odo_part *c, uint32_t host, unsigned lane)
{
	odo_host *h = &c->hosts[host];
	if (h->pending != ODO_NONE && h->lane == lane && !h->freed) {
		h->freed = 1;
		c->freed[c->n_freed++] = host;
	}
}

void odo_source_received(odo_part *c, uint32_t packet)
{
	const odo_workload *work = c->world->e->workload;
	odo_packet p = c->pool[packet];
	uint32_t host = c->world->host_local[p.target];
	odo_measure_received(c, &p, c->now);
	if (!work) {
		odo_packet_free(c, packet);
		return;
	}
	if (!work->arrived(work->state, p.target, p.source, p.tag, c->now))
		c->out_of_memory = true;
	odo_packet_free(c, packet);
	if (c->hosts[host].asleep) {
		c->hosts[host].asleep = 0;
		c->awake++;
		schedule(c, host, c->now);
	}
}

void odo_sources_start(odo_part *c)
{
	if (!c->world->e->workload && c->world->gaps.silent)
		return;
	c->awake = c->world->e->workload ? c->n_hosts : 0;
	for (uint32_t host = 0; host < c->n_hosts; host++) {
		odo_rng rng = stream_of(c, &c->hosts[host]);
		bool open = !c->world->e->workload;
		schedule(c, host, open ? draw_gap(c->world, &rng) - 1 : 0);
	}
}

static void unblock(odo_part *c)
{
	for (uint32_t i = 0; i < c->n_freed; i++) {
		uint32_t host = c->freed[i];
		odo_host *h = &c->hosts[host];
		h->freed = 0;
		const odo_link *link = link_of(c, h);
		if (!has_space(c, h, link, h->lane, c->pool[h->pending].phits))
			continue;
		inject(c, h, link, h->pending, h->lane);
		h->pending = ODO_NONE;
		proceed(c, host);
	}
	c->n_freed = 0;
}

/* Hosts that are due in this cycle. Returns how many. */
ALWAYS_INLINE uint32_t take_due(odo_part *c, uint32_t *due)
{
	uint32_t *list = &c->due[c->now % ODO_DUE_CYCLES], host = *list, n = 0;
	*list = ODO_NONE;
	while (host != ODO_NONE) {
		odo_host *h = &c->hosts[host];
		uint32_t next = h->next;
		due[n] = host;
		if (h->due > c->now)
			schedule(c, host, h->due);
		else
			n++;
		host = next;
	}
	return n;
}

/* Open-loop traffic: what hosts draw first is drawn for all at once. */
ALWAYS_INLINE void generate_all(odo_part *c, const uint32_t *due, uint32_t n, bool policy)
{
	const odo_world *w = c->world;
	odo_draws *d = &c->worker->draws;
	for (uint32_t i = 0; i < n; i++) {
		odo_rng rng = stream_of(c, &c->hosts[due[i]]);
		d->stream[i] = rng.stream;
		d->block[i] = rng.block;
	}
	odo_draws_all(d, w->e->run.seed, n, w->wide && odo_uses("AVX-512 for draws"));
	for (uint32_t i = 0; i < n; i++) {
		odo_host *h = &c->hosts[due[i]];
		odo_rng rng = odo_draws_rng(d, w->e->run.seed, i);
		if (!generate(c, h, &rng, policy))
			continue;
		if (__builtin_expect(h->due <= c->now, 0))
			open_loop(c, due[i]);
		else
			schedule(c, due[i], h->due);
	}
}

void odo_sources_step(odo_part *c)
{
	uint32_t *due = c->worker->due;
	if (c->n_freed)
		unblock(c);
	uint32_t n = take_due(c, due);
	if (!c->world->e->workload && !c->world->policy)
		generate_all(c, due, n, false);
	else if (!c->world->e->workload)
		generate_all(c, due, n, true);
	else
		for (uint32_t i = 0; i < n; i++)
			closed_loop(c, due[i]);
}

void odo_sources_skip(odo_part *c, uint32_t until)
{
	c->now = until;
	for (uint32_t i = 0; i < ODO_DUE_CYCLES; i++)
		c->due[i] = ODO_NONE;
	for (uint32_t host = 0; host < c->n_hosts; host++)
		if (!c->hosts[host].asleep && c->hosts[host].pending == ODO_NONE)
			schedule(c, host, c->hosts[host].due);
}

void odo_sources_finish(odo_part *c)
{
	const odo_world *w = c->world;
	for (uint32_t host = 0; host < c->n_hosts; host++)
		c->waiting += c->hosts[host].pending != ODO_NONE;
	if (w->e->workload || w->gaps.silent || w->model.source_full != ODO_SOURCE_WAITS)
		return;
	for (uint32_t host = 0; host < c->n_hosts; host++) {
		odo_host *h = &c->hosts[host];
		while (h->due < c->now) {
			odo_rng rng = stream_of(c, h);
			uint32_t born = h->due;
			h->due = born + draw_gap(w, &rng);
			if (odo_traffic_destination(w->e->traffic, h->global, &rng, born) ==
			    ODO_NONE)
				continue;
			odo_measure_born(c, h, born);
			c->waiting++;
		}
	}
}

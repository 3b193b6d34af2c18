/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hosts: when they generate a packet, and when it enters their injection queue.
 *
 * A host that waits costs nothing: the gap to its next packet is drawn at once, and a list per
 * cycle holds the hosts that are due. The unbounded queue of a waiting source is not stored either:
 * a host lags behind its own clock, and generates each packet with the cycle in which it should
 * have been born.
 *
 * The draws for the n-th packet of a host come from the blocks n * 16 .. of its stream, so a host
 * stores only four bytes of its random state.
 */
#include "emulator/kernel/cycle/source.h"

#include <math.h>
#include <string.h>

#include "emulator/kernel/state/events.h"
#include "emulator/kernel/measure/measure.h"
#include "routing/adaptive.h"

#define BLOCKS_PER_PACKET 16u
#define LONG_GAP (1u << 20)

void odo_gaps_make(odo_gaps *gaps, double probability)
{
	*gaps = (odo_gaps){.silent = probability <= 0, .always = probability >= 1};
	if (gaps->silent || gaps->always)
		return;
	double none = 1;
	for (unsigned k = 0; k < ODO_GAP_ENTRIES; k++) {
		none *= 1 - probability;
		gaps->below[k] = (uint64_t)ldexp(1 - none, 32);
	}
	for (unsigned lead = 0, k = 0; lead < 256; lead++) {
		while (k < ODO_GAP_ENTRIES - 1 && gaps->below[k] <= (uint64_t)lead << 24)
			k++;
		gaps->guide[lead] = (uint8_t)k;
	}
	gaps->below[ODO_GAP_ENTRIES] = UINT64_MAX;
}

/* Draw the cycles to the next success, from 1. A gap longer than the table starts the process
 * again. The loop ends once the gap exceeds the end of the run; otherwise loads near 0 would take
 * millions of draws. */
ALWAYS_INLINE uint32_t draw_gap(const odo_world *w, odo_rng *rng)
{
	const odo_gaps *gaps = &w->gaps;
	uint32_t gap = 1;
	if (gaps->always)
		return gap;
	for (;;) {
		uint32_t draw = odo_rng_next(rng), k = gaps->guide[draw >> 24];
		k += draw >= gaps->below[k];
		while (__builtin_expect(draw >= gaps->below[k], 0))
			k++;
		if (k < ODO_GAP_ENTRIES)
			return gap + k;
		gap += ODO_GAP_ENTRIES;
		if (gap > LONG_GAP &&
		    (gap > UINT32_MAX / 2 || (gap > w->measure_to && !w->e->run.go_on)))
			return gap;
	}
}

ALWAYS_INLINE odo_rng stream_of(const odo_part *part, odo_host *host)
{
	odo_rng rng = odo_rng_make(part->world->e->run.seed, host->global);
	rng.block = (uint64_t)host->drawn++ * BLOCKS_PER_PACKET;
	return rng;
}

/* ---- Being due ---- */

ALWAYS_INLINE void schedule_host(odo_part *part, uint32_t host, uint64_t cycle)
{
	odo_host *self = &part->hosts[host];
	self->due = cycle > UINT32_MAX ? UINT32_MAX : (uint32_t)cycle;
	uint32_t far = part->now + ODO_DUE_CYCLES - 1;
	uint32_t slot = self->due - part->now < ODO_DUE_CYCLES ? self->due : far;
	uint32_t *list = &part->due[slot % ODO_DUE_CYCLES];
	self->next = *list;
	*list = host;
}

/* ---- Injection ---- */

ALWAYS_INLINE const odo_link *link_of(const odo_part *part, const odo_host *host)
{
	return odo_link_at(part, host->at >> part->world->lane_bits);
}

ALWAYS_INLINE bool queue_has_space(const odo_part *part, const odo_host *host, const odo_link *link,
				   unsigned lane, unsigned phits)
{
	return part->rest[host->at | lane].fill + phits <= link->buffer;
}

ALWAYS_INLINE unsigned choose_queue(const odo_part *part, const odo_host *host,
				    const odo_link *link, const odo_packet *p, odo_rng *rng)
{
	const odo_model *model = &part->world->model;
	unsigned n = model->injection_queues, open[ODO_MAX_LANES], k = 0;
	if (n == 1)
		return 0;
	if (model->queue_policy == ODO_QUEUE_VL)
		return p->vl < n ? p->vl : n - 1;
	if (model->queue_policy == ODO_QUEUE_DEST)
		return part->world->address[p->target].queue;
	for (unsigned i = 0; i < n; i++)
		if (queue_has_space(part, host, link, i, p->phits))
			open[k++] = i;
	return k ? open[odo_rng_below(rng, k)] : odo_rng_below(rng, n);
}

/* Put a packet onto the host's cable, behind packets already on it. Returns when its head
 * arrives. */
NEVER_INLINE uint32_t pace_cable(odo_part *part, const odo_link *link, odo_spot at, unsigned phits)
{
	uint32_t *inward = &part->inward[at >> part->world->lane_bits];
	uint32_t start = *inward > part->now ? *inward : part->now;
	*inward = start + phits * link->cycles;
	for (uint32_t i = 1; i < phits && part->world->flits; i++)
		push_event(part, part->returns, start + i * link->cycles + link->latency,
			   odo_event_at(at, ODO_BODY_FLIT));
	return start + link->latency;
}

ALWAYS_INLINE void inject_packet(odo_part *part, odo_host *host, const odo_link *link,
				 uint32_t packet, unsigned lane)
{
	odo_packet *p = &part->pool[packet];
	part->rest[host->at | lane].fill += p->phits;
	host->last = (uint8_t)lane;
	part->in_network++;
	uint32_t when = part->now + link->latency;
	if (part->world->model.paced_hosts)
		when = pace_cable(part, link, host->at | lane, p->phits);
	push_arrival(part, when, host->at | lane, packet);
}

/* ---- Generation ---- */

/* Set the packet fields that routing by tables needs. */
ALWAYS_INLINE void address_by_tables(const odo_part *part, const odo_host *host, odo_packet *p,
				     odo_rng *rng)
{
	const odo_world *w = part->world;
	const odo_tables *t = w->e->tables;
	const odo_address *to = &w->address[p->target];
	uint32_t lid = to->lid;
	if (to->lmc)
		lid += odo_rng_next(rng) & ((1u << to->lmc) - 1);
	p->word = lid | (uint32_t)to->end << 16;
	p->byte[1] = to->exit;
	if (part->vl_row) { /* one SL */
		p->vl = host->vl;
		return;
	}
	if (w->sets) { /* sets do not read the SL, and they read the VL only at the host's switch */
		if (w->model.queue_policy == ODO_QUEUE_VL)
			p->vl = t->adaptive->inject(t, host->global, lid);
		return;
	}
	p->byte[0] = odo_path_sl(t, part->global[odo_spot_switch(w, host->at)], lid);
	p->vl = t->adaptive ? t->adaptive->inject(t, host->global, lid)
			    : t->rows[t->host_row[host->global]].vl[p->byte[0]];
}

/* Set the packet fields by tables, or let the policy draw its own. */
ALWAYS_INLINE void address_packet(const odo_part *part, const odo_host *host, odo_packet *p,
				  odo_rng *rng, bool policy)
{
	const odo_world *w = part->world;
	if (!policy || !w->e->policy)
		address_by_tables(part, host, p, rng);
	if (policy && w->policy->generate && !w->sets)
		w->policy->generate(w->policy_state, p, rng);
}

/* Put a packet into its queue, let it wait, or drop it. False: the host is blocked. */
ALWAYS_INLINE bool place_packet(odo_part *part, odo_host *host, uint32_t packet, odo_rng *rng)
{
	odo_packet *p = &part->pool[packet];
	const odo_link *link = link_of(part, host);
	unsigned lane = choose_queue(part, host, link, p, rng);
	if (queue_has_space(part, host, link, lane, p->phits)) {
		inject_packet(part, host, link, packet, lane);
		return true;
	}
	if (part->world->model.source_full == ODO_SOURCE_WAITS || part->world->e->workload) {
		host->pending = packet;
		host->lane = (uint8_t)lane;
		return false;
	}
	part->worker->m.dropped += part->worker->measuring;
	odo_packet_free(part, packet);
	return true;
}

/* Generate one packet of open-loop traffic, born in cycle h->due. False: the host is blocked.
 * `policy` is a compile-time constant. If it is false, only this function draws, so the stream
 * stays in registers. */
ALWAYS_INLINE bool generate_packet(odo_part *part, odo_host *host, odo_rng *rng, bool policy)
{
	const odo_world *w = part->world;
	uint32_t born = host->due;
	host->due = born + draw_gap(w, rng);
	if (w->model.source_full == ODO_SOURCE_STOPS &&
	    !queue_has_space(part, host, link_of(part, host), host->last, w->model.packet)) {
		odo_measure_offered(part, host, born, 1);
		return true;
	}
	uint32_t target = odo_traffic_destination(w->e->traffic, host->global, rng, born);
	if (target == ODO_NONE)
		return true;
	uint32_t packet = odo_packet_new(part);
	if (packet == ODO_NONE)
		return true;
	odo_packet *p = &part->pool[packet];
	*p = (odo_packet){.source = host->global,
			  .target = target,
			  .born = born,
			  .phits = (uint16_t)w->model.packet};
	address_packet(part, host, p, rng, policy);
	odo_measure_born(part, host, born, 1);
	return place_packet(part, host, packet, rng);
}

/* Generate packets up to the present cycle, or until the host is blocked. */
static void open_loop(odo_part *part, uint32_t host)
{
	odo_host *self = &part->hosts[host];
	while (self->due <= part->now) {
		odo_rng rng = stream_of(part, self);
		if (!generate_packet(part, self, &rng, part->world->policy))
			return;
	}
	schedule_host(part, host, self->due);
}

/* Send all packets that a workload's host has to send now. */
static void closed_loop(odo_part *part, uint32_t host)
{
	const odo_workload *work = part->world->e->workload;
	odo_host *self = &part->hosts[host];
	odo_send send;
	uint64_t again = UINT64_MAX;
	while (work->next(work->state, self->global, part->now, &send, &again)) {
		odo_rng rng = stream_of(part, self);
		uint32_t packet = odo_packet_new(part);
		if (packet == ODO_NONE)
			return;
		odo_packet *p = &part->pool[packet];
		*p = (odo_packet){.source = self->global,
				  .target = send.target,
				  .born = part->now,
				  .tag = send.tag,
				  .phits = send.phits};
		address_packet(part, self, p, &rng, part->world->policy);
		odo_measure_born(part, self, part->now, 1);
		part->worker->m.generated_phits += part->worker->measuring ? send.phits : 0;
		if (!place_packet(part, self, packet, &rng))
			return;
		again = UINT64_MAX;
	}
	if (again == UINT64_MAX) {
		self->asleep = 1;
		part->awake--;
	} else {
		schedule_host(part, host, again > part->now ? again : (uint64_t)part->now + 1);
	}
}

static void continue_host(odo_part *part, uint32_t host)
{
	if (part->world->e->workload)
		closed_loop(part, host);
	else
		open_loop(part, host);
}

void odo_source_moved(odo_part *part, uint32_t host, unsigned lane)
{
	odo_host *self = &part->hosts[host];
	if (self->pending != ODO_NONE && self->lane == lane && !self->freed) {
		self->freed = 1;
		part->freed[part->n_freed++] = host;
	}
}

void odo_source_received(odo_part *part, uint32_t packet)
{
	const odo_workload *work = part->world->e->workload;
	odo_packet p = part->pool[packet];
	uint32_t host = part->world->host_local[p.target];
	odo_measure_received(part, &p, part->now);
	if (!work) {
		odo_packet_free(part, packet);
		return;
	}
	if (!work->arrived(work->state, p.target, p.source, p.tag, part->now))
		part->out_of_memory = true;
	odo_packet_free(part, packet);
	if (part->hosts[host].asleep) {
		part->hosts[host].asleep = 0;
		part->awake++;
		schedule_host(part, host, part->now);
	}
}

void odo_sources_start(odo_part *part)
{
	if (!part->world->e->workload && part->world->gaps.silent)
		return;
	part->awake = part->world->e->workload ? part->n_hosts : 0;
	for (uint32_t host = 0; host < part->n_hosts; host++) {
		odo_rng rng = stream_of(part, &part->hosts[host]);
		bool open = !part->world->e->workload;
		schedule_host(part, host, open ? draw_gap(part->world, &rng) - 1 : 0);
	}
}

static void unblock_hosts(odo_part *part)
{
	for (uint32_t i = 0; i < part->n_freed; i++) {
		uint32_t host = part->freed[i];
		odo_host *self = &part->hosts[host];
		self->freed = 0;
		const odo_link *link = link_of(part, self);
		if (!queue_has_space(part, self, link, self->lane, part->pool[self->pending].phits))
			continue;
		inject_packet(part, self, link, self->pending, self->lane);
		self->pending = ODO_NONE;
		continue_host(part, host);
	}
	part->n_freed = 0;
}

/* Collect the hosts that are due in this cycle. Returns their number. */
ALWAYS_INLINE uint32_t take_due(odo_part *part, uint32_t *due)
{
	uint32_t *list = &part->due[part->now % ODO_DUE_CYCLES], host = *list, n = 0;
	*list = ODO_NONE;
	while (host != ODO_NONE) {
		odo_host *self = &part->hosts[host];
		uint32_t next = self->next;
		due[n] = host;
		if (self->due > part->now)
			schedule_host(part, host, self->due);
		else
			n++;
		host = next;
	}
	return n;
}

/* Open-loop traffic of all due hosts. */
ALWAYS_INLINE void generate_all(odo_part *part, const uint32_t *due, uint32_t n, bool policy)
{
	for (uint32_t i = 0; i < n; i++) {
		odo_host *host = &part->hosts[due[i]];
		odo_rng rng = stream_of(part, host);
		if (!generate_packet(part, host, &rng, policy))
			continue;
		if (__builtin_expect(host->due <= part->now, 0))
			open_loop(part, due[i]);
		else
			schedule_host(part, due[i], host->due);
	}
}

void odo_sources_step(odo_part *part)
{
	uint32_t *due = part->worker->due;
	if (part->n_freed)
		unblock_hosts(part);
	uint32_t n = take_due(part, due);
	if (!part->world->e->workload && !part->world->policy)
		generate_all(part, due, n, false);
	else if (!part->world->e->workload)
		generate_all(part, due, n, true);
	else
		for (uint32_t i = 0; i < n; i++)
			closed_loop(part, due[i]);
}

void odo_sources_skip(odo_part *part, uint32_t until)
{
	part->now = until;
	for (uint32_t i = 0; i < ODO_DUE_CYCLES; i++)
		part->due[i] = ODO_NONE;
	for (uint32_t host = 0; host < part->n_hosts; host++)
		if (!part->hosts[host].asleep && part->hosts[host].pending == ODO_NONE)
			schedule_host(part, host, part->hosts[host].due);
}

/* Count packets that are due but not yet in a queue because their host lags behind. The state of
 * hosts does not change. @param count 1 to count them as waiting, -1 to undo that */
static void count_late(odo_part *part, int count)
{
	const odo_world *w = part->world;
	for (uint32_t host = 0; host < part->n_hosts; host++)
		if (part->hosts[host].pending != ODO_NONE)
			part->waiting += (uint64_t)count;
	if (w->e->workload || w->gaps.silent || w->model.source_full != ODO_SOURCE_WAITS)
		return;
	for (uint32_t host = 0; host < part->n_hosts; host++) {
		odo_host self = part->hosts[host];
		while (self.due < part->now) {
			odo_rng rng = stream_of(part, &self);
			uint32_t born = self.due;
			self.due = born + draw_gap(w, &rng);
			if (odo_traffic_destination(w->e->traffic, self.global, &rng, born) ==
			    ODO_NONE)
				continue;
			odo_measure_born(part, &self, born, count);
			part->waiting += (uint64_t)count;
		}
	}
}

void odo_sources_finish(odo_part *part)
{
	count_late(part, 1);
}

void odo_sources_resume(odo_part *part)
{
	count_late(part, -1);
}

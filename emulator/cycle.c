/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One cycle of a core: events, allocation, then sources (source.c). core.h shows the layout.
 *
 * A packet-hop costs three events (arrival, credit, release), one look at the routing, one
 * allocation. Events of a cycle commute, so their order, which depends on how switches are
 * dealt to cores, leaves no trace in the results.
 */
#include <stdlib.h>
#include <string.h>

#include "emulator/core.h"
#include "emulator/forward.h"
#include "emulator/measure.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Packets that go on at an input, or the outputs wanted, by port. */
struct round {
	uint64_t pet[ODO_MAX_PORTS][ODO_MAX_WORDS];      /* inputs that ask for an output */
	uint64_t touched[ODO_MAX_WORDS];                 /* outputs whose `pet` is valid */
	uint64_t seen[ODO_MAX_WORDS];                    /* inputs that ask for something */
	uint64_t several[ODO_MAX_WORDS];                 /* inputs with a choice between lanes */
	uint64_t served[ODO_MAX_WORDS];                  /* inputs granted in this cycle */
	uint8_t lane[ODO_MAX_PORTS], out[ODO_MAX_PORTS]; /* of each input seen */
};

ALWAYS_INLINE void set(uint64_t *mask, unsigned bit)
{
	mask[bit / 64] |= 1ull << bit % 64;
}
ALWAYS_INLINE void clear(uint64_t *mask, unsigned bit)
{
	mask[bit / 64] &= ~(1ull << bit % 64);
}
ALWAYS_INLINE bool test(const uint64_t *mask, unsigned bit)
{
	return mask[bit / 64] >> bit % 64 & 1;
}

static void wake(odo_core *c, uint32_t s)
{
	set(c->active, s);
}

/* ---- Heads of queues ---- */

ALWAYS_INLINE uint64_t *want_of(const odo_core *c, const odo_switch *s, unsigned port, unsigned vl)
{
	unsigned W = s->shape->words;
	return odo_sw_want(s) + (port * c->world->n_vls + vl) * c->world->n_lanes * W;
}

static void set_want(odo_core *c, const odo_switch *s, unsigned in, unsigned l, const odo_lane *q)
{
	unsigned W = s->shape->words;
	set(want_of(c, s, q->port, q->vl) + l * W, in);
	set(odo_sw_wanted(s) + q->vl * W, q->port);
}

static void clear_want(odo_core *c, const odo_switch *s, unsigned in, unsigned l, const odo_lane *q)
{
	unsigned W = s->shape->words, n = c->world->n_lanes * W;
	uint64_t *want = want_of(c, s, q->port, q->vl), any = 0;
	clear(want + l * W, in);
	for (unsigned i = 0; i < n; i++)
		any |= want[i];
	if (!any)
		clear(odo_sw_wanted(s) + q->vl * W, q->port);
}

static bool take_way(odo_core *c, const odo_switch *s, odo_lane *q, const odo_way *way,
		     const odo_packet *p)
{
	const odo_shape *shape = s->shape;
	unsigned V = c->world->n_vls;
	if (way->port - 1u >= shape->ports || way->vl >= V || !odo_sw_links(s)[way->port - 1].up ||
	    !odo_sw_capacity(s)[(way->port - 1) * V + way->vl])
		return false;
	q->port = way->port - 1;
	q->vl = way->vl;
	q->escape = way->escape;
	q->space = way->space ? way->space : p->phits;
	return true;
}

static void stray(odo_core *c, uint32_t s, unsigned in, unsigned l, const char *fault)
{
	if (!c->fault) {
		c->astray = odo_spot_make(s, in, l);
		c->fault = fault;
	}
}

/* The policy's answer for the head of a lane; true if it is to be kept. */
static bool ask(odo_core *c, uint32_t si, unsigned in, unsigned l, odo_lane *q, bool *some)
{
	const odo_world *w = c->world;
	odo_packet *p = &c->pool[q->head];
	odo_way way = {0};
	odo_view view;
	odo_core_view(c, si, &view);
	*some = w->policy->route(w->policy_state, &view, p, in + 1, l, &way);
	if (*some && !take_way(c, &c->sw[si], q, &way, p)) {
		stray(c, si, in, l, "the policy names a way that is none");
		*some = false;
	}
	return *some && way.keep;
}

static void new_head(odo_core *c, uint32_t si, unsigned in, unsigned l)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	odo_lane *q = &odo_sw_lanes(s)[in * w->n_lanes + l];
	bool some;
	if (!w->policy) {
		odo_way way = {0};
		odo_forward(w->e->tables, c->global[si], in + 1, &c->pool[q->head], &way);
		if (take_way(c, s, q, &way, &c->pool[q->head]))
			set_want(c, s, in, l, q);
		else
			stray(c, si, in, l, "the tables have no way on");
	} else if (!(w->policy->traits & ODO_POLICY_ASKS) && ask(c, si, in, l, q, &some)) {
		set_want(c, s, in, l, q);
	} else {
		set(odo_sw_asks(s) + l * s->shape->words, in);
	}
}

/* ---- Events ---- */

static void push(odo_core *c, odo_bucket *wheel, uint32_t when, odo_event event)
{
	odo_bucket *b = &wheel[when & (c->wheel - 1)];
	if (b->n == b->room) {
		size_t room = b->room;
		if (odo_grow(&b->at, &room, (size_t)b->n + 1, sizeof *b->at)) {
			c->out_of_memory = true;
			return;
		}
		b->room = (uint32_t)room;
	}
	b->at[b->n++] = event;
}

void odo_core_arrive(odo_core *c, uint32_t when, odo_spot at, uint32_t packet)
{
	push(c, c->arrivals, when, (uint64_t)at << 32 | packet);
}

static void releases(odo_core *c)
{
	odo_bucket *b = &c->releases[c->now & (c->wheel - 1)];
	bool parallel = c->world->parallel_inputs;
	for (uint32_t i = 0; i < b->n; i++) {
		odo_spot at = (odo_spot)(b->at[i] >> 32);
		unsigned in = odo_spot_port(at), out = (uint8_t)b->at[i];
		uint32_t si = odo_spot_switch(at);
		const odo_switch *s = &c->sw[si];
		uint64_t *in_free = odo_sw_in_free(s);
		set(in_free, in);
		set(in_free + s->shape->words, out);
		if (parallel) {
			set(odo_sw_lane_free(s) + odo_spot_lane(at) * s->shape->words, in);
			odo_sw_sending(s)[in]--;
		}
		wake(c, si);
	}
	b->n = 0;
}

static void credits(odo_core *c)
{
	odo_bucket *b = &c->credits[c->now & (c->wheel - 1)];
	const odo_policy *policy = c->world->policy;
	unsigned V = c->world->n_vls;
	for (uint32_t i = 0; i < b->n; i++) {
		odo_spot at = (odo_spot)(b->at[i] >> 32);
		unsigned port = odo_spot_port(at), vl = odo_spot_lane(at),
			 phits = (uint16_t)b->at[i];
		uint32_t si = odo_spot_switch(at);
		const odo_switch *s = &c->sw[si];
		odo_sw_credits(s)[port * V + vl] += phits;
		set(odo_sw_credit_ok(s) + vl * s->shape->words, port);
		if (policy && policy->credit) {
			odo_view view;
			odo_core_view(c, si, &view);
			policy->credit(c->world->policy_state, &view, port + 1, vl, phits);
		}
		wake(c, si);
	}
	b->n = 0;
}

static void arrivals(odo_core *c)
{
	odo_bucket *b = &c->arrivals[c->now & (c->wheel - 1)];
	for (uint32_t i = 0; i < b->n; i++) {
		odo_spot at = (odo_spot)(b->at[i] >> 32);
		uint32_t packet = (uint32_t)b->at[i], si = odo_spot_switch(at);
		unsigned port = odo_spot_port(at), l = odo_spot_lane(at);
		if (l == ODO_MAX_LANES) {
			odo_source_received(c, packet);
			continue;
		}
		odo_lane *q = &odo_sw_lanes(&c->sw[si])[port * c->world->n_lanes + l];
		c->next[packet] = ODO_NONE;
		if (q->head != ODO_NONE) {
			c->next[q->tail] = packet;
			q->tail = packet;
			continue;
		}
		q->head = q->tail = packet;
		new_head(c, si, port, l);
		wake(c, si);
	}
	b->n = 0;
}

/* ---- Grants ---- */

static void send_message(odo_core *c, const odo_link *link, const odo_message *message)
{
	odo_outbox *box = &c->outbox[link->core];
	if (odo_grow(&box->at, &box->room, box->n + 1, sizeof *box->at)) {
		c->out_of_memory = true;
		return;
	}
	box->at[box->n++] = *message;
}

void odo_core_receive(odo_core *c, const odo_outbox *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const odo_message *m = &from->at[i];
		if (!m->packet.phits) {
			push(c, c->credits, m->when, (uint64_t)m->at << 32 | m->packet.word);
			continue;
		}
		uint32_t p = odo_packet_new(c);
		if (p == ODO_NONE)
			return;
		c->pool[p] = m->packet;
		c->in_network++;
		odo_core_arrive(c, m->when, m->at, p);
	}
}

/* The buffer that a packet leaves has space again: tell whoever fills it. */
static void return_credit(odo_core *c, uint32_t si, unsigned in, unsigned l, unsigned out,
			  unsigned phits)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	const odo_link *link = &odo_sw_links(s)[in];
	if (link->class == ODO_LINK_HOST) {
		odo_sw_lanes(s)[in * w->n_lanes + l].fill -= (uint16_t)phits;
		odo_source_moved(c, link->peer, l);
		return;
	}
	uint32_t when = c->now + link->latency + w->model.credit_latency;
	if (w->policy && w->policy->hold_credit) {
		odo_view view;
		odo_core_view(c, si, &view);
		uint32_t held = w->policy->hold_credit(w->policy_state, &view, in + 1, out + 1);
		when += held < ODO_CREDIT_HOLD ? held : ODO_CREDIT_HOLD - 1;
	}
	if (link->core == c->number) {
		push(c, c->credits, when, (uint64_t)(link->peer | l) << 32 | phits);
	} else {
		odo_message m = {.at = link->peer | l, .when = when, .packet.word = phits};
		send_message(c, link, &m);
	}
}

/* Onto the link to the next switch. */
static void transmit(odo_core *c, const odo_switch *s, unsigned out, unsigned vl, uint32_t packet)
{
	const odo_link *link = &odo_sw_links(s)[out];
	odo_packet *p = &c->pool[packet];
	uint16_t *credit = &odo_sw_credits(s)[out * c->world->n_vls + vl];
	*credit -= p->phits;
	if (!*credit)
		clear(odo_sw_credit_ok(s) + vl * s->shape->words, out);
	p->port = (uint8_t)(odo_spot_port(link->peer) + 1);
	p->vl = (uint8_t)vl;
	p->hops += p->hops < 255;
	if (p->hops > c->world->max_hops)
		c->lost = packet;
	c->packet_hops++;
	uint32_t when = c->now + c->world->model.pipeline + link->latency;
	if (link->core == c->number) {
		odo_core_arrive(c, when, link->peer | vl, packet);
		return;
	}
	odo_message m = {.packet = *p, .at = link->peer | vl, .when = when};
	send_message(c, link, &m);
	odo_packet_free(c, packet);
	c->in_network--;
}

static void tell_policy(odo_core *c, uint32_t si, unsigned in, const odo_lane *q, odo_packet *p)
{
	odo_view view;
	odo_way way = {.port = q->port + 1, .vl = q->vl, .escape = (uint8_t)q->escape};
	odo_core_view(c, si, &view);
	c->world->policy->leave(c->world->policy_state, &view, p, in + 1, &way);
}

/* Take the winner out of its queue; whoever is behind it becomes the head. */
static uint32_t dequeue(odo_core *c, uint32_t si, unsigned in, unsigned l)
{
	const odo_switch *s = &c->sw[si];
	odo_lane *q = &odo_sw_lanes(s)[in * c->world->n_lanes + l];
	uint32_t packet = q->head;
	uint64_t *asks = odo_sw_asks(s) + l * s->shape->words;
	if (c->world->policy && test(asks, in))
		clear(asks, in);
	else
		clear_want(c, s, in, l, q);
	q->head = c->next[packet];
	if (q->head == ODO_NONE)
		q->tail = ODO_NONE;
	else
		new_head(c, si, in, l);
	return packet;
}

static void occupy(odo_core *c, uint32_t si, unsigned in, unsigned l, unsigned out, unsigned phits)
{
	const odo_switch *s = &c->sw[si];
	uint64_t *in_free = odo_sw_in_free(s);
	uint32_t busy = phits * odo_sw_links(s)[out].cycles;
	clear(in_free, in);
	clear(in_free + s->shape->words, out);
	if (c->world->parallel_inputs) {
		clear(odo_sw_lane_free(s) + l * s->shape->words, in);
		odo_sw_sending(s)[in]++;
	}
	push(c, c->releases, c->now + busy, (uint64_t)odo_spot_make(si, in, l) << 32 | out);
}

static void grant(odo_core *c, uint32_t si, unsigned in, unsigned l, unsigned out)
{
	const odo_switch *s = &c->sw[si];
	const odo_lane before = odo_sw_lanes(s)[in * c->world->n_lanes + l];
	odo_packet *p = &c->pool[before.head];
	const odo_link *link = &odo_sw_links(s)[out];
	bool injected = odo_sw_links(s)[in].class == ODO_LINK_HOST;
	unsigned phits = p->phits;
	c->last_move = c->now;
	if (injected)
		p->entered = c->now;
	if (before.escape)
		p->flags |= ODO_PACKET_ESCAPED;
	if (c->world->policy && c->world->policy->leave)
		tell_policy(c, si, in, &before, p);
	if (c->measuring)
		odo_measure_grant(c, s, out, c->global[si], injected, before.escape, phits);
	occupy(c, si, in, l, out, phits);
	uint32_t packet = dequeue(c, si, in, l);
	return_credit(c, si, in, l, out, phits);
	if (link->class == ODO_LINK_HOST)
		odo_deliver(c, link, packet);
	else
		transmit(c, s, out, before.vl, packet);
}

/* ---- Allocation ---- */

/* Lane of least recent service first; `l` goes to the end. */
static uint64_t serve_lane(uint64_t order, unsigned l, unsigned n_lanes)
{
	uint64_t diff = order ^ 0x1111111111111111ull * l;
	uint64_t zero = (diff - 0x1111111111111111ull) & ~diff & 0x8888888888888888ull;
	unsigned at = (unsigned)__builtin_ctzll(zero) & ~3u;
	uint64_t low = order & ((1ull << at) - 1), high = order >> at >> 4;
	return low | high << at | (uint64_t)l << 4 * (n_lanes - 1);
}

/* Could this head go now, if input and output arbiters choose it? */
ALWAYS_INLINE bool can_go(const odo_core *c, const odo_switch *s, const odo_lane *q)
{
	return test(odo_sw_in_free(s) + s->shape->words, q->port) &&
	       odo_sw_credits(s)[q->port * c->world->n_vls + q->vl] >= q->space;
}

ALWAYS_INLINE void petition(struct round *r, unsigned in, unsigned l, unsigned out, unsigned W)
{
	if (!test(r->touched, out)) {
		set(r->touched, out);
		for (unsigned x = 0; x < W; x++)
			r->pet[out][x] = 0;
	}
	set(r->pet[out], in);
	set(r->seen, in);
	r->lane[in] = (uint8_t)l;
	r->out[in] = (uint8_t)out;
}

/* Heads that wait for VL `v` of output `o`. */
ALWAYS_INLINE void petition_for(odo_core *c, const odo_switch *s, struct round *r, unsigned o,
				unsigned v, unsigned W)
{
	const odo_world *w = c->world;
	const uint64_t *want = want_of(c, s, o, v), *in_free = odo_sw_in_free(s);
	for (unsigned l = 0; l < w->n_lanes; l++)
		for (unsigned x = 0; x < W; x++) {
			uint64_t m = want[l * W + x] & in_free[x];
			if (w->parallel_inputs)
				m &= odo_sw_lane_free(s)[l * W + x];
			for (; m; m &= m - 1) {
				unsigned in = x * 64 + (unsigned)__builtin_ctzll(m);
				if (!w->uniform &&
				    !can_go(c, s, &odo_sw_lanes(s)[in * w->n_lanes + l]))
					continue;
				if (test(r->seen, in))
					set(r->several, in);
				else
					petition(r, in, l, o, W);
			}
		}
}

/* Every input's petition, from the outputs that are free, wanted and have credit. */
ALWAYS_INLINE void petition_wanted(odo_core *c, const odo_switch *s, struct round *r, unsigned W)
{
	const uint64_t *out_free = odo_sw_in_free(s) + W;
	for (unsigned v = 0; v < c->world->n_vls; v++)
		for (unsigned x = 0; x < W; x++) {
			uint64_t open = odo_sw_wanted(s)[v * W + x] &
					odo_sw_credit_ok(s)[v * W + x] & out_free[x];
			for (; open; open &= open - 1)
				petition_for(c, s, r, x * 64 + (unsigned)__builtin_ctzll(open), v,
					     W);
		}
}

/* An input with a choice: the lane served least recently of those that could go. */
static void choose_lane(odo_core *c, const odo_switch *s, struct round *r, unsigned in, unsigned W)
{
	unsigned I = c->world->n_lanes;
	uint64_t order = odo_sw_order(s)[in];
	clear(r->pet[r->out[in]], in);
	for (unsigned k = 0; k < I; k++, order >>= 4) {
		unsigned l = order & 0xF;
		const odo_lane *q = &odo_sw_lanes(s)[in * I + l];
		if (q->head == ODO_NONE || !can_go(c, s, q))
			continue;
		if (c->world->parallel_inputs && !test(odo_sw_lane_free(s) + l * W, in))
			continue;
		petition(r, in, l, q->port, W);
		return;
	}
}

/* A policy that is asked in every round: lanes by least recent service, until one can go. */
static void petition_asking(odo_core *c, uint32_t si, struct round *r, unsigned in, unsigned W)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	uint64_t order = odo_sw_order(s)[in];
	for (unsigned k = 0; k < w->n_lanes; k++, order >>= 4) {
		unsigned l = order & 0xF;
		odo_lane *q = &odo_sw_lanes(s)[in * w->n_lanes + l];
		if (q->head == ODO_NONE)
			continue;
		if (w->parallel_inputs && !test(odo_sw_lane_free(s) + l * W, in))
			continue;
		if (test(odo_sw_asks(s) + l * W, in)) {
			bool some, keep = ask(c, si, in, l, q, &some);
			if (!some)
				continue;
			if (keep) {
				clear(odo_sw_asks(s) + l * W, in);
				set_want(c, s, in, l, q);
			}
		}
		if (can_go(c, s, q)) {
			petition(r, in, l, q->port, W);
			return;
		}
	}
}

/* Of the inputs that ask for output `o`. */
ALWAYS_INLINE unsigned pick(const odo_core *c, const odo_switch *s, const uint64_t *pet, unsigned o,
			    unsigned W)
{
	const uint16_t *served = odo_sw_served(s) + o * s->shape->ports;
	unsigned best = 0, least = UINT32_MAX;
	bool transit_first = c->world->model.transit_first;
	for (unsigned x = 0; x < W; x++)
		for (uint64_t m = pet[x]; m; m &= m - 1) {
			unsigned in = x * 64 + (unsigned)__builtin_ctzll(m);
			unsigned age = served[in];
			if (transit_first && odo_sw_links(s)[in].class == ODO_LINK_HOST)
				age += UINT16_MAX + 1u;
			if (age < least) {
				least = age;
				best = in;
			}
		}
	return best;
}

/* Counts of grants are 16 bits: before they overflow, replace them by their ranks. */
static void renumber(const odo_switch *s, unsigned o)
{
	unsigned P = s->shape->ports;
	uint16_t *served = odo_sw_served(s) + o * P, rank[ODO_MAX_PORTS];
	for (unsigned i = 0; i < P; i++) {
		rank[i] = 0;
		for (unsigned j = 0; j < P; j++)
			rank[i] += served[j] < served[i];
	}
	memcpy(served, rank, P * sizeof *served);
	odo_sw_grants(s)[o] = (uint16_t)P;
}

static void mark_served(const odo_core *c, const odo_switch *s, unsigned o, unsigned in)
{
	unsigned P = s->shape->ports;
	uint16_t *served = odo_sw_served(s) + o * P;
	if (c->world->model.arbiter == ODO_ARBITER_ROUND_ROBIN) {
		for (unsigned i = 0; i < P; i++)
			served[i] = (uint16_t)((i + P - in - 1) % P);
		return;
	}
	if (odo_sw_grants(s)[o] == UINT16_MAX)
		renumber(s, o);
	served[in] = ++odo_sw_grants(s)[o];
}

/* Each output that is asked for grants one input. True if somebody was left out. */
ALWAYS_INLINE bool grant_round(odo_core *c, uint32_t si, struct round *r, unsigned W)
{
	const odo_switch *s = &c->sw[si];
	unsigned I = c->world->n_lanes;
	bool left_out = false;
	for (unsigned x = 0; x < W; x++)
		for (uint64_t m = r->touched[x]; m; m &= m - 1) {
			unsigned o = x * 64 + (unsigned)__builtin_ctzll(m), n = 0;
			for (unsigned y = 0; y < W; y++)
				n += (unsigned)__builtin_popcountll(r->pet[o][y]);
			if (!n)
				continue;
			unsigned in = pick(c, s, r->pet[o], o, W);
			left_out |= n > 1;
			mark_served(c, s, o, in);
			set(r->served, in);
			grant(c, si, in, r->lane[in], o);
		}
	for (unsigned x = 0; x < W && I > 1; x++)
		for (uint64_t m = r->seen[x]; m; m &= m - 1) {
			unsigned in = x * 64 + (unsigned)__builtin_ctzll(m);
			odo_sw_order(s)[in] = serve_lane(odo_sw_order(s)[in], r->lane[in], I);
		}
	return left_out;
}

ALWAYS_INLINE void ask_inputs(odo_core *c, uint32_t si, struct round *r, unsigned W)
{
	const odo_switch *s = &c->sw[si];
	unsigned I = c->world->n_lanes;
	for (unsigned x = 0; x < W; x++) {
		uint64_t some = 0;
		for (unsigned l = 0; l < I; l++)
			some |= odo_sw_asks(s)[l * W + x];
		for (uint64_t m = some & odo_sw_in_free(s)[x]; m; m &= m - 1)
			set(r->several, x * 64 + (unsigned)__builtin_ctzll(m));
	}
	for (unsigned x = 0; x < W; x++)
		for (uint64_t m = r->several[x]; m; m &= m - 1) {
			unsigned in = x * 64 + (unsigned)__builtin_ctzll(m);
			if (test(r->seen, in))
				clear(r->pet[r->out[in]], in);
			clear(r->seen, in);
			petition_asking(c, si, r, in, W);
		}
}

/* Inputs whose lanes send side by side: one grant a cycle, but others may follow. */
static bool reopen_inputs(odo_core *c, const odo_switch *s, const struct round *r, unsigned W)
{
	bool any = false;
	for (unsigned x = 0; x < W; x++)
		for (uint64_t m = r->served[x]; m; m &= m - 1) {
			unsigned in = x * 64 + (unsigned)__builtin_ctzll(m);
			if (odo_sw_sending(s)[in] < c->world->model.input_parallel) {
				set(odo_sw_in_free(s), in);
				any = true;
			}
		}
	return any;
}

/* All rounds of one switch. True if it must be looked at again in the next cycle. */
ALWAYS_INLINE bool allocate(odo_core *c, uint32_t si, unsigned W)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	struct round r;
	bool again = false;
	for (unsigned x = 0; x < W; x++)
		r.served[x] = 0;
	for (unsigned round = 0; round < w->model.iterations; round++) {
		uint64_t choice = 0, any = 0;
		for (unsigned x = 0; x < W; x++)
			r.touched[x] = r.seen[x] = r.several[x] = 0;
		petition_wanted(c, s, &r, W);
		if (w->policy)
			ask_inputs(c, si, &r, W);
		else
			for (unsigned x = 0; x < W; x++)
				for (uint64_t m = r.several[x]; m; m &= m - 1)
					choose_lane(c, s, &r, x * 64 + (unsigned)__builtin_ctzll(m),
						    W);
		for (unsigned x = 0; x < W; x++) {
			choice |= r.several[x];
			any |= r.touched[x];
		}
		again = grant_round(c, si, &r, W) | (choice != 0);
		if (!any || !again)
			break;
	}
	if (w->parallel_inputs)
		again |= reopen_inputs(c, s, &r, W);
	if (w->policy)
		for (unsigned l = 0; l < w->n_lanes * W; l++)
			again |= odo_sw_asks(s)[l] != 0;
	return again;
}

static bool allocate_narrow(odo_core *c, uint32_t si)
{
	return allocate(c, si, 1);
}
static bool allocate_wide(odo_core *c, uint32_t si)
{
	return allocate(c, si, c->sw[si].shape->words);
}

static void allocations(odo_core *c)
{
	uint32_t words = (c->n_switches + 63) / 64;
	for (uint32_t x = 0; x < words; x++) {
		uint64_t again = 0;
		for (uint64_t m = c->active[x]; m; m &= m - 1) {
			uint32_t si = x * 64 + (uint32_t)__builtin_ctzll(m);
			bool more = c->sw[si].shape->words == 1 ? allocate_narrow(c, si)
								: allocate_wide(c, si);
			if (more)
				again |= m & -m;
		}
		c->active[x] = again;
	}
}

/* ---- The cycle ---- */

void odo_core_view(odo_core *c, uint32_t si, odo_view *out)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	uint32_t node = c->global[si];
	*out = (odo_view){
		.core = c,
		.node = node,
		.now = c->now,
		.n_ports = s->shape->ports,
		.n_vls = w->n_vls,
		.credits = odo_sw_credits(s),
		.capacity = odo_sw_capacity(s),
		.free = odo_sw_in_free(s) + s->shape->words,
		.dead = odo_sw_dead(s),
		.local = s->at + s->shape->local,
		.group = w->group_state ? w->group_state + w->group[node] * w->group_bytes : NULL,
	};
}

void odo_view_of(odo_core *c, uint32_t node, odo_view *out)
{
	odo_core_view(c, c->world->local_of[node], out);
}

uint32_t odo_view_random(const odo_view *v)
{
	return odo_rng_next(odo_sw_rng(&v->core->sw[v->core->world->local_of[v->node]]));
}

uint32_t odo_view_below(const odo_view *v, uint32_t n)
{
	return odo_rng_below(odo_sw_rng(&v->core->sw[v->core->world->local_of[v->node]]), n);
}

static void ticks(odo_core *c)
{
	for (uint32_t s = 0; s < c->n_switches; s++) {
		odo_view view;
		odo_core_view(c, s, &view);
		c->world->policy->tick(c->world->policy_state, &view);
	}
}

void odo_core_run(odo_core *c, uint32_t until)
{
	const odo_policy *policy = c->world->policy;
	for (; c->now < until && !c->out_of_memory && !c->fault; c->now++) {
		odo_measure_cycle(c);
		releases(c);
		credits(c);
		arrivals(c);
		if (policy && policy->tick)
			ticks(c);
		allocations(c);
		odo_sources_step(c);
	}
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/analyze/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/path.h"

/* Pairs that are drawn for a channel, of which the one over most open channels is taken. With 1, 8
 * and 64, three pairs over each channel take 12, 7 and 6 rounds on a dragonfly of 1,056 hosts, and
 * 23, 9 and 6 on paper-flatfly, in 4, 10 and some 60 s. */
enum { DRAWS = 8 };

typedef struct plan {
	const odo_tables *t;
	odo_rng rng;
	uint32_t times, round;
	uint32_t *crossed; /* [slots] pairs over each channel */
	uint32_t *used;    /* [slots] last round that used it, plus 1 */
	uint32_t *open;    /* [n_open] channels that need more pairs */
	uint32_t n_open;
	uint64_t *carries; /* [hosts * words] a bit for each switch that some sender's packets to
			      the host's first LID cross: other switches' entries are never used */
	size_t words;
	odo_rounds *out;
	size_t room;
} plan;

typedef struct drawn {
	uint32_t from, to, n, n_open;
	uint32_t path[ODO_MAX_PATH + 3];
} drawn;

static uint32_t draw_below(plan *p, uint32_t n)
{
	return odo_rng_next(&p->rng) % n;
}

static bool is_unused(const plan *p, uint32_t slot)
{
	return p->used[slot] <= p->round;
}

static bool carries(const plan *p, uint32_t s, uint32_t host)
{
	return p->carries[host * p->words + s / 64] >> s % 64 & 1;
}

/* Mark the switches on paths from all senders to a host. */
static void mark_carriers(plan *p, uint32_t host)
{
	const odo_fabric *f = p->t->fabric;
	uint32_t lid = f->port_lid[f->host_slot[host]];
	for (uint32_t from = 0; from < f->n_senders && lid; from++) {
		uint32_t s = from == host ? ODO_NONE : odo_host_switch(f, from);
		while (s != ODO_NONE && !carries(p, s, host)) {
			unsigned out = odo_next_port(p->t, s, lid);
			p->carries[host * p->words + s / 64] |= 1ull << s % 64;
			s = s != f->lid_switch[lid] && out && out <= odo_n_ports(f, s)
				    ? odo_next_switch(f, odo_slot(f, s, out))
				    : ODO_NONE;
		}
	}
}

/* Draw a host whose first LID the switch sends over a port, and whose cable is free. */
static uint32_t draw_receiver(plan *p, uint32_t slot)
{
	const odo_fabric *f = p->t->fabric;
	uint32_t first = draw_below(p, f->n_hosts), s = f->owner[slot];
	if (f->slot_host[slot] != ODO_NONE)
		return f->slot_host[slot];
	for (uint32_t i = 0; i < f->n_hosts; i++) {
		uint32_t host = (first + i) % f->n_hosts, own = f->host_slot[host];
		uint32_t lid = f->port_lid[own];
		if (lid && odo_next_port(p->t, s, lid) == odo_port(f, slot) &&
		    is_unused(p, f->peer[own]) && carries(p, s, host))
			return host;
	}
	return ODO_NONE;
}

/* Draw where a packet to a host, now at switch `s`, has come from: a sender or a switch.
 * @return slot of `s` by which it has come, over a free cable, or ODO_NONE */
static uint32_t draw_input(plan *p, uint32_t s, uint32_t to)
{
	const odo_fabric *f = p->t->fabric;
	uint32_t n = odo_n_ports(f, s), first = draw_below(p, n);
	uint32_t lid = f->port_lid[f->host_slot[to]];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = f->first_slot[s] + (first + i) % n, far = f->peer[slot];
		if (far == ODO_NONE || !is_unused(p, far))
			continue;
		uint32_t node = f->owner[far], host = f->slot_host[slot];
		bool sends = host < f->n_senders && host != to;
		bool leads = odo_is_switch(f, node) && node != f->lid_switch[lid] &&
			     odo_next_port(p->t, node, lid) == odo_port(f, far) &&
			     carries(p, node, to);
		if (sends || leads)
			return slot;
	}
	return ODO_NONE;
}

static uint32_t draw_sender(plan *p, uint32_t s, uint32_t to)
{
	const odo_fabric *f = p->t->fabric;
	for (uint32_t n = 0; n < ODO_MAX_PATH; n++) {
		uint32_t slot = draw_input(p, s, to);
		if (slot == ODO_NONE)
			return ODO_NONE;
		if (f->slot_host[slot] != ODO_NONE)
			return f->slot_host[slot];
		s = odo_next_switch(f, slot);
	}
	return ODO_NONE;
}

/* Draw a pair whose path crosses a channel. @return false if the draw found none */
static bool draw_pair(plan *p, uint32_t slot, drawn *d)
{
	const odo_fabric *f = p->t->fabric;
	bool own = !odo_is_switch(f, f->owner[slot]); /* a host's own cable */
	d->to = own ? draw_below(p, f->n_hosts) : draw_receiver(p, slot);
	if (d->to == ODO_NONE || !f->port_lid[f->host_slot[d->to]])
		return false;
	uint32_t lid = f->port_lid[f->host_slot[d->to]];
	d->from = own ? f->slot_host[slot] : draw_sender(p, f->owner[slot], d->to);
	if (d->from >= f->n_senders || d->from == d->to)
		return false;
	d->n = odo_follow(p->t, d->from, lid, d->path);
	d->n_open = 0;
	for (uint32_t i = 0; i < d->n; i++) {
		if (!is_unused(p, d->path[i]))
			return false;
		d->n_open += p->crossed[d->path[i]] < p->times;
	}
	return d->n;
}

static int add_pair(plan *p, const drawn *d)
{
	const odo_fabric *f = p->t->fabric;
	odo_rounds *out = p->out;
	odo_round_pair pair = {p->round, d->from, d->to, d->path[0]};
	for (uint32_t i = 0; i < d->n; i++) {
		p->crossed[d->path[i]]++;
		p->used[d->path[i]] = p->round + 1;
		if (odo_cable_rate(f, d->path[i]) < odo_cable_rate(f, pair.slowest))
			pair.slowest = d->path[i];
	}
	if (odo_grow(&out->pair, &p->room, out->n + 1, sizeof *out->pair))
		return ODO_ENOMEM;
	out->pair[out->n++] = pair;
	return 0;
}

/* Place a pair over a channel in this round, if one is drawn that fits.
 * @return 0, 1 if none was, or ODO_ENOMEM */
static int place_pair(plan *p, uint32_t slot)
{
	drawn best = {0}, d;
	for (unsigned i = 0; i < DRAWS; i++)
		if (draw_pair(p, slot, &d) && d.n_open > best.n_open)
			best = d;
	return best.n ? add_pair(p, &best) : 1;
}

/* Fill a round. @param placed gets the number of its pairs */
static int fill_round(plan *p, size_t *placed)
{
	size_t before = p->out->n;
	for (uint32_t i = 0; i < p->n_open; i++) {
		uint32_t slot = p->open[i];
		bool due = p->crossed[slot] < p->times && is_unused(p, slot);
		if (due && place_pair(p, slot) == ODO_ENOMEM)
			return ODO_ENOMEM;
	}
	*placed = p->out->n - before;
	return 0;
}

/* Drop channels that have enough pairs. */
static void drop_crossed_channels(plan *p)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->n_open; i++)
		if (p->crossed[p->open[i]] < p->times)
			p->open[n++] = p->open[i];
	p->n_open = n;
}

/* Find a pair over a channel by trying all. @return false if there is none */
static bool find_pair(const odo_tables *t, const odo_crossing *all, uint32_t slot, drawn *d)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t pair = 0, n = f->n_hosts; pair < f->n_senders * n; pair++) {
		*d = (drawn){.from = pair / n, .to = pair % n};
		uint32_t lid = f->port_lid[f->host_slot[d->to]];
		if (!all->sends[d->from] || !all->gets[d->to] || !lid)
			continue;
		d->n = odo_follow(t, d->from, lid, d->path);
		for (uint32_t i = 0; i < d->n; i++)
			if (d->path[i] == slot)
				return true;
	}
	return false;
}

/* Place a single pair over the first open channel, for which none was drawn in an empty round, or
 * list the channel as idle. */
static int settle_channel(plan *p, odo_error *err)
{
	odo_crossing all;
	drawn d;
	uint32_t slot = p->open[0];
	int status = odo_crossing_find(p->t, slot, &all, err);
	bool found = !status && all.n_pairs && find_pair(p->t, &all, slot, &d);
	if (found && add_pair(p, &d))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!found)
		p->out->idle[p->out->n_idle++] = slot;
	p->round += found;
	odo_crossing_clear(&all);
	p->open[0] = p->open[--p->n_open];
	return status;
}

/* List channels that have a cable and a host or switch at each end, in a random order. */
static void open_channels(plan *p)
{
	const odo_fabric *f = p->t->fabric;
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		if (f->peer[slot] == ODO_NONE)
			continue;
		uint32_t at = draw_below(p, ++p->n_open);
		p->open[p->n_open - 1] = p->open[at];
		p->open[at] = slot;
	}
}

static int fill_rounds(plan *p, odo_error *err)
{
	int status = 0;
	size_t placed;
	while (!status && p->n_open) {
		if (fill_round(p, &placed))
			return odo_fail(err, ODO_ENOMEM, "out of memory");
		if (placed)
			p->round++;
		else
			status = settle_channel(p, err);
		drop_crossed_channels(p);
	}
	p->out->n_rounds = p->round;
	for (uint32_t slot = 0; slot < p->t->fabric->n_slots; slot++)
		p->out->n_channels += p->crossed[slot] > 0;
	return status;
}

int odo_rounds_find(const odo_tables *t, uint32_t times, uint64_t seed, odo_rounds *out,
		    odo_error *err)
{
	uint32_t n = t->fabric->n_slots;
	*out = (odo_rounds){0};
	if (t->fabric->n_hosts < 2)
		return odo_fail(err, ODO_EDECLINE, "expected two hosts or more, found %u",
				t->fabric->n_hosts);
	plan p = {.t = t,
		  .rng = odo_rng_make(seed, 0),
		  .times = times,
		  .crossed = odo_new(n, sizeof *p.crossed),
		  .used = odo_new(n, sizeof *p.used),
		  .open = odo_new(n, sizeof *p.open),
		  .words = (t->fabric->n_switches + 63) / 64,
		  .out = out};
	p.carries = odo_new(t->fabric->n_hosts * p.words, sizeof *p.carries);
	out->idle = odo_new(n, sizeof *out->idle);
	int status = odo_fail(err, ODO_ENOMEM, "out of memory");
	if (p.crossed && p.used && p.open && p.carries && out->idle) {
		for (uint32_t host = 0; host < t->fabric->n_hosts; host++)
			mark_carriers(&p, host);
		open_channels(&p);
		status = fill_rounds(&p, err);
	}
	free(p.crossed);
	free(p.used);
	free(p.open);
	free(p.carries);
	return status;
}

/* ---- What was not measured ---- */

static uint32_t follow_to_host(const odo_tables *t, uint32_t from, uint32_t to, uint32_t *path)
{
	const odo_fabric *f = t->fabric;
	uint32_t lid = f->port_lid[f->host_slot[to]];
	return lid && from != to ? odo_follow(t, from, lid, path) : 0;
}

/* Mark channels on paths from all senders to a host. A path that meets one ends there.
 * @param seen [switches] last host whose paths were followed, plus 1 */
static void mark_paths_to(const odo_tables *t, uint32_t host, uint32_t *seen, uint8_t *mark)
{
	const odo_fabric *f = t->fabric;
	uint32_t path[ODO_MAX_PATH + 3];
	for (uint32_t from = 0; from < f->n_senders; from++) {
		uint32_t n = 0;
		if (seen[odo_host_switch(f, from)] == host + 1 && from != host)
			mark[f->host_slot[from]] = 1;
		else
			n = follow_to_host(t, from, host, path);
		for (uint32_t i = 0; i < n; i++) {
			mark[path[i]] = 1;
			if (odo_is_switch(f, f->owner[path[i]]))
				seen[f->owner[path[i]]] = host + 1;
		}
	}
}

int odo_rounds_missed(const odo_tables *t, const odo_measured *pairs, size_t n_pairs,
		      uint32_t *slot, uint32_t *n, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	uint8_t *mark = odo_new(f->n_slots, 1);
	uint32_t *seen = odo_new(f->n_switches, sizeof *seen), path[ODO_MAX_PATH + 3];
	int status = mark && seen ? 0 : odo_fail(err, ODO_ENOMEM, "out of memory");
	for (uint32_t host = 0; !status && host < f->n_hosts; host++)
		mark_paths_to(t, host, seen, mark);
	for (size_t i = 0; !status && i < n_pairs; i++)
		for (uint32_t k = follow_to_host(t, pairs[i].from, pairs[i].to, path); k--;)
			mark[path[k]] = 0;
	*n = 0;
	for (uint32_t at = 0; !status && at < f->n_slots; at++)
		if (mark[at])
			slot[(*n)++] = at;
	free(mark);
	free(seen);
	return status;
}

void odo_rounds_clear(odo_rounds *rounds)
{
	free(rounds->pair);
	free(rounds->idle);
	*rounds = (odo_rounds){0};
}

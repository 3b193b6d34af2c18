/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * When nothing moves: who waits for whom. A head that is short of credit waits for one queue, the
 * one behind its output; following such waits from queue to queue ends somewhere, or in a circle.
 * A circle whose queues are all full will never move again: nobody in it can free what the next
 * one needs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "emulator/part.h"

/* A queue of the fabric. */
struct queue {
	uint32_t part;
	odo_spot at;
};

static odo_lane *lane_at(const odo_world *w, struct queue q)
{
	const odo_switch *s = &w->parts[q.part].sw[odo_spot_switch(q.at)];
	return &s->lanes[odo_spot_port(q.at) * w->n_lanes + odo_spot_lane(q.at)];
}

static const odo_link *link_at(const odo_world *w, struct queue q, unsigned port)
{
	return &w->parts[q.part].sw[odo_spot_switch(q.at)].links[port];
}

static const char *name_of(const odo_world *w, struct queue q)
{
	return odo_name(w->e->fabric, w->parts[q.part].global[odo_spot_switch(q.at)]);
}

/* Packets and phits in a queue. */
static uint32_t length(const odo_world *w, struct queue q, uint32_t *phits)
{
	const odo_part *c = &w->parts[q.part];
	uint32_t n = 0;
	*phits = 0;
	for (uint32_t p = lane_at(w, q)->head; p != ODO_NONE; p = c->next[p]) {
		*phits += c->pool[p].phits;
		n++;
	}
	return n;
}

/* Its head's policy may yet name another way. */
static bool undecided(const odo_world *w, struct queue q)
{
	const odo_switch *s = &w->parts[q.part].sw[odo_spot_switch(q.at)];
	unsigned port = odo_spot_port(q.at);
	return s->asks[odo_spot_lane(q.at) * w->words + port / 64] >> port % 64 & 1;
}

/* With flits a queue is full in flits. A head without a channel waits for the same queue, if there
 * is but one channel, since whoever owns that needs room there; of several, any may come free. */
static bool waits_for_flits(const odo_world *w, struct queue q, struct queue *next)
{
	const odo_lane *lane = lane_at(w, q);
	const odo_link *link = link_at(w, q, lane->way & 0xFF);
	if (link->class == ODO_LINK_HOST || w->model.channels > 1)
		return false;
	*next = (struct queue){link->part, link->peer | lane->way >> 8};
	return lane_at(w, *next)->fill == link_at(w, *next, odo_spot_port(next->at))->buffer;
}

/* The queue that the head of `q` waits for, if that is full. */
static bool waits_for(const odo_world *w, struct queue q, struct queue *next)
{
	const odo_lane *lane = lane_at(w, q);
	if (lane->head == ODO_NONE || undecided(w, q))
		return false;
	unsigned port = lane->way & 0xFF, vl = lane->way >> 8;
	const odo_link *link = link_at(w, q, port);
	if (w->flits)
		return waits_for_flits(w, q, next);
	if (link->class == ODO_LINK_HOST)
		return false;
	*next = (struct queue){link->part, link->peer | vl};
	uint32_t phits, buffer = link_at(w, *next, odo_spot_port(next->at))->buffer;
	length(w, *next, &phits);
	return phits + lane->space > buffer;
}

static size_t index_of(const odo_world *w, const size_t *first, struct queue q)
{
	return (first[q.part] + odo_spot_switch(q.at) * 256ul + odo_spot_port(q.at)) * w->n_lanes +
	       odo_spot_lane(q.at);
}

/* One line for each queue of a circle. */
static void describe(const odo_world *w, struct queue q, char *text, size_t size)
{
	struct queue at = q, next = q;
	size_t used = 0;
	do {
		const odo_lane *lane = lane_at(w, at);
		uint32_t phits, n = length(w, at, &phits);
		waits_for(w, at, &next);
		int wrote = snprintf(
			text + used, size - used,
			"switch \"%s\" port %u VL %u: %u packets, waiting for port %u, "
			"VL %u of switch \"%s\"\n",
			name_of(w, at), odo_spot_port(at.at) + 1, odo_spot_lane(at.at), n,
			(lane->way & 0xFF) + 1u, odo_spot_lane(next.at), name_of(w, next));
		if (wrote < 0 || (size_t)wrote >= size - used) {
			text[used] = 0;
			return;
		}
		used += (size_t)wrote;
		at = next;
	} while (at.part != q.part || at.at != q.at);
}

/* Follow waits from one queue until they end, or come back to where this walk has been. */
static bool follow(const odo_world *w, const size_t *first, uint32_t *seen, uint32_t walk,
		   struct queue *q)
{
	for (;;) {
		size_t i = index_of(w, first, *q);
		if (seen[i])
			return seen[i] == walk;
		seen[i] = walk;
		if (!waits_for(w, *q, q))
			return false;
	}
}

bool odo_watch_circle(const odo_world *w, char *text, size_t size)
{
	size_t *first = odo_new(w->n_parts + 1, sizeof *first), total = 0;
	uint32_t walk = 0, *seen = NULL;
	bool found = false;
	for (uint32_t i = 0; first && i < w->n_parts; i++) {
		first[i] = total;
		total += w->parts[i].n_switches * 256ul;
	}
	if (first)
		seen = odo_new(total * w->n_lanes, sizeof *seen);
	for (uint32_t i = 0; seen && i < w->n_parts && !found; i++)
		for (uint32_t s = 0; s < w->parts[i].n_switches && !found; s++)
			for (uint32_t p = 0; p < w->parts[i].sw[s].ports && !found; p++)
				for (unsigned l = 0; l < w->n_lanes && !found; l++) {
					struct queue q = {i, odo_spot_make(s, p, l)};
					found = follow(w, first, seen, ++walk, &q);
					if (found)
						describe(w, q, text, size);
				}
	free(seen);
	free(first);
	return found;
}

void odo_watch_waiting(const odo_world *w, char *text, size_t size)
{
	uint32_t oldest = UINT32_MAX;
	struct queue where = {0};
	for (uint32_t i = 0; i < w->n_parts; i++)
		for (uint32_t s = 0; s < w->parts[i].n_switches; s++)
			for (uint32_t p = 0; p < w->parts[i].sw[s].ports; p++)
				for (unsigned l = 0; l < w->n_lanes; l++) {
					struct queue q = {i, odo_spot_make(s, p, l)};
					uint32_t head = lane_at(w, q)->head;
					if (head == ODO_NONE ||
					    w->parts[i].pool[head].born >= oldest)
						continue;
					oldest = w->parts[i].pool[head].born;
					where = q;
				}
	if (oldest == UINT32_MAX)
		snprintf(text, size, "nothing moves, and no packet waits\n");
	else
		snprintf(text, size,
			 "nothing moves; the oldest packet waits at switch \"%s\" port %u VL %u "
			 "since cycle %u\n",
			 name_of(w, where), odo_spot_port(where.at) + 1, odo_spot_lane(where.at),
			 oldest);
}

void odo_watch_lost(const odo_world *w, char *text, size_t size)
{
	for (uint32_t i = 0; i < w->n_parts; i++) {
		const odo_part *c = &w->parts[i];
		if (c->lost == ODO_NONE)
			continue;
		const odo_packet *p = &c->pool[c->lost];
		snprintf(text, size, "a packet from host %u to host %u has taken %u hops\n",
			 p->source, p->target, p->hops);
		return;
	}
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Search for a deadlock when nothing moves. A head that is short of credit waits for one queue, the
 * queue behind its output. A walk along such waits from queue to queue ends, or enters a circle. A
 * circle whose queues are all full will never move again: no queue in it can free the space that
 * the next one needs.
 *
 * Ranks list together the queues that any head might wait for, so a circle is found wherever it
 * lies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/kernel/run/ranks.h"
#include "emulator/kernel/run/run.h"

/* More packets than any policy needs free behind an output (a bubble of some packets). */
#define MOST_PACKETS 4u

/* A queue of the fabric that holds packets, and the queue that its head waits for. */
struct wait {
	uint64_t at;      /* queue_name() */
	uint64_t to;      /* the queue its head waits for, or NOTHING */
	uint32_t packets; /* in the queue */
	uint32_t taken;   /* phits in the queue */
	uint32_t buffer;  /* phits it can hold */
	uint32_t needs;   /* phits its head needs in the next queue */
	uint32_t out;     /* output of its head, from 1 */
	uint32_t walk;    /* last walk that passed this queue; 0: none */
};
#define NOTHING UINT64_MAX

struct waits {
	struct wait *wait;
	size_t n, room;
};

/* Identify a queue by switch, port from 1, and lane; the same in all ranks. */
static uint64_t queue_name(const odo_part *part, odo_spot at)
{
	const odo_world *w = part->world;
	return (uint64_t)part->global[odo_spot_switch(w, at)] << 16 |
	       (odo_spot_port(w, at) + 1) << 4 | odo_spot_lane(w, at);
}

/* Can the policy still name another way for this head? */
static bool may_choose_again(const odo_part *part, odo_spot at)
{
	return part->asks[at >> part->world->lane_bits] >> odo_spot_lane(part->world, at) & 1;
}

/*
 * Return the queue that the head of `at` waits for if it is short of room there. With flits and a
 * single channel, a head without a channel waits for the same queue, since the channel's owner
 * needs room there. With several channels, any of them may become free.
 */
static uint64_t waits_for(const odo_part *part, odo_spot at)
{
	const odo_world *w = part->world;
	odo_spot to = part->lanes[at].to;
	const odo_link *link = odo_link_at(part, to >> w->lane_bits);
	if (may_choose_again(part, at) || link->side == ODO_SIDE_HOST || w->model.channels > 1)
		return NOTHING;
	return queue_name(&w->parts[link->part], link->peer | odo_spot_lane(w, to));
}

/* Count the packets in a queue and their phits; with flits, only flits that have arrived. */
static void count_queue(const odo_part *part, odo_spot at, struct wait *x)
{
	for (uint32_t p = part->lanes[at].head; p != ODO_NONE; p = part->next[p]) {
		x->taken += part->pool[p].phits;
		x->packets++;
	}
	if (part->world->flits)
		x->taken = part->rest[at].fill;
}

/* Phits that the queue's head needs. */
static uint32_t phits_needed(const odo_part *part, odo_spot at)
{
	const odo_world *w = part->world;
	return w->flits ? 1 : w->uniform || w->sets ? w->model.packet : part->rest[at].space;
}

static int list_queue(const odo_part *part, odo_spot at, struct waits *list)
{
	const odo_lane *lane = &part->lanes[at];
	const odo_link *link = odo_link_at(part, at >> part->world->lane_bits);
	if (lane->head == ODO_NONE || link->side == ODO_SIDE_HOST)
		return 0;
	struct wait x = {.at = queue_name(part, at),
			 .to = waits_for(part, at),
			 .buffer = link->buffer,
			 .needs = phits_needed(part, at),
			 .out = odo_spot_port(part->world, lane->to) + 1};
	count_queue(part, at, &x);
	if (x.taken + MOST_PACKETS * part->world->model.packet <= x.buffer)
		return 0; /* no head waits for it */
	if (odo_grow(&list->wait, &list->room, list->n + 1, sizeof x))
		return ODO_ENOMEM;
	list->wait[list->n++] = x;
	return 0;
}

/* Visit every queue of this rank's parts, in order. */
static int each_queue(const odo_world *w, int (*visit)(const odo_part *, odo_spot, struct waits *),
		      struct waits *list)
{
	for (uint32_t i = 0; i < w->n_parts; i++) {
		const odo_part *part = &w->parts[i];
		for (uint32_t s = 0; part->worker && s < part->n_switches; s++)
			for (uint32_t p = 0; p < part->sw[s].ports; p++)
				for (unsigned l = 0; l < w->n_lanes; l++) {
					int status = visit(part, odo_spot_make(w, s, p, l), list);
					if (status)
						return status;
				}
	}
	return 0;
}

static int compare_queues(const void *a, const void *b)
{
	uint64_t x = ((const struct wait *)a)->at, y = ((const struct wait *)b)->at;
	return (x > y) - (x < y);
}

/* Return the queue that `x` waits for, if that queue is full. */
static struct wait *next_full(const struct waits *list, const struct wait *x)
{
	struct wait key = {.at = x->to};
	if (x->to == NOTHING || !list->n)
		return NULL;
	struct wait *next = bsearch(&key, list->wait, list->n, sizeof key, compare_queues);
	return next && next->taken + x->needs > next->buffer ? next : NULL;
}

/* Follow waits from one queue until they end, or return to a queue of this walk. */
static struct wait *follow_waits(const struct waits *list, struct wait *x, uint32_t walk)
{
	while (x && !x->walk) {
		x->walk = walk;
		x = next_full(list, x);
	}
	return x && x->walk == walk ? x : NULL;
}

/* Write one line for each queue of a circle. */
static void describe_circle(const odo_world *w, const struct waits *list, const struct wait *first,
			    char *text, size_t size)
{
	const odo_fabric *f = w->e->fabric;
	const struct wait *x = first;
	size_t used = 0;
	do {
		int wrote = snprintf(
			text + used, size - used,
			"switch \"%s\" port %u VL %u: %u packets, waiting for port %u, "
			"VL %u of switch \"%s\"\n",
			odo_name(f, (uint32_t)(x->at >> 16)), (unsigned)(x->at >> 4 & 0xFFF),
			(unsigned)(x->at & 0xF), x->packets, x->out, (unsigned)(x->to & 0xF),
			odo_name(f, (uint32_t)(x->to >> 16)));
		if (wrote < 0 || (size_t)wrote >= size - used) {
			text[used] = 0;
			return;
		}
		used += (size_t)wrote;
		x = next_full(list, x);
	} while (x && x != first);
}

int odo_watch_circle(const odo_world *w, bool *found, char *text, size_t size)
{
	struct waits list = {0};
	int status = each_queue(w, list_queue, &list);
	if (w->n_ranks > 1)
		status = odo_ranks_collect(status, (void **)&list.wait, &list.n, sizeof *list.wait);
	*found = false;
	if (list.n)
		qsort(list.wait, list.n, sizeof *list.wait, compare_queues);
	for (size_t i = 0; i < list.n && !status && !*found; i++) {
		const struct wait *circle = follow_waits(&list, &list.wait[i], (uint32_t)i + 1);
		*found = circle;
		if (circle)
			describe_circle(w, &list, circle, text, size);
	}
	free(list.wait);
	return status;
}

/* Keep the head that was born first, in the list's single element. */
static int note_oldest(const odo_part *part, odo_spot at, struct waits *list)
{
	uint32_t head = part->lanes[at].head;
	if (head != ODO_NONE && (!list->n || part->pool[head].born < list->wait->packets)) {
		*list->wait = (struct wait){.at = queue_name(part, at),
					    .packets = part->pool[head].born};
		list->n = 1;
	}
	return 0;
}

void odo_watch_waiting(const odo_world *w, char *text, size_t size)
{
	struct wait oldest = {0};
	struct waits list = {.wait = &oldest};
	uint32_t born = UINT32_MAX;
	each_queue(w, note_oldest, &list);
	if (list.n)
		born = oldest.packets;
	snprintf(text, size, "nothing moves, and no packet waits\n");
	if (list.n)
		snprintf(text, size,
			 "nothing moves; the oldest packet waits at switch \"%s\" port %u VL %u "
			 "since cycle %u\n",
			 odo_name(w->e->fabric, (uint32_t)(oldest.at >> 16)),
			 (unsigned)(oldest.at >> 4 & 0xFFF), (unsigned)(oldest.at & 0xF), born);
	if (w->n_ranks > 1)
		odo_ranks_tell(born, text, size);
}

static const char *host_name(const odo_world *w, uint32_t host)
{
	const odo_fabric *f = w->e->fabric;
	return odo_name(f, f->owner[f->host_slot[host]]);
}

void odo_watch_lost(const odo_world *w, char *text, size_t size)
{
	uint32_t found = UINT32_MAX;
	for (uint32_t i = 0; i < w->n_parts; i++) {
		const odo_part *part = &w->parts[i];
		const odo_packet *p = &part->lost;
		if (!part->worker || !part->losing || p->source >= found)
			continue;
		snprintf(text, size, "a packet from host \"%s\" to host \"%s\" has taken %u hops\n",
			 host_name(w, p->source), host_name(w, p->target), p->hops);
		found = p->source;
	}
	if (w->n_ranks > 1)
		odo_ranks_tell(found, text, size);
}

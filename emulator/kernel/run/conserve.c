/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/run/conserve.h"

static const char credits_wrong[] = "credits were lost or duplicated";
static const char queue_wrong[] = "a host's queue holds more or fewer phits than it counts";
static const char packets_wrong[] = "packets were lost, or are in two places";
static const char network_wrong[] = "the network holds more or fewer packets than entered it";

/* Contents of a part. */
typedef struct found {
	uint64_t *held; /* [L] phits in each input's lane, or on the cable to it */
	uint64_t
		*returned; /* [L] phits of credits that are on their way back to each output's VL */
	uint64_t packets;  /* packets in lanes, and packets on their way that have a place in the
			    * pool */
	uint64_t parcels;  /* packets on their way from other parts */
} found;

static size_t n_lanes(const odo_part *part)
{
	return ((size_t)part->n_words * 64) << part->world->lane_bits;
}

/* Does this lane exist? Ports have places for the next power of two of lanes. */
static bool lane_exists(const odo_part *part, odo_spot at)
{
	const odo_world *w = part->world;
	return odo_spot_lane(w, at) < w->n_lanes && odo_link_at(part, at >> w->lane_bits)->up;
}

static void blame_part(const odo_part *part, const char *fault, odo_spot at)
{
	odo_part *wrong = &part->world->parts[part->number];
	wrong->fault = fault;
	wrong->astray = at;
}

static void count_lanes(const odo_part *part, found *x)
{
	for (odo_spot at = 0; at < n_lanes(part); at++) {
		if (!lane_exists(part, at))
			continue;
		uint64_t before = x->packets;
		for (uint32_t p = part->lanes[at].head; p != ODO_NONE; p = part->next[p]) {
			x->held[at] += part->pool[p].phits;
			if (x->packets++ - before > part->pool_room)
				return; /* the queue is a circle */
		}
	}
}

static void count_wheel(const odo_part *part, found *x)
{
	for (uint32_t i = 0; i < part->wheel; i++) {
		for (const odo_event *e = part->arrivals[i].at; e < part->arrivals[i].end; e++) {
			x->packets++;
			if (odo_event_spot(*e) != ODO_SPOT_HOST)
				x->held[odo_event_spot(*e)] += part->pool[(uint32_t)*e].phits;
		}
		for (const odo_event *e = part->returns[i].at; e < part->returns[i].end; e++)
			x->returned[odo_event_spot(*e)] += (uint16_t)*e;
	}
}

static void count_mail(const odo_part *part, found *x)
{
	for (uint32_t i = 0; i < 2 * odo_n_inboxes(part->world); i++) {
		const odo_inbox *box = &part->inbox[i];
		for (size_t j = 0; j < box->n_parcels; j++)
			x->held[box->parcels[j].at] += box->parcels[j].packet.phits;
		for (size_t j = 0; j < box->n_receipts; j++)
			x->returned[odo_event_spot(box->receipts[j].event)] +=
				(uint16_t)box->receipts[j].event;
		x->parcels += box->n_parcels;
	}
}

static void check_pool(const odo_part *part, const found *x)
{
	uint64_t held = x->packets;
	for (uint32_t h = 0; h < part->n_hosts; h++)
		held += part->hosts[h].pending != ODO_NONE;
	for (uint32_t p = part->pool_free; p != ODO_NONE && held <= part->pool_room;
	     p = part->next[p])
		held++;
	if (held != part->pool_room)
		blame_part(part, packets_wrong, 0);
}

/* Check a lane: for a host, its queue; for a cable, the VL at this end with the buffer behind
 * it. */
static void check_lane(const odo_part *part, const found *all, odo_spot at)
{
	const odo_world *w = part->world;
	const odo_link *link = odo_link_at(part, at >> w->lane_bits);
	const found *x = &all[part->number];
	if (link->side == ODO_SIDE_HOST) {
		if (part->rest[at].fill != x->held[at])
			blame_part(part, queue_wrong, at);
		if (part->credits[at] != part->capacity[at])
			blame_part(part, credits_wrong, at);
		return;
	}
	uint64_t there = all[link->part].held[link->peer | odo_spot_lane(w, at)];
	if (part->capacity[at] != part->credits[at] + x->returned[at] + there)
		blame_part(part, credits_wrong, at);
}

static void check_all_parts(const odo_world *w, const found *all)
{
	uint64_t counted = 0, seen = 0;
	for (uint32_t i = 0; i < w->n_parts; i++) {
		const odo_part *part = &w->parts[i];
		counted += part->in_network;
		seen += all[i].packets + all[i].parcels;
		check_pool(part, &all[i]);
		for (odo_spot at = 0; at < n_lanes(part); at++)
			if (lane_exists(part, at))
				check_lane(part, all, at);
	}
	if (counted != seen)
		blame_part(&w->parts[0], network_wrong, 0);
}

/* Check only the number of packets: with flits, a packet's header may be in two places. */
static bool check_flits(const odo_world *w)
{
	uint64_t counted = 0;
	for (uint32_t i = 0; i < w->n_parts; i++)
		counted += w->parts[i].in_network;
	if (counted >> 63)
		blame_part(&w->parts[0], network_wrong, 0);
	return !(counted >> 63);
}

bool odo_conserve_check(const odo_world *w)
{
	if (w->flits)
		return check_flits(w);
	odo_arena memory = {0};
	found *all = odo_arena_new(&memory, w->n_parts, sizeof *all);
	for (uint32_t i = 0; i < w->n_parts && all; i++) {
		size_t n = n_lanes(&w->parts[i]);
		all[i].held = odo_arena_new(&memory, n, sizeof *all[i].held);
		all[i].returned = odo_arena_new(&memory, n, sizeof *all[i].returned);
	}
	bool right = !memory.failed;
	for (uint32_t i = 0; i < w->n_parts && right; i++) {
		count_lanes(&w->parts[i], &all[i]);
		count_wheel(&w->parts[i], &all[i]);
		count_mail(&w->parts[i], &all[i]);
	}
	if (right)
		check_all_parts(w, all);
	else
		w->parts[0].out_of_memory = true;
	for (uint32_t i = 0; i < w->n_parts; i++)
		right &= !w->parts[i].fault;
	odo_arena_free(&memory);
	return right;
}

int odo_conserve_tell(const odo_part *part, odo_error *err)
{
	const odo_world *w = part->world;
	if (part->fault != credits_wrong && part->fault != queue_wrong &&
	    part->fault != packets_wrong && part->fault != network_wrong)
		return 0;
	return odo_fail(
		err, ODO_EIO,
		"emulation: cycle %u, near switch \"%s\" port %u lane %u: %s: a bug in Odonata",
		part->now, odo_name(w->e->fabric, part->global[odo_spot_switch(w, part->astray)]),
		odo_spot_port(w, part->astray) + 1, odo_spot_lane(w, part->astray), part->fault);
}

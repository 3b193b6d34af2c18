/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lay out the memory of a part: every size is known before the first cycle. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/strategies.h"
#include "emulator/kernel/setup/hop_tables.h"
#include "emulator/kernel/setup/setup.h"
#include "routing/adaptive.h"

/* Take the next array from a block of memory; with `base` NULL, only count its bytes. */
static void *carve_array(unsigned char *base, size_t *used, size_t count, size_t size)
{
	size_t align = size < 8 ? size : 8, at = (*used + align - 1) / align * align;
	*used = at + count * size;
	return base ? base + at : NULL;
}

/* Do VLs depend on ports alone? */
static bool has_vl_rows(const odo_world *w)
{
	return !w->policy && w->e->tables->n_sls == 1 && odo_uses("rows of VLs");
}

/* Point a switch to its forwarding table and SL2VL maps. */
static void fill_tables(const odo_world *w, odo_part *part, uint32_t i)
{
	const odo_tables *t = w->e->tables;
	odo_switch *sw = &part->sw[i];
	uint32_t node = part->global[i];
	if (w->policy)
		return;
	sw->lft = &t->lft[(size_t)node * t->fabric->lid_count];
	sw->sl2vl = t->n_vls > 1 ? &t->sl2vl[t->sl2vl_at[node]] : NULL;
}

/* Fill in the VLs by output, for packets of the single SL that come in by port `in`. */
static void fill_vls(const odo_part *part, uint32_t i, unsigned in, uint8_t *row)
{
	const odo_world *w = part->world;
	const odo_switch *sw = &part->sw[i];
	memset(row, ODO_NO_VL, (size_t)1 << w->port_bits);
	for (unsigned out = 0; out < sw->ports; out++) {
		odo_link *link = odo_link_at(part, (i << w->port_bits) + out);
		bool host = link->class == ODO_LINK_HOST || !sw->sl2vl;
		unsigned vl = host ? 0 : odo_vl(w->e->tables, part->global[i], in + 1, out + 1, 0);
		if (odo_way_of(w, sw, out, vl) != ODO_NO_WAY)
			row[out] = (uint8_t)vl;
	}
}

/* Lay out the arrays that all switches share. Returns their bytes. */
static size_t carve_shared(odo_part *part, unsigned char *base)
{
	const odo_world *w = part->world;
	size_t F = (size_t)part->n_words * 64, L = F << w->lane_bits, used = 0;
	size_t lane_words = (size_t)part->n_words << w->lane_bits;
	part->free_in = carve_array(base, &used, part->n_words, 8);
	part->free_out = carve_array(base, &used, part->n_words, 8);
	part->ready = carve_array(base, &used, lane_words, 8);
	part->parked = carve_array(base, &used, part->n_words, 8);
	part->dead = carve_array(base, &used, part->n_words, 8);
	part->sending = carve_array(base, &used, w->parallel_inputs ? lane_words : 0, 8);
	part->vl_row = has_vl_rows(w) ? carve_array(base, &used, F, 4) : NULL;
	part->credits = carve_array(base, &used, L, 2);
	part->lanes = carve_array(base, &used, L, sizeof(odo_lane));
	part->parked_at = carve_array(base, &used, 1 + L * w->words, 8);
	used = (used + 63) / 64 * 64;
	part->links = carve_array(base, &used, F, part->link_bytes);
	part->asks = carve_array(base, &used, F, 2);
	part->line = carve_array(base, &used, w->buffered ? F : 0, 4);
	part->inward = carve_array(base, &used,
				   w->model.paced_hosts || w->model.paced_credits ? F : 0, 4);
	part->vlarb = carve_array(base, &used, w->e->vlarb ? F : 0, sizeof(odo_vlarb_state));
	part->capacity = carve_array(base, &used, L, 2);
	part->roomy = carve_array(base, &used, w->sets ? lane_words : 0, 8);
	part->stuck = carve_array(base, &used, w->sets ? lane_words : 0, 8);
	part->full = carve_array(base, &used, w->sets ? part->n_words : 0, 8);
	part->opened = carve_array(base, &used, w->sets ? part->n_words : 0, 8);
	part->input = carve_array(base, &used, w->sets ? F : 0, 1);
	used = (used + 63) / 64 * 64;
	part->choices = carve_array(base, &used, w->sets ? L : 0, sizeof(odo_choice));
	used = (used + 63) / 64 * 64;
	part->rest = carve_array(base, &used, L, sizeof(odo_lane_rest));
	return (used + 63) / 64 * 64;
}

/* Lay out the arrays that belong to one switch. */
static size_t carve_switch(const odo_world *w, odo_switch *sw, unsigned char *base)
{
	size_t P = sw->ports, I = w->n_lanes, W = w->words, used = 0;
	sw->owns = carve_array(base, &used, w->flits ? I * W : 0, 8);
	sw->room = carve_array(base, &used, w->flits ? P * I : 0, 2);
	sw->taken = carve_array(base, &used, w->flits ? P : 0, 2);
	sw->last_output = carve_array(base, &used, w->flits ? P : 0, 1);
	sw->last_lane = carve_array(base, &used, w->flits ? P : 0, 1);
	sw->last_owner = carve_array(base, &used, w->flits ? P * I : 0, 2);
	sw->local = carve_array(base, &used, (w->local_bytes + 7) / 8, 8);
	return (used + 63) / 64 * 64;
}

/* Point a switch to its share of the part's arrays. */
static void lend_arrays(const odo_part *part, uint32_t i)
{
	const odo_world *w = part->world;
	odo_switch *sw = &part->sw[i];
	uint32_t first = i << w->port_bits;
	sw->first = first << w->lane_bits;
	sw->credits = part->credits + sw->first;
	sw->capacity = part->capacity + sw->first;
}

/* Class of a link, which determines its length: a cable between groups is long, even if mapping
 * reports it as wrong. */
static odo_link_class link_class_of(const odo_emulation *e, uint32_t slot)
{
	const odo_fabric *f = e->fabric;
	if (f->slot_host[slot] != ODO_NONE)
		return ODO_LINK_HOST;
	const odo_coordinates *c = e->coordinates;
	uint32_t here = f->owner[slot], there = odo_next_switch(f, slot);
	bool links = odo_grouped(c) && here < c->n_switches && there != ODO_NONE;
	return links && odo_at(c, here)[0] != odo_at(c, there)[0] ? ODO_LINK_GLOBAL
								  : ODO_LINK_LOCAL;
}

/* Phits per lane of the buffer for packets that come in at a slot. */
static uint32_t buffer_of(const odo_world *w, uint32_t slot)
{
	uint32_t phits = w->e->slot_buffer ? w->e->slot_buffer[slot]
					   : w->model.buffer[link_class_of(w->e, slot)];
	return w->uniform ? phits / w->model.packet * w->model.packet : phits;
}

uint32_t odo_latency_into(const odo_world *w, uint32_t slot)
{
	return w->e->slot_latency ? w->e->slot_latency[slot]
				  : w->model.latency[link_class_of(w->e, slot)];
}

/* Is the latency of a link within a part so long that its packets and credits use an inbox? With
 * delayed credits the answer is no: in an inbox they could overtake each other in another order
 * than in a wheel. */
static bool goes_by_inbox(const odo_world *w, uint32_t latency)
{
	return latency >= w->lookahead && !(w->policy && w->policy->hold_credit);
}

/* State while a part is laid out. `host_local` maps hosts of the fabric to hosts of their part. */
struct layout {
	odo_world *w;
	const odo_fabric *f;
	uint32_t *host_local; /* [n_hosts], the world's */
	odo_vl_rows vl_rows;
};

static void fill_link(const struct layout *l, odo_link *link, uint32_t slot)
{
	const odo_fabric *f = l->f;
	const odo_world *w = l->w;
	uint32_t peer = f->peer[slot], host = f->slot_host[slot];
	link->best = ODO_NOBODY;
	if (peer == ODO_NONE || (host == ODO_NONE && f->owner[peer] >= f->n_switches))
		return;
	link->up = 1;
	link->class = (uint8_t)link_class_of(w->e, slot);
	link->buffer = (uint16_t)buffer_of(w, slot);
	link->cycles = (uint16_t)(w->slot_cycles ? w->slot_cycles[peer] : 1);
	if (host != ODO_NONE) {
		link->side = ODO_SIDE_HOST;
		link->latency = odo_latency_into(w, slot);
		link->peer = l->host_local[host];
		return;
	}
	uint32_t v = f->owner[peer];
	link->latency = odo_latency_into(w, peer);
	link->part = w->part_of[v];
	bool here = link->part == w->part_of[f->owner[slot]] && !goes_by_inbox(w, link->latency);
	link->side = here ? ODO_SIDE_HERE : ODO_SIDE_AWAY;
	link->peer = odo_spot_make(w, w->local_of[v], odo_port(f, peer) - 1, 0);
}

/* Each channel of a VL has a buffer; the VL's room is their sum. */
static void fill_channels(const odo_world *w, const odo_switch *sw, unsigned port, unsigned vl,
			  uint32_t *room)
{
	uint32_t n = w->model.channels, each = *room;
	for (uint32_t i = 0; i < n; i++)
		sw->room[port * w->n_lanes + vl * n + i] = (uint16_t)each;
	*room = each == UINT16_MAX ? each : each * n;
}

static void fill_credits(const odo_part *part, uint32_t i, unsigned port, uint32_t peer)
{
	const odo_world *w = part->world;
	const odo_switch *sw = &part->sw[i];
	unsigned V = w->n_vls;
	const odo_link *link = odo_link_at(part, (i << w->port_bits) + port);
	unsigned vls = link->class == ODO_LINK_HOST ? V : w->model.vls[link->class];
	for (unsigned v = 0; v < V; v++) {
		uint32_t room = 0;
		if (link->class == ODO_LINK_HOST)
			room = UINT16_MAX;
		else if (v < vls)
			room = buffer_of(w, peer);
		if (w->flits)
			fill_channels(w, sw, port, v, &room);
		unsigned at = port << w->lane_bits | v;
		sw->credits[at] = sw->capacity[at] = (uint16_t)room;
	}
}

/* Fill in the class of each input, and the outputs with room for a packet, for sets.h. */
static void fill_sets(const odo_world *w, const odo_part *part, uint32_t i)
{
	const odo_switch *sw = &part->sw[i];
	for (uint32_t p = 0; p < sw->ports; p++) {
		uint32_t slot = odo_slot(w->e->fabric, part->global[i], p + 1);
		uint32_t f = (i << w->port_bits) + p;
		part->input[f] = w->sets->input ? w->sets->input[slot] : (uint8_t)(p + 1);
		for (unsigned v = 0; v < w->n_vls; v++)
			if (sw->credits[p << w->lane_bits | v] >= w->model.packet)
				odo_set_bit(part->roomy + ((size_t)(f / 64) << w->lane_bits | v),
					    f % 64);
	}
}

static void fill_switch_state(const struct layout *l, odo_part *part, uint32_t i)
{
	const odo_world *w = l->w;
	const odo_switch *sw = &part->sw[i];
	uint32_t node = part->global[i], P = sw->ports;
	for (uint32_t p = 0; p < P; p++) {
		uint32_t slot = odo_slot(l->f, node, p + 1);
		uint32_t port = (i << w->port_bits) + p;
		odo_link *link = odo_link_at(part, port);
		fill_link(l, link, slot);
		if (w->flits)
			sw->last_lane[p] = (uint8_t)(w->n_lanes - 1);
		for (unsigned lane = 0; lane < w->n_lanes; lane++) {
			odo_lane *q = &part->lanes[sw->first + (p << w->lane_bits | lane)];
			q->head = q->tail = ODO_NONE;
		}
		if (!link->up)
			continue;
		odo_set_bit(part->free_in, port);
		odo_set_bit(part->free_out, port);
		fill_credits(part, i, p, l->f->peer[slot]);
	}
	fill_tables(w, part, i);
	if (w->sets)
		fill_sets(w, part, i);
}

static int make_vl_rows(struct layout *l, odo_part *part, uint32_t i, odo_error *err)
{
	odo_world *w = l->w;
	uint8_t row[256];
	int status = 0;
	for (unsigned in = 0; part->vl_row && in < part->sw[i].ports && !status; in++) {
		fill_vls(part, i, in, row);
		status = odo_vl_row(w, &l->vl_rows, row, &part->vl_row[(i << w->port_bits) + in],
				    err);
	}
	return status;
}

static int make_releases(odo_part *part)
{
	const odo_world *w = part->world;
	for (part->release_cycles = 2; part->release_cycles <= w->longest_packet;)
		part->release_cycles *= 2;
	if (w->flits)
		part->active = odo_arena_new(&part->memory, odo_bit_words(part->n_switches), 8);
	else
		part->releases = odo_arena_new(&part->memory,
					       (size_t)part->release_cycles * part->n_words,
					       odo_release_sets(w) * 8ul);
	return part->memory.failed ? ODO_ENOMEM : 0;
}

/* A switch has a power of two of places for ports. So a block is a whole number of words, or a word
 * a whole number of blocks. */
static int make_switches(odo_part *part, odo_error *err)
{
	const odo_world *w = part->world;
	uint64_t ports = (uint64_t)part->n_switches << w->port_bits;
	part->n_words = (uint32_t)odo_bit_words(ports);
	part->link_bytes = odo_link_bytes(w->port_bits, w->model.arbiter == ODO_ARBITER_LRS);
	part->sw = odo_arena_new(&part->memory, part->n_switches, sizeof *part->sw);
	if (!part->sw || make_releases(part))
		return odo_fail(err, ODO_ENOMEM, "no memory for the switches");
	uint64_t bytes = carve_shared(part, NULL);
	for (uint32_t i = 0; i < part->n_switches; i++) {
		part->sw[i].ports = odo_n_ports(w->e->fabric, part->global[i]);
		bytes += carve_switch(w, &part->sw[i], NULL);
	}
	part->arena_bytes = bytes;
	part->arena = odo_arena_new(&part->memory, bytes + 64, 1);
	if (!part->arena)
		return odo_fail(err, ODO_ENOMEM, "no memory for %llu bytes of switches",
				(unsigned long long)bytes);
	unsigned char *at = part->arena + (64 - (uintptr_t)part->arena % 64);
	at += carve_shared(part, at);
	for (uint32_t i = 0; i < part->n_switches; i++)
		at += carve_switch(w, &part->sw[i], at);
	for (uint32_t i = 0; i < part->n_switches; i++)
		lend_arrays(part, i);
	return 0;
}

/* Return the VL on which a host's packets start, with one SL. */
static uint8_t vl_of_host(const odo_world *w, uint32_t host)
{
	const odo_tables *t = w->e->tables;
	return t->rows[t->host_row[host]].vl[0];
}

/* Hosts are stored in the order of switches and ports, so that hosts of a switch are adjacent. */
static int make_hosts(struct layout *l, odo_part *part, odo_error *err)
{
	part->hosts = odo_arena_new(&part->memory, part->n_hosts, sizeof *part->hosts);
	part->freed = odo_arena_new(&part->memory, part->n_hosts, sizeof *part->freed);
	part->due = odo_arena_new(&part->memory, ODO_DUE_CYCLES, sizeof *part->due);
	if (part->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for the hosts");
	uint32_t n = 0;
	for (uint32_t i = 0; i < part->n_switches; i++)
		for (unsigned p = 1; p <= part->sw[i].ports; p++) {
			uint32_t host = l->f->slot_host[odo_slot(l->f, part->global[i], p)];
			if (host == ODO_NONE)
				continue;
			part->hosts[n] = (odo_host){.global = host,
						    .at = odo_spot_make(l->w, i, p - 1, 0),
						    .next = ODO_NONE,
						    .pending = ODO_NONE,
						    .vl = part->vl_row ? vl_of_host(l->w, host)
								       : 0};
			l->host_local[host] = n++;
		}
	for (uint32_t i = 0; i < ODO_DUE_CYCLES; i++)
		part->due[i] = ODO_NONE;
	return 0;
}

/* Return the longest latency of links that begin and end in a part, except links so long that they
 * use an inbox. */
static uint64_t longest_inside(const odo_world *w, const odo_part *part)
{
	const odo_fabric *f = w->e->fabric;
	uint64_t most = 0;
	for (uint32_t i = 0; i < part->n_switches; i++)
		for (uint32_t p = 1; p <= odo_n_ports(f, part->global[i]); p++) {
			uint32_t slot = odo_slot(f, part->global[i], p),
				 next = odo_next_switch(f, slot);
			if (f->peer[slot] == ODO_NONE ||
			    (next != ODO_NONE && w->part_of[next] != part->number))
				continue;
			for (int end = 0; end < 2; end++) {
				uint32_t latency = odo_latency_into(w, end ? slot : f->peer[slot]);
				if (latency > most &&
				    (next == ODO_NONE || !goes_by_inbox(w, latency)))
					most = latency;
			}
		}
	return most;
}

/* Return the cycles to transmit the contents of the buffers behind a port; a host or a credit may
 * wait that long. */
static uint64_t deepest_port(const odo_world *w, const odo_part *part)
{
	const odo_fabric *f = w->e->fabric;
	uint64_t most = 0;
	for (uint32_t i = 0; i < part->n_switches; i++)
		for (uint32_t p = 1; p <= odo_n_ports(f, part->global[i]); p++) {
			uint64_t phits = buffer_of(w, odo_slot(f, part->global[i], p));
			most = phits > most ? phits : most;
		}
	return most * w->n_lanes * (w->longest_packet / w->model.packet);
}

/* Size of the wheel: it must exceed the longest delay of events within a part. */
static uint32_t wheel_size(const odo_world *w, const odo_part *part)
{
	const odo_model *model = &w->model;
	uint64_t most = longest_inside(w, part) + model->credit_latency + model->ejection_latency +
			model->pipeline + w->longest_packet;
	if (w->policy && w->policy->hold_credit)
		most += ODO_CREDIT_HOLD;
	if (w->buffered)
		most += model->output_buffer;
	if (model->paced_hosts || model->paced_credits)
		most += deepest_port(w, part);
	uint32_t size = 16;
	while (size <= most + 1)
		size *= 2;
	return size;
}

static int make_part(struct layout *l, odo_part *part, odo_error *err)
{
	const odo_world *w = l->w;
	part->pool_free = ODO_NONE;
	part->inbox = w->boxes + 2ul * odo_n_inboxes(w) * part->number;
	if (!part->worker)
		return 0; /* a part of another rank has an inbox only */
	part->wheel = wheel_size(w, part);
	part->arrivals = odo_arena_new(&part->memory, part->wheel, sizeof(odo_bucket));
	part->returns = odo_arena_new(&part->memory, part->wheel, sizeof(odo_bucket));
	if (part->memory.failed || odo_calendar_make(&part->coming, w->lookahead))
		return odo_fail(err, ODO_ENOMEM, "no memory for the events");
	part->injected = odo_arena_new(&part->memory, part->n_switches, sizeof *part->injected);
	part->born = odo_arena_new(&part->memory, part->n_switches, sizeof *part->born);
	if (part->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for the measures");
	int status = make_switches(part, err);
	if (!status && w->hop)
		status = odo_part_hops(part, err);
	return status ? status : make_hosts(l, part, err);
}

static int make_views(odo_part *part, odo_error *err)
{
	part->views = odo_arena_new(&part->memory, part->n_switches, sizeof *part->views);
	if (!part->views)
		return odo_fail(err, ODO_ENOMEM, "no memory for the switches");
	for (uint32_t s = 0; s < part->n_switches; s++)
		odo_part_view(part, s, &part->views[s]);
	return 0;
}

static int fill_part(struct layout *l, odo_part *part, odo_error *err)
{
	int status = 0;
	for (uint32_t i = 0; part->worker && i < part->n_switches && !status; i++) {
		fill_switch_state(l, part, i);
		status = make_vl_rows(l, part, i, err);
	}
	if (!status && l->w->policy && part->worker)
		status = make_views(part, err);
	return status;
}

int odo_parts_build(odo_world *w, odo_error *err)
{
	struct layout l = {.w = w, .f = w->e->fabric, .host_local = w->host_local};
	int status = 0;
	w->boxes = odo_arena_new(&w->memory, w->n_parts, 2ul * odo_n_inboxes(w) * sizeof *w->boxes);
	if (!w->boxes)
		return odo_fail(err, ODO_ENOMEM, "no memory for the events");
	for (uint32_t i = 0; i < w->n_parts && !status; i++)
		status = make_part(&l, &w->parts[i], err);
	for (uint32_t i = 0; i < w->n_parts && !status; i++)
		status = fill_part(&l, &w->parts[i], err);
	for (uint32_t i = 0; i < w->n_workers && !status; i++)
		status = odo_worker_lists(w, &w->workers[i], err);
	free(l.vl_rows.at);
	free(w->hop); /* parts have their own shares */
	w->hop = NULL;
	return status;
}

void odo_part_free(odo_part *part)
{
	for (uint32_t i = 0; part->inbox && i < 2 * odo_n_inboxes(part->world); i++) {
		free(part->inbox[i].parcels);
		free(part->inbox[i].receipts);
	}
	odo_calendar_free(&part->coming);
	for (uint32_t i = 0; i < part->wheel; i++) {
		free(part->arrivals ? part->arrivals[i].at : NULL);
		free(part->returns ? part->returns[i].at : NULL);
	}
	free(part->pool);
	free(part->next);
	odo_arena_free(&part->memory);
}

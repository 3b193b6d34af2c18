/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lays out a part: every size is known before the first cycle. */
#include <stdlib.h>
#include <string.h>

#include "emulator/forward.h"
#include "emulator/part.h"

/* The next array of a switch: `base` NULL only measures. */
static void *carve(unsigned char *base, size_t *used, size_t count, size_t size)
{
	size_t align = size < 8 ? size : 8, at = (*used + align - 1) / align * align;
	*used = at + count * size;
	return base ? base + at : NULL;
}

/* Are VLs a matter of ports alone? */
static bool has_vl_of(const odo_world *w)
{
	return !w->policy && w->e->tables->n_sls == 1;
}

/* What the tables say of this switch. */
static void fill_tables(const odo_world *w, odo_switch *s, uint32_t node)
{
	const odo_tables *t = w->e->tables;
	if (w->policy)
		return;
	s->lft = &t->lft[(size_t)node * t->fabric->lid_count];
	s->hop = w->hop ? &w->hop[(size_t)node * t->fabric->n_switches] : NULL;
	s->sl2vl = t->n_vls > 1 ? &t->sl2vl[t->sl2vl_at[node]] : NULL;
	for (unsigned in = 0; s->vl_of && in < s->ports; in++)
		for (unsigned out = 0; out < s->ports; out++) {
			bool host = s->links[out].class == ODO_LINK_HOST || !s->sl2vl;
			unsigned vl = host ? 0 : odo_vl(t, node, in + 1, out + 1, 0);
			bool exists = odo_way_exists(w, s, out | vl << 8);
			s->vl_of[in * s->ports + out] = exists ? (uint8_t)vl : ODO_NO_VL;
		}
}

/* All arrays of a switch, the most used ones first. Returns the bytes they take. */
static size_t carve_switch(const odo_world *w, odo_switch *s, unsigned char *base)
{
	size_t P = s->ports, V = w->n_vls, I = w->n_lanes, W = w->words, used = 0;
	s->ready_lanes = carve(base, &used, P, 2);
	s->parked_at = carve(base, &used, P, 2);
	s->sending = carve(base, &used, w->parallel_inputs ? P : 0, 2);
	s->held = carve(base, &used, w->parallel_inputs ? P : 0, 2);
	s->lanes = carve(base, &used, P * I, sizeof(odo_lane));
	s->links = carve(base, &used, P, sizeof(odo_link));
	s->credits = carve(base, &used, P * V, 2);
	s->grants = carve(base, &used, P, 2);
	s->sent = carve(base, &used, P, 4);
	s->served = carve(base, &used, P * P, 2);
	s->asks = carve(base, &used, P, 2);
	s->line = carve(base, &used, w->buffered ? P : 0, 4);
	s->capacity = carve(base, &used, P * V, 2);
	s->dead = carve(base, &used, W, 8);
	s->vl_of = has_vl_of(w) ? carve(base, &used, P * P, 1) : NULL;
	s->vlarb = carve(base, &used, w->e->vlarb ? P : 0, sizeof(odo_vlarb_state));
	s->owns = carve(base, &used, w->flits ? I * W : 0, 8);
	s->room = carve(base, &used, w->flits ? P * I : 0, 2);
	s->inward = carve(base, &used, w->model.paced_hosts || w->model.paced_credits ? P : 0, 4);
	s->taken = carve(base, &used, w->flits ? P : 0, 2);
	s->last_output = carve(base, &used, w->flits ? P : 0, 1);
	s->last_lane = carve(base, &used, w->flits ? P : 0, 1);
	s->last_owner = carve(base, &used, w->flits ? P * I : 0, 2);
	s->local = carve(base, &used, (w->local_bytes + 7) / 8, 8);
	return (used + 63) / 64 * 64;
}

/* By length: a cable between groups is long, even where mapping finds it wrong. */
static odo_link_class class_of(const odo_emulation *e, uint32_t slot)
{
	const odo_fabric *f = e->fabric;
	if (f->slot_host[slot] != ODO_NONE)
		return ODO_LINK_HOST;
	const odo_coordinates *c = e->coordinates;
	uint32_t here = f->owner[slot], there = odo_next_switch(f, slot);
	bool links = c && c->kind == ODO_KIND_DRAGONFLY && here < c->n_switches &&
		     there != ODO_NONE;
	return links && odo_at(c, here)[0] != odo_at(c, there)[0] ? ODO_LINK_GLOBAL
								  : ODO_LINK_LOCAL;
}

/* Phits per lane of the buffer that packets coming in by a slot find. */
static uint32_t buffer_of(const odo_world *w, uint32_t slot)
{
	uint32_t phits = w->e->slot_buffer ? w->e->slot_buffer[slot]
					   : w->model.buffer[class_of(w->e, slot)];
	return w->uniform ? phits / w->model.packet * w->model.packet : phits;
}

uint32_t odo_latency_into(const odo_world *w, uint32_t slot)
{
	return w->e->slot_latency ? w->e->slot_latency[slot]
				  : w->model.latency[class_of(w->e, slot)];
}

/* How a part looks while it is laid out: hosts of a fabric to hosts of their part. */
struct layout {
	const odo_world *w;
	const odo_fabric *f;
	uint32_t *host_local; /* [n_hosts], the world's */
};

static void fill_link(const struct layout *l, odo_link *link, uint32_t slot)
{
	const odo_fabric *f = l->f;
	const odo_world *w = l->w;
	uint32_t peer = f->peer[slot], host = f->slot_host[slot];
	if (peer == ODO_NONE || (host == ODO_NONE && f->owner[peer] >= f->n_switches))
		return;
	link->up = 1;
	link->class = (uint8_t)class_of(w->e, slot);
	link->buffer = (uint16_t)buffer_of(w, slot);
	link->cycles = (uint16_t)(w->slot_cycles ? w->slot_cycles[peer] : 1);
	if (host != ODO_NONE) {
		link->latency = odo_latency_into(w, slot);
		link->peer = l->host_local[host];
		return;
	}
	uint32_t v = f->owner[peer];
	link->latency = odo_latency_into(w, peer);
	link->part = w->part_of[v];
	link->peer = odo_spot_make(w->local_of[v], odo_port(f, peer) - 1, 0);
}

/* Each channel of a VL has a buffer; what the VL has is their sum. */
static void fill_channels(const odo_world *w, const odo_switch *s, unsigned port, unsigned vl,
			  uint32_t *room)
{
	uint32_t n = w->model.channels, each = *room;
	for (uint32_t i = 0; i < n; i++)
		s->room[port * w->n_lanes + vl * n + i] = (uint16_t)each;
	*room = each == UINT16_MAX ? each : each * n;
}

static void fill_credits(const odo_world *w, const odo_switch *s, unsigned port, uint32_t peer)
{
	unsigned V = w->n_vls;
	const odo_link *link = &s->links[port];
	unsigned vls = link->class == ODO_LINK_HOST ? V : w->model.vls[link->class];
	for (unsigned v = 0; v < V; v++) {
		uint32_t room = 0;
		if (link->class == ODO_LINK_HOST)
			room = UINT16_MAX;
		else if (v < vls)
			room = buffer_of(w, peer);
		if (w->flits)
			fill_channels(w, s, port, v, &room);
		s->credits[port * V + v] = s->capacity[port * V + v] = (uint16_t)room;
	}
}

static void fill_switch(const struct layout *l, odo_part *c, uint32_t i)
{
	const odo_world *w = l->w;
	const odo_switch *s = &c->sw[i];
	uint32_t node = c->global[i], P = s->ports;
	for (uint32_t p = 0; p < P; p++) {
		uint64_t bit = 1ull << p % 64;
		uint32_t slot = odo_slot(l->f, node, p + 1);
		fill_link(l, &s->links[p], slot);
		if (w->flits)
			s->last_lane[p] = (uint8_t)(w->n_lanes - 1);
		for (unsigned lane = 0; lane < w->n_lanes; lane++) {
			odo_lane *q = &s->lanes[p * w->n_lanes + lane];
			q->head = q->tail = ODO_NONE;
		}
		if (!s->links[p].up)
			continue;
		s->free_in[p / 64] |= bit;
		s->free_out[p / 64] |= bit;
		fill_credits(w, s, p, l->f->peer[slot]);
	}
	fill_tables(w, &c->sw[i], node);
}

/* What every cycle looks at. */
static int make_masks(odo_part *c)
{
	const odo_world *w = c->world;
	size_t words = (size_t)c->n_switches * w->words;
	for (c->release_cycles = 2; c->release_cycles <= w->longest_packet;)
		c->release_cycles *= 2;
	c->free_in = odo_new(words, 8);
	c->free_out = odo_new(words, 8);
	c->ready = odo_new(words, 8);
	c->parked = odo_new(words, 8);
	if (w->flits)
		c->active = odo_new((c->n_switches + 63) / 64, 8);
	else
		c->releases = odo_new((size_t)c->release_cycles * c->n_switches,
				      w->release_words * 8ul);
	bool made = c->free_in && c->free_out && c->ready && c->parked;
	return made && (c->active || c->releases) ? 0 : ODO_ENOMEM;
}

static void lend_masks(odo_part *c, uint32_t si)
{
	odo_switch *s = &c->sw[si];
	size_t at = (size_t)si * c->world->words;
	s->free_in = c->free_in + at;
	s->free_out = c->free_out + at;
	s->ready = c->ready + at;
	s->parked = c->parked + at;
}

static int make_switches(odo_part *c, odo_error *err)
{
	const odo_world *w = c->world;
	const odo_fabric *f = w->e->fabric;
	c->sw = odo_new(c->n_switches, sizeof *c->sw);
	if (!c->sw || make_masks(c))
		return odo_fail(err, ODO_ENOMEM, "no memory for the switches");
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < c->n_switches; i++) {
		c->sw[i].ports = odo_n_ports(f, c->global[i]);
		lend_masks(c, i);
		bytes += carve_switch(w, &c->sw[i], NULL);
	}
	c->arena_bytes = bytes;
	c->arena = odo_new(bytes + 64, 1);
	if (!c->arena)
		return odo_fail(err, ODO_ENOMEM, "no memory for %llu bytes of switches",
				(unsigned long long)bytes);
	unsigned char *at = c->arena + (64 - (uintptr_t)c->arena % 64);
	for (uint32_t i = 0; i < c->n_switches; i++)
		at += carve_switch(w, &c->sw[i], at);
	return 0;
}

/* Hosts in the order of their switches and ports, so that a switch's lie together. */
static int make_hosts(struct layout *l, odo_part *c, odo_error *err)
{
	c->hosts = odo_new(c->n_hosts, sizeof *c->hosts);
	c->freed = odo_new(c->n_hosts, sizeof *c->freed);
	c->due = odo_new(ODO_DUE_CYCLES, sizeof *c->due);
	if (!c->hosts || !c->freed || !c->due)
		return odo_fail(err, ODO_ENOMEM, "no memory for the hosts");
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_switches; i++)
		for (unsigned p = 1; p <= c->sw[i].ports; p++) {
			uint32_t host = l->f->slot_host[odo_slot(l->f, c->global[i], p)];
			if (host == ODO_NONE)
				continue;
			c->hosts[n] = (odo_host){.global = host,
						 .at = odo_spot_make(i, p - 1, 0),
						 .next = ODO_NONE,
						 .pending = ODO_NONE};
			l->host_local[host] = n++;
		}
	for (uint32_t i = 0; i < ODO_DUE_CYCLES; i++)
		c->due[i] = ODO_NONE;
	return 0;
}

/* The longest latency of links that begin and end in a part. */
static uint64_t longest_inside(const odo_world *w, const odo_part *c)
{
	const odo_fabric *f = w->e->fabric;
	uint64_t most = 0;
	for (uint32_t i = 0; i < c->n_switches; i++)
		for (uint32_t p = 1; p <= odo_n_ports(f, c->global[i]); p++) {
			uint32_t slot = odo_slot(f, c->global[i], p),
				 next = odo_next_switch(f, slot);
			if (f->peer[slot] == ODO_NONE ||
			    (next != ODO_NONE && w->part_of[next] != c->number))
				continue;
			uint32_t there = odo_latency_into(w, f->peer[slot]);
			uint32_t here = odo_latency_into(w, slot);
			most = there > most ? there : most;
			most = here > most ? here : most;
		}
	return most;
}

/* The cycles that what the buffers behind a port hold takes: so long a host or a credit may wait.
 */
static uint64_t deepest_port(const odo_world *w, const odo_part *c)
{
	const odo_fabric *f = w->e->fabric;
	uint64_t most = 0;
	for (uint32_t i = 0; i < c->n_switches; i++)
		for (uint32_t p = 1; p <= odo_n_ports(f, c->global[i]); p++) {
			uint64_t phits = buffer_of(w, odo_slot(f, c->global[i], p));
			most = phits > most ? phits : most;
		}
	return most * w->n_lanes * (w->longest_packet / w->model.packet);
}

/* The wheel must hold the longest delay that events within a part have. */
static uint32_t wheel_size(const odo_world *w, const odo_part *c)
{
	const odo_model *m = &w->model;
	uint64_t most = longest_inside(w, c) + m->credit_latency + m->ejection_latency +
			m->pipeline + w->longest_packet;
	if (w->policy && w->policy->hold_credit)
		most += ODO_CREDIT_HOLD;
	if (w->buffered)
		most += m->output_buffer;
	if (m->paced_hosts || m->paced_credits)
		most += deepest_port(w, c);
	uint32_t size = 16;
	while (size <= most + 1)
		size *= 2;
	return size;
}

static int make_part(struct layout *l, odo_part *c, odo_error *err)
{
	const odo_world *w = l->w;
	c->lost = ODO_NONE;
	c->pool_free = ODO_NONE;
	c->inbox = odo_new(2ul * odo_n_inboxes(w), sizeof *c->inbox);
	if (!c->inbox)
		return odo_fail(err, ODO_ENOMEM, "no memory for the events");
	if (!c->worker)
		return 0; /* another rank's: known by its inbox alone */
	c->wheel = wheel_size(w, c);
	c->arrivals = odo_new(c->wheel, sizeof(odo_bucket));
	c->credits = odo_new(c->wheel, sizeof(odo_bucket));
	if (!c->arrivals || !c->credits || odo_calendar_make(&c->coming, w->lookahead))
		return odo_fail(err, ODO_ENOMEM, "no memory for the events");
	c->injected = odo_new(c->n_switches, sizeof *c->injected);
	c->born = odo_new(c->n_switches, sizeof *c->born);
	if (!c->injected || !c->born)
		return odo_fail(err, ODO_ENOMEM, "no memory for the measures");
	int status = make_switches(c, err);
	return status ? status : make_hosts(l, c, err);
}

static int make_views(odo_part *c, odo_error *err)
{
	c->views = odo_new(c->n_switches, sizeof *c->views);
	if (!c->views)
		return odo_fail(err, ODO_ENOMEM, "no memory for the switches");
	for (uint32_t s = 0; s < c->n_switches; s++)
		odo_part_view(c, s, &c->views[s]);
	return 0;
}

int odo_part_build(odo_world *w, odo_error *err)
{
	struct layout l = {.w = w, .f = w->e->fabric, .host_local = w->host_local};
	int status = 0;
	for (uint32_t i = 0; i < w->n_parts && !status; i++)
		status = make_part(&l, &w->parts[i], err);
	for (uint32_t i = 0; i < w->n_parts && !status; i++)
		for (uint32_t s = 0; w->parts[i].worker && s < w->parts[i].n_switches; s++)
			fill_switch(&l, &w->parts[i], s);
	for (uint32_t i = 0; i < w->n_parts && !status; i++)
		if (w->policy && w->parts[i].worker)
			status = make_views(&w->parts[i], err);
	return status;
}

void odo_part_free(odo_part *c)
{
	for (uint32_t i = 0; c->inbox && i < 2 * odo_n_inboxes(c->world); i++) {
		free(c->inbox[i].parcels);
		free(c->inbox[i].receipts);
	}
	odo_calendar_free(&c->coming);
	for (uint32_t i = 0; i < c->wheel; i++) {
		free(c->arrivals ? c->arrivals[i].at : NULL);
		free(c->credits ? c->credits[i].at : NULL);
	}
	free(c->arrivals);
	free(c->credits);
	free(c->releases);
	free(c->inbox);
	free(c->injected);
	free(c->born);
	free(c->sw);
	free(c->views);
	free(c->global);
	free(c->active);
	free(c->free_in);
	free(c->free_out);
	free(c->ready);
	free(c->parked);
	free(c->arena);
	free(c->pool);
	free(c->next);
	free(c->hosts);
	free(c->due);
	free(c->freed);
}

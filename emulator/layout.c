/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lays out a core: every size is known before the first cycle. */
#include <stdlib.h>
#include <string.h>

#include "emulator/core.h"

static uint32_t place_part(uint32_t *bytes, size_t count, size_t size)
{
	uint32_t align = size < 8 ? (uint32_t)size : 8;
	uint32_t at = (*bytes + align - 1) / align * align;
	*bytes = at + (uint32_t)(count * size);
	return at;
}

static void shape_fill(const odo_world *w, odo_shape *s, uint32_t ports)
{
	uint32_t V = w->n_vls, I = w->n_lanes, W = (ports + 63) / 64, bytes = 0;
	s->ports = ports;
	s->words = W;
	place_part(&bytes, 2 * W, 8); /* in_free, out_free */
	s->wanted = place_part(&bytes, V * W, 8);
	s->credit_ok = place_part(&bytes, V * W, 8);
	s->asks = place_part(&bytes, I * W, 8);
	s->lane_free = place_part(&bytes, I * W, 8);
	s->dead = place_part(&bytes, W, 8);
	s->links = place_part(&bytes, ports, sizeof(odo_link));
	s->lanes = place_part(&bytes, (size_t)ports * I, sizeof(odo_lane));
	s->order = place_part(&bytes, ports, 8);
	s->credits = place_part(&bytes, (size_t)ports * V, 2);
	s->want = place_part(&bytes, (size_t)ports * V * I * W, 8);
	s->served = place_part(&bytes, (size_t)ports * ports, 2);
	s->grants = place_part(&bytes, ports, 2);
	s->sending = place_part(&bytes, ports, 1);
	s->sent = place_part(&bytes, ports, 4);
	s->capacity = place_part(&bytes, (size_t)ports * V, 2);
	s->rng = place_part(&bytes, w->policy_state ? 1 : 0, sizeof(odo_rng));
	s->local = place_part(&bytes, (w->local_bytes + 7) / 8, 8);
	s->bytes = (bytes + 63) / 64 * 64;
}

static odo_shape *shape_of(odo_core *c, uint32_t ports)
{
	for (uint32_t i = 0; i < c->n_shapes; i++)
		if (c->shapes[i]->ports == ports)
			return c->shapes[i];
	odo_shape *s = odo_new(1, sizeof *s);
	if (!s)
		return NULL;
	shape_fill(c->world, s, ports);
	return c->shapes[c->n_shapes++] = s;
}

static odo_link_class class_of(const odo_emulation *e, uint32_t slot)
{
	const odo_fabric *f = e->fabric;
	if (f->slot_host[slot] != ODO_NONE)
		return ODO_LINK_HOST;
	const odo_coordinates *c = e->coordinates;
	bool global = c && c->kind == ODO_KIND_DRAGONFLY && c->port_class[slot] == ODO_PORT_GLOBAL;
	return global ? ODO_LINK_GLOBAL : ODO_LINK_LOCAL;
}

/* Phits per lane of the buffer that packets coming in by a slot find. */
static uint32_t buffer_of(const odo_world *w, uint32_t slot)
{
	uint32_t phits = w->e->slot_buffer ? w->e->slot_buffer[slot]
					   : w->model.buffer[class_of(w->e, slot)];
	return w->uniform ? phits / w->model.packet * w->model.packet : phits;
}

static uint32_t latency_into(const odo_world *w, uint32_t slot)
{
	return w->e->slot_latency ? w->e->slot_latency[slot]
				  : w->model.latency[class_of(w->e, slot)];
}

/* How a core looks while it is laid out: hosts of a fabric to hosts of their core. */
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
	link->cycles = (uint16_t)(w->e->slot_cycles ? w->e->slot_cycles[peer] : 1);
	if (host != ODO_NONE) {
		link->latency = latency_into(w, slot);
		link->peer = l->host_local[host];
		return;
	}
	uint32_t v = f->owner[peer];
	link->latency = latency_into(w, peer);
	link->core = w->core_of[v];
	link->peer = odo_spot_make(w->local_of[v], odo_port(f, peer) - 1, 0);
}

static void fill_credits(const odo_world *w, const odo_switch *s, unsigned port, uint32_t peer)
{
	unsigned V = w->n_vls, W = s->shape->words;
	const odo_link *link = &odo_sw_links(s)[port];
	unsigned vls = link->class == ODO_LINK_HOST ? V : w->model.vls[link->class];
	for (unsigned v = 0; v < V; v++) {
		uint32_t room = 0;
		if (link->class == ODO_LINK_HOST)
			room = UINT16_MAX;
		else if (v < vls)
			room = buffer_of(w, peer);
		odo_sw_credits(s)[port * V + v] = odo_sw_capacity(s)[port * V + v] = (uint16_t)room;
		if (room)
			odo_sw_credit_ok(s)[v * W + port / 64] |= 1ull << port % 64;
	}
}

static void fill_switch(const struct layout *l, odo_core *c, uint32_t i)
{
	const odo_world *w = l->w;
	const odo_switch *s = &c->sw[i];
	uint32_t node = c->global[i], P = s->shape->ports, W = s->shape->words;
	uint64_t in_order = 0;
	for (unsigned lane = 0; lane < w->n_lanes; lane++)
		in_order |= (uint64_t)lane << 4 * lane;
	for (uint32_t p = 0; p < P; p++) {
		uint64_t bit = 1ull << p % 64;
		uint32_t slot = odo_slot(l->f, node, p + 1);
		fill_link(l, &odo_sw_links(s)[p], slot);
		odo_sw_order(s)[p] = in_order;
		for (unsigned lane = 0; lane < w->n_lanes; lane++) {
			odo_lane *q = &odo_sw_lanes(s)[p * w->n_lanes + lane];
			q->head = q->tail = ODO_NONE;
			odo_sw_lane_free(s)[lane * W + p / 64] |= bit;
		}
		if (!odo_sw_links(s)[p].up)
			continue;
		odo_sw_in_free(s)[p / 64] |= bit;
		odo_sw_in_free(s)[W + p / 64] |= bit;
		fill_credits(w, s, p, l->f->peer[slot]);
	}
	if (w->policy_state)
		*odo_sw_rng(s) = odo_rng_make(w->e->run.seed, odo_stream(ODO_STREAM_SWITCH, node));
}

static int make_switches(odo_core *c, odo_error *err)
{
	const odo_world *w = c->world;
	const odo_fabric *f = w->e->fabric;
	c->sw = odo_new(c->n_switches, sizeof *c->sw);
	c->active = odo_new((c->n_switches + 63) / 64, 8);
	c->shapes = odo_new(ODO_MAX_PORTS + 1, sizeof(odo_shape *));
	if (!c->sw || !c->active || !c->shapes)
		return odo_fail(err, ODO_ENOMEM, "no memory for the switches");
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < c->n_switches; i++) {
		c->sw[i].shape = shape_of(c, odo_n_ports(f, c->global[i]));
		if (!c->sw[i].shape)
			return odo_fail(err, ODO_ENOMEM, "no memory for the switches");
		bytes += c->sw[i].shape->bytes;
	}
	c->arena_bytes = bytes;
	c->arena = odo_new(bytes + 64, 1);
	if (!c->arena)
		return odo_fail(err, ODO_ENOMEM, "no memory for %llu bytes of switches",
				(unsigned long long)bytes);
	unsigned char *at = c->arena + (64 - (uintptr_t)c->arena % 64);
	for (uint32_t i = 0; i < c->n_switches; i++) {
		c->sw[i].at = at;
		at += c->sw[i].shape->bytes;
	}
	return 0;
}

/* Hosts in the order of their switches and ports, so that a switch's lie together. */
static int make_hosts(struct layout *l, odo_core *c, odo_error *err)
{
	c->hosts = odo_new(c->n_hosts, sizeof *c->hosts);
	c->freed = odo_new(c->n_hosts, sizeof *c->freed);
	c->due = odo_new(c->wheel, sizeof *c->due);
	if (!c->hosts || !c->freed || !c->due)
		return odo_fail(err, ODO_ENOMEM, "no memory for the hosts");
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_switches; i++)
		for (unsigned p = 1; p <= c->sw[i].shape->ports; p++) {
			uint32_t host = l->f->slot_host[odo_slot(l->f, c->global[i], p)];
			if (host == ODO_NONE)
				continue;
			c->hosts[n] = (odo_host){.global = host,
						 .at = odo_spot_make(i, p - 1, 0),
						 .next = ODO_NONE,
						 .pending = ODO_NONE};
			l->host_local[host] = n++;
		}
	for (uint32_t i = 0; i < c->wheel; i++)
		c->due[i] = ODO_NONE;
	return 0;
}

/* The wheel must hold the longest delay there is. */
static uint32_t wheel_size(const odo_world *w)
{
	const odo_model *m = &w->model;
	const odo_emulation *e = w->e;
	uint64_t most = 0, slowest = 1;
	for (unsigned k = 0; k < ODO_N_LINK_CLASSES; k++)
		most = m->latency[k] > most ? m->latency[k] : most;
	for (uint32_t s = 0; s < e->fabric->n_slots; s++) {
		if (e->slot_latency && e->slot_latency[s] > most)
			most = e->slot_latency[s];
		if (e->slot_cycles && e->slot_cycles[s] > slowest)
			slowest = e->slot_cycles[s];
	}
	most += m->credit_latency + m->pipeline;
	if (w->policy && w->policy->hold_credit)
		most += ODO_CREDIT_HOLD;
	if (most < m->packet * slowest)
		most = m->packet * slowest;
	uint32_t size = 64;
	while (size <= most + 1)
		size *= 2;
	return size;
}

static int make_core(struct layout *l, odo_core *c, odo_error *err)
{
	const odo_world *w = l->w;
	c->wheel = wheel_size(w);
	c->lost = ODO_NONE;
	c->pool_free = ODO_NONE;
	c->m = odo_new(1, sizeof *c->m);
	c->outbox = odo_new(w->n_cores, sizeof *c->outbox);
	c->arrivals = odo_new(c->wheel, sizeof(odo_bucket));
	c->credits = odo_new(c->wheel, sizeof(odo_bucket));
	c->releases = odo_new(c->wheel, sizeof(odo_bucket));
	if (!c->m || !c->outbox || !c->arrivals || !c->credits || !c->releases)
		return odo_fail(err, ODO_ENOMEM, "no memory for the events");
	c->m->by_switch = odo_new(w->e->fabric->n_switches, sizeof(uint32_t));
	c->m->born_by_switch = odo_new(w->e->fabric->n_switches, sizeof(uint32_t));
	if (!c->m->by_switch || !c->m->born_by_switch)
		return odo_fail(err, ODO_ENOMEM, "no memory for the measures");
	int status = make_switches(c, err);
	return status ? status : make_hosts(l, c, err);
}

int odo_core_build(odo_world *w, odo_error *err)
{
	struct layout l = {.w = w, .f = w->e->fabric, .host_local = w->host_local};
	int status = 0;
	for (uint32_t i = 0; i < w->n_cores && !status; i++)
		status = make_core(&l, &w->cores[i], err);
	for (uint32_t i = 0; i < w->n_cores && !status; i++)
		for (uint32_t s = 0; s < w->cores[i].n_switches; s++)
			fill_switch(&l, &w->cores[i], s);
	return status;
}

static void free_buckets(odo_bucket *b, uint32_t n)
{
	for (uint32_t i = 0; b && i < n; i++)
		free(b[i].at);
	free(b);
}

void odo_core_free(odo_core *c)
{
	for (uint32_t i = 0; c->outbox && i < c->world->n_cores; i++)
		free(c->outbox[i].at);
	for (uint32_t i = 0; c->shapes && i < c->n_shapes; i++)
		free(c->shapes[i]);
	free_buckets(c->arrivals, c->wheel);
	free_buckets(c->credits, c->wheel);
	free_buckets(c->releases, c->wheel);
	free(c->outbox);
	free(c->shapes);
	free(c->sw);
	free(c->global);
	free(c->active);
	free(c->arena);
	free(c->pool);
	free(c->next);
	free(c->hosts);
	free(c->due);
	free(c->freed);
	odo_measures_free(c->m);
}

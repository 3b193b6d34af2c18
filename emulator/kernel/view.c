/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a policy sees and draws. */
#include "emulator/kernel/part.h"

void odo_part_view(odo_part *c, uint32_t si, odo_view *out)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	uint32_t node = c->global[si];
	uint32_t first = si << w->port_bits;
	*out = (odo_view){
		.part = c,
		.node = node,
		.now = c->now,
		.n_ports = s->ports,
		.n_vls = w->n_vls,
		.credits = s->credits,
		.capacity = s->capacity,
		.free = c->free_out + first / 64,
		.dead = c->dead + first / 64,
		.first = first % 64,
		.stride_bits = (uint8_t)w->lane_bits,
		.local = s->local,
		.group = w->group_state + (size_t)w->group[node] * w->group_bytes,
	};
}

void odo_view_of(odo_part *c, uint32_t node, odo_view *out)
{
	odo_part_view(c, c->world->local_of[node], out);
}

unsigned odo_view_closed(const odo_view *v, unsigned port)
{
	const odo_world *w = v->part->world;
	const odo_model *m = &w->model;
	if (!w->buffered || !m->output_buffer)
		return !odo_view_free(v, port);
	uint32_t until = v->part->line[(w->local_of[v->node] << w->port_bits) + port - 1] +
			 m->packet;
	uint32_t opens = v->now + m->pipeline + m->output_buffer;
	return until > opens ? until - opens : 0;
}

/* Made on the first draw of a call: most calls draw nothing. */
static odo_rng *stream_of_call(odo_part *c, uint32_t node)
{
	uint32_t port = c->draws >> 8, lane = c->draws & 0xFF;
	if (c->draws != ODO_NONE) {
		c->rng = odo_rng_make(c->world->e->run.seed, odo_stream(ODO_STREAM_SWITCH, node));
		c->rng.block = (uint64_t)c->now << 32 | port << 24 | lane << 20 | c->round << 8;
		c->draws = ODO_NONE;
	}
	return &c->rng;
}

uint32_t odo_view_random(const odo_view *v)
{
	return odo_rng_next(stream_of_call(v->part, v->node));
}

uint32_t odo_view_below(const odo_view *v, uint32_t n)
{
	return odo_rng_below(stream_of_call(v->part, v->node), n);
}

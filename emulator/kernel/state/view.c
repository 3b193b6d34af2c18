/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* State that a policy sees, and numbers that it draws. */
#include "emulator/kernel/state/part.h"

void odo_part_view(odo_part *part, uint32_t si, odo_view *out)
{
	const odo_world *w = part->world;
	const odo_switch *sw = &part->sw[si];
	uint32_t node = part->global[si];
	uint32_t first = si << w->port_bits;
	*out = (odo_view){
		.part = part,
		.node = node,
		.now = part->now,
		.n_ports = sw->ports,
		.n_vls = w->n_vls,
		.credits = sw->credits,
		.capacity = sw->capacity,
		.free = part->free_out + first / 64,
		.dead = part->dead + first / 64,
		.first = first % 64,
		.stride_bits = (uint8_t)w->lane_bits,
		.failing = w->failing,
		.local = sw->local,
		.group = w->group_state + (size_t)w->group[node] * w->group_bytes,
	};
}

void odo_view_of(odo_part *part, uint32_t node, odo_view *out)
{
	odo_part_view(part, part->world->local_of[node], out);
}

unsigned odo_view_closed(const odo_view *v, unsigned port)
{
	const odo_world *w = v->part->world;
	const odo_model *model = &w->model;
	if (!w->buffered || !model->output_buffer)
		return !odo_view_free(v, port);
	uint32_t until = v->part->line[(w->local_of[v->node] << w->port_bits) + port - 1] +
			 model->packet;
	uint32_t opens = v->now + model->pipeline + model->output_buffer;
	return until > opens ? until - opens : 0;
}

/* Make the stream on the first draw of a call, since most calls draw nothing. */
static odo_rng *stream_of_call(odo_part *part, uint32_t node)
{
	uint32_t port = part->draws >> 8, lane = part->draws & 0xFF;
	if (part->draws != ODO_NONE) {
		part->rng = odo_rng_make(part->world->e->run.seed,
					 odo_stream(ODO_STREAM_SWITCH, node));
		part->rng.block = (uint64_t)part->now << 32 | port << 24 | lane << 20 |
				  part->round << 8;
		part->draws = ODO_NONE;
	}
	return &part->rng;
}

uint32_t odo_view_random(const odo_view *v)
{
	return odo_rng_next(stream_of_call(v->part, v->node));
}

uint32_t odo_view_below(const odo_view *v, uint32_t n)
{
	return odo_rng_below(stream_of_call(v->part, v->node), n);
}

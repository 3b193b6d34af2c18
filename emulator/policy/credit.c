/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Congestion measure of UGAL-L_CR (paper 001, section 4.3.2): a queue of time stamps for every
 * output and VL gives the round trip of each credit. The excess over the shortest round trip seen
 * is t_d of the output. Credits for packets that leave by an output are delayed by t_d less the
 * least t_d of the switch. So upstream switches notice distant congestion before buffers fill.
 */
#include "emulator/policy/source_routed.h"

/* Memory of a switch, all uint32_t: t_d and shortest round trip of each port, head and length of
 * each queue of stamps, then the stamps. */
typedef struct trips {
	uint32_t *excess, *shortest, *head, *length, *stamp;
} trips;

static trips trips_of(const odo_source *source, const odo_view *v)
{
	uint32_t *at = v->local;
	size_t ports = source->most_ports, queues = ports * source->n_vls;
	return (trips){at, at + ports, at + 2 * ports, at + 2 * ports + queues,
		       at + 2 * ports + 2 * queues};
}

size_t odo_credit_bytes(const odo_policy_setup *setup, odo_source *source)
{
	const odo_fabric *f = setup->fabric;
	for (uint32_t n = 0; n < f->n_switches; n++)
		if (odo_n_ports(f, n) > source->most_ports)
			source->most_ports = odo_n_ports(f, n);
	source->n_vls = source->ladder.n_vls[0] > source->ladder.n_vls[1] ? source->ladder.n_vls[0]
									  : source->ladder.n_vls[1];
	const uint32_t *buffer = setup->model->buffer;
	uint32_t deepest = buffer[ODO_LINK_GLOBAL] > buffer[ODO_LINK_LOCAL]
				   ? buffer[ODO_LINK_GLOBAL]
				   : buffer[ODO_LINK_LOCAL];
	source->n_stamps = deepest / source->packet + 1;
	size_t queues = (size_t)source->most_ports * source->n_vls;
	return (2 * source->most_ports + queues * (2ul + source->n_stamps)) * sizeof(uint32_t);
}

void odo_credit_sent(const odo_source *source, const odo_view *v, const odo_way *way)
{
	if (odo_ways_class(source->ways, v->node, way->port) == ODO_LINK_HOST)
		return;
	trips t = trips_of(source, v);
	size_t queue = (size_t)(way->port - 1) * source->n_vls + way->vl;
	if (t.length[queue] == source->n_stamps) /* packets shorter than the model's: not tracked */
		return;
	uint32_t tail = (t.head[queue] + t.length[queue]++) % source->n_stamps;
	t.stamp[queue * source->n_stamps + tail] = v->now;
}

void odo_credit_returned(const void *state, const odo_view *v, unsigned port, unsigned vl,
			 unsigned phits)
{
	const odo_source *source = state;
	trips t = trips_of(source, v);
	size_t queue = (size_t)(port - 1) * source->n_vls + vl;
	(void)phits;
	if (!t.length[queue])
		return;
	uint32_t trip = v->now - t.stamp[queue * source->n_stamps + t.head[queue]];
	t.head[queue] = (t.head[queue] + 1) % source->n_stamps;
	t.length[queue]--;
	if (!t.shortest[port - 1] || trip < t.shortest[port - 1])
		t.shortest[port - 1] = trip;
	t.excess[port - 1] = trip - t.shortest[port - 1];
}

uint32_t odo_credit_hold(const void *state, const odo_view *v, unsigned in_port, unsigned out_port)
{
	const odo_source *source = state;
	if (odo_ways_class(source->ways, v->node, in_port) != ODO_LINK_LOCAL)
		return 0;
	trips t = trips_of(source, v);
	uint32_t least = UINT32_MAX;
	for (unsigned port = 1; port <= v->n_ports; port++)
		if (t.shortest[port - 1] && t.excess[port - 1] < least)
			least = t.excess[port - 1];
	uint32_t excess = t.excess[out_port - 1];
	uint32_t hold = excess > least ? excess - least : 0;
	return hold < ODO_CREDIT_HOLD ? hold : ODO_CREDIT_HOLD - 1;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * PAR's decision. It must compare like with like. Credits also count phits on their way. A global
 * link that is merely in use has more of these than a local link has buffer. So PAR counts waiting
 * phits: those beyond one round trip's worth, which a link at full rate has on its way.
 *
 * This alone sends too many packets aside when all links are full, as under uniform traffic beyond
 * saturation: there a detour gains nothing and costs a second global hop. So a packet goes aside
 * only if the whole queue of its minimal way, weighed by hops, is also longer than that of a
 * comparable way. This is the other way if both begin with the same class of link. Otherwise it is
 * the mean of the links of this switch that have the class of the minimal way.
 */
#include "emulator/policy/source_routed.h"

void odo_par_prepare(const odo_policy_setup *setup, odo_source *source)
{
	const odo_model *model = setup->model;
	for (int class = ODO_LINK_LOCAL; class <= ODO_LINK_GLOBAL; class ++) {
		uint32_t trip = 2 * model->latency[class] + model->credit_latency + model->pipeline;
		uint32_t most = trip < model->buffer[class] ? trip : model->buffer[class];
		/* Subtract a packet: a link that is busy all the time is congested. A single packet
		 * by itself, however, waits for nothing. */
		source->under_way[class] = most > 2 * model->packet ? most - model->packet
								    : model->packet;
	}
}

static unsigned waiting_phits(const odo_source *source, const odo_view *v,
			      const odo_source_choice *c)
{
	unsigned taken = odo_source_queue(source, v, c, source->sense_vl);
	return taken > source->under_way[c->class] ? taken - source->under_way[c->class] : 0;
}

/* Sum the phits taken behind a switch's links of a way's class, except its own link, and count
 * these links. */
static uint64_t others_of(const odo_source *source, const odo_view *v, odo_source_choice way,
			  uint32_t *links)
{
	const odo_ways *ways = source->ways;
	bool global = way.class == ODO_LINK_GLOBAL;
	const uint8_t *port = global ? ways->global_port + ways->first_global[v->node]
				     : ways->local_port + (size_t)v->node * ways->a;
	uint32_t n = global ? ways->first_global[v->node + 1] - ways->first_global[v->node]
			    : ways->a;
	uint8_t own = way.port;
	uint64_t sum = 0;
	*links = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!port[i] || port[i] == own) /* there is no local link to itself */
			continue;
		way.port = port[i];
		sum += odo_source_queue(source, v, &way, source->sense_vl);
		++*links;
	}
	return sum;
}

/* Is the queue of the minimal way longer than that of a comparable way? */
static bool stands_out(const odo_source *source, const odo_view *v, const odo_source_choice *m,
		       const odo_source_choice *n)
{
	uint32_t likes = 1;
	uint64_t own = odo_source_queue(source, v, m, source->sense_vl);
	uint64_t sum = m->class == n->class ? odo_source_queue(source, v, n, source->sense_vl)
					    : others_of(source, v, *m, &likes);
	return !likes || own * m->hops * likes > sum * n->hops;
}

bool odo_par_minimal(const odo_source *source, const odo_view *v, const odo_source_choice *m,
		     const odo_source_choice *n)
{
	return waiting_phits(source, v, m) * m->hops <=
		       waiting_phits(source, v, n) * n->hops + source->threshold ||
	       !stands_out(source, v, m, n);
}

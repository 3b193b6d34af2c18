/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * PAR's decision: like is compared with like. Credits count what is on its way too, and a global
 * link that is merely in use has more of that than a local link has buffer. So what counts is what
 * waits: what is taken beyond a round trip's worth, which a link at full rate has under way.
 *
 * That alone sends too many aside where all links are full, as under uniform traffic beyond
 * saturation: a detour gains nothing there, and costs a second global hop. So a packet goes aside
 * only if the whole queue of its minimal way is also the longer one, hops weighed, beside another
 * of its kind: that of the other way, or where one is local and the other global, the mean of the
 * links that begin at this switch as the minimal way does.
 */
#include "emulator/policy/source_routed.h"

void odo_par_prepare(const odo_policy_setup *setup, odo_source *s)
{
	const odo_model *m = setup->model;
	for (int class = ODO_LINK_LOCAL; class <= ODO_LINK_GLOBAL; class ++) {
		uint32_t trip = 2 * m->latency[class] + m->credit_latency + m->pipeline;
		uint32_t most = trip < m->buffer[class] ? trip : m->buffer[class];
		/* Less a packet: a link that is busy all the time is congested. But one packet by
		 * itself waits for nothing. */
		s->under_way[class] = most > 2 * m->packet ? most - m->packet : m->packet;
	}
}

static unsigned waiting(const odo_source *s, const odo_view *v, const odo_source_choice *c)
{
	unsigned taken = odo_source_queue(s, v, c, s->sense_vl);
	return taken > s->under_way[c->class] ? taken - s->under_way[c->class] : 0;
}

/* Phits taken behind a switch's links of a way's class besides its own; and how many those are. */
static uint64_t others_of(const odo_source *s, const odo_view *v, odo_source_choice way,
			  uint32_t *links)
{
	const odo_ways *w = s->ways;
	bool global = way.class == ODO_LINK_GLOBAL;
	const uint8_t *port = global ? w->global_port + w->first_global[v->node]
				     : w->local_port + (size_t)v->node * w->a;
	uint32_t n = global ? w->first_global[v->node + 1] - w->first_global[v->node] : w->a;
	uint8_t own = way.port;
	uint64_t sum = 0;
	*links = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!port[i] || port[i] == own) /* no local link to itself */
			continue;
		way.port = port[i];
		sum += odo_source_queue(s, v, &way, s->sense_vl);
		++*links;
	}
	return sum;
}

/* Is the queue of the minimal way the longer one beside its like? */
static bool stands_out(const odo_source *s, const odo_view *v, const odo_source_choice *m,
		       const odo_source_choice *n)
{
	uint32_t likes = 1;
	uint64_t own = odo_source_queue(s, v, m, s->sense_vl);
	uint64_t sum = m->class == n->class ? odo_source_queue(s, v, n, s->sense_vl)
					    : others_of(s, v, *m, &likes);
	return !likes || own * m->hops * likes > sum * n->hops;
}

bool odo_par_minimal(const odo_source *s, const odo_view *v, const odo_source_choice *m,
		     const odo_source_choice *n)
{
	return waiting(s, v, m) * m->hops <= waiting(s, v, n) * n->hops + s->threshold ||
	       !stands_out(s, v, m, n);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * PAR's decision: like is compared with like. Credits count what is on its way too, and a global
 * link that is merely in use has more of that than a local link has buffer. So what counts is what
 * waits: what is taken beyond a round trip's worth, which a link at full rate has under way.
 *
 * Where the minimal output is global, here at its gateway, another local output tells nothing of
 * the global link behind it. There a packet goes aside only if its global queue is also longer,
 * hops weighed, than those of the switch's other global links: where all are as full, as under
 * uniform traffic beyond saturation, a detour gains nothing and costs a second global hop.
 */
#include "emulator/policy/source_routed.h"

void odo_par_prepare(const odo_policy_setup *setup, odo_source *s)
{
	const odo_model *m = setup->model;
	for (int class = ODO_LINK_LOCAL; class <= ODO_LINK_GLOBAL; class ++) {
		uint32_t trip = 2 * m->latency[class] + m->credit_latency + m->pipeline;
		uint32_t most = trip < m->buffer[class] ? trip : m->buffer[class];
		/* Less a packet: a link that is busy all the time is congested. */
		s->under_way[class] = most > m->packet ? most - m->packet : 0;
	}
}

static unsigned waiting(const odo_source *s, const odo_view *v, const odo_source_choice *c)
{
	unsigned taken = odo_source_queue(s, v, c, s->sense_vl);
	return taken > s->under_way[c->class] ? taken - s->under_way[c->class] : 0;
}

/* Is the minimal way's global queue the longer one, beside that of the other way, or beside the
 * mean of this switch's others where the other way begins with a local hop? */
static bool stands_out(const odo_source *s, const odo_view *v, const odo_source_choice *m,
		       const odo_source_choice *n)
{
	const odo_ways *w = s->ways;
	const uint8_t *port = w->global_port + w->first_global[v->node];
	uint32_t ports = w->first_global[v->node + 1] - w->first_global[v->node], others = 0;
	uint64_t sum = 0;
	for (uint32_t i = 0; i < ports; i++) {
		odo_source_choice other = *m;
		other.port = port[i];
		if (port[i] == m->port || (n->class == ODO_LINK_GLOBAL && port[i] != n->port))
			continue;
		sum += odo_source_queue(s, v, &other, s->sense_vl);
		others++;
	}
	uint64_t own = odo_source_queue(s, v, m, s->sense_vl);
	return !others || own * m->hops * others > sum * n->hops;
}

bool odo_par_minimal(const odo_source *s, const odo_view *v, const odo_source_choice *m,
		     const odo_source_choice *n)
{
	if (waiting(s, v, m) * m->hops <= waiting(s, v, n) * n->hops + s->threshold)
		return true;
	return m->class == ODO_LINK_GLOBAL && !stands_out(s, v, m, n);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Forwards by adaptive tables: of the ways on that the tables allow, by priority and then by
 * credits (paper 004, section 3.1: the selection function is the switch's, not the routing's). */
#include "emulator/part.h"
#include "routing/adaptive.h"

static int create(odo_policy_setup *setup, void **state, odo_error *err)
{
	(void)err;
	setup->vls[0] = setup->vls[1] = setup->tables->n_vls;
	*state = (void *)(uintptr_t)setup->tables;
	return 0;
}

static void release(void *state)
{
	(void)state;
}

static bool open(const odo_view *v, const odo_candidate *way, unsigned phits)
{
	return odo_view_free(v, way->port) &&
	       v->credits[odo_view_at(v, way->port, way->vl)] >= phits;
}

static bool route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		  unsigned in_vl, odo_way *out)
{
	const odo_tables *t = state;
	odo_candidate way[ODO_MAX_CANDIDATES];
	unsigned n = odo_candidates(t, v->node, in_port, p->vl, p->word, way);
	unsigned most = 0, ties = 0, best = n;
	(void)in_vl; /* the number of a queue at hosts' ports; the packet knows its VL */
	for (unsigned i = 0; i < n; i++) {
		if (best < n && way[i].priority > way[best].priority)
			break;
		if (!open(v, &way[i], p->phits))
			continue;
		unsigned credits = v->credits[odo_view_at(v, way[i].port, way[i].vl)];
		if (best == n || credits > most) {
			best = i;
			most = credits;
			ties = 1;
		} else if (credits == most && odo_view_below(v, ++ties) == 0) {
			best = i;
		}
	}
	if (best == n)
		return false;
	*out = (odo_way){.port = way[best].port, .vl = way[best].vl, .escape = way[best].escape};
	return true;
}

static const odo_option no_options[] = {{0}};

const odo_policy odo_policy_adaptive_tables = {
	.name = "tables",
	.summary = "adaptive tables, ways of the best priority by credits",
	.paper = "paper 004, section 3.1",
	.deadlock = "the verifier's proof of the tables",
	.options = no_options,
	.traits = ODO_POLICY_ASKS,
	.create = create,
	.free = release,
	.route = route,
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Forward packets by adaptive tables. The tables allow several ways; the switch, not the routing,
 * selects one (paper 004, section 3.1: "a selection function that chooses one port from a set based
 * on congestion information"). Our selection considers only ways with room for the packet. It takes
 * the best priority, then the most room, and breaks ties at random.
 *
 * "Room" means credits, and a place in the output's queue if outputs have queues: a packet waits
 * while another crosses to its output. Uniform traffic collapses if every busy moment of a minimal
 * output counts as congestion. With "Distance Based +4" on paper 004's FlatFly, 0.16 is then
 * accepted of 0.9 offered; the paper has 0.96. The links of this FlatFly are all full at load 1, so
 * no capacity is left for detours.
 *
 * A packet that waits chooses again in every round, so it goes aside once other packets have filled
 * the queue in which it saw room. If choices were final, all heads that see one free place would
 * commit to it and block the packets behind them. "Distance Based +4" would then carry 0.29 of a
 * complement on the FlatFly. It carries 0.48; the links can carry 0.50, and the paper's do.
 */
#include "emulator/policy.h"
#include "emulator/policy/option_rows.h"
#include "routing/adaptive.h"

/* A head that found no way is not examined again before a credit comes to its switch or a queue has
 * a place. Its header remembers this: byte[SEEN] holds the number of credits counted until then,
 * from 1 to 255, wrapping around; byte[AGAIN] holds the low bits of a cycle. This cycle comes soon
 * enough that a wrapped count that happens to be equal does no harm. */
enum { SEEN, AGAIN };
#define LONGEST_WAIT 100u

static int adaptive_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	(void)err;
	setup->vls[0] = setup->vls[1] = setup->tables->n_vls;
	setup->local_bytes = 1;
	*state = (void *)(uintptr_t)setup->tables;
	return 0;
}

static void adaptive_free(void *state)
{
	(void)state;
}

/* Sources store an SL in these bytes; switches beyond InfiniBand do not read it. */
static void adaptive_generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	(void)state;
	(void)host_stream;
	p->byte[SEEN] = 0;
}

static void adaptive_credit(const void *state, const odo_view *v, unsigned port, unsigned vl,
			    unsigned phits)
{
	uint8_t *count = v->local;
	(void)state;
	(void)port;
	(void)vl;
	(void)phits;
	*count = *count == UINT8_MAX ? 1 : *count + 1;
}

/**
 * Return the index of the way to take, or n for none. Ways are sorted by priority.
 * @param wait out: cycles until asking again is useful, if no credit comes before
 */
static unsigned choose_candidate(const odo_view *v, const odo_candidate *way, unsigned n,
				 unsigned phits, unsigned *wait)
{
	unsigned most = 0, ties = 0, best = n;
	for (unsigned i = 0; i < n; i++) {
		if (best < n && way[i].priority > way[best].priority)
			break;
		unsigned room = v->credits[odo_view_at(v, way[i].port, way[i].vl)];
		if (room < phits || odo_view_dead(v, way[i].port))
			continue;
		unsigned closed = odo_view_closed(v, way[i].port);
		if (closed) {
			*wait = closed < *wait ? closed : *wait;
			continue;
		}
		if (best == n || room > most) {
			best = i;
			most = room;
			ties = 1;
		} else if (room == most && odo_view_below(v, ++ties) == 0) {
			best = i;
		}
	}
	return best;
}

static bool adaptive_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			   unsigned in_vl, odo_way *out)
{
	const odo_tables *t = state;
	const uint8_t *credits = v->local;
	odo_candidate way[ODO_MAX_CANDIDATES];
	unsigned wait = LONGEST_WAIT;
	(void)in_vl; /* for ports to hosts it is the number of a queue; the packet has its VL */
	if (p->byte[SEEN] && p->byte[SEEN] == *credits && (int8_t)(v->now - p->byte[AGAIN]) < 0)
		return false;
	unsigned n = odo_candidates(t, v->node, in_port, p->vl, p->word, way);
	if (!n) { /* port 0 reports an error; otherwise the packet would wait forever */
		*out = (odo_way){0};
		return true;
	}
	unsigned best = choose_candidate(v, way, n, p->phits, &wait);
	p->byte[SEEN] = best == n ? *credits : 0;
	p->byte[AGAIN] = (uint8_t)(v->now + wait);
	if (best == n)
		return false;
	*out = (odo_way){.port = way[best].port,
			 .vl = way[best].vl,
			 .escape = way[best].escape,
			 .yields = way[best].priority & 3,
			 .again = n == 1 && !v->failing ? ODO_ASK_NEVER : ODO_ASK_EACH_ROUND};
	return true;
}

const odo_policy odo_policy_adaptive_tables = {
	.name = "tables",
	.summary = "adaptive tables, ways of the best priority by credits",
	.paper = "paper 004, section 3.1",
	.deadlock = "the verifier's proof of the tables",
	.options = odo_no_options,
	.traits = ODO_POLICY_ASKS,
	.create = adaptive_create,
	.free = adaptive_free,
	.generate = adaptive_generate,
	.route = adaptive_route,
	.credit = adaptive_credit,
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Forwards by adaptive tables. Which of the ways on that the tables allow a packet takes is the
 * switch's affair, not the routing's (paper 004, section 3.1: "a selection function that chooses
 * one port from a set based on congestion information"). Ours: of the ways behind which there is
 * room for the packet, the best priority; of those, the one with most room; of equals, any.
 *
 * "Room" is credits, and a place in the output's queue where there are such queues: a packet
 * waits while another crosses to its output. To take every busy moment of a minimal output for
 * congestion makes uniform traffic collapse, 0.16 accepted of 0.9 offered with "Distance Based
 * +4" on paper 004's FlatFly where the paper has 0.96: its links are all full at load 1, so that
 * nothing is left for detours.
 *
 * A packet that waits chooses again in every round, so that it goes aside once others have filled
 * the queue that it saw room in. Were a choice to stand, all heads that see one place free would
 * commit to it and block what is behind them: "Distance Based +4" would carry 0.29 of a complement
 * on the FlatFly, and not 0.48 of the 0.50 that its links can and the paper's do.
 */
#include "emulator/kernel/state/part.h"
#include "routing/adaptive.h"

/* A head that found no way is not looked at again before a credit comes to its switch or a queue
 * has a place, which it remembers in its header: in byte[SEEN] the credits counted until then,
 * from 1 to 255 and round again; in byte[AGAIN] the low bits of a cycle, soon enough that it does
 * not matter if as many credits come as make the count the same. */
enum { SEEN, AGAIN };
#define LONGEST_WAIT 100u

static int create(odo_policy_setup *setup, void **state, odo_error *err)
{
	(void)err;
	setup->vls[0] = setup->vls[1] = setup->tables->n_vls;
	setup->local_bytes = 1;
	*state = (void *)(uintptr_t)setup->tables;
	return 0;
}

static void release(void *state)
{
	(void)state;
}

/* Sources leave an SL in these bytes, which switches beyond InfiniBand do not look at. */
static void generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	(void)state;
	(void)host_stream;
	p->byte[SEEN] = 0;
}

static void credit(const void *state, const odo_view *v, unsigned port, unsigned vl, unsigned phits)
{
	uint8_t *count = v->local;
	(void)state;
	(void)port;
	(void)vl;
	(void)phits;
	*count = *count == UINT8_MAX ? 1 : *count + 1;
}

/**
 * Index of the way to take, or n. Ways come in order of priority.
 * @param wait cycles until asking again makes sense, if no credit comes before
 */
static unsigned choose(const odo_view *v, const odo_candidate *way, unsigned n, unsigned phits,
		       unsigned *wait)
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

static bool route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		  unsigned in_vl, odo_way *out)
{
	const odo_tables *t = state;
	const uint8_t *credits = v->local;
	odo_candidate way[ODO_MAX_CANDIDATES];
	unsigned wait = LONGEST_WAIT;
	(void)in_vl; /* the number of a queue at hosts' ports; the packet knows its VL */
	if (p->byte[SEEN] && p->byte[SEEN] == *credits && (int8_t)(v->now - p->byte[AGAIN]) < 0)
		return false;
	unsigned n = odo_candidates(t, v->node, in_port, p->vl, p->word, way);
	if (!n) { /* no port, which is told: the packet would wait for ever */
		*out = (odo_way){0};
		return true;
	}
	unsigned best = choose(v, way, n, p->phits, &wait);
	p->byte[SEEN] = best == n ? *credits : 0;
	p->byte[AGAIN] = (uint8_t)(v->now + wait);
	if (best == n)
		return false;
	*out = (odo_way){.port = way[best].port,
			 .vl = way[best].vl,
			 .escape = way[best].escape,
			 .yields = way[best].priority & 3,
			 .again = n == 1 && !v->part->world->failing ? ODO_ASK_NEVER
								     : ODO_ASK_EACH_ROUND};
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
	.generate = generate,
	.route = route,
	.credit = credit,
};

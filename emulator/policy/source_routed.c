/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Policies that decide at the source: a packet in its injection queue goes minimally or by a random
 * group, whichever looks shorter. It goes minimally if q_m * H_m <= q_nm * H_nm + threshold.
 *
 *   ugal-l       q: all VLs of the output (paper 001, section 4.2)
 *   ugal-l-vc    q: the VL of the output that each way would take (section 4.3.1)
 *   ugal-l-vch   the same, but only if both ways take the same output
 *   ugal-l-cr    as ugal-l-vch, with credits held back by congestion (section 4.3.2)
 *   ugal-g       q: of the group's global channels at any of its switches (an ideal), plus the
 *                packets of the group that wait for them unless queue=credits
 *   pb           Piggybacking: as ugal-l, and not minimally if the global channel is known to be
 *                congested (paper 000, section 4; Jiang et al., ISCA 2009)
 *   par          as pb, but comparing waiting packets, and again at the next switch of the
 *                source's group (par.c)
 *
 * Credits tell how full a buffer is: q counts the phits in the buffer behind an output and those on
 * the way to it.
 */
#include "emulator/policy/source_routed.h"

#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "emulator/policy/ways/offered.h"

static const char *const revisions[] = {"no", "yes", "minimal", NULL};
static const char *const port_vl[] = {"port", "vl", NULL};
static const char *const credits_waiting[] = {"credits", "waiting", NULL};
static const char *const low_high[] = {"low", "high", NULL};
static const char *const length_words[] = {"real", "consecutive", "consecutive-local", NULL};

#define COMMON(minimal_vl, again, sense_default)                                                   \
	[ODO_SOURCE_THRESHOLD] = NUMBER_OPTION(                                                    \
		"threshold", "0", "packets by which the minimal queue may be longer", 1000),       \
	[ODO_SOURCE_LENGTHS] = WORD_OPTION(                                                        \
		"lengths", "real",                                                                 \
		"path lengths: as they are; as if global links were consecutive, as "              \
		"FOGSim counts; the same less global hops, as its first version does",             \
		length_words),                                                                     \
	[ODO_SOURCE_MINIMAL] = WORD_OPTION(                                                        \
		"minimal-vl", minimal_vl,                                                          \
		"VLs of minimal packets: those of a path's start, or of its end "                  \
		"(paper 001, Figure 7)",                                                           \
		low_high),                                                                         \
	[ODO_SOURCE_REVISE] = WORD_OPTION(                                                         \
		"revise", again,                                                                   \
		"decide again while waiting for injection; minimal: only while "                   \
		"minimal",                                                                         \
		revisions),                                                                        \
	[ODO_SOURCE_SENSE] = WORD_OPTION(                                                          \
		"sense", sense_default,                                                            \
		"queue compared: all VLs of an output, or the one to be taken", port_vl)

static const odo_option port_options[] = {COMMON("high", "no", "port"), {0}};
static const odo_option vl_options[] = {COMMON("high", "no", "vl"), {0}};
static const odo_option pb_options[] = {
	COMMON("low", "yes", "vl"),
	[ODO_SOURCE_PERCENT] = NUMBER_OPTION(
		"percent", "200",
		"percent of the switch's mean global queue that count as congested", 10000),
	[ODO_SOURCE_EXCESS] = NUMBER_OPTION("excess", "5", "packets on top of that", 1000),
	{0},
};

static const odo_option global_options[] = {
	COMMON("high", "no", "port"),
	[ODO_SOURCE_QUEUE] = WORD_OPTION("queue", "waiting",
					 "queue of a global channel: its credits alone, or also "
					 "packets that wait for it in its group",
					 credits_waiting),
	{0},
};

static int source_create(odo_policy_setup *setup, void **out, odo_error *err)
{
	int status = odo_policy_ways_create(setup, sizeof(odo_source), out, err);
	if (status)
		return status;
	odo_source *source = *out;
	const odo_value *value = setup->value;
	source->rule = (odo_source_rule)setup->variant;
	source->packet = setup->model->packet;
	source->threshold = value[ODO_SOURCE_THRESHOLD].number[0] * source->packet;
	source->lengths = (odo_source_lengths)value[ODO_SOURCE_LENGTHS].number[0];
	source->minimal_high = value[ODO_SOURCE_MINIMAL].number[0] &&
			       source->rule != ODO_SOURCE_PAR;
	source->revise = (odo_source_revise)value[ODO_SOURCE_REVISE].number[0];
	source->sense_vl = value[ODO_SOURCE_SENSE].number[0];
	source->ladder = odo_ladder_make(source->rule == ODO_SOURCE_PAR ? "llglgl" : "lglgl");
	setup->vls[0] = source->ladder.n_vls[0];
	setup->vls[1] = source->ladder.n_vls[1];
	return 0;
}

/* Is the decision of a packet at its source independent of its earlier decisions there? It is not
 * with minimal_high: there the other way is weighed by the VL of the last decision. It is not at
 * PAR's second switch either: a packet that has gone aside is not asked again. */
static bool decides_afresh(const odo_source *source)
{
	return source->revise == ODO_REVISE_ALWAYS && !source->minimal_high;
}

/* Set the properties of setup that depend on `revise`. With flits, a head has stopped asking before
 * it leaves, so leave() must be called for each packet. */
static void set_promises(odo_policy_setup *setup, odo_source *source)
{
	setup->plain = setup->model->flow != ODO_FLOW_FLITS;
	setup->late = decides_afresh(source);
	source->plain = setup->plain || setup->for_good;
}

static int create_ugal(odo_policy_setup *setup, void **state, odo_error *err)
{
	int status = source_create(setup, state, err);
	if (status)
		return status;
	odo_source *source = *state;
	setup->for_good = source->revise == ODO_REVISE_NEVER;
	set_promises(setup, source);
	return 0;
}

static int create_cr(odo_policy_setup *setup, void **state, odo_error *err)
{
	int status = source_create(setup, state, err);
	if (!status)
		setup->local_bytes = odo_credit_bytes(setup, *state);
	return status;
}

static int create_global(odo_policy_setup *setup, void **state, odo_error *err)
{
	int status = source_create(setup, state, err);
	if (status)
		return status;
	odo_source *source = *state;
	source->backlog = setup->value[ODO_SOURCE_QUEUE].number[0];
	if (source->backlog)
		setup->group_bytes = odo_backlog_bytes(source);
	return 0;
}

static int create_pb(odo_policy_setup *setup, void **state, odo_error *err)
{
	int status = source_create(setup, state, err);
	if (status)
		return status;
	odo_source *source = *state;
	source->percent = setup->value[ODO_SOURCE_PERCENT].number[0];
	source->excess = setup->value[ODO_SOURCE_EXCESS].number[0] * source->packet;
	setup->group_bytes = odo_piggyback_bytes(setup, source);
	set_promises(setup, source);
	odo_par_prepare(setup, source);
	return 0;
}

/* Draw the switch to pass by: within the group for traffic within a group, else in any other
 * group. */
static void source_generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	const odo_ways *ways = ((const odo_source *)state)->ways;
	uint32_t from = ways->group[ways->home[p->source]], to = ways->group[ways->home[p->target]];
	uint32_t seat;
	if (from == to) {
		seat = from * ways->a + odo_rng_below(host_stream, ways->a);
	} else {
		seat = odo_rng_below(host_stream, (ways->n_groups - 1) * ways->a);
		seat += seat / ways->a >= from ? ways->a : 0;
	}
	p->word = ways->member[seat];
}

unsigned odo_source_queue(const odo_source *source, const odo_view *v, const odo_source_choice *c,
			  bool of_vl)
{
	if (of_vl) {
		unsigned rung = odo_ladder_next(&source->ladder, c->class, c->taken);
		return odo_view_taken(v, c->port, source->ladder.vl[rung]);
	}
	unsigned sum = 0;
	for (unsigned vl = 0; vl < source->ladder.n_vls[c->class]; vl++)
		sum += odo_view_taken(v, c->port, vl);
	return sum;
}

/* Return the minimal way to a switch, without its hops and rungs. */
static odo_source_choice way_to(const odo_source *source, const odo_view *v, uint32_t to,
				uint32_t spread)
{
	const odo_ways *ways = source->ways;
	odo_source_choice c = {.class = ODO_LINK_LOCAL};
	if (ways->group[to] != ways->group[v->node]) {
		c.gateway = odo_ways_gateway(ways, v->node, ways->group[to], spread);
		to = c.gateway->node;
		if (to == v->node) {
			c.class = ODO_LINK_GLOBAL;
			c.port = c.gateway->port;
			return c;
		}
	}
	c.port = ways->local_port[v->node * ways->a + ways->position[to]];
	return c;
}

static odo_source_choice minimal_way(const odo_source *source, const odo_view *v,
				     const odo_packet *p)
{
	uint32_t target = source->ways->home[p->target];
	odo_source_choice c = way_to(source, v, target, p->source);
	c.hops = odo_source_hops(source, c.gateway, v->node, target);
	c.taken = source->minimal_high ? ODO_SOURCE_MINIMAL_RUNG : p->byte[ODO_SOURCE_RUNGS];
	return c;
}

/* Return the way by the switch that was drawn. For traffic within the group, the minimal way. */
static odo_source_choice other_way(const odo_source *source, const odo_view *v, const odo_packet *p)
{
	uint32_t target = source->ways->home[p->target];
	odo_source_choice c = way_to(source, v, p->word, p->source);
	if (!c.gateway)
		return minimal_way(source, v, p);
	c.hops = odo_source_hops_via(source, c.gateway, v->node, p->word, target, p->source);
	c.taken = p->byte[ODO_SOURCE_RUNGS];
	return c;
}

static unsigned backlog_of(const odo_source *source, const odo_view *v, uint32_t gate,
			   unsigned port)
{
	return source->backlog ? odo_backlog(source, v, gate, port) : 0;
}

/* UGAL-G reads the queue of the global channel itself, at the switch of the group that has it. */
static unsigned global_queue(const odo_source *source, const odo_view *v, const odo_packet *p,
			     odo_source_choice c, uint32_t towards)
{
	const odo_ways *ways = source->ways;
	if (ways->group[towards] == ways->group[v->node])
		return odo_source_queue(source, v, &c, source->sense_vl);
	if (c.class == ODO_LINK_GLOBAL)
		return odo_source_queue(source, v, &c, source->sense_vl) +
		       backlog_of(source, v, v->node, c.port);
	odo_view there;
	uint32_t gate = odo_next_switch(ways->fabric, odo_slot(ways->fabric, v->node, c.port));
	odo_view_of(v->part, gate, &there);
	c.port = odo_ways_to_group(ways, gate, ways->group[towards], p->source, &c.class);
	c.taken++;
	return odo_source_queue(source, &there, &c, source->sense_vl) +
	       backlog_of(source, v, gate, c.port);
}

static bool minimal_is_shorter(const odo_source *source, const odo_view *v, const odo_packet *p,
			       const odo_source_choice *m, const odo_source_choice *n)
{
	unsigned q_m, q_n;
	if (source->rule == ODO_SOURCE_PAR)
		return odo_par_minimal(source, v, m, n);
	if (source->rule == ODO_SOURCE_GLOBAL) {
		q_m = global_queue(source, v, p, *m, source->ways->home[p->target]);
		q_n = global_queue(source, v, p, *n, p->word);
	} else {
		bool of_vl = source->sense_vl &&
			     (source->rule != ODO_SOURCE_HYBRID || m->port == n->port);
		q_m = odo_source_queue(source, v, m, of_vl);
		q_n = odo_source_queue(source, v, n, of_vl);
	}
	return q_m * m->hops <= q_n * n->hops + source->threshold;
}

static bool is_congested(const odo_source *source, const odo_view *v, const odo_gateway *gateway)
{
	bool informed = source->rule == ODO_SOURCE_PB || source->rule == ODO_SOURCE_PAR;
	return informed && gateway && odo_piggyback_congested(source, v, gateway);
}

/* May a packet still decide here? In its injection queue it may; with PAR also at the next
 * switch. */
static bool may_decide(const odo_source *source, const odo_view *v, const odo_packet *p,
		       unsigned in_port)
{
	const odo_ways *ways = source->ways;
	if (p->byte[ODO_SOURCE_FLAGS] & ODO_SOURCE_DECIDED)
		return false;
	if (odo_ways_injected(ways, v->node, in_port, p->source))
		return true;
	return source->rule == ODO_SOURCE_PAR &&
	       p->byte[ODO_SOURCE_FLAGS] & ODO_SOURCE_IS_MINIMAL && p->hops == 1 &&
	       ways->group[v->node] == ways->group[ways->home[p->source]] &&
	       ways->group[v->node] != ways->group[ways->home[p->target]];
}

/* @return the way on; undefined if the packet has reached its switch */
static odo_source_choice decide_way(const odo_source *source, const odo_view *v, odo_packet *p,
				    uint8_t *other)
{
	uint8_t *flags = &p->byte[ODO_SOURCE_FLAGS];
	odo_source_choice m = minimal_way(source, v, p), n = m;
	bool minimally = v->node == source->ways->home[p->target];
	if (!minimally) {
		n = other_way(source, v, p);
		minimally = minimal_is_shorter(source, v, p, &m, &n) &&
			    !is_congested(source, v, m.gateway);
	}
	*flags &= (uint8_t)~ODO_SOURCE_IS_MINIMAL;
	*flags |= minimally ? ODO_SOURCE_IS_MINIMAL : 0;
	if (source->minimal_high && p->hops == 0)
		p->byte[ODO_SOURCE_RUNGS] = minimally ? ODO_SOURCE_MINIMAL_RUNG : 0;
	*other = minimally ? n.port : m.port;
	return minimally ? m : n;
}

/* Does the packet keep its earlier decision to go aside? Not when it is asked for the first time,
 * because the packet before it may still be leaving. */
static bool stays_aside(odo_packet *p)
{
	uint8_t *flags = &p->byte[ODO_SOURCE_FLAGS];
	bool first = !(*flags & ODO_SOURCE_ASKED);
	*flags |= ODO_SOURCE_ASKED;
	return !first && !(*flags & ODO_SOURCE_IS_MINIMAL);
}

/* Return the switch towards which the packet goes: the one to pass by, or the target's. */
static uint32_t heads_for(const odo_ways *ways, const odo_view *v, const odo_packet *p)
{
	bool straight = p->byte[ODO_SOURCE_FLAGS] & (ODO_SOURCE_IS_MINIMAL | ODO_SOURCE_PASSED);
	return straight || ways->group[v->node] == ways->group[p->word] ? ways->home[p->target]
									: p->word;
}

/* The packet leaves by a link of this class. */
static void note_departure(const odo_source *source, const odo_view *v, odo_packet *p,
			   unsigned in_port, odo_link_class class)
{
	const odo_ways *ways = source->ways;
	uint8_t *flags = &p->byte[ODO_SOURCE_FLAGS];
	bool may_revise = source->rule == ODO_SOURCE_PAR && *flags & ODO_SOURCE_IS_MINIMAL &&
			  odo_ways_injected(ways, v->node, in_port, p->source);
	if (!may_revise)
		*flags |= ODO_SOURCE_DECIDED;
	if (ways->group[v->node] == ways->group[p->word])
		*flags |= ODO_SOURCE_PASSED;
	odo_ladder_climb(&source->ladder, class, &p->byte[ODO_SOURCE_RUNGS]);
}

static bool source_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			 unsigned in_vl, odo_way *way)
{
	const odo_source *source = state;
	const odo_ways *ways = source->ways;
	(void)in_vl;
	bool again = may_decide(source, v, p, in_port);
	odo_source_choice c = {0};
	uint8_t other = 0;
	way->again = ODO_ASK_NEVER;
	if (again) {
		c = decide_way(source, v, p, &other);
		bool for_good = source->revise == ODO_REVISE_NEVER ||
				(source->revise == ODO_REVISE_MINIMAL && stays_aside(p));
		way->again = for_good ? ODO_ASK_NEVER : ODO_ASK_EACH_ROUND;
		if (decides_afresh(source) && p->hops == 0 && other) {
			way->again = ODO_ASK_EITHER;
			way->other = other;
		}
	}
	uint32_t next = heads_for(ways, v, p);
	if (v->node == next) {
		way->port = ways->host_port[p->target];
		return true;
	}
	if (!again)
		c = way_to(source, v, next, p->source);
	way->port = c.port;
	way->vl = source->ladder
			  .vl[odo_ladder_next(&source->ladder, c.class, p->byte[ODO_SOURCE_RUNGS])];
	if (source->plain && way->again == ODO_ASK_NEVER)
		note_departure(source, v, p, in_port, c.class);
	return true;
}

static void source_leave(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			 const odo_way *way)
{
	const odo_source *source = state;
	note_departure(source, v, p, in_port, odo_ways_class(source->ways, v->node, way->port));
}

static void global_leave(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			 const odo_way *way)
{
	const odo_source *source = state;
	if (source->backlog)
		odo_backlog_note(source, v, p, in_port, way->port, heads_for(source->ways, v, p));
	source_leave(state, v, p, in_port, way);
}

static void credit_leave(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			 const odo_way *way)
{
	source_leave(state, v, p, in_port, way);
	odo_credit_sent(state, v, way);
}

#define SOURCE(rule)                                                                               \
	.variant = (rule), .kinds = 1u << ODO_KIND_DRAGONFLY, .free = odo_policy_ways_free,        \
	.generate = source_generate, .route = source_route
#define UGAL(rule) SOURCE(rule), .create = create_ugal, .leave = source_leave, .deadlock = BY_LADDER
#define INFORMED(rule)                                                                             \
	SOURCE(rule), .create = create_pb, .leave = source_leave, .options = pb_options,           \
		      .tick = odo_piggyback_tick
#define BY_LADDER "VLs grow along local, global, local, global, local"

const odo_policy odo_policy_ugal_l = {
	UGAL(ODO_SOURCE_LOCAL),
	.name = "ugal-l",
	.summary = "minimal or Valiant, by queues of this switch's outputs",
	.paper = "001, section 4.2",
	.options = port_options,
};

const odo_policy odo_policy_ugal_l_vc = {
	UGAL(ODO_SOURCE_LOCAL),
	.name = "ugal-l-vc",
	.summary = "minimal or Valiant, by queues of the VLs they would take",
	.paper = "001, section 4.3.1",
	.options = vl_options,
};

const odo_policy odo_policy_ugal_l_vch = {
	UGAL(ODO_SOURCE_HYBRID),
	.name = "ugal-l-vch",
	.summary = "by queues of VLs where both ways share an output, else of outputs",
	.paper = "001, section 4.3.1",
	.options = vl_options,
};

const odo_policy odo_policy_ugal_l_cr = {
	SOURCE(ODO_SOURCE_HYBRID),
	.name = "ugal-l-cr",
	.summary = "ugal-l-vch, with credits held back by the excess of their round trip",
	.paper = "001, section 4.3.2",
	.deadlock = BY_LADDER,
	.options = vl_options,
	.create = create_cr,
	.leave = credit_leave,
	.credit = odo_credit_returned,
	.hold_credit = odo_credit_hold,
};

const odo_policy odo_policy_ugal_g = {
	SOURCE(ODO_SOURCE_GLOBAL),
	.name = "ugal-g",
	.summary = "by queues of the group's global channels, wherever they are: an ideal",
	.paper = "001, section 4.2",
	.deadlock = BY_LADDER,
	.options = global_options,
	.create = create_global,
	.leave = global_leave,
	.traits = ODO_POLICY_SEES_GROUP,
};

const odo_policy odo_policy_piggyback = {
	INFORMED(ODO_SOURCE_PB),
	.name = "pb",
	.summary = "Piggybacking: UGAL that knows which global channels are congested",
	.paper = "000, section 4",
	.deadlock = BY_LADDER,
};

const odo_policy odo_policy_par = {
	INFORMED(ODO_SOURCE_PAR),
	.name = "par",
	.summary = "Piggybacking by waiting phits; may decide again after one local hop",
	.paper = "000, section 2",
	.deadlock = "VLs grow along local, local, global, local, global, local",
};

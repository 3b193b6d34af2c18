/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * OFAR, on-the-fly adaptive routing (papers 000 and 002): in every switch a packet goes minimally
 * if it can, else by a non-minimal link that is emptier, else by an escape subnetwork. A packet may
 * take any VL and chooses the one with most credits; it waits only for VLs of an escape.
 *
 * The papers leave some details open. Here:
 *  - A minimal output is "already assigned to another input" (section 3.2) if this cycle's
 *    allocation has granted it. An output that is still sending an earlier packet does not count
 *    (option trigger=assigned). If it counts (trigger=busy), uniform traffic is misrouted until
 *    OFAR accepts less than MIN does, against section 5.1. FOGSim's first version does not count a
 *    full queue either (trigger=granted): a full queue lets it consider misrouting, but for each
 *    link it then checks again whether the minimal output is assigned.
 *  - Escape (section 3.3: "when all minimal and nonminimal paths are unavailable") means no room
 *    behind the minimal output, nor behind any output that section 3.2 allows for misrouting. An
 *    output that is merely sending will be free within a packet's time, and waiting for it closes
 *    no cycle. Packets diverted for this reason flood the escape subnetwork, which the paper says
 *    is hardly used. At h=6 with 2/1 VLs and the tree, uniform traffic then collapses even with
 *    BCM or ECM (wait=no).
 *  - Packets never enter the escape subnetwork from their injection queue (paper 002, section
 *    IV.B): they hold no buffer that another packet waits for. They enter it only if the cables of
 *    all outputs that they may take have failed. FOGSim's first version lets them enter
 *    (inject=yes) if the minimal output has no room.
 *  - From an escape channel in the source's group, a packet continues minimally or by the escape:
 *    MM+L distinguishes injection queues and local queues, and an escape channel is neither.
 */
#include <stdlib.h>
#include <string.h>

#include "emulator/policy/escape.h"
#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "base/memory.h"

enum trigger { BUSY, ASSIGNED, GRANTED, INJECTION, TRANSIT };
/* Can a way that is not minimal be had? NEVER: not while the minimal output stays as it is. */
typedef enum other { NONE, NOW, LATER, NEVER } other;

typedef struct ofar {
	odo_ways *ways;
	odo_escape escape;
	unsigned vls[2];    /* canonical, by link class */
	unsigned threshold; /* percent of the minimal queue's occupancy */
	unsigned bubble;    /* BCM: packets of bubble; 0 for none */
	unsigned ecm;       /* ECM: percent; 101 for none */
	unsigned bounces;   /* entries into escape after which a packet stays there; 0: no limit */
	enum trigger trigger;
	bool local;   /* misroute by local links */
	bool patient; /* wait for a link that is only busy sending */
	bool inject;  /* escape from injection queues too */
} ofar;

enum {
	ESCAPE,
	LOCAL_VLS,
	GLOBAL_VLS,
	THRESHOLD,
	LOCAL,
	BCM,
	ECM,
	BOUNCES,
	TRIGGER,
	WAIT,
	INJECT,
	ROOT
};

static const char *const triggers[] = {"busy", "assigned", "granted", "injection", "transit", NULL};

static const odo_option options[] = {
	[ESCAPE] = WORD_OPTION(
		"escape", "a",
		"rings by letter or trees, one a packet, drawn at its source; or on cables of "
		"their own, as dragonfly:...,escape=ring has them",
		odo_escape_names),
	[LOCAL_VLS] = {"local-vls", ODO_OPTION_NUMBER, "3", "VLs of local links, besides escapes",
		       NULL, 1, 11},
	[GLOBAL_VLS] = {"global-vls", ODO_OPTION_NUMBER, "2",
			"VLs of global links, besides escapes", NULL, 1, 11},
	[THRESHOLD] = NUMBER_OPTION("threshold", "90",
				    "percent of the minimal queue's occupancy that allow another",
				    100),
	[LOCAL] = YES_NO_OPTION("local", "yes", "misroute by local links; no is OFAR-L"),
	[BCM] = NUMBER_OPTION("bcm", "0", "packets of bubble that injection must leave; 0 for none",
			      100),
	[ECM] = NUMBER_OPTION("ecm", "0",
			      "percent of escape buffers taken that stop injection; 0 for never",
			      100),
	[BOUNCES] = NUMBER_OPTION(
		"bounces", "0",
		"entries into escape after which a packet stays there; 0 for any number", 255),
	[TRIGGER] = WORD_OPTION(
		"trigger", "assigned",
		"misroute if the minimal output is sending or full; was granted in this "
		"cycle or is full; was granted in this cycle, as in FOGSim's first version; "
		"or is full where a packet is injected; or where it is in transit",
		triggers),
	[WAIT] = YES_NO_OPTION(
		"wait", "yes",
		"wait for a link to misroute by that has room but is sending; no escapes then"),
	[INJECT] = YES_NO_OPTION(
		"inject", "no",
		"escape straight from injection queues where no output has room, as FOGSim's "
		"first version does unless told not to"),
	[ROOT] = NUMBER_OPTION("root", "0", "switch at the root of an embedded tree",
			       UINT32_MAX - 1),
	{0},
};

/* Header. `word`: entries into escape. Bytes: flags for the steps that remain allowed, and the
 * subnetwork. */
enum { FLAGS, SUBNETWORK };
enum {
	GLOBAL_DONE = 1, /* has left its source's group by a link that was not minimal */
	LOCAL_DONE = 2,  /* has misrouted locally in this group */
	MUST_GLOBAL = 4, /* after MM+L's local hop: the next hop must be a global link that is not
			  * minimal */
	INSIDE = 8,      /* in the escape subnetwork */
	ASK_LOCAL = 16,  /* requested; becomes final with the grant */
	ASK_MM = 32,
	ASK_GLOBAL = 64,
	ASKED = ASK_LOCAL | ASK_MM | ASK_GLOBAL,
};

static void ofar_free(void *state)
{
	ofar *o = state;
	if (!o)
		return;
	odo_escape_clear(&o->escape);
	odo_ways_free(o->ways);
	free(o);
}

static void read_ofar_options(ofar *o, const odo_value *value)
{
	o->vls[ODO_LINK_LOCAL] = value[LOCAL_VLS].number[0];
	o->vls[ODO_LINK_GLOBAL] = value[GLOBAL_VLS].number[0];
	o->threshold = value[THRESHOLD].number[0];
	o->local = value[LOCAL].number[0];
	o->bubble = value[BCM].number[0];
	o->ecm = value[ECM].number[0];
	o->bounces = value[BOUNCES].number[0];
	o->patient = value[WAIT].number[0];
	o->inject = value[INJECT].number[0];
	o->trigger = (enum trigger)value[TRIGGER].number[0];
}

/* Check that buffers are large enough for packets to be injected and to enter a ring. */
static int check_model(const ofar *o, const odo_model *model, bool ring, odo_error *err)
{
	static const char *const class[] = {"local", "global"};
	uint64_t least = (o->bubble > 0 || ring ? 2ull : 1ull) * model->packet;
	if (o->bubble > 1)
		least = (o->bubble + 1ull) * model->packet;
	if (model->flow == ODO_FLOW_FLITS)
		return odo_fail(err, ODO_EINPUT,
				"expected flow=packets: OFAR needs virtual cut-through");
	for (unsigned k = 0; k < 2; k++)
		if (model->buffer[k] < least)
			return odo_fail(err, ODO_EINPUT,
					"expected %s buffers of %llu phits, for a packet and the "
					"bubble, found %u",
					class[k], (unsigned long long)least, model -> buffer[k]);
	return 0;
}

static int ofar_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	ofar *o = odo_new(1, sizeof *o);
	if (!o)
		return odo_fail(err, ODO_ENOMEM, "no memory for a policy");
	const char *escape = odo_escape_names[setup->value[ESCAPE].number[0]];
	read_ofar_options(o, setup->value);
	int status = check_model(o, setup->model, !strstr(escape, "tree"), err);
	if (!status)
		status = odo_escape_create(setup->fabric, setup->coordinates, escape,
					   setup->value[ROOT].number[0], setup->model->packet,
					   o->vls, &o->ways, &o->escape, err);
	if (status) {
		ofar_free(o);
		return status;
	}
	if (o->trigger != BUSY)
		setup->local_bytes = ODO_MAX_PORTS *
				     sizeof(uint32_t); /* last grant + 1, by output */
	setup->vls[0] = o->vls[0] + odo_escape_vls(&o->escape);
	setup->vls[1] = o->vls[1] + odo_escape_vls(&o->escape);
	*state = o;
	return 0;
}

static void ofar_generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	const ofar *o = state;
	if (o->escape.n > 1)
		p->byte[SUBNETWORK] = (uint8_t)odo_rng_below(host_stream, o->escape.n);
}

/* The canonical VL with most credits. */
static uint8_t best_vl(const ofar *o, const odo_view *v, unsigned port, odo_link_class class)
{
	const uint16_t *credits = v->credits + odo_view_at(v, port, 0);
	uint8_t best = 0;
	for (uint8_t vl = 1; vl < o->vls[class]; vl++)
		if (credits[vl] > credits[best])
			best = vl;
	return best;
}

/* A cable that has failed has no room behind it. */
static bool has_room(const odo_view *v, const odo_way *way)
{
	return !odo_view_dead(v, way->port) &&
	       v->credits[odo_view_at(v, way->port, way->vl)] >= way->space;
}

/* Is the occupancy of way `n` at most the threshold's share of the occupancy of way `m`? */
static bool is_emptier(const ofar *o, const odo_view *v, const odo_way *n, const odo_way *m)
{
	uint64_t taken_n = odo_view_taken(v, n->port, n->vl);
	uint64_t taken_m = odo_view_taken(v, m->port, m->vl);
	uint64_t of_n = v->capacity[odo_view_at(v, n->port, n->vl)];
	uint64_t of_m = v->capacity[odo_view_at(v, m->port, m->vl)];
	return 100 * taken_n * of_m <= o->threshold * taken_m * of_n;
}

/* May a packet go by this link instead of the minimal way? */
static bool may_serve(const ofar *o, const odo_view *v, const odo_way *minimal, bool must,
		      odo_link_class class, uint8_t port, odo_way *way)
{
	*way = (odo_way){.port = port, .space = minimal->space};
	way->vl = best_vl(o, v, port, class);
	return has_room(v, way) && (must || is_emptier(o, v, way, minimal));
}

/* Return a switch's links of a class; local links by position, 0 for itself. */
static const uint8_t *ports_of_class(const odo_ways *ways, uint32_t node, odo_link_class class,
				     uint32_t *n)
{
	bool local = class == ODO_LINK_LOCAL;
	*n = local ? ways->a : ways->first_global[node + 1] - ways->first_global[node];
	return local ? ways->local_port + (size_t)node * ways->a
		     : ways->global_port + ways->first_global[node];
}

/* Draw among the links of a class that may serve and are free. */
static other draw_misroute(const ofar *o, const odo_view *v, const odo_way *minimal, bool must,
			   odo_link_class class, odo_way *way)
{
	uint32_t n;
	const uint8_t *ports = ports_of_class(o->ways, v->node, class, &n);
	odo_way fit[256];
	uint8_t busy[256];
	uint32_t n_fit = 0, n_busy = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!ports[i] || ports[i] == minimal->port)
			continue;
		if (!odo_view_free(v, ports[i]))
			busy[n_busy++] = ports[i];
		else if (may_serve(o, v, minimal, must, class, ports[i], &fit[n_fit]))
			n_fit++;
	}
	if (n_fit) {
		*way = fit[n_fit > 1 ? odo_view_below(v, n_fit) : 0];
		return NOW;
	}
	odo_way later;
	for (uint32_t i = 0; i < n_busy && o->patient; i++)
		if (may_serve(o, v, minimal, must, class, busy[i], &later))
			return LATER;
	return NONE;
}

/* Return the flag of the kind of misrouting that section 3.1 allows here, or 0. */
static uint8_t allowed_misrouting(const ofar *o, const odo_view *v, const odo_packet *p,
				  bool injected, odo_link_class minimal)
{
	const odo_ways *ways = o->ways;
	uint32_t here = ways->group[v->node], flags = p->byte[FLAGS];
	bool leaving = here == ways->group[ways->home[p->source]] &&
		       here != ways->group[ways->home[p->target]];
	if (flags & MUST_GLOBAL)
		return ASK_GLOBAL;
	if (leaving && !(flags & GLOBAL_DONE)) {
		if (injected)
			return ASK_GLOBAL;
		return flags & (INSIDE | LOCAL_DONE) ? 0 : ASK_MM;
	}
	bool local = o->local && !(flags & LOCAL_DONE) && minimal == ODO_LINK_LOCAL;
	return local ? ASK_LOCAL : 0;
}

static bool counts_full(const ofar *o, bool injected)
{
	switch (o->trigger) {
	case GRANTED:
		return false;
	case INJECTION:
		return injected;
	case TRANSIT:
		return !injected;
	default:
		return true;
	}
}

static bool is_triggered(const ofar *o, const odo_view *v, const odo_way *minimal, uint16_t phits,
			 bool injected)
{
	/* Full means that there is no room for a packet: if BCM alone stops an injection, the
	 * packet waits. */
	odo_way bare = {.port = minimal->port, .vl = minimal->vl, .space = phits};
	if (counts_full(o, injected) && !has_room(v, &bare))
		return true;
	if (o->trigger == BUSY)
		return !odo_view_free(v, minimal->port);
	return ((const uint32_t *)v->local)[minimal->port - 1] == v->now + 1;
}

static odo_link_class class_asked(uint8_t ask)
{
	return ask == ASK_GLOBAL ? ODO_LINK_GLOBAL : ODO_LINK_LOCAL;
}

static other try_misrouting(const ofar *o, const odo_view *v, odo_packet *p, const odo_way *minimal,
			    odo_link_class class, bool injected, odo_way *way)
{
	/* Queues behind a dead cable become empty, so they must not be compared. */
	bool must = p->byte[FLAGS] & MUST_GLOBAL || odo_view_dead(v, minimal->port);
	uint8_t ask = allowed_misrouting(o, v, p, injected, class);
	if (!ask || !(must || is_triggered(o, v, minimal, p->phits, injected)))
		return NEVER;
	other found = draw_misroute(o, v, minimal, must, class_asked(ask), way);
	if (found == NOW)
		p->byte[FLAGS] |= ask;
	return found;
}

/* Does a link of the class, other than port `but`, have a cable that has not failed? */
static bool has_live_link(const ofar *o, const odo_view *v, odo_link_class class, uint8_t but)
{
	uint32_t n;
	const uint8_t *ports = ports_of_class(o->ways, v->node, class, &n);
	for (uint32_t i = 0; i < n; i++)
		if (ports[i] && ports[i] != but && !odo_view_dead(v, ports[i]))
			return true;
	return false;
}

/* Have all cables by which this packet may be injected failed? */
static bool is_stranded(const ofar *o, const odo_view *v, const odo_packet *p,
			const odo_way *minimal, odo_link_class class)
{
	if (!odo_view_dead(v, minimal->port))
		return false;
	uint8_t ask = allowed_misrouting(o, v, p, true, class);
	return !ask || !has_live_link(o, v, class_asked(ask), minimal->port);
}

/* Does a packet wait for its minimal output rather than escape? */
static bool waits_for_minimal(const ofar *o, const odo_view *v, const odo_packet *p,
			      const odo_way *minimal, odo_link_class class, bool injected)
{
	odo_way bare = {.port = minimal->port, .vl = minimal->vl, .space = p->phits};
	if (injected && !o->inject)
		return !is_stranded(o, v, p, minimal, class);
	return !(p->byte[FLAGS] & MUST_GLOBAL) && has_room(v, &bare);
}

/*
 * Does a packet that MM+L has sent a local hop aside wait for the global link that it must take?
 * Global queues hold no packet that waits like this, and their heads may escape, so they always
 * drain. A packet inside the escape subnetwork continues along it, since these queues must drain
 * without any others.
 */
static bool waits_for_owed(const ofar *o, const odo_view *v, const odo_packet *p,
			   const odo_way *minimal)
{
	return (p->byte[FLAGS] & (MUST_GLOBAL | INSIDE)) == MUST_GLOBAL && has_room(v, minimal) &&
	       has_live_link(o, v, ODO_LINK_GLOBAL, minimal->port);
}

static bool stays_inside(const ofar *o, const odo_packet *p)
{
	return p->byte[FLAGS] & INSIDE && o->bounces && p->word >= o->bounces;
}

static bool ofar_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		       unsigned in_vl, odo_way *way)
{
	const ofar *o = state;
	const odo_ways *ways = o->ways;
	uint32_t target = ways->home[p->target];
	(void)in_vl;
	p->byte[FLAGS] &= (uint8_t)~ASKED;
	bool injected = odo_ways_injected(ways, v->node, in_port, p->source);
	if (injected && o->ecm && odo_escape_congested(&o->escape, v, o->ecm))
		return false;
	if (v->node == target) {
		way->again = ODO_ASK_NEVER;
		way->port = ways->host_port[p->target];
		return true;
	}
	odo_link_class class;
	odo_way minimal = {.space = p->phits};
	if (injected)
		minimal.space = (uint16_t)(minimal.space + o->bubble * o->escape.packet);
	minimal.port = odo_ways_minimal(ways, v->node, target, p->source, &class);
	minimal.vl = best_vl(o, v, minimal.port, class);
	bool must = p->byte[FLAGS] & MUST_GLOBAL;
	if (!stays_inside(o, p)) {
		/* Field by field: a copy of the whole struct would be read before its parts are
		 * written. */
		way->port = minimal.port;
		way->vl = minimal.vl;
		way->space = minimal.space;
		if (!must && odo_view_free(v, minimal.port) && has_room(v, &minimal))
			return true;
		other found = try_misrouting(o, v, p, &minimal, class, injected, way);
		if (found == NOW || found == LATER)
			return found == NOW;
		if (waits_for_owed(o, v, p, &minimal))
			return false;
		if (waits_for_minimal(o, v, p, &minimal, class, injected)) {
			/* Behind an output that is sending, room can only grow. */
			if (found == NEVER && !odo_view_free(v, minimal.port))
				way->again = ODO_ASK_OPENED;
			return true;
		}
	}
	unsigned which = p->byte[SUBNETWORK];
	odo_escape_way(&o->escape, v, p, target, p->byte[FLAGS] & INSIDE, &which, way);
	if (injected && way->space < minimal.space)
		way->space = minimal.space;
	return true;
}

static void ofar_leave(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		       const odo_way *way)
{
	const ofar *o = state;
	uint8_t flags = p->byte[FLAGS];
	(void)in_port;
	if (o->trigger != BUSY)
		((uint32_t *)v->local)[way->port - 1] = v->now + 1;
	if (way->escape) {
		p->byte[SUBNETWORK] = (uint8_t)odo_escape_of(&o->escape, v->node, way);
		p->word += !(flags & INSIDE);
		flags |= INSIDE;
		flags &= (uint8_t)~ASKED;
	} else {
		flags &= (uint8_t)~INSIDE;
	}
	if (flags & (ASK_LOCAL | ASK_MM))
		flags |= LOCAL_DONE;
	if (flags & ASK_MM)
		flags |= MUST_GLOBAL;
	if (flags & ASK_GLOBAL)
		flags |= GLOBAL_DONE;
	if (odo_ways_class(o->ways, v->node, way->port) == ODO_LINK_GLOBAL)
		flags &= (uint8_t) ~(LOCAL_DONE | MUST_GLOBAL);
	p->byte[FLAGS] = flags & (uint8_t)~ASKED;
}

const odo_policy odo_policy_ofar = {
	.name = "ofar",
	.summary = "OFAR: minimal, else misrouted on the fly, else by an escape ring or tree",
	.paper = "000, section 3; 002",
	.deadlock =
		"an acyclic escape (a tree, or rings with a bubble) is offered wherever a packet "
		"in transit has no room",
	.options = options,
	.kinds = 1u << ODO_KIND_DRAGONFLY,
	.traits = ODO_POLICY_ASKS,
	.create = ofar_create,
	.free = ofar_free,
	.generate = ofar_generate,
	.route = ofar_route,
	.leave = ofar_leave,
};

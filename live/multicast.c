/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Multicast tables (InfiniBand volume 1, 14.2.5.12): blocks of 32 LIDs and 16 ports. For each group
 * with entries the subnet manager is queried about each host. Separate queries are needed because
 * only trusted ports may list members. The answer to others says that the port is a member, but
 * omits the join state. So a second query asks whether it only sends.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "live/query.h"

enum { FIRST_MLID = IB_MIN_MCAST_LID, MLIDS = 32, PORTS = 16 };
/* Maximum queries about groups: about a minute. */
enum { MOST_QUESTIONS = 500000 };
/* Join states (15.2.5.17), a bit each; the last two are of members that only send. */
enum { FULL_MEMBER = 1, NON_MEMBER = 2, SENDS_ONLY = 4, SENDS_ONLY_FULL = 8, ANY_STATE = 0 };

typedef struct block {
	ibnd_node_t *node;
	uint16_t first;     /* first LID, counted from FIRST_MLID */
	uint16_t from_port; /* first port, in units of PORTS */
} block;

/* A group member whose join state the answer omits, and the query that named it. */
typedef struct doubt {
	size_t question, member;
} doubt;

typedef struct reading {
	odo_query *q;
	block *block;
	size_t n_blocks, block_room, entry_room, member_room;
	uint8_t has[0x10000 - FIRST_MLID]; /* LIDs that have entries */
	/* Queries: every port about every group. */
	ibnd_port_t **port;
	uint16_t *group;
	size_t n_ports, n_groups;
	ib_portid_t manager;
	bool is_silent; /* the manager does not answer */
	doubt *doubt;
	size_t n_doubts, doubt_room;
} reading;

static bool ask_mcast_block(void *context, size_t i, odo_mad *mad)
{
	const reading *r = context;
	const block *b = &r->block[i];
	if (b->node == r->q->silent)
		return false;
	*mad = odo_smp_to(b->node, IB_ATTR_MULTICASTFORWTBL,
			  (unsigned)b->from_port << 28 | b->first / MLIDS);
	return true;
}

static void add_live_entry(reading *r, const block *b, unsigned mlid, unsigned port)
{
	odo_live_tables *out = r->q->out;
	if (port > (unsigned)b->node->numports || mlid >= sizeof r->has - 1)
		return;
	if (odo_grow(&out->entries, &r->entry_room, out->n_entries + 1, sizeof *out->entries)) {
		r->q->no_memory = true;
		return;
	}
	r->has[mlid] = 1;
	out->entries[out->n_entries++] = (odo_live_entry){
		b->node->guid, (uint16_t)(FIRST_MLID + mlid), (uint8_t)port};
}

static void take_mcast_block(void *context, size_t i, const uint8_t *data)
{
	reading *r = context;
	const block *b = &r->block[i];
	for (unsigned k = 0; k < MLIDS; k++)
		for (unsigned left = (unsigned)data[2 * k] << 8 | data[2 * k + 1]; left;
		     left &= left - 1)
			add_live_entry(r, b, b->first + k,
				       b->from_port * PORTS + (unsigned)__builtin_ctz(left));
}

static void miss_mcast_block(void *context, size_t i, unsigned status)
{
	reading *r = context;
	(void)status;
	odo_query_miss(r->q, ODO_LIVE_MULTICAST, r->block[i].node);
}

/* Return the number of LIDs that a switch looks up: up to MulticastFDBTop, if it has that. */
static unsigned n_mlids(const ibnd_node_t *node)
{
	unsigned cap = odo_mad_field(node->switchinfo, IB_SW_MCAST_FDB_CAP_F),
		 top = odo_mad_field(node->switchinfo, IB_SW_MCAST_FDB_TOP_F), n = cap;
	if (top)
		n = top < FIRST_MLID ? 0 : top - FIRST_MLID + 1;
	return n < cap ? n : cap;
}

static int list_blocks(reading *r, ibnd_node_t *node)
{
	for (unsigned first = 0; first < n_mlids(node); first += MLIDS)
		for (int port = 0; port <= node->numports; port += PORTS) {
			if (odo_grow(&r->block, &r->block_room, r->n_blocks + 1, sizeof *r->block))
				return ODO_ENOMEM;
			r->block[r->n_blocks++] = (block){node, (uint16_t)first,
							  (uint16_t)(port / PORTS)};
		}
	return 0;
}

static bool ask_membership(reading *r, size_t i, unsigned state, odo_mad *mad)
{
	const ibnd_port_t *port = r->port[i % r->n_ports];
	ibmad_gid_t gid;
	if (r->is_silent)
		return false;
	*mad = (odo_mad){.rpc = {.mgtclass = IB_SA_CLASS,
				 .method = IB_MAD_METHOD_GET,
				 .attr = {.id = IB_SA_ATTR_MCRECORD},
				 .mask = 1ull << 1 | 1ull << 3, /* PortGID, MLID */
				 .datasz = IB_SA_DATA_SIZE,
				 .dataoffs = IB_SA_DATA_OFFS},
			 .to = r->manager};
	if (state != ANY_STATE)
		mad->rpc.mask |= 1ull << 16; /* JoinState */
	mad_set_field64(gid, 0, IB_GID_PREFIX_F,
			mad_get_field64((void *)(uintptr_t)port->info, 0, IB_PORT_GID_PREFIX_F));
	mad_set_field64(gid, 0, IB_GID_GUID_F, port->guid);
	mad_set_array(mad->data, 0, IB_SA_MCM_PORTGID_F, gid);
	mad_set_field(mad->data, 0, IB_SA_MCM_MLID_F, r->group[i / r->n_ports]);
	mad_set_field(mad->data, 0, IB_SA_MCM_JOIN_STATE_F, state);
	return true;
}

static bool ask_member(void *context, size_t i, odo_mad *mad)
{
	return ask_membership(context, i, ANY_STATE, mad);
}

static void add_live_member(reading *r, size_t i, odo_live_part part)
{
	odo_live_tables *out = r->q->out;
	const ibnd_port_t *port = r->port[i % r->n_ports];
	if (odo_grow(&out->members, &r->member_room, out->n_members + 1, sizeof *out->members)) {
		r->q->no_memory = true;
		return;
	}
	out->members[out->n_members++] = (odo_live_member){
		port->node->guid, r->group[i / r->n_ports], (uint8_t)port->portnum, part};
}

static void take_member(void *context, size_t i, const uint8_t *record)
{
	reading *r = context;
	unsigned state = odo_mad_field(record, IB_SA_MCM_JOIN_STATE_F);
	add_live_member(r, i,
			!state || state & (FULL_MEMBER | NON_MEMBER) ? ODO_LIVE_RECEIVES
								     : ODO_LIVE_SENDS);
	if (state || r->q->no_memory)
		return;
	if (odo_grow(&r->doubt, &r->doubt_room, r->n_doubts + 1, sizeof *r->doubt))
		r->q->no_memory = true;
	else
		r->doubt[r->n_doubts++] = (doubt){i, r->q->out->n_members - 1};
}

static void miss_member(void *context, size_t i, unsigned status)
{
	reading *r = context;
	r->is_silent |= !status;
	if (status != ODO_NO_RECORDS)
		add_live_member(r, i, ODO_LIVE_UNCLEAR);
}

/* Send two queries for each doubt. */
static bool ask_doubt(void *context, size_t i, odo_mad *mad)
{
	reading *r = context;
	return ask_membership(r, r->doubt[i / 2].question, i % 2 ? SENDS_ONLY_FULL : SENDS_ONLY,
			      mad);
}

static void take_doubt(void *context, size_t i, const uint8_t *record)
{
	const reading *r = context;
	(void)record;
	r->q->out->members[r->doubt[i / 2].member].part = ODO_LIVE_SENDS;
}

static void miss_doubt(void *context, size_t i, unsigned status)
{
	reading *r = context;
	r->is_silent |= !status;
	if (status != ODO_NO_RECORDS)
		r->q->out->members[r->doubt[i / 2].member].part = ODO_LIVE_UNCLEAR;
}

static int list_questions(reading *r, const ibnd_fabric_t *subnet)
{
	r->port = odo_query_ports(r->q, subnet, odo_is_cabled_host, &r->n_ports);
	r->group = odo_arena_new(&r->q->memory, sizeof r->has, sizeof *r->group);
	if (r->q->memory.failed)
		return ODO_ENOMEM;
	for (unsigned k = 0; k < sizeof r->has; k++)
		if (r->has[k])
			r->group[r->n_groups++] = (uint16_t)(FIRST_MLID + k);
	return 0;
}

static int ask_members(reading *r, const ibnd_fabric_t *subnet)
{
	int status = list_questions(r, subnet);
	size_t n = r->n_ports * r->n_groups;
	if (status || n > MOST_QUESTIONS || !odo_query_manager(r->q, &r->manager))
		return status;
	status = odo_query_try(r->q, "multicast members", n, r, ask_member, take_member,
			       miss_member);
	if (!status)
		status = odo_query_try(r->q, "multicast members", 2 * r->n_doubts, r, ask_doubt,
				       take_doubt, miss_doubt);
	r->q->out->members_asked = !r->is_silent;
	if (r->is_silent)
		r->q->out->n_members = 0;
	return status;
}

int odo_multicast_read(odo_query *q, const ibnd_fabric_t *subnet)
{
	reading *r = odo_arena_new(&q->memory, 1, sizeof *r);
	int status = 0;
	if (!r)
		return odo_query_fail(q, ODO_ENOMEM);
	r->q = q;
	for (ibnd_node_t *node = subnet->nodes; node && !status; node = node->next)
		if (node->type == IB_NODE_SWITCH)
			status = list_blocks(r, node);
	if (!status)
		status = odo_query_try(q, "multicast tables", r->n_blocks, r, ask_mcast_block,
				       take_mcast_block, miss_mcast_block);
	if (!status)
		status = ask_members(r, subnet);
	free(r->block);
	free(r->doubt);
	return odo_query_fail(q, status);
}

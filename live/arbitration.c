/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration tables (InfiniBand volume 1, 7.6.9 and 14.2.5.9): entries of a VL and a weight, of
 * high and of low priority. A VL without a weight in any entry never sends.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "live/query.h"

enum { ENTRIES = 32, LOW = 1, HIGH = 3 }; /* entries of a block; first blocks of the tables */

/* A block of the table of a port of q->out. */
typedef struct block {
	ibnd_node_t *node;
	uint32_t of;
	uint8_t number, n; /* entries */
} block;

typedef struct blocks {
	odo_query *q;
	block *block;
	size_t n, room;
} blocks;

static odo_live_arbitration *port_of_block(const blocks *b, size_t i)
{
	return &b->q->out->arbitration[b->block[i].of];
}

static bool ask_arbitration(void *context, size_t i, odo_mad *mad)
{
	blocks *b = context;
	const block *x = &b->block[i];
	if (x->node == b->q->silent) {
		port_of_block(b, i)->served = UINT16_MAX;
		return false;
	}
	*mad = odo_smp_to(x->node, IB_ATTR_VL_ARBITRATION,
			  (unsigned)x->number << 16 | port_of_block(b, i)->port);
	return true;
}

static void take_arbitration(void *context, size_t i, const uint8_t *data)
{
	const blocks *b = context;
	for (unsigned k = 0; k < b->block[i].n; k++)
		if (data[2 * k + 1])
			port_of_block(b, i)->served |= (uint16_t)(1u << (data[2 * k] & 15));
}

static void miss_arbitration(void *context, size_t i, unsigned status)
{
	blocks *b = context;
	(void)status;
	port_of_block(b, i)->served = UINT16_MAX;
	odo_query_miss(b->q, ODO_LIVE_ARBITRATION, b->block[i].node);
}

static int add_table(blocks *b, ibnd_node_t *node, unsigned first, unsigned size)
{
	for (unsigned at = 0; at < size && at < 2 * ENTRIES; at += ENTRIES) {
		if (odo_grow(&b->block, &b->room, b->n + 1, sizeof *b->block))
			return ODO_ENOMEM;
		b->block[b->n++] = (block){
			.node = node,
			.of = (uint32_t)b->q->out->n_arbitration - 1,
			.number = (uint8_t)(first + at / ENTRIES),
			.n = (uint8_t)(size - at < ENTRIES ? size - at : ENTRIES)};
	}
	return 0;
}

static int add_arbitration(blocks *b, ibnd_node_t *node, int port, size_t *room)
{
	odo_live_tables *out = b->q->out;
	const void *info = node->ports[port]->info;
	/* Several VLs without any table violate the standard: the served VLs are unknown. */
	unsigned high = odo_mad_field(info, IB_PORT_VL_ARBITRATION_HIGH_CAP_F),
		 low = odo_mad_field(info, IB_PORT_VL_ARBITRATION_LOW_CAP_F);
	if (!high && !low) {
		odo_query_unread(b->q, ODO_LIVE_ARBITRATION, node, 0);
		return 0;
	}
	if (odo_grow(&out->arbitration, room, out->n_arbitration + 1, sizeof *out->arbitration))
		return ODO_ENOMEM;
	out->arbitration[out->n_arbitration++] = (odo_live_arbitration){.guid = node->guid,
									.port = (uint8_t)port};
	return add_table(b, node, HIGH, high) || add_table(b, node, LOW, low) ? ODO_ENOMEM : 0;
}

int odo_arbitration_read(odo_query *q, const ibnd_fabric_t *subnet)
{
	blocks b = {.q = q};
	size_t room = 0;
	int status = 0;
	for (ibnd_node_t *node = subnet->nodes; node; node = node->next)
		for (int port = 1; port <= node->numports && !status; port++)
			if (odo_is_cabled(node, port) && !odo_has_one_vl(node, port))
				status = add_arbitration(&b, node, port, &room);
	if (!status)
		status = odo_query_try(q, "VL arbitration", b.n, &b, ask_arbitration,
				       take_arbitration, miss_arbitration);
	free(b.block);
	return odo_query_fail(q, status);
}

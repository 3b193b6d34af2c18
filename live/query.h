/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Functions shared by the readers of installed tables. */
#ifndef ODONATA_LIVE_QUERY_H
#define ODONATA_LIVE_QUERY_H

#include <stdio.h>

#include <infiniband/ibnetdisc.h>

#include "base/arena.h"
#include "live/live.h"
#include "live/mads.h"

/** Status of the subnet manager's answer (InfiniBand volume 1, 15.2.4): no such record exists. */
enum { ODO_NO_RECORDS = 0x0300 };

typedef struct odo_query {
	odo_mads mads;
	odo_live_tables *out;
	odo_error *err;
	bool by_sl; /**< some SL2VL table distinguishes SLs */
	const odo_live_options *wanted;
	size_t unread_room;
	odo_arena memory;          /**< of the readers, freed at the end of all queries */
	bool no_memory;            /**< a callback lacked memory */
	const ibnd_node_t *silent; /**< node that did not answer: callbacks skip it */
} odo_query;

/** Open the port of the options in `wanted` for every class of query. ODO_EIO. */
int odo_query_open(odo_query *q);

/** Close the port, and free the readers' memory. */
void odo_query_close(odo_query *q);

/** Call odo_mads_run() with this context, without `miss`.
 * @param what name of the queries */
int odo_query_run(odo_query *q, const char *what, size_t n, void *context,
		  bool (*ask)(void *, size_t, odo_mad *),
		  void (*take)(void *, size_t, const uint8_t *), size_t *failed);

/** Send queries that may fail singly: `miss` is called for these. ODO_ENOMEM. */
int odo_query_try(odo_query *q, const char *what, size_t n, void *context,
		  bool (*ask)(void *, size_t, odo_mad *),
		  void (*take)(void *, size_t, const uint8_t *),
		  void (*miss)(void *, size_t, unsigned status));

/** Make a query to a node by its directed route. */
static inline odo_mad odo_smp_to(const ibnd_node_t *node, unsigned attribute, unsigned modifier)
{
	return (odo_mad){.rpc = {.mgtclass = IB_SMI_DIRECT_CLASS,
				 .method = IB_MAD_METHOD_GET,
				 .attr = {.id = attribute, .mod = modifier},
				 .datasz = IB_SMP_DATA_SIZE,
				 .dataoffs = IB_SMP_DATA_OFFS},
			 .to = node->path_portid};
}

/** Return a field of an answer. The library only reads, but takes a plain pointer. */
static inline uint32_t odo_mad_field(const void *data, enum MAD_FIELDS field)
{
	return mad_get_field((void *)(uintptr_t)data, 0, field);
}

/** Report lack of memory; odo_query_try() has reported other failures.
 * @return status */
static inline int odo_query_fail(const odo_query *q, int status)
{
	return status == ODO_ENOMEM ? odo_fail(q->err, status, "no memory for installed tables")
				    : status;
}

static inline bool odo_is_cabled(const ibnd_node_t *node, int port)
{
	return port && node->ports[port] && node->ports[port]->remoteport;
}

static inline bool odo_is_cabled_host(const ibnd_node_t *node, int port)
{
	return node->type != IB_NODE_SWITCH && odo_is_cabled(node, port);
}

/** Return true if a port has a single VL (InfiniBand volume 1, 14.2.5.6, OperationalVLs), so that
 * no table affects it. */
static inline bool odo_has_one_vl(const ibnd_node_t *node, int port)
{
	return odo_mad_field(node->ports[port]->info, IB_PORT_OPER_VLS_F) <= 1;
}

/** Record once that a node does not return a table.
 * @param port 0, or the port behind which a node does not answer at all */
void odo_query_unread(odo_query *q, odo_live_table table, const ibnd_node_t *node, unsigned port);

/** Record the same of a node that did not answer, and skip it until odo_query_try() ends. */
void odo_query_miss(odo_query *q, odo_live_table table, const ibnd_node_t *node);

/** List ports in the order of nodes. @return memory of the query; NULL without memory */
ibnd_port_t **odo_query_ports(odo_query *q, const ibnd_fabric_t *subnet,
			      bool (*wanted)(const ibnd_node_t *node, int port), size_t *n);

/** Return ODO_EUNSAFE if a subnet manager runs; ODO_ENOMEM. */
int odo_managers_refuse(odo_query *q, const ibnd_fabric_t *subnet);

/** Find the destination of queries to the subnet manager.
 * @return true if there is one */
bool odo_query_manager(const odo_query *q, ib_portid_t *to);

/** Read multicast tables, and members of the groups in them, into q->out. ODO_ENOMEM. */
int odo_multicast_read(odo_query *q, const ibnd_fabric_t *subnet);

static inline unsigned odo_lid_of(const ibnd_port_t *port)
{
	return port->node->type == IB_NODE_SWITCH ? port->node->smalid : port->base_lid;
}

/** Read port counters into q->out.
 * @param seconds 0: totals; otherwise the increase in so many seconds. ODO_ENOMEM. */
int odo_counters_read(odo_query *q, const ibnd_fabric_t *subnet, unsigned seconds);

/** Read VL arbitration of cabled ports into q->out. ODO_ENOMEM. */
int odo_arbitration_read(odo_query *q, const ibnd_fabric_t *subnet);

/** Query the subnet manager for path records, and write lines "0xGUID of the source, LID, SL".
 * @return ODO_EIO if it does not answer, or has none */
int odo_records_read(odo_query *q, const ibnd_fabric_t *subnet, FILE *to);

#endif

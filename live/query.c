/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "live/query.h"

#include "base/memory.h"

int odo_query_open(odo_query *q)
{
	int classes[] = {IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS};
	const odo_live_options *options = q->wanted;
	/* As for discovery: the library does not write to the name. */
	struct ibmad_port *port = mad_rpc_open_port((char *)(uintptr_t)options->adapter,
						    (int)options->port, classes,
						    sizeof classes / sizeof *classes);
	if (!port)
		return odo_fail(q->err, ODO_EIO, "cannot open adapter %s for queries",
				options->adapter ? options->adapter : "(any)");
	smp_mkey_set(port, options->key);
	q->mads = (odo_mads){.port = port,
			     .timeout = options->timeout_ms,
			     .retries = options->retries,
			     .progress = options->progress,
			     .progress_context = options->progress_context};
	return 0;
}

void odo_query_close(odo_query *q)
{
	mad_rpc_close_port((struct ibmad_port *)(uintptr_t)q->mads.port);
	odo_arena_free(&q->memory);
}

int odo_query_run(odo_query *q, const char *what, size_t n, void *context,
		  bool (*ask)(void *, size_t, odo_mad *),
		  void (*take)(void *, size_t, const uint8_t *), size_t *failed)
{
	q->mads.what = what;
	q->mads.context = context;
	q->mads.ask = ask;
	q->mads.take = take;
	return odo_mads_run(&q->mads, n, failed);
}

int odo_query_try(odo_query *q, const char *what, size_t n, void *context,
		  bool (*ask)(void *, size_t, odo_mad *),
		  void (*take)(void *, size_t, const uint8_t *),
		  void (*miss)(void *, size_t, unsigned status))
{
	size_t failed;
	q->mads.miss = miss;
	q->silent = NULL;
	int status = odo_query_run(q, what, n, context, ask, take, &failed);
	q->mads.miss = NULL;
	if (status == ODO_EIO)
		return odo_fail(q->err, status, "the subnet does not answer any more: %s", what);
	return q->no_memory ? ODO_ENOMEM : status;
}

void odo_query_unread(odo_query *q, odo_live_table table, const ibnd_node_t *node, unsigned port)
{
	odo_live_tables *out = q->out;
	for (size_t i = 0; i < out->n_unread; i++)
		if (out->unread[i].guid == node->guid && out->unread[i].table == table &&
		    out->unread[i].port == port)
			return;
	if (odo_grow(&out->unread, &q->unread_room, out->n_unread + 1, sizeof *out->unread))
		q->no_memory = true;
	else
		out->unread[out->n_unread++] = (odo_live_unread){node->guid, table, (uint8_t)port};
}

void odo_query_miss(odo_query *q, odo_live_table table, const ibnd_node_t *node)
{
	odo_query_unread(q, table, node, 0);
	q->silent = node;
}

ibnd_port_t **odo_query_ports(odo_query *q, const ibnd_fabric_t *subnet,
			      bool (*wanted)(const ibnd_node_t *node, int port), size_t *n)
{
	size_t room = 1;
	*n = 0;
	for (const ibnd_node_t *node = subnet->nodes; node; node = node->next)
		room += (size_t)node->numports + 1;
	ibnd_port_t **list = odo_arena_new(&q->memory, room, sizeof(ibnd_port_t *));
	for (const ibnd_node_t *node = subnet->nodes; node && list; node = node->next)
		for (int port = 0; port <= node->numports; port++)
			if (node->ports[port] && wanted(node, port))
				list[(*n)++] = node->ports[port];
	return list;
}

bool odo_query_manager(const odo_query *q, ib_portid_t *to)
{
	*to = (ib_portid_t){0};
	bool found = !ib_resolve_smlid_via(to, (int)q->mads.timeout, q->mads.port) && to->lid;
	to->qp = 1;
	to->qkey = IB_DEFAULT_QP1_QKEY;
	return found;
}

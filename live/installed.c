/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * MADs go by directed routes, so that what is installed plays no part in asking for it; only path
 * records come from the subnet manager, by its LID. The texts are those of OpenSM's dumps.
 */
#include "live/installed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad.h>

/* Path records are asked for all hosts up to so many pairs, else for one host a switch. */
enum { MOST_PAIRS = 250000 };
enum { LFT_BLOCK = 64, NO_PORT = 255, N_SLS = 16 };
/* VLs that OperVLs stands for (InfiniBand volume 1, 14.2.5.6): 1 for none but VL 0. */
enum { ONE_VL = 1 };

typedef struct query {
	const struct ibmad_port *port;
	int timeout; /* ms, or 0 */
	odo_live_tables *out;
	odo_error *err;
	bool by_sl; /* some SL2VL table tells SLs apart */
} query;

static int no_answer(query *q, const ibnd_node_t *node, const char *what)
{
	return odo_fail(q->err, ODO_EIO,
			"\"%.64s\" (GUID 0x%016" PRIx64 ") does not answer for its %s, so that "
			"nothing can be said of what is installed",
			node->nodedesc, node->guid, what);
}

static int read_lft(query *q, ibnd_node_t *node, FILE *to)
{
	uint8_t info[IB_SMP_DATA_SIZE] = {0}, block[IB_SMP_DATA_SIZE] = {0};
	ib_portid_t *at = &node->path_portid;
	if (!smp_query_via(info, at, IB_ATTR_SWITCH_INFO, 0, (unsigned)q->timeout, q->port))
		return no_answer(q, node, "SwitchInfo");
	unsigned top = mad_get_field(info, 0, IB_SW_LINEAR_FDB_TOP_F);
	fprintf(to, "Unicast lids [0x0-0x%x] of switch DR path guid 0x%016" PRIx64 "\n", top,
		node->guid);
	for (unsigned lid = 0; lid <= top; lid++) {
		if (lid % LFT_BLOCK == 0 &&
		    !smp_query_via(block, at, IB_ATTR_LINEARFORWTBL, lid / LFT_BLOCK,
				   (unsigned)q->timeout, q->port))
			return no_answer(q, node, "forwarding table");
		if (lid && block[lid % LFT_BLOCK] != NO_PORT)
			fprintf(to, "0x%04x %03u\n", lid, block[lid % LFT_BLOCK]);
	}
	return 0;
}

static int read_map(query *q, ibnd_node_t *node, int in, int out, FILE *to)
{
	uint8_t map[IB_SMP_DATA_SIZE] = {0};
	bool host = node->type != IB_NODE_SWITCH;
	ib_portid_t at = node->path_portid;
	if (!smp_query_via(map, &at, IB_ATTR_SLVL_TABLE,
			   host ? (unsigned)out : (unsigned)in << 8 | (unsigned)out,
			   (unsigned)q->timeout, q->port))
		return no_answer(q, node, "SL2VL tables");
	fprintf(to, "%d %d :", host ? 0 : in, host ? 0 : out);
	for (unsigned sl = 0; sl < N_SLS; sl++) {
		unsigned vl = sl % 2 ? map[sl / 2] & 15u : map[sl / 2] >> 4;
		q->by_sl |= vl != map[0] >> 4;
		fprintf(to, " %u", vl);
	}
	fputc('\n', to);
	return 0;
}

static bool is_cabled(const ibnd_node_t *node, int port)
{
	return node->ports[port] && node->ports[port]->remoteport;
}

static bool has_one_vl(const ibnd_node_t *node, int port)
{
	return mad_get_field(node->ports[port]->info, 0, IB_PORT_OPER_VLS_F) <= ONE_VL;
}

/* Where a port sends on one VL, no table has a say. */
static int read_maps(query *q, ibnd_node_t *node, FILE *to)
{
	int status = 0;
	bool host = node->type != IB_NODE_SWITCH;
	if (!host)
		fprintf(to, "Switch 0x%016" PRIx64 "\n", node->guid);
	for (int out = 1; out <= node->numports && !status; out++) {
		if (!is_cabled(node, out) || has_one_vl(node, out))
			continue;
		if (host) {
			fprintf(to, "Channel Adapter 0x%016" PRIx64 "\n", node->ports[out]->guid);
			status = read_map(q, node, 0, out, to);
		}
		for (int in = 0; in <= node->numports && !host && !status; in++)
			if (!in || is_cabled(node, in))
				status = read_map(q, node, in, out, to);
	}
	return status;
}

static int ask_sl(query *q, const ib_portid_t *manager, unsigned from, unsigned to, unsigned *sl)
{
	uint8_t record[IB_SA_DATA_SIZE] = {0};
	ib_portid_t at = *manager;
	ib_rpc_t rpc = {.mgtclass = IB_SA_CLASS,
			.method = IB_MAD_METHOD_GET,
			.attr = {.id = IB_SA_ATTR_PATHRECORD},
			.mask = 1ull << 4 | 1ull << 5 | 1ull << 12, /* DLID, SLID, NumbPath */
			.timeout = q->timeout ? q->timeout : 1000,
			.datasz = IB_SA_DATA_SIZE,
			.dataoffs = IB_SA_DATA_OFFS};
	mad_set_field(record, 0, IB_SA_PR_DLID_F, to);
	mad_set_field(record, 0, IB_SA_PR_SLID_F, from);
	mad_set_field(record, 0, IB_SA_PR_NPATH_F, 1);
	at.qp = 1;
	at.qkey = IB_DEFAULT_QP1_QKEY;
	if (!mad_rpc(q->port, &rpc, &at, record, record) ||
	    mad_get_field(record, 0, IB_SA_PR_DLID_F) != to)
		return odo_fail(q->err, ODO_EIO,
				"the subnet manager has no path record from LID %u to LID %u, so "
				"that nothing can be said of the service levels in use",
				from, to);
	*sl = mad_get_field(record, 0, IB_SA_PR_SL_F);
	return 0;
}

/* Ports with LIDs: of hosts first, then of switches. */
typedef struct ends {
	ibnd_port_t **port;
	size_t n_hosts, n;
} ends;

static ends list_ends(const ibnd_fabric_t *subnet)
{
	size_t room = 1;
	for (ibnd_node_t *node = subnet->nodes; node; node = node->next)
		room += (size_t)node->numports + 1;
	ends e = {.port = calloc(room, sizeof *e.port)};
	for (int pass = 0; pass < 2 && e.port; pass++) {
		for (ibnd_node_t *node = subnet->nodes; node; node = node->next) {
			bool host = node->type != IB_NODE_SWITCH;
			for (int i = host; i <= (host ? node->numports : 0) && host == !pass; i++)
				if (host ? is_cabled(node, i) : node->ports[0] != NULL)
					e.port[e.n++] = node->ports[i];
		}
		if (!pass)
			e.n_hosts = e.n;
	}
	return e;
}

static uint64_t next_to(const ibnd_port_t *port)
{
	return port->remoteport->node->guid;
}

/* Does a host before it hang on the same switch? */
static bool is_second(const ends *e, size_t host)
{
	for (size_t i = 0; i < host; i++)
		if (next_to(e->port[i]) == next_to(e->port[host]))
			return true;
	return false;
}

static unsigned lid_of(const ibnd_port_t *port)
{
	return port->node->type == IB_NODE_SWITCH ? port->node->smalid : port->base_lid;
}

static int read_sls_from(query *q, const ib_portid_t *manager, const ends *e, size_t host, FILE *to)
{
	const ibnd_port_t *from = e->port[host];
	int status = 0;
	for (size_t i = 0; i < e->n && !status; i++) {
		unsigned lmc = i < e->n_hosts ? e->port[i]->lmc : 0, sl = 0;
		for (unsigned k = 0; k < 1u << lmc && i != host && !status; k++) {
			unsigned lid = lid_of(e->port[i]) + k;
			status = ask_sl(q, manager, lid_of(from), lid, &sl);
			if (!status)
				fprintf(to, "0x%016" PRIx64 " %u %u\n", from->node->guid, lid, sl);
		}
	}
	return status;
}

static int read_sls(query *q, const ibnd_fabric_t *subnet, FILE *to)
{
	ib_portid_t manager = {0};
	ends e = list_ends(subnet);
	int status = 0;
	if (!e.port)
		return odo_fail(q->err, ODO_ENOMEM, "no memory for path records");
	if (ib_resolve_smlid_via(&manager, q->timeout, q->port))
		status = odo_fail(q->err, ODO_EIO,
				  "no subnet manager answers, and VLs depend on the service "
				  "levels that it gives out");
	q->out->sampled = e.n_hosts * e.n > MOST_PAIRS;
	for (size_t i = 0; i < e.n_hosts && !status; i++)
		if (!q->out->sampled || !is_second(&e, i))
			status = read_sls_from(q, &manager, &e, i, to);
	free(e.port);
	return status;
}

static int read_all(query *q, const ibnd_fabric_t *subnet, FILE *to[ODO_LIVE_TEXTS])
{
	int status = 0;
	for (ibnd_node_t *node = subnet->nodes; node && !status; node = node->next)
		if (node->type == IB_NODE_SWITCH)
			status = read_lft(q, node, to[ODO_LIVE_LFTS]);
	for (ibnd_node_t *node = subnet->nodes; node && !status; node = node->next)
		status = read_maps(q, node, to[ODO_LIVE_SL2VL]);
	return !status && q->by_sl ? read_sls(q, subnet, to[ODO_LIVE_SLS]) : status;
}

int odo_installed_read(ibnd_fabric_t *subnet, const odo_live_options *options, odo_live_tables *out,
		       odo_error *err)
{
	int classes[] = {IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS}, status = 0;
	FILE *to[ODO_LIVE_TEXTS] = {NULL};
	/* As for discovery: the library does not write to the name. */
	struct ibmad_port *port = mad_rpc_open_port((char *)(uintptr_t)options->adapter,
						    (int)options->port, classes, 3);
	query q = {.port = port, .timeout = (int)options->timeout_ms, .out = out, .err = err};
	*out = (odo_live_tables){0};
	if (!port)
		return odo_fail(err, ODO_EIO, "cannot open the adapter to ask for tables");
	for (int i = 0; i < ODO_LIVE_TEXTS && !status; i++)
		if (!(to[i] = open_memstream(&out->text[i], &out->size[i])))
			status = odo_fail(err, ODO_ENOMEM, "no memory for installed tables");
	if (!status)
		status = read_all(&q, subnet, to);
	for (int i = 0; i < ODO_LIVE_TEXTS; i++)
		if (to[i] && (ferror(to[i]) | fclose(to[i])) && !status)
			status = odo_fail(err, ODO_ENOMEM, "no memory for installed tables");
	mad_rpc_close_port(port);
	if (status)
		odo_live_tables_clear(out);
	return status;
}

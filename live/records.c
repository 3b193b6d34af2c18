/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Path records, which contain the SL of each pair. */
#include <inttypes.h>
#include <string.h>

#include "live/query.h"

/* Path records of all hosts are queried up to this many pairs; otherwise of one host for each
 * switch. */
enum { MOST_PAIRS = 1000000 };
/* Number of pairs that are queried again, spread over all: some engines choose a new SL for each
 * record. */
enum { ASKED_TWICE = 1024 };

/* Ports with LIDs: first hosts, then switches. */
typedef struct ends {
	ibnd_port_t **port;
	size_t n_hosts, n;
} ends;

static bool is_management_port(const ibnd_node_t *node, int port)
{
	return node->type == IB_NODE_SWITCH && !port;
}

static int list_lid_ports(odo_query *q, const ibnd_fabric_t *subnet, ends *e)
{
	size_t n_switches;
	ibnd_port_t **hosts = odo_query_ports(q, subnet, odo_is_cabled_host, &e->n_hosts);
	ibnd_port_t **switches = odo_query_ports(q, subnet, is_management_port, &n_switches);
	e->n = e->n_hosts + n_switches;
	e->port = odo_arena_new(&q->memory, e->n, sizeof(ibnd_port_t *));
	if (q->memory.failed)
		return ODO_ENOMEM;
	memcpy(e->port, hosts, e->n_hosts * sizeof(ibnd_port_t *));
	memcpy(e->port + e->n_hosts, switches, n_switches * sizeof(ibnd_port_t *));
	return 0;
}

static uint64_t next_to(const ibnd_port_t *port)
{
	return port->remoteport->node->guid;
}

/* Return true if an earlier host is on the same switch. */
static bool is_second(const ends *e, size_t host)
{
	for (size_t i = 0; i < host; i++)
		if (next_to(e->port[i]) == next_to(e->port[host]))
			return true;
	return false;
}

/* Path records of all pairs of a source and a destination LID. */
typedef struct records {
	odo_query *q;
	ib_portid_t manager;
	ends e;
	uint32_t *from, *to; /* [n_from], [n_to] ends */
	uint16_t *lid;       /* [n_to] */
	size_t n_from, n_to, step;
	uint8_t *sl;      /* [n_from * n_to], NO_RECORD for a pair without one */
	bool failed;      /* some pair got no answer at all */
	size_t failed_at; /* the first such pair */
} records;

enum { NO_RECORD = 255 };

static bool ask_sl(void *context, size_t i, odo_mad *mad)
{
	const records *r = context;
	uint32_t from = r->from[i / r->n_to];
	if (r->to[i % r->n_to] == from)
		return false;
	*mad = (odo_mad){
		.rpc = {.mgtclass = IB_SA_CLASS,
			.method = IB_MAD_METHOD_GET,
			.attr = {.id = IB_SA_ATTR_PATHRECORD},
			.mask = 1ull << 4 | 1ull << 5 | 1ull << 12, /* DLID, SLID, NumbPath */
			.datasz = IB_SA_DATA_SIZE,
			.dataoffs = IB_SA_DATA_OFFS},
		.to = r->manager};
	mad_set_field(mad->data, 0, IB_SA_PR_DLID_F, r->lid[i % r->n_to]);
	mad_set_field(mad->data, 0, IB_SA_PR_SLID_F, odo_lid_of(r->e.port[from]));
	mad_set_field(mad->data, 0, IB_SA_PR_NPATH_F, 1);
	return true;
}

static unsigned record_sl(const uint8_t *record)
{
	return odo_mad_field(record, IB_SA_PR_SL_F);
}

static void take_sl(void *context, size_t i, const uint8_t *record)
{
	records *r = context;
	r->sl[i] = (uint8_t)record_sl(record);
}

/* A host pair without a common partition has no path. */
static void miss_sl(void *context, size_t i, unsigned status)
{
	records *r = context;
	if (status == ODO_NO_RECORDS) {
		r->sl[i] = NO_RECORD;
		r->q->out->n_without_record++;
	} else {
		r->failed = true;
		r->failed_at = i;
	}
}

static bool ask_again(void *context, size_t i, odo_mad *mad)
{
	const records *r = context;
	return r->sl[i * r->step] != NO_RECORD && ask_sl(context, i * r->step, mad);
}

static void miss_again(void *context, size_t i, unsigned status)
{
	records *r = context;
	(void)status;
	r->failed = true;
	r->failed_at = i * r->step;
}

static void compare_sl(void *context, size_t i, const uint8_t *record)
{
	records *r = context;
	r->q->out->drawn |= r->sl[i * r->step] != record_sl(record);
}

/* Return true if a switch has hosts. A switch sends too: its answers to queries use the SLs of its
 * paths. Hosts on it get the same SLs. */
static bool has_hosts(const ibnd_node_t *node)
{
	for (int i = 1; i <= node->numports; i++)
		if (odo_is_cabled(node, i) &&
		    node->ports[i]->remoteport->node->type != IB_NODE_SWITCH)
			return true;
	return false;
}

/* Return the number of a port's LIDs. A switch has several only if its port 0 is an enhanced
 * one. */
static unsigned n_lids_of(const ibnd_port_t *port)
{
	const ibnd_node_t *node = port->node;
	bool is_switch = node->type == IB_NODE_SWITCH;
	return 1u << (!is_switch ? port->lmc : node->smaenhsp0 ? node->smalmc : 0);
}

/* List the sources (hosts, and switches without hosts) and all destination LIDs. */
static int list_path_pairs(records *r)
{
	const ends *e = &r->e;
	size_t n_lids = 0;
	for (size_t i = 0; i < e->n; i++)
		n_lids += n_lids_of(e->port[i]);
	odo_arena *memory = &r->q->memory;
	r->from = odo_arena_new(memory, e->n, sizeof *r->from);
	r->to = odo_arena_new(memory, n_lids, sizeof *r->to);
	r->lid = odo_arena_new(memory, n_lids, sizeof *r->lid);
	if (memory->failed)
		return ODO_ENOMEM;
	bool sampled = r->q->out->sampled = e->n_hosts * n_lids > MOST_PAIRS;
	for (size_t i = 0; i < e->n_hosts; i++)
		if (!sampled || !is_second(e, i))
			r->from[r->n_from++] = (uint32_t)i;
	for (size_t i = e->n_hosts; i < e->n; i++)
		if (!has_hosts(e->port[i]->node))
			r->from[r->n_from++] = (uint32_t)i;
	for (size_t i = 0; i < e->n; i++)
		for (unsigned k = 0; k < n_lids_of(e->port[i]); k++) {
			r->to[r->n_to] = (uint32_t)i;
			r->lid[r->n_to++] = (uint16_t)(odo_lid_of(e->port[i]) + k);
		}
	r->sl = odo_arena_new(memory, r->n_from, r->n_to);
	return r->sl ? 0 : ODO_ENOMEM;
}

static int ask_all(records *r)
{
	size_t n = r->n_from * r->n_to;
	r->step = n / ASKED_TWICE + 1;
	int status = odo_query_try(r->q, "path records", n, r, ask_sl, take_sl, miss_sl);
	if (!status && !r->failed)
		status = odo_query_try(r->q, "path records", n / r->step, r, ask_again, compare_sl,
				       miss_again);
	if (!status && r->failed)
		return odo_fail(r->q->err, ODO_EIO,
				"the subnet manager does not answer for the path record from LID "
				"%u to LID %u, so that nothing can be said of the service levels "
				"in use",
				odo_lid_of(r->e.port[r->from[r->failed_at / r->n_to]]),
				r->lid[r->failed_at % r->n_to]);
	return status;
}

static void write_path_sls(const records *r, FILE *to)
{
	for (size_t i = 0; i < r->n_from * r->n_to; i++)
		if (r->to[i % r->n_to] != r->from[i / r->n_to] && r->sl[i] != NO_RECORD)
			fprintf(to, "0x%016" PRIx64 " %u %u %d\n",
				r->e.port[r->from[i / r->n_to]]->node->guid, r->lid[i % r->n_to],
				r->sl[i], r->e.port[r->from[i / r->n_to]]->portnum);
}

/* Query a single record first, so that a missing manager is not queried for all. Two pairs are
 * tried, because the first may be of one port. */
static bool manager_answers(records *r)
{
	static const size_t tried = 2;
	size_t n = r->n_from * r->n_to;
	n = n < tried ? n : tried;
	int status = odo_query_try(r->q, "path records", n, r, ask_sl, take_sl, miss_sl);
	bool answered = !status && !r->failed;
	r->failed = false;
	r->q->out->n_without_record = 0;
	return answered;
}

/* Continue without path records if the manager does not answer, because the other tables are
 * useful.
 * @return status */
static int without_records(const odo_query *q, int status)
{
	if (status != ODO_EIO)
		return status;
	q->out->no_manager = true;
	q->out->sampled = q->out->drawn = false;
	q->out->n_without_record = 0;
	*q->err = (odo_error){0};
	return 0;
}

int odo_records_read(odo_query *q, const ibnd_fabric_t *subnet, FILE *to)
{
	records r = {.q = q};
	int status = list_lid_ports(q, subnet, &r.e);
	if (!status)
		status = list_path_pairs(&r);
	if (!status && (!odo_query_manager(q, &r.manager) || !manager_answers(&r)))
		status = ODO_EIO;
	if (!status)
		status = ask_all(&r);
	if (!status)
		write_path_sls(&r, to);
	status = without_records(q, status);
	return odo_query_fail(q, status);
}

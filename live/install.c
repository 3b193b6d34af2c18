/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables are written by directed routes, so that the entries on the way have no influence. Every
 * cell to be written is read first. Signals that would end the program wait until the writing is
 * finished or undone.
 */
#include "live/install.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "live/guard.h"
#include "live/installed.h"
#include "live/query.h"

typedef struct run {
	odo_query q;
	odo_install *install;
	ibnd_fabric_t *subnet;
	ibnd_node_t **node; /* [n] node of each cell */
	uint32_t *at;       /* [n_at] numbers of cells to write or to read */
	size_t n_at;
	bool back;    /* the old contents are restored */
	bool patient; /* signals do not interrupt it */
	bool failed;
} run;

typedef struct known {
	uint64_t guid;
	ibnd_node_t *node;
} known;

static ibnd_node_t *find_known_node(const known *nodes, size_t n, uint64_t guid)
{
	known key = {.guid = guid};
	const known *at = bsearch(&key, nodes, n, sizeof *nodes, odo_by_u64);
	return at ? at->node : NULL;
}

static bool is_cabled_as(const odo_fabric *f, uint32_t slot, const ibnd_port_t *port)
{
	uint32_t peer = f->peer[slot];
	const ibnd_port_t *far = port ? port->remoteport : NULL;
	if (peer == ODO_NONE || !far)
		return peer == ODO_NONE && !far;
	return far->node->guid == f->node_guid[f->owner[peer]] &&
	       (unsigned)far->portnum == odo_port(f, peer);
}

/* Check that a node is as it was when the tables were made, LIDs included: LIDs that it lacked were
 * generated. */
static int check_node(const run *r, const odo_fabric *f, uint32_t v, const ibnd_node_t *node)
{
	if (!node || (unsigned)node->numports < odo_n_ports(f, v))
		return odo_fail(r->q.err, ODO_EUNSAFE, "the subnet has changed: \"%s\" has gone",
				odo_name(f, v));
	if (odo_is_switch(f, v) && node->smalid != f->switch_lid[v])
		return odo_fail(r->q.err, ODO_EUNSAFE,
				"\"%s\" has LID %u, expected %u: a subnet manager must have given "
				"all ports their LIDs before",
				odo_name(f, v), node->smalid, f->switch_lid[v]);
	if (odo_is_switch(f, v) &&
	    odo_mad_field(node->switchinfo, IB_SW_LINEAR_FDB_TOP_F) + 1 < f->lid_count)
		return odo_fail(
			r->q.err, ODO_EUNSAFE,
			"\"%s\" forwards no LIDs up to %u: a subnet manager must have set it "
			"up before",
			odo_name(f, v), f->lid_count - 1);
	for (unsigned p = 1; p <= odo_n_ports(f, v); p++) {
		uint32_t slot = odo_slot(f, v, p);
		const ibnd_port_t *port = node->ports[p];
		if (!is_cabled_as(f, slot, port))
			return odo_fail(r->q.err, ODO_EUNSAFE,
					"the subnet has changed: port %u of \"%s\"", p,
					odo_name(f, v));
		if (!odo_is_switch(f, v) && f->slot_host[slot] != ODO_NONE &&
		    port->base_lid != f->port_lid[slot])
			return odo_fail(
				r->q.err, ODO_EUNSAFE,
				"\"%s\" has LID %u, expected %u: a subnet manager must have "
				"given all ports their LIDs before",
				odo_name(f, v), port->base_lid, f->port_lid[slot]);
	}
	return 0;
}

/* Find the nodes of the cells, and check that the subnet is the expected one. */
static int find_nodes(run *r)
{
	const odo_install *in = r->install;
	const odo_fabric *f = in->expected;
	size_t n = 0, i = 0;
	int status = 0;
	for (const ibnd_node_t *node = r->subnet->nodes; node; node = node->next)
		n++;
	known *nodes = odo_arena_new(&r->q.memory, n, sizeof *nodes);
	r->node = odo_arena_new(&r->q.memory, in->n, sizeof(ibnd_node_t *));
	r->at = odo_arena_new(&r->q.memory, in->n, sizeof *r->at);
	if (r->q.memory.failed)
		return odo_query_fail(&r->q, ODO_ENOMEM);
	for (ibnd_node_t *node = r->subnet->nodes; node; node = node->next)
		nodes[i++] = (known){node->guid, node};
	qsort(nodes, n, sizeof *nodes, odo_by_u64);
	if (f && f->n_nodes != n)
		status = odo_fail(r->q.err, ODO_EUNSAFE,
				  "the subnet has changed: %zu nodes, expected %u", n, f->n_nodes);
	for (uint32_t v = 0; f && v < f->n_nodes && !status; v++)
		status = check_node(r, f, v, find_known_node(nodes, n, f->node_guid[v]));
	for (i = 0; i < in->n && !status; i++)
		if (!(r->node[i] = find_known_node(nodes, n, in->cells[i].guid)))
			status = odo_fail(r->q.err, ODO_EUNSAFE,
					  "a node with GUID 0x%016" PRIx64 " is not there",
					  in->cells[i].guid);
	return status;
}

static odo_mad cell_mad(const run *r, size_t i)
{
	const odo_cell *c = &r->install->cells[i];
	return c->kind == ODO_CELL_LFT
		       ? odo_smp_to(r->node[i], IB_ATTR_LINEARFORWTBL, c->block)
		       : odo_smp_to(r->node[i], IB_ATTR_SLVL_TABLE, (unsigned)c->in << 8 | c->out);
}

static bool ask_cell(void *context, size_t i, odo_mad *mad)
{
	*mad = cell_mad(context, i);
	return true;
}

static void take_old_cell(void *context, size_t i, const uint8_t *data)
{
	odo_cell *c = &((run *)context)->install->cells[i];
	memcpy(c->was, data, odo_cell_size(c));
}

/* Read all cells before writing. */
static int read_old_cells(run *r)
{
	size_t failed = 0;
	int status = odo_query_run(&r->q, "tables", r->install->n, r, ask_cell, take_old_cell,
				   &failed);
	if (status == ODO_EIO)
		return odo_fail(r->q.err, ODO_EIO,
				"\"%.64s\" does not answer for its tables: nothing was changed",
				r->node[failed]->nodedesc);
	return odo_query_fail(&r->q, status);
}

static bool ask_write(void *context, size_t k, odo_mad *mad)
{
	run *r = context;
	odo_cell *c = &r->install->cells[r->at[k]];
	if (!r->patient && (r->failed || odo_guard_is_interrupted()))
		return false;
	*mad = cell_mad(r, r->at[k]);
	mad->rpc.method = IB_MAD_METHOD_SET;
	memcpy(mad->data, r->back ? c->was : c->wanted, odo_cell_size(c));
	c->state = ODO_CELL_UNKNOWN;
	return true;
}

static void take_write(void *context, size_t k, const uint8_t *data)
{
	(void)context; /* the cell is read back later */
	(void)k;
	(void)data;
}

static void miss_write(void *context, size_t k, unsigned status)
{
	(void)k;
	(void)status;
	((run *)context)->failed = true;
}

static bool ask_read_back(void *context, size_t k, odo_mad *mad)
{
	const run *r = context;
	*mad = cell_mad(r, r->at[k]);
	return true;
}

static void take_read_back(void *context, size_t k, const uint8_t *data)
{
	const run *r = context;
	odo_cell *c = &r->install->cells[r->at[k]];
	if (!memcmp(c->wanted, data, odo_cell_size(c)))
		c->state = ODO_CELL_NEW;
	else if (!memcmp(c->was, data, odo_cell_size(c)))
		c->state = ODO_CELL_OLD;
	else
		c->state = ODO_CELL_UNKNOWN;
}

/* Write the cells that r->at lists, and read them back. */
static int write_listed(run *r)
{
	int status = odo_query_try(&r->q, "tables to write", r->n_at, r, ask_write, take_write,
				   miss_write);
	return status ? status
		      : odo_query_try(&r->q, "tables to read back", r->n_at, r, ask_read_back,
				      take_read_back, miss_write);
}

static void list_cells(run *r, bool (*listed)(const odo_cell *cell))
{
	r->n_at = 0;
	for (size_t i = 0; i < r->install->n; i++)
		if (listed(&r->install->cells[i]))
			r->at[r->n_at++] = (uint32_t)i;
}

static bool differs(const odo_cell *c)
{
	return memcmp(c->was, c->wanted, odo_cell_size(c));
}

static bool is_not_old(const odo_cell *c)
{
	return c->state != ODO_CELL_OLD;
}

static bool is_not_new(const odo_cell *c)
{
	return differs(c) && c->state != ODO_CELL_NEW;
}

/* Restore the written cells, and report what happened. */
static int restore_cells(run *r, const char *why)
{
	list_cells(r, is_not_old);
	size_t n = r->n_at;
	r->back = r->patient = true;
	int status = write_listed(r);
	list_cells(r, is_not_old);
	odo_query_fail(&r->q, status);
	if (r->n_at)
		return odo_fail(r->q.err, ODO_EIO,
				"%s: %zu of %zu tables that were written could not be put back",
				why, r->n_at, n);
	return odo_fail(r->q.err, ODO_EIO, "%s: the %zu tables that were written are as before",
			why, n);
}

static int write_cells(run *r)
{
	odo_guard guard;
	list_cells(r, differs);
	odo_guard_begin(&guard);
	int status = write_listed(r);
	bool interrupted = odo_guard_is_interrupted();
	list_cells(r, is_not_new);
	if (status || r->n_at)
		status = restore_cells(r, status == ODO_ENOMEM ? "no memory"
					  : status      ? "the subnet does not answer any more"
					  : interrupted ? "interrupted"
							: "some tables could not be written");
	odo_guard_end(&guard);
	return status;
}

static int install_all(run *r)
{
	odo_install *in = r->install;
	int status = odo_managers_refuse(&r->q, r->subnet);
	if (!status)
		status = find_nodes(r);
	if (!status)
		status = read_old_cells(r);
	if (status)
		return status;
	list_cells(r, differs);
	status = in->agree(in->context, r->n_at, r->q.err);
	return status || !r->n_at ? status : write_cells(r);
}

int odo_live_install(const odo_live_options *given, odo_install *install, odo_error *err)
{
	char name[64];
	odo_live_options options = *given;
	odo_live_tables none = {0};
	run r = {.install = install, .q = {.out = &none, .wanted = &options, .err = err}};
	int status = odo_live_discover(&options, name, sizeof name, &r.subnet, err);
	if (status)
		return status;
	status = odo_query_open(&r.q);
	if (!status) {
		status = install_all(&r);
		odo_query_close(&r.q);
	}
	ibnd_destroy_fabric(r.subnet);
	return status;
}

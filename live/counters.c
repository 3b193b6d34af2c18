/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Port counters, read by MADs of the performance class. These are sent by LID, so by the installed
 * tables. Data is counted in words of 4 bytes, by PortCountersExtended if a port supports that: the
 * 32 bits of PortCounters stop at their highest value after 16 GiB.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "live/query.h"

enum { PLAIN, EXTENDED, KINDS };

typedef struct reading {
	odo_query *q;
	ibnd_port_t **port;
	odo_live_counters *counters; /* [n] */
	uint64_t *data;              /* [n * KINDS] words */
	bool *has;                   /* counter was read, as data[] */
	size_t n;
} reading;

static const enum MAD_FIELDS error_field[ODO_N_ERROR_COUNTERS] = {
	[ODO_COUNT_SYMBOL_ERRORS] = IB_PC_ERR_SYM_F,
	[ODO_COUNT_LINK_RECOVERIES] = IB_PC_LINK_RECOVERS_F,
	[ODO_COUNT_LINK_DOWNED] = IB_PC_LINK_DOWNED_F,
	[ODO_COUNT_RECEIVE_ERRORS] = IB_PC_ERR_RCV_F,
	[ODO_COUNT_REMOTE_PHYSICAL] = IB_PC_ERR_PHYSRCV_F,
	[ODO_COUNT_SWITCH_RELAY] = IB_PC_ERR_SWITCH_REL_F,
	[ODO_COUNT_DISCARDS] = IB_PC_XMT_DISCARDS_F,
	[ODO_COUNT_TRANSMIT_CONSTRAINT] = IB_PC_ERR_XMTCONSTR_F,
	[ODO_COUNT_RECEIVE_CONSTRAINT] = IB_PC_ERR_RCVCONSTR_F,
	[ODO_COUNT_LOCAL_INTEGRITY] = IB_PC_ERR_LOCALINTEG_F,
	[ODO_COUNT_BUFFER_OVERRUN] = IB_PC_ERR_EXCESS_OVR_F,
	[ODO_COUNT_VL15_DROPPED] = IB_PC_VL15_DROPPED_F,
	[ODO_COUNT_WAIT] = IB_PC_XMT_WAIT_F,
};

static bool ask_counter(void *context, size_t i, odo_mad *mad)
{
	static const unsigned attribute[KINDS] = {IB_GSI_PORT_COUNTERS, IB_GSI_PORT_COUNTERS_EXT};
	const reading *r = context;
	const ibnd_port_t *port = r->port[i / KINDS];
	if (port->node == r->q->silent)
		return false;
	*mad = (odo_mad){
		.rpc = {.mgtclass = IB_PERFORMANCE_CLASS,
			.method = IB_MAD_METHOD_GET,
			.attr = {.id = attribute[i % KINDS]},
			.datasz = IB_PC_DATA_SZ,
			.dataoffs = IB_PC_DATA_OFFS},
		.to = {.lid = (int)odo_lid_of(port), .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY}};
	mad_set_field(mad->data, 0, IB_PC_PORT_SELECT_F, (uint32_t)port->portnum);
	return true;
}

static void take_counter(void *context, size_t i, const uint8_t *data)
{
	const reading *r = context;
	odo_live_counters *c = &r->counters[i / KINDS];
	r->has[i] = true;
	if (i % KINDS == EXTENDED) {
		r->data[i] = mad_get_field64((void *)(uintptr_t)data, 0, IB_PC_EXT_XMT_BYTES_F);
		return;
	}
	r->data[i] = odo_mad_field(data, IB_PC_XMT_BYTES_F);
	for (unsigned k = 0; k < ODO_N_ERROR_COUNTERS; k++)
		c->error[k] = odo_mad_field(data, error_field[k]);
}

static void miss_counter(void *context, size_t i, unsigned status)
{
	reading *r = context;
	if (!status && i % KINDS == PLAIN)
		r->q->silent = r->port[i / KINDS]->node;
}

/* Read all counters once. */
static int read_once(reading *r)
{
	int status = odo_query_try(r->q, "port counters", r->n * KINDS, r, ask_counter,
				   take_counter, miss_counter);
	for (size_t i = 0; i < r->n && !status; i++) {
		const bool *has = &r->has[i * KINDS];
		r->counters[i].read = has[PLAIN];
		r->counters[i].sent = 4 * r->data[i * KINDS + (has[EXTENDED] ? EXTENDED : PLAIN)];
	}
	return status;
}

/* Return the increase of a counter. A counter that was reset counts from 0. */
static uint64_t increase_since(uint64_t before, uint64_t now)
{
	return now >= before ? now - before : now;
}

/* Subtract earlier values.
 * @param had r->has of the earlier read: words of 32 bits are not subtracted from words of 64 */
static void subtract(const reading *r, const odo_live_counters *before, const bool *had)
{
	for (size_t i = 0; i < r->n; i++) {
		odo_live_counters *c = &r->counters[i];
		const odo_live_counters *b = &before[i];
		size_t extended = i * KINDS + EXTENDED;
		c->read &= b->read && r->has[extended] == had[extended];
		c->sent = increase_since(b->sent, c->sent);
		for (unsigned k = 0; k < ODO_N_ERROR_COUNTERS; k++)
			c->error[k] = increase_since(b->error[k], c->error[k]);
	}
}

static double monotonic_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Read all counters twice, with a pause between. */
static int read_difference(reading *r, unsigned seconds)
{
	odo_live_counters *before = odo_arena_new(&r->q->memory, r->n, sizeof *before);
	bool *had = odo_arena_new(&r->q->memory, r->n, KINDS * sizeof *had);
	struct timespec left = {.tv_sec = seconds};
	double start = monotonic_seconds();
	int status = r->q->memory.failed ? ODO_ENOMEM : read_once(r);
	if (!status) {
		memcpy(before, r->counters, r->n * sizeof *before);
		memcpy(had, r->has, r->n * KINDS * sizeof *had);
		memset(r->has, 0, r->n * KINDS * sizeof *r->has);
		while (nanosleep(&left, &left) && errno == EINTR)
			;
		r->q->out->counted_seconds = monotonic_seconds() - start;
		status = read_once(r);
	}
	if (!status)
		subtract(r, before, had);
	return status;
}

static int list_counters(reading *r, const ibnd_fabric_t *subnet)
{
	odo_arena *memory = &r->q->memory;
	r->port = odo_query_ports(r->q, subnet, odo_is_cabled, &r->n);
	r->data = odo_arena_new(memory, r->n, KINDS * sizeof *r->data);
	r->has = odo_arena_new(memory, r->n, KINDS * sizeof *r->has);
	r->counters = r->q->out->counters = odo_new(r->n, sizeof *r->counters);
	if (memory->failed || !r->counters)
		return ODO_ENOMEM;
	for (size_t i = 0; i < r->n; i++)
		r->counters[i] = (odo_live_counters){.guid = r->port[i]->node->guid,
						     .port = (uint8_t)r->port[i]->portnum};
	r->q->out->n_counters = r->n;
	return 0;
}

static void name_unread(const reading *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (!r->counters[i].read)
			odo_query_unread(r->q, ODO_LIVE_COUNTERS, r->port[i]->node, 0);
}

int odo_counters_read(odo_query *q, const ibnd_fabric_t *subnet, unsigned seconds)
{
	reading r = {.q = q};
	int status = list_counters(&r, subnet);
	if (!status)
		status = seconds ? read_difference(&r, seconds) : read_once(&r);
	if (!status)
		name_unread(&r);
	return odo_query_fail(q, q->no_memory ? ODO_ENOMEM : status);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the readers of installed tables have in common. */
#ifndef ODONATA_LIVE_QUERY_H
#define ODONATA_LIVE_QUERY_H

#include <stdio.h>

#include <infiniband/ibnetdisc.h>

#include "live/live.h"
#include "live/mads.h"

typedef struct odo_query {
	odo_mads mads;
	odo_live_tables *out;
	odo_error *err;
	bool by_sl; /**< some SL2VL table tells SLs apart */
} odo_query;

/** odo_mads_run() of what, with this context. */
int odo_query_run(odo_query *q, const char *what, size_t n, void *context,
		  bool (*ask)(void *, size_t, odo_mad *),
		  void (*take)(void *, size_t, const uint8_t *), size_t *failed);

static inline int odo_query_no_memory(odo_query *q)
{
	return odo_fail(q->err, ODO_ENOMEM, "no memory for installed tables");
}

static inline bool odo_is_cabled(const ibnd_node_t *node, int port)
{
	return node->ports[port] && node->ports[port]->remoteport;
}

/** Ask the subnet manager for path records, and write lines "0xGUID of the source, LID, SL".
 * @return ODO_EIO where it does not answer, or has none */
int odo_records_read(odo_query *q, const ibnd_fabric_t *subnet, FILE *to);

#endif

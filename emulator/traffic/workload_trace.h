/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A message trace as read from its file; docs/reference/trace.md defines the format. */
#ifndef ODONATA_EMULATOR_TRAFFIC_WORKLOAD_TRACE_H
#define ODONATA_EMULATOR_TRAFFIC_WORKLOAD_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum odo_op_kind { ODO_OP_SEND, ODO_OP_RECV, ODO_OP_COMPUTE } odo_op_kind;

/** An operation. The operations of a rank are consecutive, in the order of the file. */
typedef struct odo_op {
	uint8_t kind;     /**< odo_op_kind */
	uint32_t peer;    /**< rank; 0 for computing */
	uint32_t amount;  /**< bytes, or cycles */
	uint32_t tag;     /**< as in the file; used for matching */
	uint32_t match;   /**< sends: the receive's number within the peer, from 0 */
	uint32_t n_after; /**< number of operations of the same rank that must be complete before
			   * it */
	uint32_t line;    /**< of the file */
} odo_op;

typedef struct odo_trace {
	uint32_t n_ranks;
	size_t n_ops;
	odo_op *op;
	size_t *first;       /**< [n_ranks + 1] first operation of each rank */
	size_t *first_later; /**< [n_ops + 1] first dependent of each operation in `later` */
	uint32_t *later;     /**< dependents, as numbers within the rank */
	uint64_t n_in_cycles, most_in_cycles; /**< as in odo_workload_facts */
} odo_trace;

/**
 * Read a trace, match its sends and receives, and prove that it ends.
 * @param path     for messages
 * @param text     NUL-terminated at text[size]
 * @param cycle_ns as in odo_workload_setup
 * @param out      for odo_trace_free()
 * Errors: ODO_EINPUT as "file:line: expected ..., found ..."; ODO_ENOMEM.
 */
int odo_trace_parse(const char *path, const char *text, size_t size, double cycle_ns,
		    odo_trace **out, odo_error *err);
int odo_trace_read(const char *path, double cycle_ns, odo_trace **out, odo_error *err);
void odo_trace_free(odo_trace *trace);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Sending of many MADs of one kind, several at a time, because each takes a round trip. */
#ifndef ODONATA_LIVE_MADS_H
#define ODONATA_LIVE_MADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

/** A MAD and its destination. */
typedef struct odo_mad {
	ib_rpc_t rpc; /**< without the transaction and the timeout, which are set later */
	ib_portid_t to;
	uint8_t data[IB_MAD_SIZE]; /**< data from rpc.dataoffs on */
} odo_mad;

typedef struct odo_mads {
	const struct ibmad_port *port; /**< open for the class of the MADs, with the M_Key */
	unsigned timeout, retries;     /**< ms for a try, tries after the first; 0: defaults */
	uint32_t sent;                 /**< MADs sent so far, to identify answers; begin with 0 */
	void *context;
	/** Fill in MAD number `i`; return false to skip it. */
	bool (*ask)(void *context, size_t i, odo_mad *mad);
	/** Process an answer without an error; answers arrive in any order.
	 * @param data from rpc.dataoffs on */
	void (*take)(void *context, size_t i, const uint8_t *data);
	/** NULL, or called for a MAD that was refused or not answered; the others continue.
	 * @param status of the refusal; 0: no answer */
	void (*miss)(void *context, size_t i, unsigned status);
	const char *what; /**< name of the queries: "path records" */
	/** Called after each answer, if not NULL. */
	void (*progress)(void *context, const char *what, size_t done, size_t n);
	void *progress_context;
} odo_mads;

/**
 * Send `n` MADs, and process their answers.
 * @return 0; ODO_ENOMEM; ODO_EIO if so many consecutive MADs stay without an answer that nothing
 * can be connected; without `miss` also if *failed was refused or not answered
 */
int odo_mads_run(odo_mads *mads, size_t n, size_t *failed);

#endif

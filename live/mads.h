/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Many MADs of one kind, several at a time, since each takes a round trip. */
#ifndef ODONATA_LIVE_MADS_H
#define ODONATA_LIVE_MADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

/** A MAD that is sent, and where to. */
typedef struct odo_mad {
	ib_rpc_t rpc; /**< but for the transaction and the timeout, which are set in sending */
	ib_portid_t to;
	uint8_t data[IB_MAD_SIZE]; /**< from rpc.dataoffs on */
} odo_mad;

typedef struct odo_mads {
	const struct ibmad_port *port; /**< open for the class of the MADs, with the M_Key */
	unsigned timeout, retries;     /**< ms a try, tries after the first; 0: defaults */
	uint32_t sent;                 /**< so far, by which answers are told apart; begin with 0 */
	void *context;
	/** Fill in number `i` of those to be sent; false: it is left out. */
	bool (*ask)(void *context, size_t i, odo_mad *mad);
	/** An answer without an error, in any order. @param data from rpc.dataoffs on */
	void (*take)(void *context, size_t i, const uint8_t *data);
	/** NULL, or told of one that was refused or not answered, and the others go on.
	 * @param status of the refusal; 0: no answer */
	void (*miss)(void *context, size_t i, unsigned status);
	const char *what; /**< is asked for: "path records" */
	/** Called after each answer, if not NULL. */
	void (*progress)(void *context, const char *what, size_t done, size_t n);
	void *progress_context;
} odo_mads;

/**
 * Send `n` MADs, and take their answers.
 * @return 0; ODO_ENOMEM; ODO_EIO where so many in a row stay without an answer that nobody can be
 *         there, and without `miss` where *failed was refused, or stayed without an answer
 */
int odo_mads_run(odo_mads *mads, size_t n, size_t *failed);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Adapters of this machine and their ports, as reported by libibverbs. */
#ifndef ODONATA_LIVE_ADAPTERS_H
#define ODONATA_LIVE_ADAPTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct odo_adapter_port {
	char adapter[64];
	unsigned port;
	const char *state;      /**< "active", "down", ... */
	const char *link_layer; /**< "InfiniBand", "Ethernet", "unknown" */
	uint16_t lid;           /**< 0 for none */
	bool usable;            /**< an InfiniBand port that is active */
} odo_adapter_port;

/**
 * List the ports of adapters.
 * @param out for free(); in the order of libibverbs, and of port numbers
 * @param n 0 if there is no adapter, or none that may be opened
 * @param n_closed adapters that this user may not open
 * Errors: ODO_ENOMEM.
 */
int odo_adapters_list(odo_adapter_port **out, size_t *n, size_t *n_closed, odo_error *err);

#endif

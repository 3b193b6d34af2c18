/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Reads the subnet that this machine is on, by directed-route queries; needs the rights to
 * send them (usually root) and no subnet manager. Works under ibsim's umad2sim too. */
#ifndef ODONATA_LIVE_LIVE_H
#define ODONATA_LIVE_LIVE_H

#include "fabric/fabric.h"

/** Where to send queries from, and how. Zeroes stand for the first active port, and for what
 * libibnetdisc thinks best. */
typedef struct odo_live_options {
	const char *adapter; /**< as in /sys/class/infiniband */
	unsigned port;       /**< 0: the first that is up */
	unsigned timeout_ms, retries;
} odo_live_options;

/**
 * Discover the subnet.
 * @param b for odo_builder_freeze(); LIDs as they are, 0 where the subnet manager gave none
 * Errors: ODO_EIO where there is no adapter, or it cannot be used; ODO_EINPUT for a subnet
 * that the builder refuses.
 */
int odo_live_read(const odo_live_options *options, odo_builder *b, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What static tables allow a traffic, without sending a packet. */
#ifndef ODONATA_EXPERIMENT_BOUND_H
#define ODONATA_EXPERIMENT_BOUND_H

#include "emulator/traffic/pattern.h"
#include "routing/analyze/analyze.h"

/**
 * A traffic as flows, for a load of 1.
 * @param flows for free()
 * Errors: ODO_EINPUT for one that changes; ODO_EDECLINE where there are more than a hundred
 * million.
 */
int odo_traffic_flows(const odo_traffic *traffic, odo_flow **flows, size_t *n, odo_error *err);

/** Loads are in phits, of links that carry a phit a cycle. */
typedef struct odo_bound {
	double load;     /**< per sending host, at which the first channel is full; at most 1 */
	double accepted; /**< then, per host, senders or not */
	double most;     /**< most per host at full offer: odo_analyze_most() */
} odo_bound;

/**
 * Errors: those of odo_traffic_flows() and odo_analyze_flows(); ODO_EDECLINE where no host sends,
 * where tables do not deliver all, or where cables differ in speed.
 */
int odo_bound_find(const odo_tables *tables, const odo_traffic *traffic, odo_bound *out,
		   odo_error *err);

#endif

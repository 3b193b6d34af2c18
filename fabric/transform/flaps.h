/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Removal of flapping cables between switches. A cable that disappeared too often is removed from
 * the fabric until it has been steady for a while. So a single bad transceiver does not cause
 * rerouting every minute.
 */
#ifndef ODONATA_FABRIC_TRANSFORM_FLAPS_H
#define ODONATA_FABRIC_TRANSFORM_FLAPS_H

#include <time.h>

#include "fabric/fabric.h"

/** Times kept for a cable, and so the highest limit. */
#define ODO_MOST_FLAPS 16u
/** Cables that are removed at a time. More cannot be explained by single bad cables. */
#define ODO_MOST_LEFT_OUT 16u

/** A cable named by its ends, the lower GUID first. */
typedef struct odo_cable_name {
	uint64_t guid[2];
	uint8_t port[2];
} odo_cable_name;

struct odo_flap_record;

/** State of the removal. A zeroed struct is valid and removes nothing. */
typedef struct odo_flaps {
	uint32_t limit; /**< disappearances after which a cable is removed; 0: never */
	/** S: window in which disappearances count; time for which a cable must then be steady. */
	time_t window, hold;
	struct odo_flap_record *record;
	uint32_t n;
	odo_cable_name left_out[ODO_MOST_LEFT_OUT]; /**< removed by the last call */
	uint32_t n_left_out;
} odo_flaps;

void odo_flaps_clear(odo_flaps *flaps);

/**
 * Record the present cables, and remove flapping ones. A cable stays if no other path connects its
 * ends.
 * @param now s, of a monotonic clock
 * @param f replaced by a fabric without these cables, with the same nodes and ports
 * Errors: ODO_ENOMEM; `f` is then unchanged.
 */
int odo_flaps_leave_out(odo_flaps *flaps, time_t now, odo_fabric **f, odo_error *err);

#endif

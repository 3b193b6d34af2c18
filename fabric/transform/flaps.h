/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Cables between switches that come and go: one that went too often is left out of the fabric until
 * it has been steady for a while, so that one bad transceiver does not reroute everything each
 * minute.
 */
#ifndef ODONATA_FABRIC_TRANSFORM_FLAPS_H
#define ODONATA_FABRIC_TRANSFORM_FLAPS_H

#include <time.h>

#include "fabric/fabric.h"

/** Times that are kept of a cable, and so the highest limit. */
#define ODO_MOST_FLAPS 16u
/** Cables that are left out at a time. More than that is no matter of single cables. */
#define ODO_MOST_LEFT_OUT 16u

/** A cable by its ends, the lower GUID first. */
typedef struct odo_cable_name {
	uint64_t guid[2];
	uint8_t port[2];
} odo_cable_name;

struct odo_flap_record;

/** Zeroes are an empty one that leaves nothing out. */
typedef struct odo_flaps {
	uint32_t limit;      /**< a cable that went so often is left out; 0: none ever is */
	time_t window, hold; /**< s: within which it went, and for which it must be steady then */
	struct odo_flap_record *record;
	uint32_t n;
	odo_cable_name left_out[ODO_MOST_LEFT_OUT]; /**< by the last call */
	uint32_t n_left_out;
} odo_flaps;

void odo_flaps_clear(odo_flaps *flaps);

/**
 * Note which cables are there, and take those out that flap: but for one whose ends nothing else
 * connects.
 * @param now s, by a clock that only goes forward
 * @param f   replaced by a fabric without them, with the same nodes and ports
 * Errors: ODO_ENOMEM; `f` stays as it is then.
 */
int odo_flaps_leave_out(odo_flaps *flaps, time_t now, odo_fabric **f, odo_error *err);

#endif

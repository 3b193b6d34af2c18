/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Reports what the switches of a live subnet can do, by reading; and a trial that writes one map.
 */
#ifndef ODONATA_LIVE_PROBE_H
#define ODONATA_LIVE_PROBE_H

#include "live/live.h"

/** Capabilities that a switch reports. */
typedef struct odo_probe {
	uint64_t guid;
	char name[65];
	uint32_t vendor, device;
	uint8_t ports, cabled;
	uint32_t lft_capacity, multicast_capacity; /**< LIDs; multicast LIDs */
	/** VLs of the cabled port that has the fewest: those that it supports, and those in
	 * operation. 0: no port is cabled, or the code is unknown. */
	uint8_t vls, operational_vls;
	bool has_sl2vl;       /**< it maps SLs to VLs by input and output port */
	bool optimized_sl2vl; /**< one MAD may write the maps of several ports */
	bool is_silent; /**< it did not answer for a map; the fields above are of the discovery */
} odo_probe;

/** A trial on a port without a cable, which no packet crosses. */
typedef struct odo_probe_trial {
	uint64_t guid;    /**< the switch; set by the caller */
	uint8_t in, out;  /**< the map that was written */
	uint8_t other_in; /**< another input port, whose map to `out` must not change */
	bool is_taken;    /**< the switch returned the map as it was written */
	bool is_by_input; /**< the map of the other input port did not change */
	bool is_restored; /**< both maps are as before */
} odo_probe_trial;

/**
 * Discover the subnet and ask every switch.
 * @param out gets [n], free with free()
 * @param trial NULL, or the switch in which to write a map, read it back, and restore it
 * Errors: ODO_EINPUT if no switch has the GUID of the trial, or it has no port without a cable,
 * with nothing written; ODO_EIO as of odo_live_read(), or if the switch of the trial stops
 * answering.
 */
int odo_live_probe(const odo_live_options *options, odo_probe **out, size_t *n,
		   odo_probe_trial *trial, odo_error *err);

#endif

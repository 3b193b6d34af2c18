/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The options in force: those of event_plugin_options, of the file named there, and OpenSM's own
 * lists of GUIDs. OpenSM keeps the names for as long as it runs; what the files say may change.
 */
#ifndef ODONATA_PLUGIN_CONFIG_SETTINGS_H
#define ODONATA_PLUGIN_CONFIG_SETTINGS_H

#include "fabric/transform/flaps.h"
#include "plugin/opensm/opensm.h"
#include "plugin/config/options.h"

/** Zeroes before the first reading. */
typedef struct odo_settings {
	odo_plugin_options options;
	uint64_t *roots, *compute, *io; /**< that options.route lends */
	uint32_t choice;                /**< a digest of what decides the routing */
	unsigned n_served; /**< VLs from 0 on with a weight in the last sweep's VL arbitration */
	odo_error refused; /**< the last reading: why it changed nothing; status 0: it was taken */
} odo_settings;

void odo_settings_clear(odo_settings *settings);

/**
 * Read all anew. Nothing changes unless everything is right.
 * @param changed is anything otherwise than before? May be NULL
 * Errors: those of odo_plugin_options_parse() and odo_guids_read(), with the option's name.
 */
int odo_settings_read(odo_settings *settings, const osm_subn_opt_t *opt, bool *changed,
		      odo_error *err);

/** The same at the start of a sweep, with what came of it in the log and in `flaps`. */
void odo_settings_read_again(odo_settings *settings, osm_opensm_t *osm, odo_flaps *flaps);

/**
 * Limit the VLs that routing may use to those from 0 on that have a weight in OpenSM's VL
 * arbitration: packets on others would never leave. Not where OpenSM programs none. What limits is
 * logged once.
 */
void odo_settings_limit_vls(odo_settings *settings, osm_opensm_t *osm, odo_route_options *route);

/** What the options say of cables that come and go. */
void odo_settings_set_flaps(const odo_settings *settings, odo_flaps *flaps);

#endif

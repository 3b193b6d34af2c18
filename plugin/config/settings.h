/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Options in force: those of event_plugin_options, of the file named there, and OpenSM's lists of
 * GUIDs. OpenSM keeps the names of the files while it runs; their contents may change. */
#ifndef ODONATA_PLUGIN_CONFIG_SETTINGS_H
#define ODONATA_PLUGIN_CONFIG_SETTINGS_H

#include "fabric/transform/flaps.h"
#include "plugin/opensm/opensm.h"
#include "plugin/config/options.h"

/** Settings; zeroes before the first reading. */
typedef struct odo_settings {
	odo_plugin_options options;
	uint64_t *roots, *compute, *io; /**< arrays that options.route refers to */
	uint32_t choice;                /**< hash of all options that influence the routing */
	unsigned n_served;   /**< VLs from 0 on with a weight in the last sweep's VL arbitration */
	bool in_force;       /**< options were accepted at least once */
	bool holds_fallback; /**< OpenSM's no_fallback is set by this plugin */
	odo_error refused; /**< error of the last reading, which then changed nothing; status 0: it
			      was accepted */
} odo_settings;

void odo_settings_clear(odo_settings *settings);

/**
 * Read all options again. If anything is wrong, the old settings stay; before any were accepted,
 * only a readable dry_run counts.
 * Errors: those of odo_plugin_options_parse() and odo_guids_read(), with the option's name.
 */
int odo_settings_read(odo_settings *settings, const osm_subn_opt_t *opt, odo_error *err);

/** Copy the strings that settings are read from, so that OpenSM may change its own.
 * @param to zeroed, for odo_settings_free_options(), also on failure
 * @return 0, or ODO_ENOMEM */
int odo_settings_copy_options(const osm_subn_opt_t *opt, osm_subn_opt_t *to);
void odo_settings_free_options(osm_subn_opt_t *copy);

/** Read all options anew. @param read zeroed; its `refused` gets the error, which is returned */
int odo_settings_parse(odo_settings *read, const osm_subn_opt_t *opt);

/** Put what was read into force at the start of a sweep, as odo_settings_read() does; log the
 * result, and update `flaps`. Until options are accepted OpenSM's own minhop does not follow.
 * @param read of odo_settings_parse(); zeroed */
void odo_settings_adopt(odo_settings *settings, odo_settings *read, osm_opensm_t *osm,
			odo_flaps *flaps);

/** Limit the VLs of the routing to those from 0 on that have a weight in OpenSM's VL arbitration: a
 * port would never send packets on the others. If OpenSM programs no VL arbitration, there is no
 * limit. The limiting option is logged once. */
void odo_settings_limit_vls(odo_settings *settings, osm_opensm_t *osm, odo_route_options *route);

/** Copy the options of flapping cables. */
void odo_settings_set_flaps(const odo_settings *settings, odo_flaps *flaps);

#endif

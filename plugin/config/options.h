/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Options that the operator writes after `event_plugin_options`, or in the file named there. */
#ifndef ODONATA_PLUGIN_CONFIG_OPTIONS_H
#define ODONATA_PLUGIN_CONFIG_OPTIONS_H

#include "base/error.h"
#include "routing/engine.h"

typedef struct odo_plugin_options {
	odo_route_options route;
	uint32_t flap_limit, flap_window, flap_hold; /**< see odo_flaps */
	uint32_t good_after;        /**< seconds until tables count as good (memory/orders.h) */
	uint32_t read_back_seconds; /**< all tables are read in this time; 0: those of changed nodes
				     */
	uint32_t read_back_rate;    /**< MADs a second for that, at most */
	uint32_t disk_wait;         /**< seconds that a sweep waits for files (memory/disk.h) */
	bool dry_run;    /**< route and report, but leave the fabric to the next engine */
	char engine[48]; /**< engine of `-R odonata`; "" chooses by topology */
	char text[360];  /**< the options in force */
} odo_plugin_options;

/**
 * Read "name=value ..." separated by blanks. `conf=FILE` reads more options from a file, where `#`
 * starts a comment. Later options replace earlier ones.
 * @param text NULL for none
 * Errors: ODO_EINPUT for an unknown name or a value out of range, ODO_EIO for the file.
 */
int odo_plugin_options_parse(const char *text, odo_plugin_options *options, odo_error *err);

#endif

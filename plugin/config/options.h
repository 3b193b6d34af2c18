/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the operator writes behind `event_plugin_options`, or in the file named there. */
#ifndef ODONATA_PLUGIN_CONFIG_OPTIONS_H
#define ODONATA_PLUGIN_CONFIG_OPTIONS_H

#include "base/error.h"
#include "routing/engine.h"

typedef struct odo_plugin_options {
	odo_route_options route;
	uint32_t flap_limit, flap_window, flap_hold; /**< see odo_flaps */
	bool dry_run;    /**< route and report, but leave the fabric to the next engine */
	char engine[48]; /**< what `-R odonata` stands for; "" lets the topology choose */
	char text[256];  /**< all that was given, what it comes to */
} odo_plugin_options;

/**
 * Read "name=value ..." separated by blanks. `conf=FILE` reads more of the same from a file,
 * where `#` starts a comment; what comes later wins.
 * @param text NULL for none
 * Errors: ODO_EINPUT for an unknown name or a value out of range, ODO_EIO for the file.
 */
int odo_plugin_options_parse(const char *text, odo_plugin_options *options, odo_error *err);

#endif

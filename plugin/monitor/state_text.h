/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Contents of the state files. Not for use outside plugin/monitor. */
#ifndef ODONATA_PLUGIN_MONITOR_STATE_TEXT_H
#define ODONATA_PLUGIN_MONITOR_STATE_TEXT_H

#include <stdio.h>

#include "plugin/monitor/state.h"

/** Keys that identify the writer of a file. They precede lists that grow, so that the beginning of
 * a file has them. */
#define ODO_KEY_GIVEN_GUID "manager_given_guid"
#define ODO_KEY_PROCESS "process"
#define ODO_KEY_STARTED "process_started"
#define ODO_KEY_SPACE "process_space"

/** A figure of monitoring. */
typedef struct odo_figure {
	const char *name, *help;
	double value;
} odo_figure;

/** Write figures for Prometheus. A name that ends in "_total" is a counter's. */
void odo_put_figures(const odo_figure *list, unsigned n, const char *subnet, FILE *to);

/** Write a string without quotes, control characters and non-ASCII bytes of node descriptions,
 * which come from the subnet and may be no UTF-8. */
void odo_put_quoted(const char *text, FILE *to);

/** Write a file's contents; JSON ends in a seal. Errors: ODO_ENOMEM. */
int odo_state_json(const char *subnet, const odo_state *s, FILE *to, odo_error *err);
int odo_state_prometheus(const char *subnet, const odo_state *s, FILE *to, odo_error *err);

#endif

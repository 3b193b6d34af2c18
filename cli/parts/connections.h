/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Judges what a change of tables would do to existing connections. */
#ifndef ODONATA_CLI_PARTS_CONNECTIONS_H
#define ODONATA_CLI_PARTS_CONNECTIONS_H

#include <jansson.h>

#include "routing/reroute/saved.h"

/** Change to judge. Pairs are (switch with hosts, LID). */
typedef struct cli_connections {
	const odo_saved *past;    /**< the manager's fabric, its tables, and SLs that it assigned */
	const odo_tables *before; /**< tables in the switches, of that fabric; NULL: not known */
	const odo_saved *saved;   /**< saved tables that will be installed, or NULL */
	const odo_tables *tables; /**< tables of another engine that will be, or NULL */
} cli_connections;

/**
 * Add the verdict: "safe" (true, false or "unknown"), pairs that lose their path, whose connections
 * must reconnect, that can lose packets during the change, and whether old and new paths can
 * deadlock together.
 * Errors: ODO_ENOMEM.
 */
int cli_judge_connections(const cli_connections *change, json_t **answer, odo_error *err);

#endif

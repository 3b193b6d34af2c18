/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From a FABRIC argument to proved tables, as far as a subcommand needs. */
#ifndef ODONATA_CLI_SYSTEM_H
#define ODONATA_CLI_SYSTEM_H

#include "cli/command.h"
#include "fabric/coordinates.h"

typedef struct cli_system {
	odo_fabric *fabric;
	odo_coordinates *truth; /**< what the generator knows, or NULL */
	odo_coordinates *coordinates;
	odo_tables *tables;
} cli_system;

/** Open call->arg[0], then damage, miscable and shuffle it as asked for. */
int cli_system_open(const cli_call *call, cli_system *system, odo_error *err);
/** Open and map. */
int cli_system_map(const cli_call *call, cli_system *system, odo_error *err);
/** Open, map, route and prove; or import tables, which proves nothing. */
int cli_system_route(const cli_call *call, cli_system *system, odo_error *err);
void cli_system_clear(cli_system *system);

#endif

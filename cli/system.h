/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From a FABRIC argument to proved tables, as far as a subcommand needs. */
#ifndef ODONATA_CLI_SYSTEM_H
#define ODONATA_CLI_SYSTEM_H

#include "cli/command.h"
#include "cli/live.h"
#include "fabric/coordinates.h"

typedef struct cli_system {
	odo_fabric *fabric;
	odo_coordinates *truth; /**< what the generator knows, or NULL */
	odo_coordinates *coordinates;
	odo_route_options options;      /**< as asked for, with lists from files */
	uint64_t *roots, *compute, *io; /**< that these lend */
	odo_live_tables installed;      /**< on a live subnet, where the answer is about that */
	odo_tables *tables;
} cli_system;

/** Is the answer about the tables that are installed on a live subnet? */
bool cli_wants_installed(const cli_call *call);
/** The live subnet that is asked for, as a FABRIC argument. @param spec [CLI_SPEC] may hold it */
const char *cli_live_spec(const cli_call *call, char *spec);
enum { CLI_SPEC = 128 };
/** Open call->arg[0], then damage, miscable and shuffle it as asked for. */
int cli_system_open(cli_call *call, cli_system *system, odo_error *err);

/** What was passed over or repaired in an input goes to standard error, as one line, and into the
 * answer.
 * @param ledger NULL where nothing was */
int cli_report_repairs(cli_call *call, const char *path, const odo_ledger *ledger, odo_error *err);
/** Open and map. */
int cli_system_map(cli_call *call, cli_system *system, odo_error *err);
/** Open, map, route and prove; or import tables, installed ones too, which proves nothing. */
int cli_system_route(cli_call *call, cli_system *system, odo_error *err);
/** For a command that needs each path's SL: where the tables come without any, and their maps tell
 * SLs apart, an error on a live subnet, whose manager could give them, and a warning about files.
 */
int cli_need_sls(const cli_call *call, const cli_system *system, odo_error *err);
/** The tables that Odonata would install on a fabric that is open and mapped. */
int cli_system_compute(const cli_call *call, cli_system *system, odo_tables **out, odo_error *err);
/** Import tables for the verifier alone. @param files "FILE,FILE", up to eight */
int cli_import_list(const odo_fabric *f, const char *files, odo_tables **out, odo_error *err);
void cli_system_clear(cli_system *system);

#endif

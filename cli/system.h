/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From a FABRIC argument to proved tables, as far as a subcommand needs. */
#ifndef ODONATA_CLI_SYSTEM_H
#define ODONATA_CLI_SYSTEM_H

#include "cli/command.h"
#include "cli/live.h"
#include "fabric/coordinates.h"

struct cli_system {
	odo_fabric *fabric;
	odo_coordinates *truth; /**< coordinates of the generator, or NULL */
	odo_coordinates *coordinates;
	odo_route_options options;      /**< as asked for, with lists from files */
	uint64_t *roots, *compute, *io; /**< lists that the options use */
	odo_live_tables installed;      /**< of a live subnet, if the answer is about them */
	odo_tables *tables;
};

/** Return true if the answer is about the installed tables of a live subnet. */
bool cli_wants_installed(const cli_call *call);
/** Return the live subnet that -C and -P select, as a FABRIC argument.
 * @param spec [CLI_SPEC] room for it */
const char *cli_live_spec(const cli_call *call, char *spec);
enum { CLI_SPEC = 128 };
/** Open call->arg[0], then damage, miscable and shuffle it as asked for. */
int cli_system_open(cli_call *call, cli_system *system, odo_error *err);

/** Report lines of an input that were skipped or repaired: one line on standard error, and rows of
 * the answer.
 * @param ledger NULL if there are none */
int cli_report_repairs(cli_call *call, const char *path, const odo_ledger *ledger, odo_error *err);
/** Open and map. */
int cli_system_map(cli_call *call, cli_system *system, odo_error *err);
/** Open, map, route and prove; or import tables, also installed ones, without a proof. */
int cli_system_route(cli_call *call, cli_system *system, odo_error *err);
/** The same, and decline adaptive tables, in which a packet has no single path. */
int cli_system_route_static(cli_call *call, cli_system *system, odo_error *err);
/** Check that the SL of each path is known, or that the maps do not depend on it. Otherwise fail on
 * a live subnet, whose manager could give the SLs, and warn about files. */
int cli_need_sls(const cli_call *call, const cli_system *system, odo_error *err);
/** Compute the tables that Odonata would install on a fabric that is open and mapped. */
int cli_system_compute(const cli_call *call, cli_system *system, odo_tables **out, odo_error *err);
/** Import tables for the verifier only.
 * @param of_part as for odo_import_files()
 * @param files "FILE,FILE", up to eight */
int cli_import_list(const odo_fabric *f, const char *files, bool of_part, odo_tables **out,
		    odo_error *err);
void cli_system_clear(cli_system *system);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A live subnet as a FABRIC argument: "live", "live:ADAPTER" or "live:ADAPTER:PORT". */
#ifndef ODONATA_CLI_LIVE_H
#define ODONATA_CLI_LIVE_H

#include <jansson.h>

#include "cli/terminal/progress.h"
#include "live/install.h"
#include "live/probe.h"
#include "live/live.h"
#include "routing/tables.h"

bool cli_is_live(const char *spec);

/**
 * Read the subnet. Ends without LIDs get free ones, as in a file.
 * @param wanted except adapter and port, which the spec names
 * @param installed NULL, or gets the installed tables, for odo_live_tables_clear()
 */
int cli_live_open(const char *spec, uint8_t lmc, const odo_live_options *wanted,
		  odo_live_tables *installed, odo_fabric **out, odo_error *err);
/** Import the tables that were read.
 * @param for_proof as odo_import_files() (export/import.h) */
int cli_live_import(const odo_live_tables *installed, const odo_fabric *f, bool for_proof,
		    odo_tables **out, odo_error *err);

/** Add the VLs that VL arbitration serves to the tables. Errors: ODO_ENOMEM. */
int cli_live_arbitrate(const odo_live_tables *installed, odo_tables *t, odo_error *err);

/** Run odo_live_probe() on the subnet of a FABRIC argument.
 * @param key M_Key of the subnet, or 0 */
int cli_live_probe(const char *spec, uint64_t key, odo_probe **out, size_t *n,
		   odo_probe_trial *trial, odo_error *err);

/** Run odo_live_install() on the subnet of a FABRIC argument.
 * @param key  M_Key of the subnet, or 0
 * @param step must have begun */
int cli_live_install(const char *spec, uint64_t key, odo_install *install, cli_step *step,
		     odo_error *err);

/** List the adapters of this machine, a row for each port. If there are none, say so on standard
 * error. */
void cli_live_adapters(json_t **rows);

/** Return the description of a node, or "" if the fabric has no such GUID.
 * @param f may be NULL */
const char *cli_live_name(const odo_fabric *f, uint64_t guid);

/** Return true if a proof of the tables leaves something open: tables were not read, hosts that may
 * have other SLs were not asked for, or SLs change from query to query. */
bool cli_live_is_partial(const odo_live_tables *installed, const odo_tables *t);

/** Add "tables_read": how many switches returned all their tables, and when. Nothing if no tables
 * were read. */
void cli_live_answer_read(json_t **answer, const odo_live_tables *installed, const odo_fabric *f,
			  bool for_people);

/** Add "not_read": tables that were asked for without an answer, if there are any. */
void cli_live_answer_unread(json_t **answer, const odo_live_tables *installed, const odo_fabric *f);

#endif

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
 * @param wanted but for adapter and port
 * @param installed NULL, or what is installed, for odo_live_tables_clear()
 */
int cli_live_open(const char *spec, uint8_t lmc, const odo_live_options *wanted,
		  odo_live_tables *installed, odo_fabric **out, odo_error *err);
/** Tables of what was read. @param for_proof odo_import_for_proof() (export/import.h) */
int cli_live_import(const odo_live_tables *installed, const odo_fabric *f, bool for_proof,
		    odo_tables **out, odo_error *err);

/** Add what VL arbitration lets out to the tables. ODO_ENOMEM. */
int cli_live_arbitrate(const odo_live_tables *installed, odo_tables *t, odo_error *err);

/** odo_live_probe() on the subnet of a FABRIC argument. @param key its M_Key, or 0 */
int cli_live_probe(const char *spec, uint64_t key, odo_probe **out, size_t *n,
		   odo_probe_trial *trial, odo_error *err);

/** odo_live_install() on the subnet of a FABRIC argument. @param key its M_Key, or 0
 * @param step that has begun */
int cli_live_install(const char *spec, uint64_t key, odo_install *install, cli_step *step,
		     odo_error *err);

/** Adapters of this machine, a row for each port; a line to standard error where there are none.
 * @return 0, or -1 out of memory */
int cli_live_adapters(json_t *rows);

/** Where something did not answer, hosts were left out that may have other SLs, or SLs change from
 * query to query, a proof of what was read says nothing of the rest. */
bool cli_live_is_partial(const odo_live_tables *installed, const odo_tables *t);

/** Add "not_read", what did not answer, where there is any. @return 0, or -1 out of memory */
int cli_live_answer_unread(json_t *answer, const odo_live_tables *installed, const odo_fabric *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Changes between two states of a fabric. Nodes are identified by GUID, or else by name. */
#ifndef ODONATA_CLI_COMMANDS_DIFFERENCE_H
#define ODONATA_CLI_COMMANDS_DIFFERENCE_H

#include <jansson.h>

#include "cli/system.h"

/**
 * List the changes.
 * @param a, b before and after, both mapped
 * @param empty set to true if nothing has changed
 * @param out the answer
 */
int cli_difference(const cli_system *a, const cli_system *b, bool *empty, json_t **out,
		   odo_error *err);

/** Set the lists of an answer of cli_difference() that are not empty.
 * @param difference taken over */
void cli_put_changes(json_t **answer, json_t *difference);

/**
 * Count the entries of LFTs that differ, in switches of both states. Count switches whose SL2VL
 * maps, or the SLs of whose paths, differ.
 * @return 0, or -1 without memory
 */
int cli_difference_of_tables(const odo_tables *was, const odo_tables *is, uint64_t *n_entries,
			     uint64_t *n_vls);

#endif

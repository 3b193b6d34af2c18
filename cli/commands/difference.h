/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What has changed between two states of one fabric. Nodes are known by their GUID, or else by
 * their name. */
#ifndef ODONATA_CLI_COMMANDS_DIFFERENCE_H
#define ODONATA_CLI_COMMANDS_DIFFERENCE_H

#include <jansson.h>

#include "cli/system.h"

/**
 * @param a, b  before and after, both mapped
 * @param empty set: nothing has changed
 * @param out   the answer
 */
int cli_difference(const cli_system *a, const cli_system *b, bool *empty, json_t **out,
		   odo_error *err);

/**
 * Entries of LFTs that differ, of switches that are in both; and switches of which the SL2VL maps,
 * or the SLs of paths from there, do.
 * @return 0, or -1 out of memory
 */
int cli_difference_of_tables(const odo_tables *was, const odo_tables *is, uint64_t *n_entries,
			     uint64_t *n_vls);

#endif

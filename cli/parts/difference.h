/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Changes between two states of a fabric, or from a plan (fabric/match/). */
#ifndef ODONATA_CLI_PARTS_DIFFERENCE_H
#define ODONATA_CLI_PARTS_DIFFERENCE_H

#include <jansson.h>

#include "cli/system.h"

/**
 * List the changes.
 * @param a, b before and after, both mapped
 * @param same set to false if something has changed
 * @param out the answer
 */
int cli_difference(const cli_system *a, const cli_system *b, bool *same, json_t **out,
		   odo_error *err);

/** Add the list `plan`: the differences of a fabric from its plan, and how many there are.
 * @param same set to false if there are any
 * Errors: ODO_ENOMEM. */
int cli_put_plan(json_t **answer, const odo_fabric *plan, const odo_fabric *is, bool *same,
		 odo_error *err);

/** Set the lists of an answer of cli_difference() that are not empty.
 * @param difference taken over */
void cli_put_changes(json_t **answer, json_t *difference);

/**
 * Add the number of changed entries of LFTs, in switches of both states, and of switches whose
 * SL2VL maps, or the SLs of whose paths, have changed.
 * @param same set to false if something has changed
 */
void cli_put_table_changes(json_t **answer, const odo_tables *was, const odo_tables *is,
			   bool *same);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A claim about rows of the files beside a CSV, one for each point: the experiment's `details`. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_ROWS_H
#define ODONATA_EXPERIMENT_REPRODUCE_ROWS_H

#include "experiment/reproduce/manifest.h"
#include "experiment/result.h"

/** Whether a text names rows: "switch=0..11", or "switch=0,port=13..15". */
bool odo_rows_are_named(const char *rows);

/**
 * The claim's column of the rows that are meant, in the file of a point.
 * @param there whether there is such a file, and for a mean such rows
 * Errors: ODO_EINPUT where the file has no such column; ODO_EIO; ODO_ENOMEM.
 */
int odo_rows_take(const odo_claim *c, const odo_pick *pick, const odo_result *r, uint32_t point,
		  double *out, bool *there, odo_error *err);

#endif

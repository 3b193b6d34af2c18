/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Claims about rows of the files beside a CSV, one file for each point: the experiment's
 * `details`. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_ROWS_H
#define ODONATA_EXPERIMENT_REPRODUCE_ROWS_H

#include "experiment/reproduce/manifest.h"
#include "experiment/result.h"

/** Does a text name rows, such as "switch=0..11", or "switch=0,port=13..15"? */
bool odo_rows_are_named(const char *rows);

/**
 * Take the claim's column of the selected rows, in the file of a point.
 * @param there out: the file exists, and for a mean also such rows
 * Errors: ODO_EINPUT if the file has no such column; ODO_EIO; ODO_ENOMEM.
 */
int odo_rows_take(const odo_claim *c, const odo_pick *pick, const odo_result *r, uint32_t point,
		  double *out, bool *there, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Make an experiment from its text. */
#ifndef ODONATA_EXPERIMENT_FILE_H
#define ODONATA_EXPERIMENT_FILE_H

#include "experiment/experiment.h"
#include "yaml/plain.h"

/**
 * Check every value of an experiment.
 * @param plain taken, also after a failure; the paths of its places are borrowed
 * @param out   for odo_experiment_free()
 * Errors: ODO_EINPUT as "file:line: expected ..., found ..."; ODO_ENOMEM.
 */
int odo_experiment_make(odo_plain *plain, odo_experiment **out, odo_error *err);

#endif

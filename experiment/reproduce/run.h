/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A figure is run: what is missing of it, or all of it where it is stale. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_RUN_H
#define ODONATA_EXPERIMENT_REPRODUCE_RUN_H

#include "experiment/reproduce/state.h"

/**
 * Run a figure into its CSV. One that is stale is run into a folder of its own, which goes on where
 * it was killed, and takes the old files' place when it is whole.
 * @param how threads and progress; the manifest has all else
 * Errors: those of odo_experiments_read() and odo_experiment_run(); ODO_EINPUT where manifest,
 * configuration and CSV do not go together; ODO_EIO.
 */
int odo_figure_run(const odo_figure_state *s, const odo_experiment_options *how, odo_error *err);

#endif

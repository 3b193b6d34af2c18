/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Run a figure: its missing points, or all of it if it is stale. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_RUN_H
#define ODONATA_EXPERIMENT_REPRODUCE_RUN_H

#include "experiment/reproduce/state.h"

/**
 * Run a figure into its CSV. A stale figure is run in a separate folder, where a killed run can
 * continue. Its files replace the old ones when they are complete.
 * @param how threads and progress; the manifest has all other options
 * Errors: those of odo_experiments_read() and odo_experiment_run(); ODO_EINPUT if manifest,
 * configuration and CSV do not match; ODO_EIO.
 */
int odo_figure_run(const odo_figure_state *s, const odo_experiment_options *how, odo_error *err);

#endif

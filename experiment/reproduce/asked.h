/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a manifest asks for: a figure's experiment, as it is to be run. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_ASKED_H
#define ODONATA_EXPERIMENT_REPRODUCE_ASKED_H

#include "experiment/experiment.h"
#include "experiment/reproduce/manifest.h"

typedef struct odo_asked {
	odo_experiments all;            /**< of the configuration */
	odo_experiment *stated;         /**< the figure's, there */
	odo_experiment_options options; /**< what the manifest has run instead */
	odo_experiment x;               /**< both together; borrows from here */
	uint32_t seeds;                 /**< of every point */
	uint32_t seeds_in_doubt; /**< of one whose figure is in doubt; 0: no more than of others */
} odo_asked;

/**
 * Read a figure's configuration.
 * @param out for odo_asked_free(), also after a failure
 * Errors: those of odo_experiments_read(); ODO_EINPUT where manifest and configuration do not go
 * together.
 */
int odo_asked_read(const odo_manifest *m, const odo_figure *f, odo_asked *out, odo_error *err);

/** Ask for as many seeds of every point as of those in doubt. Errors: those of
 * odo_experiment_change(). */
int odo_asked_doubt(odo_asked *asked, odo_error *err);
void odo_asked_free(odo_asked *asked);

#endif

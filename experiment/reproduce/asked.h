/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The experiment of a figure, as the manifest requests it. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_ASKED_H
#define ODONATA_EXPERIMENT_REPRODUCE_ASKED_H

#include "experiment/experiment.h"
#include "experiment/reproduce/manifest.h"

typedef struct odo_asked {
	odo_experiments all;            /**< all experiments of the configuration */
	odo_experiment *stated;         /**< experiment of the figure in it */
	odo_experiment_options options; /**< options of the manifest, which replace values of
					 * `stated` */
	odo_experiment x;               /**< both together; borrows from this struct */
	uint32_t seeds;                 /**< seeds of every point */
	uint32_t seeds_in_doubt;        /**< seeds of points in doubt; 0: no more than of others */
} odo_asked;

/**
 * Read a figure's configuration.
 * @param out for odo_asked_free(), also after a failure
 * Errors: those of odo_experiments_read(); ODO_EINPUT if manifest and configuration do not match.
 */
int odo_asked_read(const odo_manifest *m, const odo_figure *f, odo_asked *out, odo_error *err);

/** Request as many seeds of every point as of points in doubt. Errors: those of
 * odo_experiment_change(). */
int odo_asked_doubt(odo_asked *asked, odo_error *err);
void odo_asked_free(odo_asked *asked);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Run a point of an experiment. */
#ifndef ODONATA_EXPERIMENT_RUN_H
#define ODONATA_EXPERIMENT_RUN_H

#include "experiment/underway.h"
#include "experiment/world.h"

/** Data that points need while the experiment runs. */
typedef struct odo_running {
	const odo_experiment *x;
	const odo_experiment_options *options;
	odo_experiment_world world;
	const char *columns;    /**< of the CSV */
	odo_underway *underway; /**< progress; NULL: nobody waits */
} odo_running;

/**
 * Emulate a point, and write its details; or copy the point from the known CSV
 * (odo_experiment_options). Called by a sweep (sweep/sweep.h).
 * @param context odo_running
 * @param line    [ODO_POINT_LINE] out: today's columns, without the point's number
 */
int odo_running_point(void *context, uint32_t number, char *line, odo_error *err);

#endif

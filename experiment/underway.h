/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Progress of a sweep, including its running points. */
#ifndef ODONATA_EXPERIMENT_UNDERWAY_H
#define ODONATA_EXPERIMENT_UNDERWAY_H

#include <pthread.h>

#include "emulator/emulator.h"
#include "experiment/experiment.h"

/** A sweep that reports its progress through its options. */
typedef struct odo_underway {
	const odo_experiment_options *options;
	pthread_mutex_t lock; /**< for all fields below, and while progress is reported */
	uint32_t done, n;     /**< points; nothing is reported before `n` is known */
	double shares;        /**< sum of the shares of running points */
} odo_underway;

/** A running point. */
typedef struct odo_underway_point {
	odo_underway *sweep;
	double share;
	odo_watch watch; /**< for odo_saturation_find() */
} odo_underway_point;

void odo_underway_points(odo_underway *sweep, uint32_t done, uint32_t n);
/** @param sweep NULL: nobody waits
 * @param point stays in place until odo_underway_end() */
void odo_underway_begin(odo_underway *sweep, odo_underway_point *point, odo_run_options *run);
void odo_underway_end(odo_underway_point *point);

#endif

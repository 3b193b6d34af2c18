/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** How far a sweep is, the points under way included. */
#ifndef ODONATA_EXPERIMENT_UNDERWAY_H
#define ODONATA_EXPERIMENT_UNDERWAY_H

#include <pthread.h>

#include "emulator/emulator.h"
#include "experiment/experiment.h"

/** A sweep whose options are told how far it is. */
typedef struct odo_underway {
	const odo_experiment_options *options;
	pthread_mutex_t lock; /**< of all below, and while it is told */
	uint32_t done, n;     /**< points; nothing is told before `n` is known */
	double shares;        /**< of points under way, added */
} odo_underway;

/** A point under way. */
typedef struct odo_underway_point {
	odo_underway *sweep;
	double share;
	odo_watch watch; /**< for odo_saturation_find() */
} odo_underway_point;

void odo_underway_points(odo_underway *sweep, uint32_t done, uint32_t n);
/** @param sweep NULL: nobody waits @param point stays where it is until odo_underway_end() */
void odo_underway_begin(odo_underway *sweep, odo_underway_point *point, odo_run_options *run);
void odo_underway_end(odo_underway_point *point);

#endif

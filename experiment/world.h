/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Data that the points of an experiment share: the fabric, and for each curve its model and its
 * tables. Tables are made when the first point needs them. */
#ifndef ODONATA_EXPERIMENT_WORLD_H
#define ODONATA_EXPERIMENT_WORLD_H

#include <pthread.h>

#include "experiment/experiment.h"
#include "emulator/units.h"
#include "emulator/vlarb.h"

/** A curve, prepared. */
typedef struct odo_curve_world {
	odo_model model;
	bool real; /**< the model defines bytes and time */
	odo_units units;
	const char *policy; /**< spec; NULL for tables */
	const char *engine; /**< engine of the tables; NULL: chosen automatically */
	odo_tables *tables;
	odo_vlarb *vlarb; /**< or NULL */
	bool tried;       /**< making the tables was tried */
	int status;       /**< status of that attempt */
	odo_error why;    /**< error of that attempt */
} odo_curve_world;

typedef struct odo_experiment_world {
	const odo_experiment *experiment;
	odo_fabric *fabric;
	bool from_file; /**< the fabric was read, not generated */
	odo_coordinates *coordinates;
	odo_curve_world *curves; /**< [n_curves] */
	pthread_mutex_t lock;    /**< held while tables are made */
} odo_experiment_world;

/**
 * Open, damage and shuffle the fabric, find its coordinates if it is a file, and check all names:
 * models, routings, patterns, workloads.
 * @param made for odo_experiment_world_clear(), also after a failure
 * Errors: ODO_EINPUT with the line of the file.
 */
int odo_experiment_world_make(const odo_experiment *x, odo_experiment_world *made, odo_error *err);
void odo_experiment_world_clear(odo_experiment_world *made);

/** Does the model of some curve define bytes and time? An invalid model does not. */
bool odo_experiment_is_real(const odo_experiment *x);

/** Find the nanoseconds of a cycle and the GB/s of load 1.
 * @return false if some curve's model defines neither, curves differ in them, or the fabric cannot
 * be opened */
bool odo_experiment_units(const odo_experiment *x, odo_units *out);

/** Make the tables of a curve that has no policy, once. Thread-safe. Errors: those of
 * odo_route(). */
int odo_experiment_world_route(odo_experiment_world *made, uint32_t curve, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the points of an experiment share: the fabric, and for each curve its model and its
 * tables, made when the first point asks. */
#ifndef ODONATA_EXPERIMENT_WORLD_H
#define ODONATA_EXPERIMENT_WORLD_H

#include <pthread.h>

#include "experiment/experiment.h"
#include "emulator/units.h"
#include "emulator/vlarb.h"

/** A curve made ready. */
typedef struct odo_curve_world {
	odo_model model;
	bool real; /**< the model knows bytes and time: */
	odo_units units;
	const char *policy; /**< spec; NULL for tables */
	const char *engine; /**< of tables; NULL for the one that suits */
	odo_tables *tables;
	odo_vlarb *vlarb; /**< or NULL */
	bool tried;       /**< tables were asked for */
	int status;       /**< of that */
	odo_error why;    /**< and its error */
} odo_curve_world;

typedef struct odo_experiment_world {
	const odo_experiment *experiment;
	odo_fabric *fabric;
	bool from_file; /**< it was read, not generated */
	odo_coordinates *coordinates;
	odo_curve_world *curves; /**< [n_curves] */
	pthread_mutex_t lock;    /**< while tables are made */
} odo_experiment_world;

/**
 * Open, damage and shuffle the fabric, find its coordinates where it is a file, and check all
 * that names something: models, routings, patterns, workloads.
 * @param made for odo_experiment_world_clear(), also after a failure
 * Errors: ODO_EINPUT with the line of the file.
 */
int odo_experiment_world_make(const odo_experiment *x, odo_experiment_world *made, odo_error *err);
void odo_experiment_world_clear(odo_experiment_world *made);

/** Whether the model of some curve knows bytes and time. One that is no model does not. */
bool odo_experiment_is_real(const odo_experiment *x);

/** What a cycle and load 1 are in nanoseconds and GB/s.
 * @return false where some curve's model knows neither, or curves differ in them, or the fabric is
 *         not to be had */
bool odo_experiment_units(const odo_experiment *x, odo_units *out);

/** Tables of a curve that has no policy, made once. Thread-safe. Errors: those of odo_route(). */
int odo_experiment_world_route(odo_experiment_world *made, uint32_t curve, odo_error *err);

#endif

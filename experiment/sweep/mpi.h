/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Points of a sweep over MPI ranks. Built without MPI there is one rank, which serves
 * nobody. The program initialises MPI; where it has not, there is one rank too. */
#ifndef ODONATA_EXPERIMENT_SWEEP_MPI_H
#define ODONATA_EXPERIMENT_SWEEP_MPI_H

#include "experiment/sweep/sweep.h"

int odo_sweep_mpi_rank(void);

/** The rank that this process will have, as whoever started it tells in the environment, before
 * MPI is started; 0 where nobody does. */
int odo_sweep_mpi_launched_as(void);

/** Start and stop MPI, for a program that uses it for nothing else. */
void odo_sweep_mpi_begin(void);
void odo_sweep_mpi_end(void);

/** Where any rank has failed, all have, with the same error. Called by all. Returns the status. */
int odo_sweep_mpi_agree(int status, odo_error *err);

/** First rank: hand out points to the others until each has been told that none is left.
 * Called from the thread that initialised MPI. */
void odo_sweep_mpi_serve(uint32_t (*take)(void *farm),
			 void (*give)(void *farm, uint32_t point, int status, const char *line,
				      const odo_error *why),
			 void *farm);

/** Other ranks: ask for points and send back their lines. One at a time: a rank is a core. */
int odo_sweep_mpi_work(const odo_sweep *sweep, odo_error *err);

#endif

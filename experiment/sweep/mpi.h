/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Points of a sweep over MPI ranks. There is one rank if the build has no MPI or the program has
 * not initialised MPI. */
#ifndef ODONATA_EXPERIMENT_SWEEP_MPI_H
#define ODONATA_EXPERIMENT_SWEEP_MPI_H

#include "experiment/sweep/sweep.h"

int odo_sweep_mpi_rank(void);

/** Return the rank that this process will have, as the launcher's environment variables give it
 * before MPI is started; 0 if there are none. */
int odo_sweep_mpi_launched_as(void);

/** Start and stop MPI, for a program that uses MPI only for sweeps. */
void odo_sweep_mpi_begin(void);
void odo_sweep_mpi_end(void);

/** If any rank has failed, all ranks fail with the same error. Every rank calls it. Returns the
 * status. */
int odo_sweep_mpi_agree(int status, odo_error *err);

/** First rank: give points to the other ranks until each has been told that none is left. Called
 * from the thread that initialised MPI. */
void odo_sweep_mpi_serve(uint32_t (*take)(void *farm),
			 void (*give)(void *farm, uint32_t point, int status, const char *line,
				      const odo_error *why),
			 void *farm);

/** For all ranks but the first: ask for points and send back their lines, one at a time: a rank is a core. */
int odo_sweep_mpi_work(const odo_sweep *sweep, odo_error *err);

#endif

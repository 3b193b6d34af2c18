/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/sweep/mpi.h"

#ifdef ODONATA_MPI
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

#include "base/number.h"
#include "emulator/kernel/run/ranks.h"
#include "fabric/fabric.h"

int odo_sweep_mpi_agree(int status, odo_error *err)
{
	return odo_ranks_count() > 1 ? odo_ranks_agree(status, err) : status;
}

#ifdef ODONATA_MPI
/** Message of another rank: the result of a point, or with ODO_NONE only that it is free. */
struct answer {
	uint32_t point;
	int status;
	odo_error why;
	char line[ODO_SWEEP_LINE];
};

enum { TAG_ANSWER = 71, TAG_POINT };

static bool mpi_is_running(void)
{
	int begun = 0, ended = 0;
	MPI_Initialized(&begun);
	MPI_Finalized(&ended);
	return begun && !ended;
}

/** Wait for a message. MPI's own wait would use a core that this rank needs for its points. */
static void wait_for_answer(MPI_Status *from)
{
	const struct timespec nap = {.tv_nsec = 2000000};
	int there = 0;
	for (;;) {
		MPI_Iprobe(MPI_ANY_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, &there, from);
		if (there)
			return;
		nanosleep(&nap, NULL);
	}
}
#endif

int odo_sweep_mpi_rank(void)
{
	int rank = 0;
#ifdef ODONATA_MPI
	if (mpi_is_running())
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
	return rank;
}

int odo_sweep_mpi_launched_as(void)
{
	uint32_t rank = 0;
#ifdef ODONATA_MPI
	/* Open MPI, PMIx, MPICH and its relatives, Slurm. */
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
					    "SLURM_PROCID"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *text = getenv(names[i]);
		if (text && !odo_read_number32(text, 0, INT_MAX, &rank, NULL))
			break;
	}
#endif
	return (int)rank;
}

void odo_sweep_mpi_begin(void)
{
#ifdef ODONATA_MPI
	int given, begun = 0;
	MPI_Initialized(&begun);
	if (!begun) /* only the thread that calls serve() uses MPI */
		MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
#endif
}

void odo_sweep_mpi_end(void)
{
#ifdef ODONATA_MPI
	if (mpi_is_running())
		MPI_Finalize();
#endif
}

void odo_sweep_mpi_serve(uint32_t (*take)(void *farm),
			 void (*give)(void *farm, uint32_t point, int status, const char *line,
				      const odo_error *why),
			 void *farm)
{
#ifdef ODONATA_MPI
	int n = 1;
	if (mpi_is_running())
		MPI_Comm_size(MPI_COMM_WORLD, &n);
	struct answer answer;
	for (int left = n - 1; left > 0;) {
		MPI_Status from;
		wait_for_answer(&from);
		MPI_Recv(&answer, sizeof answer, MPI_BYTE, from.MPI_SOURCE, TAG_ANSWER,
			 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (answer.point != ODO_NONE)
			give(farm, answer.point, answer.status, answer.line, &answer.why);
		uint32_t point = take(farm);
		left -= point == ODO_NONE;
		MPI_Send(&point, 1, MPI_UINT32_T, from.MPI_SOURCE, TAG_POINT, MPI_COMM_WORLD);
	}
#else
	(void)take, (void)give, (void)farm;
#endif
}

int odo_sweep_mpi_work(const odo_sweep *sweep, odo_error *err)
{
#ifdef ODONATA_MPI
	struct answer answer = {.point = ODO_NONE};
	int status = 0;
	for (;;) {
		MPI_Send(&answer, sizeof answer, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
		MPI_Recv(&answer.point, 1, MPI_UINT32_T, 0, TAG_POINT, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		if (answer.point == ODO_NONE)
			return status;
		memset(answer.line, 0, sizeof answer.line);
		answer.status = sweep->run(sweep->context, answer.point, answer.line, &answer.why);
		if (answer.status && !status) {
			status = answer.status;
			if (err)
				*err = answer.why;
		}
	}
#else
	(void)sweep;
	return odo_fail(err, ODO_EINPUT, "built without MPI");
#endif
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Gain of MPI ranks: one run alone on rank 0, then shared over all ranks, best of five by the
 * clock, on the 5,256-host dragonfly at load 0.5. Needs a build with ODONATA_MPI and an idle core
 * a rank.
 *
 *   mpirun -np 2 bench_ranks [CYCLES]
 *
 * If cores are not idle, only the last line counts: it shows how the work itself splits, by the
 * processor time that ranks spend outside of MPI.
 */
#include <stdio.h>

#ifdef ODONATA_MPI

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "bench/subject.h"

/* Of this rank: by the clock, and of processor time outside of MPI. */
struct timing {
	double wall, worked;
};

static double in_mpi; /* processor time */

/* The calls that wait for others, by MPI's profiling interface. */
int MPI_Allgather(const void *out, int n, MPI_Datatype of, void *in, int m, MPI_Datatype to,
		  MPI_Comm all)
{
	double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	int status = PMPI_Allgather(out, n, of, in, m, to, all);
	in_mpi += bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	return status;
}

int MPI_Alltoallv(const void *out, const int *n, const int *at, MPI_Datatype of, void *in,
		  const int *m, const int *to, MPI_Datatype what, MPI_Comm all)
{
	double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	int status = PMPI_Alltoallv(out, n, at, of, in, m, to, what, all);
	in_mpi += bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	return status;
}

static void must_or_abort(int status, const odo_error *err)
{
	if (!status)
		return;
	fprintf(stderr, "bench_ranks: %s\n", err->text);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static struct timing best_of_five(odo_emulation *e, bool ranks)
{
	struct timing best = {INFINITY, INFINITY};
	e->run.ranks = ranks;
	for (unsigned i = 0; i < 5; i++) {
		odo_error err = {0};
		odo_measures *m;
		double wall = bench_seconds(CLOCK_MONOTONIC),
		       used = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
		in_mpi = 0;
		must_or_abort(odo_emulate(e, &m, &err), &err);
		odo_measures_free(m);
		best.wall = fmin(best.wall, bench_seconds(CLOCK_MONOTONIC) - wall);
		best.worked = fmin(best.worked,
				   bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - used - in_mpi);
	}
	return best;
}

/* Without MPI's own wait, which would take a core from rank 0. */
static void wait_for_rank_0(int rank, int ranks)
{
	int there = 0;
	for (int r = 1; rank == 0 && r < ranks; r++)
		MPI_Send(NULL, 0, MPI_BYTE, r, 0, MPI_COMM_WORLD);
	while (rank && !there) {
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
	}
	if (rank)
		MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void compare_ranks(odo_emulation *e)
{
	int rank, ranks;
	struct timing one = {0};
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (rank == 0)
		one = best_of_five(e, false);
	wait_for_rank_0(rank, ranks);
	struct timing all = best_of_five(e, true);
	MPI_Allreduce(MPI_IN_PLACE, &all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	if (rank)
		return;
	printf("5,256 hosts, load 0.5, %llu cycles: 1 rank %.2f s, %d ranks %.2f s: %.2f times as "
	       "fast\n",
	       (unsigned long long)e->run.measured, one.wall, ranks, all.wall, one.wall / all.wall);
	printf("work outside of MPI: 1 rank %.2f s, the busiest of %d ranks %.2f s: %.2f times\n",
	       one.worked, ranks, all.worked, one.worked / all.worked);
}

int main(int argc, char **argv)
{
	struct subject s;
	MPI_Init(&argc, &argv);
	make_subject("dragonfly:p=6,a=12,h=6", "fogsim-v5", NULL, NULL,
		     (odo_run_options){.seed = 1,
				       .load = 0.5,
				       .measured = argc > 1 ? strtoull(argv[1], NULL, 10) : 5000},
		     &s);
	compare_ranks(&s.e);
	clear_subject(&s);
	MPI_Finalize();
	return 0;
}

#else

int main(void)
{
	printf("bench_ranks: built without ODONATA_MPI\n");
	return 0;
}

#endif

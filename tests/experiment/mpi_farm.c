/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An experiment over MPI ranks, for test_farm.sh: mpi_farm FILE FOLDER */
#include <mpi.h>
#include <stdio.h>

#include "experiment/experiment.h"

int main(int argc, char **argv)
{
	int given, status = 2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	odo_experiments all = {0};
	odo_error err = {0};
	if (argc == 3 && given >= MPI_THREAD_FUNNELED) {
		const odo_experiment_options options = {.folder = argv[2], .threads = 1};
		status = odo_experiments_read(argv[1], &all, &err);
		if (!status)
			status = odo_experiment_run(all.experiment[0], &options, &err);
	}
	if (status)
		fprintf(stderr, "%s\n", err.text);
	odo_experiments_free(&all);
	MPI_Finalize();
	return status ? 1 : 0;
}

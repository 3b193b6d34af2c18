/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Farm of points: threads take the next missing point; ranks beyond the first ask this rank for
 * one. */
#include "experiment/sweep/sweep.h"

#include <pthread.h>
#include <stdlib.h>

#include "experiment/sweep/file.h"
#include "experiment/sweep/mpi.h"
#include "fabric/fabric.h"
#include "base/memory.h"

/** State of the rank that writes. */
typedef struct farm {
	const odo_sweep *sweep;
	pthread_mutex_t lock; /**< for all fields below */
	odo_sweep_file file;
	uint32_t next;    /**< points before it are done or running */
	uint32_t n_ahead; /**< number of points that are done or wanted */
	int status;
	odo_error *err;
} farm;

static bool is_due(const farm *f, uint32_t point)
{
	const odo_sweep *sweep = f->sweep;
	return !f->file.done[point] && (!sweep->wanted || sweep->wanted(sweep->context, point));
}

/** Take the next missing point; ODO_NONE if there is none or the sweep has failed. */
static uint32_t take_next_point(farm *f)
{
	pthread_mutex_lock(&f->lock);
	uint32_t n = f->sweep->n_points, point = ODO_NONE;
	while (f->next < n && !is_due(f, f->next))
		f->next++;
	if (!f->status && f->next < n)
		point = f->next++;
	pthread_mutex_unlock(&f->lock);
	return point;
}

/** Record a point's result: its line, or its error. */
static void record_point(farm *f, uint32_t point, int status, const char *line,
			 const odo_error *why)
{
	char arranged[ODO_SWEEP_LINE - 16];
	pthread_mutex_lock(&f->lock);
	if (!status && f->sweep->arrange) {
		status = f->sweep->arrange(f->sweep->context, line, arranged,
					   f->status ? NULL : f->err);
		line = arranged;
	}
	if (!status)
		status = odo_sweep_file_add(&f->file, point, line, f->status ? NULL : f->err);
	else if (!f->status && f->err && line != arranged)
		*f->err = *why;
	if (!f->status)
		f->status = status;
	if (!status && f->sweep->progress)
		f->sweep->progress(f->sweep->context, f->file.n_done, f->n_ahead);
	pthread_mutex_unlock(&f->lock);
}

static void *run_points(void *context)
{
	farm *f = context;
	uint32_t point;
	while ((point = take_next_point(f)) != ODO_NONE) {
		char line[ODO_SWEEP_LINE - 16] = "";
		odo_error why = {0};
		int status = f->sweep->run(f->sweep->context, point, line, &why);
		record_point(f, point, status, line, &why);
	}
	return NULL;
}

/* Callbacks by which the first rank serves others; see mpi.c. */
static uint32_t take_for(void *f)
{
	return take_next_point(f);
}
static void give_for(void *f, uint32_t point, int status, const char *line, const odo_error *why)
{
	record_point(f, point, status, line, why);
}

static int run_point_threads(farm *f, unsigned n, odo_error *err)
{
	pthread_t *thread = odo_new(n, sizeof *thread);
	if (!thread)
		return odo_fail(err, ODO_ENOMEM, "no memory for threads");
	if (f->sweep->progress)
		f->sweep->progress(f->sweep->context, f->file.n_done, f->n_ahead);
	unsigned started = 0;
	while (started < n && !pthread_create(&thread[started], NULL, run_points, f))
		started++;
	odo_sweep_mpi_serve(take_for, give_for, f);
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return started ? f->status : odo_fail(err, ODO_EIO, "no thread could be started");
}

static int run_first(const odo_sweep *sweep, odo_error *err)
{
	farm f = {.sweep = sweep, .err = err, .lock = PTHREAD_MUTEX_INITIALIZER};
	int status = odo_sweep_file_open(sweep, &f.file, err);
	f.status = status; /* no rank gets a point of a file that is not ours */
	for (uint32_t i = 0; !status && i < sweep->n_points; i++)
		f.n_ahead += f.file.done[i] || is_due(&f, i);
	if (status)
		odo_sweep_mpi_serve(take_for, give_for, &f);
	else
		status = run_point_threads(&f, sweep->threads ? sweep->threads : 1, err);
	if (!status)
		status = odo_sweep_file_finish(&f.file, err);
	odo_sweep_file_close(&f.file);
	return status;
}

int odo_sweep_run(const odo_sweep *sweep, odo_error *err)
{
	return odo_sweep_mpi_rank() == 0 ? run_first(sweep, err) : odo_sweep_mpi_work(sweep, err);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/underway.h"

static void report_progress(const odo_underway *x)
{
	if (x->n)
		x->options->progress(x->options->context, x->done + x->shares, x->n);
}

void odo_underway_points(odo_underway *sweep, uint32_t done, uint32_t n)
{
	pthread_mutex_lock(&sweep->lock);
	sweep->done = done;
	sweep->n = n;
	report_progress(sweep);
	pthread_mutex_unlock(&sweep->lock);
}

static void set_share(odo_underway_point *point, double share, bool report)
{
	odo_underway *x = point->sweep;
	pthread_mutex_lock(&x->lock);
	x->shares += share - point->share;
	point->share = share;
	if (report)
		report_progress(x);
	pthread_mutex_unlock(&x->lock);
}

static void report_cycles(void *context, uint64_t cycle, uint64_t of)
{
	if (of)
		set_share(context, (double)cycle / (double)of, true);
}

static void report_search(void *context, const char *what, double share, bool at_most)
{
	(void)what;
	(void)at_most;
	if (share >= 0)
		set_share(context, share, true);
}

void odo_underway_begin(odo_underway *sweep, odo_underway_point *point, odo_run_options *run)
{
	*point = (odo_underway_point){.sweep = sweep, .watch = {report_search, point}};
	if (!sweep)
		return;
	run->progress = report_cycles;
	run->progress_context = point;
}

/* The point counts as done only once its line is written. */
void odo_underway_end(odo_underway_point *point)
{
	if (point->sweep)
		set_share(point, 0, false);
}

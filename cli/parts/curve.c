/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/curve.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/subnets.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "experiment/sweep/mpi.h"

typedef struct curve {
	cli_call *call;
	cli_emulation *made;
	const cli_loads *loads;
	const cli_details *details;
	cli_step step;
	unsigned done;
	bool rows;   /**< several loads, printed as text one by one */
	bool points; /**< a list of loads in the answer */
} curve;

/** Finish with the runs that have ended. The remaining threads are still running, so nothing is
 * freed. */
static _Noreturn void leave_interrupted(curve *x)
{
	cli_step_end(&x->step, 0);
	fprintf(stderr, "odonata: interrupted: %u of %u loads are done\n", x->done, x->loads->n);
	if (x->call->json)
		cli_put_bool(&x->call->result, "interrupted", true);
	cli_subnets_interrupt(x->call);
	bool keep = x->done && cli_command_finish(x->call, CLI_OK) == CLI_OK;
	_exit(keep || !x->done ? CLI_INTERRUPTED : CLI_SYSTEM);
}

static void show_cycle(void *context, uint64_t cycle, uint64_t of)
{
	curve *x = context;
	if (cli_interrupted())
		leave_interrupted(x);
	if (x->made->emulation.workload) { /* its end is unknown */
		cli_step_at(&x->step, -1, "cycle %" PRIu64 " of at most %" PRIu64, cycle,
			    x->made->emulation.run.measured);
		return;
	}
	double share = of ? (x->done + (double)cycle / (double)of) / x->loads->n : -1;
	cli_step_at(&x->step, share, "load %g (%u of %u)", x->loads->load[x->done], x->done + 1,
		    x->loads->n);
}

/** Add all measures of a run. */
static void answer_run(const curve *x, const odo_measures *m, json_t **answer)
{
	cli_answer_run(answer, &x->made->emulation, m, x->details);
	if (x->made->real)
		cli_answer_real(answer, &x->made->units, m);
}

/** Print a run as a row of a table. */
static int print_row(curve *x, const odo_measures *m, odo_error *err)
{
	json_t *row = cli_point(x->loads->load[x->done], m);
	if (x->made->real)
		cli_answer_real_columns(&row, &x->made->units, m);
	FILE *to = x->call->out;
	int status = cli_check_answer(row, err);
	if (!status)
		status = cli_print_row(row, x->done ? NULL : "points", to, cli_colour(to), err);
	json_decref(row);
	fflush(to); /* failures are reported when the file is closed */
	return status;
}

/** Add a run to the list of points. JSON has a list even for a single run. */
static void add_point(const curve *x, const odo_measures *m)
{
	json_t *points = json_object_get(x->call->result, "points");
	bool loaded = !x->made->emulation.workload;
	json_t *point = x->call->json ? json_pack("{so}", "load",
						  loaded ? json_real(x->loads->load[x->done])
							 : json_null())
				      : cli_point(x->loads->load[x->done], m);
	if (x->call->json)
		answer_run(x, m, &point);
	if (json_array_append_new(points, point))
		cli_put(&x->call->result, "points", NULL);
}

static int report_run(curve *x, const odo_measures *m, odo_error *err)
{
	if (odo_sweep_mpi_rank() > 0)
		return ODO_OK;
	if (x->rows)
		return print_row(x, m, err);
	if (x->points)
		add_point(x, m);
	else
		answer_run(x, m, &x->call->result);
	return cli_check_answer(x->call->result, err);
}

/** Print or add the part before the first row. */
static int begin_curve(curve *x, odo_error *err)
{
	cli_call *call = x->call;
	if (odo_sweep_mpi_launched_as() == 0) {
		x->made->emulation.run.progress = show_cycle;
		x->made->emulation.run.progress_context = x;
		cli_interrupt_catch();
	}
	if (x->points)
		cli_put(&call->result, "points", json_array());
	if (!call->result)
		return cli_check_answer(call->result, err);
	if (!x->rows || odo_sweep_mpi_rank() > 0)
		return ODO_OK;
	int status = cli_print_text(call->result, call->out, cli_colour(call->out), err);
	json_decref(call->result);
	call->result = NULL;
	return status;
}

int cli_curve_answer(cli_call *call, cli_emulation *made, const cli_loads *loads,
		     const cli_details *details, bool *stuck, odo_error *err)
{
	curve x = {.call = call,
		   .made = made,
		   .loads = loads,
		   .details = details,
		   .rows = loads->n > 1 && !call->json && !cli_is_one_of_several(call)};
	x.points = call->json || (loads->n > 1 && !x.rows);
	int status = begin_curve(&x, err);
	cli_step_begin(&x.step, "emulating");
	while (!status && x.done < loads->n) {
		made->emulation.run.load = loads->load[x.done];
		odo_measures *m;
		status = odo_emulate(&made->emulation, &m, err);
		if (status)
			break;
		cli_count_active(made, m);
		*stuck |= m->outcome != ODO_RUN_DONE;
		cli_step_pause(&x.step);
		status = report_run(&x, m, err);
		cli_step_go_on(&x.step);
		odo_measures_free(m);
		x.done += !status;
		if (!status && x.done < loads->n && cli_interrupted())
			leave_interrupted(&x);
	}
	cli_interrupt_release();
	return cli_step_end(&x.step, status);
}

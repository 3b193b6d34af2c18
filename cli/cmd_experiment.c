/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata experiment: a figure or table of a paper, from its file in configs/. */
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "cli/emulation.h"
#include "cli/output.h"
#include "cli/rows.h"
#include "experiment/experiment.h"
#include "experiment/sweep_mpi.h"

typedef struct settings {
	const char *folder;
	unsigned threads;
	uint64_t measured;
	uint32_t seeds, packets;
	cli_loads loads;
	bool redraw;
} settings;

enum {
	KEY_FOLDER = 0x200,
	KEY_THREADS,
	KEY_MEASURED,
	KEY_SEEDS,
	KEY_PACKETS,
	KEY_LOADS,
	KEY_REDRAW
};

/** What would be ignored is refused. */
static void refuse_what_means_nothing(const settings *own, struct argp_state *state)
{
	const char *of_a_run = own->folder     ? "folder"
			       : own->threads  ? "threads"
			       : own->measured ? "measured"
			       : own->seeds    ? "seeds"
			       : own->packets  ? "packets"
			       : own->loads.n  ? "loads"
					       : NULL;
	if (own->redraw && of_a_run)
		argp_error(state, "--%s: expected a run, found --redraw", of_a_run);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
	switch (key) {
	case KEY_REDRAW:
		own->redraw = true;
		return 0;
	case ARGP_KEY_END:
		refuse_what_means_nothing(own, state);
		return 0;
	case KEY_FOLDER:
		own->folder = arg;
		return 0;
	case KEY_THREADS:
		own->threads = (unsigned)cli_parse_number(state, "--threads", arg, 1, 1024);
		return 0;
	case KEY_MEASURED:
		own->measured = cli_parse_number(state, "--measured", arg, 1, 1000000000);
		return 0;
	case KEY_SEEDS:
		own->seeds = (uint32_t)cli_parse_number(state, "--seeds", arg, 1, 1000);
		return 0;
	case KEY_PACKETS:
		own->packets = (uint32_t)cli_parse_number(state, "--packets", arg, 1, 1u << 30);
		return 0;
	case KEY_LOADS:
		cli_parse_loads(state, "loads", arg, &own->loads);
		if (own->loads.saturation)
			argp_error(state, "--loads: expected loads, found a search");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static void progress(void *context, uint32_t done, uint32_t n_points)
{
	(void)context;
	cli_progress("%" PRIu32 " of %" PRIu32 " points", done, n_points);
}

/** What was run, and how many points did not end as they should. */
static int answer(cli_call *call, const odo_experiment *x, const char *folder, odo_error *err)
{
	uint32_t count[ODO_EXPERIMENT_OUTCOMES], points = 0;
	int status = odo_experiment_count(x, folder, count, err);
	if (status)
		return status;
	for (unsigned i = 0; i < ODO_EXPERIMENT_OUTCOMES; i++)
		points += count[i];
	call->result = json_object();
	json_t *a = call->result;
	int failed = json_object_set_new(a, "experiment", json_string(x->name));
	failed |= json_object_set_new(a, "title", json_string(x->title));
	failed |= json_object_set_new(a, "points", json_integer(points));
	for (unsigned i = ODO_RUN_DONE + 1; i < ODO_EXPERIMENT_OUTCOMES; i++)
		if (count[i])
			failed |= json_object_set_new(a, odo_experiment_outcomes[i],
						      json_integer(count[i]));
	failed |= json_object_set_new(a, "results", json_sprintf("%s/%s.csv", folder, x->name));
	failed |= json_object_set_new(a, "plot", json_sprintf("%s/%s.gp", folder, x->name));
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : 0;
}

static int redraw(cli_call *call)
{
	odo_error err = {0};
	odo_experiment *x = NULL;
	char *copy = strdup(call->arg[0]);
	int status = copy ? odo_experiment_redraw(call->arg[0], &x, &err)
			  : odo_fail(&err, ODO_ENOMEM, "out of memory");
	if (!status)
		status = answer(call, x, dirname(copy), &err);
	odo_experiment_free(x);
	free(copy);
	return status ? cli_fail(&err) : CLI_OK;
}

static int run(cli_call *call)
{
	settings *own = call->settings;
	if (own->redraw)
		return call->elsewhere ? CLI_OK : redraw(call);
	const odo_experiment_options options = {.folder = own->folder ? own->folder : ".",
						.threads = own->threads,
						.measured = own->measured,
						.seeds = own->seeds,
						.packets = own->packets,
						.loads = own->loads.load,
						.n_loads = own->loads.n,
						.progress = progress};
	odo_error err = {0};
	odo_experiment *x = NULL;
	odo_sweep_mpi_begin();
	int status = odo_sweep_mpi_agree(odo_experiment_read(call->arg[0], &x, &err), &err);
	if (!status)
		status = odo_experiment_run(x, &options, &err);
	cli_progress_end();
	call->elsewhere = odo_sweep_mpi_rank() > 0;
	if (!status && !call->elsewhere)
		status = answer(call, x, options.folder, &err);
	odo_experiment_free(x);
	odo_sweep_mpi_end();
	return status && !call->elsewhere ? cli_fail(&err) : CLI_OK;
}

static const struct argp_option argp_options[] = {
	{"folder", KEY_FOLDER, "FOLDER", 0, "Where the results go; the current one if not given",
	 0},
	{"threads", KEY_THREADS, "N", 0, "Points under way at a time (1)", 0},
	{"measured", KEY_MEASURED, "CYCLES", 0,
	 "Measure so long, and warm up in proportion, instead of what the file says", 0},
	{"loads", KEY_LOADS, "LOADS", 0,
	 "Run these loads instead of what the file says: 0.5, a list 0.1,0.5, a range 0.1:1.0:0.1",
	 0},
	{"packets", KEY_PACKETS, "N", 0,
	 "Let each host of a burst send so many packets instead of what the file says", 0},
	{"seeds", KEY_SEEDS, "N", 0, "Run so many seeds instead of what the file says", 0},
	{"redraw", KEY_REDRAW, 0, 0,
	 "Run nothing: FILE is a CSV that this or an older version wrote, and is drawn anew, "
	 "beside "
	 "it, by what its head says",
	 0},
	{0}};

static const cli_example examples[] = {
	{"odonata experiment quick.yaml --threads 2",
	 "Run all points of a file, or what is missing", CLI_OK},
	{"odonata experiment --redraw quick.csv", "Draw what is there", CLI_OK},
	{0}};

const cli_command cli_experiment = {
	.name = "experiment",
	.arguments = "FILE",
	.summary = "Run a figure or table of a paper from its file",
	.about = "Run every point of an experiment file (configs/README.md tells its keys; "
		 "configs/ has one for each figure and table of the papers): routings, patterns, "
		 "loads and seeds on one fabric, into NAME.csv, with a gnuplot script NAME.gp, and "
		 "for tables and where there is one load NAME.md. Kill it anywhere and start it "
		 "again: nothing is lost or done "
		 "twice, and the bytes are the same for any number of threads and, where it was "
		 "built with ODONATA_MPI and started by mpirun or srun, of ranks.",
	.options = argp_options,
	.groups = 0,
	.ranks = true,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.parse = parse,
	.run = run,
	.examples = examples,
};

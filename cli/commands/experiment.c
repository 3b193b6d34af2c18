/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata experiment: figures and tables of papers, by their files in configs/. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "cli/emulation/emulation.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "cli/rows.h"
#include "experiment/point.h"
#include "experiment/sweep/mpi.h"

typedef struct settings {
	const char *folder, *only, *pattern;
	unsigned threads;
	uint64_t measured;
	uint32_t seeds, packets;
	cli_loads loads;
	bool redraw, list, print;
} settings;

/** Options that run nothing, and are alone. */
#define OTHER_MODES "list,print,redraw"

static void set_listed_loads(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	cli_set_loads(call, flag, text, to);
	if (((const cli_loads *)to)->saturation)
		cli_usage_error(call, "--loads: expected loads, found a search");
}

static void show_points(void *context, double done, uint32_t n_points)
{
	cli_step_at(context, done / n_points, "%u of %u points", (uint32_t)done, n_points);
}

/** Count the points by outcome. */
static int count_outcomes(const odo_experiment *x, const char *folder, uint32_t *count,
			  uint32_t *all, odo_error *err)
{
	int status = odo_experiment_count(x, folder, count, err);
	*all = 0;
	for (unsigned i = 0; i < ODO_EXPERIMENT_OUTCOMES && !status; i++)
		*all += count[i];
	return status;
}

/** Describe an experiment, and count the points that did not end normally.
 * @param a for json_decref() */
static int describe_experiment(const odo_experiment *x, const char *folder, json_t **a,
			       odo_error *err)
{
	uint32_t count[ODO_EXPERIMENT_OUTCOMES], points;
	int status = count_outcomes(x, folder, count, &points, err);
	if (status)
		return status;
	odo_units units;
	*a = json_object();
	cli_put_text(a, "experiment", x->name);
	cli_put_text(a, "title", x->title);
	cli_put_count(a, "points", points);
	for (unsigned i = ODO_RUN_DONE + 1; i < ODO_EXPERIMENT_OUTCOMES; i++)
		if (count[i])
			cli_put_count(a, odo_experiment_outcomes[i], count[i]);
	if (odo_experiment_units(x, &units)) {
		cli_put_real(a, "load_1_GB_per_s", units.gb_per_s);
		cli_put_real(a, "cycle_ns", units.cycle_ns);
	}
	cli_put(a, "results", json_sprintf("%s/%s.csv", folder, x->name));
	cli_put(a, "plot", json_sprintf("%s/%s.gp", folder, x->name));
	return cli_check_answer(*a, err);
}

/** Describe several experiments, a row for each. */
static int describe_experiments(const odo_experiments *all, const char *folder, json_t **out,
				odo_error *err)
{
	json_t *rows = json_array();
	int status = 0;
	for (uint32_t i = 0; !status && i < all->n; i++) {
		const odo_experiment *x = all->experiment[i];
		uint32_t count[ODO_EXPERIMENT_OUTCOMES], points;
		status = count_outcomes(x, folder, count, &points, err);
		if (!status)
			cli_append(&rows, json_pack("{ss sI sI so}", "experiment", x->name,
						    "points", (json_int_t)points, "done",
						    (json_int_t)count[ODO_RUN_DONE], "results",
						    json_sprintf("%s/%s.csv", folder, x->name)));
	}
	*out = json_pack("{so}", "experiments", rows);
	return status ? status : cli_check_answer(*out, err);
}

static int redraw_experiment(cli_call *call, odo_error *err)
{
	odo_experiment *x = NULL;
	char *copy = strdup(call->arg[0]);
	int status = copy ? odo_experiment_redraw(call->arg[0], &x, err)
			  : odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!status)
		status = describe_experiment(x, dirname(copy), &call->result, err);
	odo_experiment_free(x);
	free(copy);
	return status;
}

/** List the experiments of a file. */
static int list_experiments(cli_call *call, const odo_experiments *all, odo_error *err)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < all->n; i++) {
		const odo_experiment *x = all->experiment[i];
		cli_append(&rows, json_pack("{ss sI ss ss}", "experiment", x->name, "points",
					    (json_int_t)odo_experiment_points(x), "fabric",
					    x->fabric, "title", x->title));
	}
	call->result = json_pack("{so}", "experiments", rows);
	return cli_check_answer(call->result, err);
}

/** Print an experiment as a file that needs no other file. */
static int print_experiment(const odo_experiments *all, odo_error *err)
{
	const odo_experiment *x = all->experiment[0];
	cli_file file;
	if (all->n > 1)
		return odo_fail(err, ODO_EINPUT,
				"%s: expected --only with one of its %u experiments beside --print",
				x->path, all->n);
	int status = cli_file_open(NULL, &file, err);
	if (status)
		return status;
	fputs(x->text, file.to);
	return cli_file_close(&file, 0, err);
}

static const char *folder_of(const settings *own)
{
	return own->folder ? own->folder : ".";
}

/** Convert loads to phits per cycle of this experiment. */
static int settle_experiment_loads(const odo_experiment *x, const settings *own, cli_loads *loads,
				   odo_error *err)
{
	odo_units units;
	*loads = own->loads;
	bool real = loads->gb_per_s && odo_experiment_units(x, &units);
	return cli_settle_loads(loads, "loads", real ? &units : NULL, err);
}

static int run_one(const odo_experiment *x, const settings *own, bool check, odo_error *err)
{
	cli_step step;
	cli_loads loads;
	odo_experiment changed;
	const odo_experiment_options options = {.folder = folder_of(own),
						.threads = own->threads,
						.measured = own->measured,
						.seeds = own->seeds,
						.packets = own->packets,
						.loads = loads.load,
						.n_loads = own->loads.n,
						.pattern = own->pattern,
						.progress = show_points,
						.context = &step};
	int status = settle_experiment_loads(x, own, &loads, err);
	if (status || check)
		return status ? status : odo_experiment_change(x, &options, &changed, err);
	cli_step_begin(&step, x->name);
	status = odo_sweep_mpi_agree(odo_experiment_run(x, &options, err), err);
	return cli_step_end(&step, status);
}

/** Run all experiments, on all ranks alike. Options are checked for all of them before the first
 * begins. */
static int run_all(cli_call *call, const odo_experiments *all, odo_error *err)
{
	const settings *own = call->settings;
	int status = 0;
	for (uint32_t i = 0; !status && i < all->n; i++)
		status = run_one(all->experiment[i], own, true, err);
	for (uint32_t i = 0; !status && i < all->n; i++)
		status = run_one(all->experiment[i], own, false, err);
	if (status || call->elsewhere)
		return status;
	return all->n == 1
		       ? describe_experiment(all->experiment[0], folder_of(own), &call->result, err)
		       : describe_experiments(all, folder_of(own), &call->result, err);
}

/** Obey `--list` or `--print`, or run the experiments that `--only` has selected. */
static int run_or_list(cli_call *call, const odo_experiments *all, odo_error *err)
{
	const settings *own = call->settings;
	if (own->list)
		return call->elsewhere ? 0 : list_experiments(call, all, err);
	if (own->print)
		return call->elsewhere ? 0 : print_experiment(all, err);
	return run_all(call, all, err);
}

static int run_experiment(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	settings *own = call->settings;
	if (own->redraw)
		return call->elsewhere ? 0 : redraw_experiment(call, err);
	odo_experiments all = {0};
	odo_experiment *one = NULL;
	odo_sweep_mpi_begin();
	call->elsewhere = odo_sweep_mpi_rank() > 0;
	int status = odo_sweep_mpi_agree(odo_experiments_read(call->arg[0], &all, err), err);
	odo_experiments chosen = all;
	if (!status && own->only) {
		status = odo_experiments_find(&all, own->only, &one, err);
		chosen = (odo_experiments){.experiment = &one, .n = 1};
	}
	if (!status)
		status = run_or_list(call, &chosen, err);
	odo_experiments_free(&all);
	odo_sweep_mpi_end();
	return status;
}

static const cli_flag flags[] = {
	{"folder", 0, "FOLDER", "Folder for the results [the current one]", NULL,
	 CLI_TEXT(settings, folder), .not_with = OTHER_MODES},
	{"threads", 0, "N", "Points that run at the same time [1]",
	 "Points that run at the same time", CLI_NUMBER(settings, threads, 1, 1024), .usual = "1",
	 .not_with = OTHER_MODES},
	{"measured", 0, "CYCLES", NULL,
	 "Measure so many cycles, and warm up in proportion, instead of the file's cycles",
	 CLI_NUMBER(settings, measured, 1, 1000000000), .not_with = OTHER_MODES},
	{"loads", 0, "LOADS", NULL,
	 "Run these loads instead of the file's: 0.5, a list 0.1,0.5, a range 0.1:1.0:0.1",
	 CLI_OWN(set_listed_loads, settings, loads), .not_with = OTHER_MODES},
	{"packets", 0, "N", NULL,
	 "Packets that each host of a burst sends, instead of the file's number",
	 CLI_NUMBER(settings, packets, 1, 1u << 30), .not_with = OTHER_MODES},
	{"seeds", 0, "N", NULL, "Run so many seeds instead of the file's number",
	 CLI_NUMBER(settings, seeds, 1, 1000), .not_with = OTHER_MODES},
	{"only", 0, "NAME", "Run one of several experiments in FILE", NULL,
	 CLI_TEXT(settings, only), .not_with = "redraw"},
	{"pattern", 0, "TEXT", NULL,
	 "Run only the points whose pattern begins with TEXT now; the others stay missing",
	 CLI_TEXT(settings, pattern), .not_with = OTHER_MODES},
	{"list", 0, NULL, "Run nothing: list the experiments in FILE", NULL,
	 CLI_BOOL(settings, list), .not_with = "print,redraw"},
	{"print", 0, NULL, NULL,
	 "Run nothing: write the experiment as a file that includes no other and has no variants",
	 CLI_BOOL(settings, print), .not_with = "redraw"},
	{"redraw", 0, NULL, "Run nothing: draw a CSV of results again",
	 "Run nothing: FILE is a CSV that this or an older version wrote; draw it again, beside "
	 "it, by its head",
	 CLI_BOOL(settings, redraw)},
	{0}};

static const cli_example examples[] = {
	{"odonata experiment quick.yaml --threads 2",
	 "Run all points of a file, or what is missing", CLI_OK},
	{"odonata experiment --list quick.yaml", "Which experiments a file holds", CLI_OK},
	{"odonata experiment --redraw quick.csv", "Draw the results of a file again", CLI_OK},
	{0}};

const cli_command cli_experiment = {
	.name = "experiment",
	.arguments = "FILE",
	.summary = "Run figures and tables of papers from their files",
	.about = "Run every point of the experiments in a file: routings, patterns, loads and "
		 "seeds on a fabric. Results go into NAME.csv, with a gnuplot script NAME.gp, and "
		 "for tables and single loads NAME.md. configs/README.md lists the keys of a file; "
		 "configs/ has the figures and tables of the papers.\n\n"
		 "A run that was killed continues when it is started again: nothing is lost or "
		 "done twice. The bytes are the same for any number of threads and, if Odonata was "
		 "built with ODONATA_MPI and started by mpirun or srun, of ranks.",
	.flags = flags,
	.groups = 0,
	.ranks = true,
	.settings_size = sizeof(settings),
	.run = run_experiment,
	.examples = examples,
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata reproduce: the figures of the papers, by the manifest in docs/results. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "cli/rows.h"
#include "experiment/reproduce/manifest.h"
#include "experiment/reproduce/pages.h"
#include "experiment/reproduce/record.h"
#include "experiment/reproduce/run.h"
#include "fabric/fabric.h"

#define MANIFEST "docs/results/papers.yaml"

typedef struct settings {
	const char *manifest, *html;
	bool list, check, record, curves, pages;
	uint64_t work, seed;
	unsigned tries, threads;
} settings;

/** Return true if a new run of a CSV agrees with the record. */
static bool is_as_recorded(const odo_record_row *before, const odo_record_row *row)
{
	odo_again was = before && before->point != ODO_NONE ? before->again : ODO_AGAIN_SAME;
	return row->point == ODO_NONE || row->again <= was;
}

static json_t *record_row(const odo_record_row *row)
{
	return json_pack("{ss sI ss ss}", "file", row->file, "point", (json_int_t)row->point,
			 "again", odo_again_names[row->again], "difference", row->what);
}

/** Count the rows of one kind. */
static json_int_t count_rows(const odo_record *all, odo_again which)
{
	json_int_t n = 0;
	for (size_t i = 0; i < all->n; i++)
		n += all->row[i].again == which;
	return n;
}

/** Run a point of each CSV. CSVs that the record calls stale are skipped; to update the record,
 * those already in it too.
 * @param wrong rows that differ from the record */
static int check_points(const settings *own, const char *folder, odo_record *all, json_t **wrong,
			odo_error *err)
{
	const odo_try how = {
		.work = own->work, .seed = own->seed, .n = own->tries, .curves = own->curves};
	odo_record known;
	cli_step step;
	int status = odo_record_read(folder, &known, err);
	cli_step_begin(&step, "results");
	for (size_t i = 0; !status && i < all->n; i++) {
		odo_record_row *row = &all->row[i];
		const odo_record_row *before = odo_record_row_of(&known, row->file);
		bool stale = before && before->again == ODO_AGAIN_DIFFERS;
		cli_step_at(&step, (double)i / (double)all->n, "%.200s, %zu of %zu", row->file,
			    i + 1, all->n);
		status = odo_record_run(folder, &how, before, own->record || stale, row, err);
		if (!status && !is_as_recorded(before, row))
			cli_append(wrong, record_row(row));
	}
	cli_step_end(&step, status);
	odo_record_free(&known);
	return status;
}

/** List a figure whose results differ from those that the manifest asks for. */
static int list_unlike_manifest(const odo_manifest *m, const odo_figure *f, json_t **others,
				odo_error *err)
{
	const odo_record none = {0};
	odo_figure_state s;
	char what[120];
	int status = odo_figure_state_make(m, f, &none, &s, err);
	const char *key = s.there ? odo_experiment_differs(&s.asked.x, &s.result.x) : NULL;
	if (key)
		snprintf(what, sizeof what, "another %s", key);
	else
		snprintf(what, sizeof what, "%u more points", s.n_asked - s.n_has);
	if (!status && (key || (s.others && !s.whole)))
		cli_append(others, json_pack("{ss ss ss}", "name", f->name, "results", f->results,
					     "asked for", what));
	odo_figure_state_clear(&s);
	return status;
}

static int check_results(cli_call *call, const odo_manifest *m, odo_error *err)
{
	const settings *own = call->settings;
	odo_record all = {0};
	json_t *wrong = json_array(), *others = json_array(), **r = &call->result;
	int status = odo_record_find(m->folder, &all, err);
	for (uint32_t i = 0; !status && i < m->figures_count; i++)
		status = list_unlike_manifest(m, &m->figures[i], &others, err);
	if (!status)
		status = check_points(own, m->folder, &all, &wrong, err);
	if (!status && own->record)
		status = odo_record_write(&all, m->folder, err);
	bool fine = json_array_size(wrong) == 0 && json_array_size(others) == 0;
	*r = json_object();
	cli_put_count(r, "results", all.n);
	for (unsigned i = 0; i <= ODO_AGAIN_DEAR; i++)
		cli_put_count(r, odo_again_names[i], (uint64_t)count_rows(&all, (odo_again)i));
	cli_put(r, "not as recorded", wrong);
	cli_put(r, "not as asked for", others);
	odo_record_free(&all);
	if (!status)
		status = cli_check_answer(*r, err);
	call->code = fine || own->record ? CLI_OK : CLI_NO;
	return status;
}

/** Figures of the manifest, with their state. */
typedef struct known {
	odo_manifest *m;
	odo_record record;
	odo_figure_state *state; /**< [figures_count] */
	uint32_t *ran;           /**< points run just now; NULL: none were to be run */
} known;

static int read_figure_state(known *k, uint32_t i, odo_error *err)
{
	odo_figure_state_clear(&k->state[i]);
	return odo_figure_state_make(k->m, &k->m->figures[i], &k->record, &k->state[i], err);
}

static int read_figure_states(known *k, odo_error *err)
{
	int status = odo_record_read(k->m->folder, &k->record, err);
	k->state = odo_new(k->m->figures_count, sizeof *k->state);
	if (!status && !k->state)
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	for (uint32_t i = 0; !status && i < k->m->figures_count; i++)
		status = read_figure_state(k, i, err);
	return status;
}

static void clear_known(known *k)
{
	for (uint32_t i = 0; k->state && i < k->m->figures_count; i++)
		odo_figure_state_clear(&k->state[i]);
	free(k->state);
	free(k->ran);
	odo_record_free(&k->record);
	odo_manifest_free(k->m);
}

/** Return true if this figure was named, or none was. */
static bool is_figure_wanted(const cli_call *call, const odo_figure *f)
{
	for (unsigned i = 0; i < call->n_args; i++)
		if (!strcmp(call->arg[i], f->name))
			return true;
	return !call->n_args;
}

/** Describe a figure.
 * @param ran points run now; NULL: none were to be run */
static json_t *figure_row(const odo_figure_state *s, const uint32_t *ran)
{
	char verdict[120];
	const odo_figure *f = s->figure;
	odo_figure_state_verdict(s, verdict, sizeof verdict);
	return json_pack("{ss ss ss so sI sI so* so so}", "name", f->name, "paper", f->paper,
			 "figure", f->figure, "results", cli_json_text(odo_figure_state_word(s)),
			 "points", (json_int_t)s->n_has, "of", (json_int_t)s->n_asked, "ran",
			 ran ? json_integer((json_int_t)*ran) : NULL, "verdict",
			 cli_json_text(verdict), "title", cli_json_text(f->title));
}

static int answer_figures(cli_call *call, const known *k, odo_error *err)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < k->m->figures_count; i++)
		if (is_figure_wanted(call, &k->m->figures[i]))
			cli_append(&rows, figure_row(&k->state[i], k->ran ? &k->ran[i] : NULL));
	call->result = json_pack("{so}", "figures", rows);
	return cli_check_answer(call->result, err);
}

typedef struct figure_progress {
	const char *name;
	cli_step step;
} figure_progress;

static void show_figure_points(void *context, double done, uint32_t n_points)
{
	figure_progress *x = context;
	cli_step_at(&x->step, done / n_points, "%u of %u points of %.200s", (uint32_t)done,
		    n_points, x->name);
}

/** Count the points of a figure that are missing or stale. */
static uint32_t count_missing_points(const odo_figure_state *s)
{
	return s->n_asked - (s->stale ? 0 : s->n_has);
}

/** Return true if no earlier figure has the same results, which are run only once. */
static bool is_first_of(const odo_manifest *m, uint32_t i)
{
	for (uint32_t j = 0; j < i; j++)
		if (!strcmp(m->figures[j].results, m->figures[i].results))
			return false;
	return true;
}

/** Announce the work on a terminal if no figure is named. */
static void announce_points(const cli_call *call, const known *k)
{
	uint32_t figures = 0, points = 0;
	for (uint32_t i = 0; !call->n_args && i < k->m->figures_count; i++) {
		uint32_t missing = is_first_of(k->m, i) ? count_missing_points(&k->state[i]) : 0;
		figures += missing > 0;
		points += missing;
	}
	if (points && isatty(STDERR_FILENO))
		fprintf(stderr,
			"points to run: %u, figures: %u; after Ctrl-C the next run continues "
			"there\n",
			points, figures);
}

/** Run the named figures if something is missing or stale. */
static int run_figures(const cli_call *call, known *k, odo_error *err)
{
	const settings *own = call->settings;
	k->ran = odo_new(k->m->figures_count, sizeof *k->ran);
	int status = k->ran ? 0 : odo_fail(err, ODO_ENOMEM, "out of memory");
	for (uint32_t i = 0; !status && i < k->m->figures_count; i++) {
		const odo_figure *f = &k->m->figures[i];
		const odo_figure_state *s = &k->state[i];
		figure_progress step = {.name = f->name};
		const odo_experiment_options how = {
			.threads = own->threads, .progress = show_figure_points, .context = &step};
		if (!is_figure_wanted(call, f))
			continue;
		status = read_figure_state(
			k, i, err); /* another figure may have run the same experiment */
		/* Uncertain results need more seeds, so points may be missing again. */
		while (!status && count_missing_points(s)) {
			k->ran[i] += count_missing_points(s);
			cli_step_begin(&step.step, f->name);
			status = cli_step_end(&step.step, odo_figure_run(s, &how, err));
			if (!status)
				status = read_figure_state(k, i, err);
		}
	}
	return status;
}

/** Write plots, pages and index. */
static int write_pages(const cli_call *call, const known *k, odo_error *err)
{
	char folder[1200];
	int status = 0;
	snprintf(folder, sizeof folder, "%.1000s/" ODO_PAGES_FOLDER, k->m->folder);
	if (mkdir(folder, 0777) && errno != EEXIST)
		return odo_fail(err, ODO_EIO, "%s: %s", folder, strerror(errno));
	for (uint32_t i = 0; !status && i < k->m->figures_count; i++) {
		if (!is_figure_wanted(call, &k->m->figures[i]))
			continue;
		status = odo_pages_plot(&k->state[i], err);
		if (!status)
			status = odo_pages_write_figure(&k->state[i], err);
	}
	return status ? status : odo_pages_write_index(k->m, k->state, err);
}

static int write_html(const settings *own, const known *k, odo_error *err)
{
	cli_file file;
	int status = cli_file_open(own->html, &file, err);
	if (status)
		return status;
	return cli_file_close(&file, odo_pages_write_html(k->m, k->state, file.to, err), err);
}

static int serve_figures(cli_call *call, known *k, odo_error *err)
{
	const settings *own = call->settings;
	const odo_figure *unused;
	int status = 0;
	for (unsigned i = 0; !status && i < call->n_args; i++)
		status = odo_manifest_find(k->m, call->arg[i], &unused, err);
	if (!status)
		status = read_figure_states(k, err);
	if (!status && !own->list && !own->pages && !own->html) {
		announce_points(call, k);
		status = run_figures(call, k, err);
	}
	if (!status && !own->list && (own->pages || !own->html))
		status = write_pages(call, k, err);
	if (!status && own->html)
		return write_html(own, k, err);
	return status ? status : answer_figures(call, k, err);
}

static int run_reproduce(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	const settings *own = call->settings;
	known k = {0};
	int status = odo_manifest_read(own->manifest, &k.m, err);
	if (!status)
		status = own->check ? check_results(call, k.m, err) : serve_figures(call, &k, err);
	clear_known(&k);
	return status;
}

static const cli_flag flags[] = {
	{"manifest", 0, "FILE", "List of figures [" MANIFEST "]", "List of figures",
	 CLI_TEXT(settings, manifest), .usual = MANIFEST},
	{"list", 0, NULL, "Run nothing: list the figures and their state", NULL,
	 CLI_BOOL(settings, list), .not_with = "check,pages,html"},
	{"check", 0, NULL, "Run one point of each CSV again",
	 "Run one point of each CSV beside the manifest or below again, if that is cheap, and "
	 "compare it with the CSV",
	 CLI_BOOL(settings, check), .not_with = "pages,html"},
	{"work", 0, "N", NULL, "With --check: most packet-hops of a point",
	 CLI_NUMBER(settings, work, 1, UINT64_MAX / 2), .usual = "1000000", .needs = "check"},
	{"seed", 0, "N", NULL,
	 "With --check: seed that draws the point [the dearest point below --work]",
	 CLI_NUMBER(settings, seed, 1, UINT32_MAX), .needs = "check"},
	{"tries", 0, "N", NULL, "With --check: points of each CSV, until one differs",
	 CLI_NUMBER(settings, tries, 1, 1000), .usual = "1", .needs = "check"},
	{"curves", 0, NULL, NULL,
	 "With --check: also the cheapest point of each curve, whose tables may have changed",
	 CLI_BOOL(settings, curves), .needs = "check"},
	{"record", 0, NULL, NULL,
	 "With --check: write the findings into again.csv beside the manifest; results in it that "
	 "have not changed are not tried again",
	 CLI_BOOL(settings, record), .needs = "check"},
	{"pages", 0, NULL, "Run nothing: write pages, plots and an index",
	 "Run nothing: write a page and a plot for each figure, and an index",
	 CLI_BOOL(settings, pages)},
	{"html", 0, "FILE", "Run nothing: write all pages into one HTML file", NULL,
	 CLI_TEXT(settings, html)},
	{"threads", 0, "N", "Points that run at the same time [1]",
	 "Points that run at the same time", CLI_NUMBER(settings, threads, 1, 1024), .usual = "1"},
	{0}};

static const cli_example examples[] = {
	{"odonata reproduce --list", "Which figures there are, and what is known of each", CLI_OK},
	{"odonata reproduce kim-fig09", "Run a figure, or what is missing of it", CLI_OK},
	{"odonata reproduce --check --work 100000", "Whether results are what this version makes",
	 CLI_OK},
	{"odonata reproduce --html papers.html", "All pages in one file", CLI_OK},
	{0}};

const cli_command cli_reproduce = {
	.name = "reproduce",
	.arguments = "[FIGURE...]",
	.summary = "Reproduce figures of papers, and judge their statements",
	.about =
		"Run the figures that a manifest lists, or only those named, if a point is missing "
		"or the results are stale. Judge the papers' statements about them, and write a "
		"plot and a page for each into the folder papers beside the manifest, with an "
		"index by paper. A run that was killed continues when it is started again. A stale "
		"figure runs beside the old results, and replaces them when it is complete.\n\n"
		"Results are stale if an emulator of another meaning made them, or if one of their "
		"points, run again, gave another figure; --check finds that out. It exits with 1 "
		"if a result differs from its record in again.csv, or from the manifest and its "
		"configuration.\n\n"
		"If the manifest asks for more curves, patterns, loads or seeds, only the missing "
		"points run. If it asks for anything else, such as another warm-up, the results "
		"are stale.\n\n"
		"Plots need gnuplot. docs/results/manifest.md lists the keys of a manifest.",
	.flags = flags,
	.settings_size = sizeof(settings),
	.run = run_reproduce,
	.examples = examples,
};

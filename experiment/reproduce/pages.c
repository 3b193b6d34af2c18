/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/pages.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/replace.h"
#include "experiment/point.h"
#include "experiment/reproduce/cells.h"
#include "experiment/reproduce/draw.h"
#include "experiment/reproduce/page.h"

extern char **environ;

/* @param path [1100] outlives the file */
static int open_page_file(const odo_manifest *m, const char *name, const char *ending, char *path,
			  odo_draft *file, odo_error *err)
{
	snprintf(path, 1100, "%.800s/" ODO_PAGES_FOLDER "/%.200s.%s", m->folder, name, ending);
	return odo_draft_open(file, path, 0666, ODO_DRAFT_OUTPUT, err);
}

static int run_gnuplot(const char *script, odo_error *err)
{
	char *const argv[] = {(char *)(uintptr_t) "gnuplot", (char *)(uintptr_t)script, NULL};
	pid_t pid;
	int code = 0, failed = posix_spawnp(&pid, "gnuplot", NULL, NULL, argv, environ);
	if (failed)
		return odo_fail(err, ODO_EIO, "gnuplot: %s; plots need it", strerror(failed));
	while (waitpid(pid, &code, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(code) || WEXITSTATUS(code))
		return odo_fail(err, ODO_EIO, "%s: gnuplot failed", script);
	return 0;
}

int odo_pages_plot(const odo_figure_state *s, odo_error *err)
{
	char script[1100], svg[1100];
	odo_draft file;
	int status = open_page_file(s->manifest, s->figure->name, "gp", script, &file, err);
	if (status)
		return status;
	snprintf(svg, sizeof svg, "%.*s.svg", (int)strlen(script) - 3, script);
	bool any = s->there && !s->result.withdrawn && !odo_cells_are_there(s) &&
		   odo_figure_draw(s->figure, &s->result, svg, file.to);
	status = odo_draft_close(&file, 0, err);
	if (!status && any)
		status = run_gnuplot(script, err);
	remove(script); /* the script has no information beyond the CSV and the manifest */
	return status;
}

/** Describe the selected points and rows in words. @return letters */
static size_t describe_pick(const odo_figure *f, const odo_pick *pick, char *out, size_t size)
{
	bool most = pick->load && !strcmp(pick->load, "most");
	bool all = !strcmp(pick->pattern, "all");
	int n = snprintf(out, size, "%s, %s%s%s%s%s", odo_figure_word(f, pick->curve),
			 all ? "mean over all patterns" : odo_figure_word(f, pick->pattern),
			 most         ? ", at the best load"
			 : pick->load ? ", load "
				      : "",
			 most || !pick->load ? "" : pick->load, pick->rows ? ", rows " : "",
			 pick->rows ? pick->rows : "");
	return n > 0 && (size_t)n < size ? (size_t)n : size - 1;
}

/** Write the verdict, the part that chance may have in it, and the claim's note. */
static void describe_verdict(const odo_claim *c, const odo_judgement *j, char *out, size_t size)
{
	char chance[80] = "";
	if (j->near)
		snprintf(chance, sizeof chance, "; near its limit, of one seed");
	else if (j->alone < j->seeds)
		snprintf(chance, sizeof chance, "; so do %u of %u seeds alone", j->alone, j->seeds);
	snprintf(out, size, "%s%s%.100s%s%s%.150s", odo_claim_verdict_names[j->verdict],
		 j->why ? ": " : "", j->why ? j->why : "", chance, c->note ? "; " : "",
		 c->note ? c->note : "");
}

static void write_claims(const odo_page *p, const odo_figure_state *s)
{
	if (odo_cells_are_there(s)) {
		odo_cells_write(p, s);
		return;
	}
	static const char *const head[] = {"the paper says", "where", "what",   "paper",
					   "ours",           "seeds", "verdict"};
	const odo_figure *f = s->figure;
	if (!f->claims_count) {
		odo_page_paragraph(
			p, "The paper's text states no number that ours could be compared with. "
			   "Compare the curves.");
		return;
	}
	odo_page_table(p, 7, head);
	for (uint32_t i = 0; i < f->claims_count; i++) {
		const odo_claim *c = &f->claims[i];
		const odo_judgement *j = &s->judged[i];
		bool known = j->verdict != ODO_CLAIM_UNKNOWN;
		char what[600], ours[40] = "", seeds[20] = "", verdict[400], rule[100], by[20] = "";
		snprintf(what, sizeof what, "%.60s of ", c->figure);
		size_t used = strlen(what);
		used += describe_pick(f, c->of, what + used, sizeof what - used);
		if (c->over) {
			snprintf(what + used, sizeof what - used, ", as a share of ");
			used = strlen(what);
			describe_pick(f, c->over, what + used, sizeof what - used);
		}
		if (c->allowed > 0)
			snprintf(by, sizeof by, " ± %.4g %%", 100 * c->allowed);
		snprintf(rule, sizeof rule, "%s%s%s",
			 c->judged_by == ODO_RULE_AT_LEAST  ? "at least "
			 : c->judged_by == ODO_RULE_AT_MOST ? "at most "
							    : "",
			 c->paper, by);
		if (known) {
			snprintf(ours, sizeof ours, "%.4g", j->ours);
			snprintf(seeds, sizeof seeds, "%u", j->seeds);
		}
		describe_verdict(c, j, verdict, sizeof verdict);
		odo_page_row(
			p, 7,
			(const char *const[]){c->says, c->where, what, rule, ours, seeds, verdict});
	}
	odo_page_table_end(p);
}

static void write_differences(const odo_page *p, const odo_figure *f)
{
	if (f->unexplained) {
		odo_page_heading(p, 3, "What remains unexplained", NULL);
		odo_page_paragraph(p, "%s", f->unexplained);
	}
	if (!f->varied_count)
		return;
	odo_page_heading(p, 3, "What was varied", NULL);
	odo_page_table(p, 2, (const char *const[]){"varied", "found"});
	for (uint32_t i = 0; i < f->varied_count; i++)
		odo_page_row(p, 2, (const char *const[]){f->varied[i].what, f->varied[i].found});
	odo_page_table_end(p);
}

static void write_runs(const odo_page *p, const odo_figure_state *s)
{
	const odo_figure *f = s->figure;
	char command[300];
	odo_page_heading(p, 3, "How it was run", NULL);
	if (s->there) {
		const odo_experiment *x = &s->result.x;
		bool more = s->asked.seeds < x->n_seeds && x->n_seeds == s->asked.x.n_seeds;
		odo_page_paragraph(p,
				   "Fabric %s, model %s: %u of %u points, in %s. Seeds %" PRIu64
				   " to %" PRIu64 "%s, %" PRIu64 " cycles of warm-up and %" PRIu64
				   "%s measured. Run again with this version: %s.",
				   x->fabric, *x->model ? x->model : "of the first preset",
				   s->result.n_lines, more ? s->n_asked : s->result.n_points,
				   f->results, x->first_seed, x->first_seed + x->n_seeds - 1,
				   more ? " where a verdict depends on them" : "", x->warmup,
				   x->measured, x->kind == ODO_EXPERIMENT_LOAD ? "" : " at most",
				   s->age);
		if (s->others)
			odo_page_paragraph(p, "The manifest asks for %u points; %u are missing.",
					   s->n_asked, s->n_asked - s->n_has);
		odo_page_table(p, 3,
			       (const char *const[]){"curve", "routing", "changes of the model"});
		for (uint32_t i = 0; i < x->n_curves; i++)
			odo_page_row(p, 3,
				     (const char *const[]){odo_figure_word(f, x->curves[i].name),
							   x->curves[i].routing,
							   x->curves[i].model});
		odo_page_table_end(p);
	}
	snprintf(command, sizeof command, "odonata reproduce %.200s", f->name);
	odo_page_command(p, command);
}

/** Write a figure without its title. */
static void write_figure_body(const odo_page *p, const odo_figure_state *s)
{
	const odo_figure *f = s->figure;
	char verdict[120], file[1100], link[300];
	odo_figure_state_verdict(s, verdict, sizeof verdict);
	odo_page_paragraph(p, "%s.", f->title);
	odo_page_paragraph(p, "Verdict: %s.%s%s%s", verdict,
			   s->stale || !s->there ? " Our results: " : "",
			   s->stale || !s->there ? s->age : "", s->stale || !s->there ? "." : "");
	for (uint32_t i = 0; i < f->pictures_count; i++) {
		odo_manifest_path(s->manifest, f->pictures[i], file, sizeof file);
		snprintf(link, sizeof link, "../%.200s", f->pictures[i]);
		odo_page_picture(p, file, link, f->title);
	}
	if (s->there && s->result.n_lines && !s->result.withdrawn && !odo_cells_are_there(s)) {
		snprintf(link, sizeof link, "%.200s.svg", f->name);
		snprintf(file, sizeof file, "%.700s/" ODO_PAGES_FOLDER "/%s", s->manifest->folder,
			 link);
		if (f->pictures_count)
			odo_page_paragraph(p, "The same runs, by %s:",
					   odo_point_main_column(s->result.x.kind));
		odo_page_picture(p, file, link, f->title);
	}
	write_differences(p, f);
	odo_page_heading(p, 3, "What the paper says", NULL);
	write_claims(p, s);
	write_runs(p, s);
}

static void title_of(const odo_figure *f, char *title, size_t size)
{
	snprintf(title, size, "Paper %s, %s", f->paper, f->figure);
}

int odo_pages_write_figure(const odo_figure_state *s, odo_error *err)
{
	char path[1100], title[600];
	odo_draft file;
	int status = open_page_file(s->manifest, s->figure->name, "md", path, &file, err);
	if (status)
		return status;
	odo_page p = {.to = file.to};
	fputs("<!-- Written by `odonata reproduce --pages`. -->\n\n", p.to);
	title_of(s->figure, title, sizeof title);
	odo_page_heading(&p, 1, title, NULL);
	write_figure_body(&p, s);
	return odo_draft_close(&file, 0, err);
}

/** Write the figures of a paper, a row each. */
static void index_paper(const odo_page *p, const odo_manifest *m, const odo_paper *paper,
			const odo_figure_state *states)
{
	char title[500];
	snprintf(title, sizeof title, "%.10s: %.300s", paper->number, paper->title);
	odo_page_heading(p, 2, title, NULL);
	odo_page_paragraph(p, "%s", paper->authors);
	odo_page_table(p, 4, (const char *const[]){"figure", "title", "verdict", "our results"});
	for (uint32_t i = 0; i < m->figures_count; i++) {
		const odo_figure *f = &m->figures[i];
		char verdict[120], link[300];
		if (strcmp(f->paper, paper->number))
			continue;
		odo_figure_state_verdict(&states[i], verdict, sizeof verdict);
		/* Names consist of letters, digits and dashes. */
		snprintf(link, sizeof link, "%s%.200s%s", p->html ? "#" : "", f->name,
			 p->html ? "" : ".md");
		odo_page_row_to(p, link, 4,
				(const char *const[]){f->figure, f->title, verdict,
						      odo_figure_state_word(&states[i])});
	}
	odo_page_table_end(p);
}

/** Write the unexplained differences, before the rest. */
static void index_unexplained(const odo_page *p, const odo_manifest *m)
{
	odo_page_heading(p, 2, "What remains unexplained", NULL);
	odo_page_table(p, 3, (const char *const[]){"paper", "figure", "what"});
	for (uint32_t i = 0; i < m->figures_count; i++)
		if (m->figures[i].unexplained)
			odo_page_row(p, 3,
				     (const char *const[]){m->figures[i].paper,
							   m->figures[i].figure,
							   m->figures[i].unexplained});
	odo_page_table_end(p);
}

static void write_index(const odo_page *p, const odo_manifest *m, const odo_figure_state *states)
{
	unsigned count[3] = {0}, stale = 0, doubtful = 0;
	for (uint32_t i = 0; i < m->figures_count; i++) {
		stale += states[i].stale && !states[i].result.withdrawn;
		doubtful += states[i].doubtful;
		for (unsigned k = 0; k < 3; k++)
			count[k] += states[i].count[k];
	}
	odo_page_paragraph(
		p,
		"%u figures. The papers make claims about them in numbers: %u agree with our "
		"results, %u differ, and %u cannot be told. %u of these verdicts depend on the "
		"seed: seeds disagree, or a single seed is near the limit.%s",
		m->figures_count, count[0], count[1], count[2], doubtful,
		stale ? " This version gives other figures than results marked as stale." : "");
	index_unexplained(p, m);
	for (uint32_t i = 0; i < m->papers_count; i++)
		index_paper(p, m, &m->papers[i], states);
}

int odo_pages_write_index(const odo_manifest *m, const odo_figure_state *states, odo_error *err)
{
	char path[1100];
	odo_draft file;
	int status = open_page_file(m, "README", "md", path, &file, err);
	if (status)
		return status;
	odo_page p = {.to = file.to};
	fputs("<!-- Written by `odonata reproduce --pages`. -->\n\n", p.to);
	odo_page_heading(&p, 1, "The papers' figures, and ours", NULL);
	write_index(&p, m, states);
	return odo_draft_close(&file, 0, err);
}

int odo_pages_write_html(const odo_manifest *m, const odo_figure_state *states, FILE *to,
			 odo_error *err)
{
	bool no_memory = false;
	const odo_page p = {.to = to, .html = true, .no_memory = &no_memory};
	odo_page_begin_html(to, "The papers' figures, and ours");
	odo_page_heading(&p, 1, "The papers' figures, and ours", NULL);
	fputs("<input id=\"search\" type=\"search\" placeholder=\"Search\" aria-label=\"Search\">\n"
	      "<section>\n",
	      to);
	write_index(&p, m, states);
	fputs("</section>\n", to);
	for (uint32_t i = 0; i < m->figures_count; i++) {
		char title[600];
		title_of(&m->figures[i], title, sizeof title);
		fputs("<section>\n", to);
		odo_page_heading(&p, 2, title, m->figures[i].name);
		write_figure_body(&p, &states[i]);
		fputs("</section>\n", to);
	}
	odo_page_end_html(to);
	if (no_memory)
		return odo_fail(err, ODO_ENOMEM, "no memory for a page");
	return ferror(to) ? odo_fail(err, ODO_EIO, "a page cannot be written") : 0;
}

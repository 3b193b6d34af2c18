/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/cells.h"

#include <stdio.h>
#include <string.h>

#include "experiment/point.h"

#define MOST_PATTERNS 20

/** A cell of the table, as texts of the page. */
struct cell {
	char ours[24], papers[60], bound[24], full[24], least[24];
	const char *verdict, *how;
	unsigned rank; /**< rank of its verdict, in the order of the page */
};

/* Ranks, first to last. */
enum { DIFFERS, AGREES, NO_PAPER, NOT_RUN, RANKS };
static const char *const verdicts[RANKS] = {[DIFFERS] = "differs",
					    [AGREES] = "agrees",
					    [NO_PAPER] = "the paper has no figure",
					    [NOT_RUN] = "not run"};

bool odo_cells_are_there(const odo_figure_state *s)
{
	return s->there && s->result.x.kind == ODO_EXPERIMENT_SATURATION;
}

static const odo_judgement *judgement_of(const odo_figure_state *s, uint32_t curve,
					 uint32_t pattern, const odo_claim **claim)
{
	const odo_experiment *x = &s->result.x;
	for (uint32_t i = 0; i < s->figure->claims_count; i++) {
		*claim = &s->figure->claims[i];
		if (!strcmp((*claim)->of->curve, x->curves[curve].name) &&
		    !strcmp((*claim)->of->pattern, x->patterns[pattern]))
			return &s->judged[i];
	}
	*claim = NULL;
	return NULL;
}

static void write_percent(const odo_figure_state *s, uint32_t point, const char *column, char *out,
			  size_t size)
{
	double value;
	*out = '\0';
	if (odo_result_mean(&s->result, point, column, &value))
		snprintf(out, size, "%.1f", 100 * value);
}

/* The figure follows the last ": " of the paper's claim: "Mixed DOR, reverse: 5.5 %". */
static void write_papers(const odo_claim *claim, char *out, size_t size)
{
	const char *colon = claim ? strrchr(claim->says, ':') : NULL;
	size_t n = colon ? strcspn(colon + 2, " ") : 0;
	snprintf(out, size, "%.*s", (int)n, colon ? colon + 2 : "");
}

/* Is the sustained load within a step of the bound, so that links alone explain it? */
static bool is_next_below(const odo_figure_state *s, uint32_t point, double bound)
{
	double sustained, step = 1.0 / s->result.x.search.steps;
	return bound > 0 && odo_result_mean(&s->result, point, "sustained", &sustained) &&
	       sustained < bound && sustained + step >= bound * (1 - 1e-4);
}

static struct cell cell_of(const odo_figure_state *s, uint32_t curve, uint32_t pattern)
{
	struct cell c = {.rank = NOT_RUN};
	const odo_claim *claim;
	const odo_judgement *j = judgement_of(s, curve, pattern, &claim);
	uint32_t point = odo_result_point(&s->result, curve, pattern, 0);
	write_papers(claim, c.papers, sizeof c.papers);
	if (!s->result.withdrawn) {
		write_percent(s, point, "sustained", c.ours, sizeof c.ours);
		write_percent(s, point, "accepted_at_full", c.full, sizeof c.full);
		write_percent(s, point, "least_at_full", c.least, sizeof c.least);
	}
	double bound = odo_figure_state_bound(s, curve, pattern);
	if (bound > 0)
		snprintf(c.bound, sizeof c.bound, "%.1f", 100 * bound);
	c.how = !*c.ours                         ? ""
		: is_next_below(s, point, bound) ? "searched: the 128th below the bound"
						 : "searched";
	if (*c.ours)
		c.rank = !j ? NO_PAPER : j->verdict == ODO_CLAIM_AGREES ? AGREES : DIFFERS;
	c.verdict = verdicts[c.rank];
	return c;
}

/* Write cells such as "11.7 (paper 12.5)": rows are routings, columns patterns. */
static void write_glance(const odo_page *p, const odo_figure_state *s)
{
	const odo_experiment *x = &s->result.x;
	uint32_t n = x->n_patterns < MOST_PATTERNS ? x->n_patterns : MOST_PATTERNS;
	const char *cells[MOST_PATTERNS + 1] = {"ours (paper's), %"};
	char text[MOST_PATTERNS][100];
	for (uint32_t k = 0; k < n; k++)
		cells[k + 1] = odo_figure_word(s->figure, x->patterns[k]);
	odo_page_table(p, n + 1, cells);
	for (uint32_t i = 0; i < x->n_curves; i++) {
		cells[0] = odo_figure_word(s->figure, x->curves[i].name);
		for (uint32_t k = 0; k < n; k++) {
			struct cell c = cell_of(s, i, k);
			snprintf(text[k], sizeof text[k], "%s%s%s%s%s",
				 *c.ours ? c.ours : "not run", *c.papers ? " (" : "", c.papers,
				 *c.papers ? ")" : "", c.rank == DIFFERS ? " differs" : "");
			cells[k + 1] = text[k];
		}
		odo_page_row(p, n + 1, cells);
	}
	odo_page_table_end(p);
}

static void write_of_rank(const odo_page *p, const odo_figure_state *s, unsigned rank)
{
	const odo_experiment *x = &s->result.x;
	for (uint32_t i = 0; i < x->n_curves; i++)
		for (uint32_t k = 0; k < x->n_patterns; k++) {
			struct cell c = cell_of(s, i, k);
			if (c.rank != rank || (rank == NOT_RUN && !*c.bound))
				continue;
			odo_page_row(p, 9,
				     (const char *const[]){
					     odo_figure_word(s->figure, x->curves[i].name),
					     odo_figure_word(s->figure, x->patterns[k]), c.ours,
					     c.papers, c.verdict, c.bound, c.full, c.least, c.how});
		}
}

void odo_cells_write(const odo_page *p, const odo_figure_state *s)
{
	write_glance(p, s);
	odo_page_paragraph(
		p,
		"A figure that was searched is the highest load, in 128ths, at which all "
		"packets that each host offers arrive; it is given in percent of what a host can "
		"send. It agrees with the paper's figure within 15 %% of that, or within two "
		"128ths. The last columns give further figures, where every host offers as much "
		"as it can: the accepted load on average, and of the least-served host. No split "
		"of packets over the paths of the tables lets every host send at more than the "
		"bound; in total more may be accepted. Cells that were not run "
		"are listed only if they have a bound.");
	odo_page_table(p, 9,
		       (const char *const[]){"routing", "pattern", "ours, %", "paper, %", "verdict",
					     "bound, %", "accepted at full offer, %",
					     "least-served host then, %", "how found"});
	for (unsigned rank = 0; rank < RANKS; rank++)
		write_of_rank(p, s, rank);
	odo_page_table_end(p);
}

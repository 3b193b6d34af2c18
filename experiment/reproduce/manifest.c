/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/manifest.h"

#include <cyaml/cyaml.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "experiment/reproduce/rows.h"
#include "yaml/yaml.h"

#define MOST_SEEDS 1000u
#define TEXT(type, key, flags) CYAML_FIELD_STRING_PTR(#key, flags, type, key, 0, 2000)
#define LIST(type, key, entry)                                                                     \
	CYAML_FIELD_SEQUENCE_COUNT(#key, CYAML_FLAG_POINTER | MAY, type, key, key##_count,         \
				   &(entry), 1, 1000)
#define IN_DOUBT_KEY "seeds-in-doubt"
#define IN_DOUBT(type) CYAML_FIELD_STRING_PTR(IN_DOUBT_KEY, MAY, type, seeds_in_doubt, 0, 2000)
#define MUST CYAML_FLAG_DEFAULT
#define MAY CYAML_FLAG_OPTIONAL
#define ENTRY(name, type, fields)                                                                  \
	static const cyaml_schema_value_t name = {                                                 \
		CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, type, fields)}

static const cyaml_schema_value_t text_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, 1000)};

static const cyaml_schema_field_t word_fields[] = {
	TEXT(odo_paper_word, ours, MUST), TEXT(odo_paper_word, papers, MUST), CYAML_FIELD_END};
ENTRY(word_entry, odo_paper_word, word_fields);

static const cyaml_schema_field_t pick_fields[] = {
	TEXT(odo_pick, curve, MUST), TEXT(odo_pick, pattern, MUST), TEXT(odo_pick, load, MAY),
	TEXT(odo_pick, rows, MAY), CYAML_FIELD_END};

static const cyaml_schema_field_t claim_fields[] = {
	TEXT(odo_claim, says, MUST),
	TEXT(odo_claim, where, MUST),
	TEXT(odo_claim, figure, MUST),
	TEXT(odo_claim, detail, MAY),
	TEXT(odo_claim, take, MAY),
	CYAML_FIELD_MAPPING_PTR("of", CYAML_FLAG_POINTER, odo_claim, of, pick_fields),
	CYAML_FIELD_MAPPING_PTR("over", CYAML_FLAG_POINTER | MAY, odo_claim, over, pick_fields),
	TEXT(odo_claim, paper, MUST),
	TEXT(odo_claim, tolerance, MAY),
	TEXT(odo_claim, rule, MAY),
	TEXT(odo_claim, note, MAY),
	CYAML_FIELD_END};
ENTRY(claim_entry, odo_claim, claim_fields);

static const cyaml_schema_field_t variation_fields[] = {
	TEXT(odo_variation, what, MUST), TEXT(odo_variation, found, MUST), CYAML_FIELD_END};
ENTRY(variation_entry, odo_variation, variation_fields);

static const cyaml_schema_field_t reduced_fields[] = {TEXT(odo_reduced, measured, MAY),
						      TEXT(odo_reduced, seeds, MAY),
						      TEXT(odo_reduced, packets, MAY),
						      LIST(odo_reduced, loads, text_entry),
						      IN_DOUBT(odo_reduced),
						      CYAML_FIELD_END};

static const cyaml_schema_field_t figure_fields[] = {
	TEXT(odo_figure, name, MUST),
	TEXT(odo_figure, paper, MUST),
	TEXT(odo_figure, figure, MUST),
	TEXT(odo_figure, title, MUST),
	TEXT(odo_figure, config, MUST),
	TEXT(odo_figure, experiment, MAY),
	TEXT(odo_figure, results, MUST),
	TEXT(odo_figure, bounds, MAY),
	TEXT(odo_figure, unexplained, MAY),
	CYAML_FIELD_MAPPING_PTR("run", CYAML_FLAG_POINTER | MAY, odo_figure, run, reduced_fields),
	LIST(odo_figure, pictures, text_entry),
	LIST(odo_figure, words, word_entry),
	LIST(odo_figure, claims, claim_entry),
	LIST(odo_figure, varied, variation_entry),
	CYAML_FIELD_END};
ENTRY(figure_entry, odo_figure, figure_fields);

static const cyaml_schema_field_t paper_fields[] = {
	TEXT(odo_paper, number, MUST), TEXT(odo_paper, title, MUST), TEXT(odo_paper, authors, MUST),
	CYAML_FIELD_END};
ENTRY(paper_entry, odo_paper, paper_fields);

static const cyaml_schema_field_t manifest_fields[] = {
	CYAML_FIELD_SEQUENCE("papers", CYAML_FLAG_POINTER, odo_manifest, papers, &paper_entry, 1,
			     100),
	CYAML_FIELD_SEQUENCE("figures", CYAML_FLAG_POINTER, odo_manifest, figures, &figure_entry, 1,
			     1000),
	IN_DOUBT(odo_manifest), CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, odo_manifest, manifest_fields)};

/** Passage of the text that is being checked, by its beginning. */
typedef struct passage {
	const odo_plain *plain;
	const char *at;
} passage;

/** Narrow a passage to the text after a word: values such as 1 occur in other figures, too. */
static passage narrow_to(passage from, const char *word)
{
	const char *at = odo_text_find_word(from.at, word);
	return (passage){from.plain, at ? at : from.at};
}

/** Prefix an error with the place of a value. */
static int fail_at_passage(passage from, const char *value, odo_error *err)
{
	odo_text_place place = odo_plain_place(from.plain, narrow_to(from, value).at);
	return odo_fail_within(err, "%s:%u", place.path, place.line);
}

static int refuse_value(passage from, const char *expected, const char *value, odo_error *err)
{
	odo_fail(err, ODO_EINPUT, "expected %s, found \"%.60s\"", expected, value);
	return fail_at_passage(from, value, err);
}

/** Read "0.36", or "0.43..0.82". */
static bool read_figure_range(const char *text, double *low, double *high)
{
	char first[40];
	const char *dots = strstr(text, "..");
	size_t n = dots ? (size_t)(dots - text) : strlen(text);
	if (n >= sizeof first)
		return false;
	memcpy(first, text, n);
	first[n] = '\0';
	const char *at = first, *then = dots ? dots + 2 : NULL;
	bool fine = odo_take_real(&at, 0, DBL_MAX, low) && !*at;
	*high = *low;
	return fine && (!then || (odo_take_real(&then, *low, DBL_MAX, high) && !*then));
}

/** Check a load: it must be a number, because it goes into gnuplot scripts unchanged. */
static int check_load(passage from, const odo_pick *pick, odo_error *err)
{
	double load;
	const char *text = pick && pick->load ? pick->load : "1", *at = text;
	if (!strcmp(at, "most") || (odo_take_real(&at, 0, 1, &load) && !*at))
		return 0;
	return refuse_value(from, "a load from 0 to 1, or most", text, err);
}

/** Check a name: it becomes a file name and an anchor. */
static bool is_figure_name(const char *name)
{
	return *name && *name != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

static int check_rows(passage from, const odo_claim *c, const odo_pick *pick, odo_error *err)
{
	if (!pick || !pick->rows || (c->detail && odo_rows_are_named(pick->rows)))
		return 0;
	return refuse_value(from, c->detail ? "rows such as switch=0..11" : "detail beside rows",
			    pick->rows, err);
}

/** Check the kind of files beside the CSV, and their rows. */
static int check_detail(passage from, odo_claim *c, odo_error *err)
{
	bool sum = c->take && !strcmp(c->take, "sum");
	c->taken = sum ? ODO_TAKE_SUM : ODO_TAKE_MEAN;
	if (c->take && (!c->detail || (!sum && strcmp(c->take, "mean"))))
		return refuse_value(from, c->detail ? "mean or sum" : "detail beside take", c->take,
				    err);
	if (c->detail && !is_figure_name(c->detail))
		return refuse_value(from, "a detail such as switches or path", c->detail, err);
	int status = check_rows(from, c, c->of, err);
	return status ? status : check_rows(from, c, c->over, err);
}

/** Check that a mean of ratios has its patterns in pairs. */
static int check_patterns(passage from, const odo_claim *c, odo_error *err)
{
	if (!c->over || !strcmp(c->of->pattern, "all") == !strcmp(c->over->pattern, "all"))
		return 0;
	return refuse_value(from, "pattern all in both of and over", c->over->pattern, err);
}

static int check_rule(passage from, odo_claim *c, odo_error *err)
{
	static const char *const rules[] = {[ODO_RULE_WITHIN] = "within",
					    [ODO_RULE_AT_LEAST] = "at-least",
					    [ODO_RULE_AT_MOST] = "at-most"};
	unsigned rule = 0;
	while (c->rule && rule < 3 && strcmp(rules[rule], c->rule))
		rule++;
	c->judged_by = (odo_rule)rule;
	if (rule < 3)
		return 0;
	return refuse_value(from, "within, at-least or at-most", c->rule, err);
}

static int check_claim(passage from, odo_claim *c, odo_error *err)
{
	int status = check_rule(from, c, err);
	c->allowed = 0.15;
	if (status)
		return status;
	if (!read_figure_range(c->paper, &c->low, &c->high))
		return refuse_value(from, "a figure such as 0.36 or 0.43..0.82", c->paper, err);
	if (c->tolerance && odo_read_real(c->tolerance, 0, 10, &c->allowed, err))
		return fail_at_passage(from, c->tolerance, err);
	status = check_load(from, c->of, err);
	if (!status)
		status = check_load(from, c->over, err);
	if (!status)
		status = check_detail(from, c, err);
	return status ? status : check_patterns(from, c, err);
}

static int read_count(passage from, const char *key, const char *text, uint32_t most, uint32_t *out,
		      odo_error *err)
{
	int status = text ? odo_read_number32(text, 1, most, out, err) : 0;
	return status ? fail_at_passage(narrow_to(from, key), text, err) : 0;
}

static int read_reduced_loads(passage from, odo_reduced *run, odo_error *err)
{
	int status = 0;
	run->at_loads = odo_new(run->loads_count, sizeof *run->at_loads);
	if (!run->at_loads)
		return odo_fail(err, ODO_ENOMEM, "no memory for loads");
	for (uint32_t i = 0; !status && i < run->loads_count; i++) {
		status = odo_read_real(run->loads[i], 1e-6, 1, &run->at_loads[i], err);
		if (status)
			status = fail_at_passage(narrow_to(from, "loads"), run->loads[i], err);
	}
	return status;
}

static int read_run(passage from, odo_reduced *run, odo_error *err)
{
	int status = read_count(from, "measured", run->measured, 1000000000, &run->cycles, err);
	if (!status)
		status = read_count(from, "seeds", run->seeds, MOST_SEEDS, &run->n_seeds, err);
	if (!status)
		status = read_count(from, "packets", run->packets, 1u << 30, &run->n_packets, err);
	if (!status)
		status = read_count(from, IN_DOUBT_KEY, run->seeds_in_doubt, MOST_SEEDS,
				    &run->in_doubt, err);
	return status ? status : read_reduced_loads(from, run, err);
}

static int check_figure(passage from, const odo_manifest *m, uint32_t i, odo_error *err)
{
	const odo_figure *f = &m->figures[i];
	uint32_t paper = 0, twin = 0;
	int status = 0;
	while (paper < m->papers_count && strcmp(m->papers[paper].number, f->paper))
		paper++;
	while (strcmp(m->figures[twin].name, f->name))
		twin++;
	if (!is_figure_name(f->name))
		return refuse_value(from, "lower-case letters, digits and dashes", f->name, err);
	if (twin < i)
		return refuse_value(from, "a name that no other figure has", f->name, err);
	if (paper == m->papers_count) {
		odo_fail(err, ODO_EINPUT, "expected one of the papers, found \"%.40s\"", f->paper);
		return fail_at_passage(from, f->name, err);
	}
	if (f->run)
		status = read_run(narrow_to(from, "run"), f->run, err);
	from = narrow_to(from, "claims");
	for (uint32_t k = 0; !status && k < f->claims_count; k++) {
		from = narrow_to(from, f->claims[k].says);
		status = check_claim(from, &f->claims[k], err);
	}
	return status;
}

static int read_checked(const char *path, const odo_plain *plain, odo_manifest **out,
			odo_error *err)
{
	void *raw = NULL;
	int status = odo_yaml_load(plain, &schema, &raw, err);
	odo_manifest *m = raw;
	passage from = {plain, plain->text};
	if (!status)
		status = read_count(from, IN_DOUBT_KEY, m->seeds_in_doubt, MOST_SEEDS, &m->in_doubt,
				    err);
	for (uint32_t i = 0; !status && i < m->figures_count; i++) {
		from = narrow_to(from, m->figures[i].name);
		status = check_figure(from, m, i, err);
	}
	const char *slash = strrchr(path, '/');
	if (!status && !(m->folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".")))
		status = odo_fail(err, ODO_ENOMEM, "no memory for %s", path);
	if (status)
		odo_manifest_free(m);
	else
		*out = m;
	return status;
}

int odo_manifest_read(const char *path, odo_manifest **out, odo_error *err)
{
	odo_plain plain;
	int status = odo_plain_read(path, &plain, err);
	if (!status)
		status = read_checked(path, &plain, out, err);
	odo_plain_free(&plain);
	return status;
}

void odo_manifest_free(odo_manifest *m)
{
	if (m)
		free(m->folder);
	for (uint32_t i = 0; m && i < m->figures_count; i++)
		if (m->figures[i].run)
			free(m->figures[i].run->at_loads);
	odo_yaml_free(&schema, m);
}

int odo_manifest_find(const odo_manifest *m, const char *name, const odo_figure **out,
		      odo_error *err)
{
	for (uint32_t i = 0; i < m->figures_count; i++)
		if (!strcmp(m->figures[i].name, name)) {
			*out = &m->figures[i];
			return 0;
		}
	return odo_fail(
		err, ODO_EINPUT,
		"expected a figure that \"odonata reproduce --list\" names, found \"%.60s\"", name);
}

void odo_manifest_path(const odo_manifest *m, const char *name, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", m->folder, name);
}

const char *odo_figure_word(const odo_figure *f, const char *ours)
{
	for (uint32_t i = 0; i < f->words_count; i++)
		if (!strcmp(f->words[i].ours, ours))
			return f->words[i].papers;
	return ours;
}

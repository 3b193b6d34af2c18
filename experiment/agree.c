/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Compare the head of a CSV with the parameters of a run. */
#include <stdio.h>
#include <string.h>

#include "emulator/model.h"
#include "emulator/semantics.h"
#include "experiment/result.h"

#define MODEL "model of "
#define SEMANTICS "semantics: "
#define CONTENTS "contents of "

/** A line of a head or of parameters. */
typedef struct head_line {
	const char *at;
	size_t n;
	unsigned number; /**< from 1 */
} head_line;

static bool line_begins_with(const head_line *l, const char *with)
{
	size_t n = strlen(with);
	return l->n >= n && !strncmp(l->at, with, n);
}

/** Is this a line that has no effect on the bytes of the points? */
static bool is_without_effect(const head_line *l)
{
	size_t blanks = 0;
	while (blanks < l->n && l->at[blanks] == ' ')
		blanks++;
	return blanks == l->n || l->at[blanks] == '#' || line_begins_with(l, "title:") ||
	       line_begins_with(l, "paper:");
}

/** Find the next line that has an effect.
 * @param mark text at the beginning of each line
 * @return false at the end */
static bool next_head_line(const char **at, const char *mark, head_line *l)
{
	size_t skip = strlen(mark);
	while (**at && !strncmp(*at, mark, skip)) {
		l->at = *at + skip;
		l->n = strcspn(l->at, "\n");
		l->number++;
		*at = l->at + l->n + (l->at[l->n] == '\n');
		if (!is_without_effect(l))
			return true;
	}
	return false;
}

/** Is "name=value" among the words of a line? */
static bool has_word(const head_line *l, const char *word, size_t n)
{
	for (size_t i = 0; i + n <= l->n; i++)
		if (!strncmp(l->at + i, word, n) && (i == 0 || l->at[i - 1] == ' ') &&
		    (i + n == l->n || l->at[i + n] == ' '))
			return true;
	return false;
}

/** Was a file without this word of a model made as if the word were there? */
static bool is_older(const char *word, size_t n)
{
	for (const odo_model_option *o = odo_model_options; o->row.name; o++)
		if (o->older && odo_option_is(&o->row, word, n))
			return n > 2 && !strncmp(word + n - 2, "=0", 2);
	return false;
}

/** Does the line have this field with another value? */
static bool has_field(const head_line *l, const char *word)
{
	size_t name = strcspn(word, "=") + 1;
	for (size_t i = 1; i + name <= l->n; i++)
		if (l->at[i - 1] == ' ' && !strncmp(l->at + i, word, name))
			return true;
	return false;
}

static int fail_another(const char *path, const head_line *l, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT,
			"%s:%u: expected the parameters of this sweep, found those of another; "
			"move the file away",
			path, l->number);
}

/** Compare the fields of a model, in any order. */
static int compare_models(const char *path, const head_line *found, const head_line *wanted,
			  odo_error *err)
{
	size_t name = strcspn(wanted->at, ":") + 1;
	if (name > wanted->n || name > found->n || strncmp(found->at, wanted->at, name))
		return fail_another(path, found, err);
	unsigned words = 0;
	const char *missing = NULL, *end = wanted->at + wanted->n;
	for (const char *word = wanted->at + name; word < end;) {
		word += *word == ' ';
		size_t n = strcspn(word, " \n");
		bool has = has_word(found, word, n);
		words += has;
		if (!has && has_field(found, word))
			return fail_another(path, found, err);
		if (!has && !is_older(word, n) && !missing)
			missing = word;
		word += n;
	}
	for (const char *at = found->at + name; at < found->at + found->n; at++)
		words -= *at == ' ';
	if (words) /* the file has a field that this version lacks */
		return fail_another(path, found, err);
	if (!missing)
		return 0;
	return odo_fail(err, ODO_EINPUT,
			"%s:%u: expected the parameters of this sweep, found those of an older "
			"version, without \"%.*s\": points of two versions do not mix; move the "
			"file away to run all points again, or continue with that version "
			"('odonata experiment --redraw' draws the points that exist)",
			path, found->number, (int)strcspn(missing, " \n"), missing);
}

/** Compare semantics. A file without such a line is older than the line. */
static int compare_semantics(const char *path, const head_line *found, odo_error *err)
{
	char today[40];
	snprintf(today, sizeof today, SEMANTICS "%u", ODO_SEMANTICS);
	if (!line_begins_with(found, SEMANTICS) ||
	    (found->n == strlen(today) && line_begins_with(found, today)))
		return 0;
	return odo_fail(
		err, ODO_EINPUT,
		"%s:%u: expected points of an emulator with semantics %u, found semantics "
		"%.*s: points of two semantics do not mix; move the file away to run all points "
		"again",
		path, found->number, ODO_SEMANTICS,
		(int)(found->n - strlen(SEMANTICS) < 20 ? found->n - strlen(SEMANTICS) : 20),
		found->at + strlen(SEMANTICS));
}

int odo_result_agrees(const char *path, const char *found, const char *parameters, odo_error *err)
{
	static const char withdrawn[] = "# # withdrawn";
	head_line a = {0}, b = {0};
	int status = 0;
	if (!strncmp(found, withdrawn, sizeof withdrawn - 1))
		return odo_fail(
			err, ODO_EINPUT,
			"%s:1: expected results, found withdrawn ones; move the file away to "
			"run all points again",
			path);
	while (!status) {
		bool more = next_head_line(&found, "# ", &a),
		     wanted = next_head_line(&parameters, "", &b);
		if (wanted && line_begins_with(&b, SEMANTICS)) {
			if (more && line_begins_with(&a, SEMANTICS)) {
				status = compare_semantics(path, &a, err);
				continue;
			}
			wanted = next_head_line(&parameters, "", &b);
		}
		if (!more && !wanted)
			break;
		if (more && wanted && line_begins_with(&a, MODEL) && line_begins_with(&b, MODEL))
			status = compare_models(path, &a, &b, err);
		else if (!more || !wanted || a.n != b.n || strncmp(a.at, b.at, a.n))
			status = fail_another(path, &a, err);
	}
	return status;
}

/** Find the line of a head that begins with this text. */
static bool find_line(const char *found, const char *begins, size_t n, head_line *out)
{
	while (next_head_line(&found, "# ", out))
		if (out->n >= n && !strncmp(out->at, begins, n))
			return true;
	return false;
}

int odo_result_goes_with(const char *path, const char *found, const char *parameters,
			 odo_error *err)
{
	head_line wanted = {0};
	int status = 0;
	while (!status && next_head_line(&parameters, "", &wanted)) {
		head_line there = {0};
		const char *colon = memrchr(wanted.at, ':', wanted.n);
		bool model = line_begins_with(&wanted, MODEL),
		     semantics = line_begins_with(&wanted, SEMANTICS);
		if (!colon || !(model || semantics || line_begins_with(&wanted, CONTENTS)) ||
		    !find_line(found, wanted.at, (size_t)(colon + 1 - wanted.at), &there))
			continue;
		if (model)
			status = compare_models(path, &there, &wanted, err);
		else if (semantics)
			status = compare_semantics(path, &there, err);
		else if (there.n != wanted.n || strncmp(there.at, wanted.at, there.n))
			status = fail_another(path, &there, err);
	}
	return status;
}

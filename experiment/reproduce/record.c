/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/record.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/replace.h"
#include "experiment/point.h"
#include "experiment/result.h"
#include "fabric/fabric.h"
#include "fabric/format/slurp.h"

#define RUN "# as run: "
#define COLUMNS "file,points,of,semantics,content,point,again,what\n"

const char *const odo_again_names[] = {[ODO_AGAIN_SAME] = "same",
				       [ODO_AGAIN_ERRORS] = "errors differ",
				       [ODO_AGAIN_DIFFERS] = "differs",
				       [ODO_AGAIN_WITHDRAWN] = "withdrawn",
				       [ODO_AGAIN_DEAR] = "not tried"};

static int add_record_row(odo_record *record, const char *file, const odo_record_row *row,
			  odo_error *err)
{
	if (odo_grow(&record->row, &record->room, record->n + 1, sizeof *row))
		return odo_fail(err, ODO_ENOMEM, "no memory for a record");
	odo_record_row *to = &record->row[record->n];
	*to = *row;
	to->file = strdup(file);
	if (!to->file)
		return odo_fail(err, ODO_ENOMEM, "no memory for a record");
	record->n++;
	return 0;
}

/** Does a file have the head of an experiment? For most files only the head is read.
 * @return 1, 0, or a status below 0 */
static int is_result(const char *path, odo_error *err)
{
	char *line = NULL;
	size_t room = 0;
	int found = 0;
	FILE *from = fopen(path, "re");
	errno = from ? 0 : errno;
	while (from && !found && getline(&line, &room, from) > 2 && !strncmp(line, "# ", 2))
		found = !strncmp(line, RUN, strlen(RUN));
	if (errno)
		found = odo_fail(err, ODO_EIO, "%s: %s", path, strerror(errno));
	free(line);
	if (from)
		fclose(from);
	return found;
}

static int by_entry_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int find_below(const char *folder, const char *below, odo_record *out, odo_error *err);

/** Examine a name in a folder: a CSV of an experiment, or a folder that may contain some. */
static int examine_entry(const char *folder, const char *name, odo_record *out, odo_error *err)
{
	char path[1200];
	struct stat info;
	size_t n = strlen(name);
	int used = snprintf(path, sizeof path, "%s/%s", folder, name);
	if (used < 0 || (size_t)used >= sizeof path || lstat(path, &info))
		return 0;
	if (S_ISDIR(info.st_mode))
		return find_below(folder, name, out, err);
	if (!S_ISREG(info.st_mode) || n < 4 || strcmp(name + n - 4, ".csv"))
		return 0;
	int status = is_result(path, err);
	const odo_record_row row = {.point = ODO_NONE, .again = ODO_AGAIN_DEAR};
	return status > 0 ? add_record_row(out, name, &row, err) : status;
}

/** @param below a folder below it, "" for itself */
static int find_below(const char *folder, const char *below, odo_record *out, odo_error *err)
{
	char path[1200];
	struct dirent **entry;
	int status = 0;
	snprintf(path, sizeof path, "%.700s/%.400s", folder, below);
	int n = scandir(path, &entry, NULL, by_entry_name);
	if (n < 0)
		return odo_fail(err, ODO_EIO, "%s: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;
		/* An unfinished run; see run.h. */
		bool skip = *name == '.' || !strncmp(name, "anew-", 5);
		snprintf(path, sizeof path, "%.700s%s%.400s", below, *below ? "/" : "", name);
		if (!status && !skip)
			status = examine_entry(folder, path, out, err);
		free(entry[i]);
	}
	free(entry);
	return status;
}

int odo_record_find(const char *folder, odo_record *out, odo_error *err)
{
	*out = (odo_record){0};
	int status = find_below(folder, "", out, err);
	if (status)
		odo_record_free(out);
	return status;
}

static bool is_affordable(const odo_result *r, uint32_t point, const odo_try *how)
{
	uint64_t work = odo_result_work(r, point);
	return work <= how->work && work < UINT64_MAX;
}

/** Choose the point to try; ODO_NONE if none is cheap enough. Among cheap ones take the most
 * expensive: a change of the emulator shows first in the point with the most events. */
static uint32_t choose_point(const odo_result *r, const char *file, const odo_try *how)
{
	uint32_t dearest = ODO_NONE, n = 0, seen = 0;
	for (uint32_t i = 0; i < r->n_points; i++) {
		if (!is_affordable(r, i, how))
			continue;
		n++;
		if (dearest == ODO_NONE || odo_result_work(r, i) > odo_result_work(r, dearest))
			dearest = i;
	}
	if (!how->seed || !n)
		return dearest;
	uint64_t draw = (odo_hash_bytes(file, strlen(file)) ^ how->seed) * 0x9e3779b97f4a7c15u;
	uint32_t wanted = (uint32_t)((draw >> 32) % n);
	for (uint32_t i = 0; i < r->n_points; i++)
		if (is_affordable(r, i, how) && seen++ == wanted)
			return i;
	return dearest;
}

/** Find the cheapest point of a curve; ODO_NONE if it is too expensive. */
static uint32_t cheapest_of_curve(const odo_result *r, uint32_t curve, const odo_try *how)
{
	uint32_t best = ODO_NONE;
	for (uint32_t i = 0; i < r->n_points; i++)
		if (odo_point_of(&r->x, i).curve == curve && is_affordable(r, i, how) &&
		    (best == ODO_NONE || odo_result_work(r, i) < odo_result_work(r, best)))
			best = i;
	return best;
}

/** Record the result of a point, if it is worse than the result so far. */
static void note_result(uint32_t point, const char *what, odo_record_row *row)
{
	bool aside = odo_column_is_aside(what, strcspn(what, " "));
	odo_again again = !*what ? ODO_AGAIN_SAME : aside ? ODO_AGAIN_ERRORS : ODO_AGAIN_DIFFERS;
	if (row->point != ODO_NONE && again <= row->again)
		return;
	row->point = point;
	row->again = again;
	snprintf(row->what, sizeof row->what, "%s", what);
	for (char *at = row->what; *at; at++)
		*at = *at == ',' ? ';' : *at;
}

static int try_point(const odo_result *r, uint32_t point, odo_record_row *row, odo_error *err)
{
	char what[sizeof row->what];
	int status = odo_result_again(r, point, what, sizeof what, err);
	if (!status)
		note_result(point, what, row);
	return status;
}

/** Try bounds: they depend on tables, which may change although the emulator does not. */
static int try_bounds(const odo_result *r, odo_record_row *row, odo_error *err)
{
	char what[sizeof row->what];
	uint32_t point = ODO_NONE;
	int status = odo_result_bounds_again(r, &point, what, sizeof what, err);
	if (!status && *what)
		note_result(point, what, row);
	return status;
}

/** Try several points. */
static int try_points(const odo_result *r, const odo_try *how, odo_record_row *row, odo_error *err)
{
	odo_try one = *how;
	int status = 0;
	for (unsigned i = 0; !status && i < how->n; i++, one.seed++) {
		uint32_t point = choose_point(r, row->file, &one);
		if (point == ODO_NONE || row->again == ODO_AGAIN_DIFFERS)
			break;
		status = try_point(r, point, row, err);
	}
	for (uint32_t c = 0; !status && how->curves && c < r->x.n_curves; c++) {
		uint32_t point = cheapest_of_curve(r, c, how);
		if (point != ODO_NONE && point != row->point && row->again != ODO_AGAIN_DIFFERS)
			status = try_point(r, point, row, err);
	}
	return status;
}

static int run_row(const odo_result *r, const odo_try *how, const odo_record_row *before, bool keep,
		   odo_record_row *row, odo_error *err)
{
	/* Results that differed may have been run again. */
	bool known = before && before->point != ODO_NONE && before->content == row->content &&
		     before->again != ODO_AGAIN_DIFFERS;
	row->again = r->withdrawn ? ODO_AGAIN_WITHDRAWN : ODO_AGAIN_DEAR;
	if (r->withdrawn)
		return 0;
	int status = r->x.kind == ODO_EXPERIMENT_BOUND ? try_bounds(r, row, err) : 0;
	if (status || row->again == ODO_AGAIN_DIFFERS)
		return status;
	if (known && keep) {
		row->point = before->point;
		row->again = before->again;
		memcpy(row->what, before->what, sizeof row->what);
		return 0;
	}
	if (known && !r->semantics)
		return odo_result_work(r, before->point) > how->work
			       ? 0
			       : try_point(r, before->point, row, err);
	return try_points(r, how, row, err);
}

int odo_record_run(const char *folder, const odo_try *how, const odo_record_row *before, bool keep,
		   odo_record_row *row, odo_error *err)
{
	char path[1200];
	odo_result r;
	snprintf(path, sizeof path, "%.600s/%.500s", folder, row->file);
	int status = odo_result_read(path, &r, err);
	if (status)
		return status;
	row->points = r.n_lines;
	row->of = r.n_points;
	row->semantics = r.semantics;
	row->content = odo_result_content(&r);
	bool searches = r.x.kind == ODO_EXPERIMENT_SATURATION || r.x.kind == ODO_EXPERIMENT_BOUND;
	if (searches && !r.withdrawn)
		status = odo_result_count_hosts(&r, err);
	if (!status)
		status = run_row(&r, how, before, keep, row, err);
	odo_result_free(&r);
	return status ? odo_fail_within(err, "%s", path) : 0;
}

/** Read a field up to its comma and move behind it. @return false if there is none */
static bool take_record_field(const char **at, char *out, size_t size)
{
	size_t n = strcspn(*at, ",\n");
	if (n >= size)
		return false;
	memcpy(out, *at, n);
	out[n] = '\0';
	*at += n + ((*at)[n] == ',');
	return true;
}

/** @param file [size] */
static bool read_record_row(const char *at, odo_record_row *row, char *file, size_t size)
{
	char field[60], again[20];
	uint64_t number[5] = {0};
	if (!take_record_field(&at, file, size))
		return false;
	for (unsigned i = 0; i < 5; i++) {
		const char *digits = field;
		if (!take_record_field(&at, field, sizeof field) ||
		    (*field && (!odo_take_digits(&digits, NULL, 10, &number[i]) || *digits)) ||
		    number[i] > UINT32_MAX)
			return false;
		if (!*field)
			number[i] = ODO_NONE;
	}
	row->points = (uint32_t)number[0];
	row->of = (uint32_t)number[1];
	row->semantics = (uint32_t)number[2];
	row->content = (uint32_t)number[3];
	row->point = (uint32_t)number[4];
	row->again = 0;
	if (!take_record_field(&at, again, sizeof again))
		return false;
	while (row->again <= ODO_AGAIN_DEAR && strcmp(again, odo_again_names[row->again]))
		row->again++;
	return row->again <= ODO_AGAIN_DEAR &&
	       take_record_field(&at, row->what, sizeof row->what) && (*at == '\n' || !*at);
}

int odo_record_read(const char *folder, odo_record *out, odo_error *err)
{
	char path[1200], *text;
	size_t size;
	unsigned number = 2;
	*out = (odo_record){0};
	snprintf(path, sizeof path, "%.1000s/again.csv", folder);
	if (access(path, F_OK))
		return 0;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	const char *at = text;
	if (strncmp(at, COLUMNS, strlen(COLUMNS)))
		status = odo_fail(err, ODO_EINPUT, "%s:1: expected %.30s..., found others", path,
				  COLUMNS);
	for (at += strcspn(at, "\n"); !status && *at && at[1]; number++) {
		odo_record_row row = {0};
		char file[600];
		if (read_record_row(++at, &row, file, sizeof file)) {
			status = add_record_row(out, file, &row, err);
		} else {
			status = odo_fail(err, ODO_EINPUT, "%s:%u: expected a row of %.30s...",
					  path, number, COLUMNS);
		}
		at += strcspn(at, "\n");
	}
	free(text);
	if (status)
		odo_record_free(out);
	return status;
}

int odo_record_write(const odo_record *record, const char *folder, odo_error *err)
{
	char path[1200];
	snprintf(path, sizeof path, "%.1000s/again.csv", folder);
	odo_draft draft;
	int status = odo_draft_open(&draft, path, 0666, ODO_DRAFT_OUTPUT, err);
	if (status)
		return status;
	FILE *to = draft.to;
	fputs(COLUMNS, to);
	for (size_t i = 0; i < record->n; i++) {
		const odo_record_row *row = &record->row[i];
		fprintf(to, "%s,%u,%u,%u,%u,", row->file, row->points, row->of, row->semantics,
			row->content);
		if (row->point != ODO_NONE)
			fprintf(to, "%u", row->point);
		fprintf(to, ",%s,%s\n", odo_again_names[row->again], row->what);
	}
	return odo_draft_close(&draft, 0, err);
}

void odo_record_free(odo_record *record)
{
	for (size_t i = 0; i < record->n; i++)
		free(record->row[i].file);
	free(record->row);
	*record = (odo_record){0};
}

const odo_record_row *odo_record_row_of(const odo_record *record, const char *file)
{
	for (size_t i = 0; i < record->n; i++)
		if (!strcmp(record->row[i].file, file))
			return &record->row[i];
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/record.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "experiment/result.h"
#include "fabric/fabric.h"
#include "fabric/format/slurp.h"

#define COLUMNS "file,points,of,semantics,point,again,what\n"

const char *const odo_again_names[] = {[ODO_AGAIN_SAME] = "same",
				       [ODO_AGAIN_ERRORS] = "errors differ",
				       [ODO_AGAIN_DIFFERS] = "differs",
				       [ODO_AGAIN_WITHDRAWN] = "withdrawn",
				       [ODO_AGAIN_DEAR] = "not tried"};

static int add(odo_record *record, const odo_record_row *row, odo_error *err)
{
	if (!row->file || odo_grow(&record->row, &record->room, record->n + 1, sizeof *row)) {
		free(row->file);
		return odo_fail(err, ODO_ENOMEM, "no memory for a record");
	}
	record->row[record->n++] = *row;
	return 0;
}

/** Whether a file has the head of an experiment, which is all that is read of most. */
static bool is_result(const char *path)
{
	char *line = NULL;
	size_t room = 0;
	bool found = false;
	FILE *from = fopen(path, "re");
	while (from && !found && getline(&line, &room, from) > 2 && !strncmp(line, "# ", 2))
		found = !strncmp(line, "# as run: ", 10);
	free(line);
	if (from)
		fclose(from);
	return found;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

int odo_record_find(const char *folder, odo_record *out, odo_error *err)
{
	char *root[] = {(char *)(uintptr_t)folder, NULL};
	size_t skip = strlen(folder) + 1;
	int status = 0;
	FTS *walk = fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	*out = (odo_record){0};
	if (!walk)
		return odo_fail(err, ODO_EIO, "%s: %s", folder, strerror(errno));
	for (FTSENT *e; !status && (e = fts_read(walk));) {
		size_t n = e->fts_pathlen;
		if (e->fts_info != FTS_F || n < skip + 4 || strcmp(e->fts_path + n - 4, ".csv") ||
		    !is_result(e->fts_path))
			continue;
		status = add(out,
			     &(odo_record_row){.file = strdup(e->fts_path + skip),
					       .point = ODO_NONE,
					       .again = ODO_AGAIN_DEAR},
			     err);
	}
	fts_close(walk);
	if (status)
		odo_record_free(out);
	return status;
}

/** The point to try; ODO_NONE where none is cheap enough. */
static uint32_t choose(const odo_result *r, const char *file, const odo_try *how)
{
	uint32_t cheapest = ODO_NONE, n = 0, seen = 0;
	for (uint32_t i = 0; i < r->n_points; i++) {
		uint64_t work = odo_result_work(r, i);
		n += work <= how->work && work < UINT64_MAX;
		if (work <= how->work && work < UINT64_MAX &&
		    (cheapest == ODO_NONE || work < odo_result_work(r, cheapest)))
			cheapest = i;
	}
	if (!how->seed || !n)
		return cheapest;
	uint64_t draw = (odo_hash_bytes(file, strlen(file)) ^ how->seed) * 0x9e3779b97f4a7c15u;
	uint32_t wanted = (uint32_t)((draw >> 32) % n);
	for (uint32_t i = 0; i < r->n_points; i++)
		if (odo_result_work(r, i) <= how->work && seen++ == wanted)
			return i;
	return cheapest;
}

/** Run the point of a row, and fill in what came out. */
static int try_point(const odo_result *r, odo_record_row *row, odo_error *err)
{
	int status = odo_result_again(r, row->point, row->what, sizeof row->what, err);
	bool error = odo_column_is_error(row->what, strcspn(row->what, " "));
	row->again = !*row->what ? ODO_AGAIN_SAME : error ? ODO_AGAIN_ERRORS : ODO_AGAIN_DIFFERS;
	for (char *at = row->what; *at; at++)
		*at = *at == ',' ? ';' : *at;
	return status;
}

int odo_record_run(const char *folder, const odo_try *how, const odo_record_row *before,
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
	row->again = r.withdrawn ? ODO_AGAIN_WITHDRAWN : ODO_AGAIN_DEAR;
	bool unchanged = before && before->point != ODO_NONE && before->points == row->points &&
			 before->semantics == row->semantics && !r.withdrawn;
	if (unchanged) {
		row->point = before->point;
		row->again = before->again;
		memcpy(row->what, before->what, sizeof row->what);
	} else if (!r.withdrawn) {
		row->point = choose(&r, row->file, how);
		if (row->point != ODO_NONE)
			status = try_point(&r, row, err);
	}
	odo_result_free(&r);
	return status ? odo_fail_within(err, "%s", path) : 0;
}

/** A field up to its comma; moves on behind it. @return false where there is none */
static bool take_field(const char **at, char *out, size_t size)
{
	size_t n = strcspn(*at, ",\n");
	if (n >= size)
		return false;
	memcpy(out, *at, n);
	out[n] = '\0';
	*at += n + ((*at)[n] == ',');
	return true;
}

static bool read_row(const char *at, odo_record_row *row)
{
	char field[600], again[20];
	uint64_t number[4] = {0};
	if (!take_field(&at, field, sizeof field))
		return false;
	row->file = strdup(field);
	for (unsigned i = 0; i < 4; i++) {
		const char *digits = field;
		if (!take_field(&at, field, sizeof field) ||
		    (*field && (!odo_take_digits(&digits, NULL, 10, &number[i]) || *digits)) ||
		    number[i] > UINT32_MAX)
			return false;
		if (!*field)
			number[i] = ODO_NONE;
	}
	row->points = (uint32_t)number[0];
	row->of = (uint32_t)number[1];
	row->semantics = (uint32_t)number[2];
	row->point = (uint32_t)number[3];
	row->again = 0;
	if (!take_field(&at, again, sizeof again))
		return false;
	while (row->again <= ODO_AGAIN_DEAR && strcmp(again, odo_again_names[row->again]))
		row->again++;
	return row->again <= ODO_AGAIN_DEAR && take_field(&at, row->what, sizeof row->what) &&
	       (*at == '\n' || !*at);
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
		if (read_row(++at, &row)) {
			status = add(out, &row, err);
		} else {
			free(row.file);
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
	FILE *to = fopen(path, "we");
	if (!to)
		return odo_fail(err, ODO_EIO, "%s: %s", path, strerror(errno));
	fputs(COLUMNS, to);
	for (size_t i = 0; i < record->n; i++) {
		const odo_record_row *row = &record->row[i];
		fprintf(to, "%s,%u,%u,%u,", row->file, row->points, row->of, row->semantics);
		if (row->point != ODO_NONE)
			fprintf(to, "%u", row->point);
		fprintf(to, ",%s,%s\n", odo_again_names[row->again], row->what);
	}
	int bad = ferror(to);
	bad |= fclose(to);
	return bad ? odo_fail(err, ODO_EIO, "%s: cannot be written", path) : 0;
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

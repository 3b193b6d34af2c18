/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/sweep/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fabric/fabric.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/replace.h"

static int io_error(const odo_sweep_file *file, const char *what, odo_error *err)
{
	return odo_fail(err, ODO_EIO, "%s: %s: %s", file->sweep->path, what, strerror(errno));
}

/** Make the beginning of the file: comment lines and column names. */
static int make_header(odo_sweep_file *file, odo_error *err)
{
	FILE *to = open_memstream(&file->header, &file->header_size);
	if (!to)
		return odo_fail(err, ODO_ENOMEM, "no memory for a sweep");
	for (const char *at = file->sweep->parameters; *at;) {
		size_t n = strcspn(at, "\n");
		fprintf(to, "# %.*s\n", (int)n, at);
		at += n + (at[n] == '\n');
	}
	fprintf(to, "point,%s\n", file->sweep->columns);
	return odo_text_close(to, &file->header)
		       ? odo_fail(err, ODO_ENOMEM, "no memory for a sweep")
		       : 0;
}

static int read_sweep_text(const odo_sweep_file *file, char **text, size_t *size, odo_error *err)
{
	struct stat info;
	if (fstat(file->fd, &info))
		return io_error(file, "cannot be read", err);
	*text = odo_new((size_t)info.st_size + 1, 1);
	if (!*text)
		return odo_fail(err, ODO_ENOMEM, "no memory for a sweep");
	*size = 0;
	while (*size < (size_t)info.st_size) {
		ssize_t n = pread(file->fd, *text + *size, (size_t)info.st_size - *size,
				  (off_t)*size);
		if (n < 0 && errno != EINTR)
			return io_error(file, "cannot be read", err);
		if (n == 0)
			break;
		*size += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/** Return the point number at the beginning of a line, or ODO_NONE. */
static uint32_t point_of(const char *line, uint32_t n_points)
{
	uint64_t point;
	bool fine = odo_take_digits(&line, NULL, 10, &point) && *line == ',' && point < n_points;
	return fine ? (uint32_t)point : ODO_NONE;
}

static unsigned line_number_at(const char *text, const char *at)
{
	unsigned n = 1;
	for (; text < at; text++)
		n += *text == '\n';
	return n;
}

/** Record the points in the file. @return the end of its complete lines, or a status below 0 */
static ssize_t scan_points(odo_sweep_file *file, const char *text, size_t size, odo_error *err)
{
	const odo_sweep *sweep = file->sweep;
	size_t common = 0;
	while (common < size && common < file->header_size && text[common] == file->header[common])
		common++;
	if (common == size && size < file->header_size)
		return 0; /* killed while writing the header */
	if (common < file->header_size)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected the parameters of this sweep, found those of "
				"another; move the file away",
				sweep->path, line_number_at(text, text + common));
	const char *at = text + file->header_size;
	for (const char *end; (end = memchr(at, '\n', size - (size_t)(at - text))); at = end + 1) {
		uint32_t point = point_of(at, sweep->n_points);
		if (point == ODO_NONE || file->done[point])
			return odo_fail(err, ODO_EINPUT,
					"%s:%u: expected a point from 0 to %u, once, found "
					"\"%.*s\"",
					sweep->path, line_number_at(text, at), sweep->n_points - 1,
					end - at < 40 ? (int)(end - at) : 40, at);
		file->done[point] = true;
		file->n_done++;
	}
	return at - text;
}

static int write_whole(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);
		if (n < 0 && errno != EINTR)
			return -1;
		text += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int resume_file(odo_sweep_file *file, odo_error *err)
{
	char *text = NULL;
	size_t size = 0;
	int status = read_sweep_text(file, &text, &size, err);
	ssize_t whole = status ? status : scan_points(file, text, size, err);
	free(text);
	if (whole < 0)
		return (int)whole;
	if ((size_t)whole < size && ftruncate(file->fd, whole))
		return io_error(file, "cannot be written", err);
	if (whole == 0 && write_whole(file->fd, file->header, file->header_size))
		return io_error(file, "cannot be written", err);
	return 0;
}

int odo_sweep_file_open(const odo_sweep *sweep, odo_sweep_file *file, odo_error *err)
{
	*file = (odo_sweep_file){.sweep = sweep, .fd = -1};
	file->done = odo_new(sweep->n_points, sizeof *file->done);
	if (!file->done)
		return odo_fail(err, ODO_ENOMEM, "no memory for a sweep");
	int status = make_header(file, err);
	if (status)
		return status;
	file->fd = open(sweep->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (file->fd < 0)
		return io_error(file, "cannot be opened", err);
	if (flock(file->fd, LOCK_EX | LOCK_NB))
		return odo_fail(err, ODO_EIO, "%s: another process is writing it", sweep->path);
	return resume_file(file, err);
}

int odo_sweep_file_add(odo_sweep_file *file, uint32_t point, const char *line, odo_error *err)
{
	char whole[ODO_SWEEP_LINE];
	int n = snprintf(whole, sizeof whole, "%u,%s\n", point, line);
	if (n < 0 || (size_t)n >= sizeof whole || strchr(line, '\n'))
		return odo_fail(err, ODO_EINPUT,
				"point %u: expected one line below %d letters, found more", point,
				ODO_SWEEP_LINE);
	if (write_whole(file->fd, whole, (size_t)n) || fdatasync(file->fd))
		return io_error(file, "cannot be written", err);
	file->done[point] = true;
	file->n_done++;
	return 0;
}

/** Write the header, then the line of every point in order. */
static int write_sorted(const odo_sweep_file *file, const char *text, size_t size, FILE *to)
{
	uint32_t n = file->sweep->n_points;
	const char **line = odo_new(n, sizeof *line);
	if (!line)
		return ODO_ENOMEM;
	const char *at = text + file->header_size;
	for (const char *end; (end = memchr(at, '\n', size - (size_t)(at - text))); at = end + 1) {
		uint32_t point = point_of(at, n);
		if (point != ODO_NONE)
			line[point] = at;
	}
	fwrite(text, 1, file->header_size, to);
	for (uint32_t i = 0; i < n; i++)
		if (line[i])
			fwrite(line[i], 1, strcspn(line[i], "\n") + 1, to);
	free(line);
	return 0;
}

static int put_in_order(const odo_sweep_file *file, const char *path, odo_error *err)
{
	char *text = NULL;
	size_t size = 0;
	odo_draft draft;
	int status = read_sweep_text(file, &text, &size, err);
	if (!status)
		status = odo_draft_open(&draft, path, 0666, ODO_DRAFT_OUTPUT | ODO_DRAFT_SYNC, err);
	if (!status) {
		if (write_sorted(file, text, size, draft.to))
			status = odo_fail(err, ODO_ENOMEM, "no memory for a sweep");
		status = odo_draft_close(&draft, status, err);
	}
	free(text);
	return status;
}

int odo_sweep_file_finish(odo_sweep_file *file, odo_error *err)
{
	bool plain;
	char *path = odo_replaced_file(file->sweep->path, &plain);
	if (!path)
		return odo_fail(err, ODO_ENOMEM, "no memory for a sweep");
	int status = plain ? put_in_order(file, path, err) : 0;
	free(path);
	return status;
}

void odo_sweep_file_close(odo_sweep_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->header);
	free(file->done);
}

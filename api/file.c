/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that are either complete or absent: written under another name, then renamed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/handles.h"
#include "base/replace.h"

#define MOST_DRAFTS 100u

static int cannot_write(const char *path, odo_error *why)
{
	return odo_fail(why, ODO_EIO, "%s: cannot write: %s", path, strerror(errno));
}

/** Open a new file beside `path`, safe against other threads and programs that do the same.
 * @param draft its name, for free(); NULL on failure */
static FILE *open_draft(const char *path, char **draft)
{
	int fd = -1;
	*draft = NULL;
	for (unsigned i = 0; i < MOST_DRAFTS && fd < 0; i++) {
		free(*draft);
		if (asprintf(draft, "%s.%ld.%u.new", path, (long)getpid(), i) < 0) {
			*draft = NULL;
			return NULL;
		}
		fd = open(*draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	if (to)
		return to;
	int reason = errno;
	if (fd >= 0) {
		close(fd);
		unlink(*draft);
	}
	free(*draft);
	*draft = NULL;
	errno = reason;
	return NULL;
}

int api_file_open(const char *path, api_file *file, odo_error *why)
{
	bool plain;
	*file = (api_file){.path = path};
	if (!path)
		return api_no("the name of a file", why);
	file->real = odo_replaced_file(path, &plain);
	if (!file->real)
		return api_no_memory(why);
	file->to = plain ? open_draft(file->real, &file->draft) : fopen(file->real, "w");
	if (file->to)
		return 0;
	int status = cannot_write(path, why);
	free(file->real);
	return status;
}

int api_file_close(api_file *file, int status, odo_error *why)
{
	if (status == ODO_EIO)
		odo_fail_within(why, "%s", file->path);
	if (fclose(file->to) && !status)
		status = cannot_write(file->path, why);
	if (file->draft && !status && rename(file->draft, file->real))
		status = cannot_write(file->path, why);
	if (file->draft && status)
		unlink(file->draft);
	free(file->draft);
	free(file->real);
	return status;
}

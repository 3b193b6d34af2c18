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

int api_write_file(const char *path, int (*write)(const void *what, FILE *to, odo_error *why),
		   const void *what, odo_error *why)
{
	bool plain;
	char *draft = NULL;
	if (!path)
		return api_no("the name of a file", why);
	char *real = odo_replaced_file(path, &plain);
	if (!real)
		return api_no_memory(why);
	FILE *to = plain ? open_draft(real, &draft) : fopen(real, "w");
	int status = to ? write(what, to, why) : cannot_write(path, why);
	if (to && status == ODO_EIO)
		odo_fail_within(why, "%s", path);
	if (to && fclose(to) && !status)
		status = cannot_write(path, why);
	if (draft && !status && rename(draft, real))
		status = cannot_write(path, why);
	if (draft && status)
		unlink(draft);
	free(draft);
	free(real);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* End of a draft's name, for mkstemp(). */
#define DRAFT ".draft.XXXXXX"

/* Age of a draft whose process was killed. Writing gigabytes takes minutes. */
enum { DRAFT_SECONDS = 3600 };

char *odo_replaced_file(const char *path, bool *plain)
{
	struct stat found;
	char *real = realpath(path, NULL);
	if (!real && errno == ENOMEM)
		return NULL;
	if (!real) {
		*plain = lstat(path, &found) != 0;
		return strdup(path);
	}
	*plain = !stat(real, &found) && S_ISREG(found.st_mode);
	return real;
}

static const char *type_name(mode_t mode)
{
	static const struct {
		mode_t type;
		const char *name;
	} rows[] = {{S_IFDIR, "a folder"},
		    {S_IFIFO, "a pipe"},
		    {S_IFLNK, "a symbolic link"},
		    {S_IFSOCK, "a socket"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((mode & S_IFMT) == rows[i].type)
			return rows[i].name;
	return "a device";
}

static int check_regular(const char *path, uint64_t most, const struct stat *is, odo_error *err)
{
	if (!S_ISREG(is->st_mode))
		return odo_fail(err, ODO_EINPUT, "%s: expected a regular file, found %s", path,
				type_name(is->st_mode));
	if ((uint64_t)is->st_size > most)
		return odo_fail(err, ODO_EINPUT,
				"%s: expected at most %" PRIu64 " bytes, found %" PRIu64, path,
				most, (uint64_t)is->st_size);
	return 0;
}

static int fail_read(const char *path, odo_error *err)
{
	return odo_fail(err, ODO_EIO, "%s: cannot read: %s", path, strerror(errno));
}

int odo_open_regular(const char *path, bool links, uint64_t most, FILE **out, struct stat *is,
		     odo_error *err)
{
	*out = NULL;
	*is = (struct stat){0};
	if (links ? stat(path, is) : lstat(path, is))
		return errno == ENOENT ? 0 : fail_read(path, err);
	int status = check_regular(path, most, is, err);
	if (status)
		return status;
	/* Another file may have replaced this one since. */
	int file = open(path,
			O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (links ? 0 : O_NOFOLLOW));
	if (file < 0)
		return errno == ENOENT ? 0 : fail_read(path, err);
	status = fstat(file, is) ? fail_read(path, err) : check_regular(path, most, is, err);
	if (!status && !(*out = fdopen(file, "r")))
		status = fail_read(path, err);
	if (!*out)
		close(file);
	return status;
}

int odo_draft_open(odo_draft *draft, const char *path)
{
	*draft = (odo_draft){.path = path};
	int length = snprintf(draft->name, sizeof draft->name, "%s" DRAFT, path);
	if (length >= (int)sizeof draft->name) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int file = mkstemp(draft->name); /* O_EXCL */
	draft->to = file < 0 ? NULL : fdopen(file, "w");
	if (file >= 0 && !draft->to) {
		int why = errno;
		close(file);
		unlink(draft->name);
		errno = why;
	}
	return draft->to ? 0 : -1;
}

int odo_draft_close(odo_draft *draft, bool complete, mode_t mode, bool sync, struct stat *is)
{
	int file = fileno(draft->to), why = 0;
	errno = 0;
	if (!complete || fflush(draft->to) || ferror(draft->to) || fchmod(file, mode) ||
	    (sync && fsync(file)) || fstat(file, is))
		why = errno ? errno : EIO;
	if (fclose(draft->to) && !why)
		why = errno;
	if (!why && rename(draft->name, draft->path))
		why = errno;
	if (why)
		unlink(draft->name);
	errno = why;
	return why ? -1 : 0;
}

void odo_remove_drafts(const char *folder, const char *prefix)
{
	static const char places[] = "XXXXXX";
	char part[] = DRAFT;
	part[sizeof part - sizeof places] = '\0';
	DIR *all = opendir(folder);
	const struct dirent *entry;
	struct stat is;
	while (all && (entry = readdir(all)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)) &&
		    strstr(entry->d_name, part) &&
		    !fstatat(dirfd(all), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(is.st_mode) && difftime(time(NULL), is.st_mtime) > DRAFT_SECONDS)
			unlinkat(dirfd(all), entry->d_name, 0);
	if (all)
		closedir(all);
}

int odo_sync_folder_of(const char *path)
{
	char *copy = strdup(path);
	int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	free(copy);
	if (folder < 0)
		return -1;
	int failed = fsync(folder) && errno != EINVAL && errno != ENOTSUP;
	int why = errno;
	close(folder);
	errno = why;
	return failed ? -1 : 0;
}

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

#include "base/hash.h"

/* Part of a draft's name: digits follow. */
#define DRAFT ".draft."

/* DRAFT_SECONDS: age of a draft whose process was killed. Writing gigabytes takes minutes.
 * NAME_BYTES: bytes of the file's name in that of the draft, of the 255 that file systems allow.
 * MOST_NAMES: tries for a name that is free. */
enum { DRAFT_SECONDS = 3600, NAME_BYTES = 230, MOST_NAMES = 100 };

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

/* Call a function of the system again while signals interrupt it. */
#define AGAIN(call) TEMP_FAILURE_RETRY(call)

static int fail_write(const odo_draft *draft, int why, odo_error *err)
{
	return odo_fail(err, why == ENOMEM ? ODO_ENOMEM : ODO_EIO, "%s: cannot write: %s",
			draft->path, strerror(why));
}

static int fail_existing(const odo_draft *draft, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT, "%s: expected a new file, found one", draft->path);
}

static ssize_t write_draft(void *cookie, const char *from, size_t n)
{
	odo_draft *draft = cookie;
	for (size_t done = 0; done < n && !draft->why;) {
		ssize_t wrote = AGAIN(write(draft->file, from + done, n - done));
		if (wrote <= 0)
			draft->why = wrote ? errno : EIO;
		else
			done += (size_t)wrote;
	}
	return draft->why ? 0 : (ssize_t)n;
}

/* Give the draft another name, by which nobody has expected it. */
static void name_draft(odo_draft *draft)
{
	struct timespec now = {0};
	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t seed[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid()};
	const char *slash = strrchr(draft->real, '/');
	snprintf(draft->name, sizeof draft->name, "%.*s" DRAFT "%012" PRIx64, NAME_BYTES,
		 slash ? slash + 1 : draft->real,
		 odo_hash_bytes(seed, sizeof seed) & UINT64_C(0xFFFFFFFFFFFF));
}

/* Create the draft by its name, or give the nameless one a name. A name that another user has
 * prepared, for a link or a pipe too, is none of the draft's. */
static int enter_draft(odo_draft *draft)
{
	char self[64];
	int made = -1;
	snprintf(self, sizeof self, "/proc/self/fd/%d", draft->file);
	for (unsigned i = 0; i < MOST_NAMES && made < 0; i++) {
		name_draft(draft);
		made = draft->file < 0
			       ? AGAIN(openat(draft->folder, draft->name,
					      O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC,
					      draft->mode))
			       : linkat(AT_FDCWD, self, draft->folder, draft->name,
					AT_SYMLINK_FOLLOW);
		if (made < 0 && errno != EEXIST)
			break;
	}
	if (made < 0)
		*draft->name = '\0';
	return made;
}

/* Open a folder. Files in a folder that may not be read can be replaced, but not synced. */
static int open_folder_of(const odo_draft *draft)
{
	char *copy = strdup(draft->real);
	const char *folder = copy ? dirname(copy) : "";
	int file = copy ? AGAIN(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) : -1;
	if (file < 0 && errno == EACCES && !(draft->how & ODO_DRAFT_SYNC))
		file = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	return file;
}

/* Open a draft in the folder of its path: a nameless one for users, of which nothing remains if the
 * program is killed, if the file system supports that. */
static void open_beside(odo_draft *draft)
{
	draft->folder = open_folder_of(draft);
	if (draft->folder >= 0 && draft->how & ODO_DRAFT_OUTPUT && !access("/proc/self/fd", X_OK))
		draft->file = openat(draft->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC,
				     draft->mode);
	if (draft->folder >= 0 && draft->file < 0)
		draft->file = enter_draft(draft);
}

static void free_draft(odo_draft *draft)
{
	if (draft->file >= 0)
		close(draft->file);
	if (*draft->name)
		unlinkat(draft->folder, draft->name, 0);
	if (draft->folder >= 0)
		close(draft->folder);
	free(draft->real);
	*draft->name = '\0';
	draft->real = NULL;
	draft->file = draft->folder = -1;
}

int odo_draft_open(odo_draft *draft, const char *path, mode_t mode, unsigned how, odo_error *err)
{
	static const cookie_io_functions_t functions = {.write = write_draft};
	bool plain = true;
	*draft = (odo_draft){.path = path, .mode = mode, .how = how, .folder = -1, .file = -1};
	if (how & ODO_DRAFT_NEW && !lstat(path, &draft->is))
		return fail_existing(draft, err);
	draft->real = how & ODO_DRAFT_OUTPUT ? odo_replaced_file(path, &plain) : strdup(path);
	if (!draft->real)
		return fail_write(draft, ENOMEM, err);
	if (plain)
		open_beside(draft);
	else
		draft->file = open(draft->real, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	if (draft->file >= 0)
		draft->to = fopencookie(draft, "w", functions);
	if (draft->to)
		return 0;
	int why = errno;
	free_draft(draft);
	return fail_write(draft, why, err);
}

/* Bring the contents to an end, before the draft gets its name. @return 0, or an errno */
static int finish_contents(odo_draft *draft)
{
	bool output = draft->how & ODO_DRAFT_OUTPUT, plain = draft->folder >= 0;
	if (fclose(draft->to) || draft->why)
		return draft->why ? draft->why : EIO;
	if ((!output && fchmod(draft->file, draft->mode)) ||
	    (plain && draft->how & ODO_DRAFT_SYNC && AGAIN(fsync(draft->file))) ||
	    fstat(draft->file, &draft->is) || (plain && !*draft->name && enter_draft(draft)))
		return errno;
	int file = draft->file;
	draft->file = -1;
	return close(file) ? errno : 0;
}

/* Rename the draft. @return 0, or an errno */
static int take_name(odo_draft *draft)
{
	const char *slash = strrchr(draft->real, '/'), *name = slash ? slash + 1 : draft->real;
	int at = draft->folder;
	unsigned flags = draft->how & ODO_DRAFT_NEW ? RENAME_NOREPLACE : 0;
	struct stat is;
	int failed = flags ? renameat2(at, draft->name, at, name, flags)
			   : renameat(at, draft->name, at, name);
	/* Some file systems cannot refuse to replace a file. */
	if (failed && flags && (errno == EINVAL || errno == ENOSYS))
		failed = fstatat(at, name, &is, AT_SYMLINK_NOFOLLOW)
				 ? renameat(at, draft->name, at, name)
				 : (errno = EEXIST);
	if (!failed)
		*draft->name = '\0';
	return failed ? errno : 0;
}

int odo_draft_close(odo_draft *draft, int status, odo_error *err)
{
	bool plain = draft->folder >= 0;
	if (status == ODO_EIO)
		odo_fail_within(err, "%s", draft->path);
	int why = ferror(draft->to) && !draft->why ? EIO : draft->why;
	if (status || why)
		fclose(draft->to);
	else
		why = finish_contents(draft);
	if (!status && !why && plain)
		why = take_name(draft);
	if (status || why)
		draft->is = (struct stat){0};
	if (!status && why == EEXIST && draft->how & ODO_DRAFT_NEW)
		status = fail_existing(draft, err);
	else if (!status && why)
		status = fail_write(draft, why, err);
	/* Some network file systems have no request to sync a folder. */
	if (!status && plain && draft->how & ODO_DRAFT_SYNC && AGAIN(fsync(draft->folder)) &&
	    errno != EINVAL && errno != ENOTSUP)
		status = odo_fail(err, ODO_EIO, "%s: the file may be lost in a power failure: %s",
				  draft->path, strerror(errno));
	free_draft(draft);
	return status;
}

void odo_remove_drafts(const char *folder, const char *prefix)
{
	DIR *all = opendir(folder);
	const struct dirent *entry;
	struct stat is;
	while (all && (entry = readdir(all)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)) &&
		    strstr(entry->d_name, DRAFT) &&
		    !fstatat(dirfd(all), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(is.st_mode) && difftime(time(NULL), is.st_mtime) > DRAFT_SECONDS)
			unlinkat(dirfd(all), entry->d_name, 0);
	if (all)
		closedir(all);
}

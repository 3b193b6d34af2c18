/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit.h"

#define OPERATION(result, name, ...)                                                               \
	result __real_##name(__VA_ARGS__);                                                         \
	result __wrap_##name(__VA_ARGS__);                                                         \
	result __wrap_##name(__VA_ARGS__)

int __real_close(int file);

int disk_fsync_errno, disk_folder_errno, disk_rename_errno, disk_nameless_errno,
	disk_noreplace_errno;
void (*disk_before)(unsigned operation);
void (*disk_before_name)(const char *name);

enum { MOST_FILES = 64, MOST_ENTRIES = 64, MOST_OPEN = 1024, MOST_PENDING = 12 };

/* Contents of a file: only the first `synced` bytes survive for certain. Files are written from the
 * beginning to the end. */
typedef struct contents {
	char *bytes;
	size_t size, synced;
} contents;

/* A name in the folder, from now on: of a file, or of NONE. */
typedef struct entry {
	char name[256];
	int file;
} entry;
enum { NONE = -1, FOLDER = -2 };

static struct disk {
	char folder[128];
	contents file[MOST_FILES];
	entry durable[MOST_ENTRIES], pending[MOST_PENDING];
	int n_files, n_durable, n_pending;
	int open[MOST_OPEN]; /* 1 + the file of a descriptor, or FOLDER; 0: none of ours */
	bool on;
	unsigned n, at;
	disk_fault fault;
	const char *failed;
} disk;

static bool is_dead(void)
{
	return disk.at && disk.n > disk.at && (disk.fault == DISK_DEAD || disk.fault == DISK_CRASH);
}

static bool is_now(void)
{
	return disk.at && disk.n == disk.at;
}

typedef enum verdict { DO, FAIL, DO_HALF, DO_AND_FAIL } verdict;

/* Count an operation, and say what is to happen. After a loss of power nothing reaches the disk. */
static verdict judge_operation(const char *name, int always)
{
	static const int numbers[N_DISK_FAULTS] = {
		[DISK_EIO] = EIO,      [DISK_ENOSPC] = ENOSPC, [DISK_EINTR] = EINTR,
		[DISK_DONE_EIO] = EIO, [DISK_DEAD] = EIO,      [DISK_CRASH] = EIO};
	disk.n++;
	if (disk_before)
		disk_before(disk.n);
	errno = always ? always : numbers[disk.fault];
	if (always || is_dead())
		return FAIL;
	if (!is_now())
		return DO;
	disk.failed = name;
	return disk.fault == DISK_SHORT      ? DO_HALF
	       : disk.fault == DISK_DONE_EIO ? DO_AND_FAIL
					     : FAIL;
}

static int finish(verdict what, int result)
{
	if (what == DO_AND_FAIL && result >= 0)
		errno = EIO;
	return what == DO_AND_FAIL ? -1 : result;
}

static int of(int file)
{
	return disk.on && file >= 0 && file < MOST_OPEN ? disk.open[file] : 0;
}

static void set_entry(entry *list, int *n, const char *name, int file)
{
	int i = 0;
	while (i < *n && strcmp(list[i].name, name))
		i++;
	assert_true(i < MOST_ENTRIES);
	*n += i == *n;
	snprintf(list[i].name, sizeof list[i].name, "%s", name);
	list[i].file = file;
}

static void add_pending(const char *name, int file)
{
	assert_true(disk.n_pending < MOST_PENDING);
	snprintf(disk.pending[disk.n_pending].name, sizeof disk.pending->name, "%s", name);
	disk.pending[disk.n_pending++].file = file;
}

/* The file that a name has now. */
static int find_file(const char *name)
{
	int found = NONE;
	for (int i = 0; i < disk.n_durable; i++)
		if (!strcmp(disk.durable[i].name, name))
			found = disk.durable[i].file;
	for (int i = 0; i < disk.n_pending; i++)
		if (!strcmp(disk.pending[i].name, name))
			found = disk.pending[i].file;
	return found;
}

static int new_file(int descriptor)
{
	assert_true(disk.n_files < MOST_FILES && descriptor < MOST_OPEN);
	disk.open[descriptor] = 1 + disk.n_files;
	return disk.n_files++;
}

/* ---- Operations ---- */

OPERATION(int, open, const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	bool folder = disk.on && !strcmp(path, disk.folder);
	verdict what = folder ? judge_operation("open", 0) : DO;
	if (what == FAIL)
		return -1;
	int file = __real_open(path, flags, mode);
	if (folder && file >= 0 && file < MOST_OPEN)
		disk.open[file] = FOLDER;
	return finish(what, file);
}

OPERATION(int, openat, int at, const char *name, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (of(at) != FOLDER)
		return __real_openat(at, name, flags, mode);
	bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
	verdict what = judge_operation(nameless ? "openat nameless" : "openat",
				       nameless ? disk_nameless_errno : 0);
	if (what == FAIL)
		return -1;
	if (disk_before_name && !nameless)
		disk_before_name(name);
	int file = __real_openat(at, name, flags, mode);
	if (file >= 0) {
		int made = new_file(file);
		if (!nameless)
			add_pending(name, made);
		if (what == DO_AND_FAIL) {
			disk.open[file] = 0;
			__real_close(file);
		}
	}
	return finish(what, file);
}

OPERATION(ssize_t, write, int to, const void *bytes, size_t n)
{
	int which = of(to);
	if (which <= 0)
		return __real_write(to, bytes, n);
	verdict what = judge_operation("write", 0);
	if (what == FAIL)
		return -1;
	if (what == DO_HALF)
		n = (n + 1) / 2;
	contents *f = &disk.file[which - 1];
	f->bytes = realloc(f->bytes, f->size + n + 1);
	memcpy(f->bytes + f->size, bytes, n);
	f->size += n;
	ssize_t wrote = __real_write(to, bytes, n);
	return what == DO_AND_FAIL ? (errno = EIO, -1) : wrote;
}

OPERATION(int, fsync, int file)
{
	int which = of(file);
	struct stat is;
	bool folder = !fstat(file, &is) && S_ISDIR(is.st_mode);
	int always = folder ? disk_folder_errno : disk_fsync_errno;
	if (!which)
		return (errno = always) ? -1 : __real_fsync(file);
	verdict what = judge_operation(folder ? "fsync folder" : "fsync", always);
	if (what == FAIL)
		return -1;
	for (int i = 0; folder && i < disk.n_pending; i++)
		set_entry(disk.durable, &disk.n_durable, disk.pending[i].name,
			  disk.pending[i].file);
	if (folder)
		disk.n_pending = 0;
	else
		disk.file[which - 1].synced = disk.file[which - 1].size;
	return finish(what, 0);
}

OPERATION(int, close, int file)
{
	int which = of(file);
	if (!which)
		return __real_close(file);
	disk.open[file] = 0;
	verdict what = judge_operation(which == FOLDER ? "close folder" : "close", 0);
	int number = errno, closed = __real_close(file);
	errno = number;
	return what == DO || what == DO_HALF ? closed : -1;
}

OPERATION(int, linkat, int from, const char *path, int at, const char *name, int flags)
{
	int file;
	if (of(at) != FOLDER)
		return __real_linkat(from, path, at, name, flags);
	verdict what = judge_operation("linkat", 0);
	if (what == FAIL)
		return -1;
	if (disk_before_name)
		disk_before_name(name);
	int made = __real_linkat(from, path, at, name, flags);
	if (!made) {
		assert_int_equal(sscanf(path, "/proc/self/fd/%d", &file), 1);
		add_pending(name, of(file) - 1);
	}
	return finish(what, made);
}

OPERATION(int, renameat2, int from, const char *old, int at, const char *name, unsigned flags)
{
	if (of(at) != FOLDER)
		return (errno = disk_rename_errno) ? -1
						   : __real_renameat2(from, old, at, name, flags);
	verdict what = judge_operation("renameat2", flags & RENAME_NOREPLACE ? disk_noreplace_errno
									     : disk_rename_errno);
	if (what == FAIL)
		return -1;
	int done = __real_renameat2(from, old, at, name, flags);
	if (!done) {
		add_pending(name, find_file(old));
		add_pending(old, NONE);
	}
	return finish(what, done);
}

OPERATION(int, renameat, int from, const char *old, int at, const char *name)
{
	return __wrap_renameat2(from, old, at, name, 0);
}

OPERATION(int, unlinkat, int at, const char *name, int flags)
{
	if (of(at) != FOLDER)
		return __real_unlinkat(at, name, flags);
	verdict what = judge_operation("unlinkat", 0);
	if (what == FAIL)
		return -1;
	int done = __real_unlinkat(at, name, flags);
	if (!done)
		add_pending(name, NONE);
	return finish(what, done);
}

OPERATION(int, fchmod, int file, mode_t mode)
{
	verdict what = of(file) ? judge_operation("fchmod", 0) : DO;
	return what == FAIL ? -1 : finish(what, __real_fchmod(file, mode));
}

/* Functions that durable files must not be written by: the disk does not see them. */
#define NOT_SIMULATED(result, name, ...)                                                           \
	OPERATION(result, name, __VA_ARGS__)                                                       \
	{                                                                                          \
		if (disk.on)                                                                       \
			fail_msg("%s() is not simulated", #name);                                  \
		return __real_##name(UNPACK_##name);                                               \
	}
#define UNPACK_fdatasync file
#define UNPACK_ftruncate file, size
#define UNPACK_rename from, to
#define UNPACK_unlink path
NOT_SIMULATED(int, fdatasync, int file)
NOT_SIMULATED(int, ftruncate, int file, off_t size)
NOT_SIMULATED(int, rename, const char *from, const char *to)
NOT_SIMULATED(int, unlink, const char *path)

/* ---- Tests ---- */

static void empty_folder(void)
{
	DIR *all = opendir(disk.folder);
	assert_non_null(all);
	for (const struct dirent *x; (x = readdir(all));)
		if (strcmp(x->d_name, ".") && strcmp(x->d_name, ".."))
			assert_int_equal(__real_unlinkat(dirfd(all), x->d_name, 0), 0);
	closedir(all);
}

void disk_begin(const char *folder)
{
	for (int i = 0; i < disk.n_files; i++)
		free(disk.file[i].bytes);
	disk = (struct disk){.on = true};
	snprintf(disk.folder, sizeof disk.folder, "%s", folder);
	empty_folder();
}

void disk_set(unsigned at, disk_fault fault)
{
	disk.n = 0;
	disk.failed = "";
	disk.at = at;
	disk.fault = fault;
}

unsigned disk_operations(void)
{
	return disk.n;
}

const char *disk_failed(void)
{
	return disk.failed;
}

void disk_end(void)
{
	disk.on = false;
}

void disk_go_on(void)
{
	disk.on = true;
}

/* Bytes that are left of those that were not synced. */
enum { LOST, KEPT, HALF, ZEROES, LATE, GARBAGE, N_LEFT };

unsigned disk_cuts(void)
{
	bool synced = true;
	for (int i = 0; i < disk.n_files; i++)
		synced &= disk.file[i].synced == disk.file[i].size;
	return (synced ? 1 : N_LEFT) << disk.n_pending;
}

static void put_file(const char *name, const contents *f, unsigned left)
{
	char path[512];
	size_t n = f->size - f->synced, kept = left == LOST ? 0 : left == HALF ? n / 2 : n;
	char *bytes = malloc(f->size + 1);
	memcpy(bytes, f->bytes ? f->bytes : "", f->size);
	if (left >= ZEROES) /* a length that was written before its bytes, or a part of them */
		memset(bytes + f->synced, left == GARBAGE ? '?' : 0, left == LATE ? n / 3 : n);
	snprintf(path, sizeof path, "%s/%.300s", disk.folder, name);
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	fwrite(bytes, 1, f->synced + kept, to);
	assert_int_equal(fclose(to), 0);
	free(bytes);
}

void disk_cut(unsigned cut)
{
	entry now[MOST_ENTRIES];
	int n = disk.n_durable;
	unsigned names = cut & ((1u << disk.n_pending) - 1), left = cut >> disk.n_pending;
	memcpy(now, disk.durable, sizeof now);
	for (int i = 0; i < disk.n_pending; i++)
		if (names >> i & 1)
			set_entry(now, &n, disk.pending[i].name, disk.pending[i].file);
	empty_folder();
	for (int i = 0; i < n; i++)
		if (now[i].file != NONE)
			put_file(now[i].name, &disk.file[now[i].file], left);
}

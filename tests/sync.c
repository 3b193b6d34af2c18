/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A disk that fails, for LD_PRELOAD: ODONATA_SYNC_FAILS says what does, "file", "folder" or
 * "rename". What of these is asked for, in this order, goes into the file ODONATA_SYNC_LOG, a line
 * each.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fails(const char *what)
{
	const char *fault = getenv("ODONATA_SYNC_FAILS"), *log = getenv("ODONATA_SYNC_LOG");
	FILE *to = log ? fopen(log, "a") : NULL;
	if (to) {
		fprintf(to, "%s\n", what);
		fclose(to);
	}
	if (!fault || strcmp(fault, what))
		return false;
	errno = EIO;
	return true;
}

int fsync(int file)
{
	int (*next)(int);
	struct stat is;
	void *found = dlsym(RTLD_NEXT, "fsync");
	memcpy(&next, &found, sizeof next);
	bool folder = !fstat(file, &is) && S_ISDIR(is.st_mode);
	return fails(folder ? "folder" : "file") ? -1 : next(file);
}

/* State files do not count. */
int renameat2(int folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	int (*next)(int, const char *, int, const char *, unsigned);
	void *found = dlsym(RTLD_NEXT, "renameat2");
	memcpy(&next, &found, sizeof next);
	bool state = strstr(to, ".json") || strstr(to, ".prom") || strstr(to, ".certificate");
	return !state && fails("rename") ? -1 : next(folder, from, to_folder, to, flags);
}

int renameat(int folder, const char *from, int to_folder, const char *to)
{
	return renameat2(folder, from, to_folder, to, 0);
}

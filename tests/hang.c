/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A disk that does not answer, for LD_PRELOAD: the call that the file ODONATA_HANG names (opendir,
 * openat or fsync) does not return while it does so. Only the plugin's files count, and not those
 * that it reads as it is loaded, in the main thread.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_named(const char *call)
{
	char line[32] = "";
	const char *path = getenv("ODONATA_HANG");
	FILE *from = path ? fopen(path, "r") : NULL;
	if (from && !fgets(line, sizeof line, from))
		*line = '\0';
	if (from)
		fclose(from);
	line[strcspn(line, "\n")] = '\0';
	return !strcmp(line, call);
}

static void hang(const char *call)
{
	while (gettid() != getpid() && is_named(call))
		usleep(20000);
}

#define NEXT(name, next)                                                                           \
	do {                                                                                       \
		void *found = dlsym(RTLD_NEXT, name);                                              \
		memcpy(&(next), &found, sizeof(next));                                             \
	} while (0)

DIR *opendir(const char *name)
{
	DIR *(*next)(const char *);
	NEXT("opendir", next);
	hang("opendir");
	return next(name);
}

int fsync(int file)
{
	int (*next)(int);
	NEXT("fsync", next);
	hang("fsync");
	return next(file);
}

/* Drafts of the plugin's files. */
int openat(int folder, const char *name, int flags, ...)
{
	int (*next)(int, const char *, int, ...);
	va_list rest;
	va_start(rest, flags);
	unsigned mode = va_arg(rest, unsigned);
	va_end(rest);
	NEXT("openat", next);
	if (!strncmp(name, "odonata", 7) || !strncmp(name, ".odonata", 8))
		hang("openat");
	return next(folder, name, flags, mode);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory that fails when a test says so. Linked into a plugin whose allocations are wrapped, and
 * made an object of its own for LD_PRELOAD (FAULT_PRELOAD), which libraries' allocations go through
 * as well (tests/CMakeLists.txt).
 *
 * While the file named by ODONATA_FAULT is there it is read and removed. Its numbers say how many
 * allocations succeed before one fails: "0 5" fails the first, and of those after it the sixth.
 * "5 on" fails the sixth and all after it. A test linked with this file sets the same by fault.h.
 * Each time it is read, the number of allocations since the last time goes into the file named by
 * ODONATA_FAULT_COUNT, and then how many pieces are not given back. The preloaded object reads it
 * once, when it is loaded, and counts until the program ends; it does not see what is given back.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FAULTS 8

static long left[MOST_FAULTS]; /* allocations that succeed before each fault; -1: no more */
static unsigned at = MOST_FAULTS;
static bool stays; /* after the last of them all fail */
static unsigned long count;
static long in_use;

static void tell_count(void)
{
	const char *path = getenv("ODONATA_FAULT_COUNT");
	FILE *file = path ? fopen(path, "w") : NULL;
	if (!file)
		return;
	fprintf(file, "%lu %ld\n", count, in_use);
	fclose(file);
}

static void arm(void)
{
	const char *path = getenv("ODONATA_FAULT");
	FILE *file = path ? fopen(path, "r") : NULL;
	char word[4] = "";
	if (!file)
		return;
	for (unsigned i = 0; i < MOST_FAULTS; i++)
		if (fscanf(file, "%ld", &left[i]) != 1)
			left[i] = -1;
	stays = fscanf(file, "%3s", word) == 1 && !strcmp(word, "on");
	fclose(file);
	remove(path);
	at = 0;
	tell_count();
	count = 0;
}

/* Whether the next allocation does, by what is left. */
static bool spent(void)
{
	if (at == MOST_FAULTS)
		return false;
	if (left[at] > 0) {
		left[at]--;
		return false;
	}
	bool fault = !left[at] || stays;
	at += !left[at];
	if (fault)
		errno = ENOMEM;
	return fault;
}

#ifdef FAULT_PRELOAD

#include <dlfcn.h>

#define ALLOCATOR(name) name

static bool loaded; /* what the loader allocates does not count */

static bool fails(void)
{
	if (!loaded)
		return false;
	count++;
	return spent();
}

/* The next allocator: the C library's, or a sanitiser's. */
static void find(void *function, const char *name)
{
	void *next = dlsym(RTLD_NEXT, name);
	memcpy(function, &next, sizeof next);
}

static void *__real_malloc(size_t size)
{
	static void *(*next)(size_t);
	if (!next)
		find(&next, "malloc");
	return next(size);
}

static void *__real_calloc(size_t n, size_t size)
{
	static void *(*next)(size_t, size_t);
	if (!next)
		find(&next, "calloc");
	return next(n, size);
}

static void *__real_realloc(void *old, size_t size)
{
	static void *(*next)(void *, size_t);
	if (!next)
		find(&next, "realloc");
	return next(old, size);
}

__attribute__((constructor)) static void begin(void)
{
	arm();
	loaded = true;
}

__attribute__((destructor)) static void end(void)
{
	loaded = false;
	tell_count();
}

#else

#include "tests/fault.h"

#define ALLOCATOR(name) __wrap_##name

void fault_set(long after, bool on)
{
	memset(left, 0xFF, sizeof left);
	left[0] = after;
	stays = on;
	at = 0;
}

bool fault_end(void)
{
	bool failed = at;
	at = MOST_FAULTS;
	return failed;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);

static bool fails(void)
{
	arm();
	count++;
	return spent();
}

#endif

static void *counted(void *piece)
{
	in_use += piece != NULL;
	return piece;
}

void *ALLOCATOR(malloc)(size_t size);
void *ALLOCATOR(calloc)(size_t n, size_t size);
void *ALLOCATOR(realloc)(void *old, size_t size);

void *ALLOCATOR(malloc)(size_t size)
{
	return fails() ? NULL : counted(__real_malloc(size));
}

void *ALLOCATOR(calloc)(size_t n, size_t size)
{
	return fails() ? NULL : counted(__real_calloc(n, size));
}

void *ALLOCATOR(realloc)(void *old, size_t size)
{
	if (fails())
		return NULL;
	void *piece = __real_realloc(old, size);
	return old ? piece : counted(piece);
}

#ifndef FAULT_PRELOAD

char *__real_strdup(const char *text);
void __real_free(void *piece);
char *__wrap_strdup(const char *text);
FILE *__real_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size);
void __wrap_free(void *piece);

char *__wrap_strdup(const char *text)
{
	return counted(__real_strdup(text));
}

/* The text is a piece as well, which its owner frees. It does not fail: the plugin's thread makes
 * texts at moments of its own. */
FILE *__wrap_open_memstream(char **text, size_t *size)
{
	return counted(__real_open_memstream(text, size));
}

void __wrap_free(void *piece)
{
	in_use -= piece != NULL;
	__real_free(piece);
}

#endif

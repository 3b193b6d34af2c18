/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory that fails when a test says so. Linked into a plugin whose allocations are wrapped
 * (tests/CMakeLists.txt), and into nothing else of opensm.
 *
 * While the file named by ODONATA_FAULT is there it is read and removed. Its numbers say how many
 * allocations succeed before one fails: "0 5" fails the first, and of those after it the sixth.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_FAULTS 8

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long left[MOST_FAULTS]; /* allocations that succeed before each fault; -1: no more */
static unsigned at = MOST_FAULTS;

static void arm(void)
{
	const char *path = getenv("ODONATA_FAULT");
	FILE *file = path ? fopen(path, "r") : NULL;
	if (!file)
		return;
	for (unsigned i = 0; i < MOST_FAULTS; i++)
		if (fscanf(file, "%ld", &left[i]) != 1)
			left[i] = -1;
	fclose(file);
	remove(path);
	at = 0;
}

static bool fails(void)
{
	arm();
	if (at == MOST_FAULTS || left[at] < 0 || left[at]--)
		return false;
	at++;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

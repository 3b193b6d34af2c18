/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_TESTS_FUZZ_H
#define ODONATA_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

/** libFuzzer's entry point. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** What must hold for every input, in release builds too. */
static inline void hold(int truth, const char *what)
{
	if (!truth) {
		fprintf(stderr, "does not hold: %s\n", what);
		abort();
	}
}

/** The input as a text for free(), NUL-terminated at text[size]. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	hold(text != NULL, "there is memory");
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/** A file without a name that holds the input, for readers that take a path.
 * @param path [32] @return what close() takes */
static inline int fuzz_file(const uint8_t *data, size_t size, char *path)
{
	int file = memfd_create("fuzz", MFD_CLOEXEC);
	hold(file >= 0 && write(file, data, size) == (ssize_t)size, "there is a file");
	snprintf(path, 32, "/proc/self/fd/%d", file);
	return file;
}

/** Inputs that readers have taken, or parts of them. */
__attribute__((weak)) unsigned long fuzz_taken;

/** What is refused is explained in one line. @return whether it is refused */
static inline int fuzz_refused(int status, const odo_error *err)
{
	hold(status <= 0 && status >= ODO_EDECLINE, "a status that is known");
	hold(!status || (*err->text && !strchr(err->text, '\n')), "an error is one line");
	hold(!status || err->status == status, "an error has its status");
	fuzz_taken += !status;
	return status;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tests of a folder as one program, so that a change of the core links a dozen programs and not
 * a hundred:
 *
 *   build/tests/FOLDER WHAT [PATTERN]    run test_WHAT.c, or those of its functions that match
 *
 * Each file is compiled with its main() named test_WHAT_main(); CMakeLists.txt lists them for
 * this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEST_FILE(what) int test_##what##_main(void);
#include "files.h"
#undef TEST_FILE

static const struct {
	const char *what;
	int (*run)(void);
} files[] = {
#define TEST_FILE(what) {#what, test_##what##_main},
#include "files.h"
#undef TEST_FILE
};

int main(int n_words, char **words)
{
	const size_t n_files = sizeof(files) / sizeof(*files);
	for (size_t i = 0; n_words > 1 && i < n_files; i++) {
		if (strcmp(words[1], files[i].what) != 0)
			continue;
		if (n_words > 2)
			cmocka_set_test_filter(words[2]);
		return files[i].run();
	}
	fprintf(stderr, "usage: %s WHAT [PATTERN]; WHAT is one of", words[0]);
	for (size_t i = 0; i < n_files; i++)
		fprintf(stderr, " %s", files[i].what);
	fprintf(stderr, "\n");
	return 2;
}

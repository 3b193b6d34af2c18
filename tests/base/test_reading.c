/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading of sealed files from a system that fails, and with the standard input closed. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/replace.h"
#include "base/seal.h"
#include "tests/unit.h"

/* A file of which reading fails from a byte on. */
typedef struct source {
	char *text;
	size_t size, fails;
	off64_t at;
} source;

static ssize_t read_source(void *cookie, char *to, size_t n)
{
	source *x = cookie;
	size_t at = (size_t)x->at;
	if (at >= x->fails) {
		errno = EIO;
		return -1;
	}
	n = n < x->fails - at ? n : x->fails - at;
	n = n < x->size - at ? n : x->size - at;
	memcpy(to, x->text + at, n);
	x->at += (off64_t)n;
	return (ssize_t)n;
}

static int seek_source(void *cookie, off64_t *to, int whence)
{
	source *x = cookie;
	*to += whence == SEEK_END ? (off64_t)x->size : whence == SEEK_CUR ? x->at : 0;
	x->at = *to;
	return 0;
}

static source make_sealed(size_t n)
{
	source x = {0};
	FILE *to = open_memstream(&x.text, &x.size);
	odo_seal seal;
	assert_non_null(to);
	odo_seal_begin(&seal, &odo_seal_past, to);
	for (size_t i = 0; i < n; i++)
		odo_seal_write(&seal, "x", 1, 1);
	odo_seal_end(&seal);
	fclose(to);
	x.fails = x.size + 1;
	return x;
}

static int check_source(source *x)
{
	uint64_t contents;
	odo_error err;
	x->at = 0;
	FILE *from = fopencookie(x, "r",
				 (cookie_io_functions_t){read_source, NULL, seek_source, NULL});
	assert_non_null(from);
	int status = odo_seal_check(&odo_seal_past, from, "file", &contents, &err);
	assert_true(!status || contents == 0);
	fclose(from);
	return status;
}

/* Reading ends where the system does not return a byte, and says that it could not read. */
static void a_system_that_fails_ends_reading(void **state)
{
	static const size_t sizes[] = {0, 100, 20000};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, sizes, NULL); i++) {
		source x = make_sealed(sizes[i]);
		size_t size = x.size;
		assert_int_equal(check_source(&x), 0);
		for (size_t at = 0; at < size; at += 1 + size / 50) {
			x.fails = at;
			assert_int_equal(check_source(&x), ODO_EIO);
		}
		free(x.text);
	}
}

/* A daemon may have closed its standard input: 0 is a file like others. */
static void the_first_descriptor_is_a_file(void **state)
{
	struct stat is;
	FILE *from = NULL;
	odo_error err;
	(void)state;
	int kept = dup(STDIN_FILENO), had_one = kept >= 0;
	close(STDIN_FILENO);
	int status = odo_open_regular("/proc/self/exe", true, UINT64_MAX, &from, &is, &err);
	bool first = from && fileno(from) == STDIN_FILENO;
	if (from)
		fclose(from);
	if (had_one) {
		assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
		close(kept);
	}
	assert_int_equal(status, 0);
	assert_true(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_system_that_fails_ends_reading),
		cmocka_unit_test(the_first_descriptor_is_a_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

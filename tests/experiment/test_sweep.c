/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A sweep loses nothing, does nothing twice, and ends in the same bytes whatever happens. */
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "experiment/sweep/sweep.h"
#include "tests/unit.h"

#define N_POINTS 60

struct work {
	atomic_uint runs;
	uint32_t fail_at; /**< N_POINTS for never */
	long nap;         /**< nanoseconds a point takes */
};

static int square(void *context, uint32_t point, char *line, odo_error *err)
{
	struct work *w = context;
	atomic_fetch_add(&w->runs, 1);
	nanosleep(&(struct timespec){.tv_nsec = w->nap}, NULL);
	if (point == w->fail_at)
		return odo_fail(err, ODO_EDECLINE, "point %u does not suit", point);
	/* Long enough that a kill now and then falls into a line. */
	sprintf(line, "%u,%0600u", point * point, point);
	return 0;
}

static odo_sweep make(struct work *w, const char *path, unsigned threads)
{
	return (odo_sweep){.path = path,
			   .parameters = "what squares\nseed 1",
			   .columns = "square,padding",
			   .n_points = N_POINTS,
			   .threads = threads,
			   .context = w,
			   .run = square};
}

static char *slurp(const char *path, size_t *size)
{
	FILE *from = fopen(path, "r");
	assert_non_null(from);
	char *text = calloc(1, 1 << 20);
	*size = fread(text, 1, (1 << 20) - 1, from);
	fclose(from);
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	fputs(text, to);
	fclose(to);
}

static void assert_same_file(const char *a, const char *b)
{
	size_t n, m;
	char *x = slurp(a, &n), *y = slurp(b, &m);
	assert_int_equal(n, m);
	assert_memory_equal(x, y, n);
	free(x);
	free(y);
}

/* In memory where there is such a place: each point is flushed to the disk. */
static char folder[64], plain[96], other[96];

static int begin(void **state)
{
	(void)state;
	bool fast = !access("/dev/shm", W_OK);
	strcpy(folder, fast ? "/dev/shm/odonata-sweep-XXXXXX" : "/tmp/odonata-sweep-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(plain, sizeof plain, "%s/plain.csv", folder);
	snprintf(other, sizeof other, "%s/other.csv", folder);
	struct work w = {.fail_at = N_POINTS};
	odo_sweep sweep = make(&w, plain, 1);
	return odo_sweep_run(&sweep, NULL);
}

static int end(void **state)
{
	(void)state;
	unlink(plain);
	unlink(other);
	return rmdir(folder);
}

static void header_carries_all_parameters_and_points_are_in_order(void **state)
{
	(void)state;
	size_t size;
	char *text = slurp(plain, &size), *at = text;
	const char *header = "# what squares\n# seed 1\npoint,square,padding\n";
	assert_memory_equal(text, header, strlen(header));
	at += strlen(header);
	for (unsigned i = 0; i < N_POINTS; i++) {
		unsigned point, value;
		assert_int_equal(sscanf(at, "%u,%u,", &point, &value), 2);
		assert_int_equal(point, i);
		assert_int_equal(value, i * i);
		at = strchr(at, '\n') + 1;
	}
	assert_int_equal(*at, '\0');
	free(text);
}

static void threads_change_no_byte(void **state)
{
	(void)state;
	struct work w = {.fail_at = N_POINTS, .nap = 300000};
	odo_sweep sweep = make(&w, other, 4);
	odo_error err = {0};
	assert_int_equal(odo_sweep_run(&sweep, &err), 0);
	assert_same_file(plain, other);
	unlink(other);
}

static void file_that_a_link_leads_to_is_written(void **state)
{
	(void)state;
	char link[96];
	snprintf(link, sizeof link, "%s/link.csv", folder);
	write_file(other, "");
	assert_int_equal(symlink("other.csv", link), 0);
	struct work w = {.fail_at = N_POINTS};
	odo_sweep sweep = make(&w, link, 2);
	odo_error err = {0};
	assert_int_equal(odo_sweep_run(&sweep, &err), 0);
	char to[16];
	assert_int_equal(readlink(link, to, sizeof to), strlen("other.csv"));
	assert_same_file(plain, other);
	unlink(link);
	unlink(other);
}

static void finished_sweep_runs_nothing(void **state)
{
	(void)state;
	struct work w = {.fail_at = 0};
	odo_sweep sweep = make(&w, plain, 2);
	odo_error err = {0};
	assert_int_equal(odo_sweep_run(&sweep, &err), 0);
	assert_int_equal(w.runs, 0);
}

static void killed_sweep_goes_on_where_it_was(void **state)
{
	(void)state;
	struct work w = {.fail_at = N_POINTS, .nap = 1000000};
	odo_sweep sweep = make(&w, other, 2);
	unsigned kills = 0;
	for (unsigned i = 0; i < 200; i++) {
		pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0)
			_exit(odo_sweep_run(&sweep, NULL) ? 1 : 0);
		nanosleep(&(struct timespec){.tv_nsec = 1000000 + 900000 * (i % 7)}, NULL);
		kill(child, SIGKILL);
		int how;
		waitpid(child, &how, 0);
		if (WIFEXITED(how)) {
			assert_int_equal(WEXITSTATUS(how), 0);
			break;
		}
		kills++;
	}
	assert_true(kills > 2);
	assert_int_equal(odo_sweep_run(&sweep, NULL), 0);
	assert_same_file(plain, other);
	unlink(other);
}

/** A file cut at any byte is a sweep that was killed there. */
static void file_cut_anywhere_is_completed(void **state)
{
	(void)state;
	size_t size;
	char *text = slurp(plain, &size);
	for (size_t cut = 0; cut < size; cut += 1 + cut / 3) {
		FILE *to = fopen(other, "w");
		fwrite(text, 1, cut, to);
		fclose(to);
		struct work w = {.fail_at = N_POINTS};
		odo_sweep sweep = make(&w, other, 1);
		assert_int_equal(odo_sweep_run(&sweep, NULL), 0);
		unsigned whole = 0;
		for (size_t i = 0; i < cut; i++)
			whole += text[i] == '\n';
		assert_int_equal(w.runs, N_POINTS - (whole > 3 ? whole - 3 : 0));
		assert_same_file(plain, other);
	}
	free(text);
	unlink(other);
}

static void failed_point_ends_the_sweep_and_keeps_the_rest(void **state)
{
	(void)state;
	struct work w = {.fail_at = 10};
	odo_sweep sweep = make(&w, other, 2);
	odo_error err = {0};
	assert_int_equal(odo_sweep_run(&sweep, &err), ODO_EDECLINE);
	assert_string_equal(err.text, "point 10 does not suit");
	unsigned before = w.runs;
	w.fail_at = N_POINTS;
	assert_int_equal(odo_sweep_run(&sweep, &err), 0);
	assert_int_equal(w.runs - before, N_POINTS - (before - 1));
	assert_same_file(plain, other);
	unlink(other);
}

static void foreign_files_are_refused_and_left_alone(void **state)
{
	(void)state;
	static const char *const texts[][2] = {
		{"shopping list\n", ":1: expected the parameters of this sweep"},
		{"# what squares\n# seed 2\n", ":2: expected the parameters"},
		{"# what squares\n# seed 1\npoint,square,padding\n60,1,1\n",
		 ":4: expected a point"},
		{"# what squares\n# seed 1\npoint,square,padding\n1,1,1\n1,1,1\n", ":5: expected"},
		{"# what squares\n# seed 1\npoint,square,padding\n\n", ":4: expected"},
		{"# what squares\n# seed 1\npoint,square,padding\n-1,2\n", ":4: expected"},
	};
	for (size_t i = 0; TEST_ROW(i, texts, texts[i][0]); i++) {
		struct work w = {.fail_at = N_POINTS};
		odo_sweep sweep = make(&w, other, 1);
		odo_error err = {0};
		write_file(other, texts[i][0]);
		assert_int_equal(odo_sweep_run(&sweep, &err), ODO_EINPUT);
		if (!strstr(err.text, texts[i][1]))
			fail_msg("%s", err.text);
		size_t size;
		char *text = slurp(other, &size);
		assert_string_equal(text, texts[i][0]);
		free(text);
	}
	unlink(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign_files_are_refused_and_left_alone),
		cmocka_unit_test(failed_point_ends_the_sweep_and_keeps_the_rest),
		cmocka_unit_test(header_carries_all_parameters_and_points_are_in_order),
		cmocka_unit_test(threads_change_no_byte),
		cmocka_unit_test(file_that_a_link_leads_to_is_written),
		cmocka_unit_test(finished_sweep_runs_nothing),
		cmocka_unit_test(killed_sweep_goes_on_where_it_was),
		cmocka_unit_test(file_cut_anywhere_is_completed),
	};
	return cmocka_run_group_tests(tests, begin, end);
}

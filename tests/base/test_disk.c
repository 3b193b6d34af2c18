/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that last, on a disk that fails or loses power at every operation: the file of before is
 * there, or the new one, and never a mixture. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace.h"
#include "base/seal.h"
#include "cli/cells.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"
#include "routing/reroute/saved.h"
#include "tests/disk.h"
#include "tests/unit.h"

static char folder[64], path[128];
static odo_fabric *fabric;
static odo_coordinates *coordinates;
static odo_tables *tables;
static odo_history *history;

static int make_all(void **state)
{
	odo_error err;
	(void)state;
	/* quicker, where there is one */
	snprintf(folder, sizeof folder, "%s/odonata-disk.XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/file", folder);
	return odo_topology_generate("mesh:k=3x3,c=1", 1, &fabric, &coordinates, &err) ||
	       odo_route(fabric, coordinates, "updown", NULL, &tables, &err) ||
	       odo_history_note(NULL, tables, &history, &err);
}

static int free_all(void **state)
{
	(void)state;
	disk_begin(folder);
	disk_end();
	odo_history_free(history);
	odo_tables_free(tables);
	odo_coordinates_free(coordinates);
	odo_fabric_free(fabric);
	return rmdir(folder);
}

/* ---- The kinds of files, each of which has several contents, by number ---- */

static int write_past(unsigned number, FILE *to, odo_error *err)
{
	return odo_saved_write(tables, history, number, to, err);
}

static int read_past(FILE *from, odo_error *err)
{
	odo_saved saved;
	int status = odo_saved_read(from, "past", &saved, err);
	assert_true(status || saved.sealed);
	odo_saved_clear(&saved);
	return status;
}

static int write_tables(unsigned number, FILE *to, odo_error *err)
{
	enum { N = 60 };
	odo_cell cells[N];
	(void)err;
	for (unsigned i = 0; i < N; i++) {
		cells[i] = (odo_cell){.guid = i, .block = (uint16_t)number};
		memset(cells[i].was, (int)(i + number), sizeof cells[i].was);
	}
	cli_cells_write(cells, N, to);
	return 0;
}

static int read_tables(FILE *from, odo_error *err)
{
	odo_cell *cells;
	size_t n;
	bool checked;
	int status = cli_cells_read(from, "tables", &cells, &n, &checked, err);
	assert_true(status || checked);
	free(cells);
	return status;
}

/* As the plugin writes it, and as `odonata status` reads it. */
static int write_state(unsigned number, FILE *to, odo_error *err)
{
	odo_seal seal;
	char line[128];
	(void)err;
	odo_seal_begin(&seal, &odo_seal_state, to);
	odo_seal_write(&seal, "{\n", 2, 1);
	for (unsigned i = 0; i < 400; i++) {
		int n = snprintf(line, sizeof line, "  \"key %u\": %u,\n", i, number);
		odo_seal_write(&seal, line, (size_t)n, 1);
	}
	odo_seal_end(&seal);
	return 0;
}

static int read_state(FILE *from, odo_error *err)
{
	static char text[1 << 16];
	uint64_t contents;
	size_t size = fread(text, 1, sizeof text, from);
	if (ferror(from))
		return odo_fail(err, ODO_EIO, "cannot read");
	if (odo_seal_is_there(&odo_seal_state, text, size))
		return odo_seal_check(&odo_seal_state, from, "state", &contents, err);
	json_t *json = json_loadb(text, size, 0, NULL);
	json_decref(json);
	return json ? 0 : odo_fail(err, ODO_EINPUT, "no JSON");
}

static const struct kind {
	const char *name;
	int (*write)(unsigned number, FILE *to, odo_error *err);
	int (*read)(FILE *from, odo_error *err);
	mode_t mode;
	unsigned how;
} kinds[] = {
	{"past", write_past, read_past, 0600, ODO_DRAFT_SYNC},
	{"tables", write_tables, read_tables, 0644, ODO_DRAFT_SYNC | ODO_DRAFT_OUTPUT},
	{"new tables", write_tables, read_tables, 0644,
	 ODO_DRAFT_SYNC | ODO_DRAFT_OUTPUT | ODO_DRAFT_NEW},
	{"state", write_state, read_state, 0644, 0},
	{"output", write_state, read_state, 0666, ODO_DRAFT_OUTPUT},
};

enum { N_CONTENTS = 4, NO_FILE = N_CONTENTS, REFUSED };

static struct {
	char *text;
	size_t size;
} contents[N_CONTENTS];

static void make_contents(const struct kind *kind)
{
	odo_error err;
	for (unsigned i = 0; i < N_CONTENTS; i++) {
		free(contents[i].text);
		FILE *to = open_memstream(&contents[i].text, &contents[i].size);
		assert_int_equal(kind->write(i, to, &err), 0);
		assert_int_equal(fclose(to), 0);
	}
}

static int write_file(const struct kind *kind, unsigned number, odo_error *err)
{
	odo_draft draft;
	*err = (odo_error){0};
	int status = odo_draft_open(&draft, path, kind->mode, kind->how, err);
	if (!status)
		status = odo_draft_close(&draft, kind->write(number, draft.to, err), err);
	assert_true(!status || (status == err->status && strstr(err->text, path)));
	return status;
}

/* Which contents the file has. A reader that takes any other is told of a mixture. */
static unsigned find_contents(const struct kind *kind)
{
	static char text[1 << 16];
	struct stat is;
	odo_error err;
	FILE *from;
	assert_int_equal(odo_open_regular(path, false, sizeof text, &from, &is, &err), 0);
	if (!from)
		return NO_FILE;
	int status = kind->read(from, &err);
	assert_true(!status || status == ODO_EINPUT);
	rewind(from);
	size_t size = fread(text, 1, sizeof text, from);
	fclose(from);
	for (unsigned i = 0; i < N_CONTENTS && !status; i++)
		if (size == contents[i].size && !memcmp(text, contents[i].text, size))
			return i;
	if (!status)
		fail_msg("%s: a mixture is taken", kind->name);
	return REFUSED;
}

/* ---- Every operation fails ---- */

static unsigned long n_cuts, n_faults, n_operations;

/* The file must be the new one if `done`, and else that or the one of before. Without a sync it may
 * be lost in a power failure, but what is there is whole or refused. */
static void expect_whole(const struct kind *kind, bool done, unsigned before, bool lost)
{
	unsigned found = find_contents(kind);
	bool may_go = lost && !(kind->how & ODO_DRAFT_SYNC);
	if (found == 1 || (!done && found == before) ||
	    (may_go && (found == before || found >= NO_FILE)))
		return;
	fail_msg("%s: %s: found contents %u, before there were %u", kind->name,
		 done ? "written" : "not written", found, before);
}

static void cut_everywhere(const struct kind *kind, bool done, unsigned before)
{
	for (unsigned cut = 0; cut < disk_cuts(); cut++, n_cuts++) {
		disk_cut(cut);
		expect_whole(kind, done, before, true);
	}
}

static unsigned count_drafts(void)
{
	DIR *all = opendir(folder);
	unsigned n = 0;
	for (const struct dirent *x; (x = readdir(all));)
		n += strstr(x->d_name, ".draft.") != NULL;
	closedir(all);
	return n;
}

static bool has_failed(const char *const *names)
{
	while (*names && strcmp(*names, disk_failed()))
		names++;
	return *names;
}

/* A failure is told, with its reason, except where there is another way, or the file is there. */
static void expect_told(const struct kind *kind, bool done, disk_fault fault, const odo_error *err)
{
	static const char *const no_matter[] = {"openat nameless", "close folder", "unlinkat", "",
						NULL};
	static const char *const tried_again[] = {"open",  "openat",       "write",
						  "fsync", "fsync folder", NULL};
	bool again = fault == DISK_EINTR && has_failed(tried_again);
	bool well = fault == DISK_SHORT || again || (fault < DISK_DEAD && has_failed(no_matter));
	if (fault <= DISK_SHORT && done != well)
		fail_msg("%s: %s fails: %s", kind->name, disk_failed(),
			 done ? "and is not told" : err->text);
	if (!done && fault == DISK_ENOSPC && !strstr(err->text, strerror(ENOSPC)))
		fail_msg("%s: %s", kind->name, err->text);
}

/* @return false if there are fewer operations */
static bool fail_at(const struct kind *kind, unsigned before, unsigned at, disk_fault fault)
{
	odo_error err;
	disk_begin(folder);
	if (before != NO_FILE)
		assert_int_equal(write_file(kind, before, &err), 0);
	disk_set(at, fault);
	bool done = !write_file(kind, 1, &err);
	bool failed = disk_operations() >= at;
	n_operations += !failed;
	n_faults += failed;
	expect_told(kind, done, fault, &err);
	disk_set(0, DISK_EIO);
	if (fault != DISK_CRASH)
		expect_whole(kind, done, before, false);
	if (fault <= DISK_SHORT)
		assert_int_equal(count_drafts(), 0);
	/* The next attempt succeeds, whatever was left. */
	if (fault != DISK_CRASH && !(kind->how & ODO_DRAFT_NEW)) {
		odo_error again;
		assert_int_equal(write_file(kind, 2, &again), 0);
		assert_int_equal(find_contents(kind), 2);
	}
	return failed;
}

static void crash_at(const struct kind *kind, unsigned before, unsigned at)
{
	odo_error err;
	disk_begin(folder);
	if (before != NO_FILE)
		assert_int_equal(write_file(kind, before, &err), 0);
	disk_set(at, DISK_CRASH);
	bool done = !write_file(kind, 1, &err);
	cut_everywhere(kind, done, before);
}

static void whatever_fails_the_file_is_whole(void **state)
{
	(void)state;
	n_cuts = n_faults = n_operations = 0;
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++) {
		const struct kind *kind = &kinds[i];
		make_contents(kind);
		for (int nameless = 0; nameless < 2; nameless++)
			for (int old = 0; old < 2 - !!(kind->how & ODO_DRAFT_NEW); old++)
				for (int fault = 0; fault < DISK_CRASH; fault++) {
					unsigned at = 1;
					disk_nameless_errno = nameless ? 0 : EOPNOTSUPP;
					while (fail_at(kind, old ? 0 : NO_FILE, at, fault))
						at++;
				}
	}
	disk_nameless_errno = 0;
	print_message("%lu operations failed\n", n_faults);
	assert_true(n_faults > 500);
	disk_end();
}

static void wherever_power_fails_the_file_is_whole(void **state)
{
	(void)state;
	n_cuts = 0;
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++) {
		const struct kind *kind = &kinds[i];
		make_contents(kind);
		for (int nameless = 0; nameless < 2; nameless++)
			for (int old = 0; old < 2 - !!(kind->how & ODO_DRAFT_NEW); old++) {
				disk_nameless_errno = nameless ? 0 : EOPNOTSUPP;
				for (unsigned at = 1; at == 1 || disk_operations() >= at - 1; at++)
					crash_at(kind, old ? 0 : NO_FILE, at);
			}
	}
	disk_nameless_errno = 0;
	print_message("%lu cuts: the file of before, the new one, or one that is refused\n",
		      n_cuts);
	assert_true(n_cuts > 1000);
	disk_end();
}

/* A file in memory that the disk does not return behind some byte. */
static struct {
	const char *text;
	off_t at, size, fails_at;
	unsigned times;
} slow_disk;

static ssize_t read_bytes(void *cookie, char *to, size_t n)
{
	off_t left = slow_disk.size - slow_disk.at;
	(void)cookie;
	if (slow_disk.times && slow_disk.at + (off_t)n > slow_disk.fails_at) {
		slow_disk.times--;
		errno = EIO;
		return -1;
	}
	n = left < (off_t)n ? (size_t)left : n;
	memcpy(to, slow_disk.text + slow_disk.at, n);
	slow_disk.at += (off_t)n;
	return (ssize_t)n;
}

static int seek_byte(void *cookie, off64_t *at, int whence)
{
	(void)cookie;
	*at += whence == SEEK_END ? slow_disk.size : whence == SEEK_CUR ? slow_disk.at : 0;
	slow_disk.at = *at;
	return 0;
}

/* It is not taken, and not called damaged, because then it would be renamed. */
static void an_unread_file_is_not_called_damaged(void **state)
{
	const cookie_io_functions_t functions = {.read = read_bytes, .seek = seek_byte};
	char buffer[64];
	unsigned n = 0;
	(void)state;
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++) {
		make_contents(&kinds[i]);
		for (off_t at = 0; at < (off_t)contents[0].size; at += 97)
			for (unsigned times = 0; times < 3; times++, n++) {
				odo_error err;
				slow_disk.text = contents[0].text;
				slow_disk.size = (off_t)contents[0].size;
				slow_disk.at = 0;
				slow_disk.fails_at = at;
				slow_disk.times = times;
				FILE *from = fopencookie(NULL, "r", functions);
				setvbuf(from, buffer, _IOFBF, sizeof buffer);
				assert_int_equal(kinds[i].read(from, &err), times ? ODO_EIO : 0);
				fclose(from);
			}
	}
	print_message("%u reads\n", n);
}

/* ---- Other writers, and what others put in the way ---- */

static const struct kind *other_kind;
static unsigned other_at, n_others;

static void write_as_another(unsigned operation)
{
	odo_error err;
	if (operation != other_at)
		return;
	disk_before = NULL;
	n_others++;
	int status = write_file(other_kind, 2, &err);
	assert_true(!status || strstr(err.text, "expected a new file, found one"));
}

/* Another one writes the same file in the midst of it, before each operation in turn. */
static void of_two_writers_the_last_one_counts(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++) {
		make_contents(&kinds[i]);
		other_kind = &kinds[i];
		n_others = 0;
		for (other_at = 1; n_others == other_at - 1; other_at++) {
			odo_error err;
			disk_begin(folder);
			disk_set(0, DISK_EIO);
			disk_before = write_as_another;
			int status = write_file(other_kind, 1, &err);
			disk_before = NULL;
			unsigned found = find_contents(other_kind);
			if (status)
				assert_true(kinds[i].how & ODO_DRAFT_NEW && found == 2);
			else
				assert_true(found == 1 || found == 2);
		}
		assert_true(n_others > 5);
	}
	disk_end();
}

/* Some file systems cannot refuse to replace a file by themselves. */
static void a_new_file_replaces_none_on_any_file_system(void **state)
{
	(void)state;
	static const int numbers[] = {0, EINVAL, ENOSYS};
	const struct kind *kind = &kinds[2];
	odo_draft draft;
	odo_error err;
	make_contents(kind);
	for (size_t i = 0; TEST_ROW(i, numbers, NULL); i++) {
		disk_begin(folder);
		disk_noreplace_errno = numbers[i];
		assert_int_equal(odo_draft_open(&draft, path, kind->mode, kind->how, &err), 0);
		assert_int_equal(write_file(kind, 1, &err), 0);
		assert_int_equal(odo_draft_close(&draft, kind->write(2, draft.to, &err), &err),
				 ODO_EINPUT);
		assert_non_null(strstr(err.text, "expected a new file, found one"));
		assert_int_equal(find_contents(kind), 1);
		assert_int_equal(count_drafts(), 0);
		assert_int_equal(odo_draft_open(&draft, path, kind->mode, kind->how, &err),
				 ODO_EINPUT);
	}
	disk_noreplace_errno = 0;
	disk_end();
}

/* A writer that fails, on a sound disk. */
static void contents_that_fail_replace_nothing(void **state)
{
	static const int statuses[] = {ODO_EINPUT, ODO_EIO, ODO_ENOMEM};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++) {
		unsigned before = kinds[i].how & ODO_DRAFT_NEW ? NO_FILE : 1;
		make_contents(&kinds[i]);
		disk_begin(folder);
		odo_error err;
		if (before == 1)
			assert_int_equal(write_file(&kinds[i], 1, &err), 0);
		for (size_t k = 0; TEST_ROW(k, statuses, NULL); k++) {
			odo_draft draft;
			assert_int_equal(
				odo_draft_open(&draft, path, kinds[i].mode, kinds[i].how, &err), 0);
			kinds[i].write(2, draft.to, &err);
			int status = odo_fail(&err, statuses[k], "no more");
			assert_int_equal(odo_draft_close(&draft, status, &err), status);
			assert_int_equal(strncmp(err.text, path, strlen(path)) == 0,
					 status == ODO_EIO);
			assert_int_equal(find_contents(&kinds[i]), before);
			assert_int_equal(count_drafts(), 0);
		}
	}
	disk_end();
}

/* The plugin's files are for those whom they are for; umask is for users' outputs. */
static void files_are_for_those_who_may_read_them(void **state)
{
	static const mode_t masks[] = {0, 022, 077, 0777};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++)
		for (size_t k = 0; TEST_ROW(k, masks, NULL); k++) {
			odo_error err;
			struct stat is;
			bool output = kinds[i].how & ODO_DRAFT_OUTPUT;
			make_contents(&kinds[i]);
			disk_begin(folder);
			disk_nameless_errno = k % 2 ? 0 : EOPNOTSUPP;
			umask(masks[k]);
			assert_int_equal(write_file(&kinds[i], 1, &err), 0);
			umask(022);
			assert_int_equal(stat(path, &is), 0);
			assert_int_equal(is.st_mode & 0777,
					 kinds[i].mode & ~(output ? masks[k] : 0));
		}
	disk_nameless_errno = 0;
	disk_end();
}

/* For root every folder is open, so this is done as another user. */
static void a_folder_that_is_closed_is_told_of_at_once(void **state)
{
	static const struct {
		mode_t mode;
		bool synced, any; /* what can be written: files that are to be synced, others */
	} cases[] = {{0500, false, false},
		     {0000, false, false},
		     {0300, false, true},
		     {0700, true, true}};
	(void)state;
	uid_t me = geteuid();
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++)
		for (size_t k = 0; TEST_ROW(k, cases, NULL); k++) {
			odo_draft draft;
			odo_error err = {0};
			disk_begin(folder);
			disk_end();
			assert_int_equal(chmod(folder, cases[k].mode), 0);
			assert_int_equal(me ? 0 : chown(folder, 65534, 65534), 0);
			assert_int_equal(me ? 0 : seteuid(65534), 0);
			int status = odo_draft_open(&draft, path, kinds[i].mode, kinds[i].how,
						    &err);
			if (!status)
				status = odo_draft_close(&draft, 0, &err);
			assert_int_equal(me ? 0 : seteuid(me), 0);
			assert_int_equal(me ? 0 : chown(folder, me, -1), 0);
			assert_int_equal(chmod(folder, 0700), 0);
			bool well = kinds[i].how & ODO_DRAFT_SYNC ? cases[k].synced : cases[k].any;
			assert_int_equal(status, well ? 0 : ODO_EIO);
			if (!well)
				assert_non_null(
					strstr(err.text, "cannot write: Permission denied"));
		}
}

static int (*thing_in_the_way)(const char *name);
static unsigned n_in_the_way;

static int put_pipe(const char *name)
{
	return mkfifo(name, 0666);
}
static int put_folder(const char *name)
{
	return mkdir(name, 0777);
}
static int put_file(const char *name)
{
	return close(creat(name, 0666));
}
static int put_link(const char *name)
{
	char victim[256];
	snprintf(victim, sizeof victim, "%s/victim", folder);
	return symlink(victim, name);
}
static int put_dangling_link(const char *name)
{
	return symlink("nowhere", name);
}

static void put_in_the_way(const char *name)
{
	char all[400];
	if (n_in_the_way >= 3)
		return;
	n_in_the_way++;
	snprintf(all, sizeof all, "%s/%s", folder, name);
	disk_end();
	assert_int_equal(thing_in_the_way(all), 0);
	disk_go_on();
}

/* Somebody has guessed the draft's name, three times. */
static void other_users_things_are_not_written_to(void **state)
{
	static int (*const things[])(const char *) = {put_pipe, put_folder, put_file, put_link,
						      put_dangling_link};
	char victim[256], command[400];
	(void)state;
	snprintf(victim, sizeof victim, "%s/victim", folder);
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].name); i++) {
		make_contents(&kinds[i]);
		for (size_t k = 0; k < 2 * sizeof things / sizeof *things; k++) {
			odo_error err;
			struct stat is;
			disk_begin(folder);
			disk_end();
			assert_int_equal(put_file(victim), 0);
			disk_go_on();
			thing_in_the_way = things[k / 2];
			disk_nameless_errno = k % 2 ? EOPNOTSUPP : 0;
			n_in_the_way = 0;
			disk_before_name = put_in_the_way;
			assert_int_equal(write_file(&kinds[i], 1, &err), 0);
			disk_before_name = NULL;
			disk_end();
			assert_int_equal(n_in_the_way, 3);
			assert_int_equal(find_contents(&kinds[i]), 1);
			assert_int_equal(stat(victim, &is), 0);
			assert_int_equal(is.st_size, 0);
			snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
			assert_int_equal(system(command), 0);
		}
	}
	disk_nameless_errno = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_fails_the_file_is_whole),
		cmocka_unit_test(wherever_power_fails_the_file_is_whole),
		cmocka_unit_test(an_unread_file_is_not_called_damaged),
		cmocka_unit_test(of_two_writers_the_last_one_counts),
		cmocka_unit_test(contents_that_fail_replace_nothing),
		cmocka_unit_test(files_are_for_those_who_may_read_them),
		cmocka_unit_test(a_folder_that_is_closed_is_told_of_at_once),
		cmocka_unit_test(a_new_file_replaces_none_on_any_file_system),
		cmocka_unit_test(other_users_things_are_not_written_to),
	};
	return cmocka_run_group_tests(tests, make_all, free_all);
}

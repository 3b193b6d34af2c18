/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Managers that share a folder: each finds the files of its subnet, and no other, whatever stands
 * there and whatever the disk does. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/replace.h"
#include "fabric/topology/topology.h"
#include "mapping/mapping.h"
#include "plugin/memory/handover.h"
#include "plugin/memory/subnet.h"
#include "routing/engine.h"
#include "routing/reroute/saved.h"
#include "tests/disk.h"
#include "tests/unit.h"

/* Of OpenSM's executable. What is logged is looked at. */
static char said[65536];

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	size_t used = strlen(said);
	va_list args;
	(void)log, (void)level;
	va_start(args, format);
	vsnprintf(said + used, sizeof said - used, format, args);
	va_end(args);
}

/* A manager: its subnet, and what it left last. */
typedef struct manager {
	odo_subnet subnet;
	odo_routed *routed;
	odo_connections connections;
	odo_handover_file file;
	char path[ODO_PATH_ROOM];
	int taken;
	bool sealed;
} manager;

static osm_log_t log_of_none;

/* Begin to manage a mesh of which switch i has GUID `first` + i. */
static void route(manager *m, const char *spec, uint64_t first)
{
	odo_routed *r = odo_new(1, sizeof *r);
	odo_history *history;
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 1, &r->fabric, &r->coordinates, &err), 0);
	for (uint32_t v = 0; v < r->fabric->n_nodes; v++)
		r->fabric->node_guid[v] = first + (v < r->fabric->n_switches ? v : v + 1000);
	assert_int_equal(odo_route(r->fabric, r->coordinates, "updown", NULL, &r->tables, &err), 0);
	odo_routed_free(m->routed);
	m->routed = r;
	assert_int_equal(odo_history_note(m->connections.history, r->tables, &history, &err), 0);
	odo_connections_replace(&m->connections, history);
}

static int take_over(manager *m)
{
	m->taken = odo_handover_read(&m->subnet, "odonata", m->path, &m->file, &m->routed,
				     &m->connections, &m->sealed, &log_of_none) > 0;
	return m->taken;
}

/* A sweep that sees switches [first, first + n): whose is it, and what is there of it? */
static const char *see(manager *m, uint64_t first, uint32_t n)
{
	uint64_t *guid = odo_new(n, sizeof *guid);
	for (uint32_t i = 0; i < n; i++)
		guid[i] = first + i;
	*said = '\0';
	odo_subnet_find(&m->subnet, "odonata", guid, n, m->path, &log_of_none);
	take_over(m);
	return m->subnet.id;
}

static int leave(manager *m, odo_error *err)
{
	*err = (odo_error){0};
	return odo_handover_write(&m->subnet, "odonata", &m->file, m->routed, &m->connections, err);
}

static void leave_well(manager *m)
{
	odo_error err;
	if (leave(m, &err))
		fail_msg("%s", err.text);
}

static void end(manager *m)
{
	odo_routed_free(m->routed);
	odo_connections_replace(&m->connections, NULL);
	odo_subnet_clear(&m->subnet);
	*m = (manager){0};
}

static manager begin(const char *spec, uint64_t first, uint32_t n)
{
	manager m = {0};
	see(&m, first, n);
	route(&m, spec, first);
	return m;
}

static char folder[64];

static unsigned count_files(const char *part)
{
	DIR *all = opendir(folder);
	const struct dirent *entry;
	unsigned n = 0;
	while ((entry = readdir(all)))
		n += strstr(entry->d_name, part) != NULL;
	closedir(all);
	return n;
}

static void remove_all(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
	assert_int_equal(system(command), 0);
}

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/odonata-subnet.XXXXXX");
	return mkdtemp(folder) && !setenv("OSM_CACHE_DIR", folder, 1) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	remove_all();
	return rmdir(folder);
}

static void planes_have_names_of_their_own(void **state)
{
	(void)state;
	/* GUIDs of planes are often alike but for a bit. */
	for (unsigned bit = 4; bit < 64; bit++) {
		manager x = begin("mesh:k=4x4,c=1", 0, 16);
		manager y = begin("mesh:k=4x4,c=1", 1ull << bit, 16);
		assert_string_not_equal(x.subnet.id, y.subnet.id);
		end(&x);
		end(&y);
	}
	manager a = begin("mesh:k=4x4,c=1", 100, 16), b = begin("mesh:k=4x4,c=1", 200, 16);
	assert_string_not_equal(a.subnet.id, b.subnet.id);
	leave_well(&a);
	leave_well(&b);
	assert_int_equal(count_files(".past"), 2);
	manager again = {0};
	assert_string_equal(see(&again, 200, 16), b.subnet.id);
	assert_int_equal(again.taken, 1);
	assert_int_equal(again.routed->fabric->node_guid[0], 200);
	assert_non_null(strstr(said, "file of another subnet is not used"));
	assert_non_null(strstr(said, "0 of its 16 switches are in this subnet"));
	see(&again, 200, 16);
	assert_int_equal(again.taken, 0);
	assert_null(strstr(said, "another subnet is not used"));
	end(&again);
	end(&a);
	end(&b);
	remove_all();
}

/* Some switches come and others go; with one more than half it is still the same. */
static void a_subnet_stays_the_same_while_half_of_it_does(void **state)
{
	(void)state;
	manager a = begin("mesh:k=4x4,c=1", 100, 16);
	leave_well(&a);
	static const struct {
		uint64_t first;
		uint32_t n;
		bool same;
	} cases[] = {{100, 16, true}, {107, 16, true}, {108, 16, false}, {115, 1, true},
		     {116, 1, false}, {100, 99, true}, {90, 20, true},   {88, 20, false}};
	for (size_t i = 0; TEST_ROW(i, cases, NULL); i++) {
		manager m = {0};
		see(&m, cases[i].first, cases[i].n);
		if (!strcmp(m.subnet.id, a.subnet.id) != cases[i].same)
			fail_msg("case %zu: %s", i, said);
		assert_int_equal(m.taken, cases[i].same);
		end(&m);
	}
	end(&a);
	remove_all();
}

/* A manager of each half reads what was left of the whole; then each has its own. */
static void halves_of_a_fabric_part(void **state)
{
	(void)state;
	odo_error err;
	manager whole = begin("mesh:k=4x4,c=1", 100, 16);
	leave_well(&whole);
	see(&whole, 100, 8);
	route(&whole, "mesh:k=4x2,c=1", 100);
	/* The other sees the file before, and writes after. */
	manager other = {0};
	assert_string_equal(see(&other, 108, 8), whole.subnet.id);
	assert_int_equal(other.taken, 1);
	route(&other, "mesh:k=4x2,c=1", 108);
	leave_well(&whole);
	assert_int_equal(leave(&other, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, "the file belongs to another subnet now"));
	assert_string_not_equal(see(&other, 108, 8), whole.subnet.id);
	assert_int_equal(other.taken, 0);
	leave_well(&other);
	/* A third comes later still, and knows what the first says of those that are gone. */
	manager late = {0};
	remove_all();
	leave_well(&whole);
	assert_string_not_equal(see(&late, 108, 8), whole.subnet.id);
	assert_int_equal(late.taken, 1);
	end(&late);
	leave_well(&other);
	assert_string_equal(see(&late, 108, 8), other.subnet.id);
	assert_int_equal(late.routed->fabric->node_guid[0], 108);
	end(&late);
	end(&other);
	end(&whole);
	remove_all();
}

static void of_joined_fabrics_the_larger_part_counts(void **state)
{
	(void)state;
	manager a = begin("mesh:k=4x3,c=1", 100, 12), b = begin("mesh:k=2x2,c=1", 112, 4);
	leave_well(&a);
	leave_well(&b); /* and is newer */
	manager both = {0};
	assert_string_equal(see(&both, 100, 16), a.subnet.id);
	assert_non_null(strstr(said, "SLs that only this file records are unknown"));
	end(&both);
	end(&a);
	end(&b);
	remove_all();
}

/* The one that goes on is not told what it knows better, and says what it does not know. */
static void a_manager_whose_fabric_is_joined_keeps_what_it_knows(void **state)
{
	(void)state;
	static const struct {
		uint32_t n; /* of the joined one's switches */
		bool taken;
	} cases[] = {{4, false}, {12, false}, {30, true}};
	for (size_t i = 0; TEST_ROW(i, cases, NULL); i++) {
		char spec[32], id[ODO_ID_ROOM];
		snprintf(spec, sizeof spec, "mesh:k=%ux2,c=1", cases[i].n / 2);
		manager a = begin("mesh:k=4x3,c=1", 100, 12), b = begin(spec, 112, cases[i].n);
		a.subnet.remembers = true;
		memcpy(id, a.subnet.id, sizeof id);
		leave_well(&a);
		leave_well(&b); /* and is newer */
		see(&a, 100, 12 + cases[i].n);
		assert_int_equal(a.taken, cases[i].taken);
		assert_int_equal(strcmp(a.subnet.id, id) != 0, cases[i].taken);
		assert_int_equal(strstr(said, "another subnet has joined this one") != NULL,
				 !cases[i].taken);
		end(&a);
		end(&b);
		remove_all();
	}
}

/* A manager that stood by meanwhile goes on from what the other one left, under its own name. */
static void when_joined_fabrics_part_names_stay(void **state)
{
	(void)state;
	char id[ODO_ID_ROOM];
	manager a = begin("mesh:k=4x3,c=1", 100, 12), b = begin("mesh:k=4x3,c=1", 112, 12);
	a.subnet.remembers = b.subnet.remembers = true;
	memcpy(id, b.subnet.id, sizeof id);
	leave_well(&b);
	see(&a, 100, 24);
	route(&a, "mesh:k=4x6,c=1", 100);
	leave_well(&a); /* and is newer */
	assert_string_equal(see(&b, 112, 12), id);
	assert_int_equal(b.taken, 1);
	assert_int_equal(b.routed->fabric->n_switches, 24);
	leave_well(&b);
	assert_string_not_equal(see(&a, 100, 12), id);
	end(&a);
	end(&b);
	remove_all();
}

/* As after copies to and fro between two machines. */
static void of_two_files_the_newest_counts(void **state)
{
	(void)state;
	manager a = begin("mesh:k=4x4,c=1", 100, 16);
	leave_well(&a);
	char copy[ODO_PATH_ROOM];
	snprintf(copy, sizeof copy, "%s/odonata-00000000000000ff.past", folder);
	assert_int_equal(rename(a.path, copy) ? errno : 0, ENOENT);
	char own[ODO_PATH_ROOM];
	odo_subnet_path(&a.subnet, "odonata", own);
	for (int newer = 0; newer < 2; newer++) {
		manager m = {0};
		assert_int_equal(link(own, copy), 0);
		assert_int_equal(unlink(own), 0);
		leave_well(&a);
		const struct timespec past[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
		assert_int_equal(utimensat(AT_FDCWD, newer ? own : copy, past, 0), 0);
		assert_string_equal(see(&m, 100, 16), newer ? "00000000000000ff" : a.subnet.id);
		assert_non_null(strstr(said, "another file of this subnet is newer"));
		end(&m);
		assert_int_equal(unlink(copy), 0);
	}
	end(&a);
	remove_all();
}

/* Another subnet has the name that this one would take. */
static void a_name_that_is_taken_stays_so(void **state)
{
	(void)state;
	manager a = begin("mesh:k=4x4,c=1", 100, 16), b = begin("mesh:k=4x4,c=1", 200, 16);
	memcpy(b.subnet.id, a.subnet.id, sizeof b.subnet.id);
	leave_well(&b);
	manager m = {0};
	assert_string_not_equal(see(&m, 100, 16), a.subnet.id);
	assert_int_equal(m.taken, 0);
	assert_string_not_equal(see(&a, 100, 16), b.subnet.id);
	end(&m);
	end(&a);
	end(&b);
	remove_all();
}

/* As where copying is cut short: under the old name, or under another ID. A sound file stays. */
static void a_torn_file_that_is_newer_hides_no_sound_one(void **state)
{
	(void)state;
	static const char *const names[] = {"odonata.past", "odonata-00000000000000ff.past"};
	for (size_t i = 0; i < 2; i++) {
		char torn[ODO_PATH_ROOM], own[ODO_PATH_ROOM], aside[2 * ODO_PATH_ROOM];
		char command[4 * ODO_PATH_ROOM];
		manager a = begin("mesh:k=4x4,c=1", 100, 16), next = {0};
		leave_well(&a);
		odo_subnet_path(&a.subnet, "odonata", own);
		snprintf(torn, sizeof torn, "%s/%s", folder, names[i]);
		snprintf(command, sizeof command, "head -c 1500 '%s' >'%s'", own, torn);
		assert_int_equal(system(command), 0);
		const struct timespec past[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
		assert_int_equal(utimensat(AT_FDCWD, own, past, 0), 0);
		see(&next, 100, 16);
		assert_int_equal(next.taken, 1);
		assert_string_equal(next.path, own);
		assert_non_null(strstr(said, "it is torn or changed"));
		snprintf(aside, sizeof aside, "%s.unused", torn);
		assert_int_equal(access(aside, F_OK), 0);
		end(&next);
		end(&a);
		remove_all();
	}
}

/* A manager that is killed while it writes leaves a draft. One that is new may be another
 * manager's. */
static void drafts_that_are_left_go(void **state)
{
	(void)state;
	manager a = begin("mesh:k=4x4,c=1", 100, 16), next = {0};
	char own[ODO_PATH_ROOM];
	leave_well(&a);
	odo_subnet_path(&a.subnet, "odonata", own);
	for (int old = 0; old < 2; old++) {
		odo_draft draft;
		assert_int_equal(odo_draft_open(&draft, own, 0600, 0, NULL), 0);
		const struct timespec times[2] = {{.tv_sec = time(NULL) - (old ? 7200 : 60)},
						  {.tv_sec = time(NULL) - (old ? 7200 : 60)}};
		assert_int_equal(futimens(draft.file, times), 0);
		fclose(draft.to);
		close(draft.file);
		close(draft.folder);
		free(draft.real);
	}
	assert_int_equal(count_files(".draft."), 2);
	see(&next, 100, 16);
	assert_int_equal(next.taken, 1);
	assert_int_equal(count_files(".draft."), 1);
	assert_int_equal(count_files(".past"), 2);
	end(&next);
	end(&a);
	remove_all();
}

/* A file of a version before there were IDs and checksums. */
static void an_old_file_gets_its_new_name_once(void **state)
{
	(void)state;
	char old[ODO_PATH_ROOM], command[2 * ODO_PATH_ROOM];
	odo_saved_subnet whose;
	odo_error err;
	manager m = {0}, foreign = {0};
	snprintf(old, sizeof old, "%s/odonata.past", folder);
	snprintf(command, sizeof command, "cp '%s/corpus/saved/torus' '%s'", TEST_DATA, old);
	assert_int_equal(system(command), 0);
	FILE *from = fopen(old, "r");
	assert_int_equal(odo_saved_whose(from, old, &whose, &err), 0);
	fclose(from);
	see(&foreign, 1, 5);
	assert_int_equal(foreign.taken, 0);
	assert_int_equal(access(old, F_OK), 0);
	*said = '\0';
	odo_subnet_find(&m.subnet, "odonata", whose.guid, whose.n, m.path, &log_of_none);
	assert_non_null(strstr(said, "belongs to this subnet and is renamed to"));
	assert_int_equal(access(old, F_OK), -1);
	assert_int_equal(take_over(&m), 1);
	assert_false(m.sealed);
	leave_well(&m);
	manager next = {.routed = NULL};
	uint64_t *guid = odo_new(m.subnet.n, sizeof *guid);
	memcpy(guid, m.subnet.guid, m.subnet.n * sizeof *guid);
	odo_subnet_find(&next.subnet, "odonata", guid, m.subnet.n, next.path, &log_of_none);
	assert_string_equal(next.path, m.path);
	assert_int_equal(take_over(&next), 1);
	assert_true(next.sealed);
	end(&next);
	end(&foreign);
	end(&m);
	remove_all();
}

static void put_pipe(const char *path)
{
	assert_int_equal(mkfifo(path, 0600), 0);
}
static void put_folder(const char *path)
{
	assert_int_equal(mkdir(path, 0700), 0);
}
static void put_link(const char *path)
{
	assert_int_equal(symlink("/dev/zero", path), 0);
}
static void put_nothing(const char *path)
{
	assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
}
static void put_hole(const char *path)
{
	put_nothing(path);
	assert_int_equal(truncate(path, (off_t)1 << 40), 0);
}
static void put_words(const char *path)
{
	FILE *to = fopen(path, "w");
	fputs("not what it was\n", to);
	fclose(to);
}

static void other_things_in_its_place_are_set_aside(void **state)
{
	static void (*const things[])(const char *) = {put_pipe,    put_folder, put_link,
						       put_nothing, put_hole,   put_words};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, things, NULL); i++) {
		char path[ODO_PATH_ROOM];
		manager a = begin("mesh:k=2x2,c=1", 100, 4), next = {0};
		odo_subnet_path(&a.subnet, "odonata", path);
		things[i](path);
		assert_string_equal(see(&next, 100, 4), a.subnet.id);
		assert_int_equal(next.taken, 0);
		assert_non_null(strstr(said, "is not used: "));
		assert_non_null(strstr(said, "the SLs that it assigned are unknown"));
		assert_non_null(strstr(said, "damaged file is renamed to "));
		assert_int_equal(count_files(".past.unused"), 1);
		leave_well(&a);
		see(&next, 100, 4);
		assert_int_equal(next.taken, 1);
		end(&next);
		end(&a);
		remove_all();
	}
}

/* The file of before stays, and nothing else, where it cannot be replaced. */
static void refuse(manager *a, const char *why)
{
	char path[ODO_PATH_ROOM];
	struct stat before, after;
	odo_error err;
	odo_subnet_path(&a->subnet, "odonata", path);
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(leave(a, &err), ODO_EIO);
	if (!strstr(err.text, why))
		fail_msg("expected %s, found %s", why, err.text);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(count_files("past"), 1);
	/* It is this manager's own, and not one that another manager has written since. */
	memcpy(a->path, path, sizeof a->path);
	assert_int_equal(take_over(a), 0);
}

static void a_disk_that_fails_leaves_the_file_of_before(void **state)
{
	(void)state;
	manager a = begin("mesh:k=4x4,c=1", 100, 16), next = {0};
	leave_well(&a);
	disk_fsync_errno = EIO;
	refuse(&a, "cannot write: Input/output error");
	disk_fsync_errno = 0;
	disk_rename_errno = ENOSPC;
	refuse(&a, "cannot write: No space left on device");
	disk_rename_errno = 0;
	const struct rlimit whole = {RLIM_INFINITY, RLIM_INFINITY};
	char path[ODO_PATH_ROOM];
	struct stat is;
	odo_subnet_path(&a.subnet, "odonata", path);
	assert_int_equal(stat(path, &is), 0);
	for (rlim_t most = 0; most < (rlim_t)is.st_size; most += 500) {
		const struct rlimit small = {most, RLIM_INFINITY};
		signal(SIGXFSZ, SIG_IGN);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		refuse(&a, "cannot write: File too large");
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &whole), 0);
	}
	see(&next, 100, 16);
	assert_int_equal(next.taken, 1);
	end(&next);
	/* It is there, and nobody knows for how long. */
	odo_error err;
	disk_folder_errno = EIO;
	assert_int_equal(leave(&a, &err), ODO_EIO);
	assert_non_null(strstr(err.text, "the file may be lost in a power failure"));
	disk_folder_errno = EINVAL; /* a file system without such a request */
	leave_well(&a);
	disk_folder_errno = 0;
	end(&a);
	remove_all();
}

/* The next manager continues from the file of before, or from the new one. */
static void wherever_power_fails_the_next_manager_has_a_file(void **state)
{
	(void)state;
	unsigned n_cuts = 0, n_new = 0;
	odo_error err;
	manager a = begin("mesh:k=2x2,c=1", 100, 4);
	for (unsigned at = 1, all = 0; !all; at++) {
		disk_begin(folder);
		a.routed->choice = 1;
		leave_well(&a);
		a.routed->choice = 2;
		disk_set(at, DISK_CRASH);
		bool done = !leave(&a, &err);
		all = disk_operations() < at;
		disk_end();
		for (unsigned cut = 0; cut < disk_cuts(); cut++, n_cuts++) {
			manager next = {0};
			disk_cut(cut);
			see(&next, 100, 4);
			if (!next.taken || strstr(said, "is not used"))
				fail_msg("operation %u, cut %u: %s", at, cut, said);
			assert_in_range(next.routed->choice, done ? 2 : 1, 2);
			n_new += next.routed->choice == 2;
			end(&next);
		}
	}
	print_message("%u cuts: %u new files, %u of before\n", n_cuts, n_new, n_cuts - n_new);
	assert_true(n_new > 0 && n_new < n_cuts);
	end(&a);
	remove_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planes_have_names_of_their_own),
		cmocka_unit_test(a_subnet_stays_the_same_while_half_of_it_does),
		cmocka_unit_test(halves_of_a_fabric_part),
		cmocka_unit_test(of_joined_fabrics_the_larger_part_counts),
		cmocka_unit_test(a_manager_whose_fabric_is_joined_keeps_what_it_knows),
		cmocka_unit_test(when_joined_fabrics_part_names_stay),
		cmocka_unit_test(of_two_files_the_newest_counts),
		cmocka_unit_test(a_name_that_is_taken_stays_so),
		cmocka_unit_test(a_torn_file_that_is_newer_hides_no_sound_one),
		cmocka_unit_test(drafts_that_are_left_go),
		cmocka_unit_test(an_old_file_gets_its_new_name_once),
		cmocka_unit_test(other_things_in_its_place_are_set_aside),
		cmocka_unit_test(a_disk_that_fails_leaves_the_file_of_before),
		cmocka_unit_test(wherever_power_fails_the_next_manager_has_a_file),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "routing/reroute/saved.h"

enum { PATH_ROOM = 1024 };

static void set_path(const char *name, char *path)
{
	const char *folder = getenv("OSM_CACHE_DIR"); /* as OpenSM looks for it */
	snprintf(path, PATH_ROOM, "%.900s/%s.past",
		 folder && *folder ? folder : OSM_DEFAULT_CACHE_DIR, name);
}

static odo_saved_file file_of(const struct stat *is)
{
	return (odo_saved_file){is->st_dev, is->st_ino, is->st_mtim};
}

static bool is_same(const odo_saved_file *a, const odo_saved_file *b)
{
	return a->device == b->device && a->number == b->number &&
	       a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* @param saved its parts go to the two, or stay */
static int hand_over(odo_saved *saved, odo_routed **routed, odo_handed *handed, odo_error *err)
{
	odo_routed *taken = odo_new(1, sizeof *taken);
	if (!taken)
		return odo_fail(err, ODO_ENOMEM, "no memory");
	taken->fabric = saved->fabric;
	taken->tables = saved->tables;
	taken->choice = saved->choice;
	taken->any_sl = odo_tables_sls_alike(saved->tables);
	odo_routed_free(*routed);
	*routed = taken;
	odo_handed_clear(handed);
	handed->history = saved->history;
	*saved = (odo_saved){0};
	return 1;
}

int odo_saved_take_over(const char *name, odo_saved_file *file, odo_routed **routed,
			odo_handed *handed, odo_error *err)
{
	char path[PATH_ROOM];
	struct stat is;
	odo_saved saved = {0};
	set_path(name, path);
	FILE *from = fopen(path, "r");
	if (!from)
		return errno == ENOENT ? 0
				       : odo_fail(err, ODO_EIO, "%s: cannot read: %s", path,
						  strerror(errno));
	int status = fstat(fileno(from), &is)
			     ? odo_fail(err, ODO_EIO, "%s: cannot read: %s", path, strerror(errno))
			     : 0;
	odo_saved_file now = status ? *file : file_of(&is);
	if (!is_same(&now, file)) {
		*file = now;
		status = odo_saved_read(from, path, &saved, err);
		if (!status)
			status = hand_over(&saved, routed, handed, err);
		odo_saved_clear(&saved);
	}
	fclose(from);
	return status;
}

int odo_saved_leave(const char *name, odo_saved_file *file, const odo_routed *routed,
		    const odo_handed *handed, odo_error *err)
{
	char path[PATH_ROOM], draft[PATH_ROOM + 8];
	struct stat is;
	set_path(name, path);
	snprintf(draft, sizeof draft, "%s.XXXXXX", path);
	int number = mkstemp(draft);
	FILE *to = number < 0 ? NULL : fdopen(number, "w");
	bool whole = false;
	int status = to ? odo_saved_write(routed->tables, handed->history, routed->choice, to, err)
			: 0;
	if (to) {
		whole = !fflush(to) && !ferror(to) && !fstat(number, &is) && !status;
		whole = !fclose(to) && whole && !rename(draft, path);
	} else if (number >= 0) {
		close(number);
	}
	if (whole)
		*file = file_of(&is);
	else if (!status)
		status = odo_fail(err, ODO_EIO, "%s: cannot write: %s", path, strerror(errno));
	if (number >= 0 && !whole)
		unlink(draft);
	return status;
}

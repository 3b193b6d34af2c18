/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/memory/handover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/replace.h"
#include "routing/reroute/saved.h"

/* Maximum number of damaged files that a sweep renames before it continues without a file. */
enum { MOST_DAMAGED = 8 };

static odo_handover_file file_identity(const struct stat *is)
{
	return (odo_handover_file){is->st_dev, is->st_ino, is->st_mtim};
}

static bool is_same(const odo_handover_file *a, const odo_handover_file *b)
{
	return a->device == b->device && a->number == b->number &&
	       a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* @param saved its parts are moved, or stay on failure */
static int use_saved(odo_saved *saved, odo_routed **routed, odo_connections *connections,
		     odo_error *err)
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
	odo_connections_replace(connections, saved->history);
	*saved = (odo_saved){0};
	return 1;
}

static int take_over_file(const odo_subnet *subnet, const char *path, odo_handover_file *file,
			  odo_routed **routed, odo_connections *connections, bool *sealed,
			  osm_log_t *log)
{
	struct stat is;
	odo_error err = {0};
	odo_saved saved = {0};
	FILE *from;
	int status = odo_open_regular(path, false, ODO_HANDOVER_LIMIT, &from, &is, &err);
	odo_handover_file now = file_identity(&is);
	if (!status && (!from || is_same(&now, file))) {
		if (from)
			fclose(from);
		return 0;
	}
	*file = now;
	if (!status)
		status = odo_saved_read(from, path, &saved, &err);
	*sealed = saved.sealed;
	if (!status)
		status = use_saved(&saved, routed, connections, &err);
	odo_saved_clear(&saved);
	if (from)
		fclose(from);
	if (status < 0)
		odo_subnet_set_aside(subnet, path, &is, &err, log);
	return status;
}

int odo_handover_read(odo_subnet *subnet, const char *engine, char *path, odo_handover_file *file,
		      odo_routed **routed, odo_connections *connections, bool *sealed,
		      osm_log_t *log)
{
	int status = *path ? take_over_file(subnet, path, file, routed, connections, sealed, log)
			   : -1;
	/* A manager with SLs in memory knows more than an older file. */
	for (unsigned n = 0; n < MOST_DAMAGED && !subnet->remembers; n++) {
		if (status >= 0 || !*path || !access(path, F_OK))
			break;
		odo_subnet_find(subnet, engine, NULL, 0, path, log);
		if (*path)
			status = take_over_file(subnet, path, file, routed, connections, sealed,
						log);
	}
	return status;
}

int odo_handover_write(const odo_subnet *subnet, const char *engine, odo_handover_file *file,
		       const odo_routed *routed, const odo_connections *connections, odo_error *err)
{
	char path[ODO_PATH_ROOM];
	odo_draft draft;
	odo_subnet_path(subnet, engine, path);
	int status = odo_subnet_check(subnet, path, err);
	if (!status)
		status = odo_draft_open(&draft, path, 0600, ODO_DRAFT_SYNC, err);
	if (status)
		return status;
	status = odo_saved_write(routed->tables, connections->history, routed->choice, draft.to,
				 err);
	status = odo_draft_close(&draft, status, err);
	if (draft.is.st_ino)
		*file = file_identity(&draft.is);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/memory/subnet.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/replace.h"
#include "plugin/memory/handover.h"
#include "routing/reroute/saved.h"

#define PREFIX "odonata"
#define ENDING ".past"

/* Subnet and file belong together if they share more than half of the switches of the smaller one.
 * A fabric that is being switched on shows only a part of its switches, and an extended one has
 * more than the file: so the larger one does not count. Planes share no switch, or less than half
 * if switches were moved from one to the other. */
enum { SHARE = 2 };

typedef enum relation {
	FOREIGN,
	PART,   /* this subnet was once a part of the file's subnet */
	JOINED, /* the file's subnet has joined the one that this manager ran in the last sweep */
	SAME
} relation;

typedef struct candidate {
	char name[256], engine[64], id[ODO_ID_ROOM];
	struct stat is;
	uint32_t n_common, n_present;
	relation relation;
} candidate;

typedef struct listing {
	candidate *list;
	size_t n, room;
	odo_subnet before; /* switches of the last sweep, if this manager has their SLs in memory */
} listing;

static const char *cache_folder(void)
{
	const char *folder = getenv("OSM_CACHE_DIR"); /* as in OpenSM */
	return folder && *folder ? folder : OSM_DEFAULT_CACHE_DIR;
}

static void set_cache_path(const char *name, char *path)
{
	snprintf(path, ODO_PATH_ROOM, "%.900s/%.300s", cache_folder(), name);
}

void odo_subnet_file(const odo_subnet *subnet, const char *engine, const char *ending, char *path)
{
	snprintf(path, ODO_PATH_ROOM, "%.900s/%.64s-%s%s", cache_folder(), engine, subnet->id,
		 ending);
}

void odo_subnet_path(const odo_subnet *subnet, const char *engine, char *path)
{
	odo_subnet_file(subnet, engine, ENDING, path);
}

void odo_subnet_clear(odo_subnet *subnet)
{
	free(subnet->guid);
	*subnet = (odo_subnet){0};
}

int odo_subnet_copy(const odo_subnet *subnet, odo_subnet *to)
{
	*to = *subnet;
	to->guid = odo_new(subnet->n, sizeof *to->guid);
	if (!to->guid) {
		*to = (odo_subnet){0};
		return ODO_ENOMEM;
	}
	if (subnet->n)
		memcpy(to->guid, subnet->guid, subnet->n * sizeof *to->guid);
	return 0;
}

uint64_t *odo_subnet_guids(const odo_subnet *subnet, const osm_subn_t *subn, uint32_t *n)
{
	bool has_switches = cl_qmap_count(&subn->sw_guid_tbl) > 0;
	const cl_qmap_t *table = has_switches ? &subn->sw_guid_tbl : &subn->node_guid_tbl;
	*n = 0;
	if (!has_switches && *subnet->id)
		return NULL; /* the manager is cut off, and its subnet is the same */
	uint64_t *guid = odo_new(cl_qmap_count(table), sizeof *guid);
	for (const cl_map_item_t *x = cl_qmap_head(table); guid && x != cl_qmap_end(table);
	     x = cl_qmap_next(x))
		guid[(*n)++] = cl_ntoh64(cl_qmap_key(x));
	if (guid)
		qsort(guid, *n, sizeof *guid, odo_by_u64);
	return guid;
}

static uint32_t count_common(const odo_subnet *subnet, const uint64_t *guid, uint32_t n)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < n; i++)
		found += bsearch(&guid[i], subnet->guid, subnet->n, sizeof *guid, odo_by_u64) !=
			 NULL;
	return found;
}

static relation relate_to_file(const odo_subnet *subnet, const odo_saved_subnet *file,
			       uint32_t *n_common)
{
	uint32_t smaller = file->n_present < subnet->n ? file->n_present : subnet->n;
	*n_common = count_common(subnet, file->guid, file->n_present);
	if ((uint64_t)*n_common * SHARE > smaller)
		return SAME;
	uint32_t ever = count_common(subnet, file->guid, file->n);
	return (uint64_t)ever * SHARE > subnet->n ? PART : FOREIGN;
}

/* @param is zeroed if there is no file, as is `x` */
static int read_whose(const char *path, odo_saved_subnet *x, struct stat *is, odo_error *err)
{
	FILE *from;
	*x = (odo_saved_subnet){0};
	int status = odo_open_regular(path, false, ODO_HANDOVER_LIMIT, &from, is, err);
	if (!from)
		return status;
	status = odo_saved_whose(from, path, x, err);
	fclose(from);
	return status;
}

int odo_subnet_check(const odo_subnet *subnet, const char *path, odo_error *err)
{
	odo_saved_subnet x;
	struct stat is;
	odo_error damaged;
	uint32_t n_common;
	bool foreign = !read_whose(path, &x, &is, &damaged) && x.n_present &&
		       relate_to_file(subnet, &x, &n_common) != SAME;
	free(x.guid);
	return foreign ? odo_fail(err, ODO_EDECLINE, "%s: the file belongs to another subnet now",
				  path)
		       : 0;
}

void odo_subnet_set_aside(const odo_subnet *subnet, const char *path, const struct stat *is,
			  const odo_error *why, osm_log_t *log)
{
	char aside[ODO_PATH_ROOM + 8];
	struct stat now;
	osm_log(log, OSM_LOG_ERROR, "odonata: file of an earlier manager is not used: %s; %s\n",
		why->text,
		subnet->remembers ? "this manager knows only the SLs that it assigned itself"
				  : "the SLs that it assigned are unknown: existing connections "
				    "may have to reconnect");
	/* A file that the system does not return may be sound. */
	if (why->status == ODO_EIO || why->status == ODO_ENOMEM || lstat(path, &now) ||
	    now.st_dev != is->st_dev || now.st_ino != is->st_ino)
		return;
	snprintf(aside, sizeof aside, "%s.unused", path);
	if (rename(path, aside))
		osm_log(log, OSM_LOG_ERROR, "odonata: damaged file cannot be renamed: %s: %s\n",
			path, strerror(errno));
	else
		osm_log(log, OSM_LOG_INFO, "odonata: damaged file is renamed to %s\n", aside);
}

/* Parse ENGINE-ID.past, or the name of older versions, ENGINE.past. */
static bool parse_name(const char *name, candidate *x)
{
	size_t n = strlen(name), end = sizeof ENDING - 1, id = ODO_ID_ROOM;
	if (n >= sizeof x->name || n < end || strcmp(name + n - end, ENDING) ||
	    strncmp(name, PREFIX, sizeof PREFIX - 1))
		return false;
	n -= end;
	*x = (candidate){0};
	memcpy(x->name, name, n + end);
	if (n > id && name[n - id] == '-' &&
	    strspn(name + n - id + 1, "0123456789abcdef") == id - 1) {
		memcpy(x->id, name + n - id + 1, id - 1);
		n -= id;
	}
	if (n >= sizeof x->engine)
		return false;
	memcpy(x->engine, name, n);
	return true;
}

/* Return true if the file is of a subnet that has joined this one. SLs in memory are newer than a
 * file about other switches. A file of clearly more switches counts all the same: this manager may
 * have seen only a corner of the fabric until now. */
static bool has_joined(const odo_subnet *before, const odo_saved_subnet *file, const candidate *x)
{
	uint32_t n_common;
	return x->relation == SAME && before->n &&
	       relate_to_file(before, file, &n_common) != SAME &&
	       x->n_common < (uint64_t)before->n * SHARE;
}

/* Judge a file. @return true if it is sound */
static bool judge_saved_file(const odo_subnet *subnet, const odo_subnet *before, candidate *x,
			     osm_log_t *log)
{
	char path[ODO_PATH_ROOM];
	odo_saved_subnet whose;
	odo_error err = {0};
	set_cache_path(x->name, path);
	int status = read_whose(path, &whose, &x->is, &err);
	x->n_present = whose.n_present;
	x->relation = status ? FOREIGN : relate_to_file(subnet, &whose, &x->n_common);
	if (has_joined(before, &whose, x))
		x->relation = JOINED;
	/* Failures of the system are logged only once. */
	if (status && (status == ODO_EINPUT || !*subnet->id))
		odo_subnet_set_aside(subnet, path, &x->is, &err, log);
	free(whose.guid);
	return !status && x->n_present;
}

static void list_saved_files(const odo_subnet *subnet, listing *all, osm_log_t *log)
{
	DIR *folder = opendir(cache_folder());
	const struct dirent *entry;
	candidate x;
	while (folder && (entry = readdir(folder)))
		if (parse_name(entry->d_name, &x) &&
		    judge_saved_file(subnet, &all->before, &x, log) &&
		    !odo_grow(&all->list, &all->room, all->n + 1, sizeof x))
			all->list[all->n++] = x;
	if (folder)
		closedir(folder);
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
						      : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

static bool is_better_file(const candidate *x, const candidate *than)
{
	uint64_t more = x->n_common, less = than->n_common;
	if (more * SHARE > less && less * SHARE > more)
		return is_newer(&x->is, &than->is);
	return more > less;
}

/*
 * Return the file with most switches in common. Copies from another machine may have another ID: of
 * several with about as many switches the newest counts.
 * @param engine NULL: any engine, with an ID
 */
static const candidate *choose_file(const listing *all, relation wanted, const char *engine)
{
	const candidate *best = NULL;
	for (size_t i = 0; i < all->n; i++) {
		const candidate *x = &all->list[i];
		if (x->relation == wanted && (engine ? !strcmp(x->engine, engine) : *x->id) &&
		    (!best || is_better_file(x, best)))
			best = x;
	}
	return best;
}

static bool is_taken(const listing *all, const char *id)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].relation != SAME && !strcmp(all->list[i].id, id))
			return true;
	return false;
}

/* Make an ID from the switches, which are sorted, that no other file has. */
static void make_id(odo_subnet *subnet, const listing *all)
{
	uint64_t sum = odo_hash_bytes(subnet->guid, subnet->n * sizeof *subnet->guid);
	do {
		sum = odo_hash_bytes(&sum, sizeof sum);
		snprintf(subnet->id, sizeof subnet->id, "%016llx", (unsigned long long)sum);
	} while (is_taken(all, subnet->id));
}

/* Return true if the manager keeps its ID, by which monitoring knows the subnet: it stays if
 * another manager has written as much under another one. */
static bool keeps_id(const odo_subnet *subnet, const candidate *own, const listing *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const candidate *x = &all->list[i];
		if (x->relation == SAME && *x->id && !strcmp(x->id, subnet->id))
			return own->n_common < (uint64_t)x->n_common * SHARE;
	}
	return false;
}

static void set_id(odo_subnet *subnet, const candidate *own, const candidate *any,
		   const listing *all)
{
	bool named = own && *own->id;
	if (named && keeps_id(subnet, own, all))
		return;
	const candidate *known = named ? own : any;
	if (!named && *subnet->id && !is_taken(all, subnet->id))
		return;
	if (known)
		memcpy(subnet->id, known->id, sizeof subnet->id);
	else
		make_id(subnet, all);
}

static void log_joined(const listing *all, const char *engine, osm_log_t *log)
{
	char path[ODO_PATH_ROOM];
	for (size_t i = 0; i < all->n; i++) {
		const candidate *x = &all->list[i];
		set_cache_path(x->name, path);
		if (x->relation == JOINED && !strcmp(x->engine, engine))
			osm_log(log, OSM_LOG_ERROR,
				"odonata: another subnet has joined this one, and the SLs that its "
				"manager assigned are unknown: %u switches of %s\n",
				x->n_common, path);
	}
}

static void log_others(const listing *all, const candidate *used, osm_log_t *log)
{
	char path[ODO_PATH_ROOM];
	for (size_t i = 0; i < all->n; i++) {
		const candidate *x = &all->list[i];
		set_cache_path(x->name, path);
		if (x->relation < JOINED && x != used)
			osm_log(log, OSM_LOG_INFO,
				"odonata: file of another subnet is not used: %s; %u of its %u "
				"switches are in this subnet\n",
				path, x->n_common, x->n_present);
		else if (used && x != used && !strcmp(x->engine, used->engine))
			osm_log(log, OSM_LOG_INFO,
				"odonata: file is not used: %s; another file of this subnet is "
				"newer or has more of its switches; SLs that only this file "
				"records are unknown\n",
				path);
	}
}

/* Rename a file with the old name, unless a file with the new name exists: that one may be sound,
 * while this one is torn. */
static void rename_old_file(const odo_subnet *subnet, const candidate *x, char *path,
			    osm_log_t *log)
{
	char old[ODO_PATH_ROOM];
	struct stat is;
	set_cache_path(x->name, path);
	if (*x->id || x->relation != SAME)
		return;
	memcpy(old, path, sizeof old);
	odo_subnet_path(subnet, x->engine, path);
	if (!lstat(path, &is))
		memcpy(path, old, sizeof old);
	else if (!rename(old, path))
		osm_log(log, OSM_LOG_INFO,
			"odonata: file %s belongs to this subnet and is renamed to %s\n", old,
			path);
	else
		*path = '\0'; /* another manager of this subnet has renamed it */
}

/* @param before gets the switches of the last sweep, if they are a part of this subnet */
static void keep_guids(odo_subnet *subnet, uint64_t *guid, uint32_t n, odo_subnet *before)
{
	odo_saved_subnet now = {.guid = guid, .n_present = n, .n = n};
	uint32_t n_common;
	if (!guid)
		return;
	/* the cable of this port leads to another subnet */
	if (subnet->n && relate_to_file(subnet, &now, &n_common) != SAME)
		*subnet->id = '\0';
	else if (subnet->remembers)
		*before = (odo_subnet){.guid = subnet->guid, .n = subnet->n};
	if (!before->guid)
		free(subnet->guid);
	subnet->guid = guid;
	subnet->n = n;
}

void odo_subnet_find(odo_subnet *subnet, const char *engine, uint64_t *guid, uint32_t n, char *path,
		     osm_log_t *log)
{
	listing all = {0};
	char before[ODO_ID_ROOM];
	if (!*subnet->id)
		odo_remove_drafts(cache_folder(), PREFIX);
	keep_guids(subnet, guid, n, &all.before);
	memcpy(before, subnet->id, sizeof before);
	list_saved_files(subnet, &all, log);
	const candidate *own = choose_file(&all, SAME, engine);
	set_id(subnet, own, choose_file(&all, SAME, NULL), &all);
	/* Hosts of this subnet have its SLs too. */
	if (!own && !*before)
		own = choose_file(&all, PART, engine);
	log_joined(&all, engine, log);
	if (strcmp(before, subnet->id))
		log_others(&all, own, log);
	*path = '\0';
	if (own)
		rename_old_file(subnet, own, path, log);
	odo_subnet_clear(&all.before);
	free(all.list);
}

void odo_subnet_note(odo_subnet *subnet, uint64_t *guid, uint32_t n)
{
	if (!guid)
		return;
	free(subnet->guid);
	subnet->guid = guid;
	subnet->n = n;
	if (!*subnet->id)
		make_id(subnet, &(listing){0});
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Which subnet a manager runs, and the names of its files.
 *
 * Managers of several subnets share folders: Debian starts one opensm a port. So each file is named
 * after its subnet: ENGINE-ID.past, odonata-ID.json. An ID is 16 digits, made of the switches at
 * first sight. Later the subnet is recognised by the switches that are recorded in ENGINE-ID.past:
 * neither the manager's adapter nor its machine counts, and switches may come and go.
 *
 * Managers of different subnets need no lock among them: no file is written in place, and each
 * looks whose a file is before it takes its name.
 */
#ifndef ODONATA_PLUGIN_MEMORY_SUBNET_H
#define ODONATA_PLUGIN_MEMORY_SUBNET_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "plugin/opensm/opensm.h"

/** Bytes of an ID, and of the path of a file. */
enum { ODO_ID_ROOM = 17, ODO_PATH_ROOM = 1280 };

/** One for all engines of a plugin. */
typedef struct odo_subnet {
	char id[ODO_ID_ROOM];     /**< "" at first */
	char stated[ODO_ID_ROOM]; /**< the ID of the state files written last (state.h) */
	bool remembers;           /**< this process has given out SLs, or been told of some */
	uint64_t *guid;           /**< [n] switches of the last sweep, in order */
	uint32_t n;
} odo_subnet;

void odo_subnet_clear(odo_subnet *subnet);

/** GUIDs of OpenSM's switches, or, where it never had one, of all its nodes, in order. For free();
 * NULL without memory, or when no switch is left. Called with OpenSM's lock held. */
uint64_t *odo_subnet_guids(const odo_subnet *subnet, const osm_subn_t *subn, uint32_t *n);

/**
 * Recognise the subnet by what managers have left in OpenSM's folder of caches. Damaged files are
 * set aside; the log names these, and at first sight those of other subnets.
 * @param engine ENGINE-ID.past is looked for; a file of this subnet with the old name, ENGINE.past,
 *               is given its new one
 * @param guid   [n] as of odo_subnet_guids(); kept, or freed. NULL: as before
 * @param path   [ODO_PATH_ROOM] gets the file to go on from, or ""
 */
void odo_subnet_find(odo_subnet *subnet, const char *engine, uint64_t *guid, uint32_t n, char *path,
		     osm_log_t *log);

/** The name under which a manager of this subnet leaves its file. @param path [ODO_PATH_ROOM] */
void odo_subnet_path(const odo_subnet *subnet, const char *engine, char *path);

/** A file is of another subnet by now: its manager was first. Errors: ODO_EDECLINE. */
int odo_subnet_check(const odo_subnet *subnet, const char *path, odo_error *err);

/** What a manager has left is of no use: log why, and rename it to PATH.unused if it is damaged.
 * @param is by which it is known, so that no other file is renamed */
void odo_subnet_set_aside(const odo_subnet *subnet, const char *path, const struct stat *is,
			  const odo_error *why, osm_log_t *log);

#endif

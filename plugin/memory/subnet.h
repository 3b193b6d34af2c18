/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Identity of the subnet that a manager runs, and the names of its files.
 *
 * Managers of several subnets share folders: Debian starts one opensm per port. So each file is
 * named after its subnet: ENGINE-ID.past, odonata-ID.json. An ID has 16 digits, made from the
 * switches at first sight. Later the subnet is recognised by the switches that ENGINE-ID.past
 * records. The manager's adapter and machine do not count, and switches may come and go.
 *
 * Managers of different subnets need no lock: no file is written in place, and each manager checks
 * which subnet a file is of before it takes its name. */
#ifndef ODONATA_PLUGIN_MEMORY_SUBNET_H
#define ODONATA_PLUGIN_MEMORY_SUBNET_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "plugin/opensm/opensm.h"

/** Size of an ID, and of the path of a file. */
enum { ODO_ID_ROOM = 17, ODO_PATH_ROOM = 1280 };

/** Subnet, shared by all engines. */
typedef struct odo_subnet {
	char id[ODO_ID_ROOM];     /**< "" at first */
	char stated[ODO_ID_ROOM]; /**< ID of the state files written last (state.h) */
	bool remembers;           /**< this process has SLs in memory */
	bool read;                /**< files of earlier managers were read, or there are none */
	uint64_t *guid;           /**< switches of the last sweep, sorted */
	uint32_t n;
} odo_subnet;

void odo_subnet_clear(odo_subnet *subnet);

/** @param to zeroed, for odo_subnet_clear() @return 0, or ODO_ENOMEM */
int odo_subnet_copy(const odo_subnet *subnet, odo_subnet *to);

/** Note the present switches while files cannot be read, and make an ID if there is none.
 * @param guid [n] as of odo_subnet_guids(); kept, or freed */
void odo_subnet_note(odo_subnet *subnet, uint64_t *guid, uint32_t n);

/** Return the GUIDs of OpenSM's switches, sorted; of all its nodes if it never had a switch. For
 * free(); NULL without memory, or if no switch is left. Called with OpenSM's lock held. */
uint64_t *odo_subnet_guids(const odo_subnet *subnet, const osm_subn_t *subn, uint32_t *n);

/**
 * Recognise the subnet by the files of earlier managers in OpenSM's folder of caches. Damaged files
 * are renamed. The log names these, and at first sight those of other subnets.
 * @param engine ENGINE-ID.past is searched; a file of this subnet with the old name, ENGINE.past,
 * is renamed
 * @param guid   [n] as of odo_subnet_guids(); kept, or freed. NULL: as before
 * @param path   [ODO_PATH_ROOM] gets the file to continue from, or ""
 */
void odo_subnet_find(odo_subnet *subnet, const char *engine, uint64_t *guid, uint32_t n, char *path,
		     osm_log_t *log);

/** Compute the name of a file of the subnet in OpenSM's folder of caches: ENGINE-ID and an ending.
 * @param path [ODO_PATH_ROOM] */
void odo_subnet_file(const odo_subnet *subnet, const char *engine, const char *ending, char *path);
/** The same for the handover file. */
void odo_subnet_path(const odo_subnet *subnet, const char *engine, char *path);

/** Check that another subnet's manager has not taken the name first. Errors: ODO_EDECLINE. */
int odo_subnet_check(const odo_subnet *subnet, const char *path, odo_error *err);

/**
 * Log why a file is not used, and rename it to PATH.unused if it is damaged.
 * @param is identifies the file, so that no other one is renamed
 */
void odo_subnet_set_aside(const odo_subnet *subnet, const char *path, const struct stat *is,
			  const odo_error *why, osm_log_t *log);

#endif

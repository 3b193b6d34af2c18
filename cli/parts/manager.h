/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State files of the plugin and the files beside them: does the manager live, what do switches
 * hold? */
#ifndef ODONATA_CLI_PARTS_MANAGER_H
#define ODONATA_CLI_PARTS_MANAGER_H

#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/** Folder of the state files, and the maximum bytes of one: each of 100,000 faults takes 400. */
#define CLI_STATE_FOLDER "/var/log"
enum { CLI_STATE_BYTES = 64 << 20 };

/** Read a state file. Errors: ODO_EINPUT for another file. */
int cli_state_load(const char *path, json_t **out, odo_error *err);

/** Accept odonata.json, the name of older versions, and odonata-SUBNET.json: for scandir(). */
int cli_is_state_file(const struct dirent *entry);

/** Find the only state file of a folder, or take a file. @param out for free() */
int cli_state_find(const char *path, const char **out, odo_error *err);

/** Return true if the process that wrote the file runs on this machine. */
bool cli_manager_runs_here(const json_t *state);

/**
 * Look for the manager's process, if it is on this machine, and at the file that it rewrites
 * regularly.
 * @param path of the state file
 * @param state gets "manager": a description for users; nothing if the file names no manager
 * @param alarms gets the reason why the manager is considered dead
 */
void cli_judge_manager(const char *path, json_t **state, json_t **alarms);

/**
 * Build the name of another file of the plugin beside a state file, odonata-SUBNET.json.
 * @param before,after of the subnet's ID in the other name
 * @param name [room] gets the path
 * @return true if the state file has a suitable name
 */
bool cli_name_beside(const char *path, const char *before, const char *after, char *name,
		     size_t room);

/**
 * Read odonata_switches-SUBNET.json beside a state file.
 * @param state gets "read_back": the file, or a description for users if `for_people`; nothing if
 *   there is no such file
 * @param alarms gets switches that hold, or may hold, other tables
 */
void cli_judge_read_back(const char *path, bool for_people, json_t **state, json_t **alarms);

#endif

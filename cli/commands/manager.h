/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Check whether the manager that wrote a state file still lives. */
#ifndef ODONATA_CLI_COMMANDS_MANAGER_H
#define ODONATA_CLI_COMMANDS_MANAGER_H

#include <jansson.h>

/**
 * Look for the manager's process, if it is on this machine, and at the file that it rewrites
 * regularly.
 * @param path of the state file
 * @param state gets "manager": a description for users; nothing if the file names no manager
 * @param alarms gets the reason why the manager is considered dead
 */
void cli_judge_manager(const char *path, json_t **state, json_t **alarms);

#endif

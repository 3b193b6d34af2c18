/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Does the manager that wrote a state file still live? */
#ifndef ODONATA_CLI_COMMANDS_MANAGER_H
#define ODONATA_CLI_COMMANDS_MANAGER_H

#include <jansson.h>

/**
 * Look for its process, where that is on this machine, and at the file that it writes anew every so
 * often.
 * @param path   of the state file
 * @param state  gets "manager": what is known of it, for people; nothing where the file names none
 * @param alarms gets the reason why the manager does not live
 * @return 0, or nonzero without memory
 */
int cli_judge_manager(const char *path, json_t *state, json_t *alarms);

#endif

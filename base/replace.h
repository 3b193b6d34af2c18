/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Safe opening of files that may be pipes or devices, and replacing of files. */
#ifndef ODONATA_BASE_REPLACE_H
#define ODONATA_BASE_REPLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"

/**
 * Find the file that a path leads to. Links are followed. A file that replaced a link itself would
 * not change the file that others read; in /dev it would remove the system's standard output.
 * @param plain true if it is a plain file, or does not exist yet, so that another file may be
 *   renamed to it. A device or pipe, and a link to a missing file, must be opened directly.
 * @return for free(), or NULL without memory
 */
char *odo_replaced_file(const char *path, bool *plain);

/**
 * Open a regular file for reading. Pipes, devices and folders are refused before they are opened: a
 * pipe without a writer would block for ever.
 * @param links true to follow symbolic links, false to refuse them
 * @param most maximum size in bytes
 * @param out for fclose(); NULL if there is no file of this name, or on failure
 * @param is status of the file; zeroed if there is none
 * @return 0; ODO_EINPUT for an unexpected kind or size of file, ODO_EIO if the system refuses it
 */
int odo_open_regular(const char *path, bool links, uint64_t most, FILE **out, struct stat *is,
		     odo_error *err);

/** A draft: a new file, which takes the place of another one once it is complete. */
typedef struct odo_draft {
	const char *path; /**< of the file to replace */
	char name[1300];  /**< of the draft, in the same folder */
	FILE *to;
} odo_draft;

/** Create an empty draft, which only this user may read.
 * @param path outlives the draft
 * @return 0, or -1 with errno */
int odo_draft_open(odo_draft *draft, const char *path);

/**
 * Close a draft and rename it to its path, or remove it.
 * @param complete false to remove it
 * @param mode permissions of the file
 * @param sync true if the contents must survive a loss of power
 * @param is gets the status of the file
 * @return 0, or -1 with errno: the draft is removed, and the old file is unchanged
 */
int odo_draft_close(odo_draft *draft, bool complete, mode_t mode, bool sync, struct stat *is);

/** Remove drafts of killed processes: those that were not written to for an hour.
 * @param prefix of their names */
void odo_remove_drafts(const char *folder, const char *prefix);

/**
 * Sync a folder, so that the names of its files survive a loss of power. Some network file systems
 * have no such request; this is no error.
 * @param path a file in the folder
 * @return 0, or -1 with errno
 */
int odo_sync_folder_of(const char *path);

#endif

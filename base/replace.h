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

/** How a draft becomes a file. */
enum odo_draft_how {
	ODO_DRAFT_SYNC = 1,   /**< contents and name survive a loss of power */
	ODO_DRAFT_OUTPUT = 2, /**< a user's output: links are followed, devices and pipes are opened
				 directly, umask applies, and no draft remains after a kill */
	ODO_DRAFT_NEW = 4,    /**< no file is replaced */
};

/** A draft: a new file, which takes the place of another one once it is complete. */
typedef struct odo_draft {
	FILE *to;
	struct stat is;   /**< status of the file, once it has its name; zeroed before */
	const char *path; /**< of the file to replace */
	char *real;       /**< the file that the path leads to */
	char name[256];   /**< of the draft, in the same folder; "" if it has none */
	mode_t mode;
	unsigned how;
	int folder, file; /**< folder: -1 for a device */
	int why;          /**< errno of the first failure to write */
} odo_draft;

/**
 * Create an empty draft, in the folder of its file and by a name that did not exist.
 * @param draft stays where it is until it is closed
 * @param path  outlives the draft
 * @param mode  permissions of the file
 * @param how   bits of odo_draft_how
 * Errors: ODO_EIO, ODO_ENOMEM; ODO_EINPUT if a file exists that must not be replaced.
 */
int odo_draft_open(odo_draft *draft, const char *path, mode_t mode, unsigned how, odo_error *err);

/**
 * Close a draft and rename it to its path, or remove it. After any failure the old file is
 * unchanged; only if the folder cannot be synced, the new file is there and may be lost.
 * @param status result of writing the contents; not 0 to remove the draft
 * @return `status`: the error of ODO_EIO gets the path before its text; else as odo_draft_open()
 */
int odo_draft_close(odo_draft *draft, int status, odo_error *err);

/** Remove drafts of killed processes: those that were not written to for an hour.
 * @param prefix of their names */
void odo_remove_drafts(const char *folder, const char *prefix);

#endif

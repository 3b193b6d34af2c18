/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Files that must not stop whoever opens them, and files that take the place of others. */
#ifndef ODONATA_BASE_REPLACE_H
#define ODONATA_BASE_REPLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"

/**
 * The file that a path leads to. Links are followed: what takes the name of a link leaves a copy
 * that others do not see, or, in /dev, a system without standard output.
 * @param plain set to whether it is a plain file, or none yet, so that another may take its name.
 *              A device or a pipe, or what a link leads to that is not there, is opened as it is.
 * @return for free(), or NULL without memory
 */
char *odo_replaced_file(const char *path, bool *plain);

/**
 * Open a regular file for reading. Pipes, devices and folders are refused before they are opened: a
 * pipe without a writer would wait for ever.
 * @param links whether symbolic links are followed, or refused as well
 * @param most  bytes that the file may have
 * @param out  for fclose(); NULL where there is no file of this name, or on failure
 * @param is   what is there; zeroed where there is nothing
 * @return 0; ODO_EINPUT for a file that is not what was expected, ODO_EIO for one that the system
 * does not give
 */
int odo_open_regular(const char *path, bool links, uint64_t most, FILE **out, struct stat *is,
		     odo_error *err);

/** At the end of the name of a file that will take the place of another; for mkstemp(). */
#define ODO_DRAFT ".draft.XXXXXX"

/** Remove drafts that processes which were killed have left: those that nobody has written to for
 * an hour. @param prefix of their names */
void odo_remove_drafts(const char *folder, const char *prefix);

/**
 * Have a folder remember the names of its files through a loss of power. Some file systems of
 * networks have no such request; they are taken to need none.
 * @param path of a file in the folder @return 0, or -1 with errno
 */
int odo_sync_folder_of(const char *path);

#endif

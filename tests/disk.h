/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A disk that fails, for programs that are linked with DISK_WRAPS (CMakeLists.txt): calls that
 * change a file or a folder come here, are counted, and fail when a test says so. The disk knows
 * what was synced. After a loss of power it shows a folder as it may then be: each cut is another
 * one.
 */
#ifndef ODONATA_TESTS_DISK_H
#define ODONATA_TESTS_DISK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum disk_fault {
	DISK_EIO,      /* the operation fails */
	DISK_ENOSPC,   /* no room: likewise */
	DISK_EINTR,    /* a signal arrives, once */
	DISK_SHORT,    /* half of the bytes are written */
	DISK_DONE_EIO, /* it is done, and reported as failed */
	DISK_DEAD,     /* it fails, and so do all later ones */
	DISK_CRASH,    /* the power fails before it */
	N_DISK_FAULTS
} disk_fault;

/* Operations that fail with this errno, whenever it is set. */
extern int disk_fsync_errno, disk_folder_errno, disk_rename_errno, disk_nameless_errno,
	disk_noreplace_errno;

/* Called before each operation, unless it is NULL: for what others do meanwhile. */
extern void (*disk_before)(unsigned operation);
/* Called before a file is created under a new name in the folder, unless it is NULL. */
extern void (*disk_before_name)(const char *name);

/* Begin with a folder of this name that is empty. All other files are none of the disk's. */
void disk_begin(const char *folder);
/* Let operation `at`, counted from 1, fail; 0: none fails. */
void disk_set(unsigned at, disk_fault fault);
/* Operations since disk_set(). */
unsigned disk_operations(void);
/* Name of the operation that failed, as "fsync folder"; "" if none did. */
const char *disk_failed(void);
/* No longer count; and count again, on the disk as it was. */
void disk_end(void);
void disk_go_on(void);

/* Number of ways in which the disk may be found after a loss of power at this moment. */
unsigned disk_cuts(void);
/* Make the folder as one of them. */
void disk_cut(unsigned cut);

#endif

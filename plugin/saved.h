/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The file by which a manager leaves its tables and the SLs that it handed out to the next one
 * (routing/reroute/saved.h): NAME.past, for the engine's name, in OpenSM's folder of caches, where
 * its LIDs are, too.
 */
#ifndef ODONATA_PLUGIN_SAVED_H
#define ODONATA_PLUGIN_SAVED_H

#include <sys/stat.h>

#include "plugin/handed.h"
#include "plugin/install.h"

/** The file as it was read or written last; zeroes at first. */
typedef struct odo_saved_file {
	dev_t device;
	ino_t number;
	struct timespec changed;
} odo_saved_file;

/**
 * Read what another manager has left since, if there is anything.
 * @param routed  gets its tables instead of those there, which are freed; sweep 0
 * @param handed  gets its SLs
 * @return 1 if something was taken over, 0 if there is nothing new, or a negative status: all is as
 * before, and the same file is not read again
 */
int odo_saved_take_over(const char *name, odo_saved_file *file, odo_routed **routed,
			odo_handed *handed, odo_error *err);

/** Write the file, whole and at once. Errors: ODO_EIO with its name. */
int odo_saved_leave(const char *name, odo_saved_file *file, const odo_routed *routed,
		    const odo_handed *handed, odo_error *err);

#endif

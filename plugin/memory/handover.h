/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The file by which a manager leaves its tables and the SLs that it handed out to the next one
 * (routing/reroute/saved.h). It is in OpenSM's folder of caches, where its LIDs are, too, and has
 * the name of its subnet (subnet.h).
 */
#ifndef ODONATA_PLUGIN_MEMORY_HANDOVER_H
#define ODONATA_PLUGIN_MEMORY_HANDOVER_H

#include <sys/stat.h>

#include "plugin/memory/answered.h"
#include "plugin/opensm/install.h"
#include "plugin/memory/subnet.h"

/** Bytes of a file. 49,151 LIDs behind 2,048 switches, with as many gone, have 3.9 GB at most. */
#define ODO_HANDOVER_LIMIT (UINT64_C(4) << 30)

/** The file as it was read or written last; zeroes at first. */
typedef struct odo_handover_file {
	dev_t device;
	ino_t number;
	struct timespec changed;
} odo_handover_file;

/**
 * Read what another manager has left since, if there is anything. A file that is of no use is set
 * aside, the log says so, and a manager that starts takes the next one of this subnet.
 * @param path    as of odo_subnet_find(); becomes that of the next one
 * @param routed  gets its tables instead of those there, which are freed; sweep 0
 * @param answered gets its SLs
 * @param sealed  gets whether a checksum has shown that the file is whole
 * @return 1 if something was taken over, 0 if there is nothing new, or a negative status: all is as
 * before, and the same file is not read again
 */
int odo_handover_read(odo_subnet *subnet, const char *engine, char *path, odo_handover_file *file,
		      odo_routed **routed, odo_answered *answered, bool *sealed, osm_log_t *log);

/**
 * Write the file, whole and at once, so that it outlives a loss of power.
 * Errors: ODO_EIO with its name; ODO_EDECLINE where another subnet has taken the name.
 */
int odo_handover_write(const odo_subnet *subnet, const char *engine, odo_handover_file *file,
		       const odo_routed *routed, const odo_answered *answered, odo_error *err);

#endif

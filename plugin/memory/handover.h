/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Handover file, by which a manager passes its tables and the SLs that it answered to the next
 * manager (routing/reroute/saved.h). It is in OpenSM's folder of caches, beside the LIDs, and is
 * named after the subnet (subnet.h). */
#ifndef ODONATA_PLUGIN_MEMORY_HANDOVER_H
#define ODONATA_PLUGIN_MEMORY_HANDOVER_H

#include <sys/stat.h>

#include "plugin/memory/reconnect.h"
#include "plugin/opensm/install.h"
#include "plugin/memory/subnet.h"

/** Maximum size in bytes. 49,151 LIDs behind 2,048 switches, with as many removed ones, need 3.9
 * GB. */
#define ODO_HANDOVER_LIMIT (UINT64_C(4) << 30)

/** Identity of the file that was read or written last; zeroes at first. */
typedef struct odo_handover_file {
	dev_t device;
	ino_t number;
	struct timespec changed;
} odo_handover_file;

/**
 * Read the file that another manager has written since, if there is one. A damaged file is renamed,
 * and logged; a manager that starts takes the next one of this subnet.
 * @param path   as of odo_subnet_find(); updated if another file is taken
 * @param routed gets the tables; those before are freed; sweep 0
 * @param connections gets the SLs
 * @param sealed true if a checksum proves that the file is whole
 * @return 1 if tables were taken over, 0 if no file is new, or a negative status: nothing has
 * changed, and the same file is not read again
 */
int odo_handover_read(odo_subnet *subnet, const char *engine, char *path, odo_handover_file *file,
		      odo_routed **routed, odo_connections *connections, bool *sealed,
		      osm_log_t *log);

/** Write the file as a whole, so that it survives a loss of power.
 * Errors: ODO_EIO with its name; ODO_EDECLINE if another subnet has taken the name. */
int odo_handover_write(const odo_subnet *subnet, const char *engine, odo_handover_file *file,
		       const odo_routed *routed, const odo_connections *connections,
		       odo_error *err);

#endif

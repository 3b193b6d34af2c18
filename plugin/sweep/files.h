/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Files of a sweep, read and written by the disk's thread (memory/disk.h). Not for use outside
 * plugin/sweep. */
#ifndef ODONATA_PLUGIN_SWEEP_FILES_H
#define ODONATA_PLUGIN_SWEEP_FILES_H

#include "plugin/sweep/engine.h"

/**
 * Read what may have changed since the last sweep: the subnet's files, which may be of another
 * manager, options, and the operator's order. If the disk does not answer, all stays as it is.
 * Called with OpenSM's lock held.
 */
void odo_files_read(odo_osm_engine *engine);

/** Write the file for the next manager, after keeping the last good tables if other ones replace
 * them. */
void odo_files_save(odo_osm_engine *engine);

/** Write the state files, and remove a certificate of earlier tables. It does not wait. */
void odo_files_state(odo_osm_engine *engine);

/**
 * Write the certificate of installed tables.
 * @param read_back note them as good, too: every switch holds them
 */
void odo_files_certify(odo_osm_engine *engine, bool read_back);

#endif

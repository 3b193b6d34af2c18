/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Sign of life for monitoring, also while OpenSM is idle: a thread writes a file regularly. Alarms
 * compare its time with the clock, or notice that its counter stands still. */
#ifndef ODONATA_PLUGIN_MONITOR_HEARTBEAT_H
#define ODONATA_PLUGIN_MONITOR_HEARTBEAT_H

#include <stdbool.h>

#include "plugin/opensm/opensm.h"
#include "plugin/memory/subnet.h"

/** Seconds between two beats. */
enum { ODO_HEARTBEAT = 15 };

typedef struct odo_heartbeat odo_heartbeat;

/**
 * Write heartbeats for a subnet, beside its state files (state.h): FOLDER/odonata_alive-ID.prom. A
 * manager that is no longer master leaves this file to the new master.
 * @param heartbeat NULL before the first call, which starts the thread; it stays NULL without
 * memory
 */
void odo_heartbeat_set(odo_heartbeat **heartbeat, osm_opensm_t *osm, const char *id);

/**
 * Note that a sweep has ended.
 * @param unknown true if tables of some nodes are unconfirmed: request a sweep at the next beat,
 * then after twice as many beats each time, up to an hour
 * @param heartbeat may be NULL
 */
void odo_heartbeat_note(odo_heartbeat *heartbeat, bool unknown);

/** Compute the file's path. @param path [ODO_PATH_ROOM] */
void odo_heartbeat_path(const char *folder, const char *id, char *path);

/** End the thread. The file stays, and becomes old. */
void odo_heartbeat_stop(odo_heartbeat *heartbeat);

#endif

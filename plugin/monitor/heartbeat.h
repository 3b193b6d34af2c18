/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A sign of life for monitoring, also while OpenSM has nothing to do: a file that a thread of its
 * own writes anew every so often. Alarms compare it with the clock, or see that its counter stands
 * still.
 */
#ifndef ODONATA_PLUGIN_MONITOR_HEARTBEAT_H
#define ODONATA_PLUGIN_MONITOR_HEARTBEAT_H

#include <stdbool.h>

#include "plugin/opensm/opensm.h"
#include "plugin/memory/subnet.h"

/** Seconds between two beats. */
enum { ODO_HEARTBEAT = 15 };

typedef struct odo_heartbeat odo_heartbeat;

/**
 * Beat for a subnet from now on, beside its state files (state.h): FOLDER/odonata_alive-ID.prom.
 * A manager that has lost the role of master leaves this file to the one that writes it now.
 * @param heartbeat NULL before the first call, which starts the thread; it stays NULL without
 * memory
 */
void odo_heartbeat_set(odo_heartbeat **heartbeat, osm_opensm_t *osm, const char *id);

/** A sweep has ended. @param unknown of some nodes it is not known which tables they hold: sweep
 * again at the next beat, then after twice as many each time, up to an hour. @param heartbeat may
 * be NULL */
void odo_heartbeat_note(odo_heartbeat *heartbeat, bool unknown);

/** The file's path. @param path [ODO_PATH_ROOM] */
void odo_heartbeat_path(const char *folder, const char *id, char *path);

/** End the thread. The file stays, and grows old. */
void odo_heartbeat_stop(odo_heartbeat *heartbeat);

#endif

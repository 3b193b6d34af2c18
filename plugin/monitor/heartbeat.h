/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The plugin's thread for work while OpenSM is idle: a sign of life for monitoring, and
 * sweeps for nodes whose tables are unconfirmed. Alarms compare the file's time with the clock, or
 * notice that its counter stands still. */
#ifndef ODONATA_PLUGIN_MONITOR_HEARTBEAT_H
#define ODONATA_PLUGIN_MONITOR_HEARTBEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/memory/subnet.h"
#include "plugin/opensm/confirm.h"

/** Seconds between two beats. */
enum { ODO_HEARTBEAT = 15 };

typedef struct odo_heartbeat odo_heartbeat;

/**
 * Write heartbeats for a subnet, beside its state files (state.h): FOLDER/odonata_alive-ID.prom and
 * odonata_switches-ID.json. A manager that is no longer master leaves them to the new master.
 * @param heartbeat NULL before the first call, which starts the thread; it stays NULL without
 * memory
 */
void odo_heartbeat_set(odo_heartbeat **heartbeat, osm_opensm_t *osm, odo_confirm *confirm,
		       const char *id);

/**
 * Note that a sweep has ended.
 * @param unknown true if tables of some nodes are unconfirmed: request a sweep after ODO_HEARTBEAT
 * seconds, then after twice as long each time, up to an hour
 * @param heartbeat may be NULL
 */
void odo_heartbeat_note(odo_heartbeat *heartbeat, bool unknown);

/**
 * Do all work that is due. The thread calls this whenever it wakes up: work depends on the time,
 * not on how often that is.
 * @param now ms of a clock that nobody sets, as odo_steady_ms()
 * @return time of the next work
 */
uint64_t odo_heartbeat_beat(odo_heartbeat *heartbeat, uint64_t now);

/** Compute the path of the sign of life. @param path [ODO_PATH_ROOM] */
void odo_heartbeat_path(const char *folder, const char *id, char *path);

/** End the thread. The files stay, and become old.
 * @return false if the thread hangs, and may still use `confirm` */
bool odo_heartbeat_stop(odo_heartbeat *heartbeat);

#endif

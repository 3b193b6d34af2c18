/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Log messages of a sweep. */
#ifndef ODONATA_PLUGIN_SWEEP_LOG_H
#define ODONATA_PLUGIN_SWEEP_LOG_H

#include "plugin/sweep/sweep.h"

/** Log the fabric, its faults, and the tables. */
void odo_log_tables(const odo_osm_engine *engine, const odo_routed *routed, const odo_sweep *sweep);
/** Log what changes in the switches and for existing connections. */
void odo_log_changes(const odo_osm_engine *engine, const odo_sweep *sweep);
/** Log the engine whose tables were sent. OpenSM before 3.3.23 logs another name. */
void odo_log_engine(const odo_osm_engine *engine);
/** Log the SLs that are safe for packets without the SL of their path. @param ms that judging took
 */
void odo_log_sls(const odo_osm_engine *engine, double ms);
/** Log what can happen during the change of tables (routing/transition/transition.h). */
void odo_log_transition(const odo_osm_engine *engine);

#endif

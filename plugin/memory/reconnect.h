/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Log messages about connections whose SLs cannot stay. */
#ifndef ODONATA_PLUGIN_MEMORY_RECONNECT_H
#define ODONATA_PLUGIN_MEMORY_RECONNECT_H

#include "plugin/opensm/opensm.h"
#include "routing/reroute/connections.h"

/** Log the pairs that must reconnect: a line per switch, up to a limit. */
void odo_sl_update_log(const odo_sl_update *update, const odo_tables *t, osm_log_t *log);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** VLs that OpenSM's configuration lets ports serve. */
#ifndef ODONATA_PLUGIN_LANES_H
#define ODONATA_PLUGIN_LANES_H

#include "plugin/opensm.h"
#include "routing/engine.h"

/**
 * Limit the VLs that routing may use to those from 0 on that have a weight in OpenSM's VL
 * arbitration: packets on others would never leave. Not where OpenSM programs none. What limits is
 * logged once.
 * @param lanes 0, or what the call before found; gets how many are served
 */
void odo_lanes_limit(osm_opensm_t *osm, unsigned *lanes, odo_route_options *options);

#endif

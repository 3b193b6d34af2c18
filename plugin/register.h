/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** How OpenSM comes to know our engines. */
#ifndef ODONATA_PLUGIN_REGISTER_H
#define ODONATA_PLUGIN_REGISTER_H

#include "plugin/sweep/engine.h"

/** Tell OpenSM that the engines exist; it borrows them until its plugin's delete is called. What it
 * refuses is in its log. */
void odo_register(osm_opensm_t *osm, odo_osm_engine *engines, size_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Registration of the engines. */
#ifndef ODONATA_PLUGIN_REGISTER_H
#define ODONATA_PLUGIN_REGISTER_H

#include "plugin/sweep/engine.h"

/** Register the engines. OpenSM uses them until its plugin's delete is called. Refused engines are
 * logged. */
void odo_register(osm_opensm_t *osm, odo_osm_engine *engines, size_t n);

#endif

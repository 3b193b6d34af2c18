/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_PLUGIN_OPENSM_ABI_H
#define ODONATA_PLUGIN_OPENSM_ABI_H

#include "base/error.h"
#include "plugin/opensm/opensm.h"

/** Check that the running OpenSM has the layout of the headers that we were built with. Its version
 * string is the same for builds with other options, whose structures differ. The check compares
 * pointers that OpenSM keeps from one part of itself to another: they have the expected values only
 * if the parts are where the headers say. It reads only memory that every layout has. Errors:
 * ODO_EDECLINE, naming the part that is elsewhere. */
int odo_abi_check(const osm_opensm_t *osm, odo_error *err);

#endif

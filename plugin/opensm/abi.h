/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_PLUGIN_OPENSM_ABI_H
#define ODONATA_PLUGIN_OPENSM_ABI_H

#include "base/error.h"
#include "plugin/opensm/opensm.h"

/**
 * Is the running OpenSM laid out as the headers we were built with? Its version string is the
 * same for builds with other options, whose structures differ. Checks pointers that OpenSM keeps
 * from one part of itself to another: they are where we look, and what we expect, only if the
 * parts lie where we think. Reads only within what any layout must hold.
 * Errors: ODO_EDECLINE, naming the part that is elsewhere.
 */
int odo_abi_check(const osm_opensm_t *osm, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_PLUGIN_OPENSM_TRANSLATE_H
#define ODONATA_PLUGIN_OPENSM_TRANSLATE_H

#include "fabric/fabric.h"
#include "plugin/opensm/opensm.h"

/**
 * Translate OpenSM's subnet into a fabric: its LIDs, healthy links only, and for each link the data
 * VLs that OpenSM will make operational on it. OpenSM's data is only read. Called with OpenSM's
 * lock held. Switches, and then all others, are sorted by GUID, so that the same subnet gives the
 * same fabric.
 * @param out for odo_fabric_free()
 * Errors: ODO_EDECLINE without switches, or if OpenSM's objects contradict each other.
 */
int odo_translate(const osm_subn_t *subn, odo_fabric **out, odo_error *err);

/** Return the node of a translated fabric with this GUID (host order), or ODO_NONE. */
uint32_t odo_translated_node(const odo_fabric *f, uint64_t guid, bool is_switch);

/** Return the data VLs of a VLCap or OperVLs code (InfiniBand volume 1, 14.2.5.6); 1 for code 0. */
unsigned odo_vls_of_code(unsigned code);

#endif

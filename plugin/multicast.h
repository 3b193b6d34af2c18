/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_PLUGIN_MULTICAST_H
#define ODONATA_PLUGIN_MULTICAST_H

#include "plugin/install.h"

/**
 * The tree of all groups with an SL, found when first asked for. Needs OpenSM's exclusive lock,
 * under which it builds multicast anyway.
 * Errors: those of odo_mcast_create().
 */
int odo_multicast_tree(odo_routed *routed, unsigned sl, const odo_mcast **tree, odo_error *err);

/**
 * Set the ports of a group in the multicast tables of OpenSM's switches, where the group has
 * been cleared. Members on cables or switches that we do not know are left out.
 */
int odo_install_group(odo_routed *routed, const osm_subn_t *subn, const osm_mgrp_box_t *group,
		      odo_error *err);

#endif

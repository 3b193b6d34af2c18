/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_PLUGIN_OPENSM_MULTICAST_H
#define ODONATA_PLUGIN_OPENSM_MULTICAST_H

#include "plugin/opensm/install.h"

/** SLs of all groups, a bit each; OpenSM's default where there is no group yet. Needs OpenSM's
 * lock. */
unsigned odo_groups_sls(const osm_subn_t *subn);

/**
 * Find one tree for all groups: safe beside unicast with as many of these SLs as can be, all at
 * once. Groups with other SLs use it as well. It is safe with an SL that no group has where it is
 * with none of theirs.
 * @param spare an SL that no group has and that the tree, or another one, is safe with, besides
 * those that it is safe with; ODO_N_SLS if all are served, or there is none Errors: ODO_EDECLINE
 * where no SL has a tree, with the reason of the first that has none; ODO_ENOMEM. The reason is set
 * as well where some SL is not served.
 */
int odo_multicast_prepare(odo_routed *routed, unsigned sls, unsigned *spare, odo_error *err);

/**
 * Set the ports of a group in the multicast tables of OpenSM's switches, where the group has
 * been cleared. Members on cables or switches that we do not know are left out.
 * @return 1 if it has an SL that the tree was not judged for, 0, or a negative status
 */
int odo_install_group(const odo_routed *routed, const osm_subn_t *subn, const osm_mgrp_box_t *group,
		      odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Multicast trees that keep multicast and unicast together free of deadlock.
 *
 * Each connected part has one spanning tree that serves all groups. A group uses the smallest part
 * of the tree that connects its members. The tree is a union of unicast paths from a root, or to a
 * root; if neither is safe, it grows cable by cable. It is accepted only if its dependencies, from
 * every port of the tree to every other, close no cycle with those of the unicast tables.
 */
#ifndef ODONATA_ROUTING_MULTICAST_MULTICAST_H
#define ODONATA_ROUTING_MULTICAST_MULTICAST_H

#include "base/arena.h"
#include "routing/graph/dependency.h"
#include "routing/tables.h"

typedef struct odo_mcast {
	const odo_fabric *fabric; /**< borrowed */
	odo_arena memory;         /**< all arrays */
	unsigned sls;             /**< SLs for which the trees are safe, a bit each */
	uint32_t *up;             /**< [n_switches] slot towards the parent; ODO_NONE for roots */
	uint32_t *order;          /**< [n_switches] switches, parents before children */
} odo_mcast;

/**
 * Find a tree that is safe together with the unicast tables.
 * @param t   verified tables of profile ib
 * @param sls SLs of multicast packets, a bit each: the tree is safe if all are in use
 * @param out free with odo_mcast_free()
 * Errors: ODO_EDECLINE if no tried tree is safe; ODO_EUNSAFE if unicast alone is not safe.
 */
int odo_mcast_create(const odo_tables *t, unsigned sls, odo_mcast **out, odo_error *err);
void odo_mcast_free(odo_mcast *mcast);

/**
 * Add the dependencies of multicast packets to those of unicast.
 * @param t the tables beside which the trees were found
 * Errors: ODO_ENOMEM; ODO_EUNSAFE if the trees are of other tables.
 */
int odo_mcast_depend(const odo_mcast *mcast, const odo_tables *t,
		     const odo_dependencies *deps, odo_error *err);

/**
 * Find the ports of a group.
 * @param member   slots of switches to which members' adapters are connected; senders count, too,
 *                 even if they are not members
 * @param switches switches whose own port 0 is a member
 * @param on       [slots of switches] set to 1 for each port that the group's packets use,
 *                 including the members' ports; 0 for others
 */
int odo_mcast_ports(const odo_mcast *mcast, const uint32_t *member, uint32_t n_members,
		    const uint32_t *switches, uint32_t n_switches, uint8_t *on, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Multicast trees that keep multicast and unicast together free of deadlock.
 *
 * One spanning tree per connected part serves all groups: a group uses the least part of it
 * that connects its members. The tree is a union of unicast paths from a root, or to it, or
 * where neither will do grown cable by cable, and is taken only if its dependencies, from every
 * port of the tree to every other, close no cycle with those of the unicast tables.
 */
#ifndef ODONATA_ROUTING_MULTICAST_MULTICAST_H
#define ODONATA_ROUTING_MULTICAST_MULTICAST_H

#include "routing/tables.h"

typedef struct odo_mcast {
	const odo_fabric *fabric; /**< borrowed */
	unsigned sls;             /**< for which it is safe, a bit each */
	uint32_t *up;             /**< [n_switches] slot towards the parent; ODO_NONE for roots */
	uint32_t *order;          /**< [n_switches] switches, parents before children */
} odo_mcast;

/**
 * Find a tree that is safe beside the unicast tables.
 * @param t   verified tables of profile ib
 * @param sls that multicast packets carry, a bit each: with all of them together it is safe
 * @param out for odo_mcast_free()
 * Errors: ODO_EDECLINE where no tree tried is safe, ODO_EUNSAFE where unicast alone is not.
 */
int odo_mcast_create(const odo_tables *t, unsigned sls, odo_mcast **out, odo_error *err);
void odo_mcast_free(odo_mcast *mcast);

/**
 * The ports of one group.
 * @param member   slots of switches that members' adapters are cabled to; senders that are no
 *                 members count too
 * @param switches switches whose own port 0 is a member
 * @param on       [slots of switches] set to 1 for each port that the group's packets use,
 *                 the members' ports included; 0 elsewhere
 */
int odo_mcast_ports(const odo_mcast *mcast, const uint32_t *member, uint32_t n_members,
		    const uint32_t *switches, uint32_t n_switches, uint8_t *on, odo_error *err);

#endif

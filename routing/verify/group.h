/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Proof that a multicast group's entries form a tree that reaches all its members. */
#ifndef ODONATA_ROUTING_VERIFY_GROUP_H
#define ODONATA_ROUTING_VERIFY_GROUP_H

#include "fabric/fabric.h"

/** Role of each host in a group, [n_hosts]. */
typedef enum odo_group_part {
	ODO_GROUP_OUTSIDE,
	ODO_GROUP_RECEIVES, /**< receives, and may send */
	ODO_GROUP_SENDS,    /**< only sends */
} odo_group_part;

typedef struct odo_group {
	uint16_t mlid;
	const uint8_t *on; /**< [slots of switches] 1 if the switch sends the group's packets by the
			      slot */
	const uint8_t *own;  /**< [n_switches] 1 if the switch receives them itself, by port 0 */
	const uint8_t *part; /**< [n_hosts] odo_group_part */
} odo_group;

/**
 * Prove a group. Every cable in use must be in use from both ends, and no cable may close a loop.
 * The entries must connect all members that cables connect. A single member needs no entries.
 * @return 0; ODO_EUNSAFE, with the reason in one line; ODO_ENOMEM
 */
int odo_group_verify(const odo_fabric *f, const odo_group *group, odo_error *err);

#endif

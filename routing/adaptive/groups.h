/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A dragonfly from the view of its switches: ports as masks, by the place that they lead to. */
#ifndef ODONATA_ROUTING_ADAPTIVE_GROUPS_H
#define ODONATA_ROUTING_ADAPTIVE_GROUPS_H

#include "base/arena.h"
#include "routing/adaptive/ext.h"

/**
 * Classes of input ports. ODO_BY_OTHER: ports of hosts, and of cables that do not fit their class.
 */
enum { ODO_BY_LOCAL, ODO_BY_GLOBAL, ODO_BY_OTHER, ODO_N_BY };

typedef struct odo_groups {
	uint32_t n, n_groups, n_places;
	uint32_t *group;    /**< [n] group of each switch, ODO_NONE if unknown */
	uint32_t *place;    /**< [n] number of the switch within its group, below n_places */
	uint64_t *local;    /**< [n] local ports */
	uint64_t *global;   /**< [n] global ports, to groups other than its own */
	uint64_t *to_place; /**< [n * n_places] local ports towards each switch of the group */
	uint64_t *to_group; /**< [n * n_groups] the switch's own global ports to each group */
	uint64_t *via; /**< [n * n_groups] local ports to switches with global ports to the group */
	uint8_t *input; /**< [slots of switches] ODO_BY_... of each port */
	uint32_t *next; /**< [n * ODO_EXT_MAX_PORTS] switch at the far end of port p at s * 64 + p -
			   1 */
	bool whole; /**< groups are complete, every two are connected, every switch has global ports
		     */
} odo_groups;

/**
 * Find the groups. Errors: ODO_EDECLINE if groups are not complete graphs by design (a FlatFly of
 * several dimensions).
 * @param memory gets the arrays
 */
int odo_groups_init(odo_groups *groups, odo_arena *memory, const odo_fabric *f,
		    const odo_coordinates *c, odo_error *err);

static inline uint64_t odo_groups_to(const odo_groups *groups, uint32_t s, uint32_t group)
{
	return groups->to_group[(size_t)s * groups->n_groups + group];
}
static inline uint64_t odo_groups_via(const odo_groups *groups, uint32_t s, uint32_t group)
{
	return groups->via[(size_t)s * groups->n_groups + group];
}
/** Return the local ports of `s` to `d`, a switch of its group. */
static inline uint64_t odo_groups_local(const odo_groups *groups, uint32_t s, uint32_t d)
{
	return groups->to_place[(size_t)s * groups->n_places + groups->place[d]];
}
static inline uint32_t odo_groups_next(const odo_groups *groups, uint32_t s, unsigned port)
{
	return groups->next[(size_t)s * ODO_EXT_MAX_PORTS + port - 1];
}

#endif

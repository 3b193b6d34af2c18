/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Minimal ways by coordinates, for policies: a few loads per hop and no table by LID, so that it
 * works for a million hosts. For dragonflies whose groups are complete graphs.
 */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_WAYS_H
#define ODONATA_EMULATOR_POLICY_WAYS_WAYS_H

#include "base/arena.h"
#include "emulator/model.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** End of a global cable from one group to another. */
typedef struct odo_gateway {
	uint32_t node;  /**< switch */
	uint32_t there; /**< switch at the other end */
	uint8_t port;
	uint8_t rank; /**< its number among the switch's global ports */
} odo_gateway;

/** A dragonfly in arrays. It is whole: every switch and cable exists (checked when made). */
typedef struct odo_ways {
	const odo_fabric *fabric;
	odo_arena memory;     /**< of the arrays */
	uint32_t n_groups, a; /**< groups, switches in each */
	uint32_t n_switches;
	uint32_t *home;          /**< [n_hosts] switch of each host */
	uint8_t *host_port;      /**< [n_hosts] port of that switch to the host */
	uint32_t *group;         /**< [n_switches] */
	uint32_t *position;      /**< [n_switches] within the group */
	uint32_t *member;        /**< [n_groups * a] switch at each position */
	uint8_t *local_port;     /**< [n_switches * a] port to each position; 0 to itself */
	uint32_t *first_gateway; /**< [n_groups * n_groups + 1] into gateways */
	odo_gateway *gateways;   /**< gateways of group u to group v, at u * n_groups + v */
	uint32_t *first_global;  /**< [n_switches + 1] into global_port */
	uint8_t *global_port;    /**< every cabled global port of each switch */
	uint8_t *class;          /**< [slots of switches] odo_link_class of the cable */
} odo_ways;

/** @param out for odo_ways_free(). Errors: ODO_EDECLINE for other kinds, for groups that are not
 * complete graphs, and for damage; the message says what was found. */
int odo_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_ways **out, odo_error *err);
void odo_ways_free(odo_ways *ways);

/** The same, leaving out some cables.
 * @param aside [n_slots] non-zero at both ends of the cables to leave out; or NULL */
int odo_ways_create_without(const odo_fabric *f, const odo_coordinates *c, const uint8_t *aside,
			    odo_ways **out, odo_error *err);

/** Class of the link at a switch's port. */
static inline odo_link_class odo_ways_class(const odo_ways *ways, uint32_t node, unsigned port)
{
	return (odo_link_class)ways->class[odo_slot(ways->fabric, node, port)];
}

/** Is this the injection queue of the host `source`? */
static inline bool odo_ways_injected(const odo_ways *ways, uint32_t node, unsigned in_port,
				     uint32_t source)
{
	return node == ways->home[source] && in_port == ways->host_port[source];
}

/** Return the cable by which the minimal path from a switch goes to another group. If there are
 * several, take the switch's own if it has one; else `spread`, the same all along a path, selects
 * one. */
const odo_gateway *odo_ways_gateway(const odo_ways *ways, uint32_t node, uint32_t group,
				    uint32_t spread);

/**
 * Return the output towards a switch by at most local, global, local.
 * @param node   the packet's switch; not `target`
 * @param spread see odo_ways_gateway()
 * @param class  out: of the link taken
 */
uint8_t odo_ways_minimal(const odo_ways *ways, uint32_t node, uint32_t target, uint32_t spread,
			 odo_link_class *class);

/** The same towards any switch of another group. */
uint8_t odo_ways_to_group(const odo_ways *ways, uint32_t node, uint32_t group, uint32_t spread,
			  odo_link_class *class);

/** Number of links of the minimal path between two switches. */
unsigned odo_ways_distance(const odo_ways *ways, uint32_t from, uint32_t to, uint32_t spread);

#endif

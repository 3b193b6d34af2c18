/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Minimal ways by coordinates, for policies: a few loads per hop, no table by LID, so that it
 * holds for a million hosts. Dragonflies with complete groups, and FlatFlies.
 */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_WAYS_H
#define ODONATA_EMULATOR_POLICY_WAYS_WAYS_H

#include "emulator/model.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** Where global cables leave one group for another. */
typedef struct odo_gateway {
	uint32_t node;  /**< switch */
	uint32_t there; /**< that at the other end */
	uint8_t port;
	uint8_t rank; /**< its number among the switch's global ports */
} odo_gateway;

/** A dragonfly in arrays. Whole: every switch and cable is there (checked when made). */
typedef struct odo_ways {
	const odo_fabric *fabric;
	uint32_t n_groups, a; /**< groups, switches in each */
	uint32_t n_switches;
	uint32_t *home;          /**< [n_hosts] switch of each host */
	uint8_t *host_port;      /**< [n_hosts] port of that switch to the host */
	uint32_t *group;         /**< [n_switches] */
	uint32_t *position;      /**< [n_switches] within the group */
	uint32_t *member;        /**< [n_groups * a] switch at each position */
	uint8_t *local_port;     /**< [n_switches * a] port to each position; 0 to itself */
	uint32_t *first_gateway; /**< [n_groups * n_groups + 1] into gateways */
	odo_gateway *gateways;   /**< of group u to group v at u * n_groups + v */
	uint32_t *first_global;  /**< [n_switches + 1] into global_port */
	uint8_t *global_port;    /**< every cabled global port of each switch */
	uint8_t *class;          /**< [slots of switches] odo_link_class of the cable */
} odo_ways;

/** @param out for odo_ways_free(). Errors: ODO_EDECLINE for other kinds, groups that are not
 * complete graphs, and damage, saying what was found. */
int odo_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_ways **out, odo_error *err);
void odo_ways_free(odo_ways *ways);

/** The same without some cables. @param aside [n_slots] non-zero at both ends of those; or NULL */
int odo_ways_create_without(const odo_fabric *f, const odo_coordinates *c, const uint8_t *aside,
			    odo_ways **out, odo_error *err);

/** Class of the link at a switch's port. */
static inline odo_link_class odo_ways_class(const odo_ways *ways, uint32_t node, unsigned port)
{
	return (odo_link_class)ways->class[odo_slot(ways->fabric, node, port)];
}

/** True in the injection queue of a packet from this host. */
static inline bool odo_ways_injected(const odo_ways *ways, uint32_t node, unsigned in_port,
				     uint32_t source)
{
	return node == ways->home[source] && in_port == ways->host_port[source];
}

/** The cable by which the minimal path from a switch goes to another group. With several, its own
 * if it has one; else `spread`, the same all along a path, picks one. */
const odo_gateway *odo_ways_gateway(const odo_ways *ways, uint32_t node, uint32_t group,
				    uint32_t spread);

/**
 * The output towards a switch by at most local, global, local.
 * @param node   where the packet is; not `target`
 * @param spread see odo_ways_gateway()
 * @param class  out: of the link taken
 */
uint8_t odo_ways_minimal(const odo_ways *ways, uint32_t node, uint32_t target, uint32_t spread,
			 odo_link_class *class);

/** The same towards any switch of another group. */
uint8_t odo_ways_to_group(const odo_ways *ways, uint32_t node, uint32_t group, uint32_t spread,
			  odo_link_class *class);

/** Links of the minimal path between two switches. */
unsigned odo_ways_distance(const odo_ways *ways, uint32_t from, uint32_t to, uint32_t spread);

#endif

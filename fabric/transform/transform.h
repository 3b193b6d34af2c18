/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Transforms of a fabric: other names and orders, missing parts, cables in wrong ports. Each makes
 * a new fabric; the same seed gives the same one.
 */
#ifndef ODONATA_FABRIC_TRANSFORM_TRANSFORM_H
#define ODONATA_FABRIC_TRANSFORM_TRANSFORM_H

#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** Origin of the parts of a transformed fabric. */
typedef struct odo_origin {
	uint32_t *node; /**< [n_nodes of the new fabric] node of the old one */
	uint32_t *slot; /**< [n_slots of the new fabric] slot of the old one */
} odo_origin;

void odo_origin_free(odo_origin *origin);

/** Shuffle: new GUIDs, names and LIDs, nodes and ports in random order.
 * @param origin for odo_origin_free(); may be NULL */
int odo_fabric_shuffle(const odo_fabric *in, uint64_t seed, odo_fabric **out, odo_origin *origin,
		       odo_error *err);

/** Give nodes other names, and let only some adapters send. Nodes, slots and LIDs do not change.
 * @param name [n_nodes] new names, NULL to keep one; NULL: keep all
 * @param silent [n_slots] adapters' ports that do not send; NULL: none */
int odo_fabric_adapt(const odo_fabric *in, const char *const *name, const uint8_t *silent,
		     odo_fabric **out, odo_error *err);

/** Sort nodes by GUID, switches first. This order does not depend on the discovery, so that a file
 * gives the tables that the plugin installs. */
int odo_fabric_sort(const odo_fabric *in, odo_fabric **out, odo_error *err);

/** Number the connected parts (odo_fabric_parts()) by size, the largest first, equal ones by their
 * first switches.
 * @param part [n_switches] gets the number of each switch's part, from 0
 * @return the number of parts, or a negative status */
int odo_fabric_rank_parts(const odo_fabric *f, uint32_t *part, odo_error *err);

/**
 * Extract a connected part with its hosts.
 * @param n number of the part, as odo_fabric_rank_parts() counts
 * @param origin for odo_origin_free(); may be NULL
 * Errors: ODO_EINPUT if there are fewer parts.
 */
int odo_fabric_part(const odo_fabric *in, uint32_t n, odo_fabric **out, odo_origin *origin,
		    odo_error *err);

/**
 * Join two fabrics that no cable connects. An adapter of both, with one port in each, becomes one.
 * Errors: ODO_EINPUT for a switch, or a port of an adapter, that both have.
 */
int odo_fabric_join(const odo_fabric *first, const odo_fabric *second, odo_fabric **out,
		    odo_error *err);

/** Amount of damage. Shares are of all switches, and then of the remaining cables between switches.
 * Exactly round(share * count) of each are removed. A switch takes its hosts with it. */
typedef struct odo_damage {
	double switches, links; /**< 0 .. 1 */
	uint64_t seed;
} odo_damage;

/**
 * Remove switches, with hosts that have no other cable, and cables. LIDs do not change.
 * @param gone [n_nodes] not 0 for a switch to remove; gets the removed hosts
 * @param cut [n_slots] not 0 at either end of a cable to remove
 * @param origin for odo_origin_free(); may be NULL
 */
int odo_fabric_without(const odo_fabric *in, uint8_t *gone, const uint8_t *cut, odo_fabric **out,
		       odo_origin *origin, odo_error *err);

int odo_fabric_damage(const odo_fabric *in, const odo_damage *damage, odo_fabric **out,
		      odo_origin *origin, odo_error *err);

/** Cables moved by odo_fabric_miscable(), as slots of the new fabric. No other cable joins the two
 * switches of a moved cable. */
typedef struct odo_miscabling {
	uint32_t (*slot)[2]; /**< ends of each wrong cable */
	uint32_t n;
} odo_miscabling;

/**
 * Move round(share * cables between switches) cables. Half of them are pairs with their far ends
 * swapped, half are single ends moved to a free port of another switch, as far as ports allow.
 * Nodes, slots and LIDs do not change, so no origin is needed. No cable is placed beside a right
 * one, because nothing would distinguish them. Fewer cables are moved if no other place is left.
 * @param moved the moved cables, free(moved->slot); may be NULL
 */
int odo_fabric_miscable(const odo_fabric *in, double share, uint64_t seed, odo_fabric **out,
			odo_miscabling *moved, odo_error *err);

/** Convert coordinates of a fabric to those of `out`, which was made from it. Faults are not
 * copied. A moved cable keeps the classes of its new ports.
 * @param origin NULL if nodes and slots are the same, as after miscabling */
int odo_coordinates_carry(const odo_coordinates *c, const odo_fabric *out, const odo_origin *origin,
			  odo_coordinates **carried, odo_error *err);

#endif

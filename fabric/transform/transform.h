/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What time and people do to a fabric: other names and orders, parts that are missing,
 * cables in the wrong port. Each gives a new fabric; the same seed gives the same one.
 */
#ifndef ODONATA_FABRIC_TRANSFORM_TRANSFORM_H
#define ODONATA_FABRIC_TRANSFORM_TRANSFORM_H

#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** Where the parts of a transformed fabric come from. */
typedef struct odo_origin {
	uint32_t *node; /**< [n_nodes of the new] node of the old */
	uint32_t *slot; /**< [n_slots of the new] slot of the old */
} odo_origin;

void odo_origin_free(odo_origin *origin);

/** New GUIDs and names, nodes and ports in random order, new LIDs.
 * @param origin for odo_origin_free(); NULL if not wanted */
int odo_fabric_shuffle(const odo_fabric *in, uint64_t seed, odo_fabric **out, odo_origin *origin,
		       odo_error *err);

/** The same fabric with its nodes by GUID, switches first: the order that does not depend on who
 * found it, so that a file gives the tables that the plugin installs. */
int odo_fabric_sort(const odo_fabric *in, odo_fabric **out, odo_error *err);

/**
 * One of the parts that no cable connects (odo_fabric_parts()), with its hosts.
 * @param n from 0 on, the largest first, equal ones by their first switches
 * @param origin for odo_origin_free(); NULL if not wanted
 * Errors: ODO_EINPUT where there are not so many.
 */
int odo_fabric_part(const odo_fabric *in, uint32_t n, odo_fabric **out, odo_origin *origin,
		    odo_error *err);

/** How much to take away. Shares are of all switches, and then of the cables left between
 * switches; exactly round(share * count) of each go. A switch takes its hosts with it. */
typedef struct odo_damage {
	double switches, links; /**< 0 .. 1 */
	uint64_t seed;
} odo_damage;

/**
 * The fabric less some switches, with hosts that have no other cable, and less some cables. LIDs
 * stay.
 * @param gone [n_nodes] not 0: a switch that goes; gets the hosts that go with it
 * @param cut  [n_slots] not 0 at either end of a cable
 * @param origin for odo_origin_free(); NULL if not wanted
 */
int odo_fabric_without(const odo_fabric *in, uint8_t *gone, const uint8_t *cut, odo_fabric **out,
		       odo_origin *origin, odo_error *err);

int odo_fabric_damage(const odo_fabric *in, const odo_damage *damage, odo_fabric **out,
		      odo_origin *origin, odo_error *err);

/** The cables that odo_fabric_miscable() moved, as slots of the new fabric: each runs between
 * two switches that no other cable joins. */
typedef struct odo_miscabling {
	uint32_t (*slot)[2]; /**< ends of each wrong cable */
	uint32_t n;
} odo_miscabling;

/**
 * Miscable round(share * cables between switches) cables: pairs with their far ends swapped,
 * and single ends moved to a free port of another switch, half and half where ports allow.
 * Nodes, slots and LIDs stay, so no origin is needed. No cable is put beside one that belongs
 * there, since nobody could tell them apart; fewer are moved where no other place is left.
 * @param moved the true answer, free(moved->slot); NULL if not wanted
 */
int odo_fabric_miscable(const odo_fabric *in, double share, uint64_t seed, odo_fabric **out,
			odo_miscabling *moved, odo_error *err);

/** Take coordinates along: those of `out`, given those of the fabric it came from. Faults
 * are not carried, and a moved cable keeps the classes of the ports it was moved to.
 * @param origin NULL where nodes and slots stayed, as in miscabling */
int odo_coordinates_carry(const odo_coordinates *c, const odo_fabric *out, const odo_origin *origin,
			  odo_coordinates **carried, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Order of hosts in which patterns and workloads count. Hosts are numbered by the coordinates of
 * their switch, coordinate 0 slowest, then by host number: a fabric that was shuffled and mapped
 * again behaves like the one it came from, up to the symmetries that no mapping can tell apart. If
 * coordinates are unknown, hosts are numbered by the number of their switch. Ranks of each
 * connected part of the fabric are consecutive.
 */
#ifndef ODONATA_EMULATOR_TRAFFIC_RANK_PLACEMENT_H
#define ODONATA_EMULATOR_TRAFFIC_RANK_PLACEMENT_H

#include "base/arena.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** Read-only once made; it owns its arrays. Switches are those with hosts; a "place" is a switch's
 * position among them. */
typedef struct odo_order {
	const odo_fabric *fabric;           /**< borrowed */
	odo_arena memory;                   /**< of the arrays */
	const odo_coordinates *coordinates; /**< borrowed; NULL if the kind is unknown */
	uint32_t n_hosts;     /**< number of hosts that send; only these have a rank */
	uint32_t *host;       /**< [n_hosts] host of each rank */
	uint32_t *rank;       /**< [all hosts] rank of each; ODO_NONE for one that does not send */
	bool as_numbered;     /**< each host's rank is its number, so no lookup is needed */
	uint32_t n_places;    /**< switches with hosts */
	uint32_t *switches;   /**< [n_places] switch of each place */
	uint32_t *first_rank; /**< [n_places + 1] */
	uint32_t n_groups;    /**< runs of switches that share coordinate 0; 1 if unknown */
	uint32_t *group;      /**< [n_groups + 1] first place of each group */
	uint32_t n_pods;      /**< runs of leaves that share the pod of a fat tree; else 0 */
	uint32_t *pod;        /**< [n_pods + 1] first place of each pod */
	uint32_t n_parts;     /**< connected parts of the fabric: ranks of each are consecutive */
	uint32_t *part;       /**< [n_parts + 1] first rank of each */
} odo_order;

/** @param c may be NULL or of unknown kind. Errors: ODO_ENOMEM, ODO_EINPUT without hosts. */
int odo_order_create(const odo_fabric *f, const odo_coordinates *c, odo_order **out,
		     odo_error *err);
void odo_order_free(odo_order *o);

/** Place of the switch at these coordinates; ODO_NONE if it is missing or has no hosts. */
uint32_t odo_order_find(const odo_order *o, const uint32_t *at);

/** Placements of the ranks of a workload; rows of a table. */
typedef struct odo_rank_placement {
	const char *name, *summary;
	/** Fill host[0 .. n-1] with distinct hosts, n at most the fabric's hosts. */
	int (*place)(const odo_order *o, uint64_t seed, uint32_t n, uint32_t *host, odo_error *err);
} odo_rank_placement;

/** Table of placements, ending with a NULL name. */
extern const odo_rank_placement odo_rank_placements[];

/** Place n ranks by the row of this name. Errors: ODO_EINPUT for an unknown name, or n too large.
 */
int odo_place(const odo_order *o, const char *name, uint64_t seed, uint32_t n, uint32_t *host,
	      odo_error *err);

#endif

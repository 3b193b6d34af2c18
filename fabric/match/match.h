/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Matching of two states of a fabric: a plan, or an earlier state, and the present one. GUIDs,
 * names and cables are evidence, and the majority counts. A node has an identity, known by GUID and
 * name, and a place, known by its cables. A replaced switch has another identity in the same place;
 * a moved one has its identity elsewhere.
 */
#ifndef ODONATA_FABRIC_MATCH_MATCH_H
#define ODONATA_FABRIC_MATCH_MATCH_H

#include "fabric/fabric.h"

typedef struct odo_match {
	odo_arena memory;
	const odo_fabric *plan, *is;
	uint32_t *forth; /**< [nodes of `plan`] node of `is` in the same place, or
			    ODO_NONE */
	uint32_t *back;  /**< [nodes of `is`] the reverse */
	uint32_t *known; /**< [nodes of `plan`] node of `is` with the same identity,
			    or ODO_NONE */
	uint32_t *was;   /**< [nodes of `is`] the reverse */
	uint32_t *slot;  /**< [slots of `plan`] slot of `is` with the same cable, or
			    ODO_NONE */
	uint32_t *cable; /**< [slots of `is`] the reverse */
	/** Evidence by sort of node: adapters, switches. A plan without GUIDs replaces no node. */
	bool guids[2], names[2];
	bool ports; /**< port numbers agree in general; otherwise only neighbours are
		       compared */
} odo_match;

/**
 * Match two fabrics, which must outlive the match.
 * @param m for odo_match_clear(), also on failure
 * Errors: ODO_ENOMEM.
 */
int odo_match_make(const odo_fabric *plan, const odo_fabric *is, odo_match *m, odo_error *err);
void odo_match_clear(odo_match *m);

/** Return the slot of `is` with the place and the port number of a slot of `plan`, or ODO_NONE. */
uint32_t odo_match_port(const odo_match *m, uint32_t slot);

/** Return the share of the cables of the smaller fabric that both have. */
double odo_match_share(const odo_match *m);

/**
 * Follow equal port numbers through both fabrics, from pairs of switches that suit. Neither names
 * nor GUIDs are used (follow.c).
 * @param back [nodes of `is`] set for switches; ODO_NONE before
 * Errors: ODO_ENOMEM.
 */
int odo_match_follow(const odo_fabric *plan, const odo_fabric *is, uint32_t *back);

/** Match switches by numbers of walks, where port numbers differ, too (walks.c). */
int odo_match_walks(const odo_fabric *plan, const odo_fabric *is, unsigned attempt, uint32_t *back);
/** Attempts differ in the switches that they begin with: some are beside a fault. */
enum { ODO_WALK_ATTEMPTS = 8 };

#endif

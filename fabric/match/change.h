/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Changes between a plan, or an earlier state of a fabric, and the present one. */
#ifndef ODONATA_FABRIC_MATCH_CHANGE_H
#define ODONATA_FABRIC_MATCH_CHANGE_H

#include "fabric/match/match.h"

/** Sorts of changes. Nodes come first, then cables. */
typedef enum odo_change_sort {
	ODO_CHANGE_MISSING_NODE,
	ODO_CHANGE_ADDED_NODE,
	ODO_CHANGE_REPLACED, /**< same place, other GUID */
	ODO_CHANGE_MOVED,    /**< same GUID or name, other place */
	ODO_CHANGE_RENAMED,
	ODO_CHANGE_MISSING_CABLE,
	ODO_CHANGE_ADDED_CABLE,
	ODO_CHANGE_SWAPPED,  /**< two cables have exchanged their far ends; a row for
				each */
	ODO_CHANGE_RECABLED, /**< a cable leads to another port */
	ODO_CHANGE_RATE,
	ODO_CHANGE_LABEL, /**< another label at a port of the cable; both are known */
	ODO_N_CHANGES
} odo_change_sort;

typedef struct odo_change {
	odo_change_sort sort;
	uint32_t node;  /**< of the plan; ODO_NONE if it has none */
	uint32_t found; /**< node of the present state; ODO_NONE if it has none */
	uint32_t slot;  /**< cables: near end in the plan, or ODO_NONE */
	uint32_t at;    /**< cables: near end in the present state, or ODO_NONE */
	/** Missing or added switch: adapters that have no other cable. Missing machine: its
	 * adapters. */
	uint32_t behind;
	bool machine; /**< all adapters of the node's machine are missing or added */
	bool folded;  /**< node of a row before: behind a switch, or of a machine */
} odo_change;

typedef struct odo_changes {
	odo_change *row;      /**< sorted */
	uint32_t n, n_folded; /**< rows, and those of them that are part of another */
	bool hosts;           /**< the plan has adapters: otherwise they are not compared */
	uint32_t n_cables;    /**< cables that both have */
	uint32_t n_unrated;   /**< those of them whose rate one side lacks: it is not compared */
	size_t room;
} odo_changes;

/** Return "missing", "swapped", ... */
const char *odo_change_name(odo_change_sort sort);

/** List all changes.
 * @param out for odo_changes_clear(), also on failure
 * Errors: ODO_ENOMEM. */
int odo_changes_find(const odo_match *m, odo_changes *out, odo_error *err);
void odo_changes_clear(odo_changes *x);

#endif

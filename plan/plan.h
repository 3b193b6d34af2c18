/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Fabrics that could be built: of every kind, for a number of hosts and a radix of switches, by
 * closed forms. The comment of each form says whether it is an average or a bound. Tests compare
 * all forms with fabrics that are built and routed.
 */
#ifndef ODONATA_PLAN_PLAN_H
#define ODONATA_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define ODO_PLAN_SPEC 120
/** Number of candidates kept of each row of kinds, best first. */
#define ODO_PLAN_KEPT 8
/** Maximum number of hosts: with their switches they need no more LIDs than exist. */
#define ODO_PLAN_MOST_HOSTS 48000u

/** Wish of a user. */
typedef struct odo_plan_wish {
	uint32_t hosts;      /**< minimum number, 2 .. ODO_PLAN_MOST_HOSTS */
	bool exact;          /**< not more hosts than that */
	uint32_t radix;      /**< ports of each switch, 3 .. ODO_MAX_PORTS */
	uint32_t per_switch; /**< hosts on each switch that has any; 0: chosen automatically */
	double bisection;    /**< relative, minimum; 0: any */
	double saturation;   /**< of uniform traffic, minimum; 0: any */
} odo_plan_wish;

struct odo_plan_kind;

/** A fabric that could be built. Loads are shares of a host's cable. */
typedef struct odo_plan_candidate {
	const struct odo_plan_kind *kind;
	char spec[ODO_PLAN_SPEC]; /**< as odo_topology_generate() takes it */
	uint32_t hosts, switches;
	uint32_t ports;    /**< maximum that a switch uses */
	uint64_t cables;   /**< between switches */
	uint32_t diameter; /**< cables between switches on the longest shortest path of hosts */
	double mean_hops;  /**< cables between switches, mean over all pairs of hosts */
	/** Cables across the worst half, divided by half of the hosts: 1 is full. The definition is
	 * that of paper 004, section 1; local links of a dragonfly count as in that paper. */
	double bisection;
	/** Upper bound on the load at which minimal routing of uniform traffic saturates: it
	 * assumes that loads are spread evenly over the cables of a class. */
	double uniform;
	/** Upper bound on the load at which single minimal paths saturate under the worst
	 * permutation. */
	double worst;
	unsigned vls; /**< VLs that minimal routing needs to be free of deadlock on standard
		       * switches */
} odo_plan_candidate;

/** Best candidates of a row of kinds. */
typedef struct odo_plan_list {
	const odo_plan_wish *wish;
	odo_plan_candidate best[ODO_PLAN_KEPT]; /**< best first */
	unsigned n;
} odo_plan_list;

/** A kind of fabric that can be built. */
typedef struct odo_plan_kind {
	const char *name; /**< "torus, 3-D" */
	/** Offer every shape that may suit list->wish to odo_plan_offer(). */
	void (*enumerate)(const struct odo_plan_kind *kind, odo_plan_list *list);
	unsigned variant; /**< dimensions, or levels */
} odo_plan_kind;

/** Table of kinds, ending with a NULL name. */
extern const odo_plan_kind odo_plan_kinds[];

/** Does a candidate have the wanted bisection and saturation? */
bool odo_plan_is_enough(const odo_plan_wish *wish, const odo_plan_candidate *x);

/** Is a candidate among the best so far? Its spec need not be set yet. No, if it has too few hosts
 * or needs too many ports or LIDs. */
bool odo_plan_is_wanted(const odo_plan_list *list, const odo_plan_candidate *x);

/**
 * Keep a candidate that is wanted. Candidates that meet the wish come first, sorted by effort; then
 * the others, by how near they come to it.
 */
void odo_plan_offer(odo_plan_list *list, const odo_plan_candidate *x);

/** Find the best candidates of one row. @param list of `kind`; it borrows `wish` */
void odo_plan_search(const odo_plan_kind *kind, const odo_plan_wish *wish, odo_plan_list *list);

/* Functions for enumerators. */

/** Append to a spec; text that does not fit is cut off, and the generator refuses the spec. */
void odo_plan_write(char *spec, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Append ",l=2x1x1" or ",l=2"; append nothing if all numbers are 1. */
void odo_plan_write_list(char *spec, const char *key, const uint32_t *number, unsigned n);
/** Is the wanted bisection or saturation reached, up to rounding? */
bool odo_plan_reaches(double value, double wanted);

void odo_plan_flatflies(const odo_plan_kind *kind, odo_plan_list *list);
void odo_plan_tori(const odo_plan_kind *kind, odo_plan_list *list);
void odo_plan_hypercubes(const odo_plan_kind *kind, odo_plan_list *list);
void odo_plan_slimflies(const odo_plan_kind *kind, odo_plan_list *list);
void odo_plan_wide_dragonflies(const odo_plan_kind *kind, odo_plan_list *list);
void odo_plan_dragonflies(const odo_plan_kind *kind, odo_plan_list *list);
void odo_plan_dragonflies_plus(const odo_plan_kind *kind, odo_plan_list *list);
void odo_plan_trees(const odo_plan_kind *kind, odo_plan_list *list);

#endif

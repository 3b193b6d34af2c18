/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What could be built: fabrics of every kind for a number of hosts and a radix of switches, by
 * closed forms. A form is what its comment says, an average or a bound; tests hold all of them
 * against fabrics that are built and routed.
 */
#ifndef ODONATA_PLAN_PLAN_H
#define ODONATA_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define ODO_PLAN_SPEC 120
/** Candidates that are kept of each row of kinds, best first. */
#define ODO_PLAN_KEPT 8
/** Most hosts: with their switches they need no more LIDs than there are. */
#define ODO_PLAN_MOST_HOSTS 48000u

/** What is wanted. */
typedef struct odo_plan_wish {
	uint32_t hosts;      /**< so many at least, 2 .. ODO_PLAN_MOST_HOSTS */
	bool exact;          /**< and no more */
	uint32_t radix;      /**< ports of each switch, 3 .. ODO_MAX_PORTS */
	uint32_t per_switch; /**< hosts on each switch that has any; 0: as many as suit */
	double bisection;    /**< relative, at least; 0: any */
	double saturation;   /**< of uniform traffic, at least; 0: any */
} odo_plan_wish;

struct odo_plan_kind;

/** A fabric that could be built. Loads are shares of a host's cable. */
typedef struct odo_plan_candidate {
	const struct odo_plan_kind *kind;
	char spec[ODO_PLAN_SPEC]; /**< as odo_topology_generate() takes it */
	uint32_t hosts, switches;
	uint32_t ports;    /**< most that a switch uses */
	uint64_t cables;   /**< between switches */
	uint32_t diameter; /**< cables between switches on the longest shortest path of hosts */
	double mean_hops;  /**< cables between switches, mean over all pairs of hosts */
	/** Cables across the worst half, over half of the hosts: 1 is full. As paper 004, section 1
	 * has it; local links of a dragonfly count as there. */
	double bisection;
	/** Minimal routing of uniform traffic saturates here at the latest: loads are spread evenly
	 * over the cables of a class. */
	double uniform;
	/** Single minimal paths under the worst permutation saturate here at the latest. */
	double worst;
	unsigned vls; /**< that minimal routing needs to be free of deadlock on standard switches */
} odo_plan_candidate;

/** The best candidates of one row of kinds. */
typedef struct odo_plan_list {
	const odo_plan_wish *wish;
	odo_plan_candidate best[ODO_PLAN_KEPT]; /**< best first */
	unsigned n;
} odo_plan_list;

/** One way to build fabrics. */
typedef struct odo_plan_kind {
	const char *name; /**< "torus, 3-D" */
	/** Offer every shape that may suit list->wish to odo_plan_offer(). */
	void (*enumerate)(const struct odo_plan_kind *kind, odo_plan_list *list);
	unsigned variant; /**< dimensions, or levels */
} odo_plan_kind;

/** All of them, ending with a NULL name. */
extern const odo_plan_kind odo_plan_kinds[];

/** Whether a candidate has the bisection and saturation that are wanted. */
bool odo_plan_is_enough(const odo_plan_wish *wish, const odo_plan_candidate *x);

/** Is a candidate among the best so far? Its spec need not be there yet. Not where it has too few
 * hosts, or needs too many ports or LIDs. */
bool odo_plan_is_wanted(const odo_plan_list *list, const odo_plan_candidate *x);

/**
 * Keep a candidate that is wanted: those that are enough come first, by what they need; then the
 * others, by how near they come.
 */
void odo_plan_offer(odo_plan_list *list, const odo_plan_candidate *x);

/** The best of one row. @param list of `kind`; its `wish` is borrowed */
void odo_plan_search(const odo_plan_kind *kind, const odo_plan_wish *wish, odo_plan_list *list);

/* For enumerators. */

/** Append to a spec; what does not fit is cut off, and the generator refuses it. */
void odo_plan_write(char *spec, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Append ",l=2x1x1" or ",l=2", or nothing where all are 1. */
void odo_plan_write_list(char *spec, const char *key, const uint32_t *number, unsigned n);
/** What is wanted of bisection or saturation has been reached, up to rounding. */
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

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Events: drawn from a seed, and made to happen. */
#ifndef ODONATA_TESTS_SIM_EVENTS_H
#define ODONATA_TESTS_SIM_EVENTS_H

#include "tests/sim/manager.h"

typedef enum sim_kind {
	SIM_CABLE,    /**< a cable is pulled, or put back */
	SIM_SWITCH,   /**< a switch goes off, or comes back without tables */
	SIM_RESET,    /**< a switch loses its tables at once; every other time its links stay up */
	SIM_HOST,     /**< an adapter goes off, or comes back */
	SIM_MOVE,     /**< an adapter is plugged into another switch */
	SIM_LIDS,     /**< two adapters get each other's LIDs */
	SIM_JOIN,     /**< an adapter joins a group, or leaves it */
	SIM_REROUTE,  /**< the operator has OpenSM route again */
	SIM_TAKEOVER, /**< the manager ends, and another one finds the files */
	N_SIM_KINDS
} sim_kind;

extern const char *const sim_kind_names[N_SIM_KINDS];

typedef struct sim_event {
	sim_kind kind;
	uint32_t target; /**< a random number: taken modulo what there is */
	int when;        /**< sim_point in the sweep, or -1: before it */
	unsigned lost;   /**< MADs of 1,000 */
	unsigned disk;   /**< sim_disk meanwhile */
	bool skipped, happened;
} sim_event;

void sim_draw_events(sim_event *events, unsigned n, odo_rng *rng);

/** Make an event happen. At a point of a sweep a takeover is a manager that dies. */
void sim_happen(sim_world *world, const sim_event *event);

/** The reset left no sign: the plugin finds it only when it reads the switch back. */
bool sim_is_silent(const sim_event *event);

#endif

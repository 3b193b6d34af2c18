/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A subnet manager that behaves as OpenSM 3.3.23 does towards the plugin: the same structures,
 * functions and callbacks, in the same order, with queries that are answered at once. MADs that
 * write may be lost, and hardware may change between any two steps of a sweep.
 */
#ifndef ODONATA_TESTS_SIM_MANAGER_H
#define ODONATA_TESTS_SIM_MANAGER_H

#include "base/random.h"
#include "tests/sim/judge.h"

/** Points of a sweep at which applications may ask, and hardware may change. */
typedef enum sim_point {
	SIM_DISCOVERED, /**< the manager has looked at the fabric */
	SIM_ROUTED,     /**< new tables are made, and none is written */
	SIM_HALF,       /**< half of the forwarding tables are written */
	SIM_FORWARDED,  /**< all are; SL2VL maps are not */
	SIM_MAPPED,     /**< all is written */
} sim_point;

typedef struct sim_manager sim_manager;

typedef struct sim_world {
	sim_hardware hw;
	sim_judge judge;
	uint32_t at;         /**< the adapter that the manager runs on */
	const char *options; /**< event_plugin_options */
	const char *folder;  /**< of state files, and of what outlives a manager */
	unsigned lost;       /**< of 1,000 MADs that write, so many are lost for good */
	odo_rng rng;         /**< of losses */
	odo_rng time;        /**< of seconds that pass */
	uint64_t digest;     /**< of all lines of the log, answers and tables so far */
	FILE *log;           /**< NULL, or where to write OpenSM's log */
	/** Called at points of a sweep. */
	void (*at_point)(struct sim_world *world, sim_point point);
	sim_manager *manager; /**< NULL if none runs */
	uint64_t n_sweeps, n_asked, n_told;
	bool refused;        /**< the plugin declined in the last sweep */
	uint64_t n_declined; /**< states after events that were not judged therefore */
} sim_world;

/** Add bytes to the digest. */
void sim_digest(sim_world *world, const void *bytes, size_t n);

/** Start a manager. It finds the files that another one left in the folder. */
void sim_manager_start(sim_world *world);
/** End it, as a signal would. */
void sim_manager_stop(sim_world *world);

/** Sweep until the plugin asks for no further sweep. @return false if it does not settle */
bool sim_manager_sweep(sim_world *world);

/** Ask for the SLs of all paths between adapters that the manager knows, and from each adapter to
 * the switches. @param share one of so many pairs, at random */
void sim_manager_ask(sim_world *world, unsigned share);

/** The hardware holds what the manager wants to have written everywhere. */
bool sim_manager_is_installed(const sim_world *world);

#endif

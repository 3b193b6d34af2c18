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
	SIM_FOUND,      /**< the manager has looked at the fabric; traps make it look again */
	SIM_DISCOVERED, /**< it goes on */
	SIM_ROUTED,     /**< new tables are made, and none is written */
	SIM_HALF,       /**< half of the forwarding tables are written */
	SIM_FORWARDED,  /**< all are; SL2VL maps are not */
	SIM_MAPPED,     /**< all is written */
	SIM_SAVED,      /**< the plugin has saved it; multicast tables are not written */
	N_SIM_POINTS,
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
	bool *is_member;      /**< [SIM_GROUPS * n_nodes] */
	uint8_t group_sl[SIM_GROUPS];
	bool is_dead;    /**< set at a point: the manager ends there, and another one starts */
	bool is_late;    /**< traps come only after the discovery */
	bool is_unsaved; /**< the log said that the next manager will not know the tables */
	bool is_warned;  /**< the log said that multicast may deadlock with unicast */
	uint64_t n_sweeps, n_asked, n_told;
	bool refused; /**< the plugin declined in the last sweep */
	/** States after events: declined, so that only deadlocks were judged; not safe with
	 * adapters that moved out of reach; not safe with multicast, which the log says. */
	uint64_t n_declined, n_beyond, n_warned;
	uint64_t n_certified; /**< certificates that the checker accepted */
} sim_world;

/** Add bytes to the digest. */
void sim_digest(sim_world *world, const void *bytes, size_t n);

/** Start a manager. It finds the files that another one left in the folder. */
void sim_manager_start(sim_world *world);
/** End it, as a signal would. */
void sim_manager_stop(sim_world *world);

/** Links that the manager knows have come up or gone since it looked. */
bool sim_manager_has_trap(const sim_world *world);
/** The plugin has requested a sweep. */
bool sim_manager_is_asked(const sim_world *world);
/** Sweep until the plugin asks for no further sweep. @return false if it does not settle */
bool sim_manager_sweep(sim_world *world);

/** An adapter joins or leaves a group between sweeps. */
void sim_manager_join(sim_world *world, unsigned group, uint32_t node);
/** The operator has OpenSM route again without looking at the fabric. */
void sim_manager_reroute(sim_world *world);

/** Ask for the SLs of all paths between adapters that the manager knows, and from each adapter to
 * the switches. @param share one of so many pairs, at random */
void sim_manager_ask(sim_world *world, unsigned share);

/** The manager has discovered the node. */
bool sim_manager_knows(const sim_world *world, uint32_t node);
/** The plugin makes SL2VL maps: its tables need several VLs. */
bool sim_manager_has_maps(const sim_world *world);
/** [SIM_GROUPS] true where the plugin built the tree, and not OpenSM. */
const bool *sim_manager_trees(const sim_world *world);

/** The hardware holds what the manager wants to have written everywhere. */
bool sim_manager_is_installed(sim_world *world);

#endif

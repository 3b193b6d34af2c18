/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Saturation, two ways that are not the same figure. */
#ifndef ODONATA_EXPERIMENT_SEARCH_SATURATION_H
#define ODONATA_EXPERIMENT_SEARCH_SATURATION_H

#include <stdbool.h>

#include "base/watch.h"
#include "emulator/emulator.h"

/** Steps of paper 004's search: its table is in 128ths. */
#define ODO_SATURATION_STEPS 128

typedef struct odo_saturation_search {
	uint32_t steps; /**< in which the load is found, 2 or more */
	double whole;   /**< load that all steps are, above 0 up to 1; 0: 1 */
	/** Load to try first, in steps; 0: the lowest. With `near`, where hosts are served
	 * unevenly; 0: half of what is accepted at full offer. */
	uint32_t first;
	/** Begin with the load that nearly every host gets at full offer, and go from there by one,
	 * two, four steps. Needs `full`. */
	bool near;
	uint32_t last; /**< highest load to try, up to a load of 1; 0: all steps */
	/** 0, or how finely compared with the load itself: 16 ends the search, and judges a load,
	 * within a sixteenth of it where that is more than a step. */
	uint32_t relative;
	/** Warm-up and measured cycles of a load's first run are those at full offer, and 1/load
	 * times as many below, up to 16 times: as many packets. */
	bool scaled;
	bool full; /**< find the load accepted at full offer too, the dearest run of all */
	const odo_watch *watch; /**< NULL, or told of the runs, as if all took about as long */
} odo_saturation_search;

typedef struct odo_saturation {
	/** Highest load, in steps, at which what every source offers arrives; 0 if none. */
	uint32_t sustained;
	uint32_t steps;
	/** Phits received per host and cycle where every host offers 1 a cycle. */
	double accepted_at_full; /**< below 0 if it was not asked for */
	double least_at_full;    /**< the same, of what the least-served host sends */
	double latency;          /**< mean at the load sustained, cycles */
	uint64_t cycles;         /**< for which that was emulated: the verdict holds for so long */
	uint32_t runs, deadlocks;
} odo_saturation;

/**
 * Search from a low load, doubling it until it fails (or halving it until it passes), then
 * halving what is between: loads that pass are the cheap ones. It supposes that a load above one
 * that fails fails too. odo_verdict_find() judges a load: it is sustained where what arrives falls
 * short of what is offered by less than half a step, for every host and in total.
 * @param e its run.load is ignored; warm-up and measured cycles are those of a load's first run,
 *          and of what is accepted at full offer
 */
int odo_saturation_find(const odo_emulation *e, const odo_saturation_search *how,
			odo_saturation *out, odo_error *err);

#endif

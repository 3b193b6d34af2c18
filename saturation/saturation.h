/* half of the load accepted at full offer. */
/** Saturation, by two measures that give different figures. */
#ifndef ODONATA_SATURATION_SATURATION_H
#define ODONATA_SATURATION_SATURATION_H

#include <stdbool.h>

#include "base/watch.h"
#include "emulator/emulator.h"

/** Steps of paper 004's search: its table has 128ths. */
#define ODO_SATURATION_STEPS 128

typedef struct odo_saturation_search {
	uint32_t steps; /**< resolution of the load, 2 or more */
	double whole;   /**< load that corresponds to all steps, above 0 up to 1; 0: 1 */
	/** Load to try first, in steps; 0: the lowest. With `near` it is used if hosts are served
	 * unevenly; */
	uint32_t first;
	/** Begin with the load that nearly every host gets at full offer, and continue from there
	 * by one, two, four steps. Needs `full`. */
	bool near;
	uint32_t last; /**< highest load to try, up to a load of 1; 0: all steps */
	/** 0, or the resolution relative to the load: with 16, the search ends, and loads are
	 * judged, within a sixteenth of the load if that is more than a step. */
	uint32_t relative;
	/** Warm-up and measured cycles of a load's first run are those at full offer, times 1/load,
	 * up to 16 times: the number of packets is then the same. */
	bool scaled;
	bool full; /**< find the load accepted at full offer too, which is the most expensive run */
	const odo_watch *watch; /**< NULL, or told of the progress, as if all runs took the same
				 * time */
} odo_saturation_search;

typedef struct odo_saturation {
	/** Highest load, in steps, at which the packets that each source offers arrive; 0 if there
	 * is none. */
	uint32_t sustained;
	uint32_t steps;
	/** Phits received per host and cycle if every host offers 1 per cycle. */
	double accepted_at_full; /**< below 0 if not requested */
	double least_at_full;    /**< the same for packets of the least-served host */
	double latency;          /**< mean latency at the sustained load, cycles */
	uint64_t cycles;         /**< emulated cycles of that load: the verdict holds for so long */
	uint32_t runs, deadlocks;
} odo_saturation;

/**
 * Search from a low load, doubling it until it fails (or halving it until it passes), then halving
 * the interval: loads that pass take less time. The search assumes that all loads above a failing
 * one fail too. odo_load_verdict_find() judges a load: it is sustained if arrivals fall short of
 * offers by less than half a step, for every host and in total.
 * @param e its run.load is ignored; warm-up and measured cycles are those of a load's first run,
 *          and of the run at full offer
 */
int odo_saturation_find(const odo_emulation *e, const odo_saturation_search *how,
			odo_saturation *out, odo_error *err);

#endif

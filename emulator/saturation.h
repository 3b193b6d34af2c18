/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Saturation, two ways that are not the same figure. */
#ifndef ODONATA_EMULATOR_SATURATION_H
#define ODONATA_EMULATOR_SATURATION_H

#include "emulator/emulator.h"

/** Steps of paper 004's search: its table is in 128ths. */
#define ODO_SATURATION_STEPS 128

typedef struct odo_saturation {
	/** Highest load, in steps, at which every source still gets what it offers; 0 if none. */
	uint32_t sustained;
	uint32_t steps;
	/** Phits received per host and cycle where every host offers 1 a cycle. */
	double accepted_at_full;
	double latency; /**< mean at the load sustained, cycles */
	uint32_t runs, deadlocks;
} odo_saturation;

/**
 * True where every source got what it offered: nowhere did the packets left behind in the
 * sources of a switch grow, over the measured cycles, by more than half a step of the load. A
 * difference of counts, so that the noise of generation cancels out.
 */
bool odo_saturation_sustains(const odo_emulation *e, const odo_measures *m, double step);

/**
 * Search by halving, which supposes that a load above one that fails fails too.
 * @param e     its run.load is ignored; the rest is used for every run
 * @param steps in which the load is found, 2 or more
 */
int odo_saturation_search(const odo_emulation *e, uint32_t steps, odo_saturation *out,
			  odo_error *err);

#endif

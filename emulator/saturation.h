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
 * How much less than they offer the sources of the worst-off switch get, in phits per host and
 * cycle: the growth, over the measured cycles, of what they have generated and not injected. A
 * difference of counts, so that the noise of generation cancels out. 1 where the run has not
 * come to its end.
 */
double odo_saturation_shortfall(const odo_emulation *e, const odo_measures *m);

/**
 * Search by halving, which supposes that a load above one that fails fails too. A load is
 * sustained where the shortfall is below half a step. Queues near saturation come and go: a
 * run that ends close to that, either way, is measured again four times as long, and once more.
 * @param e     its run.load is ignored; the rest is used for every run
 * @param steps in which the load is found, 2 or more
 */
int odo_saturation_search(const odo_emulation *e, uint32_t steps, odo_saturation *out,
			  odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Time and threads of a simulated process. All clocks that the plugin reads show simulated time.
 * Its thread is a coroutine, which runs when the simulation lets time pass and it is due, and ends
 * at its next wait. So load and addresses change nothing in a run.
 */
#ifndef ODONATA_TESTS_SIM_CLOCK_H
#define ODONATA_TESTS_SIM_CLOCK_H

#include <stdint.h>

/** Set all clocks to the start of a run. */
void sim_clock_reset(void);

/** Let time pass, and run the plugin's thread whenever it was woken, or has waited long enough. */
void sim_clock_pass(uint64_t ms);

#endif

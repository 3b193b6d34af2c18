/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Replays what happens to a real subnet, so that the tables can be compared. */
#ifndef ODONATA_TESTS_SIM_REPLAY_H
#define ODONATA_TESTS_SIM_REPLAY_H

#include "fabric/fabric.h"

/** Read commands of ibsim's console from standard input: Unlink and Relink of a node or a port. Let
 * the sweeps settle after each, write dumps into the folder, and print the number of sweeps.
 * @param at name of the adapter that the manager runs on */
void sim_replay(const odo_fabric *f, const char *at, const char *options, const char *folder,
		const char *log);

#endif

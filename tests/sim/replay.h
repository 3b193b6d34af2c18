/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Replays what happens to a real subnet, so that the tables can be compared. */
#ifndef ODONATA_TESTS_SIM_REPLAY_H
#define ODONATA_TESTS_SIM_REPLAY_H

#include "fabric/fabric.h"

/** Read lines from standard input, and print one for each: Unlink and Relink of a node or a port,
 * as for ibsim's console, which are "seen" by the manager, or not; and "Sweep N", which writes
 * dumps into the folder.
 * @param at name of the adapter that the manager runs on */
void sim_replay(const odo_fabric *f, const char *at, const char *options, const char *folder,
		const char *log);

#endif

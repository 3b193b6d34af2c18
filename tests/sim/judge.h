/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Judges what the hardware holds by every SL that connections may use: those that were handed out
 * since the pair was last told to reconnect. It knows nothing of what the plugin remembers, and
 * shares no code with the verifier.
 */
#ifndef ODONATA_TESTS_SIM_JUDGE_H
#define ODONATA_TESTS_SIM_JUDGE_H

#include "tests/sim/hardware.h"

typedef struct sim_judge {
	const sim_hardware *hw;
	uint16_t *held;       /**< [n_nodes * lid_count] SLs of connections from a node to a LID */
	uint32_t *managed_at; /**< [n_nodes] switch of the adapter when last in reach */
	uint64_t *waits;      /**< channels that a channel waits for, as bits by port and VL */
	uint32_t *queue, *n_before;
	unsigned words;
} sim_judge;

typedef struct sim_verdict {
	uint32_t n_cyclic; /**< channels that are on a cycle, or wait for one that is */
	uint32_t n_lost; /**< pairs (adapter, LID) that are connected, and packets do not arrive */
	uint32_t n_dropped; /**< SLs of pairs that some switch maps to no VL of the cable */
	uint32_t from, lid; /**< a pair of these, or the first on a cycle */
	unsigned sl;
} sim_verdict;

void sim_judge_init(sim_judge *judge, const sim_hardware *hw);
void sim_judge_clear(sim_judge *judge);

/** A manager told an adapter the SL to a LID. */
void sim_judge_answered(sim_judge *judge, uint32_t node, uint32_t lid, unsigned sl);

/** The log said that hosts of a switch must reconnect to a LID: 0 stands for all LIDs, ODO_NONE for
 * all switches. Adapters that are off or unplugged do not get to know. */
void sim_judge_told(sim_judge *judge, uint32_t s, uint32_t lid);

/** Follow all packets of adapters that are there. Packets are lost only in the part of the fabric
 * that the manager reaches. @param manager its adapter */
sim_verdict sim_judge_all(sim_judge *judge, uint32_t manager);

#endif

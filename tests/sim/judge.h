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
	const bool *is_known; /**< [n_nodes] the manager's: others hear nothing of it; NULL: none */
	uint16_t *held;       /**< [n_nodes * lid_count] SLs of connections from a node to a LID */
	uint32_t *managed_at; /**< [n_nodes] switch of the adapter when last in reach */
	uint64_t *waits;      /**< channels that a channel waits for, as bits by port and VL */
	uint32_t *queue, *n_before;
	uint32_t *walked;  /**< by input port and SL: the last LID of which packets were followed */
	uint32_t *channel; /**< in which they leave, ODO_NONE if they arrive or are lost */
	uint8_t *column;   /**< by LID, of a few, and switch: entries of LFTs */
	uint16_t *holds;   /**< by LID and node: of `held` */
	unsigned words;
} sim_judge;

typedef struct sim_verdict {
	uint32_t n_cyclic; /**< channels that are on a cycle, or wait for one that is */
	uint32_t n_beyond; /**< those that only packets of exempt adapters close */
	uint32_t n_lost; /**< pairs (adapter, LID) that are connected, and packets do not arrive */
	uint32_t n_dropped; /**< SLs of pairs that some switch maps to no VL of the cable */
	uint32_t from, lid; /**< a pair of these, or the first on a cycle */
	unsigned sl;
} sim_verdict;

/** Multicast groups, as the manager knows them. */
typedef struct sim_groups {
	const bool *is_member; /**< [SIM_GROUPS * n_nodes] */
	const uint8_t *sl;     /**< [SIM_GROUPS] */
	const bool *is_judged; /**< [SIM_GROUPS] */
} sim_groups;

void sim_judge_init(sim_judge *judge, const sim_hardware *hw);
void sim_judge_clear(sim_judge *judge);

/** A manager told an adapter the SL to a LID. */
void sim_judge_answered(sim_judge *judge, uint32_t node, uint32_t lid, unsigned sl);

/** The log said that hosts of a switch must reconnect to a LID: 0 stands for all LIDs, ODO_NONE for
 * all switches. Adapters that the manager does not reach do not get to know. */
void sim_judge_told(sim_judge *judge, uint32_t s, uint32_t lid);

/** Forget all SLs: a manager without the files of the one before cannot know of them. */
void sim_judge_forget(sim_judge *judge);

/** Follow all packets of adapters that are there. Packets are lost only in the part of the fabric
 * that the manager reaches. Exempt are adapters that moved within a part that it does not reach.
 * @param manager its adapter */
sim_verdict sim_judge_all(sim_judge *judge, uint32_t manager);

/** Follow packets of all members, too. @param v of sim_judge_all(), made more */
void sim_judge_groups(sim_judge *judge, const sim_groups *groups, sim_verdict *v);

#endif

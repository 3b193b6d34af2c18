/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Loops over the cycles of a part. The same code is compiled once for each row of a table. The
 * properties in the row are constants there, so the compiler removes what this kind of run does not
 * need (docs/design/kernel-runs.md says what each loop gains). Runs that no row describes take the
 * general loop, which reads all properties from the world. tests/emulator/test_loops.c walks the
 * table: a row without a run in that test fails.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_LOOPS_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_LOOPS_H

#include "emulator/kernel/state/part.h"

/** Switches of a run. */
enum odo_loop_switches {
	ODO_SWITCHES_EVEN,   /**< all packets keep their ports equally long; no buffers behind
			      * outputs, no priorities but transit-first, arbiter LRS */
	ODO_SWITCHES_QUEUES, /**< those of paper 004: odo_world.paper */
	ODO_SWITCHES_OTHER,
};

/** Source of a head's way. */
enum odo_loop_way {
	ODO_BY_TABLES,
	ODO_BY_ANSWERS, /**< a policy that answers each head for good */
	ODO_BY_POLICY,  /**< any policy */
	ODO_BY_SETS,    /**< adaptive tables as sets of ports */
};

enum odo_loop_parallel {
	ODO_SERIAL,   /**< an input sends one packet at a time */
	ODO_PARALLEL, /**< one of each VL */
	ODO_EITHER,   /**< as the model says */
};

typedef struct odo_loop {
	const char *name;  /**< name by which a survey turns the loop off: odo_uses() */
	uint8_t switches;  /**< odo_loop_switches */
	uint8_t by;        /**< odo_loop_way */
	uint8_t words;     /**< of a block: 1 for up to 64 ports, 2 for up to 128 */
	uint8_t lane_bits; /**< lanes of a port, as a power of two */
	uint8_t port_bits; /**< ports of a switch, as a power of two; 0: any number */
	uint8_t parallel;  /**< odo_loop_parallel */
} odo_loop;

/** Rows of odo_loops[] after the general loops: LOOP(function, fields of odo_loop). Of two rows for
 * the same kind of run, the more special one comes later. */
#define ODO_LOOPS(LOOP)                                                                            \
	LOOP(tables, "tables", ODO_SWITCHES_EVEN, ODO_BY_TABLES, 1, 2, 0, ODO_SERIAL)              \
	LOOP(tables_16, "tables, 16 ports", ODO_SWITCHES_EVEN, ODO_BY_TABLES, 1, 2, 4, ODO_SERIAL) \
	LOOP(tables_32, "tables, 32 ports", ODO_SWITCHES_EVEN, ODO_BY_TABLES, 1, 2, 5, ODO_SERIAL) \
	LOOP(tables_64, "tables, 64 ports", ODO_SWITCHES_EVEN, ODO_BY_TABLES, 1, 2, 6, ODO_SERIAL) \
	LOOP(tables_parallel, "tables, VLs side by side", ODO_SWITCHES_EVEN, ODO_BY_TABLES, 1, 2,  \
	     0, ODO_PARALLEL)                                                                      \
	LOOP(answers, "answers", ODO_SWITCHES_EVEN, ODO_BY_ANSWERS, 1, 2, 0, ODO_SERIAL)           \
	LOOP(answers_parallel, "answers, VLs side by side", ODO_SWITCHES_EVEN, ODO_BY_ANSWERS, 1,  \
	     2, 0, ODO_PARALLEL)                                                                   \
	LOOP(policy, "policy", ODO_SWITCHES_EVEN, ODO_BY_POLICY, 1, 2, 0, ODO_SERIAL)              \
	LOOP(policy_parallel, "policy, VLs side by side", ODO_SWITCHES_EVEN, ODO_BY_POLICY, 1, 2,  \
	     0, ODO_PARALLEL)                                                                      \
	LOOP(policy_lanes, "policy, 8 lanes", ODO_SWITCHES_EVEN, ODO_BY_POLICY, 1, 3, 0,           \
	     ODO_SERIAL)                                                                           \
	LOOP(policy_lanes_parallel, "policy, 8 lanes side by side", ODO_SWITCHES_EVEN,             \
	     ODO_BY_POLICY, 1, 3, 0, ODO_PARALLEL)                                                 \
	LOOP(policy_large, "policy, 128 ports", ODO_SWITCHES_EVEN, ODO_BY_POLICY, 2, 2, 0,         \
	     ODO_EITHER)                                                                           \
	LOOP(tables_queues, "tables, output queues", ODO_SWITCHES_QUEUES, ODO_BY_TABLES, 1, 2, 0,  \
	     ODO_SERIAL)                                                                           \
	LOOP(sets, "sets", ODO_SWITCHES_QUEUES, ODO_BY_SETS, 1, 2, 0, ODO_SERIAL)                  \
	LOOP(sets_lanes, "sets, 8 lanes", ODO_SWITCHES_QUEUES, ODO_BY_SETS, 1, 3, 0, ODO_SERIAL)

/** Table of loops, ending with a NULL name. The first two are general. */
extern const odo_loop odo_loops[];
enum { ODO_LOOP_PACKETS, ODO_LOOP_FLITS, ODO_N_GENERAL_LOOPS };

/** Return the loop for the parts of a world. */
const odo_loop *odo_find_loop(const odo_world *w);

#endif

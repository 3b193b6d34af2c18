/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Switches, adapters and cables of a simulated subnet: what is plugged in and on, and the tables
 * that they hold. The blueprint is a fabric with everything that may ever be there; its slots and
 * LIDs are those of the hardware.
 */
#ifndef ODONATA_TESTS_SIM_HARDWARE_H
#define ODONATA_TESTS_SIM_HARDWARE_H

#include "fabric/fabric.h"

enum { SIM_SLS = 16, SIM_VLS = 8, SIM_NO_PORT = 255, SIM_GROUPS = 3 };

typedef uint8_t sim_map[SIM_SLS]; /**< VL of each SL */

typedef struct sim_hardware {
	const odo_fabric *f;
	uint32_t *peer;    /**< [n_slots] slot at the cable's other end, ODO_NONE if unplugged */
	bool *on;          /**< [n_nodes] */
	bool *changed;     /**< [n_slots] the link has come up since a manager looked */
	uint16_t *lid;     /**< [n_nodes] the lowest LID of an adapter or switch */
	uint32_t *owner;   /**< [lid_count] node that a LID belongs to, ODO_NONE if none */
	unsigned lmc;      /**< of adapters */
	uint8_t *lft;      /**< [n_switches * lid_count] */
	sim_map *map;      /**< by switch, input and output: sim_map_of() */
	sim_map *host_map; /**< [n_nodes] of an adapter */
	size_t *first_map; /**< [n_switches + 1] */
	bool *mft;         /**< by group and port of a switch: sim_mft_of() */
	uint32_t n_cables;
	uint32_t *cable; /**< [n_cables] one slot of each of the blueprint's cables */
} sim_hardware;

/** Everything is on, and holds no tables. Memory is never short: failures end the program. */
void sim_hardware_init(sim_hardware *hw, const odo_fabric *f);
void sim_hardware_clear(sim_hardware *hw);

void *sim_new(size_t n, size_t size);

/** A slot whose cable is in, with both ends on. */
bool sim_is_up(const sim_hardware *hw, uint32_t slot);
/** The map of a switch's input and output port. */
uint8_t *sim_map_of(const sim_hardware *hw, uint32_t s, unsigned in, unsigned out);

/** Ports 0 to n of a switch: true where packets to a multicast group leave. */
bool *sim_mft_of(const sim_hardware *hw, unsigned group, uint32_t s);
/** The LIDs of an adapter, or the one of a switch, from hw->lid on. */
unsigned sim_n_lids(const sim_hardware *hw, uint32_t node);

/** A switch loses its tables, and no link shows it. */
void sim_lose_tables(sim_hardware *hw, uint32_t s);
/** Give the LIDs of two adapters to each other. */
void sim_exchange_lids(sim_hardware *hw, uint32_t a, uint32_t b);
void sim_unplug(sim_hardware *hw, uint32_t slot);
/** Connect two slots that have no cable. */
void sim_plug(sim_hardware *hw, uint32_t slot, uint32_t other);
/** Switch a node off or on. A switch that comes on has lost its tables. */
void sim_power(sim_hardware *hw, uint32_t node, bool on);

#endif

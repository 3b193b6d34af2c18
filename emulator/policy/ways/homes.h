/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Switch of each host, and the port of that switch to the host: for the ways of all kinds. */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_HOMES_H
#define ODONATA_EMULATOR_POLICY_WAYS_HOMES_H

#include "base/arena.h"
#include "fabric/fabric.h"

/**
 * Find the homes of all hosts.
 * @param home      out: [n_hosts] switch of each host, or NULL if the arena has failed
 * @param host_port out: [n_hosts] port of that switch to the host
 */
static inline void odo_find_homes(const odo_fabric *f, odo_arena *memory, uint32_t **home,
				  uint8_t **host_port)
{
	*home = odo_arena_new(memory, f->n_hosts, sizeof **home);
	*host_port = odo_arena_new(memory, f->n_hosts, 1);
	for (uint32_t h = 0; h < f->n_hosts && !memory->failed; h++) {
		uint32_t slot = f->peer[f->host_slot[h]];
		(*home)[h] = f->owner[slot];
		(*host_port)[h] = (uint8_t)odo_port(f, slot);
	}
}

#endif

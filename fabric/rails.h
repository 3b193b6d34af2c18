/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Rails: machines with several adapters, each adapter cabled to a different leaf. A leaf serves one
 * adapter of many machines. Cables do not show which adapters belong to one machine. Names show it
 * ("node7 mlx5_2"), or ports of one adapter.
 */
#ifndef ODONATA_FABRIC_RAILS_H
#define ODONATA_FABRIC_RAILS_H

#include "fabric/fabric.h"

/** Rails of a fabric, read-only once made. Rails are numbered in the order of their adapters'
 * names. */
typedef struct odo_rails {
	odo_arena memory;
	uint32_t n;          /**< rails; 0 if the fabric has none */
	uint32_t n_machines; /**< machines with several adapters of different names */
	uint32_t *of_switch; /**< [n_switches] rail of most of its hosts, or ODO_NONE */
	uint32_t *of_host;   /**< [n_hosts] rail of the adapter, or ODO_NONE */
	uint32_t *machine;   /**< [n_hosts] number of the machine, or ODO_NONE */
	uint32_t *host;      /**< hosts of machines, machine by machine: from first[m] on */
	uint32_t *first;     /**< [n_machines + 1] */
} odo_rails;

/**
 * Find the rails of a fabric. A fabric has rails if nine of ten adapters of such machines are on a
 * leaf of their own sort, and there are at least two sorts.
 * @param rails for odo_rails_clear()
 * Errors: ODO_ENOMEM.
 */
int odo_rails_find(const odo_fabric *f, odo_rails *rails, odo_error *err);
void odo_rails_clear(odo_rails *rails);

/** Return true if a host is on a leaf of another rail. */
bool odo_rails_is_wrong(const odo_rails *rails, const odo_fabric *f, uint32_t host);

/** Return the leaf of a host's rail that serves the machines beside its own, or ODO_NONE if these
 * use different leaves. */
uint32_t odo_rails_home(const odo_rails *rails, const odo_fabric *f, uint32_t host);

#endif

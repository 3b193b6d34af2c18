/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Node descriptions of adapters: the machine's name and the adapter's name. Sites write them in any
 * order ("node7 mlx5_2", "HCA-1 node7"). Drivers begin with the vendor's words, or have no names.
 */
#ifndef ODONATA_FABRIC_MACHINE_H
#define ODONATA_FABRIC_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Parts of a description, which must outlive them. */
typedef struct odo_machine {
	const char *name, *adapter; /**< "" if the description lacks it */
	size_t length, adapter_length;
	uint32_t number; /**< number of a numbered adapter, from 0; or ODO_NONE */
} odo_machine;

/**
 * Find the machine's name: the first word that is no adapter name, no vendor's word and no
 * placeholder ("localhost", "(none)"). The adapter's name is the word that looks like one
 * ("mlx5_2", "ib0"), or the rest of the description.
 */
odo_machine odo_machine_of(const char *description);

/** Compare machines by name. Return 0 for equal names, and for two machines without a name. */
int odo_machine_compare_names(const odo_machine *x, const odo_machine *y);

/** Compare adapters of a machine. "mlx5_2" is before "mlx5_10", and equal to "HCA-3", because
 * scripts count from 1 before a driver has named the adapters. */
int odo_machine_compare_adapters(const odo_machine *x, const odo_machine *y);

#endif

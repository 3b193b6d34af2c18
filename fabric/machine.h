/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Node descriptions of adapters: the machine's name and the adapter's name in it. Sites write them
 * in any order ("node7 mlx5_2", "HCA-1 node7"), and drivers begin with the vendor's words or with
 * none.
 */
#ifndef ODONATA_FABRIC_MACHINE_H
#define ODONATA_FABRIC_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Parts of a description, which lends them. */
typedef struct odo_machine {
	const char *name, *adapter; /**< "" where the description does not have it */
	size_t length, adapter_length;
	uint32_t number; /**< of an adapter that is called by one, from 0; or ODO_NONE */
} odo_machine;

/**
 * Find the machine's name: the first word that is neither an adapter's name, nor the vendor's, nor
 * stands for no name ("localhost", "(none)"). The adapter's name is the word that looks like one
 * ("mlx5_2", "ib0"), or all that is left.
 */
odo_machine odo_machine_of(const char *description);

/** Order machines by name; 0 for the same name, and for two without. */
int odo_machine_compare_names(const odo_machine *x, const odo_machine *y);

/** Order adapters of a machine: "mlx5_2" is before "mlx5_10", and the same as "HCA-3", since
 * scripts count from 1 before a driver has named the adapters. */
int odo_machine_compare_adapters(const odo_machine *x, const odo_machine *y);

#endif

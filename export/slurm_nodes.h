/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Machines of a fabric as Slurm's nodes, with their leaves. Not for use outside export/. */
#ifndef ODONATA_EXPORT_SLURM_NODES_H
#define ODONATA_EXPORT_SLURM_NODES_H

#include "export/slurm.h"
#include "export/write.h"

typedef struct odo_slurm_node {
	char name[ODO_NAME_SIZE];
	uint32_t leaf;
} odo_slurm_node;

/**
 * Find the machines of a fabric, each with the leaf of one adapter, in the order of their names.
 * Result and notes do not depend on the order of the fabric's nodes.
 * @param leaf  [n_switches] leaf of each switch
 * @param nodes free with free()
 * Errors: ODO_ENOMEM.
 */
int odo_slurm_find_nodes(const odo_fabric *f, const uint32_t *leaf, const odo_slurm_options *o,
			 odo_slurm_node **nodes, size_t *n, FILE *notes, odo_error *err);

#endif

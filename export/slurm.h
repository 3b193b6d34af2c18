/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Slurm's topology.conf, with a site's information about its nodes. */
#ifndef ODONATA_EXPORT_SLURM_H
#define ODONATA_EXPORT_SLURM_H

#include "export/export.h"
#include "export/hostlist.h"

/** Node or switch in an earlier topology.conf, and the switch above it. */
typedef struct odo_slurm_place {
	char *name, *above;
	bool is_switch;
} odo_slurm_place;

/** A part of the fabric that is mapped by itself. */
typedef struct odo_slurm_part {
	const odo_coordinates *c;
	const uint32_t *node; /**< [c->n_switches] switch of the whole fabric */
} odo_slurm_part;

/** Options. Adapters that send count. */
typedef struct odo_slurm_options {
	odo_names nodes;      /**< Slurm's nodes; empty: all machines */
	odo_slurm_place *was; /**< nodes, then switches, each sorted by name */
	size_t n_was, was_room;
	const odo_slurm_part
		*parts; /**< parts whose coordinates are used, not those of the whole */
	size_t n_parts;
	bool block; /**< write blocks (topology/block): the leaves, and the size of the least */
	bool yaml;  /**< write a topology.yaml */
	bool needs_nodes; /**< fail if no node remains */
	FILE *notes;      /**< NULL; or gets a line for each omission and doubt */
} odo_slurm_options;

/** Read an earlier topology.conf: switches keep their names, and missing nodes keep their places.
 * Errors: as above. */
int odo_slurm_read_was(const char *path, odo_slurm_options *o, odo_error *err);

/** Read a list of names: a host list, or "file:PATH" for a file with a list in each line.
 * @param what name of the list in messages
 * Errors: as above. */
int odo_slurm_read_list(const char *text, const char *what, odo_names *to, odo_error *err);

void odo_slurm_options_clear(odo_slurm_options *o);

/**
 * Write a topology.conf. Notes are also comments of the file.
 * @param c NULL if unknown
 * Errors: ODO_EINPUT for `needs_nodes`; ODO_ENOMEM, ODO_EIO.
 */
int odo_slurm_write(const odo_fabric *f, const odo_coordinates *c, const odo_slurm_options *o,
		    FILE *to, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Slurm's topology.conf, with what a site knows of its nodes. */
#ifndef ODONATA_EXPORT_SLURM_H
#define ODONATA_EXPORT_SLURM_H

#include "export/export.h"
#include "export/hostlist.h"

/** A name for an adapter whose own description has none or a wrong one. */
typedef struct odo_slurm_name {
	uint64_t guid; /**< of the node or the port; first, for odo_by_u64() */
	char *text;
} odo_slurm_name;

/** A line of a topology.conf of before: what stood below what. */
typedef struct odo_slurm_place {
	char *name, *above;
	bool is_switch;
} odo_slurm_place;

/** All zero: every adapter counts, and nothing else is known. */
typedef struct odo_slurm_options {
	odo_names
		adapters; /**< names ("mlx5_1") or GUIDs ("0x...") of those that count; none: all */
	odo_names nodes;  /**< Slurm's nodes; none: all machines */
	odo_slurm_name *names; /**< sorted by GUID */
	size_t n_names, names_room;
	odo_slurm_place *was; /**< sorted: nodes, then switches, each by name */
	size_t n_was, was_room;
	bool needs_nodes; /**< fail where no node is left to write */
	FILE *notes;      /**< or NULL: a line for everything that was left out or is doubtful */
} odo_slurm_options;

/** Read lines of a GUID and a name, as `ibnetdiscover --node-name-map` has them.
 * Errors: ODO_EINPUT with file and line, ODO_EIO, ODO_ENOMEM. */
int odo_slurm_read_names(const char *path, odo_slurm_options *o, odo_error *err);

/** Read a topology.conf: switches keep their names, and nodes that are away stay where they were.
 * Errors: as above. */
int odo_slurm_read_was(const char *path, odo_slurm_options *o, odo_error *err);

/** Read a list of names: a host list, or with "file:PATH" one a line. @param what names it in
 * messages Errors: as above. */
int odo_slurm_read_list(const char *text, const char *what, odo_names *to, odo_error *err);

void odo_slurm_options_clear(odo_slurm_options *o);

/**
 * Write it. Notes stand in the file, too, as comments.
 * @param c NULL if not known
 * Errors: ODO_EINPUT for `needs_nodes`; ODO_ENOMEM, ODO_EIO.
 */
int odo_slurm_write(const odo_tables *t, const odo_coordinates *c, const odo_slurm_options *o,
		    FILE *to, odo_error *err);

#endif

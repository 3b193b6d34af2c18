/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Slurm's tree under construction. Not for use outside export/. */
#ifndef ODONATA_EXPORT_SLURM_TREE_H
#define ODONATA_EXPORT_SLURM_TREE_H

#include "base/arena.h"
#include "export/slurm_nodes.h"

/* Size of a switch's name: a word and a node description. */
enum { ODO_SLURM_NAME = ODO_NAME_SIZE + 16 };

typedef enum odo_slurm_kind { ODO_SLURM_LEAF, ODO_SLURM_POD, ODO_SLURM_TOP } odo_slurm_kind;

/* A switch of Slurm's tree. */
typedef struct odo_slurm_spot {
	char name[ODO_SLURM_NAME];
	odo_slurm_kind kind;
	uint32_t above; /* spot, or ODO_NONE for a top */
	uint32_t n;     /* nodes or switches below */
} odo_slurm_spot;

typedef struct odo_slurm_tree {
	const odo_fabric *f;
	const odo_coordinates *c;
	const odo_slurm_options *o;
	odo_arena memory;             /* arrays that do not grow */
	char (*names)[ODO_NAME_SIZE]; /* [n_switches] unique */
	uint32_t *leaf;               /* [n_switches] odo_slurm_spot */
	odo_slurm_spot *spots;
	size_t n_spots, room;
	odo_slurm_node *nodes; /* by name */
	size_t n_nodes, nodes_room;
	FILE *notes;
	odo_error *err;
} odo_slurm_tree;

/* Add a switch of Slurm's tree, with the name `word` + `name`. @return 0 or ODO_ENOMEM */
int odo_slurm_add_spot(odo_slurm_tree *w, odo_slurm_kind kind, uint32_t above, const char *word,
		       const char *name);

/* Take over names and nodes of the earlier file. @return 0 or ODO_ENOMEM */
int odo_slurm_keep_past(odo_slurm_tree *w);

#endif

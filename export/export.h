/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Tables in the file formats of other tools: rows of one table. */
#ifndef ODONATA_EXPORT_EXPORT_H
#define ODONATA_EXPORT_EXPORT_H

#include <stdio.h>

#include "fabric/coordinates.h"
#include "routing/tables.h"

struct odo_slurm_options;

typedef struct odo_export_format {
	const char *name, *suffix, *summary;
	/** @param c NULL if not known */
	int (*write)(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
	/** NULL, or the same with what a site knows of its nodes (slurm.h). */
	int (*write_nodes)(const odo_tables *t, const odo_coordinates *c,
			   const struct odo_slurm_options *o, FILE *to, odo_error *err);
	bool has_sls; /**< files say which SL a path has */
} odo_export_format;

/** All formats, ending with a NULL name. */
extern const odo_export_format odo_export_formats[];

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Formats of other tools in which tables are written: rows of one table. */
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
	/** NULL, or the same without tables, and with a site's information about its nodes
	 * (slurm.h). */
	int (*write_nodes)(const odo_fabric *f, const odo_coordinates *c,
			   const struct odo_slurm_options *o, FILE *to, odo_error *err);
	bool has_sls; /**< files contain the SL of each path */
	bool of_one;  /**< a file is about one subnet, and cannot have others behind it */
} odo_export_format;

/** The formats, ended by a NULL name. */
extern const odo_export_format odo_export_formats[];

/** Return the format of this name, or NULL. */
const odo_export_format *odo_export_find(const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** File formats of fabrics: rows of one table. Readers do not trust the contents of files. */
#ifndef ODONATA_FABRIC_FORMAT_FORMAT_H
#define ODONATA_FABRIC_FORMAT_FORMAT_H

#include <stdio.h>

#include "fabric/coordinates.h"
#include "fabric/fabric.h"

typedef struct odo_fabric_format {
	const char *name, *summary;
	/**
	 * Read a whole file into a builder; NULL for a format that is only written.
	 * @param text the file, NUL-terminated at text[size]
	 * @param origin name for messages; errors read "origin:line: expected ..., found ..."
	 * @param b its ledger records lines that were ignored or repaired
	 */
	int (*read)(const char *text, size_t size, const char *origin, odo_builder *b,
		    odo_error *err);
	/** Return true if the text looks like this format. */
	bool (*recognise)(const char *text, size_t size);
	/** NULL for a format that is only read. */
	int (*write)(const odo_fabric *f, FILE *to, odo_error *err);
} odo_fabric_format;

/** Formats, ending with a NULL name. */
extern const odo_fabric_format odo_fabric_formats[];

/** Read a file ("-" is standard input) of any format. LIDs are assigned by ODO_LIDS_FILL, nodes are
 * sorted by GUID. `repairs` and `notes` of the fabric describe ignored and repaired lines. Errors:
 * ODO_EINPUT also for a file of another tool, which the message names (others.h). */
int odo_fabric_read(const char *path, uint8_t lmc, odo_fabric **out, odo_error *err);

/**
 * Make the fabric of a spec or preset (topology.h), or read a file.
 * @param truth as for odo_topology_generate(); NULL for a file
 */
int odo_fabric_open(const char *spec_or_path, uint8_t lmc, odo_fabric **out,
		    odo_coordinates **truth, odo_error *err);

#endif

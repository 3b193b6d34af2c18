/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** File formats of fabrics: rows of one table. A reader never trusts its file. */
#ifndef ODONATA_FABRIC_FORMAT_FORMAT_H
#define ODONATA_FABRIC_FORMAT_FORMAT_H

#include <stdio.h>

#include "fabric/coordinates.h"
#include "fabric/fabric.h"

typedef struct odo_fabric_format {
	const char *name, *summary;
	/**
	 * Read a whole file into a builder; NULL for a format that is only written.
	 * @param text   the file, NUL-terminated at text[size]
	 * @param origin name for messages; errors read "origin:line: expected ..., found ..."
	 * @param b      what is odd and passed over or repaired goes into its ledger
	 */
	int (*read)(const char *text, size_t size, const char *origin, odo_builder *b,
		    odo_error *err);
	/** True if the text looks like this format. */
	bool (*recognise)(const char *text, size_t size);
	/** NULL for a format that is only read. */
	int (*write)(const odo_fabric *f, FILE *to, odo_error *err);
} odo_fabric_format;

/** All formats, ending with a NULL name. */
extern const odo_fabric_format odo_fabric_formats[];

/** Read a file ("-" is standard input) in whichever format it is in, LIDs by
 * ODO_LIDS_FILL, nodes by GUID. What is odd in it stands in `repairs` and `notes` of the fabric.
 * Errors: ODO_EINPUT also for the file of another tool, which the message names (others.h). */
int odo_fabric_read(const char *path, uint8_t lmc, odo_fabric **out, odo_error *err);

/** A spec or preset (topology.h), else a file. @param truth as odo_topology_generate();
 * NULL is stored there for a file. */
int odo_fabric_open(const char *spec_or_path, uint8_t lmc, odo_fabric **out,
		    odo_coordinates **truth, odo_error *err);

#endif

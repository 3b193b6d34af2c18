/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Import of tables from dumps of other tools, so that tables of any subnet manager can be verified,
 * analysed and emulated. Formats are rows of one table.
 */
#ifndef ODONATA_EXPORT_IMPORT_H
#define ODONATA_EXPORT_IMPORT_H

#include "routing/tables.h"

struct odo_scan;

/** Incomplete tables, with indices to find switches and hosts by GUID. */
typedef struct odo_import odo_import;

typedef struct odo_import_format {
	const char *name, *summary;
	/** Return true if the text looks like this format. */
	bool (*recognise)(const char *text, size_t size);
	/** Add the contents of a line. */
	int (*read_line)(odo_import *in, struct odo_scan *s, odo_error *err);
} odo_import_format;

/** The formats, ended by a NULL name. */
extern const odo_import_format odo_import_formats[];

/** Create empty tables for `f`, with all SLs on VL 0. @param out free with odo_import_finish() or
 * odo_import_free() */
int odo_import_create(const odo_fabric *f, odo_import **out, odo_error *err);

/** The same with `for_proof` of odo_import_files(). */
int odo_import_create_for_proof(const odo_fabric *f, odo_import **out, odo_error *err);

/** Add the contents of a file in this format. @param origin its name in messages */
int odo_import_as(odo_import *in, const odo_import_format *row, const char *text, size_t size,
		  const char *origin, odo_error *err);

/** Add the contents of a file, and recognise its format. */
int odo_import_text(odo_import *in, const char *text, size_t size, const char *origin,
		    odo_error *err);

/**
 * Complete the tables. Entries that no file contains remain "no port", SL 0 and VL 0.
 * @param in  freed, also on failure
 * @param out free with odo_tables_free()
 */
int odo_import_finish(odo_import *in, odo_tables **out, odo_error *err);
void odo_import_free(odo_import *in);

/**
 * Import a list of files ("-" is standard input).
 * @param for_proof only the verifier reads the tables: hosts of one switch may have different SLs
 *                  to a LID, as dfsssp gives them. The path's own SL is then the first one read,
 *                  and the others are held (tables.h), so that the proof covers all of them from
 *                  every host of the switch
 * @param of_part   the files may be about other subnets, too: pass over nodes that the fabric lacks
 * @param ledger    NULL, or gets the lines of terminals and libraries that were passed over
 * @param watch     NULL, or gets reports of progress
 */
int odo_import_files(const odo_fabric *f, const char *const *paths, size_t n, bool for_proof,
		     bool of_part, odo_ledger *ledger, const odo_watch *watch, odo_tables **out,
		     odo_error *err);

#endif

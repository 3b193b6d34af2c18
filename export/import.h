/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Tables from the dumps of other tools, whoever routed the fabric, so that they can be
 * verified, analysed and emulated. Formats are rows of one table.
 */
#ifndef ODONATA_EXPORT_IMPORT_H
#define ODONATA_EXPORT_IMPORT_H

#include "routing/tables.h"

struct odo_scan;

/** Tables that are being filled, and indices to find switches and hosts by GUID. */
typedef struct odo_import odo_import;

typedef struct odo_import_format {
	const char *name, *summary;
	/** True if the text looks like this format. */
	bool (*recognise)(const char *text, size_t size);
	/** Add what a line says. */
	int (*read_line)(odo_import *in, struct odo_scan *s, odo_error *err);
} odo_import_format;

/** All formats, ending with a NULL name. */
extern const odo_import_format odo_import_formats[];

/** Empty tables for `f`, all SLs on VL 0. @param out for odo_import_finish() or _free() */
int odo_import_create(const odo_fabric *f, odo_import **out, odo_error *err);

/** The same with `for_proof` of odo_import_files(). */
int odo_import_create_for_proof(const odo_fabric *f, odo_import **out, odo_error *err);

/** Add one file's content, in this format. @param origin name for messages */
int odo_import_as(odo_import *in, const odo_import_format *row, const char *text, size_t size,
		  const char *origin, odo_error *err);

/** Add one file's content, in whichever format it is in. */
int odo_import_text(odo_import *in, const char *text, size_t size, const char *origin,
		    odo_error *err);

/**
 * Close the tables: what no file said stays "no port", SL 0, VL 0.
 * @param in  consumed, also on failure
 * @param out for odo_tables_free()
 */
int odo_import_finish(odo_import *in, odo_tables **out, odo_error *err);
void odo_import_free(odo_import *in);

/**
 * Import a list of files ("-" is standard input).
 * @param for_proof only the verifier reads the tables: hosts of one switch may have different SLs
 *                  to a LID, as dfsssp gives them. The path's own SL is then the first one read,
 *                  and the others are held (tables.h), so that the proof covers all of them from
 *                  every host of the switch
 * @param ledger    NULL, or gets the lines of terminals and libraries that were passed over
 * @param watch     NULL, or gets reports of progress
 */
int odo_import_files(const odo_fabric *f, const char *const *paths, size_t n, bool for_proof,
		     odo_ledger *ledger, const odo_watch *watch, odo_tables **out, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Cells of CSV, and columns that are found by their names. Not for use outside fabric/format. */
#ifndef ODONATA_FABRIC_FORMAT_LISTS_CSV_H
#define ODONATA_FABRIC_FORMAT_LISTS_CSV_H

#include "fabric/format/scan.h"

/** Maximum columns of a file that are looked at. */
enum { CSV_COLUMNS = 256 };

/**
 * Take the text up to the next comma, without quotes and blanks around it.
 * @param comma ',', or another separator
 * @return false at the end of the line
 */
bool csv_take(odo_scan *s, char comma, odo_text *cell);

/**
 * Find columns by their exact names.
 * @param column [n] gets the number of each column
 * @return false if one is missing
 */
bool csv_find_columns(odo_scan s, char comma, const char *const *names, unsigned n,
		      unsigned *column);

/** Take cells of a line. @return false if the line lacks one of them */
bool csv_take_columns(odo_scan s, char comma, const unsigned *column, unsigned n, odo_text *cell);

#endif

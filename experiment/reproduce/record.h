/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The record of which results were run again, a point of each: docs/results/again.csv. Results
 * whose point gave other figures are stale.
 */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_RECORD_H
#define ODONATA_EXPERIMENT_REPRODUCE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum odo_again {
	ODO_AGAIN_SAME,
	ODO_AGAIN_ERRORS, /**< all figures are the same, but estimates of their errors differ */
	ODO_AGAIN_DIFFERS,
	ODO_AGAIN_WITHDRAWN,
	ODO_AGAIN_DEAR, /**< not tried: none of its points is cheap enough */
} odo_again;

/** "same", "errors differ", "differs", "withdrawn", "not tried". */
extern const char *const odo_again_names[];

/** A CSV, and what became of it. */
typedef struct odo_record_row {
	char *file; /**< from the manifest's folder */
	uint32_t points, of, semantics;
	uint32_t content; /**< odo_result_content() */
	uint32_t point;   /**< that was tried; ODO_NONE for none */
	odo_again again;
	char what[160]; /**< the difference; "" for none */
} odo_record_row;

typedef struct odo_record {
	odo_record_row *row;
	size_t n, room;
} odo_record;

/** Which points are tried. */
typedef struct odo_try {
	uint64_t work; /**< packet-hops of a point, at most */
	uint64_t seed; /**< chooses the first one; 0: the dearest that is not above */
	unsigned n;    /**< how many, until one differs */
	bool curves;   /**< and the cheapest of each curve, whose tables may have changed */
} odo_try;

/** All CSVs of experiments in a folder and below, by name, not tried. @param out for
 * odo_record_free() */
int odo_record_find(const char *folder, odo_record *out, odo_error *err);

/**
 * Run points of a row's CSV again, and tell of the worst of them. A CSV that does not say which
 * emulator made it is only held against its record: the point there is run.
 * @param before what is known of it, or NULL
 * @param keep   take that, where the CSV has not changed since
 */
int odo_record_run(const char *folder, const odo_try *how, const odo_record_row *before, bool keep,
		   odo_record_row *row, odo_error *err);

/** Read <folder>/again.csv. One that is not there is empty. */
int odo_record_read(const char *folder, odo_record *out, odo_error *err);
int odo_record_write(const odo_record *record, const char *folder, odo_error *err);
void odo_record_free(odo_record *record);

/** The row of a file; NULL if there is none. */
const odo_record_row *odo_record_row_of(const odo_record *record, const char *file);

#endif

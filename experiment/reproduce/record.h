/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Record of the results that were run again, one or more points of each: docs/results/again.csv.
 * Results are stale if a point gave other figures.
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
	ODO_AGAIN_DEAR, /**< not tried: no point is cheap enough */
} odo_again;

/** "same", "errors differ", "differs", "withdrawn", "not tried". */
extern const char *const odo_again_names[];

/** A CSV, and the result of running it again. */
typedef struct odo_record_row {
	char *file; /**< from the manifest's folder */
	uint32_t points, of, semantics;
	uint32_t content; /**< odo_result_content() */
	uint32_t point;   /**< point that was tried; ODO_NONE for none */
	odo_again again;
	char what[160]; /**< the difference; "" if there is none */
} odo_record_row;

typedef struct odo_record {
	odo_record_row *row;
	size_t n, room;
} odo_record;

/** Selection of the points to try. */
typedef struct odo_try {
	uint64_t work; /**< maximum packet-hops of a point */
	uint64_t seed; /**< selects the first point; 0: the most expensive within the limit */
	unsigned n;    /**< number of points; trying stops when one differs */
	bool curves;   /**< also the cheapest point of each curve, whose tables may have changed */
} odo_try;

/** List all CSVs of experiments in a folder and below, by name, as not tried.
 * @param out for odo_record_free() */
int odo_record_find(const char *folder, odo_record *out, odo_error *err);

/**
 * Run points of a row's CSV again, and record the worst result. For a CSV that does not name its
 * emulator's semantics, only the recorded point is run.
 * @param before the earlier record, or NULL
 * @param keep   use the earlier record if the CSV has not changed since
 */
int odo_record_run(const char *folder, const odo_try *how, const odo_record_row *before, bool keep,
		   odo_record_row *row, odo_error *err);

/** Read <folder>/again.csv. A missing file is empty. */
int odo_record_read(const char *folder, odo_record *out, odo_error *err);
int odo_record_write(const odo_record *record, const char *folder, odo_error *err);
void odo_record_free(odo_record *record);

/** Return the row of a file; NULL if there is none. */
const odo_record_row *odo_record_row_of(const odo_record *record, const char *file);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Recognition of other tools' files: the name of the tool, and the command that gives the right
 * file. */
#ifndef ODONATA_FABRIC_FORMAT_OTHERS_H
#define ODONATA_FABRIC_FORMAT_OTHERS_H

#include <stddef.h>
#include <stdint.h>

/** Use of a file. */
typedef enum odo_file_use {
	ODO_FILE_FABRIC = 1, /**< for FABRIC */
	ODO_FILE_TABLES,     /**< for --tables */
	ODO_FILE_TRAFFIC,    /**< a workload */
	ODO_FILE_OTHER       /**< for none of them */
} odo_file_use;

typedef struct odo_other_file {
	const char *line;   /**< pattern for fnmatch() that one of its lines matches */
	const char *name;   /**< "the output of iblinkinfo" */
	const char *advice; /**< what to do instead if a fabric is expected */
	odo_file_use use;
} odo_other_file;

/**
 * Return the row of a file, or NULL.
 * @param line the line that matched
 */
const odo_other_file *odo_other_find(const char *text, size_t size, uint32_t *line);

#endif

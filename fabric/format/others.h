/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Files of other tools, by their look: what they are, and the command that gives what is wanted.
 */
#ifndef ODONATA_FABRIC_FORMAT_OTHERS_H
#define ODONATA_FABRIC_FORMAT_OTHERS_H

#include <stddef.h>
#include <stdint.h>

/** What a file is good for. */
typedef enum odo_file_use {
	ODO_FILE_FABRIC = 1, /**< for FABRIC */
	ODO_FILE_TABLES,     /**< for --tables */
	ODO_FILE_TRAFFIC,    /**< a workload */
	ODO_FILE_OTHER       /**< for none of them */
} odo_file_use;

typedef struct odo_other_file {
	const char *line;   /**< pattern of fnmatch() that one of its lines has */
	const char *name;   /**< "the output of iblinkinfo" */
	const char *advice; /**< what to do where a fabric is wanted */
	odo_file_use use;
} odo_other_file;

/** The tool's row whose file this is, or NULL. @param line of what it was known by */
const odo_other_file *odo_other_find(const char *text, size_t size, uint32_t *line);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** An experiment file with the files that it includes; and the plain text of each of its
 * experiments, without "include" and "variants". */
#ifndef ODONATA_EXPERIMENT_TEXT_SOURCES_H
#define ODONATA_EXPERIMENT_TEXT_SOURCES_H

#include "experiment/text/layout.h"
#include "yaml/plain.h"

/** Maximum number of files that include one another. */
#define ODO_SOURCES_MAX_DEPTH 8
/** Maximum bytes of a file, and of the text of an experiment. */
#define ODO_SOURCES_MAX_SIZE (1u << 20)

/** A file, and the file that it includes. */
typedef struct odo_source {
	char *path, *text;
	size_t size;
	odo_layout layout;
	struct odo_source *base; /**< or NULL */
} odo_source;

/**
 * Read a file and the files that it includes.
 * @param path "-" is standard input
 * @param out  for odo_sources_free()
 * Errors: ODO_EINPUT as "path:line: expected ..., found ..."; ODO_EIO; ODO_ENOMEM.
 */
int odo_sources_read(const char *path, odo_source **out, odo_error *err);
/** The same with the file in memory. Included files are searched in the folder of `path`.
 * @param text NUL-terminated at text[size] */
int odo_sources_parse(const char *path, const char *text, size_t size, odo_source **out,
		      odo_error *err);
void odo_sources_free(odo_source *main);

/** Number of experiments in it; at least 1. */
uint32_t odo_sources_experiments(const odo_source *main);

/**
 * Make the text of one experiment. Its name and fabric come first. Keys of the included file
 * replace "include", and keys of the variant replace "variants". If the including file or the
 * variant gives a key again, the new value takes the place of the old one. Comments above keys are
 * copied from the variant, or from the file if there are no variants. A file with neither key is
 * its own text.
 * @param number below odo_sources_experiments()
 * @param out    for odo_plain_free(), while `main` exists; untouched by a failure
 * Errors: ODO_EINPUT for a text of 1 MB or more; ODO_ENOMEM.
 */
int odo_sources_expand(const odo_source *main, uint32_t number, odo_plain *out, odo_error *err);

#endif

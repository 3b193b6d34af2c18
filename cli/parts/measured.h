/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Pairs of hosts that a benchmark has measured, from a file. */
#ifndef ODONATA_CLI_PARTS_MEASURED_H
#define ODONATA_CLI_PARTS_MEASURED_H

#include <jansson.h>

#include "base/error.h"
#include "fabric/fabric.h"
#include "routing/analyze/path.h"

typedef struct cli_measured {
	odo_measured *pair; /**< [n] all slow, until the figures are judged */
	double *figure;     /**< [n] NAN: none */
	size_t n, n_slow;
	double limit; /**< figures below it are slow; 0: the file has no figures */
} cli_measured;

/**
 * Read a file. A line has two hosts as odo_address_find() takes them, in quotes if a name has
 * blanks, and perhaps a figure, such as GB/s. '#' begins a comment.
 * @param out for cli_measured_clear(), also after a failure
 * Errors: ODO_EINPUT with file and line; those of odo_slurp().
 */
int cli_measured_read(const char *path, const odo_fabric *f, cli_measured *out, odo_error *err);

/** Judge figures by their median: below `share` of it, and without one, pairs are slow. */
int cli_measured_judge(cli_measured *measured, double share, odo_error *err);

/** Add "suspects" of the slow pairs, at most `most`. */
int cli_measured_answer(json_t **answer, const cli_measured *measured, const odo_tables *t,
			uint32_t most, odo_error *err);
void cli_measured_clear(cli_measured *measured);

#endif

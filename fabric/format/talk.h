/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Terminal noise: lines beside a program's output in files that were saved from a terminal. */
#ifndef ODONATA_FABRIC_FORMAT_TALK_H
#define ODONATA_FABRIC_FORMAT_TALK_H

#include "fabric/format/scan.h"
#include "fabric/ledger.h"

typedef enum odo_talk {
	ODO_NO_TALK,
	ODO_TALK_NOISE, /**< a prompt, a banner, a warning: the output is complete */
	ODO_TALK_FAILED /**< a query without an answer: nodes behind it are missing in the output */
} odo_talk;

/**
 * Recognise a shell's prompt or a warning of InfiniBand's libraries.
 * @param s stands at the start of a line that is not empty
 */
odo_talk odo_is_talk(odo_scan s);

/**
 * Record a line that a reader does not understand and ignores.
 * @param start stands at the start of the line
 * @return false for terminal noise, which is no sign of another format
 */
bool odo_pass_over(const odo_scan *start, odo_ledger *ledger);

/** Lines of a file, counted by its reader. */
typedef struct odo_line_count {
	uint32_t n_understood, n_strange;
	odo_error strange; /**< why the first strange line was not understood */
} odo_line_count;

/**
 * Count a line. A line that is not understood is passed over and recorded in the ledger.
 * @param start stands at the start of the line
 * @param status of reading it
 * @param why    error of reading it
 * @return 0, or ODO_ENOMEM if reading lacked memory
 */
int odo_count_line(odo_line_count *count, const odo_scan *start, int status, const odo_error *why,
		   odo_ledger *ledger);

/** Return true if a line contains a piece of a node or a port. */
bool odo_has_piece(const odo_scan *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Lines that a terminal shows beside a program's output, and that files saved from one hold. */
#ifndef ODONATA_FABRIC_FORMAT_TALK_H
#define ODONATA_FABRIC_FORMAT_TALK_H

#include "fabric/format/scan.h"
#include "fabric/ledger.h"

typedef enum odo_talk {
	ODO_NO_TALK,
	ODO_TALK_NOISE, /**< a prompt, a banner, a warning: the output beside it is whole */
	ODO_TALK_FAILED /**< a query that no node answered: the output lacks what is behind it */
} odo_talk;

/** Is a line, which is not empty, a shell's prompt or a warning of InfiniBand's libraries?
 * @param s stands at the start of the line */
odo_talk odo_is_talk(odo_scan s);

/** Note a line that a reader does not understand, and passes over.
 * @param start stands at the start of the line
 * @return false if it is talk, which says nothing of the file */
bool odo_pass_over(const odo_scan *start, odo_ledger *ledger);

/** Does a line hold a piece of a node or a port, whatever stands before it? */
bool odo_has_piece(const odo_scan *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Output that came through another tool, which put something in front of each line: pdsh and clush
 * the name of a host, syslog a time, a mail or a page "> ", cat a number. */
#ifndef ODONATA_FABRIC_FORMAT_FRAME_H
#define ODONATA_FABRIC_FORMAT_FRAME_H

#include <stddef.h>

#include "fabric/ledger.h"

/**
 * Take off what stands before each line, and make lines of a text that has only carriage returns.
 * @param text changed in place, and stays NUL-terminated
 * @param size becomes smaller
 */
void odo_unframe(char *text, size_t *size, odo_ledger *ledger);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Frames: text that another tool has put before each line. pdsh and clush put the name of a host,
 * syslog a time, a mail "> ", cat a number. */
#ifndef ODONATA_FABRIC_FORMAT_FRAME_H
#define ODONATA_FABRIC_FORMAT_FRAME_H

#include <stddef.h>

#include "fabric/ledger.h"

/**
 * Remove the frame of each line, and make lines of a text that has only carriage returns.
 * @param text changed in place, still NUL-terminated
 * @param size becomes smaller
 */
void odo_unframe(char *text, size_t *size, odo_ledger *ledger);

#endif

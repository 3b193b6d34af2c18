/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a terminal shows beside a program's output, and files saved from one hold. */
#ifndef ODONATA_FABRIC_FORMAT_TALK_H
#define ODONATA_FABRIC_FORMAT_TALK_H

#include "fabric/format/scan.h"

/** Is a line, which is not empty, a shell's prompt or a warning of InfiniBand's libraries?
 * @param s stands at the start of the line */
bool odo_is_talk(odo_scan s);

#endif

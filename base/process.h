/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Tells a process from a later one with its number. */
#ifndef ODONATA_BASE_PROCESS_H
#define ODONATA_BASE_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/** When a process of this machine began, in ticks since the machine did; 0 where there is none, or
 * where it has ended and its parent has not yet asked how. */
uint64_t odo_process_start(uint64_t number);

/** Where numbers of processes mean the same: this start of this machine, and the namespace of
 * processes, which is another in a container. @param text gets "" where it cannot be known */
void odo_process_space(char *text, size_t room);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Identity of processes: distinguishes a process from a later one with the same number. */
#ifndef ODONATA_BASE_PROCESS_H
#define ODONATA_BASE_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/** Return when a process of this machine began, in clock ticks since boot. Return 0 if there is no
 * such process, or if it has ended and its parent has not yet waited for it. */
uint64_t odo_process_start(uint64_t number);

/** Identify the space in which process numbers are unique: this boot of the machine and the PID
 * namespace, which differs in a container.
 * @param text gets "" if it is unknown */
void odo_process_space(char *text, size_t room);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Tells a process from a later one with its number. */
#ifndef ODONATA_BASE_PROCESS_H
#define ODONATA_BASE_PROCESS_H

#include <stdint.h>

/** When a process of this machine began, in ticks since the machine did; 0 where there is none. */
uint64_t odo_process_start(uint64_t number);

#endif

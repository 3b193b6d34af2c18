/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory that fails, for programs linked with fault.c. */
#ifndef ODONATA_TESTS_FAULT_H
#define ODONATA_TESTS_FAULT_H

#include <stdbool.h>

/** Let `after` allocations succeed and the next one fail, and with `on` all from then on. */
void fault_set(long after, bool on);

/** Let none fail any more. @return whether any has */
bool fault_end(void);

#endif

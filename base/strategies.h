/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Strategies of mapping and runs of the kernel have names, so that a survey can do without one at a
 * time and say what it wins (docs/design/strategies.md, docs/design/kernel-runs.md). */
#ifndef ODONATA_BASE_STRATEGIES_H
#define ODONATA_BASE_STRATEGIES_H

#include <stdbool.h>

#ifdef ODONATA_SURVEY
/** Is this strategy switched on? Asked where it would be used, and answered by the survey. */
bool odo_uses(const char *strategy);
#else
/** Outside of a survey all of them are, and compilers leave the question out. */
static inline bool odo_uses(const char *strategy)
{
	(void)strategy;
	return true;
}
#endif

#endif

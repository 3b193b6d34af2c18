/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Names for strategies of mapping and for special loops of the kernel. A survey switches them off,
 * one at a time, to measure what each gains (docs/design/strategies.md,
 * docs/design/kernel-runs.md). */
#ifndef ODONATA_BASE_STRATEGIES_H
#define ODONATA_BASE_STRATEGIES_H

#include <stdbool.h>

#ifdef ODONATA_SURVEY
/** Return true if this strategy is switched on. Code calls this where it would use the strategy;
 * the survey implements it. */
bool odo_uses(const char *strategy);
#else
/** Outside of a survey every strategy is on, and compilers remove the test. */
static inline bool odo_uses(const char *strategy)
{
	(void)strategy;
	return true;
}
#endif

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a fabric of unknown kind comes nearest to: the best of the findings that were refused. */
#ifndef ODONATA_MAPPING_JUDGE_NEAREST_H
#define ODONATA_MAPPING_JUDGE_NEAREST_H

#include "mapping/judge/finding.h"

typedef struct odo_nearest {
	double saving;  /**< bits, as odo_finding_saving(), of the one that is named */
	char text[200]; /**< what it is, and why it was refused; empty before the first */
} odo_nearest;

/** Keep `h`, which was refused for `why`, if it says more than what was kept before. Links of a
 * part of the fabric keep nothing. */
void odo_nearest_offer(const odo_finding *h, const char *why);

/** One line about a fabric that is none of the kinds, for people. */
void odo_nearest_tell(const odo_nearest *nearest, char *text, size_t size);

#endif

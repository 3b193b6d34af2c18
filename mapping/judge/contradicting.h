/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** How much of a fabric contradicts a kind, and how certain the kind is then. */
#ifndef ODONATA_MAPPING_JUDGE_CONTRADICTING_H
#define ODONATA_MAPPING_JUDGE_CONTRADICTING_H

#include "mapping/judge/finding.h"

/** Parts of a fabric that are there, missing and wrong. */
typedef struct odo_contradicting {
	uint64_t switches, missing_switches;
	uint64_t cables, missing_cables; /**< between switches; wrong ones are among `cables` */
	uint64_t wrong_cables;
} odo_contradicting;

/** Shares of the fabric as it would be that are missing or wrong, added up. */
double odo_contradicting_share(const odo_contradicting *x);

/** The certainty of a kind that so much contradicts. */
odo_certainty odo_certainty_of(const odo_contradicting *x);

/** The same for a finding, as far as it was weighed: global cables of groups are taken for right.
 */
odo_certainty odo_finding_certainty(const odo_finding *h);

#endif

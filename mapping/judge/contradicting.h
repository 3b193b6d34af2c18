/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Share of a fabric that contradicts a kind, and the certainty of the kind. */
#ifndef ODONATA_MAPPING_JUDGE_CONTRADICTING_H
#define ODONATA_MAPPING_JUDGE_CONTRADICTING_H

#include "mapping/judge/finding.h"

/** Numbers of existing, missing and wrong parts of a fabric. */
typedef struct odo_contradicting {
	uint64_t switches, missing_switches;
	uint64_t cables, missing_cables; /**< between switches; `cables` includes wrong ones */
	uint64_t wrong_cables;
} odo_contradicting;

/** Return the sum of the shares of the intended fabric that are missing or wrong. */
double odo_contradicting_share(const odo_contradicting *x);

/** Return the certainty of a kind with these contradictions. */
odo_certainty odo_certainty_of(const odo_contradicting *x);

/** Return the certainty of a finding, as far as it was weighed: global cables of groups count as
 * right. */
odo_certainty odo_finding_certainty(const odo_finding *h);

#endif

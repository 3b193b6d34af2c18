/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * How sure it is that a fabric was built as its kind, and which contradictions are suspects: no
 * better than a guess, so that nobody is accused. Evidence counts at both ends of a cable.
 *
 * - Nearest: so much contradicts the kind (contradicting.h), or the switches have as many cables as
 *   each other without what would be missing. Then every contradiction is a suspect.
 * - Attached: a switch lacks two thirds of its cables or more, where chance would not take so many,
 *   and the switches at their other ends lack nothing. Half is enough where its hosts differ from
 *   those of its peers. An example is a service switch on one leaf.
 * - Added: a wrong cable joins two switches that have all the cables of their peers without it, in
 *   a fabric that lacks none.
 * - Never there: most of the switches beside a place without one have all their cables. Groups of a
 *   dragonfly have rules of their own (group_doubts.h).
 */
#ifndef ODONATA_MAPPING_FAULTS_CERTAINTY_H
#define ODONATA_MAPPING_FAULTS_CERTAINTY_H

#include "fabric/coordinates.h"

/** Judge the kind of `c`, and move the suspects behind the other faults.
 * @param product what the fabric is a product of, where that is whole and no known kind; or ""
 * Errors: ODO_ENOMEM. */
int odo_certainty_find(const odo_fabric *f, const char *product, odo_coordinates *c,
		       odo_error *err);

#endif

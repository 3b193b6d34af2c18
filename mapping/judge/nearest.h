/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a fabric of unknown kind comes nearest to: the best of the findings that were refused. */
#ifndef ODONATA_MAPPING_JUDGE_NEAREST_H
#define ODONATA_MAPPING_JUDGE_NEAREST_H

#include "mapping/graph/squares.h"
#include "mapping/judge/finding.h"

typedef struct odo_nearest {
	double saving;  /**< bits, as odo_finding_saving(), of the one that is named */
	char text[200]; /**< what it is, and why it was refused; empty before the first */
	/** What the fabric is, where that is whole and has no name; empty where it is not. */
	char product[120];
} odo_nearest;

/** Keep `h`, which was refused for `why`, if it says more than what was kept before. Links of a
 * part of the fabric keep nothing. */
void odo_nearest_offer(const odo_finding *h, const char *why);

/** Keep `h` if it is whole: a product of graphs that no kind is made of. */
void odo_nearest_product(const odo_finding *h);

/** Where nearly every link is in as many rectangles as in a torus, and no torus was found: one line
 * that says so. Else `text` stays. */
void odo_nearest_tell_twisted(const odo_links *g, const odo_support *support, char *text,
			      size_t size);

/** One line about a fabric that is none of the kinds, for people. */
void odo_nearest_tell(const odo_nearest *nearest, char *text, size_t size);

#endif

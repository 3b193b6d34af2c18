/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The kind nearest to a fabric of unknown kind: the best of the findings that were refused. */
#ifndef ODONATA_MAPPING_JUDGE_NEAREST_H
#define ODONATA_MAPPING_JUDGE_NEAREST_H

#include "mapping/graph/squares.h"
#include "mapping/judge/finding.h"

typedef struct odo_nearest {
	double saving;  /**< bits saved (odo_finding_saving()) by the finding that is named */
	char text[200]; /**< its description, and why it was refused; empty before the first */
	/** Description of a complete product without a name; empty if the fabric is none. */
	char product[120];
} odo_nearest;

/** Keep `h`, which was refused for `why`, if it saves more bits than the one kept before. Findings
 * of a part of the fabric are ignored. */
void odo_nearest_offer(const odo_finding *h, const char *why);

/** Keep `h` if it is complete: a product of graphs that is no known kind. */
void odo_nearest_product(const odo_finding *h);

/** Write a line to `text` if nearly every link is in as many rectangles as in a torus, but no torus
 * was found. Otherwise `text` is unchanged. */
void odo_nearest_explain_twisted(const odo_links *g, const odo_support *support, char *text,
				 size_t size);

/** Write a line for users about a fabric of no known kind. */
void odo_nearest_explain(const odo_nearest *nearest, char *text, size_t size);

#endif

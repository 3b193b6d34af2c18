/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Answers about several subnets as one answer. */
#ifndef ODONATA_CLI_SUM_H
#define ODONATA_CLI_SUM_H

#include <jansson.h>

/** Return an object with the rows as "parts", and before them their sum: counts added, the worst of
 * each verdict. NULL if memory runs out. */
json_t *cli_sum_rows(json_t *rows);

/** Return the form of such an object that is printed as text: members that all parts have alike
 * once, the others as columns of "parts", and each list of theirs as one list with the number of
 * the part. Return a new reference; to the same object if it has no list of parts, or NULL if
 * memory runs out. */
json_t *cli_sum_text(json_t *answer);

#endif

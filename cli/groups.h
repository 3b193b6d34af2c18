/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The multicast groups of a live subnet, judged. */
#ifndef ODONATA_CLI_GROUPS_H
#define ODONATA_CLI_GROUPS_H

#include <jansson.h>

#include "live/live.h"

/**
 * Add how many groups there are, whether their entries form trees, and the failures, a row each.
 * @param clear whether it was clear who is in each group, as far as it matters
 * @return 0; ODO_EUNSAFE where some are no trees; ODO_ENOMEM
 */
int cli_groups_answer(json_t **answer, const odo_live_tables *installed, const odo_fabric *f,
		      bool *clear, odo_error *err);

#endif

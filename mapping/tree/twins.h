/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Children of a block that are linked to the same few of its parents: leaves that were given fewer
 * cables than others by design. */
#ifndef ODONATA_MAPPING_TREE_TWINS_H
#define ODONATA_MAPPING_TREE_TWINS_H

#include "mapping/tree/tree.h"

/** Fill in `dealt` of the children of this level. Blocks from `first` on have been counted. Errors:
 * ODO_ENOMEM. */
int odo_twins_find(odo_clos *t, uint32_t level, uint32_t first);

#endif

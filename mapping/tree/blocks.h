/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Blocks: between two levels, sets of children that are all linked to the same parents. */
#ifndef ODONATA_MAPPING_TREE_BLOCKS_H
#define ODONATA_MAPPING_TREE_BLOCKS_H

#include "mapping/tree/tree.h"

/**
 * Fill in `up`, `down` and `block` of a tree whose levels are known. Children with most of their
 * parents in common form one block. A parent is in the block of most of its children, so that a few
 * wrong cables join no two blocks. If most children have no common parents, each connected
 * component is a block, marked loose. Errors: ODO_ENOMEM.
 */
int odo_blocks_find(odo_clos *t, odo_error *err);

/** Determine the usual cables of a link in each block, and whether links with fewer cables are
 * intended. Errors: ODO_ENOMEM. */
int odo_blocks_measure(odo_clos *t, odo_error *err);

/** Return the cables of most links between a level and the next. Call odo_blocks_measure()
 * first. */
uint32_t odo_blocks_width(const odo_clos *t, uint32_t level);

/** Return true if the links form a tree: nearly all join a switch to one a level above, and most
 * are in blocks too regular for chance. */
bool odo_blocks_hold(const odo_clos *t);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Blocks: between two levels, which switches are all linked to which. */
#ifndef ODONATA_MAPPING_TREE_BLOCKS_H
#define ODONATA_MAPPING_TREE_BLOCKS_H

#include "mapping/tree/tree.h"

/**
 * Fill in `up`, `down` and `block` of a tree whose levels are known. Children that have most of
 * their parents in common are one block, and a parent is in the block of most of its children, so
 * that a few wrong cables join no two blocks. Where most children have no such parents, blocks are
 * what is connected, and loose. Errors: ODO_ENOMEM.
 */
int odo_blocks_find(odo_clos *t, odo_error *err);

/** Cables of a link in each block, and whether those with fewer are meant so. Errors: ODO_ENOMEM.
 */
int odo_blocks_measure(odo_clos *t, odo_error *err);

/** Cables of most links between a level and the next, once blocks were measured. */
uint32_t odo_blocks_width(const odo_clos *t, uint32_t level);

/** The links bear out a tree: nearly all join a switch to one a level up, and most are in blocks
 * that chance does not make. */
bool odo_blocks_hold(const odo_clos *t);

#endif

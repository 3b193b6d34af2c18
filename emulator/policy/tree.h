/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The escape tree of a dragonfly (paper 000, section 3.3.1): the root is linked to its group,
 * every switch of that group by its global links to groups, and the switch at the other end to
 * the rest of its group. Packets go up to the common ancestor and down: free of deadlock.
 */
#ifndef ODONATA_EMULATOR_POLICY_TREE_H
#define ODONATA_EMULATOR_POLICY_TREE_H

#include "emulator/policy/ways/ways.h"

typedef struct odo_tree {
	uint32_t n;             /**< switches */
	uint8_t *up;            /**< [n] port to the parent; 0 for the root */
	uint32_t *enter, *last; /**< [n] a switch's descendants are those with `enter` from its
				     own to its `last` */
	uint32_t *first;        /**< [n + 1] into `child` and `down` */
	uint32_t *child;        /**< children, in the order of their `enter` */
	uint8_t *down;          /**< port to each */
} odo_tree;

/** On the cables of a dragonfly. @param root a switch.
 * @param out for odo_tree_clear(), also after a failure */
int odo_tree_find(const odo_ways *ways, uint32_t root, odo_tree *out, odo_error *err);

/**
 * On cables of its own, which dragonfly:...,escape=tree has: behind all others, every switch has
 * its port to the parent at the same number, that of the root being free, and behind it those to
 * its children.
 * @param out for odo_tree_clear(), also after a failure
 * Errors: ODO_EDECLINE where those make no tree through all switches.
 */
int odo_tree_own(const odo_fabric *f, odo_tree *out, odo_error *err);
void odo_tree_clear(odo_tree *tree);

/** The port towards another switch of the tree. */
uint8_t odo_tree_port(const odo_tree *tree, uint32_t here, uint32_t to);

#endif

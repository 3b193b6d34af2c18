/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Escape tree of a dragonfly (paper 000, section 3.3.1). Children of the root are the other
 * switches of its group. Their children are switches of other groups, at the far ends of global
 * links; the children of these are the rest of their group. Packets go up to the common ancestor
 * and down, which is free of deadlock.
 */
#ifndef ODONATA_EMULATOR_POLICY_TREE_H
#define ODONATA_EMULATOR_POLICY_TREE_H

#include "base/arena.h"
#include "emulator/policy/ways/ways.h"

typedef struct odo_tree {
	uint32_t n;             /**< switches */
	odo_arena memory;       /**< of the arrays */
	uint8_t *up;            /**< [n] port to the parent; 0 for the root */
	uint32_t *enter, *last; /**< [n] a switch's descendants are the switches whose `enter` lies
				 * between its own `enter` and its `last` */
	uint32_t *first;        /**< [n + 1] into `child` and `down` */
	uint32_t *child;        /**< children, in the order of their `enter` */
	uint8_t *down;          /**< port to each child */
} odo_tree;

/** Find a tree on the cables of a dragonfly.
 * @param root a switch
 * @param out  for odo_tree_clear(), also after a failure */
int odo_tree_find(const odo_ways *ways, uint32_t root, odo_tree *out, odo_error *err);

/**
 * Find a tree on cables of its own, as in dragonfly:...,escape=tree. Behind all other ports, every
 * switch has its port to the parent, at the same number in all switches and free at the root. The
 * ports to its children follow.
 * @param out for odo_tree_clear(), also after a failure
 * Errors: ODO_EDECLINE if these cables make no tree through all switches.
 */
int odo_tree_own(const odo_fabric *f, odo_tree *out, odo_error *err);
void odo_tree_clear(odo_tree *tree);

/** Return the port towards another switch of the tree. */
uint8_t odo_tree_port(const odo_tree *tree, uint32_t here, uint32_t to);

#endif

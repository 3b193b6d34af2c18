/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Test whether a graph looks random. If it does, guessing its structure is pointless. */
#ifndef ODONATA_MAPPING_JUDGE_CHANCE_H
#define ODONATA_MAPPING_JUDGE_CHANCE_H

#include "mapping/graph/squares.h"

/**
 * Return true if the numbers of triangles and rectangles, and the distribution of triangles, are
 * those of 99 in 100 random regular graphs of these degrees.
 * @param fewest minimum number of vertices: in smaller graphs structure may look random, so the
 *   result is false
 */
bool odo_chance_explains(const odo_walk *walk, const odo_support *support, uint32_t fewest);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Whether a graph looks as random ones do: then it is not worth guessing what it may be. */
#ifndef ODONATA_MAPPING_JUDGE_CHANCE_H
#define ODONATA_MAPPING_JUDGE_CHANCE_H

#include "mapping/graph/squares.h"

/**
 * True if triangles, rectangles and how evenly triangles lie are what chance makes of these
 * degrees, in 99 of 100 random regular graphs.
 * @param fewest vertices: of fewer, structure may look like chance, and this is false
 */
bool odo_chance_explains(const odo_walk *walk, const odo_support *support, uint32_t fewest);

#endif

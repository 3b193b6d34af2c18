/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Draw a figure as a gnuplot script: our curves, with the paper's levels in the same panels. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_DRAW_H
#define ODONATA_EXPERIMENT_REPRODUCE_DRAW_H

#include <stdio.h>

#include "experiment/reproduce/manifest.h"
#include "experiment/result.h"

/**
 * Draw loads in two rows of panels, with latency above accepted load; points that accept less than
 * they offer are open. Draw other measures as bars. The paper's values are dashed.
 * @param svg picture file that gnuplot writes
 * @return is there anything to draw?
 */
bool odo_figure_draw(const odo_figure *f, const odo_result *r, const char *svg, FILE *to);

#endif

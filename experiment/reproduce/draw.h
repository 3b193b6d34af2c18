/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A figure as a script for gnuplot: our curves, and the paper's levels in the same panels. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_DRAW_H
#define ODONATA_EXPERIMENT_REPRODUCE_DRAW_H

#include <stdio.h>

#include "experiment/reproduce/manifest.h"
#include "experiment/result.h"

/**
 * Loads in two rows of panels, latency above what is accepted; points that accept less than they
 * offer are open. All else as bars. What a paper says is dashed.
 * @param svg where gnuplot is to put the picture
 * @return whether there is anything to draw
 */
bool odo_figure_draw(const odo_figure *f, const odo_result *r, const char *svg, FILE *to);

#endif

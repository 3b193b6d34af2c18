/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Pages of tables whose cells are searches for saturation; each cell becomes a row. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_CELLS_H
#define ODONATA_EXPERIMENT_REPRODUCE_CELLS_H

#include "experiment/reproduce/page.h"
#include "experiment/reproduce/state.h"

/** Is a figure such a table, with results? */
bool odo_cells_are_there(const odo_figure_state *s);

/** Write an overview table, then all cells: first those that differ from the paper, last those that
 * were not run. */
void odo_cells_write(const odo_page *p, const odo_figure_state *s);

#endif

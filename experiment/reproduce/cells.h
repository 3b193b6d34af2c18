/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Pages of tables whose cells are searches for saturation: a row for each cell. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_CELLS_H
#define ODONATA_EXPERIMENT_REPRODUCE_CELLS_H

#include "experiment/reproduce/page.h"
#include "experiment/reproduce/state.h"

/** Whether a figure is such a table and has results. */
bool odo_cells_are_there(const odo_figure_state *s);

/** The table at a glance, then all cells: what differs from the paper first, what was not run last.
 */
void odo_cells_write(const odo_page *p, const odo_figure_state *s);

#endif

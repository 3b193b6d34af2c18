/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Pages of figures, and their index. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_PAGES_H
#define ODONATA_EXPERIMENT_REPRODUCE_PAGES_H

#include "experiment/reproduce/state.h"

/** Folder of pages and plots, beside the manifest. */
#define ODO_PAGES_FOLDER "papers"

/**
 * Plot a figure with gnuplot into papers/NAME.svg, from papers/NAME.gp.
 * Errors: ODO_EIO if gnuplot is missing or fails.
 */
int odo_pages_plot(const odo_figure_state *s, odo_error *err);

/** Write papers/NAME.md. */
int odo_pages_write_figure(const odo_figure_state *s, odo_error *err);

/** Write papers/README.md: all figures by paper. @param states [figures_count] */
int odo_pages_write_index(const odo_manifest *m, const odo_figure_state *states, odo_error *err);

/** Write everything into one HTML file that loads no other files. */
int odo_pages_write_html(const odo_manifest *m, const odo_figure_state *states, FILE *to,
			 odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Colours of curves, the same in every plot. */
#ifndef ODONATA_EXPERIMENT_COLOURS_H
#define ODONATA_EXPERIMENT_COLOURS_H

#define ODO_N_COLOURS 8u

/** The palette of Okabe and Ito, without yellow, which projectors do not show. */
static const char *const odo_colours[ODO_N_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
						       "#e69f00", "#000000", "#56b4e9", "#8c6d1f"};

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Figures 1, 2, 4 and 19 and Table 2 of paper 001; each is a CSV with a gnuplot script beside
 * it. */
#ifndef ODONATA_PLAN_FIGURES_H
#define ODONATA_PLAN_FIGURES_H

#include <stdio.h>

#include "plan/prices.h"

/** A figure; a row of the table of figures. */
typedef struct odo_plan_figure {
	const char *name;  /**< name of its files, such as "kim-fig01" */
	const char *title; /**< "Figure 1: radix of routers for one global hop" */
	/** Write the lines of the CSV, including its head. Errors: those of the generator. */
	int (*write)(const odo_plan_prices *prices, FILE *to, odo_error *err);
	const char *plot; /**< gnuplot commands after the common ones; NULL for a table */
} odo_plan_figure;

/** Table of figures, ending with a NULL name. */
extern const odo_plan_figure odo_plan_figures[];

/** Write the gnuplot script of a figure, which makes name.svg from name.csv beside it. */
void odo_plan_figure_script(const odo_plan_figure *figure, FILE *to);

#endif

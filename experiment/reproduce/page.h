/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Write pages as Markdown. Texts may contain any letters. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_PAGE_H
#define ODONATA_EXPERIMENT_REPRODUCE_PAGE_H

#include <stdio.h>

/** @param level 1 is the title */
void odo_page_heading(FILE *to, unsigned level, const char *text);
/** Write a paragraph, its lines wrapped. */
void odo_page_paragraph(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Write a table: its head, then rows with as many cells, then an empty line. */
void odo_page_table(FILE *to, unsigned n, const char *const *head);
void odo_page_row(FILE *to, unsigned n, const char *const *cells);
/** Write a row whose first cell links to `link`, which is written unchanged. */
void odo_page_row_to(FILE *to, const char *link, unsigned n, const char *const *cells);
/** Write a picture. @param link relative to the page */
void odo_page_picture(FILE *to, const char *link, const char *what);

#endif

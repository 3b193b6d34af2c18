/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A writer of pages that come out as Markdown or as HTML. Texts may hold anything. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_PAGE_H
#define ODONATA_EXPERIMENT_REPRODUCE_PAGE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct odo_page {
	FILE *to;
	bool html;
	bool *no_memory; /**< set where a picture could not be read for that; HTML only */
} odo_page;

/** @param level 1 is the title @param anchor a name to link to, or NULL */
void odo_page_heading(const odo_page *p, unsigned level, const char *text, const char *anchor);

/** One paragraph; in Markdown its lines are wrapped. */
void odo_page_paragraph(const odo_page *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** A line of a shell. */
void odo_page_command(const odo_page *p, const char *text);

/** A table: its head, then rows of as many cells. */
void odo_page_table(const odo_page *p, unsigned n, const char *const *head);
void odo_page_row(const odo_page *p, unsigned n, const char *const *cells);
/** A row whose first cell leads to `link`, which is written as it is. */
void odo_page_row_to(const odo_page *p, const char *link, unsigned n, const char *const *cells);
void odo_page_table_end(const odo_page *p);

/** A picture beside the page; in HTML it becomes part of it, if it can be read.
 * @param file from here, to be read; @param link from the page */
void odo_page_picture(const odo_page *p, const char *file, const char *link, const char *what);

/** What is before and after all pages of an HTML file: style, search box, script. */
void odo_page_begin_html(FILE *to, const char *title);
void odo_page_end_html(FILE *to);

#endif

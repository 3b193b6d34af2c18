/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Write pages as Markdown or as HTML. Texts may contain any letters. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_PAGE_H
#define ODONATA_EXPERIMENT_REPRODUCE_PAGE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct odo_page {
	FILE *to;
	bool html;
	bool *no_memory; /**< set if a picture could not be read for lack of memory; HTML only */
} odo_page;

/** @param level  1 is the title
 * @param anchor a name to link to, or NULL */
void odo_page_heading(const odo_page *p, unsigned level, const char *text, const char *anchor);

/** Write a paragraph; in Markdown its lines are wrapped. */
void odo_page_paragraph(const odo_page *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Write a command line. */
void odo_page_command(const odo_page *p, const char *text);

/** Write a table: its head, then rows with as many cells. */
void odo_page_table(const odo_page *p, unsigned n, const char *const *head);
void odo_page_row(const odo_page *p, unsigned n, const char *const *cells);
/** Write a row whose first cell links to `link`, which is written unchanged. */
void odo_page_row_to(const odo_page *p, const char *link, unsigned n, const char *const *cells);
void odo_page_table_end(const odo_page *p);

/** Write a picture beside the page; HTML embeds it, if it can be read.
 * @param file relative to the working directory, to be read
 * @param link relative to the page */
void odo_page_picture(const odo_page *p, const char *file, const char *link, const char *what);

/** Write the beginning and the end of an HTML file with all pages: style, search box, script. */
void odo_page_begin_html(FILE *to, const char *title);
void odo_page_end_html(FILE *to);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/page.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define COLUMNS 100

/** Escape letters that would be markup. In a table a bar ends the cell. */
static void write_page_text(FILE *to, const char *text, bool in_table)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", to);
		else if (in_table ? *text == '|' : *text == '*' || *text == '_')
			fprintf(to, "\\%c", *text);
		else
			fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
}

void odo_page_heading(FILE *to, unsigned level, const char *text)
{
	fprintf(to, "%.*s ", (int)level, "####");
	write_page_text(to, text, false);
	fputs("\n\n", to);
}

/** Write lines of at most COLUMNS letters, as far as words allow. */
static void write_wrapped(FILE *to, char *text)
{
	size_t column = 0;
	char *rest = NULL;
	for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
		size_t n = strlen(word);
		if (column && column + 1 + n > COLUMNS) {
			fputc('\n', to);
			column = 0;
		}
		if (column) {
			fputc(' ', to);
			column++;
		}
		write_page_text(to, word, false);
		column += n;
	}
}

void odo_page_paragraph(FILE *to, const char *format, ...)
{
	char text[8000]; /* a text of the manifest has at most 2,000 */
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	write_wrapped(to, text);
	fputs("\n\n", to);
}

void odo_page_row_to(FILE *to, const char *link, unsigned n, const char *const *cells)
{
	fputc('|', to);
	for (unsigned i = 0; i < n; i++) {
		bool leads = link && i == 0;
		fputs(leads ? " [" : " ", to);
		write_page_text(to, cells[i], true);
		if (leads)
			fprintf(to, "](%s)", link);
		fputs(" |", to);
	}
	fputc('\n', to);
}

void odo_page_row(FILE *to, unsigned n, const char *const *cells)
{
	odo_page_row_to(to, NULL, n, cells);
}

void odo_page_table(FILE *to, unsigned n, const char *const *head)
{
	odo_page_row(to, n, head);
	fputc('|', to);
	for (unsigned i = 0; i < n; i++)
		fputs("---|", to);
	fputc('\n', to);
}

void odo_page_picture(FILE *to, const char *link, const char *what)
{
	fputs("![", to);
	write_page_text(to, what, false);
	fprintf(to, "](%s)\n\n", link);
}

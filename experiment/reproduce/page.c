/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/page.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/base64.h"
#include "fabric/format/slurp.h"

#define COLUMNS 100

/** Escape letters that would be markup. In a Markdown table a bar ends the cell. */
static void write_page_text(const odo_page *p, const char *text, bool in_table)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", p->to);
		else if (*text == '&' && p->html)
			fputs("&amp;", p->to);
		else if (*text == '"' && p->html)
			fputs("&quot;", p->to);
		else if (*text == '|' && in_table && !p->html)
			fputs("\\|", p->to);
		else if ((*text == '*' || *text == '_') && !p->html && !in_table)
			fprintf(p->to, "\\%c", *text);
		else
			fputc((unsigned char)*text < ' ' ? ' ' : *text, p->to);
	}
}

void odo_page_heading(const odo_page *p, unsigned level, const char *text, const char *anchor)
{
	if (p->html && anchor)
		fprintf(p->to, "<h%u id=\"%s\">", level, anchor);
	else if (p->html)
		fprintf(p->to, "<h%u>", level);
	else
		fprintf(p->to, "%.*s ", (int)level, "####");
	write_page_text(p, text, false);
	if (p->html)
		fprintf(p->to, "</h%u>\n", level);
	else
		fputs("\n\n", p->to);
}

/** Write lines of at most COLUMNS letters, as far as words allow. */
static void write_wrapped(const odo_page *p, char *text)
{
	size_t column = 0;
	char *rest = NULL;
	for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
		size_t n = strlen(word);
		if (column && column + 1 + n > COLUMNS) {
			fputc('\n', p->to);
			column = 0;
		}
		if (column) {
			fputc(' ', p->to);
			column++;
		}
		write_page_text(p, word, false);
		column += n;
	}
}

void odo_page_paragraph(const odo_page *p, const char *format, ...)
{
	char text[8000]; /* a text of the manifest has at most 2,000 */
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (p->html)
		fputs("<p>", p->to);
	write_wrapped(p, text);
	fputs(p->html ? "</p>\n" : "\n\n", p->to);
}

void odo_page_command(const odo_page *p, const char *text)
{
	fputs(p->html ? "<pre>" : "    ", p->to);
	write_page_text(p, text, true);
	fputs(p->html ? "</pre>\n" : "\n\n", p->to);
}

void odo_page_row_to(const odo_page *p, const char *link, unsigned n, const char *const *cells)
{
	fputs(p->html ? "<tr>" : "|", p->to);
	for (unsigned i = 0; i < n; i++) {
		bool leads = link && i == 0;
		fputs(p->html ? "<td>" : " ", p->to);
		if (leads && p->html)
			fprintf(p->to, "<a href=\"%s\">", link);
		fputs(leads && !p->html ? "[" : "", p->to);
		write_page_text(p, cells[i], true);
		if (leads && !p->html)
			fprintf(p->to, "](%s)", link);
		fputs(leads && p->html ? "</a>" : "", p->to);
		fputs(p->html ? "</td>" : " |", p->to);
	}
	fputs(p->html ? "</tr>\n" : "\n", p->to);
}

void odo_page_row(const odo_page *p, unsigned n, const char *const *cells)
{
	odo_page_row_to(p, NULL, n, cells);
}

void odo_page_table(const odo_page *p, unsigned n, const char *const *head)
{
	if (!p->html) {
		odo_page_row(p, n, head);
		fputc('|', p->to);
		for (unsigned i = 0; i < n; i++)
			fputs("---|", p->to);
		fputc('\n', p->to);
		return;
	}
	fputs("<div class=\"wide\"><table><thead><tr>", p->to);
	for (unsigned i = 0; i < n; i++) {
		fputs("<th>", p->to);
		write_page_text(p, head[i], true);
		fputs("</th>", p->to);
	}
	fputs("</tr></thead><tbody>\n", p->to);
}

void odo_page_table_end(const odo_page *p)
{
	fputs(p->html ? "</tbody></table></div>\n" : "\n", p->to);
}

void odo_page_picture(const odo_page *p, const char *file, const char *link, const char *what)
{
	char *text = NULL, *picture = NULL;
	size_t n = 0;
	if (!p->html) {
		fputs("![", p->to);
		write_page_text(p, what, false);
		fprintf(p->to, "](%s)\n\n", link);
		return;
	}
	int status = odo_slurp(file, &text, &n, NULL);
	if (!status && !(picture = odo_base64(text, n)))
		status = ODO_ENOMEM;
	if (!status) {
		fputs("<img alt=\"", p->to);
		write_page_text(p, what, false);
		fprintf(p->to, "\" src=\"data:image/svg+xml;base64,%s\">\n", picture);
	}
	if (status == ODO_ENOMEM)
		*p->no_memory = true;
	free(text);
	free(picture);
}

void odo_page_begin_html(FILE *to, const char *title)
{
	fprintf(to,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"img-src "
		"data:; style-src 'unsafe-inline'; script-src "
		"'unsafe-inline'\">\n<title>%s</title>\n",
		title);
	fputs("<style>\n"
	      ":root { color-scheme: light dark; --line: #ccc; --soft: #f4f4f4; }\n"
	      "body { font: 16px/1.5 sans-serif; margin: 0 auto; max-width: 70rem; padding: 0 1rem "
	      "4rem; "
	      "overflow-wrap: anywhere; }\n"
	      "img { max-width: 100%; height: auto; background: white; }\n"
	      ".wide { overflow-x: auto; }\n"
	      "table { border-collapse: collapse; font-size: 0.9rem; }\n"
	      "td, th { border: 1px solid var(--line); padding: 0.2rem 0.5rem; text-align: left; "
	      "vertical-align: top; overflow-wrap: normal; }\n"
	      "pre { background: var(--soft); padding: 0.5rem; overflow-x: auto; }\n"
	      "section { border-top: 2px solid var(--line); margin-top: 2rem; }\n"
	      "input { font: inherit; width: 100%; box-sizing: border-box; padding: 0.4rem; "
	      "position: "
	      "sticky; top: 0; }\n"
	      "@media (prefers-color-scheme: dark) {\n"
	      "  :root { --line: #555; --soft: #222; }\n"
	      "  body { background: #111; color: #ddd; }\n"
	      "  img { filter: invert(1) hue-rotate(180deg); }\n"
	      "  a { color: #8bf; }\n"
	      "}\n</style></head><body>\n",
	      to);
}

void odo_page_end_html(FILE *to)
{
	fputs("<script>\n\"use strict\";\n"
	      "const box = document.getElementById(\"search\");\n"
	      "const sections = [...document.querySelectorAll(\"section\")];\n"
	      "function show() {\n"
	      "  const words = box.value.toLowerCase().split(/\\s+/);\n"
	      "  for (const s of sections) {\n"
	      "    const text = s.textContent.toLowerCase();\n"
	      "    s.hidden = !words.every(w => text.includes(w));\n"
	      "  }\n"
	      "}\n"
	      "box.addEventListener(\"input\", show);\n"
	      "if (location.hash.startsWith(\"#find=\")) {\n"
	      "  box.value = decodeURIComponent(location.hash.slice(6));\n"
	      "  show();\n"
	      "}\n</script></body></html>\n",
	      to);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The build makes the page from the files of report/, together with d3 (cli/CMakeLists.txt). The
 * document replaces a mark in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report/parts.h"

#define MARK "@REPORT-JSON@"

#ifdef ODONATA_REPORT_PAGE
extern const char report_page[], report_page_end[];
__asm__(".section .rodata\n"
	".global report_page, report_page_end\n"
	".hidden report_page, report_page_end\n"
	"report_page: .incbin \"" ODONATA_REPORT_PAGE "\"\n"
	"report_page_end: .byte 0\n"
	".previous\n");
#else
static const char report_page[] = "", *report_page_end = report_page;
#endif

bool report_has_page(void)
{
	return report_page_end - report_page > 0;
}

static int fail_to_write(odo_error *err)
{
	return odo_fail(err, errno == ENOMEM ? ODO_ENOMEM : ODO_EIO, "cannot write: %s",
			strerror(errno));
}

/** Write JSON so that it can neither end the element of the page nor open a comment. In JSON '<'
 * occurs only in strings, where an escape can replace it. */
static int write_escaped(const char *text, size_t n, void *to)
{
	for (const char *end = text + n, *less; text < end; text = less + 1) {
		less = memchr(text, '<', (size_t)(end - text));
		size_t plain = (size_t)((less ? less : end) - text);
		if (fwrite(text, 1, plain, to) != plain)
			return -1;
		if (!less)
			return 0;
		if (fputs("\\u003c", to) == EOF)
			return -1;
	}
	return 0;
}

int report_write_json(const json_t *document, FILE *to, odo_error *err)
{
	const size_t flags = JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6);
	errno = 0;
	if (json_dumpf(document, to, flags) || fputc('\n', to) == EOF)
		return fail_to_write(err);
	return ODO_OK;
}

int report_write_page(const json_t *document, FILE *to, odo_error *err)
{
	const size_t flags = JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6);
	size_t size = (size_t)(report_page_end - report_page);
	const char *mark = memmem(report_page, size, MARK, strlen(MARK));
	if (!mark)
		return odo_fail(err, ODO_EDECLINE, "this program was built without the page");
	const char *rest = mark + strlen(MARK);
	size_t before = (size_t)(mark - report_page), after = (size_t)(report_page_end - rest);
	errno = 0;
	if (fwrite(report_page, 1, before, to) != before ||
	    json_dump_callback(document, write_escaped, to, flags) ||
	    fwrite(rest, 1, after, to) != after)
		return fail_to_write(err);
	return ODO_OK;
}

/** Write a text of HTML, or of an attribute in double quotes. */
static void write_part_html(const char *text, size_t size, FILE *to)
{
	static const char *const names[128] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
	for (const char *c = text; c < text + size; c++) {
		const char *name = *c > 0 ? names[(int)*c] : NULL;
		if (name)
			fputs(name, to);
		else
			putc(*c, to);
	}
}

static void write_text(const json_t *text, FILE *to)
{
	write_part_html(json_string_value(text), json_string_length(text), to);
}

static void write_part_cell(const json_t *row, const char *key, FILE *to)
{
	const json_t *value = json_object_get(row, key);
	fputs("<td>", to);
	if (!strcmp(key, "part"))
		fprintf(to, "<a href=\"#part%1$d\">%1$d</a>", (int)json_integer_value(value));
	else if (json_is_integer(value))
		fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", to);
	else if (json_is_array(value))
		for (size_t i = 0; i < json_array_size(value); i++) {
			fputs(i ? " " : "", to);
			write_text(json_array_get(value, i), to);
		}
	else if (json_is_string(value))
		write_text(value, to);
	fputs("</td>", to);
}

/** A part's page is a document of its own in a frame, which is drawn when its row is opened. */
static const char parts_head[] =
	"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<title>Subnets</title>\n<style>\n"
	":root { color-scheme: light dark }\n"
	"body { margin: 0; font: 14px/1.5 system-ui, sans-serif }\n"
	"header { padding: 1em; overflow-x: auto }\n"
	"td, th { padding: 0 1em 0 0; text-align: left }\n"
	"iframe { border: 0; border-top: 1px solid #8888; width: 100%; height: 100vh }\n"
	"iframe[hidden] { display: none }\n"
	"</style></head><body>\n<header><h1>";
static const char parts_script[] =
	"<script>\n"
	"function show(part) {\n"
	"\tfor (const frame of document.querySelectorAll(\"iframe\")) {\n"
	"\t\tframe.hidden = frame.id != part;\n"
	"\t\tif (!frame.hidden && !frame.srcdoc)\n"
	"\t\t\tframe.srcdoc = frame.dataset.page;\n"
	"\t}\n"
	"}\n"
	"for (const link of document.querySelectorAll(\"a\"))\n"
	"\tlink.onclick = () => show(link.hash.slice(1));\n"
	"show(location.hash.slice(1) || document.querySelector(\"iframe\").id);\n"
	"</script>\n</body></html>\n";

static bool has_member(const json_t *rows, const char *key)
{
	size_t i;
	json_t *row;
	json_array_foreach(rows, i, row)
	{
		if (json_object_get(row, key))
			return true;
	}
	return false;
}

/** Write a table, without the columns that no row has. */
static void write_table(const json_t *rows, const char *const *columns, FILE *to)
{
	size_t i;
	json_t *row;
	fputs("<table><tr>", to);
	for (const char *const *key = columns; *key; key++)
		if (has_member(rows, *key))
			fprintf(to, "<th>%s</th>", *key);
	fputs("</tr>\n", to);
	json_array_foreach(rows, i, row)
	{
		fputs("<tr>", to);
		for (const char *const *key = columns; *key; key++)
			if (has_member(rows, *key))
				write_part_cell(row, *key, to);
		fputs("</tr>\n", to);
	}
	fputs("</table>\n", to);
}

/** Write the verdict on all parts, because each page opens with that on its own. */
static void write_parts_verdict(const json_t *rows, FILE *to)
{
	size_t i, n = json_array_size(rows), n_safe = 0, n_sound = 0;
	json_t *row;
	json_array_foreach(rows, i, row)
	{
		const json_t *faults = json_object_get(row, "faults");
		n_safe += json_is_true(json_object_get(row, "safe"));
		n_sound += faults && !json_integer_value(faults);
	}
	fprintf(to,
		"<p><b>Routing: %zu of %zu are safe for applications that send on the SL of their "
		"path record. Cables: %zu of %zu without a known fault.</b></p>\n",
		n_safe, n, n_sound, n);
}

static int write_frame(const json_t *document, size_t number, FILE *to, odo_error *err)
{
	char *page = NULL;
	size_t size;
	FILE *own = open_memstream(&page, &size);
	int status = own ? report_write_page(document, own, err) : ODO_ENOMEM;
	if (own && odo_text_close(own, &page) && !status)
		status = ODO_ENOMEM;
	if (!status) {
		fprintf(to, "<iframe id=\"part%zu\" title=\"part %zu\" hidden data-page=\"", number,
			number);
		write_part_html(page, size, to);
		fputs("\"></iframe>\n", to);
	}
	free(page);
	return status == ODO_ENOMEM ? odo_fail(err, status, "out of memory") : status;
}

int report_write_parts(const json_t *answer, FILE *to, odo_error *err)
{
	static const char *const of_parts[] = {
		"part",  "fabric", "first_switch", "adapters", "topology", "switches",
		"hosts", "faults", "safe",         "error",    NULL};
	static const char *const of_rails[] = {"adapter", "guid", "port",       "to",
					       "to_port", "rail", "belongs_to", NULL};
	const json_t *rows = json_object_get(answer, "parts"),
		     *wrong = json_object_get(answer, "wrong_rails");
	size_t i;
	json_t *row;
	int status = 0;
	errno = 0;
	fprintf(to, "%s%zu subnets that no cable connects</h1>\n", parts_head,
		json_array_size(rows));
	write_parts_verdict(rows, to);
	const json_t *apart = json_object_get(answer, "unconnected_host_pairs");
	if (apart)
		fprintf(to,
			"<p><b>%" JSON_INTEGER_FORMAT " pairs of hosts in different parts are not "
			"connected: the parts may be one fabric that lost cables.</b></p>\n",
			json_integer_value(apart));
	write_table(rows, of_parts, to);
	if (json_array_size(wrong)) {
		fputs("<h2>Adapters in the wrong rail</h2>\n", to);
		write_table(wrong, of_rails, to);
	}
	fputs("</header>\n", to);
	json_array_foreach(rows, i, row)
	{
		const json_t *document = json_object_get(row, "document");
		if (document && !status)
			status = write_frame(document, i + 1, to, err);
	}
	fputs(parts_script, to);
	return status ? status : ferror(to) ? fail_to_write(err) : 0;
}

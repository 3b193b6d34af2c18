/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The build makes the page from the files of report/, together with d3 (cli/CMakeLists.txt). The
 * document replaces a mark in it. */
#include <errno.h>
#include <string.h>

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

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/orders.h"

#include <errno.h>
#include <string.h>

#include "base/replace.h"

/* Maximum bytes of the file: a comment, and a line. */
enum { MOST_BYTES = 4096 };

static const char *const words[] = {[ODO_ORDER_TABLES] = "tables ", [ODO_ORDER_ENGINE] = "engine "};

/* @return true if the line is an order, a comment, or empty */
static bool parse_order_line(char *line, odo_order *out)
{
	line[strcspn(line, "\n")] = '\0';
	if (!*line || *line == '#')
		return true;
	for (unsigned kind = ODO_ORDER_TABLES; kind <= ODO_ORDER_ENGINE; kind++) {
		size_t n = strlen(words[kind]);
		const char *what = line + n;
		if (strncmp(line, words[kind], n) || !*what)
			continue;
		if (out->kind || strlen(what) >= sizeof out->what)
			return false;
		out->kind = (odo_order_kind)kind;
		memcpy(out->what, what, strlen(what) + 1);
		return true;
	}
	return false;
}

int odo_order_read(const char *path, odo_order *out, odo_error *err)
{
	char line[sizeof out->what + 16];
	struct stat is;
	FILE *from;
	bool sound = true;
	*out = (odo_order){0};
	int status = odo_open_regular(path, false, MOST_BYTES, &from, &is, err);
	if (status || !from)
		return status;
	while (sound && fgets(line, sizeof line, from))
		sound = strchr(line, '\n') && parse_order_line(line, out);
	if (ferror(from))
		status = odo_fail(err, ODO_EIO, "%s: cannot read: %s", path, strerror(errno));
	else if (!sound || !out->kind)
		status = odo_fail(err, ODO_EINPUT,
				  "%s: expected a line \"tables FILE\" or \"engine NAME\", found "
				  "something else: write it with `odonata handover`, or remove it",
				  path);
	fclose(from);
	if (status)
		*out = (odo_order){0};
	return status;
}

const char *odo_order_text(const odo_order *order, char *text)
{
	snprintf(text, ODO_ORDER_TEXT, "%s%s", order->kind ? words[order->kind] : "",
		 order->kind ? order->what : "");
	return text;
}

void odo_order_write(const odo_order *order, FILE *to)
{
	char text[ODO_ORDER_TEXT];
	fprintf(to, "# Order of `odonata handover`; `odonata handover --to odonata` ends it.\n%s\n",
		odo_order_text(order, text));
}

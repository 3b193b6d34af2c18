/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/export.h>

#include <stdio.h>
#include <string.h>

#include "api/handles.h"
#include "export/export.h"

/** Tables and the format that they are written in. */
struct to_write {
	const odonata_tables *tables;
	const odo_export_format *format;
};

static int write_in_table_format(const void *what, FILE *to, odo_error *why)
{
	const struct to_write *w = what;
	const odonata_coordinates *c = w->tables->coordinates;
	return w->format->write(w->tables->core, c ? c->core : NULL, to, why);
}

static int find_table_format(const char *name, const odo_export_format **format, odo_error *why)
{
	if (!name)
		return api_no("the name of a format", why);
	for (const odo_export_format *f = odo_export_formats; f->name; f++)
		if (!strcmp(f->name, name)) {
			*format = f;
			return 0;
		}
	return odo_fail(why, ODO_EINPUT, "expected a format of tables, found \"%s\"", name);
}

int odonata_export(const odonata_tables *tables, const char *format, const char *path,
		   odonata_error *err)
{
	odo_error why = {0};
	struct to_write w = {.tables = tables};
	int status = tables ? find_table_format(format, &w.format, &why) : api_no("tables", &why);
	if (!status)
		status = api_write_file(path, write_in_table_format, &w, &why);
	return api_end(status, &why, err);
}

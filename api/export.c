/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/export.h>

#include <stdio.h>

#include "api/handles.h"
#include "export/export.h"

static int find_table_format(const char *name, const odo_export_format **format, odo_error *why)
{
	if (!name)
		return api_no("the name of a format", why);
	*format = odo_export_find(name);
	return *format ? 0
		       : odo_fail(why, ODO_EINPUT, "expected a format of tables, found \"%s\"",
				  name);
}

int odonata_export(const odonata_tables *tables, const char *format, const char *path,
		   odonata_error *err)
{
	odo_error why = {0};
	const odo_export_format *to = NULL;
	odo_draft file;
	int status = tables ? find_table_format(format, &to, &why) : api_no("tables", &why);
	if (!status)
		status = api_draft_open(path, &file, &why);
	if (!status) {
		const odonata_coordinates *c = tables->coordinates;
		status = to->write(tables->core, c ? c->core : NULL, file.to, &why);
		status = odo_draft_close(&file, status, &why);
	}
	return api_end(status, &why, err);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For test scripts: writes a fabric in a format, and compares two up to LIDs.
 *
 *   tool_fabric write FORMAT SPEC|FILE [SEED]   shuffled by the seed
 *   tool_fabric same SPEC|FILE SPEC|FILE */
#include "fabric/format/format.h"
#include "fabric/transform/transform.h"
#include "same_fabric.h"

static int fail(const char *text)
{
	fprintf(stderr, "tool_fabric: %s\n", text);
	return 2;
}

static int write_as(const char *format, const char *source, const char *seed)
{
	odo_fabric *f, *shuffled;
	odo_error err;
	const odo_fabric_format *row = odo_fabric_formats;
	while (row->name && strcmp(row->name, format))
		row++;
	if (!row->name || odo_fabric_open(source, 0, &f, NULL, &err))
		return fail(row->name ? err.text : "no such format");
	if (seed) {
		if (odo_fabric_shuffle(f, strtoull(seed, NULL, 0), &shuffled, NULL, &err))
			return fail(err.text);
		odo_fabric_free(f);
		f = shuffled;
	}
	int status = row->write(f, stdout, &err) ? fail(err.text) : 0;
	odo_fabric_free(f);
	return status;
}

static int same(const char *a, const char *b)
{
	odo_fabric *f, *g;
	odo_error err;
	if (odo_fabric_open(a, 0, &f, NULL, &err) || odo_fabric_open(b, 0, &g, NULL, &err))
		return fail(err.text);
	int status = same_fabric(f, g, false) ? 0 : 1;
	odo_fabric_free(f);
	odo_fabric_free(g);
	return status;
}

int main(int argc, char **argv)
{
	if (argc >= 4 && !strcmp(argv[1], "write"))
		return write_as(argv[2], argv[3], argv[4]);
	if (argc == 4 && !strcmp(argv[1], "same"))
		return same(argv[2], argv[3]);
	return fail("expected write FORMAT FABRIC [SEED], or same FABRIC FABRIC");
}

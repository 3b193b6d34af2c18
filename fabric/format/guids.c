/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/guids.h"

#include <stdlib.h>

#include "fabric/format/scan.h"
#include "fabric/format/slurp.h"

static int read_line(odo_scan *s, uint64_t *guids, uint32_t room, uint32_t *n)
{
	uint64_t guid;
	odo_skip_blanks(s);
	if (odo_at_end(s) || odo_peek(s) == '#')
		return 0;
	if (*n == room)
		return odo_scan_fail(s, "expected at most %u GUIDs", room);
	odo_scan before = *s;
	odo_take(s, "0x");
	if (!odo_take_number(s, 16, &guid) || !guid)
		return odo_scan_expected(&before, "a GUID in hexadecimal");
	odo_skip_blanks(s);
	if (!odo_at_end(s) && odo_peek(s) != '#')
		return odo_scan_expected(s, "the end of the line");
	for (uint32_t i = 0; i < *n; i++)
		if (guids[i] == guid)
			return odo_scan_expected(&before, "a GUID that was not there before");
	guids[(*n)++] = guid;
	return 0;
}

int odo_guids_read(const char *path, uint64_t *guids, uint32_t room, uint32_t *n, odo_error *err)
{
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	odo_scan s = {
		.origin = odo_origin_name(path), .rest = text, .limit = text + size, .err = err};
	*n = 0;
	while (!status && odo_next_line(&s))
		status = read_line(&s, guids, room, n);
	free(text);
	return status;
}

uint32_t odo_guids_of_switches(const odo_fabric *f, const uint64_t *guids, uint32_t n)
{
	uint32_t found = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t i = 0; i < n; i++)
			found += f->node_guid[s] == guids[i];
	return found;
}

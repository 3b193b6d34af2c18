/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/guids.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fabric/format/scan.h"
#include "fabric/format/slurp.h"

typedef struct list {
	uint64_t *guids;
	size_t n, room;
} list;

/* Read a line. OpenSM treats text after a GUID as a name. */
static int read_guid_line(odo_scan *s, list *to)
{
	uint64_t guid;
	odo_skip_blanks(s);
	if (odo_at_end(s) || odo_peek(s) == '#')
		return 0;
	odo_scan before = *s;
	odo_take(s, "0x");
	if (!odo_take_number(s, 16, &guid) || !guid)
		return odo_scan_expected(&before, "a GUID in hexadecimal");
	const char *end = s->at;
	odo_skip_blanks(s);
	if (!odo_at_end(s) && odo_peek(s) != '#' && s->at == end)
		return odo_scan_expected(&before, "a GUID in hexadecimal");
	if (to->n == ODO_GUIDS_LIMIT)
		return odo_scan_fail(&before, "expected at most %u GUIDs", ODO_GUIDS_LIMIT);
	if (odo_grow(&to->guids, &to->room, to->n + 1, sizeof *to->guids))
		return odo_fail(s->err, ODO_ENOMEM, "no memory for a list of GUIDs");
	to->guids[to->n++] = guid;
	return 0;
}

int odo_guids_read(const char *path, uint64_t **guids, uint32_t *n, odo_error *err)
{
	list read = {0};
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	odo_scan s = {
		.origin = odo_origin_name(path), .rest = text, .limit = text + size, .err = err};
	while (!status && odo_next_line(&s))
		status = read_guid_line(&s, &read);
	free(text);
	if (status) {
		free(read.guids);
		return status;
	}
	*guids = read.guids;
	*n = (uint32_t)read.n;
	return 0;
}

uint32_t odo_guids_of_switches(const odo_fabric *f, const uint64_t *guids, uint32_t n)
{
	uint32_t found = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t i = 0; i < n; i++)
			found += f->node_guid[s] == guids[i];
	return found;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/traffic/flows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/format/scan.h"
#include "fabric/format/slurp.h"

typedef struct known_host {
	uint64_t guid;
	uint32_t host;
} known_host;

static int compare_host_guids(const void *a, const void *b)
{
	uint64_t x = ((const known_host *)a)->guid, y = ((const known_host *)b)->guid;
	return x < y ? -1 : x > y;
}

/* Return the hosts sorted by port GUID, for free(); NULL without memory. */
static known_host *sort_hosts(const odo_fabric *f)
{
	known_host *known = odo_new(f->n_senders, sizeof *known);
	for (uint32_t h = 0; known && h < f->n_senders; h++)
		known[h] = (known_host){f->port_guid[f->host_slot[h]], h};
	if (known)
		qsort(known, f->n_senders, sizeof *known, compare_host_guids);
	return known;
}

static int read_host(odo_scan *s, const odo_fabric *f, const known_host *known, uint32_t *host)
{
	known_host key = {0};
	odo_skip_blanks(s);
	odo_scan before = *s;
	odo_take(s, "0x");
	if (!odo_take_number(s, 16, &key.guid))
		return odo_scan_expected(&before, "a port GUID in hexadecimal");
	const known_host *found = bsearch(&key, known, f->n_senders, sizeof *known,
					  compare_host_guids);
	if (!found)
		return odo_scan_expected(&before, "the port GUID of a host of this fabric");
	*host = found->host;
	return 0;
}

/* Read a line: "FROM TO", or only a comment. */
static int read_flow(odo_scan *s, const odo_order *o, const known_host *known, odo_draw *out)
{
	uint32_t from, to;
	odo_skip_blanks(s);
	if (odo_at_end(s) || odo_peek(s) == '#')
		return 0;
	odo_scan before = *s;
	int status = read_host(s, o->fabric, known, &from);
	if (!status)
		status = read_host(s, o->fabric, known, &to);
	if (status)
		return status;
	odo_skip_blanks(s);
	if (!odo_at_end(s) && odo_peek(s) != '#')
		return odo_scan_expected(s, "the end of the line");
	uint32_t rank = o->rank[from];
	if (out->range_of[rank] != ODO_NONE)
		return odo_scan_expected(&before, "a host that does not send already");
	out->range_of[rank] = rank;
	out->ranges[rank] = (odo_range){o->rank[to], 1};
	return 0;
}

static int read_flow_lines(const char *origin, const char *text, size_t size, const odo_order *o,
			   const known_host *known, odo_draw *out, odo_error *err)
{
	odo_scan s = {.origin = origin, .rest = text, .limit = text + size, .err = err};
	int status = 0;
	bool first = true;
	while (!status && odo_next_line(&s)) {
		odo_skip_blanks(&s);
		if (first && !odo_at_end(&s) && odo_peek(&s) != '#') {
			first = false;
			if (!odo_take(&s, "flows 1"))
				return odo_scan_expected(&s, "\"flows 1\"");
		}
		status = read_flow(&s, o, known, out);
	}
	if (!status && first)
		return odo_fail(err, ODO_EINPUT, "%s:1: expected \"flows 1\", found none", origin);
	return status;
}

int odo_flows_parse(const char *origin, const char *text, size_t size, const odo_order *o,
		    odo_draw *out, odo_error *err)
{
	known_host *known = sort_hosts(o->fabric);
	int status = 0;
	out->range_of = odo_new(o->n_hosts, sizeof *out->range_of);
	out->ranges = odo_new(o->n_hosts, sizeof *out->ranges);
	if (!known || !out->range_of || !out->ranges)
		status = odo_fail(err, ODO_ENOMEM, "no memory for the flows of %s", origin);
	for (uint32_t r = 0; !status && r < o->n_hosts; r++)
		out->range_of[r] = ODO_NONE;
	if (!status)
		status = read_flow_lines(origin, text, size, o, known, out, err);
	free(known);
	return status;
}

int odo_flows_read(const char *path, const odo_order *o, odo_draw *out, odo_error *err)
{
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (!status)
		status = odo_flows_parse(odo_origin_name(path), text, size, o, out, err);
	free(text);
	return status;
}

void odo_flows_write(const odo_fabric *f, const uint32_t *to, FILE *file)
{
	fputs("flows 1\n# port GUIDs: from, to\n", file);
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (to[h] != ODO_NONE)
			fprintf(file, "0x%016" PRIx64 " 0x%016" PRIx64 "\n",
				f->port_guid[f->host_slot[h]], f->port_guid[f->host_slot[to[h]]]);
}

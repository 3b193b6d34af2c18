/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "routing/adaptive.h"

const char *odo_write_name(const odo_fabric *f, uint32_t node, const char *bad, char *to)
{
	const char *name = odo_name(f, node);
	size_t n = 0;
	for (; n < ODO_NAME_SIZE - 1 && name[n]; n++)
		to[n] = name[n] < ' ' || name[n] > '~' || strchr(bad, name[n]) ? '_' : name[n];
	to[n] = 0;
	return to;
}

const char *odo_write_type(const odo_fabric *f, uint32_t node)
{
	uint8_t type = f->node_type[node];
	return type == ODO_SWITCH ? "Switch" : type == ODO_ROUTER ? "Router" : "Channel Adapter";
}

uint32_t odo_write_lid_node(const odo_fabric *f, uint32_t lid)
{
	uint32_t host = f->lid_host[lid];
	return host == ODO_NONE ? f->lid_switch[lid] : f->owner[f->host_slot[host]];
}

uint64_t odo_write_lid_guid(const odo_fabric *f, uint32_t lid)
{
	uint32_t host = f->lid_host[lid];
	return host == ODO_NONE ? f->node_guid[f->lid_switch[lid]]
				: f->port_guid[f->host_slot[host]];
}

static int by_end_guid(const void *a, const void *b)
{
	const odo_write_end *x = a, *y = b;
	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

/* Compare as OpenSM does, which stores GUIDs in network order and compares them as numbers of its
 * little-endian host. */
static int compare_as_opensm(const void *a, const void *b)
{
	uint64_t x = __builtin_bswap64(((const odo_write_end *)a)->guid);
	uint64_t y = __builtin_bswap64(((const odo_write_end *)b)->guid);
	return x != y ? (x < y ? -1 : 1) : by_end_guid(a, b);
}

void odo_write_sort(odo_write_end *ends, size_t n)
{
	qsort(ends, n, sizeof *ends, by_end_guid);
}

int odo_write_by_guid(const odo_fabric *f, bool hosts, odo_arena *memory, odo_write_end **out,
		      size_t *n, odo_error *err)
{
	size_t count = f->n_switches + (hosts ? f->n_hosts : 0);
	odo_write_end *ends = odo_arena_new(memory, count, sizeof *ends);
	if (!ends)
		return odo_fail(err, ODO_ENOMEM, "no memory to order %zu ports", count);
	for (uint32_t s = 0; s < f->n_switches; s++)
		ends[s] = (odo_write_end){f->node_guid[s], s, ODO_NONE};
	for (uint32_t h = 0; hosts && h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h];
		ends[f->n_switches + h] = (odo_write_end){f->port_guid[slot], f->owner[slot], h};
	}
	qsort(ends, count, sizeof *ends, compare_as_opensm);
	*out = ends;
	*n = count;
	return 0;
}

int odo_write_done(FILE *to, odo_error *err)
{
	if (fflush(to) || ferror(to))
		return odo_fail(err, ODO_EIO, "cannot write: %s", strerror(errno));
	return 0;
}

void odo_write_warning(const odo_tables *t, const char *what, FILE *to)
{
	if (t->n_vls <= 1 && !t->adaptive)
		return;
	fprintf(to, "# WARNING: %s alone can DEADLOCK: routing \"%s\" needs %u VLs.\n", what,
		t->engine, t->n_vls);
	if (t->adaptive)
		fprintf(to, "# WARNING: it is adaptive; this file holds a static path of each "
			    "pair, which plain InfiniBand cannot keep free of deadlock.\n");
	else
		fprintf(to, "# WARNING: install its SL2VL maps and path SLs with it.\n");
}

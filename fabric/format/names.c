/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "fabric/format/lines.h"
#include "fabric/format/slurp.h"
#include "fabric/transform/transform.h"

typedef struct given_name {
	uint64_t guid; /* first, for odo_by_u64() */
	char *text;
} given_name;

typedef struct name_map {
	odo_arena memory; /* of the texts */
	given_name *given;
	size_t n, room;
} name_map;

/* Copy the rest of a line, without a comment, and without blanks and quotes around it.
 * @return NULL if nothing is left, or if memory runs out (map->memory.failed) */
static char *copy_name(odo_scan *s, name_map *map)
{
	static const char around[] = " \t\r\"";
	const char *at = s->at, *end = memchr(at, '#', (size_t)(s->end - at));
	end = end ? end : s->end;
	while (at < end && strchr(around, *at))
		at++;
	while (end > at && strchr(around, end[-1]))
		end--;
	char *name = end > at ? odo_arena_new(&map->memory, (size_t)(end - at) + 1, 1) : NULL;
	return name ? memcpy(name, at, (size_t)(end - at)) : NULL;
}

static int read_name_line(odo_scan *s, name_map *map, odo_error *err)
{
	given_name x = {0};
	odo_scan before = *s;
	odo_lines_skip(s, "0x");
	bool number = odo_lines_number(s, 16, UINT64_MAX, &x.guid) && x.guid;
	bool ends = s->at < s->end && strchr(" \t", *s->at);
	x.text = number && ends ? copy_name(s, map) : NULL;
	if (!x.text && !map->memory.failed)
		return odo_lines_expected(&before, "a GUID in hexadecimal and a name", err);
	if (map->memory.failed || odo_grow(&map->given, &map->room, map->n + 1, sizeof x))
		return odo_fail(err, ODO_ENOMEM, "no memory for names of nodes");
	map->given[map->n++] = x;
	return 0;
}

static char *find_given_name(const name_map *map, uint64_t guid)
{
	const given_name *found = map->n ? bsearch(&guid, map->given, map->n, sizeof *found,
						   odo_by_u64)
					 : NULL;
	return found ? found->text : NULL;
}

static int rename_nodes(const name_map *map, const odo_fabric *in, odo_fabric **out, odo_error *err)
{
	odo_arena memory = {0};
	const char **name = odo_arena_new(&memory, in->n_nodes, sizeof *name);
	int status = name ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for names of nodes");
	for (uint32_t v = 0; v < in->n_nodes && !status; v++) {
		name[v] = find_given_name(map, in->node_guid[v]);
		for (uint32_t s = in->first_slot[v]; s < in->first_slot[v + 1] && !name[v]; s++)
			name[v] = in->port_guid[s] ? find_given_name(map, in->port_guid[s]) : NULL;
	}
	if (!status)
		status = odo_fabric_adapt(in, name, NULL, out, err);
	odo_arena_free(&memory);
	return status;
}

int odo_names_apply(const char *path, const odo_fabric *in, odo_fabric **out, odo_error *err)
{
	char *text;
	size_t size;
	name_map map = {0};
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	odo_scan s = odo_lines_make(text, size, odo_origin_name(path));
	while (!status && odo_lines_next(&s))
		status = read_name_line(&s, &map, err);
	if (map.n)
		qsort(map.given, map.n, sizeof *map.given, odo_by_u64);
	if (!status)
		status = rename_nodes(&map, in, out, err);
	free(map.given);
	odo_arena_free(&map.memory);
	free(text);
	return status;
}

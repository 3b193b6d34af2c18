/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables in a compact form for the page. Most routings use the same path to all hosts of a switch
 * up to that switch, so equal columns of LFTs are stored once. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/hash.h"
#include "base/memory.h"
#include "cli/terminal/answer.h"
#include "cli/report/parts.h"

/* Return bytes as base64; NULL without memory. */
static json_t *json_base64(const void *bytes, size_t n)
{
	char *text = odo_base64(bytes, n);
	json_t *string = text ? json_string(text) : NULL;
	free(text);
	return string;
}

/** Distinct columns of a matrix [n_switches * lid_count]. */
typedef struct columns {
	const odo_tables *t;
	const uint8_t *matrix;
	bool but_own;         /**< ignore the entry of the switch that delivers a LID */
	uint8_t *bytes;       /**< [n * n_switches] */
	uint32_t *of;         /**< [lid_count] number of its column; ODO_NONE for an unused LID */
	uint32_t n, most;     /**< columns found so far; room for columns */
	uint32_t *bucket;     /**< [buckets] a column of this hash, or ODO_NONE */
	uint32_t n_buckets;   /**< a power of two, above twice `most` */
	uint8_t *next_column; /**< [n_switches] the column being compared */
	odo_arena memory;     /**< of the arrays above */
} columns;

static uint64_t hash_column(columns *c, uint32_t lid)
{
	const odo_fabric *f = c->t->fabric;
	uint64_t hash = ODO_HASH_START;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		bool own = c->but_own && f->lid_switch[lid] == s;
		uint8_t entry = own ? 0 : c->matrix[(size_t)s * f->lid_count + lid];
		c->next_column[s] = entry;
		hash = odo_hash_byte(hash, entry);
	}
	return hash;
}

/** Find the number of next_column.
 * @return false if there is no room for it */
static bool find_column(columns *c, uint64_t hash, uint32_t *number)
{
	size_t n = c->t->fabric->n_switches;
	size_t at = odo_hash_place(hash, c->n_buckets);
	for (; c->bucket[at] != ODO_NONE; at = (at + 1) & (c->n_buckets - 1)) {
		if (!memcmp(c->bytes + c->bucket[at] * n, c->next_column, n)) {
			*number = c->bucket[at];
			return true;
		}
	}
	if (c->n == c->most)
		return false;
	memcpy(c->bytes + c->n * n, c->next_column, n);
	*number = c->bucket[at] = c->n++;
	return true;
}

/** Find all distinct columns.
 * @param room bytes that all columns may take
 * @return 0; ODO_EDECLINE if they take more */
static int find_distinct_columns(columns *c, size_t room, odo_error *err)
{
	const odo_fabric *f = c->t->fabric;
	size_t most = f->n_switches ? room / f->n_switches : 0;
	c->most = (uint32_t)(most < f->lid_count ? most : f->lid_count);
	for (c->n_buckets = 4; c->n_buckets < 2 * c->most + 2;)
		c->n_buckets *= 2;
	c->bytes = odo_arena_new(&c->memory, (size_t)c->most * f->n_switches, 1);
	c->of = odo_arena_new(&c->memory, f->lid_count, sizeof *c->of);
	c->bucket = odo_arena_new(&c->memory, c->n_buckets, sizeof *c->bucket);
	c->next_column = odo_arena_new(&c->memory, f->n_switches, 1);
	if (c->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	memset(c->bucket, 0xFF, c->n_buckets * sizeof *c->bucket);
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		c->of[lid] = ODO_NONE;
		if (f->lid_switch[lid] != ODO_NONE &&
		    !find_column(c, hash_column(c, lid), &c->of[lid]))
			return odo_fail(err, ODO_EDECLINE,
					"the tables of %" PRIu32 " switches and %" PRIu32
					" LIDs take more than %zu MiB; --tables-limit gives more",
					f->n_switches, f->lid_count, room >> 20);
	}
	return 0;
}

/** Add columns to a part of the document.
 * @param room bytes left; decreased */
static int add_columns(json_t *to, const char *key, columns *c, size_t *room, odo_error *err)
{
	int status = find_distinct_columns(c, *room, err);
	if (!status) {
		size_t size = (size_t)c->n * c->t->fabric->n_switches;
		json_t *of = json_array();
		for (uint32_t lid = 0; lid < c->t->fabric->lid_count; lid++)
			cli_append(&of,
				   c->of[lid] == ODO_NONE ? json_null() : json_integer(c->of[lid]));
		json_t *part = json_pack("{so so}", "columns", json_base64(c->bytes, size),
					 "column_of_lid", of);
		if (json_object_set_new(to, key, part))
			status = odo_fail(err, ODO_ENOMEM, "out of memory");
		*room -= size;
	}
	odo_arena_free(&c->memory);
	return status;
}

static json_t *json_sl2vl_rows(const odo_tables *t)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < t->n_rows; i++) {
		json_t *vls = json_array();
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
			cli_append(&vls, json_integer(t->rows[i].vl[sl]));
		cli_append(&rows, vls);
	}
	return rows;
}

static json_t *json_map_of_hosts(const odo_tables *t)
{
	json_t *list = json_array();
	for (uint32_t h = 0; h < t->fabric->n_hosts; h++)
		cli_append(&list, json_integer(t->host_row[h]));
	return list;
}

/** Encode a byte for each entry, or two, the low one first on any machine. */
static json_t *json_map_of_ports(const odo_tables *t, unsigned size)
{
	size_t n = t->sl2vl_at[t->fabric->n_switches];
	uint8_t *bytes = odo_new(n, size);
	for (size_t i = 0; bytes && i < n; i++)
		for (unsigned byte = 0; byte < size; byte++)
			bytes[size * i + byte] = (uint8_t)(t->sl2vl[i] >> 8 * byte);
	json_t *text = bytes ? json_base64(bytes, size * n) : NULL;
	free(bytes);
	return text;
}

static int add_sl2vl_maps(json_t *to, const odo_tables *t, size_t room, odo_error *err)
{
	unsigned size = t->n_rows > 256 ? 2 : t->n_rows > 1; /* a single map is used by all ports */
	if (size * (size_t)t->sl2vl_at[t->fabric->n_switches] > room)
		return odo_fail(err, ODO_EDECLINE,
				"the SL2VL maps of all pairs of ports take more than is left of "
				"the page; --tables-limit gives more");
	int failed = json_object_set_new(to, "maps", json_sl2vl_rows(t));
	failed |= json_object_set_new(to, "other_sls",
				      json_boolean(t->held_of_lid || t->held_of_pair));
	failed |= json_object_set_new(to, "map_of_host", json_map_of_hosts(t));
	failed |= json_object_set_new(to, "bytes_of_map", json_integer(size));
	if (size)
		failed |= json_object_set_new(to, "map_of_ports", json_map_of_ports(t, size));
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : 0;
}

int report_add_tables(report *r, odo_error *err)
{
	const odo_tables *t = r->system.tables;
	size_t room = r->own->tables;
	json_t *part = json_object();
	columns lft = {.t = t, .matrix = t->lft, .but_own = true};
	columns sl = {.t = t, .matrix = t->sl_of_pair};
	int status = t->adaptive ? odo_fail(err, ODO_EDECLINE,
					    "an adaptive routing has no one path for a pair")
				 : add_columns(part, "lft", &lft, &room, err);
	if (!status && t->sl_of_pair)
		status = add_columns(part, "sl_of_pair", &sl, &room, err);
	if (!status && !t->sl_of_pair &&
	    json_object_set_new(part, "sl_of_lid", json_base64(t->sl_of_lid, t->fabric->lid_count)))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!status)
		status = add_sl2vl_maps(part, t, room, err);
	return report_finish_part(r, "tables", part, status, err);
}

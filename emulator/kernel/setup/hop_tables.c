/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/setup/hop_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

int odo_find_addresses(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	w->address = odo_arena_new(&w->memory, f->n_hosts, sizeof *w->address);
	if (!w->address)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u LIDs", f->n_hosts);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h];
		/* Paper 003, section IV.C: one injection queue for each section of the
		 * destinations. */
		uint64_t queue = (uint64_t)h * w->model.injection_queues / f->n_hosts;
		w->address[h] = (odo_address){.lid = f->port_lid[slot],
					      .lmc = f->port_lmc[slot],
					      .queue = (uint8_t)queue};
	}
	return 0;
}

void odo_find_ends_of_sets(odo_world *w)
{
	const odo_fabric *f = w->e->fabric;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		odo_address *a = &w->address[h];
		a->end = (uint16_t)f->lid_switch[a->lid];
		a->exit = f->lid_port[a->lid];
	}
}

/* ---- From switch to switch ----
 *
 * With parallel cables or mixed orders of dimensions, hosts of a switch are reached by different
 * ways. But the few switches of a part use only few combinations of ports for all ends. */

/* With more switches, the table of ways is no longer small. */
#define MOST_HOP_SWITCHES 8192u
#define MOST_HOP_BYTES ((size_t)MOST_HOP_SWITCHES * MOST_HOP_SWITCHES)

/* Up to eight consecutive LIDs of one end; their entries of a forwarding table are compared at
 * once. */
struct span {
	uint64_t bytes; /* mask: bytes of the eight entries from `at` on that belong to its LIDs */
	uint16_t at;    /* LID */
	uint16_t end;
};

/* Ends of ways: an end is a set of LIDs of one switch's hosts that all other switches route
 * alike. */
struct ends {
	struct span *span; /* [lid_count] */
	struct end {
		uint16_t lid, home; /* one of its LIDs, and the switch of these LIDs */
		uint16_t from;      /* the end that it was split from */
	} * end;                    /* [most] */
	uint32_t *first;            /* [n_switches] first end of each switch, counted from 1; 0:
				     * none */
	uint32_t n_spans, n, most;
};

static uint16_t add_way_end(struct ends *e, uint32_t lid, uint32_t home, uint32_t from)
{
	e->end[e->n] = (struct end){(uint16_t)lid, (uint16_t)home, (uint16_t)from};
	return (uint16_t)e->n++;
}

/* Make one end for each switch with hosts. @return false if there are too many */
static bool list_spans(const odo_fabric *f, struct ends *e)
{
	const uint32_t reach = sizeof e->span->bytes, last_at = f->lid_count - reach;
	struct span *s = NULL;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		uint32_t home = f->lid_switch[lid];
		if (f->lid_host[lid] == ODO_NONE)
			continue;
		if (!e->first[home] && e->n < e->most)
			e->first[home] = add_way_end(e, lid, home, 0) + 1u;
		if (!e->first[home])
			break;
		if (!s || s->end != e->first[home] - 1 || lid >= s->at + reach) {
			s = &e->span[e->n_spans++];
			*s = (struct span){.at = (uint16_t)(lid < last_at ? lid : last_at),
					   .end = (uint16_t)(e->first[home] - 1)};
		}
		((uint8_t *)&s->bytes)[lid - s->at] = UINT8_MAX;
	}
	return e->n < e->most;
}

/* Return the end of a LID that belonged to `from`, after comparing entries of one switch's
 * forwarding table. Ends from `before` on were split at this switch. Returns `most` if there is no
 * room for another end. */
static uint32_t end_of_lid(struct ends *e, const uint8_t *lft, uint32_t lid, uint32_t from,
			   uint32_t before)
{
	if (lft[e->end[from].lid] == lft[lid])
		return from;
	for (uint32_t i = before; i < e->n; i++)
		if (e->end[i].from == from && lft[e->end[i].lid] == lft[lid])
			return i;
	return e->n < e->most ? add_way_end(e, lid, e->end[from].home, from) : e->most;
}

/* Split a span whose LIDs a switch sends different ways. @return false if there are too many
 * ends */
static bool split_span(struct ends *e, const uint8_t *lft, struct span *s, uint32_t before)
{
	struct span all = *s;
	while (all.bytes) {
		unsigned first = 0;
		struct span one = {.at = all.at};
		while (!((uint8_t *)&all.bytes)[first])
			first++;
		for (unsigned i = first; i < sizeof one.bytes; i++)
			if (lft[all.at + i] == lft[all.at + first])
				((uint8_t *)&one.bytes)[i] = ((uint8_t *)&all.bytes)[i];
		uint32_t end = end_of_lid(e, lft, all.at + first, all.end, before);
		if (end == e->most)
			return false;
		one.end = (uint16_t)end;
		all.bytes &= ~one.bytes;
		*s = one;
		s = all.bytes ? &e->span[e->n_spans++] : s;
	}
	return true;
}

/* Split ends by the forwarding table of switch `s`. @return false if the table has no valid port
 * for an end, or there are too many ends */
static bool split_ends_at(const odo_world *w, uint32_t s, struct ends *e)
{
	const odo_fabric *f = w->e->fabric;
	const uint8_t *lft = w->e->tables->lft + (size_t)s * f->lid_count;
	uint32_t n_spans = e->n_spans, before = e->n;
	unsigned n_ports = odo_n_ports(f, s);
	for (uint32_t i = 0; i < n_spans; i++) {
		struct span *span = &e->span[i];
		struct end end = e->end[span->end];
		uint64_t entries, same = lft[end.lid] * (UINT64_MAX / UINT8_MAX);
		memcpy(&entries, lft + span->at, sizeof entries);
		if (end.home != s && (entries ^ same) & span->bytes &&
		    !split_span(e, lft, span, before))
			return false;
	}
	for (uint32_t i = 0; i < e->n; i++)
		if (e->end[i].home != s && lft[e->end[i].lid] - 1u >= n_ports)
			return false;
	return true;
}

/* Find the end of each host, which all its LIDs must share, and its exit: the port from its own
 * switch to the host. The exit must exist and be the same for all its LIDs. @param end_of
 * [lid_count] */
static bool find_exits(odo_world *w, const struct ends *e, uint16_t *end_of)
{
	const odo_fabric *f = w->e->fabric;
	for (uint32_t i = 0; i < e->n_spans; i++)
		for (unsigned k = 0; k < sizeof e->span->bytes; k++)
			if (((const uint8_t *)&e->span[i].bytes)[k])
				end_of[e->span[i].at + k] = e->span[i].end;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		odo_address *a = &w->address[h];
		uint32_t home = odo_host_switch(f, h);
		a->end = end_of[a->lid];
		a->exit = odo_next_port(w->e->tables, home, a->lid);
		if (a->exit - 1u >= odo_n_ports(f, home))
			return false;
		for (uint32_t i = 1; i < 1u << a->lmc; i++)
			if (end_of[a->lid + i] != a->end ||
			    odo_next_port(w->e->tables, home, a->lid + i) != a->exit)
				return false;
	}
	return true;
}

static bool find_way_ends(odo_world *w, struct ends *e, uint16_t *end_of)
{
	uint32_t s = 0, n = w->e->fabric->n_switches;
	bool found = list_spans(w->e->fabric, e);
	while (found && s < n)
		found = split_ends_at(w, s++, e);
	return found && find_exits(w, e, end_of);
}

static void fill_hop_table(odo_world *w, const struct ends *e)
{
	const odo_fabric *f = w->e->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		const uint8_t *lft = w->e->tables->lft + (size_t)s * f->lid_count;
		uint8_t *hop = w->hop + (size_t)s * e->n;
		for (uint32_t i = 0; i < e->n; i++)
			hop[i] = e->end[i].home == s ? 0 : lft[e->end[i].lid];
	}
}

int odo_find_hops(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	if (f->n_switches > MOST_HOP_SWITCHES || f->lid_count < sizeof(uint64_t))
		return 0;
	size_t most = MOST_HOP_BYTES / f->n_switches;
	struct ends e = {.most = (uint32_t)(most < UINT16_MAX ? most : UINT16_MAX)};
	odo_arena memory = {0};
	uint16_t *end_of = odo_arena_new(&memory, f->lid_count, sizeof *end_of);
	e.span = odo_arena_new(&memory, f->lid_count, sizeof *e.span);
	e.end = odo_arena_new(&memory, e.most, sizeof *e.end);
	e.first = odo_arena_new(&memory, f->n_switches, sizeof *e.first);
	bool enough = !memory.failed;
	if (enough && find_way_ends(w, &e, end_of)) {
		w->hop = odo_new((size_t)f->n_switches * e.n, 1);
		enough = w->hop;
	}
	if (w->hop)
		fill_hop_table(w, &e);
	w->n_ends = e.n;
	odo_arena_free(&memory);
	return enough ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for %u switches", f->n_switches);
}

/* Ways of a part: for each end of the fabric, the ports that the part's switches use. */
struct ways {
	uint64_t *hash;  /* [n_ends] hash of these ports */
	uint32_t *first; /* [n_ends] one end of each way */
	uint32_t *at;    /* [room] by hash: way from 1, or 0 */
	size_t room;     /* a power of two */
};

static bool same_way(const odo_part *part, uint32_t a, uint32_t b)
{
	size_t n = part->world->n_ends;
	for (uint32_t s = 0; s < part->n_switches; s++)
		if (part->world->hop[part->global[s] * n + a] !=
		    part->world->hop[part->global[s] * n + b])
			return false;
	return true;
}

static void hash_ways(const odo_part *part, uint64_t *hash)
{
	size_t n = part->world->n_ends;
	for (uint32_t s = 0; s < part->n_switches; s++)
		for (size_t to = 0; to < n; to++) {
			uint8_t port = part->world->hop[part->global[s] * n + to];
			hash[to] = odo_hash_byte(hash[to], port);
		}
}

static void number_ways(odo_part *part, const struct ways *w)
{
	part->n_ways = 0;
	for (uint32_t to = 0; to < part->world->n_ends; to++) {
		size_t i = odo_hash_place(w->hash[to], w->room);
		while (w->at[i] && !same_way(part, w->first[w->at[i] - 1], to))
			i = (i + 1) & (w->room - 1);
		if (!w->at[i]) {
			w->first[part->n_ways] = to;
			w->at[i] = ++part->n_ways;
		}
		part->way_to[to] = (uint16_t)(w->at[i] - 1);
	}
}

static void copy_ways(odo_part *part, const uint32_t *first)
{
	size_t n = part->world->n_ends;
	for (size_t s = 0; s < part->n_switches; s++)
		for (size_t i = 0; i < part->n_ways; i++)
			part->hop[s * part->n_ways + i] =
				part->world->hop[part->global[s] * n + first[i]];
}

int odo_part_hops(odo_part *part, odo_error *err)
{
	size_t n = part->world->n_ends;
	struct ways w = {.room = 2};
	while (w.room < 2 * n)
		w.room *= 2;
	odo_arena memory = {0};
	w.hash = odo_arena_new(&memory, n, sizeof *w.hash);
	w.first = odo_arena_new(&memory, n, sizeof *w.first);
	w.at = odo_arena_new(&memory, w.room, sizeof *w.at);
	part->way_to = odo_arena_new(&part->memory, n, sizeof *part->way_to);
	if (!memory.failed && part->way_to) {
		hash_ways(part, w.hash);
		number_ways(part, &w);
		part->hop = odo_arena_new(&part->memory, part->n_switches * (size_t)part->n_ways,
					  1);
		if (part->hop)
			copy_ways(part, w.first);
	}
	odo_arena_free(&memory);
	return part->hop ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for %zu ends of ways", n);
}

/* ---- VLs ---- */

/* Return the place of a row, or the free place where it belongs. */
static uint32_t *place_of_vl_row(const odo_world *w, const odo_vl_rows *rows, const uint8_t *row)
{
	size_t length = (size_t)1 << w->port_bits,
	       i = odo_hash_place(odo_hash_bytes(row, length), rows->room);
	while (rows->at[i] && memcmp(w->vl_rows + (rows->at[i] - 1) * length, row, length))
		i = (i + 1) & (rows->room - 1);
	return &rows->at[i];
}

/* Double the room, and place all rows again. */
static int double_vl_rows(odo_world *w, odo_vl_rows *rows)
{
	size_t length = (size_t)1 << w->port_bits, room = rows->room ? 2 * rows->room : 64;
	odo_vl_rows more = {.at = odo_new(room, sizeof *more.at), .room = room, .n = rows->n};
	uint8_t *grown = more.at ? realloc(w->vl_rows, room / 2 * length) : NULL;
	if (!grown) {
		free(more.at);
		return ODO_ENOMEM;
	}
	w->vl_rows = grown;
	for (size_t i = 0; i < rows->n; i++)
		*place_of_vl_row(w, &more, grown + i * length) = (uint32_t)i + 1;
	free(rows->at);
	*rows = more;
	return 0;
}

int odo_vl_row(odo_world *w, odo_vl_rows *rows, const uint8_t *row, uint32_t *at, odo_error *err)
{
	size_t length = (size_t)1 << w->port_bits;
	if (2 * rows->n >= rows->room && double_vl_rows(w, rows))
		return odo_fail(err, ODO_ENOMEM, "no memory for %zu rows of VLs", rows->n);
	uint32_t *place = place_of_vl_row(w, rows, row);
	if (!*place) {
		memcpy(w->vl_rows + rows->n * length, row, length);
		*place = (uint32_t)++rows->n;
	}
	*at = (uint32_t)((*place - 1) * length);
	return 0;
}

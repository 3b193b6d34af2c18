/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/hop_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

int odo_find_addresses(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	w->address = odo_new(f->n_hosts, sizeof *w->address);
	if (!w->address)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u LIDs", f->n_hosts);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h];
		/* Paper 003, section IV.C: sections of the destinations. */
		uint64_t queue = (uint64_t)h * w->model.injection_queues / f->n_hosts;
		w->address[h] = (odo_address){.lid = f->port_lid[slot],
					      .lmc = f->port_lmc[slot],
					      .queue = (uint8_t)queue};
	}
	return 0;
}

/* ---- From switch to switch ---- */

/* Beyond that, ways by switch are no longer small themselves. */
#define MOST_HOP_SWITCHES 8192u

/* Up to eight LIDs in a row that hosts of one switch have, to be looked at in a forwarding table at
 * once. */
struct span {
	uint64_t bytes;     /* those of the eight entries from `at` on that are theirs */
	uint16_t at, first; /* LIDs */
	uint16_t home;      /* their switch */
};

/* @param span [lid_count] Returns how many. */
static uint32_t list_spans(const odo_fabric *f, struct span *span)
{
	const uint32_t reach = sizeof span->bytes, last_at = f->lid_count - reach;
	struct span *s = NULL, *next = span;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		if (f->lid_host[lid] == ODO_NONE)
			continue;
		if (!s || s->home != f->lid_switch[lid] || lid >= s->at + reach) {
			s = next++;
			*s = (struct span){.at = (uint16_t)(lid < last_at ? lid : last_at),
					   .first = (uint16_t)lid,
					   .home = (uint16_t)f->lid_switch[lid]};
		}
		((uint8_t *)&s->bytes)[lid - s->at] = UINT8_MAX;
	}
	return (uint32_t)(next - span);
}

/* Do the tables lead from `s` to all LIDs of a switch's hosts by one port that exists? Then note
 * it. */
static bool find_hops_from(odo_world *w, uint32_t s, const struct span *span, uint32_t n)
{
	const odo_fabric *f = w->e->fabric;
	const uint8_t *lft = w->e->tables->lft + (size_t)s * f->lid_count;
	uint8_t *hop = w->hop + (size_t)s * f->n_switches;
	uint64_t differ = 0, entries;
	unsigned n_ports = odo_n_ports(f, s);
	for (uint32_t i = 0; i < n; i++)
		hop[span[i].home] = lft[span[i].first];
	for (uint32_t i = 0; i < n; i++) {
		uint64_t same = hop[span[i].home] * (UINT64_MAX / UINT8_MAX);
		uint64_t bad = hop[span[i].home] - 1u >= n_ports;
		memcpy(&entries, lft + span[i].at, sizeof entries);
		differ |= span[i].home == s ? 0 : ((entries ^ same) & span[i].bytes) | bad;
	}
	hop[s] = 0;
	return !differ;
}

/* By which port each host is reached from its own switch: one that exists, for all its LIDs. */
static bool find_exits(odo_world *w)
{
	const odo_fabric *f = w->e->fabric;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		odo_address *a = &w->address[h];
		a->home = (uint16_t)odo_host_switch(f, h);
		a->exit = odo_next_port(w->e->tables, a->home, a->lid);
		if (a->exit - 1u >= odo_n_ports(f, a->home))
			return false;
		for (uint32_t i = 1; i < 1u << a->lmc; i++)
			if (odo_next_port(w->e->tables, a->home, a->lid + i) != a->exit)
				return false;
	}
	return true;
}

static bool find_all_hops(odo_world *w, struct span *span)
{
	uint32_t s = 0, n = list_spans(w->e->fabric, span);
	while (s < w->e->fabric->n_switches && find_hops_from(w, s, span, n))
		s++;
	return s == w->e->fabric->n_switches && find_exits(w);
}

int odo_find_hops(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	if (f->n_switches > MOST_HOP_SWITCHES || f->lid_count < sizeof(uint64_t))
		return 0;
	struct span *span = odo_new(f->lid_count, sizeof *span);
	w->hop = odo_new((size_t)f->n_switches * f->n_switches, 1);
	if (!w->hop || !span) {
		free(span);
		return odo_fail(err, ODO_ENOMEM, "no memory for %u switches", f->n_switches);
	}
	if (!find_all_hops(w, span)) {
		free(w->hop);
		w->hop = NULL;
	}
	free(span);
	return 0;
}

/* What a part's switches do with packets for each switch of the fabric. */
struct ways {
	uint64_t *hash;  /* [n_switches] of the ports there */
	uint32_t *first; /* [n_switches] one switch of each way */
	uint32_t *at;    /* [room] by hash: way from 1, or 0 */
	size_t room;     /* a power of two */
};

static bool same_way(const odo_part *part, uint32_t a, uint32_t b)
{
	size_t n = part->world->e->fabric->n_switches;
	for (uint32_t s = 0; s < part->n_switches; s++)
		if (part->world->hop[part->global[s] * n + a] !=
		    part->world->hop[part->global[s] * n + b])
			return false;
	return true;
}

static void hash_ways(const odo_part *part, uint64_t *hash)
{
	size_t n = part->world->e->fabric->n_switches;
	for (uint32_t s = 0; s < part->n_switches; s++)
		for (size_t to = 0; to < n; to++) {
			uint8_t port = part->world->hop[part->global[s] * n + to];
			hash[to] = odo_hash_byte(hash[to], port);
		}
}

static void number_ways(odo_part *part, const struct ways *w)
{
	part->n_ways = 0;
	for (uint32_t to = 0; to < part->world->e->fabric->n_switches; to++) {
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
	size_t n = part->world->e->fabric->n_switches;
	for (size_t s = 0; s < part->n_switches; s++)
		for (size_t i = 0; i < part->n_ways; i++)
			part->hop[s * part->n_ways + i] =
				part->world->hop[part->global[s] * n + first[i]];
}

int odo_part_hops(odo_part *part, odo_error *err)
{
	size_t n = part->world->e->fabric->n_switches;
	struct ways w = {.room = 2};
	while (w.room < 2 * n)
		w.room *= 2;
	w.hash = odo_new(n, sizeof *w.hash);
	w.first = odo_new(n, sizeof *w.first);
	w.at = odo_new(w.room, sizeof *w.at);
	part->way_to = odo_new(n, sizeof *part->way_to);
	if (w.hash && w.first && w.at && part->way_to) {
		hash_ways(part, w.hash);
		number_ways(part, &w);
		part->hop = odo_new(part->n_switches * (size_t)part->n_ways, 1);
	}
	if (part->hop)
		copy_ways(part, w.first);
	free(w.hash);
	free(w.first);
	free(w.at);
	return part->hop ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for %zu switches", n);
}

/* ---- VLs ---- */

/* Where a row is, or is to be. */
static uint32_t *place_of(const odo_world *w, const odo_vl_rows *rows, const uint8_t *row)
{
	size_t length = (size_t)1 << w->port_bits,
	       i = odo_hash_place(odo_hash_bytes(row, length), rows->room);
	while (rows->at[i] && memcmp(w->vl_rows + (rows->at[i] - 1) * length, row, length))
		i = (i + 1) & (rows->room - 1);
	return &rows->at[i];
}

/* Twice as much room, and everything placed anew. */
static int make_room(odo_world *w, odo_vl_rows *rows)
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
		*place_of(w, &more, grown + i * length) = (uint32_t)i + 1;
	free(rows->at);
	*rows = more;
	return 0;
}

int odo_vl_row(odo_world *w, odo_vl_rows *rows, const uint8_t *row, uint32_t *at, odo_error *err)
{
	size_t length = (size_t)1 << w->port_bits;
	if (2 * rows->n >= rows->room && make_room(w, rows))
		return odo_fail(err, ODO_ENOMEM, "no memory for %zu rows of VLs", rows->n);
	uint32_t *place = place_of(w, rows, row);
	if (!*place) {
		memcpy(w->vl_rows + rows->n * length, row, length);
		*place = (uint32_t)++rows->n;
	}
	*at = (uint32_t)((*place - 1) * length);
	return 0;
}

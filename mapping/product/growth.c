/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/growth.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

enum { MOST_IN = 255 };

typedef struct growth {
	const odo_bonds *b;
	uint32_t *of;   /* [n] set */
	uint32_t *in;   /* [n] bonds with members, up to MOST_IN; 0 between sets */
	uint32_t *next; /* [bonds] queues of bonds by `in` of their far end, some outdated */
	uint32_t head[MOST_IN + 1], tail[MOST_IN + 1], most;
	uint32_t *member, size; /* [n] */
} growth;

static uint32_t bonds_of(const odo_bonds *bonds, uint32_t v)
{
	return bonds->first[v + 1] - bonds->first[v];
}

static void add_to_set(growth *s, uint32_t v, uint32_t set)
{
	s->of[v] = set;
	s->member[s->size++] = v;
	odo_charge(s->b->budget, bonds_of(s->b, v));
	for (uint32_t i = s->b->first[v]; i < s->b->first[v + 1]; i++) {
		uint32_t to = s->b->to[i], in = s->in[to] + (s->in[to] < MOST_IN);
		s->in[to] = in;
		s->next[i] = ODO_NONE;
		if (s->head[in] == ODO_NONE)
			s->head[in] = i;
		else
			s->next[s->tail[in]] = i;
		s->tail[in] = i;
		s->most = in > s->most ? in : s->most;
	}
}

/* Return the member with most bonds to the set that is in no set yet, or ODO_NONE. The first of
 * equals wins. */
static uint32_t next_one(growth *s)
{
	while (s->most) {
		uint32_t i = s->head[s->most];
		if (i == ODO_NONE) {
			s->most--;
			continue;
		}
		s->head[s->most] = s->next[i];
		uint32_t v = s->b->to[i];
		if (s->of[v] == ODO_NONE && s->in[v] == s->most)
			return v;
	}
	return ODO_NONE;
}

/* A member belongs to the set with this share of its bonds. Wrong cables make a few bonds with
 * every set. */
static const odo_share at_home = {1, 4};

static bool belongs_in_set(const growth *s, uint32_t v)
{
	return odo_reaches(s->in[v], at_home, bonds_of(s->b, v));
}

/* Grow a set around v. Return its size, or 0 if it stays below `least`. */
static uint32_t grow_set(growth *s, uint32_t v, uint32_t least, uint32_t set)
{
	s->size = s->most = 0;
	memset(s->head, 0xFF, sizeof s->head);
	for (; v != ODO_NONE && (s->size < least || belongs_in_set(s, v)); v = next_one(s))
		add_to_set(s, v, set);
	for (uint32_t i = 0; i < s->size; i++)
		s->of[s->member[i]] = s->size >= least ? set : ODO_NONE;
	for (uint32_t i = 0; i < s->size; i++)
		for (uint32_t j = s->b->first[s->member[i]]; j < s->b->first[s->member[i] + 1]; j++)
			s->in[s->b->to[j]] = 0;
	return s->size >= least ? s->size : 0;
}

static void grow_all_sets(growth *s, const bool *use, uint32_t least, odo_sets *sets)
{
	uint32_t n = s->b->n, step = n / ODO_MOST_SETS + 1;
	memset(s->of, 0xFF, n * sizeof *s->of);
	for (uint32_t from = 0; from < n && odo_may_go_on(s->b->budget); from += step) {
		uint32_t v = from;
		while (v < n && (!use[v] || s->of[v] != ODO_NONE))
			v++;
		if (v == n)
			break;
		uint32_t size = grow_set(s, v, least, sets->n);
		sets->size[sets->n] = size;
		sets->n += size > 0;
	}
}

/* Unite sets if the bonds between them number half of the members of the smaller one. Return true
 * if any were united. */
static bool unite_once(uint32_t n, uint32_t bonds[][ODO_MOST_SETS], const uint32_t *size,
		       uint32_t *parent)
{
	uint32_t of_root[ODO_MOST_SETS] = {0}, all[ODO_MOST_SETS][ODO_MOST_SETS] = {{0}};
	bool united = false;
	odo_uf_flatten(parent, n);
	for (uint32_t x = 0; x < n; x++) {
		of_root[parent[x]] += size[x];
		for (uint32_t y = 0; y < n; y++)
			all[parent[x]][parent[y]] += bonds[x][y];
	}
	for (uint32_t x = 0; x < n; x++) {
		for (uint32_t y = x + 1; y < n; y++) {
			uint32_t least = of_root[x] < of_root[y] ? of_root[x] : of_root[y];
			if (!least || !odo_half(all[x][y], least))
				continue;
			odo_uf_unite(parent, x, y);
			united = true;
		}
	}
	return united;
}

/* Count bonds between united sets again: few bonds between parts may be many between the whole
 * sets. */
static void unite_sets(const odo_bonds *bond_table, const odo_sets *s, uint32_t *parent)
{
	uint32_t bonds[ODO_MOST_SETS][ODO_MOST_SETS] = {{0}};
	for (uint32_t v = 0; v < bond_table->n; v++)
		for (uint32_t i = bond_table->first[v];
		     s->of[v] != ODO_NONE && i < bond_table->first[v + 1]; i++)
			if (s->of[bond_table->to[i]] != ODO_NONE)
				bonds[s->of[v]][s->of[bond_table->to[i]]]++;
	odo_uf_reset(parent, s->n);
	while (odo_uses("sets united") && unite_once(s->n, bonds, s->size, parent))
		;
	odo_uf_flatten(parent, s->n);
}

/* Number the united sets that have at least `whole` members. */
static void number_sets(odo_sets *s, uint32_t n_members, const uint32_t *parent, uint32_t whole)
{
	uint32_t sum[ODO_MOST_SETS] = {0}, number[ODO_MOST_SETS], n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		sum[parent[i]] += s->size[i];
	for (uint32_t i = 0; i < s->n; i++) {
		number[i] = sum[i] && sum[i] >= whole ? n : ODO_NONE;
		if (number[i] == n)
			s->size[n++] = sum[i];
	}
	for (uint32_t v = 0; v < n_members; v++)
		if (s->of[v] != ODO_NONE)
			s->of[v] = number[parent[s->of[v]]];
	s->n = n;
}

int odo_sets_grow(const odo_bonds *bonds, const bool *use, uint32_t least, uint32_t whole,
		  odo_sets *s, odo_error *err)
{
	odo_arena memory = {0};
	growth w = {.b = bonds};
	uint32_t parent[ODO_MOST_SETS];
	*s = (odo_sets){.of = odo_new(bonds->n, sizeof *s->of)};
	w.of = s->of;
	w.in = odo_arena_new(&memory, bonds->n, sizeof *w.in);
	w.next = odo_arena_new(&memory, bonds->first[bonds->n], sizeof *w.next);
	w.member = odo_arena_new(&memory, bonds->n, sizeof *w.member);
	bool made = s->of && !memory.failed;
	if (made) {
		grow_all_sets(&w, use, least, s);
		unite_sets(bonds, s, parent);
		number_sets(s, bonds->n, parent, whole);
	}
	odo_arena_free(&memory);
	if (made)
		return 0;
	free(s->of);
	*s = (odo_sets){0};
	return odo_fail(err, ODO_ENOMEM, "no memory for sets");
}

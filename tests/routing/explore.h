/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Explores small subnets (model.h): all sequences of events up to a depth, each place at which
 * OpenSM may ask for SLs. A state that was seen with as many events left is not entered again. */
#ifndef ODONATA_TESTS_ROUTING_EXPLORE_H
#define ODONATA_TESTS_ROUTING_EXPLORE_H

#include "model.h"

typedef struct explore_event {
	const struct explore_row *row;
	unsigned i;
} explore_event;

/* Events of a kind: number `i` of `count`. @return false if it cannot happen */
typedef struct explore_row {
	const char *name;
	unsigned (*count)(const model_graph *g);
	bool (*happen)(model_world *x, unsigned i);
} explore_row;

static inline unsigned explore_cables(const model_graph *g)
{
	return g->n_cables;
}
static inline unsigned explore_nodes(const model_graph *g)
{
	return g->n;
}
static inline unsigned explore_pairs(const model_graph *g)
{
	return g->n * g->n;
}
static inline unsigned explore_once(const model_graph *g)
{
	(void)g;
	return 1;
}
static inline unsigned explore_options(const model_graph *g)
{
	(void)g;
	return MODEL_N_OPTIONS;
}

static inline bool explore_cable(model_world *x, unsigned i)
{
	x->cut ^= (uint16_t)(1u << i);
	return true;
}
/* A switch without power has no tables when it is back. */
static inline bool explore_switch(model_world *x, unsigned i)
{
	x->switches ^= (uint8_t)(1u << i);
	memset(x->lft[i], ODO_NO_PORT, sizeof x->lft[i]);
	return true;
}
static inline bool explore_host(model_world *x, unsigned i)
{
	x->hosts ^= (uint8_t)(1u << i);
	return true;
}
static inline bool explore_move(model_world *x, unsigned i)
{
	unsigned h = i / x->g->n, to = i % x->g->n;
	bool moves = x->at[h] != to;
	x->at[h] = (uint8_t)to;
	return moves;
}
static inline bool explore_swap(model_world *x, unsigned i)
{
	unsigned a = i / x->g->n, b = i % x->g->n;
	uint8_t slot = x->slot[a];
	x->slot[a] = x->slot[b];
	x->slot[b] = slot;
	return a < b;
}
/* A host gets LIDs that nobody had, or its first ones again if they are free. */
static inline bool explore_rename(model_world *x, unsigned i)
{
	uint8_t to = (uint8_t)(x->slot[i] == i ? x->g->n + i : i);
	for (unsigned h = 0; h < x->g->n; h++)
		if (x->slot[h] == to)
			return false;
	x->slot[i] = to;
	return true;
}
/* A host gets the LIDs of one that is away, and that one gets new ones. */
static inline bool explore_inherit(model_world *x, unsigned i)
{
	unsigned a = i / x->g->n, b = i % x->g->n;
	uint8_t fresh = (uint8_t)(x->g->n + b);
	for (unsigned h = 0; h < x->g->n; h++)
		if (x->slot[h] == fresh)
			return false;
	if (a == b || model_is_here(x, model_seen(x), b))
		return false;
	x->slot[a] = x->slot[b];
	x->slot[b] = fresh;
	return true;
}
static inline bool explore_lmc(model_world *x, unsigned i)
{
	(void)i;
	x->lmc = !x->lmc;
	return true;
}
static inline bool explore_takeover(model_world *x, unsigned i)
{
	/* SLs that queries suggested since the last sweep are lost (docs/design/connections.md). */
	bool loses = x->c.free_hints || (x->c.strange && !x->foreign);
	x->manager = (uint8_t)i;
	if (!model_seen(x) || !x->file || loses)
		return false;
	model_take_over(x);
	return true;
}
static inline bool explore_option(model_world *x, unsigned i)
{
	bool changes = x->option != i;
	x->option = (uint8_t)i;
	return changes;
}
static inline bool explore_foreign(model_world *x, unsigned i)
{
	(void)i;
	x->foreign = true;
	return true;
}
static inline bool explore_nothing(model_world *x, unsigned i)
{
	(void)x;
	(void)i;
	return true;
}

static const explore_row explore_rows[] = {
	{"cable", explore_cables, explore_cable},    {"switch", explore_nodes, explore_switch},
	{"host", explore_nodes, explore_host},       {"takeover", explore_nodes, explore_takeover},
	{"option", explore_options, explore_option}, {"move", explore_pairs, explore_move},
	{"swap", explore_pairs, explore_swap},       {"rename", explore_nodes, explore_rename},
	{"inherit", explore_pairs, explore_inherit}, {"lmc", explore_once, explore_lmc},
	{"foreign", explore_once, explore_foreign},  {"sweep", explore_once, explore_nothing},
};
enum { EXPLORE_N_ROWS = sizeof explore_rows / sizeof *explore_rows, EXPLORE_DEEPEST = 16 };

/* An event, and who asks: once it is discovered, before tables are made, and once they are. */
typedef struct explore_step {
	uint8_t row, i, before, after;
} explore_step;

typedef struct explorer {
	const model_graph *g;
	unsigned kinds;   /* rows of events, a bit each */
	unsigned asks;    /* model_asks that are tried, a bit each */
	bool no_symmetry; /* states of renumbered graphs are not the same */
	uint64_t *seen;   /* hashes; the lowest bits are the events that were left */
	size_t room, n_seen;
	uint64_t n_steps, n_told, n_foreign,
		n_changing; /* changing: old and new close a cycle, as the log says */
	explore_step path[EXPLORE_DEEPEST];
	unsigned depth;
	char found[2048]; /* what is wrong, or "" */
} explorer;

/* ---- Hash of a state ---- */

/* A fact of a state: value of (a, b, c), labels that a renumbering changes. */
typedef struct explore_fact {
	uint8_t kind, a, b, c;
	uint64_t value;
} explore_fact;

typedef struct explore_facts {
	explore_fact fact[8192];
	unsigned n;
} explore_facts;

/* Labels: switches, hosts, LIDs, ports, or plain numbers. */
enum {
	EXPLORE_SWITCH = 0,
	EXPLORE_HOST = 32,
	EXPLORE_LID = 64,
	EXPLORE_PORT = 128,
	EXPLORE_PLAIN = 160
};

static inline void explore_note(explore_facts *to, unsigned kind, unsigned a, unsigned b,
				unsigned c, uint64_t value)
{
	if (to->n == sizeof to->fact / sizeof *to->fact)
		model_die("explore: too many facts");
	to->fact[to->n++] = (explore_fact){(uint8_t)kind, (uint8_t)a, (uint8_t)b, (uint8_t)c,
					   value};
}

static inline void explore_note_world(explore_facts *to, const model_world *x)
{
	unsigned n = x->g->n;
	for (unsigned i = 0; i < x->g->n_cables; i++)
		if (x->cut >> i & 1) {
			explore_note(to, 1, x->g->end[i][0], x->g->end[i][1], EXPLORE_PLAIN, 1);
			explore_note(to, 1, x->g->end[i][1], x->g->end[i][0], EXPLORE_PLAIN, 1);
		}
	for (unsigned h = 0; h < n; h++) {
		explore_note(to, 2, h, EXPLORE_PLAIN, EXPLORE_PLAIN, x->switches >> h & 1);
		explore_note(to, 3, EXPLORE_HOST + h, x->at[h], EXPLORE_LID + model_lid(x, h),
			     x->hosts >> h & 1);
		for (unsigned lid = 1; lid < MODEL_LIDS; lid++)
			if (x->held[h][lid])
				explore_note(to, 4, EXPLORE_HOST + h, EXPLORE_LID + lid,
					     EXPLORE_PLAIN, x->held[h][lid]);
		for (unsigned lid = 1; lid < MODEL_LIDS; lid++)
			if (x->lft[h][lid] != ODO_NO_PORT)
				explore_note(to, 5, h, EXPLORE_LID + lid,
					     EXPLORE_PORT + x->lft[h][lid], 1);
	}
	explore_note(to, 6, EXPLORE_HOST + x->manager, EXPLORE_PLAIN, EXPLORE_PLAIN,
		     x->lmc | x->option << 1 | x->foreign << 8);
	explore_note(to, 7, EXPLORE_PLAIN, EXPLORE_PLAIN, EXPLORE_PLAIN,
		     x->c.free_hints | (uint64_t)x->c.strange << 16 | (uint64_t)x->c.unsaved << 32);
}

static inline uint64_t explore_map_value(const odo_sl2vl *map)
{
	uint64_t value = 0;
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
		value = value << 4 | (map->vl[sl] & 15);
	return value;
}

static inline void explore_note_tables(explore_facts *to, unsigned kind, const model_routed *r)
{
	const odo_tables *t = r->t;
	const odo_fabric *f = r->f;
	unsigned ports = odo_n_ports(f, 0);
	uint64_t from = (uint64_t)t->from.carried | (uint64_t)t->from.spliced << 1 |
			(uint64_t)t->from.unfinished << 2 | (uint64_t)t->from.relieved << 3 |
			(uint64_t)t->from.spared << 4 | (uint64_t)t->from.detours_anew << 5 |
			(uint64_t)t->from.by_pair << 6 | (uint64_t)t->from.spilt << 7;
	for (const char *c = t->engine; *c; c++)
		from = from * 31 + (uint8_t)*c;
	explore_note(to, kind, EXPLORE_PLAIN, EXPLORE_PLAIN, EXPLORE_PLAIN,
		     from << 16 | r->option << 12 | (unsigned)t->n_vls << 8 | t->n_sls);
	for (uint32_t v = 0; v < f->n_switches; v++) {
		unsigned s = (unsigned)(f->node_guid[v] - MODEL_SWITCH_GUID);
		for (unsigned lid = 1; lid < f->lid_count; lid++)
			if (f->lid_switch[lid] != ODO_NONE)
				explore_note(to, kind + 1, s, EXPLORE_LID + lid,
					     EXPLORE_PORT + odo_next_port(t, v, lid) % 31,
					     (uint64_t)odo_path_sl(t, v, lid) << 16 |
						     odo_held_sls(t, v, lid));
		for (unsigned in = 0; in <= ports; in++)
			for (unsigned out = 0; out <= ports; out++)
				if (*odo_sl2vl_entry(t, v, in, out))
					explore_note(
						to, kind + 2, s, EXPLORE_PORT + in,
						EXPLORE_PORT + out,
						explore_map_value(
							&t->rows[*odo_sl2vl_entry(t, v, in, out)]));
	}
}

static inline unsigned explore_guid_label(uint64_t guid)
{
	return guid >= MODEL_PORT_GUID ? EXPLORE_HOST + (unsigned)(guid - MODEL_PORT_GUID)
				       : EXPLORE_SWITCH + (unsigned)(guid - MODEL_SWITCH_GUID);
}

static inline void explore_note_history(explore_facts *to, unsigned kind, const odo_history *h)
{
	for (uint32_t row = 0; row < (h->by_pair ? h->n_switches : 1); row++) {
		unsigned s = h->by_pair ? explore_guid_label(h->switch_guid[row]) : EXPLORE_PLAIN;
		for (uint32_t lid = 1; lid < h->lid_count; lid++) {
			size_t i = odo_history_entry(h, row, lid);
			uint64_t value = h->held[i] | (uint64_t)h->last[i] << 16 |
					 (uint64_t)(h->owed ? h->owed[i] : 0) << 24;
			explore_note(to, kind, s, EXPLORE_LID + lid, EXPLORE_PLAIN, value);
		}
	}
	for (uint32_t i = 0; i < h->n_switches; i++)
		explore_note(to, kind + 1, explore_guid_label(h->switch_guid[i]), EXPLORE_PLAIN,
			     EXPLORE_PLAIN, 1);
	for (uint32_t i = 0; i < h->n_ports; i++)
		explore_note(to, kind + 2, explore_guid_label(h->port_guid[i]),
			     explore_guid_label(h->switch_guid[h->port_switch[i]]), EXPLORE_PLAIN,
			     i < h->n_here);
	for (uint32_t lid = 1; lid < h->lid_count; lid++)
		if (h->lid_guid[lid])
			explore_note(to, kind + 3, EXPLORE_LID + lid,
				     explore_guid_label(h->lid_guid[lid]),
				     h->lid_row[lid] == ODO_NONE
					     ? EXPLORE_PLAIN
					     : explore_guid_label(h->switch_guid[h->lid_row[lid]]),
				     1);
}

static inline uint64_t explore_mix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xD6E8FEB86659FD93ull;
	x = (x ^ x >> 32) * 0xD6E8FEB86659FD93ull;
	return x ^ x >> 32;
}

/* Find what a renumbering of the switches calls each label. */
static inline void explore_relabel(const model_graph *g, const uint8_t *perm, uint8_t *to)
{
	unsigned n = g->n;
	for (unsigned i = 0; i < 256; i++)
		to[i] = (uint8_t)i;
	for (unsigned s = 0; s < n; s++) {
		to[EXPLORE_SWITCH + s] = (uint8_t)(EXPLORE_SWITCH + perm[s]);
		to[EXPLORE_HOST + s] = (uint8_t)(EXPLORE_HOST + perm[s]);
		to[EXPLORE_LID + 1 + s] = (uint8_t)(EXPLORE_LID + 1 + perm[s]);
		to[EXPLORE_PORT + 1 + s] = (uint8_t)(EXPLORE_PORT + 1 + perm[s]);
		to[EXPLORE_PORT + 1 + n + s] = (uint8_t)(EXPLORE_PORT + 1 + n + perm[s]);
		for (unsigned k = 0; k < 4; k++) {
			unsigned base = EXPLORE_LID + MODEL_HOSTS + (k & 1) + (k >> 1) * 2 * n;
			to[base + 2 * s] = (uint8_t)(base + 2u * perm[s]);
		}
	}
}

/* Hash of a state: the least of those under all renumberings of its graph. */
static inline uint64_t explore_hash(const explorer *e, const model_world *x)
{
	static explore_facts facts;
	uint64_t least = UINT64_MAX;
	facts.n = 0;
	explore_note_world(&facts, x);
	if (x->routed)
		explore_note_tables(&facts, 10, x->routed);
	if (x->c.history)
		explore_note_history(&facts, 20, x->c.history);
	if (x->file && x->file != x->routed)
		explore_note_tables(&facts, 30, x->file);
	if (x->file_history)
		explore_note_history(&facts, 40, x->file_history);
	for (unsigned p = 0; p < (e->no_symmetry ? 1 : e->g->n_perms); p++) {
		uint8_t to[256];
		uint64_t sum = 0;
		explore_relabel(e->g, e->g->perm[p], to);
		for (unsigned i = 0; i < facts.n; i++) {
			const explore_fact *k = &facts.fact[i];
			uint64_t name = (uint64_t)k->kind << 24 | (uint64_t)to[k->a] << 16 |
					(uint64_t)to[k->b] << 8 | to[k->c];
			sum += explore_mix(explore_mix(name + 1) ^ k->value);
		}
		sum = explore_mix(sum);
		least = sum < least ? sum : least;
	}
	return least;
}

/* Note that a state is entered with so many events left. @return false if it was before */
static inline bool explore_enter(explorer *e, uint64_t hash, unsigned left)
{
	if (2 * (e->n_seen + 1) > e->room) {
		size_t room = e->room ? 2 * e->room : 1024;
		uint64_t *old = e->seen;
		e->seen = calloc(room, sizeof *e->seen);
		if (!e->seen)
			model_die("explore: no memory");
		for (size_t i = 0; i < e->room; i++) {
			size_t at = old[i] >> 8 & (room - 1);
			while (old[i] && e->seen[at])
				at = (at + 1) & (room - 1);
			if (old[i])
				e->seen[at] = old[i];
		}
		free(old);
		e->room = room;
	}
	size_t at = hash >> 8 & (e->room - 1);
	while (e->seen[at] && (e->seen[at] | 15) != (hash | 15))
		at = (at + 1) & (e->room - 1);
	if (e->seen[at] && (e->seen[at] & 15) >= left + 1)
		return false;
	e->n_seen += !e->seen[at];
	e->seen[at] = (hash & ~(uint64_t)15) | (left + 1);
	return true;
}

/* ---- A step ---- */

static inline void explore_fail(explorer *e, const char *what)
{
	static const char *const asks[] = {"nobody", "all", "all, with a hint"};
	size_t used = (size_t)snprintf(e->found, sizeof e->found, "%s;", what);
	for (unsigned i = 0; i < e->depth && used < sizeof e->found; i++) {
		const explore_step *k = &e->path[i];
		used += (size_t)snprintf(e->found + used, sizeof e->found - used,
					 " %s %u (asks: %s, then %s)%s", explore_rows[k->row].name,
					 k->i, asks[k->before], asks[k->after],
					 i + 1 < e->depth ? "," : "");
	}
}

/* Judge what is installed, and what is under way while it is. */
static inline void explore_judge(explorer *e, const model_world *before, const model_world *x)
{
	static model_waits w;
	uint32_t links = model_links(x);
	memset(w.next, 0, sizeof w.next);
	model_add_waits(&w, x, links, false);
	if (model_has_cycle(&w)) {
		explore_fail(e, "connections can deadlock, and nobody is told");
		return;
	}
	if (!before || !before->routed || before->foreign)
		return;
	memset(w.next, 0, sizeof w.next);
	model_add_waits(&w, x, links, true);
	model_add_waits(&w, before, links, true);
	if (!model_has_cycle(&w))
		return;
	odo_transition change;
	odo_error err;
	model_must(odo_transition_count(before->routed->t, x->routed->t, true, &change, &err),
		   &err);
	e->n_changing++;
	if (!change.n_cycle)
		explore_fail(e, "old and new paths can deadlock, and the log does not say so");
}

/* @return false if the event cannot happen here */
static inline bool explore_step_from(explorer *e, const model_world *before, explore_step k,
				     model_world *x)
{
	model_copy(x, before);
	if (!explore_rows[k.row].happen(x, k.i) || !model_seen(x)) {
		model_clear(x);
		return false;
	}
	e->n_steps++;
	model_ask(x, (model_asks)k.before);
	x->foreign = k.row < EXPLORE_N_ROWS && explore_rows[k.row].happen == explore_foreign;
	x->n_told = 0;
	bool ours = model_sweep(x);
	model_ask(x, (model_asks)k.after);
	e->n_told += x->n_told;
	e->n_foreign += !ours;
	if (ours)
		explore_judge(e, before, x);
	return true;
}

/* ---- Depth first ---- */

static inline void explore_from(explorer *e, const model_world *x, unsigned left)
{
	for (uint8_t row = 0; row < EXPLORE_N_ROWS && left; row++) {
		if (!(e->kinds >> row & 1))
			continue;
		for (unsigned i = 0; i < explore_rows[row].count(e->g); i++) {
			for (unsigned asks = 0; asks < MODEL_N_ASKS * MODEL_N_ASKS; asks++) {
				explore_step k = {row, (uint8_t)i, (uint8_t)(asks / MODEL_N_ASKS),
						  (uint8_t)(asks % MODEL_N_ASKS)};
				model_world next;
				if (!(e->asks >> k.before & 1) || !(e->asks >> k.after & 1))
					continue;
				e->path[e->depth++] = k;
				bool happened = explore_step_from(e, x, k, &next);
				if (happened && !*e->found &&
				    explore_enter(e, explore_hash(e, &next), left - 1))
					explore_from(e, &next, left - 1);
				if (happened)
					model_clear(&next);
				e->depth--;
				if (*e->found)
					return;
				if (!happened)
					break;
			}
		}
	}
}

/* Beginnings: the graph is whole, the manager runs on any host, with any options. */
static inline void explore_graph(explorer *e, unsigned depth)
{
	const model_graph *g = e->g;
	for (unsigned start = 0; start < g->n * MODEL_N_OPTIONS && !*e->found; start++) {
		model_world none = {.g = g, .switches = (uint8_t)((1u << g->n) - 1), .lmc = 0};
		model_world x = {0};
		none.hosts = none.switches;
		none.manager = (uint8_t)(start % g->n);
		none.option = (uint8_t)(start / g->n);
		memset(none.lft, ODO_NO_PORT, sizeof none.lft);
		for (unsigned h = 0; h < g->n; h++)
			none.at[h] = none.slot[h] = (uint8_t)h;
		explore_step k = {EXPLORE_N_ROWS - 1, 0, MODEL_NOBODY, MODEL_ALL};
		explore_step_from(e, &none, k, &x);
		if (!*e->found && explore_enter(e, explore_hash(e, &x), depth))
			explore_from(e, &x, depth);
		model_clear(&x);
	}
}

#endif

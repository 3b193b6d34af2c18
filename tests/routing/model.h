/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A small subnet, its manager as the plugin runs one, and applications that keep every SL they got.
 * Switches number at most 5, each with one host. The manager calls routing/reroute/connections.h in
 * the order of plugin/sweep/sweep.c. What applications use is counted apart from it, and judged
 * without the verifier. */
#ifndef ODONATA_TESTS_ROUTING_MODEL_H
#define ODONATA_TESTS_ROUTING_MODEL_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/mapping.h"
#include "routing/engine.h"
#include "routing/reroute/carry.h"
#include "routing/reroute/saved.h"
#include "routing/transition/transition.h"

enum {
	MODEL_MOST = 5,                            /* switches */
	MODEL_HOSTS = 16,                          /* first LID of a host */
	MODEL_LIDS = MODEL_HOSTS + 4 * MODEL_MOST, /* two slots of two LIDs for each host */
	MODEL_VLS = 16,
	MODEL_ROOM = MODEL_MOST * MODEL_LIDS,
	MODEL_SWITCH_GUID = 0x100,
	MODEL_PORT_GUID = 0x200
};

/* A connected graph, and the numberings of its switches that lead to the same graph. */
typedef struct model_graph {
	unsigned n, n_cables, n_perms;
	uint8_t end[10][2], perm[120][MODEL_MOST];
} model_graph;

/* Tables that several worlds share. */
typedef struct model_routed {
	unsigned uses;
	odo_fabric *f;
	odo_tables *t;
	bool any_sl;
	unsigned option;
} model_routed;

typedef enum model_asks { MODEL_NOBODY, MODEL_ALL, MODEL_ALL_HINT, MODEL_N_ASKS } model_asks;

/* SL that OpenSM suggests where it suggests one: of a partition. */
#define MODEL_HINT 5u

typedef struct model_world {
	const model_graph *g;
	uint16_t cut;                 /* cables without a link, a bit each */
	uint8_t switches, hosts;      /* those that are on, a bit each */
	uint8_t at[MODEL_MOST];       /* switch of each host */
	uint8_t slot[MODEL_MOST];     /* LIDs of each host: from MODEL_HOSTS + 2 * slot */
	uint8_t lmc, option, manager; /* manager: the host on which it runs */
	bool foreign;                 /* tables of another engine are in force */
	model_routed *routed, *file;
	odo_connections c;
	odo_history *file_history;
	uint8_t lft[MODEL_MOST][MODEL_LIDS]; /* in the switches */
	/* Truth: SLs that applications use, by port and LID. */
	uint16_t held[MODEL_MOST][MODEL_LIDS];
	uint32_t n_told;
} model_world;

/* Options that an operator may set. */
static const struct model_option {
	const char *name, *engine;
	unsigned max_vls, max_sls;
} model_options[] = {
	{"by topology", NULL, 0, 0},
	{"layered, max_vls=2", "layered", 2, 0},
	{"max_vls=1", NULL, 1, 0},
	{"max_sls=1", NULL, 0, 1},
};
enum { MODEL_N_OPTIONS = sizeof model_options / sizeof *model_options };

__attribute__((noreturn, format(printf, 1, 2))) static inline void model_die(const char *format,
									     ...)
{
	va_list list;
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
	exit(3);
}

static inline void model_must(int status, const odo_error *err)
{
	if (status)
		model_die("model: %s", err->text);
}

/* ---- Graphs ---- */

static inline unsigned model_edge(unsigned n, unsigned a, unsigned b)
{
	return a < b ? a * n + b : b * n + a;
}

/* Renumber the cables of a graph, a bit at model_edge() each. */
static inline uint32_t model_renumber(unsigned n, uint32_t cables, const uint8_t *perm)
{
	uint32_t out = 0;
	for (unsigned a = 0; a < n; a++)
		for (unsigned b = a + 1; b < n; b++)
			if (cables >> model_edge(n, a, b) & 1)
				out |= 1u << model_edge(n, perm[a], perm[b]);
	return out;
}

static inline unsigned model_reach(unsigned n, uint32_t cables, unsigned from)
{
	unsigned seen = 1u << from, before;
	do {
		before = seen;
		for (unsigned a = 0; a < n; a++)
			for (unsigned b = 0; b < n; b++)
				if (a != b && seen >> a & 1 && cables >> model_edge(n, a, b) & 1)
					seen |= 1u << b;
	} while (seen != before);
	return seen;
}

static inline unsigned model_permutations(unsigned n, uint8_t perm[120][MODEL_MOST])
{
	unsigned count = 0, total = 1;
	for (unsigned i = 0; i < n; i++)
		total *= n;
	for (unsigned code = 0; code < total; code++) {
		uint8_t p[MODEL_MOST] = {0};
		unsigned used = 0, left = code;
		for (unsigned i = 0; i < n; i++, left /= n)
			used |= 1u << (p[i] = (uint8_t)(left % n));
		if (used == (1u << n) - 1)
			memcpy(perm[count++], p, sizeof p);
	}
	return count;
}

/* List the connected graphs of n switches, one of each kind. @return their number */
static inline unsigned model_list_graphs(unsigned n, model_graph *out)
{
	uint8_t perm[120][MODEL_MOST];
	unsigned n_perms = model_permutations(n, perm), count = 0;
	for (uint32_t code = 0; code < 1u << n * (n - 1) / 2; code++) {
		model_graph g = {.n = n};
		uint32_t cables = 0, least = UINT32_MAX, bit = 0;
		for (unsigned a = 0; a < n; a++)
			for (unsigned b = a + 1; b < n; b++)
				if (code >> bit++ & 1)
					cables |= 1u << model_edge(n, a, b);
		for (unsigned i = 0; i < n_perms; i++) {
			uint32_t other = model_renumber(n, cables, perm[i]);
			least = other < least ? other : least;
			if (other == cables)
				memcpy(g.perm[g.n_perms++], perm[i], MODEL_MOST);
		}
		if (least != cables || model_reach(n, cables, 0) != (1u << n) - 1)
			continue;
		for (unsigned a = 0; a < n; a++)
			for (unsigned b = a + 1; b < n; b++)
				if (cables >> model_edge(n, a, b) & 1) {
					g.end[g.n_cables][0] = (uint8_t)a;
					g.end[g.n_cables++][1] = (uint8_t)b;
				}
		out[count++] = g;
	}
	return count;
}

/* ---- The fabric that the manager sees ---- */

/* Port of a switch to another one, or to a host. */
static inline unsigned model_port(unsigned to)
{
	return 1 + to;
}
static inline unsigned model_host_port(const model_world *x, unsigned host)
{
	return 1 + x->g->n + host;
}
static inline unsigned model_lid(const model_world *x, unsigned host)
{
	return MODEL_HOSTS + 2u * x->slot[host];
}

static inline uint32_t model_links(const model_world *x)
{
	uint32_t cables = 0;
	for (unsigned i = 0; i < x->g->n_cables; i++)
		if (!(x->cut >> i & 1) && x->switches >> x->g->end[i][0] & 1 &&
		    x->switches >> x->g->end[i][1] & 1)
			cables |= 1u << model_edge(x->g->n, x->g->end[i][0], x->g->end[i][1]);
	return cables;
}

/* Switches that the manager reaches; 0 if it is off. */
static inline unsigned model_seen(const model_world *x)
{
	unsigned s = x->at[x->manager];
	if (!(x->hosts >> x->manager & 1) || !(x->switches >> s & 1))
		return 0;
	return model_reach(x->g->n, model_links(x), s);
}

static inline bool model_is_here(const model_world *x, unsigned seen, unsigned host)
{
	return x->hosts >> host & 1 && seen >> x->at[host] & 1;
}

static inline odo_fabric *model_fabric(const model_world *x)
{
	static const odo_link_info link = {4, ODO_EDR, 8};
	unsigned n = x->g->n, seen = model_seen(x);
	uint32_t id[2 * MODEL_MOST], cables = model_links(x);
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	model_must(odo_builder_create(&b, &err), &err);
	for (unsigned s = 0; s < n; s++) {
		odo_node_info info = {ODO_SWITCH,        2 * n, MODEL_SWITCH_GUID + s, "s",
				      (uint16_t)(1 + s), 0};
		if (seen >> s & 1)
			model_must(odo_builder_add(b, &info, &id[s], &err), &err);
	}
	for (unsigned h = 0; h < n; h++) {
		odo_node_info info = {ODO_CA, 1, MODEL_PORT_GUID + 0x100 + h, "h", 0, 0};
		if (!model_is_here(x, seen, h))
			continue;
		model_must(odo_builder_add(b, &info, &id[n + h], &err), &err);
		model_must(odo_builder_port(b, id[n + h], 1, MODEL_PORT_GUID + h,
					    (uint16_t)model_lid(x, h), x->lmc, &err),
			   &err);
		model_must(odo_builder_link(b, id[n + h], 1, id[x->at[h]], model_host_port(x, h),
					    link, &err),
			   &err);
	}
	for (unsigned a = 0; a < n; a++)
		for (unsigned c = a + 1; c < n; c++)
			if (seen >> a & 1 && seen >> c & 1 && cables >> model_edge(n, a, c) & 1)
				model_must(odo_builder_link(b, id[a], model_port(c), id[c],
							    model_port(a), link, &err),
					   &err);
	model_must(odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &f, &err), &err);
	return f;
}

/* ---- Life of a world ---- */

static inline odo_history *model_copy_history(const odo_history *h)
{
	if (!h)
		return NULL;
	odo_history *copy = malloc(sizeof *copy);
	size_t n = (size_t)(h->by_pair ? h->n_switches : 1) * h->lid_count;
	if (!copy)
		model_die("no memory");
	*copy = *h;
#define MODEL_COPY(field, count)                                                                   \
	if (h->field) {                                                                            \
		copy->field = malloc((count) * sizeof *copy->field + 1);                           \
		memcpy(copy->field, h->field, (count) * sizeof *copy->field);                      \
	}
	MODEL_COPY(switch_guid, h->n_switches)
	MODEL_COPY(lid_guid, h->lid_count)
	MODEL_COPY(lid_row, h->lid_count)
	MODEL_COPY(held, n)
	MODEL_COPY(last, n)
	MODEL_COPY(owed, n)
	MODEL_COPY(port_guid, h->n_ports)
	MODEL_COPY(port_switch, h->n_ports)
#undef MODEL_COPY
	return copy;
}

static inline model_routed *model_share(model_routed *r)
{
	if (r)
		r->uses++;
	return r;
}

static inline void model_release(model_routed *r)
{
	if (!r || --r->uses)
		return;
	odo_tables_free(r->t);
	odo_fabric_free(r->f);
	free(r);
}

static inline void model_copy(model_world *to, const model_world *from)
{
	*to = *from;
	to->c.history = model_copy_history(from->c.history);
	to->file_history = model_copy_history(from->file_history);
	model_share(to->routed);
	model_share(to->file);
}

static inline void model_clear(model_world *x)
{
	model_release(x->routed);
	model_release(x->file);
	odo_history_free(x->c.history);
	odo_history_free(x->file_history);
	memset(x, 0, sizeof *x);
}

/* ---- Applications ---- */

static inline void model_ask_path(model_world *x, unsigned host, unsigned dlid, unsigned hint)
{
	const model_routed *r = x->routed;
	unsigned sl = x->foreign || !r
			      ? 0
			      : odo_connections_answer(&x->c, r->t, r->any_sl, (uint8_t)hint,
						       (uint16_t)model_lid(x, host),
						       (uint16_t)dlid);
	x->held[host][dlid] |= (uint16_t)(1u << sl);
}

/* Hosts ask for the paths to all LIDs that the manager knows. */
static inline void model_ask(model_world *x, model_asks asks)
{
	unsigned seen = model_seen(x), n = x->g->n, hint = asks == MODEL_ALL_HINT ? MODEL_HINT : 0;
	if (asks == MODEL_NOBODY || (!x->routed && !x->foreign))
		return;
	for (unsigned h = 0; h < n; h++) {
		if (!model_is_here(x, seen, h))
			continue;
		for (unsigned d = 0; d < n; d++) {
			if (seen >> d & 1)
				model_ask_path(x, h, 1 + d, hint);
			for (unsigned k = 0; model_is_here(x, seen, d) && k < 1u << x->lmc; k++)
				model_ask_path(x, h, model_lid(x, d) + k, hint);
		}
	}
}

/* Ports that are there drop the SLs that the log names for their switch. */
static inline void model_tell(model_world *x, const odo_fabric *f, const odo_sl_update *update)
{
	unsigned seen = model_seen(x);
	if (update->changes.n_reconnect > ODO_MAX_RECONNECT)
		model_die("model: more pairs must reconnect than are listed");
	for (uint64_t i = 0; i < update->changes.n_reconnect; i++) {
		unsigned s = (unsigned)(f->node_guid[update->list[i].s] - MODEL_SWITCH_GUID);
		for (unsigned h = 0; h < x->g->n; h++)
			if (model_is_here(x, seen, h) && x->at[h] == s)
				x->held[h][update->list[i].lid] &= (uint16_t)~update->list[i].held;
	}
	x->n_told += (uint32_t)update->changes.n_reconnect;
}

/* ---- The manager: plugin/sweep/sweep.c in short ---- */

/* Another manager starts, and reads what the last one left. */
static inline void model_take_over(model_world *x)
{
	FILE *file = tmpfile();
	odo_saved known;
	odo_error err;
	if (!file)
		model_die("model: no temporary file");
	model_must(odo_saved_write(x->file->t, x->file_history, x->file->option, file, &err), &err);
	rewind(file);
	model_must(odo_saved_read(file, "file", &known, &err), &err);
	fclose(file);
	odo_history_free(x->c.history);
	x->c = (odo_connections){.history = known.history};
	model_release(x->routed);
	model_routed *r = calloc(1, sizeof *r);
	*r = (model_routed){1, known.fabric, known.tables, odo_tables_sls_alike(known.tables),
			    known.choice};
	x->routed = r;
}

static inline int model_route(const model_world *x, model_routed *r)
{
	const struct model_option *o = &model_options[x->option];
	odo_route_options options = {.max_vls = o->max_vls,
				     .max_sls = o->max_sls,
				     .compare = true,
				     .history = x->c.history};
	odo_coordinates *c = NULL;
	odo_error err;
	if (x->routed && x->routed->option == x->option)
		options.before = x->routed->t;
	int status = odo_map(r->f, &c, &err);
	if (!status)
		status = odo_route(r->f, c, o->engine, &options, &r->t, &err);
	odo_coordinates_free(c);
	r->option = x->option;
	if (!status || !x->routed)
		return status;
	odo_carried carried;
	r->option = x->routed->option;
	return odo_carry(x->routed->t, x->c.history, r->f, &r->t, &carried, &err);
}

/* Write the tables into the switches. @return whether an entry changed */
static inline bool model_install(model_world *x, const model_routed *r)
{
	bool changed = false;
	for (uint32_t v = 0; v < r->f->n_switches; v++) {
		uint8_t *lft = x->lft[r->f->node_guid[v] - MODEL_SWITCH_GUID];
		const uint8_t *row = r->t->lft + (size_t)v * r->f->lid_count;
		changed |= memcmp(lft, row, r->f->lid_count) != 0;
		memcpy(lft, row, r->f->lid_count);
	}
	return changed;
}

static inline void model_save(model_world *x)
{
	x->c.unsaved = false;
	model_release(x->file);
	odo_history_free(x->file_history);
	x->file = model_share(x->routed);
	x->file_history = model_copy_history(x->c.history);
}

/* A sweep. @return false if it is another engine's */
static inline bool model_sweep(model_world *x)
{
	model_routed *r = calloc(1, sizeof *r);
	odo_sl_update update = {0};
	odo_error err;
	r->uses = 1;
	r->f = model_fabric(x);
	model_must(odo_connections_begin(&x->c, r->f, &err), &err);
	if (x->foreign || model_route(x, r)) {
		x->foreign = true;
		odo_connections_foreign(&x->c, 1);
		model_release(r);
		if (x->c.unsaved && x->routed)
			model_save(x);
		return false;
	}
	r->any_sl = odo_tables_sls_alike(r->t);
	model_must(odo_connections_compare(&x->c, r->t, &update, &err), &err);
	bool changed = model_install(x, r);
	bool unsaved = !x->file || x->c.unsaved || changed || update.changes.n_changed ||
		       update.changes.n_reconnect;
	odo_connections_update(&x->c, &update);
	model_release(x->routed);
	x->routed = r;
	model_tell(x, r->f, &update);
	odo_sl_update_clear(&update);
	if (unsaved)
		model_save(x);
	return true;
}

/* ---- The judge ---- */

/* Channels: link from a switch to another one, VL. For each the VLs at the next switches. */
typedef struct model_waits {
	uint16_t next[MODEL_MOST][MODEL_MOST][MODEL_VLS][MODEL_MOST];
	uint8_t state[MODEL_MOST][MODEL_MOST][MODEL_VLS];
} model_waits;

/* Follow packets of a host to a LID with an SL, wherever entries lead them. Nothing waits for a
 * link that is gone, or in it. */
static inline void model_follow(model_waits *w, const model_world *x, const uint32_t *number,
				uint32_t links, unsigned host, unsigned lid, unsigned sl)
{
	const odo_tables *t = x->routed->t;
	unsigned n = x->g->n, s = x->at[host], in = model_host_port(x, host), from = 0,
		 vl_before = 0;
	bool waits = false;
	for (unsigned hops = 0; hops <= n; hops++) {
		uint32_t v = number[s];
		if (v == ODO_NONE || lid >= t->fabric->lid_count)
			return;
		unsigned port = odo_next_port(t, v, lid);
		if (port < 1 || port > n)
			return;
		unsigned vl = odo_vl(t, v, in, port, sl), to = port - 1;
		if (vl >= MODEL_VLS - 1)
			return;
		bool lives = links >> model_edge(n, s, to) & 1;
		if (waits && lives)
			w->next[from][s][vl_before][to] |= (uint16_t)(1u << vl);
		waits = lives;
		in = model_port(s);
		vl_before = vl;
		from = s;
		s = to;
	}
}

/* Add the packets of all connections of ports that are there. @param links as of model_links() */
static inline void model_add_waits(model_waits *w, const model_world *x, uint32_t links,
				   bool hosts_only)
{
	const odo_fabric *f = x->routed->f;
	uint32_t number[MODEL_MOST];
	unsigned seen = model_seen(x);
	memset(number, 0xFF, sizeof number);
	for (uint32_t v = 0; v < f->n_switches; v++)
		number[f->node_guid[v] - MODEL_SWITCH_GUID] = v;
	for (unsigned h = 0; h < x->g->n; h++)
		for (unsigned lid = hosts_only ? MODEL_HOSTS : 1; lid < MODEL_LIDS; lid++)
			for (unsigned sls = model_is_here(x, seen, h) ? x->held[h][lid] : 0; sls;
			     sls &= sls - 1)
				model_follow(w, x, number, links, h, lid,
					     (unsigned)__builtin_ctz(sls));
}

static inline bool model_is_on_cycle(model_waits *w, unsigned a, unsigned b, unsigned vl)
{
	if (w->state[a][b][vl])
		return w->state[a][b][vl] == 1;
	w->state[a][b][vl] = 1;
	for (unsigned to = 0; to < MODEL_MOST; to++)
		for (unsigned vls = w->next[a][b][vl][to]; vls; vls &= vls - 1)
			if (model_is_on_cycle(w, b, to, (unsigned)__builtin_ctz(vls)))
				return true;
	w->state[a][b][vl] = 2;
	return false;
}

static inline bool model_has_cycle(model_waits *w)
{
	memset(w->state, 0, sizeof w->state);
	for (unsigned a = 0; a < MODEL_MOST; a++)
		for (unsigned b = 0; b < MODEL_MOST; b++)
			for (unsigned vl = 0; vl < MODEL_VLS; vl++)
				if (model_is_on_cycle(w, a, b, vl))
					return true;
	return false;
}

#endif

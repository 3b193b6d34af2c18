/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A fabric whose switches, hosts and cables go and come back, and whose hosts move and change their
 * LIDs. Applications keep every SL that they were given, by the port that sends and the LID that it
 * sends to, also while that port is away. They drop an SL only when it is reported while their port
 * is there. Nothing here asks the history what it remembers: packets are walked by the tables. */
#ifndef ODONATA_TESTS_ROUTING_ABSENT_H
#define ODONATA_TESTS_ROUTING_ABSENT_H

#include "series.h"

typedef struct absent {
	const odo_fabric *whole;
	const char *engine; /* NULL: by topology */
	uint32_t *peer;     /* [slots] other end of the cable as cabled now, or ODO_NONE */
	uint16_t *lid;      /* [slots] base LID of an adapter's port now */
	uint8_t *cut;       /* [slots] the cable has no link; both ends alike */
	uint8_t *gone;      /* [nodes] */
	uint32_t most_lids;
	odo_rng rng;
	odo_fabric *f; /* as it is now */
	odo_coordinates *c;
	odo_tables *t;
	odo_history *history;
	uint16_t *given;    /* [slots * most_lids] SLs that connections of a port hold */
	uint32_t *host;     /* [slots] host of the fabric as it is now, or ODO_NONE */
	odo_sl_changes all; /* of all sweeps */
	uint32_t in_cycles; /* channels, of the last sweep */
} absent;

static inline bool absent_links(const absent *x, uint32_t slot)
{
	uint32_t peer = x->peer[slot];
	return peer != ODO_NONE && !x->cut[slot] && !x->gone[x->whole->owner[slot]] &&
	       !x->gone[x->whole->owner[peer]];
}

static inline odo_fabric *absent_fabric(const absent *x)
{
	const odo_fabric *f = x->whole;
	uint32_t *id = calloc(f->n_nodes, sizeof *id);
	odo_builder *b;
	odo_fabric *out;
	odo_error err;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		bool is_switch = odo_is_switch(f, v);
		odo_node_info info = {.type = (odo_node_type)f->node_type[v],
				      .n_ports = odo_n_ports(f, v),
				      .guid = f->node_guid[v],
				      .name = odo_name(f, v),
				      .lid = is_switch ? f->switch_lid[v] : 0};
		if (x->gone[v])
			continue;
		assert_int_equal(odo_builder_add(b, &info, &id[v], &err), 0);
		for (unsigned p = 1; !is_switch && p <= info.n_ports; p++) {
			uint32_t slot = odo_slot(f, v, p);
			assert_int_equal(odo_builder_port(b, id[v], p, f->port_guid[slot],
							  absent_links(x, slot) ? x->lid[slot] : 0,
							  f->port_lmc[slot], &err),
					 0);
		}
	}
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t peer = x->peer[i];
		if (i > peer || !absent_links(x, i))
			continue;
		odo_link_info info = {f->width[i], f->speed[i], f->n_vls[i]};
		assert_int_equal(odo_builder_link(b, id[f->owner[i]], odo_port(f, i),
						  id[f->owner[peer]], odo_port(f, peer), info,
						  &err),
				 0);
	}
	if (odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &out, &err))
		fail_msg("%s", err.text);
	free(id);
	return out;
}

/* Which host each adapter's port is now. */
static inline void absent_find_hosts(absent *x)
{
	const odo_fabric *f = x->whole;
	memset(x->host, 0xFF, f->n_slots * sizeof *x->host);
	for (uint32_t h = 0; h < x->f->n_hosts; h++)
		for (uint32_t i = f->first_slot[f->n_switches]; i < f->n_slots; i++)
			if (f->port_guid[i] == x->f->port_guid[x->f->host_slot[h]])
				x->host[i] = h;
}

/* A packet from a host, wherever entries lead it, to whomever the LID belongs. */
static inline void absent_walk(naive *w, uint32_t host, unsigned sl, uint32_t lid)
{
	const odo_fabric *f = w->f;
	uint32_t slot = f->peer[f->host_slot[host]], held = ODO_NONE;
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		uint32_t s = f->owner[slot];
		unsigned in = odo_port(f, slot), port = odo_next_port(w->t, s, lid);
		if (port < 1 || port > odo_n_ports(f, s))
			return;
		uint32_t out = odo_slot(f, s, port);
		unsigned vl = odo_vl(w->t, s, in, port, sl);
		if (odo_next_switch(f, out) == ODO_NONE || vl >= ODO_MAX_VLS)
			return;
		if (held != ODO_NONE)
			w->waits[(size_t)held * w->n + out * NAIVE_VLS + vl] = 1;
		held = out * NAIVE_VLS + vl;
		slot = f->peer[out];
	}
}

/* Channels that are left when those that wait for none have been taken away, again and again. */
static inline uint32_t absent_count_cycles(const naive *w)
{
	uint8_t *gone = calloc(w->n + 1u, 1);
	const odo_fabric *f = w->f;
	uint32_t left = 0, before;
	do {
		before = left;
		left = 0;
		for (uint32_t a = 0; a < w->n; a++) {
			uint32_t t = odo_next_switch(f, a / NAIVE_VLS);
			bool waits = false;
			if (gone[a])
				continue;
			if (t != ODO_NONE)
				for (uint32_t b = f->first_slot[t] * NAIVE_VLS;
				     b < f->first_slot[t + 1] * NAIVE_VLS && !waits; b++)
					waits = w->waits[(size_t)a * w->n + b] && !gone[b];
			gone[a] = !waits;
			left += waits;
		}
	} while (left && left != before);
	free(gone);
	return left;
}

/* All that ports which are there hold, to any LID. */
static inline uint32_t absent_judge(const absent *x)
{
	naive w = {.t = x->t, .f = x->f};
	w.n = x->f->first_slot[x->f->n_switches] * NAIVE_VLS;
	w.waits = calloc((size_t)w.n * w.n + 1, 1);
	for (uint32_t i = 0; i < x->whole->n_slots; i++)
		for (uint32_t lid = 1; x->host[i] != ODO_NONE && lid < x->f->lid_count; lid++)
			for (unsigned sls = x->given[(size_t)i * x->most_lids + lid]; sls;
			     sls &= sls - 1)
				absent_walk(&w, x->host[i], (unsigned)__builtin_ctz(sls), lid);
	uint32_t n = absent_count_cycles(&w);
	free(w.waits);
	return n;
}

/* Ports that are there hear of what they must not use, and ask for all paths. */
static inline void absent_give(absent *x, const odo_reconnect *told, uint64_t n_told)
{
	for (uint32_t i = 0; i < x->whole->n_slots; i++) {
		uint16_t *given = x->given + (size_t)i * x->most_lids;
		if (x->host[i] == ODO_NONE)
			continue;
		uint32_t s = odo_host_switch(x->f, x->host[i]);
		for (uint64_t k = 0; k < n_told; k++)
			if (told[k].s == s)
				given[told[k].lid] &= (uint16_t)~told[k].held;
		for (uint32_t lid = 1; lid < x->f->lid_count; lid++)
			if (x->f->lid_switch[lid] != ODO_NONE &&
			    odo_next_port(x->t, s, lid) != ODO_NO_PORT)
				given[lid] |= (uint16_t)(1u << odo_path_sl(x->t, s, lid));
	}
}

/* A sweep, as the plugin makes one. @return whether no cycle follows from all SLs that are held */
static inline bool absent_sweep(absent *x)
{
	odo_fabric *f = absent_fabric(x);
	uint32_t room = f->n_switches * f->lid_count;
	odo_reconnect *told = calloc(room, sizeof *told);
	odo_route_options options = {.before = x->t, .history = x->history, .compare = true};
	odo_sl_changes changes = {0};
	odo_coordinates *c;
	odo_tables *t;
	odo_history *history;
	odo_error err;
	assert_int_equal(odo_map(f, &c, &err), 0);
	if (odo_route(f, c, x->engine, &options, &t, &err))
		fail_msg("%s", err.text);
	if (x->history)
		assert_int_equal(odo_history_compare(x->history, t, &changes, told, room, &err), 0);
	assert_int_equal(odo_history_note(x->history, t, &history, &err), 0);
	odo_history_free(x->history);
	odo_tables_free(x->t);
	odo_coordinates_free(x->c);
	odo_fabric_free(x->f);
	x->f = f;
	x->c = c;
	x->t = t;
	x->history = history;
	x->all.n_pairs += changes.n_pairs;
	x->all.n_changed += changes.n_changed;
	x->all.n_reconnect += changes.n_reconnect;
	absent_find_hosts(x);
	absent_give(x, told, changes.n_reconnect);
	free(told);
	x->in_cycles = absent_judge(x);
	return !x->in_cycles;
}

static inline void absent_start(absent *x, const odo_fabric *whole, uint64_t seed)
{
	*x = (absent){.whole = whole,
		      .engine = x->engine,
		      .most_lids = 2 * whole->lid_count,
		      .rng = odo_rng_make(seed, 0),
		      .peer = calloc(whole->n_slots, sizeof *x->peer),
		      .lid = calloc(whole->n_slots, sizeof *x->lid),
		      .cut = calloc(whole->n_slots, 1),
		      .gone = calloc(whole->n_nodes, 1),
		      .host = calloc(whole->n_slots, sizeof *x->host)};
	x->given = calloc((size_t)whole->n_slots * x->most_lids, sizeof *x->given);
	memcpy(x->peer, whole->peer, whole->n_slots * sizeof *x->peer);
	memcpy(x->lid, whole->port_lid, whole->n_slots * sizeof *x->lid);
	assert_true(absent_sweep(x));
}

static inline void absent_end(absent *x)
{
	odo_history_free(x->history);
	odo_tables_free(x->t);
	odo_coordinates_free(x->c);
	odo_fabric_free(x->f);
	free(x->peer);
	free(x->lid);
	free(x->cut);
	free(x->gone);
	free(x->host);
	free(x->given);
}

/* Slot of an adapter's port by the number of the whole fabric's host. */
static inline uint32_t absent_slot(const absent *x, uint32_t host)
{
	return x->whole->host_slot[host];
}

static inline void absent_cut(absent *x, uint32_t slot, bool cut)
{
	x->cut[slot] = cut;
	if (x->peer[slot] != ODO_NONE)
		x->cut[x->peer[slot]] = cut;
}

/* Links of a switch to hosts. */
static inline void absent_cut_hosts(absent *x, uint32_t s, bool cut)
{
	const odo_fabric *f = x->whole;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (x->peer[i] != ODO_NONE && !odo_is_switch(f, f->owner[x->peer[i]]))
			absent_cut(x, i, cut);
}

/* Cuts a cable between switches, or repairs one. */
static inline void absent_toggle_cable(absent *x, bool cut)
{
	const odo_fabric *f = x->whole;
	for (unsigned i = 0; i < 1000; i++) {
		uint32_t slot = odo_rng_below(&x->rng, f->first_slot[f->n_switches]);
		if (x->cut[slot] == cut || odo_next_switch(f, slot) == ODO_NONE)
			continue;
		absent_cut(x, slot, cut);
		return;
	}
}

/* The cables of two hosts' ports change places. */
static inline void absent_swap_places(absent *x, uint32_t a, uint32_t b)
{
	uint32_t i = absent_slot(x, a), k = absent_slot(x, b), at_i = x->peer[i], at_k = x->peer[k];
	x->peer[i] = at_k;
	x->peer[k] = at_i;
	x->peer[at_i] = k;
	x->peer[at_k] = i;
	x->cut[at_k] = x->cut[i];
	x->cut[at_i] = x->cut[k];
}

static inline void absent_swap_lids(absent *x, uint32_t a, uint32_t b)
{
	uint32_t i = absent_slot(x, a), k = absent_slot(x, b);
	uint16_t lid = x->lid[i];
	x->lid[i] = x->lid[k];
	x->lid[k] = lid;
}

#endif

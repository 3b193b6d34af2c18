/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A fabric whose cables are cut and repaired, routed after each, as applications see it: they keep
 * the SL that they were given. What was handed out is remembered here, apart from the code under
 * test, and the union of it is judged by walking every packet (naive.h). */
#ifndef ODONATA_TESTS_ROUTING_SERIES_H
#define ODONATA_TESTS_ROUTING_SERIES_H

#include <time.h>

#include "base/random.h"
#include "mapping/mapping.h"
#include "naive.h"
#include "routing/reroute/connections.h"

typedef struct series {
	const odo_fabric *whole;
	const char *engine; /* NULL: by topology */
	uint8_t *cut;       /* [slots of switches] by either end */
	uint32_t n_cut, most_cut;
	odo_rng rng;
	odo_fabric *f; /* as it is now */
	odo_coordinates *c;
	odo_tables *t;
	odo_history *history;
	uint16_t *given; /* [n_switches * lid_count] SLs that connections hold */
	odo_sl_changes changes;
	double ms;      /* of routing and proving */
	unsigned n_vls; /* operator's limit */
	bool forgetful; /* as before there was a history */
} series;

/* The fabric without what is cut, LIDs and all else as they were. */
static inline odo_fabric *series_fabric(const series *x)
{
	const odo_fabric *f = x->whole;
	odo_builder *b;
	odo_fabric *out;
	odo_error err;
	uint32_t id;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		bool is_switch = odo_is_switch(f, v);
		odo_node_info info = {.type = (odo_node_type)f->node_type[v],
				      .n_ports = odo_n_ports(f, v),
				      .guid = f->node_guid[v],
				      .name = odo_name(f, v),
				      .lid = is_switch ? f->switch_lid[v] : 0};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
		for (unsigned p = 1; !is_switch && p <= info.n_ports; p++)
			assert_int_equal(odo_builder_port(b, id, p, f->port_guid[odo_slot(f, v, p)],
							  f->port_lid[odo_slot(f, v, p)],
							  f->port_lmc[odo_slot(f, v, p)], &err),
					 0);
	}
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t v = f->owner[i], t = odo_neighbour(f, i);
		if (t == ODO_NONE || i > f->peer[i] || (t < f->n_switches && x->cut[i]))
			continue;
		odo_link_info info = {f->width[i], f->speed[i], f->n_vls[i]};
		assert_int_equal(odo_builder_link(b, v, odo_port(f, i), t, odo_port(f, f->peer[i]),
						  info, &err),
				 0);
	}
	if (odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &out, &err))
		fail_msg("%s", err.text);
	return out;
}

/* Channels that wait for none are taken away, then those that wait for these alone. A channel only
 * waits for those of the switch that it leads to. */
static inline bool series_acyclic(const naive *x)
{
	const odo_fabric *f = x->f;
	uint32_t *waits = calloc(x->n + 1u, sizeof *waits), *list = calloc(x->n + 1u, sizeof *list);
	uint32_t n = 0;
	for (uint32_t a = 0; a < x->n; a++) {
		uint32_t t = odo_next_switch(f, a / NAIVE_VLS);
		if (t != ODO_NONE)
			for (uint32_t b = f->first_slot[t] * NAIVE_VLS;
			     b < f->first_slot[t + 1] * NAIVE_VLS; b++)
				waits[a] += x->waits[(size_t)a * x->n + b];
		if (!waits[a])
			list[n++] = a;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = f->owner[list[i] / NAIVE_VLS];
		for (uint32_t in = f->first_slot[s]; in < f->first_slot[s + 1]; in++) {
			uint32_t from = odo_next_switch(f, in) == ODO_NONE ? ODO_NONE : f->peer[in];
			for (uint32_t vl = 0; from != ODO_NONE && vl < NAIVE_VLS; vl++) {
				uint32_t a = from * NAIVE_VLS + vl;
				if (x->waits[(size_t)a * x->n + list[i]] && !--waits[a])
					list[n++] = a;
			}
		}
	}
	free(waits);
	free(list);
	return n == x->n;
}

/* All packets under all SLs that were handed out to their pair. */
static inline bool series_union_safe(const series *x)
{
	const odo_fabric *f = x->f;
	naive w = {.t = x->t, .f = f, .delivers = true, .within_vls = true};
	w.n = f->first_slot[f->n_switches] * NAIVE_VLS;
	w.waits = calloc((size_t)w.n * w.n + 1, 1);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t lid = 1; lid < f->lid_count; lid++) {
			unsigned sls = x->given[(size_t)s * f->lid_count + lid];
			if (odo_next_port(x->t, s, lid) == ODO_NO_PORT)
				continue;
			for (; sls; sls &= sls - 1) {
				unsigned sl = (unsigned)__builtin_ctz(sls);
				naive_walk(&w, s, 0, sl, lid);
				for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
					if (f->slot_host[i] != ODO_NONE)
						naive_walk(&w, s, odo_port(f, i), sl, lid);
			}
		}
	}
	bool safe = w.delivers && w.within_vls && series_acyclic(&w);
	free(w.waits);
	return safe;
}

/* Have applications anything to do with a pair? */
static inline bool series_has_hosts(const odo_fabric *f, uint32_t s, uint32_t lid)
{
	uint32_t i = f->first_slot[s], end = f->first_slot[s + 1];
	while (i < end && f->slot_host[i] == ODO_NONE)
		i++;
	return i < end && f->lid_host[lid] != ODO_NONE;
}

/* What is handed out now is held; a pair that is told to reconnect holds no more what it must not.
 */
static inline void series_give(series *x, const odo_reconnect *told)
{
	const odo_fabric *f = x->f;
	for (uint64_t i = 0; i < x->changes.n_reconnect; i++)
		x->given[(size_t)told[i].s * f->lid_count + told[i].lid] &= (uint16_t)~told[i].held;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t lid = 1; lid < f->lid_count; lid++)
			if (series_has_hosts(f, s, lid) &&
			    odo_next_port(x->t, s, lid) != ODO_NO_PORT)
				x->given[(size_t)s * f->lid_count + lid] |=
					(uint16_t)(1u << odo_path_sl(x->t, s, lid));
}

static inline void series_route(series *x)
{
	odo_fabric *f = series_fabric(x);
	odo_coordinates *c;
	odo_tables *t;
	odo_error err;
	odo_history *history;
	uint32_t room = f->n_switches * f->lid_count;
	odo_reconnect *told = calloc(room, sizeof *told);
	odo_route_options options = {
		.before = x->t, .history = x->forgetful ? NULL : x->history, .max_vls = x->n_vls};
	assert_int_equal(odo_map(f, &c, &err), 0);
	clock_t begin = clock();
	if (odo_route(f, c, x->engine, &options, &t, &err))
		fail_msg("%s", err.text);
	x->ms = 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC;
	x->changes = (odo_sl_changes){0};
	if (x->history && !x->forgetful)
		assert_int_equal(odo_history_compare(x->history, t, &x->changes, told, room, &err),
				 0);
	assert_int_equal(odo_history_note(x->history, t, &history, &err), 0);
	odo_history_free(x->history);
	odo_tables_free(x->t);
	odo_coordinates_free(x->c);
	odo_fabric_free(x->f);
	x->history = history;
	x->t = t;
	x->c = c;
	x->f = f;
	series_give(x, told);
	free(told);
}

static inline void series_start(series *x, const odo_fabric *whole, uint64_t seed, uint32_t most)
{
	x->whole = whole;
	x->most_cut = most;
	x->rng = odo_rng_make(seed, 0);
	x->cut = calloc(whole->n_slots, 1);
	x->given = calloc((size_t)whole->n_switches * whole->lid_count, sizeof *x->given);
	series_route(x);
}

/* Cuts a cable between switches or repairs one. @return its slot */
static inline uint32_t series_change(series *x)
{
	const odo_fabric *f = x->whole;
	bool repair = x->n_cut && (x->n_cut == x->most_cut || odo_rng_below(&x->rng, 2));
	uint32_t slot;
	do {
		slot = odo_rng_below(&x->rng, f->first_slot[f->n_switches]);
	} while (odo_next_switch(f, slot) == ODO_NONE || x->cut[slot] != repair);
	x->cut[slot] = x->cut[f->peer[slot]] = !repair;
	x->n_cut = repair ? x->n_cut - 1 : x->n_cut + 1;
	return slot;
}

static inline void series_end(series *x)
{
	odo_history_free(x->history);
	odo_tables_free(x->t);
	odo_coordinates_free(x->c);
	odo_fabric_free(x->f);
	free(x->cut);
	free(x->given);
}

#endif

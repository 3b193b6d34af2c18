/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A second opinion on static tables, as plain as can be: every packet is walked hop by hop, one
 * at a time, and what it holds and waits for is written into a matrix. Shares no code with the
 * verifier. */
#ifndef ODONATA_TESTS_ROUTING_NAIVE_H
#define ODONATA_TESTS_ROUTING_NAIVE_H

#include "fixture.h"

typedef struct naive {
	const odo_tables *t;
	const odo_fabric *f;
	uint32_t n;     /* channels: (slot, VL) */
	uint8_t *waits; /* [n * n] */
	uint64_t n_waits;
	uint32_t max_hops;
	bool delivers, deadlock_free, within_vls;
} naive;

enum { NAIVE_VLS = 16 };

static inline void naive_vl(naive *x, uint32_t slot, unsigned vl)
{
	if (vl == ODO_VL_DROP)
		x->delivers = false;
	else if (vl >= x->t->n_vls || vl >= x->f->n_vls[slot])
		x->within_vls = false;
}

/* A packet that came into switch s by port `in` (0: it starts there). */
static inline void naive_walk(naive *x, uint32_t s, unsigned in, unsigned sl, uint32_t lid)
{
	const odo_fabric *f = x->f;
	uint32_t held = ODO_NONE;
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		unsigned port = odo_next_port(x->t, s, lid);
		bool home = f->lid_switch[lid] == s;
		if (home && hops > x->max_hops)
			x->max_hops = hops;
		if (home && port == f->lid_port[lid] && !port)
			return;
		if (port < 1 || port > odo_n_ports(f, s) || (home && port != f->lid_port[lid]))
			break;
		uint32_t slot = odo_slot(f, s, port);
		unsigned vl = odo_vl(x->t, s, in, port, sl);
		naive_vl(x, slot, vl);
		if (home)
			return;
		if (odo_next_switch(f, slot) == ODO_NONE)
			break;
		if (vl >= NAIVE_VLS)
			return;
		uint32_t channel = slot * NAIVE_VLS + vl;
		if (held != ODO_NONE)
			x->waits[(size_t)held * x->n + channel] = 1;
		held = channel;
		in = odo_port(f, f->peer[slot]);
		s = odo_next_switch(f, slot);
	}
	x->delivers = false;
}

/* Switches that cables connect with s. */
static inline void naive_spread(const odo_fabric *f, uint32_t s, uint8_t *near)
{
	near[s] = 1;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (odo_next_switch(f, i) != ODO_NONE && !near[odo_next_switch(f, i)])
			naive_spread(f, odo_next_switch(f, i), near);
}

static inline void naive_lid(naive *x, uint32_t lid)
{
	const odo_fabric *f = x->f;
	uint8_t *near = calloc(f->n_switches, 1);
	naive_spread(f, f->lid_switch[lid], near);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		unsigned sl = odo_path_sl(x->t, s, lid);
		if (!near[s]) {
			x->delivers &= odo_next_port(x->t, s, lid) == ODO_NO_PORT;
			continue;
		}
		if (x->t->from.carried && odo_next_port(x->t, s, lid) == ODO_NO_PORT)
			continue; /* left out: nothing sets out from here */
		naive_walk(x, s, 0, sl, lid);
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t h = f->slot_host[i];
			if (h == ODO_NONE)
				continue;
			naive_vl(x, f->host_slot[h], x->t->rows[x->t->host_row[h]].vl[sl]);
			naive_walk(x, s, odo_port(f, i), sl, lid);
		}
	}
	free(near);
}

/* Channels that wait for none, and then those that wait only for these, are taken away until
 * none is left, or only those of cycles and before them. */
static inline bool naive_acyclic(const naive *x)
{
	uint8_t *gone = calloc(x->n + 1u, 1);
	uint32_t left = 0, before = 1;
	for (bool first = true; first || (left && left != before); first = false) {
		before = left;
		left = 0;
		for (uint32_t a = 0; a < x->n; a++) {
			bool waits = false;
			for (uint32_t b = 0; !gone[a] && b < x->n && !waits; b++)
				waits = x->waits[(size_t)a * x->n + b] && !gone[b];
			gone[a] |= !waits;
			left += waits;
		}
	}
	free(gone);
	return !left;
}

/* Channels that packets wait for, of tables without choices; every SL must be one of theirs. `waits`
 * is for free(). */
static inline naive naive_follow(const odo_tables *t)
{
	naive x = {.t = t, .f = t->fabric, .delivers = true, .within_vls = true};
	x.n = x.f->first_slot[x.f->n_switches] * NAIVE_VLS;
	x.waits = calloc((size_t)x.n * x.n + 1, 1);
	for (uint32_t lid = 0; lid < x.f->lid_count; lid++)
		if (x.f->lid_switch[lid] != ODO_NONE &&
		    (!t->hosts_only || x.f->lid_host[lid] != ODO_NONE))
			naive_lid(&x, lid);
	for (size_t i = 0; i < (size_t)x.n * x.n; i++)
		x.n_waits += x.waits[i];
	return x;
}

static inline naive naive_check(const odo_tables *t)
{
	naive x = naive_follow(t);
	x.deadlock_free = naive_acyclic(&x);
	free(x.waits);
	x.waits = NULL;
	return x;
}

#endif

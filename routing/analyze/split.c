/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/analyze/split.h"

#include <math.h>

#include "base/arena.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/pass.h"

typedef struct traffic {
	const odo_tables *t;
	const odo_flow *flows;
	size_t n;
	odo_commodities *commodities;
	odo_arena memory;
	double *sent, *received; /* [n_hosts] */
	double *capacity;        /* [slots of switches] */
} traffic;

static int prepare_traffic(traffic *x, odo_error *err)
{
	const odo_fabric *f = x->t->fabric;
	uint32_t n = f->first_slot[f->n_switches];
	int status = odo_commodities_create(x->t, x->flows, x->n, &x->commodities, err);
	if (status)
		return status;
	x->sent = odo_arena_new(&x->memory, f->n_hosts, sizeof *x->sent);
	x->received = odo_arena_new(&x->memory, f->n_hosts, sizeof *x->received);
	x->capacity = odo_arena_new(&x->memory, n, sizeof *x->capacity);
	if (x->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for loads of %u ports", n);
	odo_commodities_host_rates(x->commodities, x->sent, x->received);
	for (uint32_t i = 0; i < n; i++)
		if (odo_next_switch(f, i) != ODO_NONE)
			x->capacity[i] = odo_cable_capacity(f, i) / odo_unit_rate(f);
	return 0;
}

/* Return the rate of flows to hosts without a LID. */
static double unaddressed_rate(const traffic *x)
{
	double rate = 0;
	for (size_t i = 0; i < x->n; i++)
		if (x->flows[i].from != x->flows[i].to)
			rate += (double)x->flows[i].rate;
	for (uint32_t h = 0; x->flows && h < x->t->fabric->n_hosts; h++)
		rate -= x->sent[h];
	return rate > 1e-6 ? rate : 0;
}

/* Compute the loads of the even split. */
static int spread_evenly(const traffic *x, odo_analysis *a)
{
	const odo_fabric *f = x->t->fabric;
	odo_pass pass = {0};
	int status = 0;
	for (uint32_t i = 0; !status && i < odo_commodities_count(x->commodities); i++) {
		const odo_states *g = odo_commodities_states(x->commodities, i);
		status = g ? odo_pass_send_evenly(&pass, g, a->load) : ODO_ENOMEM;
	}
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t own = f->host_slot[h];
		a->load[own] = x->sent[h];
		if (f->peer[own] != ODO_NONE)
			a->load[f->peer[own]] = x->received[h];
	}
	a->lost = pass.lost + unaddressed_rate(x);
	odo_pass_clear(&pass);
	return status;
}

static void conclude_even_split(const traffic *x, const odo_coordinates *c, odo_analysis *a)
{
	const odo_fabric *f = x->t->fabric;
	double sends = 0, rate = 0, hops = 0;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		sends = fmax(sends, x->sent[h]);
		rate += x->sent[h];
	}
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++)
		hops += x->capacity[i] > 0 ? a->load[i] : 0;
	odo_analysis_conclude(x->t, c, sends, a);
	a->mean_hops = rate > 0 ? hops / rate : 0;
}

/* Return the load at which a host's own cable is full, in either direction. */
static double bound_of_hosts(const traffic *x, const odo_analysis *a)
{
	const odo_fabric *f = x->t->fabric;
	double most = 0;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		most = fmax(most, fmax(x->sent[h], a->use[f->host_slot[h]]));
		if (f->peer[f->host_slot[h]] != ODO_NONE)
			most = fmax(most, a->use[f->peer[f->host_slot[h]]]);
	}
	return most > 0 ? 1 / most : 0;
}

int odo_split_find(const odo_tables *t, const odo_coordinates *c, const odo_flow *flows, size_t n,
		   const odo_split_limits *limits, odo_split *out, odo_analysis *even,
		   odo_error *err)
{
	traffic x = {.t = t, .flows = flows, .n = n};
	*out = (odo_split){0};
	*even = (odo_analysis){0};
	if (!t->adaptive)
		return odo_fail(err, ODO_EDECLINE, "routing %s leaves switches no choice",
				t->engine);
	int status = odo_analysis_begin(t, even, err);
	if (!status)
		status = prepare_traffic(&x, err);
	if (!status && spread_evenly(&x, even))
		status = odo_fail(err, ODO_ENOMEM, "no memory for the states of packets");
	if (!status) {
		conclude_even_split(&x, c, even);
		out->even = even->saturation;
		status = odo_split_best(x.commodities, x.capacity,
					t->fabric->first_slot[t->fabric->n_switches],
					bound_of_hosts(&x, even), limits, t->watch, out);
		if (status)
			odo_fail(err, status, "no memory for the split of a traffic");
	}
	odo_commodities_free(x.commodities);
	odo_arena_free(&x.memory);
	return status;
}

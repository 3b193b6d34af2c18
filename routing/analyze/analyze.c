/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/analyze/analyze.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/random.h"
#include "routing/analyze/internal.h"

/* Rate of a cable, to compare cables. An unknown speed counts as QDR, the most common one. */
double odo_cable_capacity(const odo_fabric *f, uint32_t slot)
{
	uint32_t lane = odo_lane_rate(f->speed[slot]), lanes = f->width[slot];
	return (double)(lane ? lane : odo_lane_rate(ODO_QDR)) * (lanes ? lanes : 4);
}

void odo_analysis_clear(odo_analysis *a)
{
	free(a->load);
	free(a->use);
	*a = (odo_analysis){0};
}

static int begin_static(const odo_tables *t, odo_analysis *a, odo_error *err)
{
	*a = (odo_analysis){0};
	if (t->adaptive)
		return odo_fail(err, ODO_EDECLINE,
				"routing %s is adaptive: its loads depend on the traffic itself",
				t->engine);
	return odo_analysis_begin(t, a, err);
}

int odo_analysis_begin(const odo_tables *t, odo_analysis *a, odo_error *err)
{
	*a = (odo_analysis){.n_slots = t->fabric->n_slots};
	a->load = odo_new(a->n_slots, sizeof *a->load);
	a->use = odo_new(a->n_slots, sizeof *a->use);
	return a->load && a->use
		       ? 0
		       : odo_fail(err, ODO_ENOMEM, "no memory for loads of %u ports", a->n_slots);
}

static odo_class_load *load_class_of(const odo_fabric *f, const odo_coordinates *c, odo_analysis *a,
				     uint32_t slot)
{
	if (!odo_is_switch(f, f->owner[slot]))
		return &a->inject;
	if (f->slot_host[slot] != ODO_NONE)
		return &a->eject;
	if (!c || c->kind == ODO_KIND_UNKNOWN || c->port_class[slot] >= ODO_MAX_DIMS)
		return &a->other;
	return &a->dim[c->port_class[slot]];
}

static void divide_mean(odo_class_load *l)
{
	if (l->n_channels)
		l->mean /= l->n_channels;
}

double odo_unit_rate(const odo_fabric *f)
{
	double unit = 0;
	for (uint32_t h = 0; h < f->n_senders; h++)
		unit = fmax(unit, odo_cable_capacity(f, f->host_slot[h]));
	return unit;
}

void odo_analysis_conclude(const odo_tables *t, const odo_coordinates *c, double sends,
			   odo_analysis *a)
{
	const odo_fabric *f = t->fabric;
	double unit = odo_unit_rate(f), total = 0;
	for (uint32_t slot = 0; slot < a->n_slots; slot++) {
		if (f->peer[slot] == ODO_NONE)
			continue;
		odo_class_load *l = load_class_of(f, c, a, slot);
		a->use[slot] = a->load[slot] * unit / odo_cable_capacity(f, slot);
		a->max_use = fmax(a->max_use, a->use[slot]);
		l->n_channels++;
		l->mean += a->use[slot];
		l->max = fmax(l->max, a->use[slot]);
	}
	for (unsigned i = 0; i < ODO_MAX_DIMS; i++)
		divide_mean(&a->dim[i]);
	divide_mean(&a->inject);
	divide_mean(&a->eject);
	divide_mean(&a->other);
	double most = fmax(a->max_use, sends);
	a->saturation = most > 0 ? 1 / most : 0;
	for (unsigned i = 0; i < ODO_MAX_HISTOGRAM; i++) {
		total += a->hops[i];
		a->mean_hops += i * a->hops[i];
	}
	if (total > 0)
		a->mean_hops /= total;
}

uint32_t odo_follow_on(const odo_tables *t, uint32_t s, uint32_t lid, uint32_t *path)
{
	const odo_fabric *f = t->fabric;
	uint32_t home = f->lid_switch[lid], n = 0;
	while (s != home) {
		unsigned port = odo_next_port(t, s, lid);
		if (!port || port > odo_n_ports(f, s) || n >= ODO_MAX_PATH)
			return 0;
		uint32_t slot = odo_slot(f, s, port);
		s = odo_next_switch(f, slot);
		if (s == ODO_NONE)
			return 0;
		path[n++] = slot;
	}
	if (odo_next_port(t, s, lid) != f->lid_port[lid] || !f->lid_port[lid])
		return 0;
	path[n++] = odo_slot(f, s, f->lid_port[lid]);
	return n;
}

uint32_t odo_follow(const odo_tables *t, uint32_t from, uint32_t lid, uint32_t *path)
{
	path[0] = t->fabric->host_slot[from];
	uint32_t n = odo_follow_on(t, odo_host_switch(t->fabric, from), lid, path + 1);
	return n ? n + 1 : 0;
}

static void add_flow(const odo_tables *t, const odo_flow *flow, odo_analysis *a)
{
	const odo_fabric *f = t->fabric;
	uint32_t own = f->host_slot[flow->to], path[ODO_MAX_PATH + 3];
	uint32_t n_lids = odo_count_host_lids(f, flow->to);
	double part = n_lids ? (double)flow->rate / n_lids : 0;
	a->lost += n_lids ? 0 : (double)flow->rate;
	for (uint32_t k = 0; k < n_lids; k++) {
		uint32_t n = odo_follow(t, flow->from, f->port_lid[own] + k, path);
		for (uint32_t i = 0; i < n; i++)
			a->load[path[i]] += part;
		if (n)
			a->hops[n - 2 < ODO_MAX_HISTOGRAM ? n - 2 : ODO_MAX_HISTOGRAM - 1] += part;
		else
			a->lost += part;
	}
}

int odo_analyze_flows(const odo_tables *t, const odo_coordinates *c, const odo_flow *flows,
		      size_t n, odo_analysis *out, odo_error *err)
{
	int status = begin_static(t, out, err);
	if (status)
		return status;
	for (size_t i = 0; i < n; i++)
		if (flows[i].from != flows[i].to)
			add_flow(t, &flows[i], out);
	double sends = 0;
	for (uint32_t h = 0; h < t->fabric->n_hosts; h++)
		sends = fmax(sends, out->load[t->fabric->host_slot[h]]);
	odo_analysis_conclude(t, c, sends, out);
	return 0;
}

/* Add a part of a flow on the fullest cable of its path. */
static void add_fullest(const odo_tables *t, const odo_flow *flow, const odo_analysis *a,
			double *counted)
{
	const odo_fabric *f = t->fabric;
	uint32_t own = f->host_slot[flow->to], path[ODO_MAX_PATH + 3];
	uint32_t n_lids = odo_count_host_lids(f, flow->to);
	for (uint32_t k = 0; k < n_lids; k++) {
		uint32_t n = odo_follow(t, flow->from, f->port_lid[own] + k, path);
		uint32_t fullest = path[0];
		for (uint32_t i = 1; i < n; i++)
			fullest = a->use[path[i]] > a->use[fullest] ? path[i] : fullest;
		counted[fullest] += n ? (double)flow->rate / n_lids : 0;
	}
}

int odo_analyze_most(const odo_tables *t, const odo_flow *flows, size_t n, const odo_analysis *a,
		     double *most, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	double *counted = odo_new(a->n_slots, sizeof *counted), unit = odo_unit_rate(f);
	if (!counted)
		return odo_fail(err, ODO_ENOMEM, "no memory for loads of %u ports", a->n_slots);
	for (size_t i = 0; i < n; i++)
		if (flows[i].from != flows[i].to)
			add_fullest(t, &flows[i], a, counted);
	*most = 0;
	for (uint32_t slot = 0; slot < a->n_slots; slot++)
		if (counted[slot] > 0)
			*most += fmin(counted[slot], odo_cable_capacity(f, slot) / unit);
	free(counted);
	return 0;
}

int odo_analyze_uniform(const odo_tables *t, const odo_coordinates *c, odo_analysis *out,
			double *index, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	int status = begin_static(t, out, err);
	if (!status)
		status = odo_count_pairs(t, out, err);
	if (status)
		return status;
	double most = 0, rate = f->n_senders > 1 ? 1.0 / (f->n_senders - 1) : 0;
	for (uint32_t slot = 0; slot < out->n_slots; slot++) {
		if (odo_is_switch(f, f->owner[slot]) && odo_next_switch(f, slot) != ODO_NONE)
			most = fmax(most, out->load[slot]);
		out->load[slot] *= rate;
	}
	for (unsigned i = 0; i < ODO_MAX_HISTOGRAM; i++)
		out->hops[i] *= rate;
	out->lost *= rate;
	if (index)
		*index = most;
	odo_analysis_conclude(t, c, f->n_senders > 1, out);
	return 0;
}

uint32_t odo_analysis_worst(const odo_analysis *a, uint32_t n, uint32_t *worst)
{
	uint32_t found = 0;
	for (uint32_t slot = 0; slot < a->n_slots; slot++) {
		if (a->use[slot] <= 0 ||
		    (found == n && (!n || a->use[slot] <= a->use[worst[n - 1]])))
			continue;
		uint32_t at = found < n ? found++ : n - 1;
		for (; at > 0 && a->use[worst[at - 1]] < a->use[slot]; at--)
			worst[at] = worst[at - 1];
		worst[at] = slot;
	}
	return found;
}

/*
 * Rate one bisection: each host has one partner, and both send.
 * @return the mean share of the unit rate
 */
static double rate_bisection(const odo_tables *t, const uint32_t *host, uint32_t half,
			     uint32_t *count, uint32_t *paths, uint32_t *lengths)
{
	const odo_fabric *f = t->fabric;
	double sum = 0;
	memset(count, 0, f->n_slots * sizeof *count);
	for (uint32_t i = 0; i < 2 * half; i++) {
		uint32_t from = host[i], to = host[i < half ? i + half : i - half];
		uint32_t *path = paths + (size_t)i * (ODO_MAX_PATH + 3);
		uint32_t lid = f->port_lid[f->host_slot[to]];
		lengths[i] = lid ? odo_follow(t, from, lid, path) : 0;
		for (uint32_t k = 0; k < lengths[i]; k++)
			count[path[k]]++;
	}
	for (uint32_t i = 0; i < 2 * half; i++) {
		const uint32_t *path = paths + (size_t)i * (ODO_MAX_PATH + 3);
		double least = lengths[i] ? INFINITY : 0;
		for (uint32_t k = 0; k < lengths[i]; k++)
			least = fmin(least, odo_cable_capacity(f, path[k]) / count[path[k]]);
		sum += least;
	}
	return half ? sum / (2.0 * half) / odo_unit_rate(f) : 0;
}

int odo_analyze_bisection(const odo_tables *t, unsigned trials, uint64_t seed, double *mean,
			  double *least, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	if (t->adaptive)
		return odo_fail(err, ODO_EDECLINE, "routing %s is adaptive", t->engine);
	odo_arena scratch = {0};
	uint32_t *host = odo_arena_new(&scratch, f->n_senders, sizeof *host);
	uint32_t *count = odo_arena_new(&scratch, f->n_slots, sizeof *count);
	uint32_t *lengths = odo_arena_new(&scratch, f->n_senders, sizeof *lengths);
	uint32_t *paths = odo_arena_new(&scratch, f->n_senders, (ODO_MAX_PATH + 3) * sizeof *paths);
	int status = scratch.failed ? odo_fail(err, ODO_ENOMEM, "no memory for bisections") : 0;
	*mean = 0;
	*least = 1;
	for (unsigned i = 0; i < trials && !status; i++) {
		odo_rng rng = odo_rng_make(seed, i);
		for (uint32_t h = 0; h < f->n_senders; h++)
			host[h] = h;
		odo_rng_shuffle(&rng, host, f->n_senders);
		double share = rate_bisection(t, host, f->n_senders / 2, count, paths, lengths);
		*mean += share / trials;
		*least = fmin(*least, share);
	}
	odo_arena_free(&scratch);
	return status;
}

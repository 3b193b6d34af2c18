/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "saturation/bound.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Maximum number of flows; they take 1.2 GB. */
#define MAX_FLOWS 100000000ull

/* Range of ranks that a rank sends to in one part of a traffic, itself left out. */
static odo_range range_of(const odo_draw *draw, uint32_t rank)
{
	uint32_t index = draw->range_of ? draw->range_of[rank] : 0;
	return index == ODO_NONE ? (odo_range){0, 0} : draw->ranges[index];
}

static uint64_t count_flows(const odo_traffic *traffic)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < traffic->phases[0].n_parts; i++)
		for (uint32_t rank = 0; rank < traffic->order->n_hosts; rank++)
			n += range_of(&traffic->parts[traffic->phases[0].first_part + i].draw, rank)
				     .count;
	return n;
}

static size_t add_flows(const odo_order *o, const odo_draw *draw, double share, odo_flow *flows)
{
	size_t n = 0;
	for (uint32_t rank = 0; rank < o->n_hosts; rank++) {
		odo_range r = range_of(draw, rank);
		uint32_t own = rank - r.first < r.count, others = r.count - own;
		for (uint32_t i = 0; i < r.count; i++)
			if (r.first + i != rank)
				flows[n++] = (odo_flow){o->host[rank], o->host[r.first + i],
							(float)(share / others)};
	}
	return n;
}

int odo_traffic_flows(const odo_traffic *traffic, odo_flow **flows, size_t *n, odo_error *err)
{
	const odo_traffic_part *part = traffic->parts + traffic->phases[0].first_part;
	*flows = NULL;
	*n = 0;
	if (traffic->n_phases > 1)
		return odo_fail(err, ODO_EINPUT,
				"expected a traffic that stays as it is, found "
				"one that changes");
	uint64_t most = count_flows(traffic);
	if (most > MAX_FLOWS)
		return odo_fail(err, ODO_EDECLINE,
				"the traffic has %llu pairs of hosts, and %llu can be followed",
				(unsigned long long)most, MAX_FLOWS);
	*flows = odo_new(most, sizeof **flows);
	if (!*flows)
		return odo_fail(err, ODO_ENOMEM, "no memory for %llu pairs of hosts",
				(unsigned long long)most);
	for (uint32_t i = 0; i < traffic->phases[0].n_parts; i++) {
		uint32_t before = i ? part[i - 1].below : 0;
		*n += add_flows(traffic->order, &part[i].draw, (part[i].below - before) / 100.0,
				*flows + *n);
	}
	return 0;
}

/* Do all cables have the rate of hosts' cables? */
static bool cables_are_alike(const odo_analysis *a)
{
	for (uint32_t slot = 0; slot < a->n_slots; slot++)
		if (fabs(a->use[slot] - a->load[slot]) > 1e-9 * a->load[slot])
			return false;
	return true;
}

static int conclude_bound(const odo_tables *tables, const odo_flow *flows, size_t n,
			  const odo_analysis *a, odo_bound *out, odo_error *err)
{
	double most = 0, offered = 0;
	for (size_t i = 0; i < n; i++)
		offered += (double)flows[i].rate;
	if (a->max_use <= 0)
		return odo_fail(err, ODO_EDECLINE, "no host sends anything");
	if (a->lost > 0)
		return odo_fail(err, ODO_EDECLINE, "the tables do not deliver all of the traffic");
	if (!cables_are_alike(a))
		return odo_fail(err, ODO_EDECLINE,
				"cables differ in speed: the bound is that of cables alike");
	int status = odo_analyze_most(tables, flows, n, a, &most, err);
	out->load = fmin(a->saturation, 1);
	out->accepted = out->load * offered / tables->fabric->n_senders;
	out->most = most / tables->fabric->n_senders;
	return status;
}

int odo_bound_find(const odo_tables *tables, const odo_traffic *traffic, odo_bound *out,
		   odo_error *err)
{
	odo_flow *flows;
	odo_analysis a = {0};
	size_t n;
	int status = odo_traffic_flows(traffic, &flows, &n, err);
	if (!status)
		status = odo_analyze_flows(tables, NULL, flows, n, &a, err);
	if (!status)
		status = conclude_bound(tables, flows, n, &a, out, err);
	odo_analysis_clear(&a);
	free(flows);
	return status;
}

/* A load this near to one that fills a channel is taken to fill it. */
#define FILLS 1e-6
/* Limit for the search of a split: some seconds, since a load that fills channels may take minutes
 * to try. The result found until then is a valid bound, though not always the best. */
#define BOUND_ARCS 1600000000ull

static bool has_one_rate(const odo_fabric *f)
{
	uint32_t rate = 0;
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		if (f->peer[slot] == ODO_NONE)
			continue;
		if (rate && odo_cable_rate(f, slot) != rate)
			return false;
		rate = odo_cable_rate(f, slot);
	}
	return true;
}

void odo_bound_search(const odo_emulation *e, odo_saturation_search *how)
{
	const odo_split_limits limits = {.most_arcs = BOUND_ARCS};
	odo_split bound;
	if (!e->tables || e->model->link_rates || !has_one_rate(e->fabric) ||
	    odo_bound_split(e->tables, e->coordinates, e->traffic, &limits, &bound, NULL) ||
	    bound.at_most >= 1)
		return;
	uint32_t most = how->last ? how->last : how->steps;
	double below = fmax(ceil(bound.at_most * (1 - FILLS) * how->steps) - 1, 1);
	how->last = below < most ? (uint32_t)below : most;
	if (bound.even >= bound.at_most * (1 - FILLS))
		how->first = how->last;
}

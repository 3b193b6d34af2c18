/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bounds under each traffic by which a routing is judged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "saturation/bound.h"

static int bound_flows(const odo_tables *t, const odo_flow *flows, size_t n, double *bound,
		       odo_error *err)
{
	odo_analysis a = {0};
	int status = odo_analyze_flows(t, NULL, flows, n, &a, err);
	*bound = a.saturation;
	odo_analysis_clear(&a);
	return status;
}

static int bound_traffic(const odo_tables *t, const odo_coordinates *c, const char *spec,
			 uint64_t seed, double *bound, odo_error *err)
{
	odo_traffic *traffic = NULL;
	odo_flow *flows = NULL;
	size_t n = 0;
	int status = odo_traffic_create(spec, t->fabric, c, seed, &traffic, err);
	if (!status)
		status = odo_traffic_flows(traffic, &flows, &n, err);
	if (!status)
		status = bound_flows(t, flows, n, bound, err);
	odo_traffic_free(traffic);
	free(flows);
	return status;
}

static int bound_uniform(const odo_tables *t, odo_bounds *out, odo_error *err)
{
	odo_analysis a = {0};
	int status = odo_analyze_uniform(t, NULL, &a, NULL, err);
	out->uniform = a.saturation;
	odo_analysis_clear(&a);
	return status;
}

/** Progress over lists of flows; each list has about the same number of hosts and takes the same
 * time. */
typedef struct lists {
	const odo_watch *watch; /**< or NULL */
	size_t done, n;
} lists;

static void report_list(lists *l)
{
	odo_tell(l->watch, "finding bounds", l->done++, l->n);
}

static int bound_shifts(const odo_tables *t, const odo_coordinates *c, lists *l, odo_bounds *out,
			odo_error *err)
{
	odo_order *o = NULL;
	uint32_t n = t->fabric->n_senders;
	odo_flow *flows = odo_new(n, sizeof *flows);
	int status = flows ? odo_order_create(t->fabric, c, &o, err)
			   : odo_fail(err, ODO_ENOMEM, "no memory for the flows of %u hosts", n);
	out->shift = INFINITY;
	for (uint32_t by = 1; !status && by < n; by++) {
		double bound;
		report_list(l);
		for (uint32_t r = 0; r < n; r++)
			flows[r] = (odo_flow){o->host[r], o->host[(r + by) % n], 1};
		status = bound_flows(t, flows, n, &bound, err);
		if (!status && bound < out->shift) {
			out->shift = bound;
			out->shift_by = by;
		}
	}
	odo_order_free(o);
	free(flows);
	return status;
}

static int bound_permutations(const odo_tables *t, const odo_coordinates *c, unsigned n,
			      uint64_t seed, lists *l, odo_bounds *out, odo_error *err)
{
	int status = 0;
	out->least = INFINITY;
	for (unsigned i = 0; i < n && !status; i++) {
		double bound = 0;
		report_list(l);
		status = bound_traffic(t, c, "permutation", seed + i, &bound, err);
		out->mean += bound / n;
		out->least = fmin(out->least, bound);
	}
	return status;
}

static int bound_worst(const odo_tables *t, odo_bounds *out, odo_error *err)
{
	odo_worst worst;
	int status = odo_worst_find(t, odo_worst_limit(t->fabric), &worst, err);
	if (!status && worst.load > 0) {
		out->worst = fmin(1 / worst.load, 1);
		out->worst_not_below = fmin(1 / worst.at_most, 1);
	}
	odo_worst_clear(&worst);
	return status;
}

int odo_bounds_find(const odo_tables *tables, const odo_coordinates *c, unsigned permutations,
		    uint64_t seed, const odo_watch *watch, odo_bounds *out, odo_error *err)
{
	lists l = {.watch = watch, .n = tables->fabric->n_senders + permutations};
	*out = (odo_bounds){0};
	if (tables->fabric->n_senders < 2)
		return odo_fail(err, ODO_EDECLINE, "expected at least two hosts, found %u",
				tables->fabric->n_senders);
	int status = bound_uniform(tables, out, err);
	if (!status)
		status = bound_shifts(tables, c, &l, out, err);
	if (!status)
		status = bound_traffic(tables, c, "complement", seed, &out->complement, err);
	if (!status)
		status = bound_permutations(tables, c, permutations, seed, &l, out, err);
	return status ? status : bound_worst(tables, out, err);
}

static bool is_uniform(const odo_traffic *traffic)
{
	const odo_draw *draw = &traffic->parts[0].draw;
	return traffic->n_phases == 1 && traffic->n_parts == 1 && !draw->range_of &&
	       draw->ranges[0].count == traffic->order->n_hosts;
}

int odo_bound_split(const odo_tables *t, const odo_coordinates *c, const odo_traffic *traffic,
		    const odo_split_limits *limits, odo_split *out, odo_error *err)
{
	odo_flow *flows = NULL; /* uniform traffic may have too many flows for a list */
	odo_analysis even = {0};
	size_t n = 0;
	bool uniform = is_uniform(traffic);
	int status = uniform ? 0 : odo_traffic_flows(traffic, &flows, &n, err);
	if (!status && t->adaptive)
		status = odo_split_find(t, c, flows, n, limits, out, &even, err);
	else if (!status)
		status = uniform ? odo_analyze_uniform(t, NULL, &even, NULL, err)
				 : odo_analyze_flows(t, NULL, flows, n, &even, err);
	if (!status && !t->adaptive)
		*out = (odo_split){even.saturation, even.saturation, even.saturation, 0};
	odo_analysis_clear(&even);
	free(flows);
	return status;
}

static int split_pattern(const odo_tables *t, const odo_coordinates *c, const char *spec,
			 uint64_t seed, odo_split *out, odo_error *err)
{
	odo_traffic *traffic = NULL;
	int status = odo_traffic_create(spec, t->fabric, c, seed, &traffic, err);
	if (!status)
		status = odo_bound_split(t, c, traffic, NULL, out, err);
	odo_traffic_free(traffic);
	return status;
}

static int split_permutations(const odo_tables *t, const odo_coordinates *c, unsigned n,
			      uint64_t seed, lists *l, odo_split_bounds *out, odo_error *err)
{
	int status = 0;
	out->least = (odo_split){.at_most = INFINITY, .not_below = INFINITY, .even = INFINITY};
	for (unsigned i = 0; i < n && !status; i++) {
		odo_split one = {0};
		report_list(l);
		status = split_pattern(t, c, "permutation", seed + i, &one, err);
		out->mean.at_most += one.at_most / n;
		out->mean.not_below += one.not_below / n;
		out->mean.even += one.even / n;
		out->least.at_most = fmin(out->least.at_most, one.at_most);
		out->least.not_below = fmin(out->least.not_below, one.not_below);
		out->least.even = fmin(out->least.even, one.even);
	}
	return status;
}

int odo_split_bounds_find(const odo_tables *tables, const odo_coordinates *c, unsigned permutations,
			  uint64_t seed, const odo_watch *watch, odo_split_bounds *out,
			  odo_error *err)
{
	lists l = {.watch = watch, .n = permutations};
	*out = (odo_split_bounds){0};
	if (tables->fabric->n_senders < 2)
		return odo_fail(err, ODO_EDECLINE, "expected at least two hosts, found %u",
				tables->fabric->n_senders);
	int status = split_pattern(tables, c, "uniform", seed, &out->uniform, err);
	if (!status)
		status = split_pattern(tables, c, "complement", seed, &out->complement, err);
	return status ? status : split_permutations(tables, c, permutations, seed, &l, out, err);
}

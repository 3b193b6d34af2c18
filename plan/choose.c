/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plan/choose.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/topology/topology.h"
#include "mapping/mapping.h"
#include "routing/analyze/analyze.h"
#include "routing/analyze/worst.h"
#include "routing/engine.h"

static int find_uniform(const odo_coordinates *c, const odo_tables *t, odo_plan_rating *out,
			odo_error *err)
{
	odo_analysis a = {0};
	int status = odo_analyze_uniform(t, c, &a, NULL, err);
	if (!status) {
		snprintf(out->engine, sizeof out->engine, "%s", t->engine);
		out->vls = t->n_vls;
		out->uniform = a.saturation;
	}
	odo_analysis_clear(&a);
	return status;
}

static int find_worst(const odo_fabric *f, const odo_tables *t, odo_plan_rating *out,
		      odo_error *err)
{
	odo_worst worst = {0};
	int status = odo_worst_find(t, odo_worst_limit(f), &worst, err);
	if (!status) {
		out->worst = worst.load > 1 ? 1 / worst.load : 1;
		out->cut = worst.at_most > worst.load * (1 + 1e-9);
	}
	odo_worst_clear(&worst);
	return status;
}

/* Route a fabric and find its bounds. A fabric that no engine serves gets an empty engine.
 * @param worst also find the worst permutation, which takes much longer than the rest */
static int rate_spec(const char *spec, bool worst, odo_plan_rating *out, odo_error *err)
{
	odo_fabric *f = NULL;
	odo_coordinates *c = NULL;
	odo_tables *t = NULL;
	*out = (odo_plan_rating){0};
	int status = odo_topology_generate(spec, 0, &f, &c, err);
	odo_coordinates_free(c);
	c = NULL;
	/* Use the coordinates that mapping will find: other coordinates, equally right, may give
	 * other tables. */
	if (!status)
		status = odo_map(f, &c, err);
	if (!status)
		status = odo_route(f, c, NULL, &(odo_route_options){0}, &t, err);
	if (!status)
		status = find_uniform(c, t, out, err);
	if (!status && worst)
		status = find_worst(f, t, out, err);
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return status == ODO_EDECLINE ? 0 : status;
}

static unsigned count_kinds(void)
{
	unsigned n = 0;
	while (odo_plan_kinds[n].name)
		n++;
	return n;
}

static void report_candidate(const odo_plan_choice *x, const odo_plan_options *options)
{
	if (options->progress)
		options->progress(options->context, x->candidate.spec,
				  (unsigned)(x->candidate.kind - odo_plan_kinds), count_kinds());
}

static int price_candidate(odo_plan_choice *x, const odo_plan_wish *wish,
			   const odo_plan_prices *prices, const odo_plan_options *options,
			   odo_error *err)
{
	report_candidate(x, options);
	x->enough = odo_plan_is_enough(wish, &x->candidate);
	/* The full price of a switch includes all its ports, used or not. */
	return odo_plan_bill_of(x->candidate.spec, wish->radix, prices, &x->bill, err);
}

static int rate_candidate(odo_plan_choice *x, bool worst, const odo_plan_wish *wish,
			  const odo_plan_options *options, odo_error *err)
{
	if (wish->hosts > options->rated_hosts)
		return 0;
	report_candidate(x, options);
	int status = rate_spec(x->candidate.spec, worst, &x->rating, err);
	if (*x->rating.engine && !odo_plan_reaches(x->rating.uniform, wish->saturation))
		x->enough = false;
	return status;
}

/* Sort candidates that meet the wish by cost; the others kind by kind, in the order found: the
 * nearest first. */
static int by_cost(const void *a, const void *b)
{
	const odo_plan_choice *x = a, *y = b;
	double left = odo_plan_cost(&x->bill), right = odo_plan_cost(&y->bill);
	if (x->enough != y->enough)
		return x->enough ? -1 : 1;
	if (x->enough && (left < right || left > right))
		return left < right ? -1 : 1;
	if (x->candidate.kind != y->candidate.kind)
		return x->candidate.kind < y->candidate.kind ? -1 : 1;
	return x->found < y->found ? -1 : x->found > y->found;
}

/* Price all candidates that were kept, and return as many as requested. If a saturation is wanted,
 * tables decide whether it is reached. */
static int choose_kind(const odo_plan_kind *kind, const odo_plan_wish *wish,
		       const odo_plan_prices *prices, const odo_plan_options *options,
		       odo_plan_choice *out, unsigned *n, odo_error *err)
{
	odo_plan_list list;
	odo_plan_choice priced[ODO_PLAN_KEPT];
	int status = 0;
	odo_plan_search(kind, wish, &list);
	for (unsigned i = 0; i < list.n && !status; i++) {
		priced[i] = (odo_plan_choice){.candidate = list.best[i], .found = i};
		status = price_candidate(&priced[i], wish, prices, options, err);
		if (!status && wish->saturation > 0)
			status = rate_candidate(&priced[i], false, wish, options, err);
	}
	if (!status)
		qsort(priced, list.n, sizeof *priced, by_cost);
	for (unsigned i = 0; i < list.n && i < options->per_kind && !status; i++) {
		out[*n] = priced[i];
		status = rate_candidate(&out[*n], true, wish, options, err);
		++*n;
	}
	return status;
}

int odo_plan_choose(const odo_plan_wish *wish, const odo_plan_prices *prices,
		    const odo_plan_options *options, odo_plan_choice **out, unsigned *n,
		    odo_error *err)
{
	int status = 0;
	*n = 0;
	*out = odo_new((size_t)count_kinds() * ODO_PLAN_KEPT, sizeof **out);
	if (!*out)
		return odo_fail(err, ODO_ENOMEM, "no memory for candidates");
	for (const odo_plan_kind *kind = odo_plan_kinds; kind->name && !status; kind++)
		status = choose_kind(kind, wish, prices, options, *out, n, err);
	if (!status)
		qsort(*out, *n, sizeof **out, by_cost);
	return status;
}

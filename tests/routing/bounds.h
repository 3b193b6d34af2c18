/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Proved tables, and what their paths can carry at most. */
#ifndef ODONATA_TESTS_ROUTING_BOUNDS_H
#define ODONATA_TESTS_ROUTING_BOUNDS_H

#include "fixture.h"
#include "routing/analyze/analyze.h"
#include "routing/choose/floor.h"

/* Tables that reach everything. @param engine NULL for the automatic choice */
static inline odo_tables *route(const fixture *x, const char *engine, const odo_tables *before)
{
	odo_route_options options = {.before = before};
	odo_tables *t = NULL;
	odo_error err;
	odo_verdict verdict;
	if (odo_route(x->f, x->c, engine, &options, &t, &err))
		fail_msg("%s: %s", engine ? engine : "automatic", err.text);
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	assert_int_equal(verdict.n_missing, 0);
	odo_verdict_clear(&verdict);
	return t;
}

static inline double uniform(const odo_tables *t)
{
	odo_analysis a;
	odo_error err;
	assert_int_equal(odo_analyze_uniform(t, NULL, &a, NULL, &err), 0);
	double bound = a.saturation;
	odo_analysis_clear(&a);
	return bound;
}

static inline double shift(const odo_tables *t, uint32_t by)
{
	uint32_t n = t->fabric->n_hosts;
	odo_flow *flows = calloc(n, sizeof *flows);
	odo_analysis a;
	odo_error err;
	assert_non_null(flows);
	for (uint32_t h = 0; h < n; h++)
		flows[h] = (odo_flow){h, (h + by) % n, 1};
	assert_int_equal(odo_analyze_flows(t, NULL, flows, n, &a, &err), 0);
	double bound = a.saturation;
	odo_analysis_clear(&a);
	free(flows);
	return bound;
}

#endif

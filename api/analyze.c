/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/analyze.h>

#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "emulator/traffic/pattern.h"
#include "routing/analyze/analyze.h"
#include "saturation/bound.h"

/** Analyse any traffic, pair by pair. */
static int analyze_pattern(const odo_tables *t, const odo_coordinates *c, const char *pattern,
			   uint64_t seed, odo_analysis *a, odo_error *why)
{
	odo_traffic *traffic = NULL;
	odo_flow *flows = NULL;
	size_t n;
	int status = odo_traffic_create(pattern, t->fabric, c, seed, &traffic, why);
	if (!status)
		status = odo_traffic_flows(traffic, &flows, &n, why);
	if (!status)
		status = odo_analyze_flows(t, c, flows, n, a, why);
	free(flows);
	odo_traffic_free(traffic);
	return status;
}

static odonata_analysis analysis_of(const odo_analysis *a, double index)
{
	odonata_analysis ours = {.saturation = a->max_use > 0 ? a->saturation : -1,
				 .max_use = a->max_use,
				 .mean_hops = a->mean_hops,
				 .lost = a->lost,
				 .forwarding_index = index,
				 .fullest = ODONATA_NONE};
	odo_analysis_worst(a, 1, &ours.fullest);
	return ours;
}

int odonata_analyze(const odonata_tables *tables, const char *pattern, uint64_t seed, double *use,
		    odonata_analysis *analysis, odonata_error *err)
{
	odo_error why = {0};
	odo_analysis a = {0};
	double index = -1;
	int status = tables ? 0 : api_no("tables", &why);
	if (!status)
		status = api_expect(analysis, API_UP_TO(odonata_analysis, unused),
				    "an odonata_analysis", &why);
	const odo_coordinates *c = !status && tables->coordinates ? tables->coordinates->core
								  : NULL;
	bool uniform = !pattern || !strcmp(pattern, "uniform");
	if (!status)
		status = uniform ? odo_analyze_uniform(tables->core, c, &a, &index, &why)
				 : analyze_pattern(tables->core, c, pattern, seed, &a, &why);
	if (!status && use && a.n_slots)
		memcpy(use, a.use, a.n_slots * sizeof *use);
	if (!status) {
		odonata_analysis ours = analysis_of(&a, index);
		api_fill(analysis, &ours, sizeof ours);
	}
	odo_analysis_clear(&a);
	return api_end(status, &why, err);
}

static int check_bisection(const odonata_tables *tables, unsigned trials, const double *mean,
			   odo_error *why)
{
	if (!tables)
		return api_no("tables", why);
	if (!mean)
		return api_no("a place for the mean", why);
	if (!trials)
		return odo_fail(why, ODO_EINPUT, "expected at least one bisection, found none");
	if (tables->core->fabric->n_senders < 2)
		return odo_fail(why, ODO_EINPUT, "expected at least two hosts, found %u",
				tables->core->fabric->n_senders);
	return 0;
}

int odonata_bisection(const odonata_tables *tables, unsigned trials, uint64_t seed, double *mean,
		      double *least, odonata_error *err)
{
	odo_error why = {0};
	double unwanted;
	int status = check_bisection(tables, trials, mean, &why);
	if (!status)
		status = odo_analyze_bisection(tables->core, trials, seed, mean,
					       least ? least : &unwanted, &why);
	return api_end(status, &why, err);
}

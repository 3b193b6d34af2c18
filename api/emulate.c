/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/emulate.h>

#include <stdio.h>

#include "api/handles.h"
#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "emulator/units.h"

_Static_assert(ODONATA_DONE == (int)ODO_RUN_DONE && ODONATA_DEADLOCK == (int)ODO_RUN_DEADLOCK &&
		       ODONATA_LIVELOCK == (int)ODO_RUN_LIVELOCK,
	       "outcomes go through as they are");

#define WARMUP 5000
#define CYCLES 10000
/** Cycles are counted in 32 bits, and some must remain for waiting packets. */
#define MOST_CYCLES 2000000000ull
#define MOST_THREADS 1024u

/** Check that either tables, or a fabric and a policy, are given. */
static int check_routing(const odonata_emulation *x, odo_error *why)
{
	if (!x->tables == !x->policy)
		return odo_fail(why, ODO_EINPUT, "expected tables or a policy, found %s",
				x->tables ? "both" : "neither");
	if (x->tables && (x->fabric || x->coordinates))
		return odo_fail(why, ODO_EINPUT,
				"expected tables or a fabric, found both: tables have theirs");
	return x->tables ? 0 : api_check_pair(x->fabric, x->coordinates, why);
}

static int check_run(const odonata_emulation *x, odo_error *why)
{
	if (!(x->load > 0 && x->load <= 1))
		return odo_fail(why, ODO_EINPUT, "expected a load above 0 and up to 1, found %g",
				x->load);
	if (x->warmup > MOST_CYCLES / 2 || x->cycles > MOST_CYCLES)
		return odo_fail(why, ODO_EINPUT,
				"expected up to %llu cycles and half as many before, found %llu "
				"and %llu",
				MOST_CYCLES, (unsigned long long)x->cycles,
				(unsigned long long)x->warmup);
	if (x->threads > MOST_THREADS)
		return odo_fail(why, ODO_EINPUT, "expected up to %u threads, found %u",
				MOST_THREADS, x->threads);
	return 0;
}

/** Fill in all members except model and traffic, which are made for the run. */
static odo_emulation core_emulation_of(const odonata_emulation *x)
{
	const odonata_fabric *fabric = x->tables ? x->tables->fabric : x->fabric;
	const odonata_coordinates *c = x->tables ? x->tables->coordinates : x->coordinates;
	return (odo_emulation){.fabric = fabric->core,
			       .coordinates = c ? c->core : NULL,
			       .tables = x->tables ? x->tables->core : NULL,
			       .policy = x->policy,
			       .run = {.seed = x->seed,
				       .load = x->load,
				       .warmup = x->cycles ? x->warmup : WARMUP,
				       .measured = x->cycles ? x->cycles : CYCLES,
				       .steady = x->steady,
				       .threads = x->threads}};
}

static double mean_packet_hops(const odo_measures *m)
{
	uint64_t hops = 0, packets = 0;
	for (unsigned i = 0; i < sizeof m->path / sizeof *m->path; i++) {
		hops += i * m->path[i];
		packets += m->path[i];
	}
	return packets ? (double)hops / (double)packets : 0;
}

static odonata_measures measures_of(const odo_measures *m, const odo_emulation *e)
{
	odo_units units = {0};
	odo_units_of(e->fabric, e->model, &units);
	odonata_measures ours = {.outcome = m->outcome,
				 .n_hosts = m->n_hosts,
				 .warmup = m->warmup,
				 .cycles = m->cycles,
				 .offered = m->offered,
				 .accepted = m->accepted,
				 .accepted_error = m->accepted_error,
				 .latency = odo_histogram_mean(&m->latency),
				 .latency_error = m->latency_error,
				 .network_latency = odo_histogram_mean(&m->network),
				 .latency_median = odo_histogram_percentile(&m->latency, 0.5),
				 .latency_p99 = odo_histogram_percentile(&m->latency, 0.99),
				 .latency_max = odo_histogram_percentile(&m->latency, 1),
				 .mean_hops = mean_packet_hops(m),
				 .fairness = m->jain,
				 .generated = m->generated,
				 .dropped = m->dropped,
				 .injected = m->injected,
				 .delivered = m->delivered,
				 .waiting = m->waiting,
				 .in_network = m->in_network,
				 .escaped = m->escaped,
				 .cycle_ns = units.cycle_ns,
				 .gb_per_s = units.gb_per_s};
	snprintf(ours.report, sizeof ours.report, "%s", m->report);
	return ours;
}

static int run_emulation(const odonata_emulation *x, odonata_measures *measures, odo_error *why)
{
	odo_emulation e = core_emulation_of(x);
	odo_model model;
	odo_traffic *traffic = NULL;
	odo_measures *found = NULL;
	int status = odo_model_parse(x->model ? x->model : "", e.fabric, &model, why);
	if (!status)
		status = odo_traffic_create(x->pattern ? x->pattern : "uniform", e.fabric,
					    e.coordinates, x->seed, &traffic, why);
	e.model = &model;
	e.traffic = traffic;
	if (!status)
		status = odo_emulate(&e, &found, why);
	if (!status) {
		odonata_measures ours = measures_of(found, &e);
		api_fill(measures, &ours, sizeof ours);
	}
	odo_measures_free(found);
	odo_traffic_free(traffic);
	return status;
}

int odonata_emulate(const odonata_emulation *emulation, odonata_measures *measures,
		    odonata_error *err)
{
	odo_error why = {0};
	odonata_emulation x;
	int status = api_take(&x, sizeof x, API_UP_TO(odonata_emulation, threads), emulation,
			      "an odonata_emulation", &why);
	if (!status)
		status = api_expect(measures, API_UP_TO(odonata_measures, report),
				    "an odonata_measures", &why);
	if (!status)
		status = check_routing(&x, &why);
	if (!status)
		status = check_run(&x, &why);
	if (!status)
		status = run_emulation(&x, measures, &why);
	return api_end(status, &why, err);
}

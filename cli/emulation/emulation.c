/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/emulation/emulation.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answers.h"
#include "base/memory.h"

/* ---- The emulation ---- */

static uint32_t burst_packets(const cli_traffic *traffic, const odo_model *model)
{
	return traffic->burst_of_bytes ? odo_model_packets(model, traffic->burst)
				       : (uint32_t)traffic->burst;
}

/** Record which parts of the fabric a placement dealt the ranks out to. */
static void name_parts(cli_emulation *made, const char *placement, const odo_order *order)
{
	bool group = !strcmp(placement, "group");
	if (!group && strcmp(placement, "pod"))
		return;
	made->n_parts = group ? order->n_groups : order->n_pods;
	made->parts = !group ? "pods"
		      : odo_grouped(order->coordinates)
			      ? "groups"
			      : "sets of switches whose first coordinate is the same";
}

/** Make a workload: ranks on hosts, and their messages. */
static int create_workload(const cli_traffic *traffic, const cli_system *system, uint64_t seed,
			   cli_emulation *made, odo_error *err)
{
	const odo_fabric *f = system->fabric;
	odo_workload_setup setup = {.n_hosts = f->n_hosts,
				    .n_ranks = traffic->ranks ? traffic->ranks : f->n_senders,
				    .packet = made->model.packet,
				    .phit_bytes = made->model.phit_bytes,
				    .seed = seed,
				    .cycle_ns = made->real ? made->units.cycle_ns : 0};
	/* odo_place() refuses more ranks than hosts. */
	uint32_t room = setup.n_ranks < f->n_senders ? setup.n_ranks : f->n_senders;
	uint32_t *host = odo_new(room, sizeof *host);
	odo_order *order = NULL;
	int status = host ? odo_order_create(f, system->coordinates, &order, err)
			  : odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!status)
		status = odo_place(order, traffic->placement, seed, setup.n_ranks, host, err);
	setup.host = host;
	if (!status && traffic->burst)
		status = odo_workload_burst(made->traffic, burst_packets(traffic, &made->model),
					    &setup, &made->workload, err);
	else if (!status)
		status = odo_workload_create(traffic->workload, &setup, &made->workload, err);
	if (!status)
		made->emulation.workload = &made->workload;
	if (!status)
		name_parts(made, traffic->placement, order);
	odo_order_free(order);
	free(host);
	return status;
}

int cli_emulation_create(const cli_traffic *traffic, const cli_system *system, uint64_t seed,
			 cli_emulation *made, odo_error *err)
{
	bool works = traffic->workload || traffic->burst;
	int status = odo_model_parse(traffic->model, system->fabric, &made->model, err);
	if (!status && !traffic->workload)
		status = odo_traffic_create(traffic->pattern, system->fabric, system->coordinates,
					    seed, &made->traffic, err);
	made->real = !status && odo_units_of(system->fabric, &made->model, &made->units);
	made->emulation = (odo_emulation){.fabric = system->fabric,
					  .coordinates = system->coordinates,
					  .tables = traffic->policy ? NULL : system->tables,
					  .policy = traffic->policy,
					  .model = &made->model,
					  .traffic = works ? NULL : made->traffic};
	if (!status && traffic->vlarb)
		status = odo_vlarb_read(traffic->vlarb, system->fabric, &made->vlarb, err);
	made->emulation.vlarb = made->vlarb;
	if (!status && works)
		status = create_workload(traffic, system, seed, made, err);
	if (!status)
		made->n_active = traffic->workload ? odo_workload_facts_of(&made->workload).n_ranks
						   : odo_traffic_sources(made->traffic);
	return status;
}

void cli_emulation_clear(cli_emulation *made)
{
	if (made->emulation.workload)
		odo_workload_free(&made->workload);
	odo_traffic_free(made->traffic);
	odo_vlarb_free(made->vlarb);
	*made = (cli_emulation){0};
}

/* ---- Answers ---- */

/** Add the unit of load 1. Some models use the rate of each cable. */
static void answer_unit(json_t **answer, const cli_traffic *traffic, const odo_fabric *f)
{
	odo_model model;
	if (!odo_model_parse(traffic->model, NULL, &model, NULL))
		cli_answer_load_unit(answer, f,
				     model.link_rates ? CLI_LOAD_OF_CABLES : CLI_LOAD_OF_PHITS);
}

void cli_answer_traffic(json_t **answer, const cli_traffic *traffic, const cli_system *system)
{
	cli_answer_fabric(answer, system->fabric, system->coordinates);
	if (traffic->policy)
		cli_put_text(answer, "policy", traffic->policy);
	else
		cli_answer_tables(answer, system->tables);
	if (traffic->workload)
		cli_put_text(answer, "workload", traffic->workload);
	else
		cli_put_text(answer, "pattern", traffic->pattern);
	if (traffic->burst)
		cli_put_count(answer, traffic->burst_of_bytes ? "burst_bytes" : "burst",
			      traffic->burst);
	answer_unit(answer, traffic, system->fabric);
}

static const char *outcome_name(odo_outcome outcome)
{
	static const char *const names[] = {"done", "deadlock", "livelock", "timeout"};
	return names[outcome];
}

/** Return a percentile, or null if nothing was received. */
static json_t *percentile_or_null(const odo_histogram *histogram, double share)
{
	return histogram->count
		       ? json_integer((json_int_t)odo_histogram_percentile(histogram, share))
		       : json_null();
}

static json_t *real_or_null(double value, bool known)
{
	return known ? json_real(value) : json_null();
}

static json_t *ratio_or_null(double sum, uint64_t count)
{
	return real_or_null(sum / (double)(count ? count : 1), count);
}

static json_t *mean_or_null(const odo_histogram *histogram)
{
	return ratio_or_null((double)histogram->sum, histogram->count);
}

static json_t *mean_path(const odo_measures *m)
{
	uint64_t hops = 0, packets = 0;
	for (unsigned i = 0; i < 256; i++) {
		hops += i * m->path[i];
		packets += m->path[i];
	}
	return ratio_or_null((double)hops, packets);
}

json_t *cli_point(double load, const odo_measures *m)
{
	return json_pack("{sf sf sf so so so ss}", "load", load, "offered", m->offered, "accepted",
			 m->accepted, "latency", mean_or_null(&m->latency), "p99",
			 percentile_or_null(&m->latency, 0.99), "path", mean_path(m), "outcome",
			 outcome_name(m->outcome));
}

static json_t *latency_summary(const odo_histogram *histogram)
{
	return json_pack("{so so so so}", "mean", mean_or_null(histogram), "median",
			 percentile_or_null(histogram, 0.5), "p99",
			 percentile_or_null(histogram, 0.99), "max",
			 percentile_or_null(histogram, 1));
}

static void answer_outcome(json_t **answer, const odo_measures *m)
{
	cli_put_text(answer, "outcome", outcome_name(m->outcome));
	if (m->outcome == ODO_RUN_TIMEOUT)
		cli_put(answer, "cut_off",
			json_sprintf("not ended after %llu cycles, the most that it was given; "
				     "--cycles gives it more",
				     (unsigned long long)m->cycles));
	if (!m->report[0])
		return;
	json_t *lines = json_array();
	for (const char *at = m->report; *at; at += strcspn(at, "\n") + !!strchr(at, '\n'))
		cli_append(&lines, json_stringn(at, strcspn(at, "\n")));
	cli_put(answer, "report", lines);
}

static json_t *list_paths(const odo_measures *m)
{
	json_t *rows = json_array();
	for (unsigned hops = 0; hops < 256 && m->delivered; hops++)
		if (m->path[hops])
			cli_append(&rows, json_pack("{si sf}", "hops", hops, "share",
						    (double)m->path[hops] / (double)m->delivered));
	return rows;
}

uint64_t cli_interval_length(const odo_measures *m, uint32_t interval, uint32_t cycles)
{
	uint64_t first = m->intervals[interval].first_cycle, end = m->warmup + m->cycles;
	if (first + cycles <= end)
		return cycles;
	return first < end ? end - first : 1;
}

/** Return loads and latency over time. */
static json_t *list_series(const odo_measures *m, uint32_t cycles)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < m->n_intervals; i++) {
		const odo_interval *x = &m->intervals[i];
		double capacity = (double)cli_interval_length(m, i, cycles) * m->n_hosts;
		cli_append(
			&rows,
			json_pack("{sI sI sI sf so so}", "cycle", (json_int_t)x->first_cycle,
				  "generated", (json_int_t)x->generated, "delivered",
				  (json_int_t)x->delivered, "accepted",
				  (double)x->delivered_phits / capacity, "latency",
				  ratio_or_null((double)x->latency_sum, x->delivered),
				  "latency_of_born",
				  ratio_or_null((double)x->born_latency_sum, x->born_delivered)));
	}
	return rows;
}

void cli_answer_run(json_t **answer, const odo_emulation *e, const odo_measures *m,
		    const cli_details *details)
{
	cli_put_all(
		answer,
		json_pack("{sI sI sf sf so so sf so sI sI sf}", "warmup_cycles",
			  (json_int_t)m->warmup, "measured_cycles", (json_int_t)m->cycles,
			  "offered", m->offered, "accepted", m->accepted, "accepted_error",
			  real_or_null(m->accepted_error, m->accepted_error >= 0), "latency_error",
			  real_or_null(m->latency_error, m->latency_error >= 0), "fairness",
			  m->jain, "mean_path", mean_path(m), "packets", (json_int_t)m->delivered,
			  "packet_hops", (json_int_t)m->packet_hops, "escaped_share",
			  m->delivered ? (double)m->escaped / (double)m->delivered : 0.0));
	answer_outcome(answer, m);
	cli_put(answer, "latency", latency_summary(&m->latency));
	cli_put(answer, "network_latency", latency_summary(&m->network));
	cli_put(answer, "hops", cli_hops(m));
	cli_put(answer, "paths", list_paths(m));
	if (e->run.series)
		cli_put(answer, "series", list_series(m, e->run.series));
	if (details->histogram) {
		cli_put(answer, "histogram", cli_histogram(&m->latency));
		cli_put(answer, "network_histogram", cli_histogram(&m->network));
	}
	if (details->switches)
		cli_put(answer, "by_switch", cli_by_switch(e->fabric, m));
	if (details->channels)
		cli_put(answer, "busiest_cables", cli_busiest(e, m, details->channels));
}

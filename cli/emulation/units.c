/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Measures in GB/s, microseconds and packets per second, for models that know bytes and time. */
#include "cli/answers.h"
#include "cli/emulation/emulation.h"
#include "cli/terminal/answer.h"

static json_t *us_of(const odo_units *units, const odo_histogram *histogram, double share)
{
	if (!histogram->count)
		return json_null();
	double cycles = share < 0 ? odo_histogram_mean(histogram)
				  : (double)odo_histogram_percentile(histogram, share);
	return json_real(odo_cycles_us(units, cycles));
}

void cli_answer_units(json_t **answer, const odo_fabric *f, const odo_model *model,
		      const odo_units *units)
{
	const uint32_t *latency = model->latency;
	json_t *part = json_pack("{si si sf sf}", "phit_bytes", (int)units->phit_bytes,
				 "packet_bytes", (int)(units->phit_bytes * model->packet),
				 "cycle_ns", units->cycle_ns, "load_1_GB_per_s", units->gb_per_s);
	if (units->fastest != ODO_NONE)
		cli_put(&part, "fastest_cable", cli_json_rate(f, units->fastest));
	cli_put_all(&part, json_pack("{s{sf sf sf} sf}", "cable_metres", "local",
				     odo_cable_metres(units, latency[ODO_LINK_LOCAL]), "global",
				     odo_cable_metres(units, latency[ODO_LINK_GLOBAL]), "host",
				     odo_cable_metres(units, latency[ODO_LINK_HOST]), "switch_ns",
				     model->pipeline * units->cycle_ns));
	cli_put(answer, "units", part);
}

static json_t *latency_us(const odo_units *units, const odo_histogram *histogram)
{
	return json_pack("{so so so so}", "mean", us_of(units, histogram, -1), "median",
			 us_of(units, histogram, 0.5), "p99", us_of(units, histogram, 0.99), "max",
			 us_of(units, histogram, 1));
}

static double packets_of_a_host(const odo_units *units, const odo_measures *m)
{
	double hosts = m->n_hosts ? m->n_hosts : 1;
	return odo_packets_per_s(units, (double)m->delivered / hosts, (double)m->cycles);
}

static double cycles_us(const odo_units *units, double cycles)
{
	return odo_cycles_us(units, cycles);
}

/** Columns of an answer's rows, and the names of the converted columns. */
static const struct real_column {
	const char *rows, *from, *to;
	double (*convert)(const odo_units *units, double value);
} real_columns[] = {
	{"series", "cycle", "us", cycles_us},
	{"series", "accepted", "accepted_GB_per_s", odo_load_gb},
	{"series", "latency", "latency_us", cycles_us},
	{"series", "latency_of_born", "latency_of_born_us", cycles_us},
	{"histogram", "up_to", "up_to_us", cycles_us},
	{"network_histogram", "up_to", "up_to_us", cycles_us},
};

static void add_real_column(json_t **answer, const struct real_column *c, const odo_units *units)
{
	json_t *row;
	size_t i;
	json_array_foreach(json_object_get(*answer, c->rows), i, row)
	{
		const json_t *value = json_object_get(row, c->from);
		cli_put_within(answer, row, c->to,
			       json_is_number(value)
				       ? json_real(c->convert(units, json_number_value(value)))
				       : json_null());
	}
}

void cli_answer_real(json_t **answer, const odo_units *units, const odo_measures *m)
{
	for (size_t i = 0; i < sizeof real_columns / sizeof *real_columns; i++)
		add_real_column(answer, &real_columns[i], units);
	cli_put(answer, "real",
		json_pack("{sf sf sf sf so so}", "offered_GB_per_s", odo_load_gb(units, m->offered),
			  "accepted_GB_per_s", odo_load_gb(units, m->accepted), "packets_per_s",
			  packets_of_a_host(units, m), "measured_us",
			  odo_cycles_us(units, (double)m->cycles), "latency_us",
			  latency_us(units, &m->latency), "network_latency_us",
			  latency_us(units, &m->network)));
}

void cli_answer_real_columns(json_t **row, const odo_units *units, const odo_measures *m)
{
	cli_put_all(row,
		    json_pack("{sf sf so so}", "accepted_GB_per_s", odo_load_gb(units, m->accepted),
			      "packets_per_s", packets_of_a_host(units, m), "latency_us",
			      us_of(units, &m->latency, -1), "p99_us",
			      us_of(units, &m->latency, 0.99)));
}

/** Return the rate of the fastest host's cable in GB/s. Bounds are shares of it. */
static double fastest_host(const odo_fabric *f)
{
	uint32_t most = 0;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		uint32_t rate = odo_data_rate(f, f->host_slot[h]);
		most = rate > most ? rate : most;
	}
	return most / 8e3;
}

/** Convert a bound of the answer, or of one of its rows. */
static void add_real(json_t **answer, json_t *row, const char *key, double unit)
{
	const json_t *bound = json_object_get(row, "saturation_at_most");
	if (json_is_number(bound))
		cli_put_within(answer, row, key, json_real(json_number_value(bound) * unit));
}

int cli_check_real(const char *spec, odo_error *err)
{
	odo_model model;
	int status = odo_model_parse(spec, NULL, &model, err);
	if (!status && !model.link_rates)
		status = odo_fail(err, ODO_EINPUT,
				  "--model: expected one that knows bytes and time, as infiniband "
				  "(link-rates=1), found '%.80s'",
				  spec);
	return status;
}

int cli_answer_real_bounds(json_t **answer, const odo_fabric *f, odo_error *err)
{
	json_t *row;
	size_t i;
	double unit = fastest_host(f);
	add_real(answer, *answer, "saturation_at_most_GB_per_s", unit);
	json_array_foreach(json_object_get(*answer, "bounds"), i, row)
	{
		add_real(answer, row, "GB_per_s", unit);
	}
	return cli_check_answer(*answer, err);
}

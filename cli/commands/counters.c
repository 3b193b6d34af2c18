/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counters of the ports of a live subnet, beside the predicted load of a traffic. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/commands/parts.h"
#include "fabric/format/lines.h"
#include "fabric/format/slurp.h"

#define MEGABYTE 1e6
#define HOUR 3600.0

/** Counters that tell of errors. Thresholds are those that ibqueryerrors ships, and may be replaced
 * by its file; series are named as by the exporters of infiniband-diags' counters. */
static const struct error_counter {
	const char *field;  /* of PortCounters, as in ibqueryerrors' file */
	const char *series; /* of Prometheus, behind "infiniband_switch_port_" */
	uint64_t threshold;
} error_counters[ODO_N_ERROR_COUNTERS] = {
	[ODO_COUNT_SYMBOL_ERRORS] = {"SymbolErrorCounter", "symbol_error", 10},
	[ODO_COUNT_LINK_RECOVERIES] = {"LinkErrorRecoveryCounter", "link_error_recovery", 10},
	[ODO_COUNT_LINK_DOWNED] = {"LinkDownedCounter", "link_downed", 10},
	[ODO_COUNT_RECEIVE_ERRORS] = {"PortRcvErrors", "receive_errors", 10},
	[ODO_COUNT_REMOTE_PHYSICAL] = {"PortRcvRemotePhysicalErrors",
				       "receive_remote_physical_errors", 100},
	[ODO_COUNT_SWITCH_RELAY] = {"PortRcvSwitchRelayErrors", "receive_switch_relay_errors", 100},
	[ODO_COUNT_DISCARDS] = {"PortXmitDiscards", "transmit_discards", 100},
	[ODO_COUNT_TRANSMIT_CONSTRAINT] = {"PortXmitConstraintErrors", "transmit_constraint_errors",
					   100},
	[ODO_COUNT_RECEIVE_CONSTRAINT] = {"PortRcvConstraintErrors", "receive_constraint_errors",
					  100},
	[ODO_COUNT_LOCAL_INTEGRITY] = {"LocalLinkIntegrityErrors", "local_link_integrity_errors",
				       10},
	[ODO_COUNT_BUFFER_OVERRUN] = {"ExcessiveBufferOverrunErrors",
				      "excessive_buffer_overrun_errors", 10},
	[ODO_COUNT_VL15_DROPPED] = {"VL15Dropped", "vl15_dropped", 100},
	[ODO_COUNT_WAIT] = {"PortXmitWait", "transmit_wait", 1000},
};

typedef struct channel {
	const odo_live_counters *counted;
	uint32_t slot;
	double fill; /* bytes divided by the cable's rate; the highest comes first */
} channel;

typedef struct measured {
	const cli_system *system;
	const odo_analysis *a;
	channel *channel;
	size_t n;
	double scale; /* bytes for each unit of predicted load */
	uint64_t threshold[ODO_N_ERROR_COUNTERS];
} measured;

static int compare_counter_ports(const void *a, const void *b)
{
	const odo_live_counters *x = a, *y = b;
	return x->guid != y->guid ? (x->guid > y->guid) - (x->guid < y->guid) : x->port - y->port;
}

static int compare_channels(const void *a, const void *b)
{
	const channel *x = a, *y = b;
	if (x->fill != y->fill)
		return x->fill < y->fill ? 1 : -1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

/** Assign counters to slots, and scale the predicted load so that the sum of sent bytes is
 * equal. */
static int find_channels(measured *m)
{
	const odo_fabric *f = m->system->fabric;
	const odo_live_tables *in = &m->system->installed;
	double sent = 0, predicted = 0;
	m->channel = odo_new(f->n_slots, sizeof *m->channel);
	if (!m->channel)
		return ODO_ENOMEM;
	qsort(in->counters, in->n_counters, sizeof *in->counters, compare_counter_ports);
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		odo_live_counters key = {.guid = f->node_guid[f->owner[slot]],
					 .port = (uint8_t)odo_port(f, slot)};
		const odo_live_counters *c = bsearch(&key, in->counters, in->n_counters,
						     sizeof *in->counters, compare_counter_ports);
		uint32_t rate = odo_cable_rate(f, slot);
		if (!c || !c->read || f->peer[slot] == ODO_NONE)
			continue;
		sent += (double)c->sent;
		predicted += m->a->load[slot];
		m->channel[m->n++] = (channel){c, slot, (double)c->sent / (rate ? rate : 1)};
	}
	m->scale = predicted > 0 ? sent / predicted : 0;
	qsort(m->channel, m->n, sizeof *m->channel, compare_channels);
	return 0;
}

static json_t *counter_row(const measured *m, const channel *x)
{
	const odo_fabric *f = m->system->fabric;
	double seconds = m->system->installed.counted_seconds;
	uint32_t rate = odo_cable_rate(f, x->slot);
	json_t *row = cli_json_cable(f, x->slot);
	cli_put_real(&row, "sent_mb", (double)x->counted->sent / MEGABYTE);
	cli_put_real(&row, "predicted_mb", m->a->load[x->slot] * m->scale / MEGABYTE);
	if (seconds > 0) /* rates are in Mb/s */
		cli_put(&row, "load",
			rate ? json_real(8 * (double)x->counted->sent / MEGABYTE / seconds / rate)
			     : json_null());
	cli_put_count(&row, "wait", x->counted->error[ODO_COUNT_WAIT]);
	cli_put_count(&row, "symbol_errors", x->counted->error[ODO_COUNT_SYMBOL_ERRORS]);
	cli_put_count(&row, "link_downed", x->counted->error[ODO_COUNT_LINK_DOWNED]);
	return row;
}

/* Errors above their thresholds. */

typedef struct excess {
	const channel *at;
	unsigned counter;
	double over; /* count divided by its threshold; the highest comes first */
} excess;

static int compare_excesses(const void *a, const void *b)
{
	const excess *x = a, *y = b;
	if (x->over != y->over)
		return x->over < y->over ? 1 : -1;
	if (x->at->slot != y->at->slot)
		return x->at->slot < y->at->slot ? -1 : 1;
	return (x->counter > y->counter) - (x->counter < y->counter);
}

static json_t *excess_row(const measured *m, const excess *x)
{
	const odo_fabric *f = m->system->fabric;
	double seconds = m->system->installed.counted_seconds;
	uint64_t count = x->at->counted->error[x->counter];
	uint32_t rate = odo_cable_rate(f, x->at->slot);
	json_t *row = cli_json_cable(f, x->at->slot);
	cli_put_text(&row, "counter", error_counters[x->counter].field);
	cli_put_count(&row, "count", count);
	cli_put_count(&row, "threshold", m->threshold[x->counter]);
	if (seconds > 0)
		cli_put_real(&row, "per_hour", (double)count * HOUR / seconds);
	if (seconds > 0 && rate)
		cli_put_real(&row, "load",
			     8 * (double)x->at->counted->sent / MEGABYTE / seconds / rate);
	return row;
}

/** List counters above their thresholds, the most above first. */
static json_t *list_excesses(const measured *m)
{
	size_t n = 0, room = 0;
	excess *found = NULL;
	json_t *rows = json_array();
	for (size_t i = 0; i < m->n; i++)
		for (unsigned k = 0; k < ODO_N_ERROR_COUNTERS; k++) {
			uint64_t count = m->channel[i].counted->error[k];
			if (count <= m->threshold[k])
				continue;
			if (odo_grow(&found, &room, n + 1, sizeof *found)) {
				json_decref(rows);
				free(found);
				return NULL;
			}
			found[n++] = (excess){&m->channel[i], k,
					      (double)count /
						      (double)(m->threshold[k] + !m->threshold[k])};
		}
	if (n)
		qsort(found, n, sizeof *found, compare_excesses);
	for (size_t i = 0; i < n; i++)
		cli_append(&rows, excess_row(m, &found[i]));
	free(found);
	return rows;
}

static int read_threshold_line(odo_scan *s, uint64_t *threshold, odo_error *err)
{
	for (unsigned k = 0; k < ODO_N_ERROR_COUNTERS; k++) {
		odo_scan look = *s;
		if (!odo_lines_skip(&look, error_counters[k].field) || !odo_lines_skip(&look, "="))
			continue;
		bool number = odo_lines_number(&look, 10, UINT64_MAX, &threshold[k]);
		if (number && (odo_lines_at_end(&look) || *look.at == '#'))
			return 0;
		return odo_lines_expected(s, "a counter, '=' and a number", err);
	}
	return odo_lines_expected(s, "a counter of ibqueryerrors, such as SymbolErrorCounter=10",
				  err);
}

/** Set thresholds: those of a file in the form of ibqueryerrors' --threshold-file, else the usual
 * ones.
 * @param path NULL: no file */
static int set_thresholds(const char *path, uint64_t *threshold, odo_error *err)
{
	char *text;
	size_t size;
	for (unsigned k = 0; k < ODO_N_ERROR_COUNTERS; k++)
		threshold[k] = error_counters[k].threshold;
	int status = path ? odo_slurp(path, &text, &size, err) : 0;
	if (status || !path)
		return status;
	odo_scan s = odo_lines_make(text, size, odo_origin_name(path));
	while (!status && odo_lines_next(&s))
		status = read_threshold_line(&s, threshold, err);
	free(text);
	return status;
}

/* Series of Prometheus. */

/** Values of a port besides its error counters. */
typedef enum port_value {
	VALUE_SENT = ODO_N_ERROR_COUNTERS,
	VALUE_RATE,
	VALUE_PREDICTED
} port_value;

static const struct port_series {
	const char *prefix, *name, *type, *help;
	port_value value;
} other_series[] = {
	{"infiniband", "transmit_data_bytes_total", "counter", "bytes sent", VALUE_SENT},
	{"infiniband", "rate_bytes_per_second", "gauge", "bytes that the cable carries each second",
	 VALUE_RATE},
	{"odonata", "predicted_load", "gauge",
	 "share of the cable's rate that the traffic takes if every host sends all it can",
	 VALUE_PREDICTED},
};

static double value_of_port(const measured *m, const channel *x, unsigned value)
{
	switch (value) {
	case VALUE_SENT:
		return (double)x->counted->sent;
	case VALUE_RATE:
		return odo_cable_rate(m->system->fabric, x->slot) * MEGABYTE / 8;
	case VALUE_PREDICTED:
		return m->a->use[x->slot];
	default:
		return (double)x->counted->error[value];
	}
}

/** Write a label's value: quotes and backslashes escaped, control characters as '?'. */
static void write_label(const char *text, FILE *to)
{
	for (const char *c = text; *c; c++) {
		if (*c == '"' || *c == '\\')
			putc('\\', to);
		putc((unsigned char)*c < ' ' ? '?' : *c, to);
	}
}

/** Write a series of all ports of switches, or of adapters. */
static void write_port_series(const measured *m, const struct port_series *x, bool switches,
			      FILE *to)
{
	const odo_fabric *f = m->system->fabric;
	const char *kind = switches ? "switch" : "hca";
	fprintf(to,
		"# HELP %1$s_%2$s_port_%3$s Port of a %2$s: %4$s.\n# TYPE %1$s_%2$s_port_%3$s "
		"%5$s\n",
		x->prefix, kind, x->name, x->help, x->type);
	for (size_t i = 0; i < m->n; i++) {
		uint32_t slot = m->channel[i].slot, node = f->owner[slot];
		if (odo_is_switch(f, node) != switches)
			continue;
		fprintf(to, "%s_%s_port_%s{guid=\"0x%016" PRIx64 "\",port=\"%u\",%s=\"", x->prefix,
			kind, x->name, f->node_guid[node], odo_port(f, slot), kind);
		write_label(odo_name(f, node), to);
		fprintf(to, "\"} %.12g\n", value_of_port(m, &m->channel[i], x->value));
	}
}

static void write_all_series(const measured *m, FILE *to)
{
	for (int switches = 1; switches >= 0; switches--) {
		for (unsigned k = 0; k < ODO_N_ERROR_COUNTERS; k++) {
			char name[64];
			snprintf(name, sizeof name, "%s_total", error_counters[k].series);
			write_port_series(m,
					  &(struct port_series){"infiniband", name, "counter",
								error_counters[k].field,
								(port_value)k},
					  switches, to);
		}
		for (size_t i = 0; i < sizeof other_series / sizeof *other_series; i++)
			write_port_series(m, &other_series[i], switches, to);
	}
}

int cli_counters_write(const cli_system *system, const odo_analysis *a, FILE *to, odo_error *err)
{
	measured m = {.system = system, .a = a};
	if (find_channels(&m))
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	write_all_series(&m, to);
	free(m.channel);
	return 0;
}

int cli_counters_answer(json_t **answer, const cli_system *system, const char *pattern,
			const char *thresholds, const odo_analysis *a, odo_error *err)
{
	measured m = {.system = system, .a = a};
	double seconds = system->installed.counted_seconds;
	int status = set_thresholds(thresholds, m.threshold, err);
	if (status)
		return status;
	if (find_channels(&m))
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	json_t *rows = json_array(), *errors = list_excesses(&m);
	for (size_t i = 0; i < m.n; i++)
		cli_append(&rows, counter_row(&m, &m.channel[i]));
	free(m.channel);
	cli_put_text(answer, "traffic", pattern);
	cli_put(answer, "seconds", seconds > 0 ? json_real(seconds) : json_null());
	cli_live_answer_unread(answer, &system->installed, system->fabric);
	cli_put(answer, "errors", errors);
	cli_put(answer, "counters", rows);
	return cli_check_answer(*answer, err);
}

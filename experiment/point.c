/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/point.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RUN_COLUMNS                                                                                \
	"outcome,offered,accepted,accepted_error,latency,latency_error,network_latency,p50,p99,"   \
	"hops,local_hops,global_hops,escaped,escape_hops,max_hops,jain,dropped,delivered,warmup,"  \
	"cycles,"
#define REAL_RUN_COLUMNS                                                                           \
	"offered_GB_per_s,accepted_GB_per_s,packets_per_s,latency_us,network_latency_us,p50_us,"   \
	"p99_us,cycles_us,"
#define SATURATION_COLUMNS                                                                         \
	"curve,pattern,seed,outcome,sustained,accepted_at_full,least_at_full,latency,runs,"        \
	"deadlocks,"
#define BOUND_COLUMNS                                                                              \
	"curve,pattern,seed,outcome,share,sustained,bound,accepted_at_full,full_share,"            \
	"most_at_full,latency,runs,deadlocks,"

#define DECLINED (ODO_EXPERIMENT_OUTCOMES - 1)
const char *const odo_experiment_outcomes[] = {
	[ODO_RUN_DONE] = "done",         [ODO_RUN_DEADLOCK] = "deadlock",
	[ODO_RUN_LIVELOCK] = "livelock", [ODO_RUN_TIMEOUT] = "timeout",
	[DECLINED] = "declined",
};

uint32_t odo_experiment_points(const odo_experiment *x)
{
	uint64_t loads = x->kind == ODO_EXPERIMENT_LOAD ? x->n_loads : 1;
	uint64_t n = (uint64_t)x->n_curves * x->n_patterns * loads;
	/* The file allows at most 10,000 of each; the total is checked here. */
	return n > UINT32_MAX / x->n_seeds ? UINT32_MAX : (uint32_t)(n * x->n_seeds);
}

odo_point odo_point_of(const odo_experiment *x, uint32_t number)
{
	odo_point point = {.number = number};
	point.seed = number % x->n_seeds;
	number /= x->n_seeds;
	if (x->kind == ODO_EXPERIMENT_LOAD) {
		point.load = number % x->n_loads;
		number /= x->n_loads;
	}
	point.pattern = number % x->n_patterns;
	point.curve = number / x->n_patterns;
	return point;
}

const char *odo_point_columns(const odo_experiment *x)
{
	static const char *const columns[][2] = {
		[ODO_EXPERIMENT_LOAD] = {"curve,pattern,load,seed," RUN_COLUMNS "note",
					 "curve,pattern,load,seed," RUN_COLUMNS REAL_RUN_COLUMNS
					 "note"},
		[ODO_EXPERIMENT_SATURATION] = {SATURATION_COLUMNS "note", SATURATION_COLUMNS
					       "sustained_GB_per_s,accepted_at_full_GB_per_s,"
					       "least_at_full_GB_per_s,latency_us,note"},
		[ODO_EXPERIMENT_BURST] = {"curve,pattern,seed," RUN_COLUMNS "note",
					  "curve,pattern,seed," RUN_COLUMNS REAL_RUN_COLUMNS
					  "note"},
		[ODO_EXPERIMENT_WORKLOAD] = {"curve,workload,seed," RUN_COLUMNS "note",
					     "curve,workload,seed," RUN_COLUMNS REAL_RUN_COLUMNS
					     "note"},
		/* The bound assumes that all links have one rate. */
		[ODO_EXPERIMENT_BOUND] = {BOUND_COLUMNS "note", BOUND_COLUMNS "note"},
	};
	return columns[x->kind][x->real];
}

const char *odo_point_main_column(odo_experiment_kind kind)
{
	static const char *const columns[] = {
		[ODO_EXPERIMENT_LOAD] = "accepted", [ODO_EXPERIMENT_SATURATION] = "sustained",
		[ODO_EXPERIMENT_BURST] = "cycles",  [ODO_EXPERIMENT_WORKLOAD] = "cycles",
		[ODO_EXPERIMENT_BOUND] = "share",
	};
	return columns[kind];
}

/** A line that is being written. */
typedef struct writer {
	char *line; /**< [ODO_POINT_LINE] */
	size_t used;
} writer;

static void append(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	w->used += (size_t)vsnprintf(w->line + w->used, ODO_POINT_LINE - w->used, format, args);
	va_end(args);
}

/** Write the columns that identify a point. */
static writer begin_line(const odo_experiment *x, const odo_point *point, char *line)
{
	writer w = {.line = line};
	append(&w, "%s,\"%s\",", x->curves[point->curve].name, x->patterns[point->pattern]);
	if (x->kind == ODO_EXPERIMENT_LOAD)
		append(&w, "%.6g,", x->loads[point->load]);
	append(&w, "%" PRIu64, x->first_seed + point->seed);
	return w;
}

/** Write text into the last column, without quotes or newlines. */
static void append_note(writer *w, const char *text)
{
	append(w, ",\"");
	for (unsigned room = 200; room && *text && *text != '\n'; room--, text++)
		append(w, "%c", *text == '"' ? '\'' : *text);
	append(w, "\"");
}

/** Return the mean hops between switches of packets received; and in `most` their maximum. */
static double mean_and_most_hops(const odo_measures *m, unsigned *most)
{
	uint64_t sum = 0, count = 0;
	*most = 0;
	for (unsigned i = 0; i < 256; i++) {
		sum += i * m->path[i];
		count += m->path[i];
		if (m->path[i])
			*most = i;
	}
	return count ? (double)sum / (double)count : 0;
}

static double mean_per(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

struct figure {
	char text[24];
};

/** Write a figure; an empty field if it is not known. */
static struct figure format_figure(double value, int digits, bool known)
{
	struct figure f = {""};
	if (known)
		snprintf(f.text, sizeof f.text, "%.*g", digits, value);
	return f;
}

/** Write the last columns of an experiment that is real, in order; a figure below 0 is not known.
 * @param units NULL if this curve's model has none */
static void append_real(writer *w, const odo_experiment *x, const odo_units *units,
			const double *value, unsigned n)
{
	for (unsigned i = 0; x->real && i < n; i++)
		append(w, ",%s", format_figure(value[i], 6, units && value[i] >= 0).text);
}

static const odo_units no_units;

static void append_real_run(writer *w, const odo_experiment *x, const odo_units *units,
			    const odo_measures *m)
{
	const odo_units *u = units ? units : &no_units;
	bool any = m->delivered;
	double hosts = m->n_hosts ? m->n_hosts : 1, cycles = (double)m->cycles;
#define US(cycles) (any ? odo_cycles_us(u, cycles) : -1)
	const double value[] = {
		odo_load_gb(u, m->offered),
		odo_load_gb(u, m->accepted),
		odo_packets_per_s(u, (double)m->delivered / hosts, cycles),
		US(odo_histogram_mean(&m->latency)),
		US(odo_histogram_mean(&m->network)),
		US((double)odo_histogram_percentile(&m->latency, 0.5)),
		US((double)odo_histogram_percentile(&m->latency, 0.99)),
		odo_cycles_us(u, cycles),
	};
#undef US
	append_real(w, x, units, value, sizeof value / sizeof *value);
}

void odo_point_write_run(const odo_experiment *x, const odo_point *point, const odo_units *units,
			 const odo_measures *m, char *line)
{
	unsigned most;
	double hops = mean_and_most_hops(m, &most);
	bool any = m->delivered;
	writer w = begin_line(x, point, line);
	append(&w,
	       ",%s,%.6g,%.6g,%s,%s,%s,%s,%s,%s"
	       ",%.5g,%.5g,%.5g,%.5g,%.5g,%u,%.6g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
	       odo_experiment_outcomes[m->outcome], m->offered, m->accepted,
	       format_figure(m->accepted_error, 3, m->accepted_error >= 0).text,
	       format_figure(odo_histogram_mean(&m->latency), 6, any).text,
	       format_figure(m->latency_error, 3, m->latency_error >= 0).text,
	       format_figure(odo_histogram_mean(&m->network), 6, any).text,
	       format_figure((double)odo_histogram_percentile(&m->latency, 0.5), 15, any).text,
	       format_figure((double)odo_histogram_percentile(&m->latency, 0.99), 15, any).text,
	       hops, mean_per(m->hops[ODO_LINK_LOCAL], m->delivered),
	       mean_per(m->hops[ODO_LINK_GLOBAL], m->delivered), mean_per(m->escaped, m->delivered),
	       mean_per(m->escape_hops, m->delivered), most, m->jain, m->dropped, m->delivered,
	       m->warmup, m->cycles);
	append_real_run(&w, x, units, m);
	append_note(&w, m->report);
}

void odo_point_write_saturation(const odo_experiment *x, const odo_point *point,
				const odo_units *units, const odo_saturation *s, char *line)
{
	const odo_units *u = units ? units : &no_units;
	writer w = begin_line(x, point, line);
	append(&w, ",done,%.6g,%s,%s,%.6g,%u,%u", (double)s->sustained / s->steps,
	       format_figure(s->accepted_at_full, 6, s->accepted_at_full >= 0).text,
	       format_figure(s->least_at_full, 6, s->least_at_full >= 0).text, s->latency, s->runs,
	       s->deadlocks);
	const double value[] = {
		odo_load_gb(u, (double)s->sustained / s->steps),
		odo_load_gb(u, s->accepted_at_full),
		odo_load_gb(u, s->least_at_full),
		odo_cycles_us(u, s->latency),
	};
	append_real(&w, x, units, value, sizeof value / sizeof *value);
	append_note(&w, "");
}

void odo_point_write_bound(const odo_experiment *x, const odo_point *point, const odo_bound *b,
			   const odo_saturation *s, char *line)
{
	writer w = begin_line(x, point, line);
	double share = (double)s->sustained / s->steps;
	bool full = s->accepted_at_full >= 0;
	append(&w, ",done,%.6g,%.6g,%.6g,%s,%s,%.6g,%.6g,%u,%u", share, share * b->load, b->load,
	       format_figure(s->accepted_at_full, 6, full).text,
	       format_figure(s->accepted_at_full / b->accepted, 4, full).text, b->most, s->latency,
	       s->runs, s->deadlocks);
	append_note(&w, "");
}

void odo_point_write_declined(const odo_experiment *x, const odo_point *point, const char *why,
			      char *line)
{
	writer w = begin_line(x, point, line);
	append(&w, ",%s", odo_experiment_outcomes[DECLINED]);
	/* Write as many empty fields as there are columns between outcome and note. */
	const char *at = strstr(odo_point_columns(x), "outcome,") + strlen("outcome,");
	for (; (at = strchr(at, ',')); at++)
		append(&w, ",");
	append_note(&w, why);
}

unsigned odo_point_column_in(const char *columns, const char *name)
{
	unsigned n = 2;
	size_t length = strlen(name);
	for (const char *at = columns;; n++) {
		size_t has = strcspn(at, ",\n");
		if (has == length && !strncmp(at, name, length))
			return n;
		if (at[has] != ',')
			return 0;
		at += has + 1;
	}
}

unsigned odo_point_column(const odo_experiment *x, const char *name)
{
	return odo_point_column_in(x->columns ? x->columns : odo_point_columns(x), name);
}

const char *odo_point_field(const char *line, unsigned column)
{
	for (bool quoted = false; column > 1 && *line && *line != '\n'; line++) {
		quoted ^= *line == '"';
		column -= *line == ',' && !quoted;
	}
	return line;
}

unsigned odo_point_outcome(const odo_experiment *x, const char *line)
{
	const char *at = odo_point_field(line, odo_point_column(x, "outcome"));
	size_t n = strcspn(at, ",\n");
	unsigned i = 0;
	while (i < ODO_EXPERIMENT_OUTCOMES && (strlen(odo_experiment_outcomes[i]) != n ||
					       strncmp(at, odo_experiment_outcomes[i], n)))
		i++;
	return i;
}

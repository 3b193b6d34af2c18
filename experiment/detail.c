/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files beside the CSV, for details that do not fit in a line. Each is written under another name
 * and then renamed, so that a point whose line exists has its files complete. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "experiment/point.h"
#include "experiment/result.h"
#include "fabric/format/slurp.h"

/** Write a mean in cycles, or in microseconds if there are units; an empty field without samples.
 */
static void write_mean(uint64_t sum, uint64_t n, const odo_units *u, FILE *to)
{
	double mean = n ? (double)sum / (double)n : 0;
	if (n)
		fprintf(to, "%.6g", u ? odo_cycles_us(u, mean) : mean);
}

static void write_series(const odo_measures *m, const odo_fabric *f, const odo_units *u, FILE *to)
{
	(void)f;
	fprintf(to,
		"first_cycle,generated,injected,delivered,delivered_phits,latency,"
		"born_latency,born_delivered%s\n",
		u ? ",first_us,latency_us,born_latency_us" : "");
	for (uint32_t i = 0; i < m->n_intervals; i++) {
		const odo_interval *v = &m->intervals[i];
		fprintf(to, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
			v->first_cycle, v->generated, v->injected, v->delivered,
			v->delivered_phits);
		write_mean(v->latency_sum, v->delivered, NULL, to);
		fputc(',', to);
		write_mean(v->born_latency_sum, v->born_delivered, NULL, to);
		fprintf(to, ",%" PRIu64, v->born_delivered);
		if (u) {
			fprintf(to, ",%.6g,", odo_cycles_us(u, (double)v->first_cycle));
			write_mean(v->latency_sum, v->delivered, u, to);
			fputc(',', to);
			write_mean(v->born_latency_sum, v->born_delivered, u, to);
		}
		fputc('\n', to);
	}
}

static void write_path(const odo_measures *m, const odo_fabric *f, const odo_units *u, FILE *to)
{
	(void)f;
	(void)u;
	fprintf(to, "hops,packets\n");
	for (unsigned i = 0; i < 256; i++)
		if (m->path[i])
			fprintf(to, "%u,%" PRIu64 "\n", i, m->path[i]);
}

static void write_switches(const odo_measures *m, const odo_fabric *f, const odo_units *u, FILE *to)
{
	(void)u;
	fprintf(to, "switch,generated,injected\n");
	for (uint32_t s = 0; s < f->n_switches; s++)
		fprintf(to, "%u,%u,%u\n", s, m->born_by_switch[s], m->by_switch[s]);
}

/** Write the value at each thousandth: buckets are known only by their mean rank, so more values
 * would add nothing. */
static void write_latency(const odo_measures *m, const odo_fabric *f, const odo_units *u, FILE *to)
{
	(void)f;
	fprintf(to, "share,latency%s\n", u ? ",latency_us" : "");
	for (unsigned i = 1; i <= 1000; i++) {
		uint64_t cycles = odo_histogram_percentile(&m->latency, i / 1000.0);
		fprintf(to, "%.3f,%" PRIu64, i / 1000.0, cycles);
		if (u)
			fprintf(to, ",%.6g", odo_cycles_us(u, (double)cycles));
		fputc('\n', to);
	}
}

static void write_channels(const odo_measures *m, const odo_fabric *f, const odo_units *u, FILE *to)
{
	double cycles = m->cycles ? (double)m->cycles : 1;
	fprintf(to, "switch,port,phits%s\n", u ? ",GB_per_s" : "");
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			if (f->peer[slot] != ODO_NONE) {
				fprintf(to, "%u,%u,%u", s, odo_port(f, slot), m->channel[slot]);
				if (u)
					fprintf(to, ",%.6g",
						odo_load_gb(u, m->channel[slot] / cycles));
				fputc('\n', to);
			}
}

/** Rows in the order of the bits of odo_experiment_detail. */
static const struct {
	const char *name;
	void (*write)(const odo_measures *m, const odo_fabric *f, const odo_units *u, FILE *to);
} details[] = {
	{"series", write_series},   {"path", write_path},         {"switches", write_switches},
	{"latency", write_latency}, {"channels", write_channels},
};

/** A file that is being written. */
typedef struct detail_file {
	char path[1200];
	odo_draft draft;
} detail_file;

static int open_detail(const odo_experiment *x, uint32_t number, size_t which, const char *folder,
		       detail_file *out, odo_error *err)
{
	snprintf(out->path, sizeof out->path, "%.1000s/%s.%u.%s.csv", folder, x->name, number,
		 details[which].name);
	return odo_draft_open(&out->draft, out->path, 0666, ODO_DRAFT_OUTPUT, err);
}

static int write_detail(const odo_experiment *x, const odo_point *point, const odo_units *u,
			const odo_measures *m, const odo_fabric *f, const char *folder,
			size_t which, odo_error *err)
{
	detail_file file;
	int status = open_detail(x, point->number, which, folder, &file, err);
	if (status)
		return status;
	FILE *to = file.draft.to;
	fprintf(to, "# %s: %s, %s", x->name, x->curves[point->curve].name,
		x->patterns[point->pattern]);
	if (x->kind == ODO_EXPERIMENT_LOAD)
		fprintf(to, ", load %.6g", x->loads[point->load]);
	fprintf(to, ", seed %" PRIu64 "\n", x->first_seed + point->seed);
	details[which].write(m, f, u, to);
	return odo_draft_close(&file.draft, 0, err);
}

static int copy_detail(const odo_result *from, uint32_t point, const odo_experiment *x,
		       uint32_t number, const char *folder, size_t which, odo_error *err)
{
	char path[1200], *text;
	size_t size;
	detail_file file;
	snprintf(path, sizeof path, "%.*s.%u.%s.csv", (int)from->stem, from->path, point,
		 details[which].name);
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	status = open_detail(x, number, which, folder, &file, err);
	if (!status) {
		fwrite(text, 1, size, file.draft.to);
		status = odo_draft_close(&file.draft, 0, err);
	}
	free(text);
	return status;
}

int odo_point_copy_details(const odo_result *from, uint32_t point, const odo_experiment *x,
			   uint32_t number, const char *folder, odo_error *err)
{
	int status = 0;
	for (size_t i = 0; !status && i < sizeof details / sizeof *details; i++)
		if (x->details >> i & 1)
			status = copy_detail(from, point, x, number, folder, i, err);
	return status;
}

int odo_point_write_details(const odo_experiment *x, const odo_point *point, const odo_units *units,
			    const odo_measures *m, const odo_fabric *f, const char *folder,
			    odo_error *err)
{
	int status = 0;
	for (size_t i = 0; !status && i < sizeof details / sizeof *details; i++)
		if (x->details >> i & 1)
			status = write_detail(x, point, units, m, f, folder, i, err);
	return status;
}

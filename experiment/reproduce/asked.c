/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/asked.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "experiment/point.h"

static int read_seeds(const odo_manifest *m, const odo_reduced *run, odo_asked *out, odo_error *err)
{
	const char *text = run && run->seeds_in_doubt ? run->seeds_in_doubt : m->seeds_in_doubt;
	int status = text ? odo_read_number32(text, 1, 1000, &out->seeds_in_doubt, err) : 0;
	return status ? odo_fail_within(err, "seeds-in-doubt") : 0;
}

static int read_options(const odo_reduced *run, odo_asked *out, odo_error *err)
{
	odo_experiment_options *options = &out->options;
	int status = 0;
	if (!run)
		return 0;
	if (run->measured)
		status = odo_read_number(run->measured, 10, 1, 1000000000, &options->measured, err);
	if (!status && run->seeds)
		status = odo_read_number32(run->seeds, 1, 1000, &options->seeds, err);
	if (!status && run->packets)
		status = odo_read_number32(run->packets, 1, 1u << 30, &options->packets, err);
	out->loads = odo_new(run->loads_count, sizeof *out->loads);
	if (!status && !out->loads)
		return odo_fail(err, ODO_ENOMEM, "no memory for loads");
	for (uint32_t i = 0; !status && i < run->loads_count; i++)
		status = odo_read_real(run->loads[i], 1e-6, 1, &out->loads[i], err);
	options->loads = out->loads;
	options->n_loads = run->loads_count;
	return status ? odo_fail_within(err, "run") : 0;
}

/** Results are called as their experiment. */
static int check_name(const odo_figure *f, const char *experiment, odo_error *err)
{
	const char *slash = strrchr(f->results, '/'), *name = slash ? slash + 1 : f->results;
	size_t n = strlen(experiment);
	if (!strncmp(name, experiment, n) && !strcmp(name + n, ".csv"))
		return 0;
	return odo_fail(err, ODO_EINPUT, "expected results called %.200s.csv, found %s", experiment,
			f->results);
}

int odo_asked_read(const odo_manifest *m, const odo_figure *f, odo_asked *out, odo_error *err)
{
	const char *experiment = f->experiment ? f->experiment : f->name;
	char config[1200];
	*out = (odo_asked){0};
	odo_manifest_path(m, f->config, config, sizeof config);
	int status = read_seeds(m, f->run, out, err);
	if (!status)
		status = read_options(f->run, out, err);
	if (!status)
		status = check_name(f, experiment, err);
	if (!status)
		status = odo_experiments_read(config, &out->all, err);
	if (!status)
		status = odo_experiments_find(&out->all, experiment, &out->stated, err);
	if (!status)
		status = odo_experiment_change(out->stated, &out->options, &out->x, err);
	out->seeds = out->x.n_seeds;
	return status;
}

int odo_asked_doubt(odo_asked *asked, odo_error *err)
{
	asked->options.seeds = asked->seeds_in_doubt;
	return odo_experiment_change(asked->stated, &asked->options, &asked->x, err);
}

void odo_asked_free(odo_asked *asked)
{
	odo_experiments_free(&asked->all);
	free(asked->loads);
	*asked = (odo_asked){0};
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/asked.h"

#include <string.h>

#include "experiment/point.h"

/* Take over the options of the manifest. */
static void apply_reduction(const odo_reduced *run, odo_asked *out)
{
	if (run->in_doubt)
		out->seeds_in_doubt = run->in_doubt;
	out->options = (odo_experiment_options){.measured = run->cycles,
						.seeds = run->n_seeds,
						.packets = run->n_packets,
						.loads = run->at_loads,
						.n_loads = run->loads_count};
}

/** Check the file's name: results have the name of their experiment. */
static int check_results_name(const odo_figure *f, const char *experiment, odo_error *err)
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
	*out = (odo_asked){.seeds_in_doubt = m->in_doubt};
	if (f->run)
		apply_reduction(f->run, out);
	odo_manifest_path(m, f->config, config, sizeof config);
	int status = check_results_name(f, experiment, err);
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
	*asked = (odo_asked){0};
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/run.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"

static const char *experiment_of(const odo_figure *f)
{
	return f->experiment ? f->experiment : f->name;
}

/** What the manifest has run instead of what the experiment states. @param loads for free() */
static int read_options(const odo_reduced *run, odo_experiment_options *out, double **loads,
			odo_error *err)
{
	int status = 0;
	if (!run)
		return 0;
	if (run->measured)
		status = odo_read_number(run->measured, 10, 1, 1000000000, &out->measured, err);
	if (!status && run->seeds)
		status = odo_read_number32(run->seeds, 1, 1000, &out->seeds, err);
	if (!status && run->packets)
		status = odo_read_number32(run->packets, 1, 1u << 30, &out->packets, err);
	*loads = odo_new(run->loads_count, sizeof **loads);
	if (!status && !*loads)
		return odo_fail(err, ODO_ENOMEM, "no memory for loads");
	for (uint32_t i = 0; !status && i < run->loads_count; i++)
		status = odo_read_real(run->loads[i], 1e-6, 1, &(*loads)[i], err);
	out->loads = *loads;
	out->n_loads = run->loads_count;
	return status ? odo_fail_within(err, "run") : 0;
}

/** Move the files of a finished run to where the old ones are. */
static int take_place(const char *from, const char *to, odo_error *err)
{
	char old[1600], new[1600];
	int status = 0;
	DIR *folder = opendir(from);
	if (!folder)
		return odo_fail(err, ODO_EIO, "%s: %s", from, strerror(errno));
	for (struct dirent *e; !status && (e = readdir(folder));) {
		if (*e->d_name == '.')
			continue;
		snprintf(old, sizeof old, "%.1200s/%.300s", from, e->d_name);
		snprintf(new, sizeof new, "%.1200s/%.300s", to, e->d_name);
		if (rename(old, new))
			status = odo_fail(err, ODO_EIO, "%s: %s", new, strerror(errno));
	}
	closedir(folder);
	if (!status && rmdir(from))
		status = odo_fail(err, ODO_EIO, "%s: %s", from, strerror(errno));
	return status;
}

/** @param folder of the CSV */
static int run_in(const odo_figure_state *s, const odo_experiment *x, const char *folder,
		  odo_experiment_options *options, odo_error *err)
{
	char anew[1200];
	options->folder = folder;
	if (!s->stale)
		return odo_experiment_run(x, options, err);
	snprintf(anew, sizeof anew, "%.900s/anew-%.200s", folder, s->figure->name);
	if (mkdir(anew, 0777) && errno != EEXIST)
		return odo_fail(err, ODO_EIO, "%s: %s", anew, strerror(errno));
	options->folder = anew;
	int status = odo_experiment_run(x, options, err);
	return status ? status : take_place(anew, folder, err);
}

int odo_figure_run(const odo_figure_state *s, const odo_experiment_options *how, odo_error *err)
{
	const odo_figure *f = s->figure;
	char config[1200], results[1200], name[300];
	odo_experiments all = {0};
	odo_experiment *x = NULL;
	double *loads = NULL;
	odo_experiment_options options = *how;
	odo_manifest_path(s->manifest, f->config, config, sizeof config);
	odo_manifest_path(s->manifest, f->results, results, sizeof results);
	int status = read_options(f->run, &options, &loads, err);
	if (!status)
		status = odo_experiments_read(config, &all, err);
	if (!status)
		status = odo_experiments_find(&all, experiment_of(f), &x, err);
	char *slash = strrchr(results, '/');
	snprintf(name, sizeof name, "/%.200s.csv", experiment_of(f));
	if (!status && (!slash || strcmp(slash, name)))
		status = odo_fail(err, ODO_EINPUT, "expected results called %s, found %s", name + 1,
				  f->results);
	if (slash)
		*slash = '\0';
	if (!status)
		status = run_in(s, x, results, &options, err);
	free(loads);
	odo_experiments_free(&all);
	return status ? odo_fail_within(err, "%s", f->name) : 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Is this the name of a point's file, "NAME.12.path.csv", beside NAME.csv? */
static bool is_detail(const char *file, const char *name)
{
	size_t n = strlen(name), digits;
	if (strncmp(file, name, n) || file[n] != '.')
		return false;
	digits = strspn(file + n + 1, "0123456789");
	return digits && file[n + 1 + digits] == '.';
}

/** Remove files of points whose number has changed, or that are gone. */
static int drop_details(const char *from, const char *to, const char *name, odo_error *err)
{
	char old[1600], new[1600];
	int status = 0;
	DIR *folder = opendir(to);
	if (!folder)
		return odo_fail(err, ODO_EIO, "%s: %s", to, strerror(errno));
	for (struct dirent *e; !status && (e = readdir(folder));) {
		snprintf(old, sizeof old, "%.1200s/%.300s", to, e->d_name);
		snprintf(new, sizeof new, "%.1200s/%.300s", from, e->d_name);
		if (is_detail(e->d_name, name) && access(new, F_OK) && remove(old))
			status = odo_fail(err, ODO_EIO, "%s: %s", old, strerror(errno));
	}
	closedir(folder);
	return status;
}

/** Move the files of a finished run into the place of the old files. */
static int replace_results(const char *from, const char *to, odo_error *err)
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

/** @param folder of the CSV; a run of the same parameters is continued */
static int run_in(const odo_figure_state *s, const char *folder, odo_experiment_options *options,
		  odo_error *err)
{
	char anew[1200];
	options->folder = folder;
	if (!s->stale && !s->others)
		return odo_experiment_run(s->asked.stated, options, err);
	snprintf(anew, sizeof anew, "%.900s/anew-%.200s", folder, s->figure->name);
	if (mkdir(anew, 0777) && errno != EEXIST)
		return odo_fail(err, ODO_EIO, "%s: %s", anew, strerror(errno));
	options->folder = anew;
	options->known = s->stale ? NULL : &s->result;
	int status = odo_experiment_run(s->asked.stated, options, err);
	if (!status)
		status = drop_details(anew, folder, s->asked.x.name, err);
	return status ? status : replace_results(anew, folder, err);
}

int odo_figure_run(const odo_figure_state *s, const odo_experiment_options *how, odo_error *err)
{
	char folder[1200];
	odo_experiment_options options = s->asked.options;
	options.only = s->wanted;
	options.threads = how->threads;
	options.progress = how->progress;
	options.context = how->context;
	odo_manifest_path(s->manifest, s->figure->results, folder, sizeof folder);
	*strrchr(folder, '/') = '\0'; /* the path begins with the manifest's folder */
	int status = run_in(s, folder, &options, err);
	return status ? odo_fail_within(err, "%s", s->figure->name) : 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Draw the plot of an existing CSV. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/point.h"
#include "experiment/result.h"

/** Check the file's name, because plots refer to the CSV by name. */
static int check_file_name(const char *path, const odo_experiment *x, odo_error *err)
{
	char name[1200];
	const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	snprintf(name, sizeof name, "%.1000s.csv", x->name);
	if (!strcmp(file, name))
		return 0;
	return odo_fail(err, ODO_EINPUT,
			"%s: expected a file called %s, as the experiment in it is", path, name);
}

int odo_experiment_redraw(const char *path, odo_experiment **out, odo_error *err)
{
	odo_result r;
	char *copy = strdup(path);
	*out = NULL;
	if (!copy)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	int status = odo_result_read(path, &r, err);
	if (!status) {
		status = check_file_name(path, &r.x, err);
		if (!status)
			status = odo_experiment_plot(&r.x, dirname(copy), err);
		if (!status) {
			*out = r.stated;
			r.stated = NULL;
		}
		odo_result_free(&r);
	}
	free(copy);
	return status;
}

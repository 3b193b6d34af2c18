/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read all experiments of a file. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiment/file.h"
#include "experiment/text/sources.h"

/** Refuse a name used twice: a result has the name of its experiment. */
static int check_unique_name(const odo_experiments *all, const odo_experiment *x, odo_error *err)
{
	for (uint32_t i = 0; i < all->n; i++) {
		odo_text_place at = odo_experiment_find(x, "name", x->name);
		if (!strcmp(all->experiment[i]->name, x->name))
			return odo_fail(err, ODO_EINPUT,
					"%s:%u: expected each name once, found \"%s\" twice",
					at.path, at.line, x->name);
	}
	return 0;
}

static int make_one(odo_experiments *all, odo_error *err)
{
	odo_plain plain = {0};
	odo_experiment *x = NULL;
	int status = odo_sources_expand(all->files, all->n, &plain, err);
	if (!status)
		status = odo_experiment_make(&plain, &x, err);
	if (!status)
		status = check_unique_name(all, x, err);
	if (status)
		odo_experiment_free(x);
	else
		all->experiment[all->n++] = x;
	return status;
}

/** @param files freed here or owned by `out` */
static int make_all(odo_source *files, odo_experiments *out, odo_error *err)
{
	uint32_t n = odo_sources_experiments(files);
	odo_experiments all = {.files = files, .experiment = odo_new(n, sizeof(odo_experiment *))};
	int status = all.experiment ? 0
				    : odo_fail(err, ODO_ENOMEM, "no memory for %u experiments", n);
	while (!status && all.n < n)
		status = make_one(&all, err);
	if (status)
		odo_experiments_free(&all);
	else
		*out = all;
	return status;
}

int odo_experiments_read(const char *path, odo_experiments *out, odo_error *err)
{
	odo_source *files;
	int status = odo_sources_read(path, &files, err);
	return status ? status : make_all(files, out, err);
}

int odo_experiments_parse(const char *path, const char *text, size_t size, odo_experiments *out,
			  odo_error *err)
{
	odo_source *files;
	int status = odo_sources_parse(path, text, size, &files, err);
	return status ? status : make_all(files, out, err);
}

void odo_experiments_free(odo_experiments *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		odo_experiment_free(all->experiment[i]);
	free(all->experiment);
	odo_sources_free(all->files);
	*all = (odo_experiments){0};
}

int odo_experiments_find(const odo_experiments *all, const char *name, odo_experiment **out,
			 odo_error *err)
{
	char names[300] = "";
	for (uint32_t i = 0; i < all->n; i++) {
		const char *has = all->experiment[i]->name;
		if (!strcmp(has, name)) {
			*out = all->experiment[i];
			return 0;
		}
		if (strlen(names) + strlen(has) + 10 < sizeof names)
			strcat(strcat(names, i ? ", " : ""), has);
		else if (names[strlen(names) - 1] != '.')
			strcat(names, ", ...");
	}
	return odo_fail(err, ODO_EINPUT,
			"%s: expected one of its experiments (%s), found \"%.60s\"",
			all->experiment[0]->path, names, name);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/text/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/format/slurp.h"
#include "yaml/yaml.h"

static const odo_entry *include_of(const odo_source *source)
{
	return odo_entries_find(&source->layout.keys, "include");
}

static int refuse_entry(const odo_source *source, const odo_entry *e, const char *expected,
			const char *found, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s, found \"%.200s\"", source->path,
			e->line, expected, found);
}

/** @param path freed here or owned by `out`, as is `text` */
static int make_source(char *path, char *text, size_t size, odo_source **out, odo_error *err)
{
	odo_source *source = odo_new(1, sizeof *source);
	if (!source || !path || !text) {
		free(source);
		free(path);
		free(text);
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	}
	*source = (odo_source){.path = path, .text = text, .size = size};
	*out = source;
	if (size >= ODO_SOURCES_MAX_SIZE)
		return odo_fail(err, ODO_EINPUT,
				"%s:1: expected an experiment below 1 MB, found %zu bytes", path,
				size);
	return odo_layout_read(path, text, size, &source->layout, err);
}

static bool leaves_its_folder(const char *name)
{
	bool leaves = *name == '/';
	for (const char *at = name; at && !leaves; at = strchr(at, '/')) {
		at += *at == '/';
		leaves = !strncmp(at, "..", 2) && (at[2] == '/' || !at[2]);
	}
	return leaves;
}

/** Make the path of the file that a source includes, for free(). */
static int include_path(const odo_source *source, char **out, odo_error *err)
{
	const odo_entry *e = include_of(source);
	if (!e->value || !*e->value)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected the name of a file for include, found none",
				source->path, e->line);
	if (leaves_its_folder(e->value))
		return refuse_entry(source, e,
				    "a file in the same folder or one below it for include",
				    e->value, err);
	const char *slash = strrchr(source->path, '/');
	int folder = slash ? (int)(slash + 1 - source->path) : 0;
	if (asprintf(out, "%.*s%s", folder, source->path, e->value) < 0)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	return 0;
}

/** Read the file that the last file of the chain includes. */
static int read_included(const odo_source *main, odo_source *last, odo_error *err)
{
	const odo_entry *e = include_of(last);
	char *path = NULL, *text = NULL;
	size_t size;
	unsigned depth = 1;
	int status = include_path(last, &path, err);
	for (const odo_source *source = main; !status && source; source = source->base, depth++)
		if (!strcmp(source->path, path))
			status = refuse_entry(last, e, "no file that includes itself", e->value,
					      err);
	if (!status && depth > ODO_SOURCES_MAX_DEPTH)
		status = refuse_entry(last, e, "at most 8 files that include one another", e->value,
				      err);
	if (!status && odo_slurp(path, &text, &size, err))
		status = odo_fail_within(err, "%s:%u", last->path, e->line);
	if (status) {
		free(path);
		return status;
	}
	status = make_source(path, text, size, &last->base, err);
	if (status)
		return status;
	const odo_entry *variants = odo_entries_find(&last->base->layout.keys, "variants");
	if (variants)
		status = refuse_entry(last->base, variants,
				      "no variants in a file that others include", variants->key,
				      err);
	return status;
}

/** Refuse keys that variants may not have. */
static int check_variants(const odo_source *source, odo_error *err)
{
	static const char *const of_files[] = {"include", "variants"};
	for (size_t i = 0; i < source->layout.n_variants * 2; i++) {
		const odo_entry *e = odo_entries_find(&source->layout.variants[i / 2],
						      of_files[i % 2]);
		if (e)
			return refuse_entry(source, e, "a key that variants have", e->key, err);
	}
	return 0;
}

/** @param text freed here or owned by `out` */
static int read_chain(const char *path, char *text, size_t size, odo_source **out, odo_error *err)
{
	odo_source *main = NULL;
	int status = make_source(strdup(path), text, size, &main, err);
	if (!status)
		status = check_variants(main, err);
	for (odo_source *source = main; !status && source; source = source->base)
		if (include_of(source))
			status = read_included(main, source, err);
	if (status)
		odo_sources_free(main);
	else
		*out = main;
	return status;
}

int odo_sources_parse(const char *path, const char *text, size_t size, odo_source **out,
		      odo_error *err)
{
	char *copy = odo_new(size + 1, 1);
	if (copy)
		memcpy(copy, text, size);
	return read_chain(path, copy, size, out, err);
}

int odo_sources_read(const char *path, odo_source **out, odo_error *err)
{
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	return status ? status : read_chain(path, text, size, out, err);
}

void odo_sources_free(odo_source *main)
{
	while (main) {
		odo_source *base = main->base;
		odo_layout_free(&main->layout);
		free(main->path);
		free(main->text);
		free(main);
		main = base;
	}
}

uint32_t odo_sources_experiments(const odo_source *main)
{
	return main->layout.n_variants ? (uint32_t)main->layout.n_variants : 1;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Handles to try the public functions on, and what they say where they fail. */
#ifndef ODONATA_TESTS_API_RIG_H
#define ODONATA_TESTS_API_RIG_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <odonata/odonata.h>

#include "api/handles.h"
#include "tests/unit.h"

/* A fabric, mapped and routed. */
struct rig {
	odonata_fabric *fabric;
	odonata_coordinates *found;
	odonata_tables *tables;
};

static inline void expect_ok(int status, const odonata_error *err)
{
	if (status)
		fail_msg("status %d: %s", status, err->text);
}

static inline odonata_fabric *generate(const char *spec)
{
	odonata_error err = {0};
	odonata_fabric *f = NULL;
	expect_ok(odonata_fabric_generate(spec, 0, &f, &err), &err);
	return f;
}

static inline odonata_coordinates *map(const odonata_fabric *f)
{
	odonata_error err = {0};
	odonata_coordinates *c = NULL;
	expect_ok(odonata_map(f, &c, &err), &err);
	return c;
}

static inline struct rig rig_of(odonata_fabric *f)
{
	odonata_error err = {0};
	struct rig r = {.fabric = f, .found = map(f)};
	expect_ok(odonata_route(r.fabric, r.found, NULL, &r.tables, &err), &err);
	return r;
}

static inline struct rig rig_make(const char *spec)
{
	return rig_of(generate(spec));
}

static inline void rig_free(struct rig *r)
{
	odonata_tables_free(r->tables);
	odonata_coordinates_free(r->found);
	odonata_fabric_free(r->fabric);
}

static inline odonata_fabric *damage(const odonata_fabric *f, odonata_damage how)
{
	odonata_error err = {0};
	odonata_fabric *out = NULL;
	how.size = sizeof how;
	expect_ok(odonata_fabric_damage(f, &how, &out, &err), &err);
	return out;
}

static inline odonata_fabric_view view_of(const odonata_fabric *f)
{
	odonata_error err = {0};
	odonata_fabric_view v = {.size = sizeof v};
	expect_ok(odonata_fabric_get(f, &v, &err), &err);
	return v;
}

/* It failed with this status, and says so in a line that has these words. */
static inline void expect_failure(int status, int expected, const odonata_error *err,
				  const char *said)
{
	if (status != expected || err->status != expected)
		fail_msg("expected status %d, found %d and %d: %s", expected, status, err->status,
			 err->text);
	if (!strstr(err->text, said) || strchr(err->text, '\n'))
		fail_msg("expected \"%s\" in \"%s\"", said, err->text);
}

/* An empty folder for files, and a path in it; the folder is the test's to remove. */
struct folder {
	char name[64], path[128];
};

static inline struct folder folder_make(void)
{
	struct folder d = {.name = "/tmp/odonata-api.XXXXXX"};
	assert_non_null(mkdtemp(d.name));
	return d;
}

static inline const char *file_in(struct folder *d, const char *name)
{
	snprintf(d->path, sizeof d->path, "%s/%s", d->name, name);
	return d->path;
}

static inline char *contents(const char *path)
{
	FILE *from = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;
	assert_non_null(from);
	if (getdelim(&text, &room, 0, from) < 0)
		text[0] = 0;
	fclose(from);
	return text;
}

#endif

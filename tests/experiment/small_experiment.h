/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A small experiment file, and changes to it. */
#ifndef ODONATA_TESTS_EMULATOR_SMALL_EXPERIMENT_H
#define ODONATA_TESTS_EMULATOR_SMALL_EXPERIMENT_H

#include <stdio.h>
#include <string.h>

#include "experiment/experiment.h"

static const char *const good = "# small\n"
				"name: small\n"
				"title: A test\n"
				"fabric: dragonfly:p=1,a=2,h=1\n"
				"measure: load\n"
				"patterns: [uniform, \"advg:n=1\"]\n"
				"loads: [0.1, 0.5:0.9:0.2]\n"
				"warmup: 100\n"
				"measured: 300\n"
				"seeds: 2\n"
				"details: [path, switches]\n"
				"curves:\n"
				"  - name: MIN\n"
				"    routing: min\n"
				"  - {name: tables, routing: tables, model: \"packet=4\"}\n";

static inline int parse(const char *text, odo_experiment **x, odo_error *err)
{
	return odo_experiment_parse("f", text, strlen(text), x, err);
}

/** `good` with the line that begins with `key` replaced; NULL: left out. */
static inline void change(char *out, const char *key, const char *line)
{
	const char *at = strstr(good, key), *end = strchr(at, '\n') + 1;
	sprintf(out, "%.*s%s%s%s", (int)(at - good), good, line ? line : "", line ? "\n" : "", end);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** An experiment file as read by libcyaml: texts, not yet converted to numbers or names. */
#ifndef ODONATA_EXPERIMENT_TEXT_YAML_H
#define ODONATA_EXPERIMENT_TEXT_YAML_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "experiment/text/plain.h"

#define ODO_EXPERIMENT_MAX_ITEMS 10000

struct cyaml_schema_value;

/**
 * Read a file of any schema, which must be a mapping whose values are all texts.
 * @param out for odo_yaml_free() with the same schema, also after a failure
 * Errors: ODO_EINPUT as "path:line: expected ..., found ..."; ODO_ENOMEM.
 */
int odo_yaml_load(const odo_plain *from, const struct cyaml_schema_value *whole, void **out,
		  odo_error *err);
void odo_yaml_free(const struct cyaml_schema_value *whole, void *raw);

/* Keys missing in the file are NULL or empty. */
struct odo_raw_damage {
	char *switches, *links, *seed;
};
struct odo_raw_curve {
	char *name, *routing, *model, *vlarb;
};
struct odo_raw_experiment {
	char *name, *title, *paper, *fabric, *model, *measure, *lmc, *shuffle;
	char *seeds, *seed, *warmup, *measured, *steps, *first, *last, *packets, *series, *ranks,
		*placement, *steady, *relative, *full, *scaled, *near;
	struct odo_raw_damage *damage;
	struct odo_raw_curve *curves;
	char **patterns, **workloads, **loads, **details;
	uint32_t curves_count, patterns_count, workloads_count, loads_count, details_count;
};

/**
 * @param out for odo_experiment_yaml_free()
 * Errors: ODO_EINPUT as "path:line: expected ..., found ...".
 */
int odo_experiment_yaml_load(const odo_plain *from, struct odo_raw_experiment **out,
			     odo_error *err);
void odo_experiment_yaml_free(struct odo_raw_experiment *raw);

/** Find `what` as a whole word outside comments, from `from` on; NULL if there is none. */
const char *odo_experiment_find_word(const char *from, const char *what);

/** Line of `at` within `text`, from 1. */
unsigned odo_experiment_line_of(const char *text, const char *at);

#endif

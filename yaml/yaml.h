/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** YAML files as read by libcyaml: texts, not yet converted to numbers or names. */
#ifndef ODONATA_YAML_YAML_H
#define ODONATA_YAML_YAML_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "yaml/plain.h"

struct cyaml_schema_value;

/**
 * Read a file of any schema, which must be a mapping whose values are all texts.
 * @param out for odo_yaml_free() with the same schema, also after a failure
 * Errors: ODO_EINPUT as "path:line: expected ..., found ..."; ODO_ENOMEM.
 */
int odo_yaml_load(const odo_plain *from, const struct cyaml_schema_value *whole, void **out,
		  odo_error *err);
void odo_yaml_free(const struct cyaml_schema_value *whole, void *raw);

#endif

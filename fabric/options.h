/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Spec strings such as "dragonfly:p=2,a=4,h=2": a name, then options of its row. */
#ifndef ODONATA_FABRIC_OPTIONS_H
#define ODONATA_FABRIC_OPTIONS_H

#include <stdio.h>

#include "fabric/topology.h"

/** Length of the name at the start of a spec: up to its colon or its end. */
size_t odo_spec_name(const char *spec);

/**
 * Read the options of a spec against their rows; defaults stand in for what is not given.
 * @param spec  the whole spec, name included
 * @param rows  ends with a NULL name; at most ODO_MAX_OPTIONS
 * @param value one per row, in their order
 * Errors: ODO_EINPUT, naming the option: unknown, given twice, missing, no number, out of range.
 */
int odo_spec_parse(const char *spec, const odo_option *rows, odo_value *value, odo_error *err);

/** Write the spec back, every option spelt out: what odo_spec_parse() reads as the same. */
void odo_spec_write(const char *name, const odo_option *rows, const odo_value *value, FILE *to);

#endif

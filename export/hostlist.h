/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Slurm's host lists, such as "n[001-064],login1", and the names in them. */
#ifndef ODONATA_EXPORT_HOSTLIST_H
#define ODONATA_EXPORT_HOSTLIST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/** A list of names, each allocated by itself. */
typedef struct odo_names {
	char **name;
	size_t n, room;
} odo_names;

/** Maximum number of names in a list: more than any cluster has nodes. */
#define ODO_NAMES_LIMIT (1u << 20)

int odo_names_add(odo_names *names, const char *text, size_t length, odo_error *err);
void odo_names_clear(odo_names *names);
/** Sort names and remove duplicates. */
void odo_names_sort(odo_names *names);
/** Return true if sorted names contain a name. */
bool odo_names_has(const odo_names *names, const char *name);

/** Compare names so that "n2" comes before "n10". */
int odo_name_compare(const char *x, const char *y);

/**
 * Add the names of a host list.
 * @param what name of the list in messages
 * Errors: ODO_EINPUT for invalid lists, and for more than ODO_NAMES_LIMIT names; ODO_ENOMEM.
 */
int odo_hostlist_read(const char *text, size_t size, const char *what, odo_names *to,
		      odo_error *err);

/**
 * Write names, sorted by odo_name_compare(). Consecutive names become a range.
 * @param most limit of ranges, followed by "and N more"; 0: no limit
 */
void odo_hostlist_write(const char *const *name, size_t n, size_t most, FILE *to);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Slurm's host lists, "n[001-064],login1", and lists of names that they stand for. */
#ifndef ODONATA_EXPORT_HOSTLIST_H
#define ODONATA_EXPORT_HOSTLIST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/** Names, each allocated. */
typedef struct odo_names {
	char **name;
	size_t n, room;
} odo_names;

/** Names that one list may stand for: more than any cluster has nodes. */
#define ODO_NAMES_LIMIT (1u << 20)

int odo_names_add(odo_names *names, const char *text, size_t length, odo_error *err);
void odo_names_clear(odo_names *names);
/** Sort them, and leave each in once. */
void odo_names_sort(odo_names *names);
/** Is a name among sorted ones? */
bool odo_names_has(const odo_names *names, const char *name);

/** Order names as people do: "n2" is before "n10". */
int odo_name_compare(const char *x, const char *y);

/**
 * Add the names of a host list.
 * @param what names the list in messages
 * Errors: ODO_EINPUT for what is no host list, or stands for more than ODO_NAMES_LIMIT names;
 * ODO_ENOMEM.
 */
int odo_hostlist_read(const char *text, size_t size, const char *what, odo_names *to,
		      odo_error *err);

/**
 * Write names that are in the order of odo_name_compare(). Those that follow one another become a
 * range.
 * @param most ranges at most, then "and N more"; 0: all
 */
void odo_hostlist_write(const char *const *name, size_t n, size_t most, FILE *to);

#endif

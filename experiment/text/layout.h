/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Positions of the keys of an experiment file in its text. With them experiments are assembled
 * from pieces of several files (sources.h) without reading and rewriting values. */
#ifndef ODONATA_EXPERIMENT_TEXT_LAYOUT_H
#define ODONATA_EXPERIMENT_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/** Maximum number of keys of a file or variant, and of variants of a file. */
#define ODO_LAYOUT_MAX_KEYS 100
#define ODO_LAYOUT_MAX_VARIANTS 100

/** A key with its value. `above` <= `begin` <= `end` are byte positions in the text. */
typedef struct odo_entry {
	char *key;
	char *value;   /**< NULL if it is not a single value */
	size_t above;  /**< the comment lines above the key begin here */
	size_t begin;  /**< the key begins here */
	size_t end;    /**< end of the value's last line; within braces, end of the value */
	size_t indent; /**< letters before the key */
	unsigned line; /**< of the key, counted from 1 */
	bool braces;   /**< within braces, where line breaks have no meaning */
} odo_entry;

typedef struct odo_entries {
	odo_entry *entry;
	size_t n, room;
} odo_entries;

typedef struct odo_layout {
	odo_entries keys;
	odo_entries *variants; /**< [n_variants] keys of each item of the key "variants" */
	size_t n_variants, variants_room;
} odo_layout;

/**
 * Find the keys of a file and of its variants.
 * @param path for messages
 * @param text NUL-terminated at text[size]
 * @param out  for odo_layout_free(), also after a failure
 * Errors: ODO_EINPUT as "path:line: expected ..., found ..."; ODO_ENOMEM.
 */
int odo_layout_read(const char *path, const char *text, size_t size, odo_layout *out,
		    odo_error *err);
void odo_layout_free(odo_layout *layout);

/** Return the entry of a key, or NULL. */
const odo_entry *odo_entries_find(const odo_entries *entries, const char *key);

#endif

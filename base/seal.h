/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Seal: the end of a file that shows whether the file is whole. It has the length of the file, and
 * the CRC-64 of all bytes before the CRC. A text ends in a line with these as hexadecimal digits,
 * after the name and the version of its format.
 */
#ifndef ODONATA_BASE_SEAL_H
#define ODONATA_BASE_SEAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/crc.h"
#include "base/error.h"

/** Kind of file, by its seal. */
typedef struct odo_seal_kind {
	const char *before, *between, *after; /**< around the numbers; between NULL: no length */
	unsigned width;                       /**< bytes of a number: 8, or 16 digits */
} odo_seal_kind;

/** State that a manager leaves to the next one (routing/reroute/saved.h); tables that `odonata
 * install --keep` saved, by this version and by older ones; the plugin's state file, which is JSON.
 */
extern const odo_seal_kind odo_seal_past, odo_seal_tables, odo_seal_tables_2, odo_seal_state;

/** A file being written; check ferror() for failures. */
typedef struct odo_seal {
	const odo_seal_kind *kind;
	FILE *to;
	uint64_t size;
	odo_crc crc;
} odo_seal;

void odo_seal_begin(odo_seal *seal, const odo_seal_kind *kind, FILE *to);
void odo_seal_write(odo_seal *seal, const void *from, size_t size, size_t n);
void odo_seal_end(odo_seal *seal);

/**
 * Check a whole file. Its position is at the end of the contents afterwards.
 * @param contents gets the number of bytes before the seal; 0 on failure
 * Errors: ODO_EINPUT if the file is incomplete or changed, ODO_EIO if the system does not return
 * it.
 */
int odo_seal_check(const odo_seal_kind *kind, FILE *from, const char *name, uint64_t *contents,
		   odo_error *err);

/** Return true if a text ends in a seal, whole or damaged. A text of an older version has none. */
bool odo_seal_is_there(const odo_seal_kind *kind, const char *text, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Around what a manager leaves (saved.h): whose it is, in front, and whether it is whole, behind.
 *
 * In front are a mark of 8 bytes, the order of bytes, a version, the numbers of GUIDs, a CRC-64 of
 * these and of the GUIDs, and the GUIDs. They tell the subnet without the rest, in all versions.
 * Behind are the size of the whole file and the CRC-64 of all before it.
 */
#ifndef ODONATA_ROUTING_REROUTE_SEAL_H
#define ODONATA_ROUTING_REROUTE_SEAL_H

#include <stdio.h>

#include "base/crc.h"
#include "routing/reroute/saved.h"

/** A file being written; failures are left to ferror(). */
typedef struct odo_seal {
	FILE *to;
	uint64_t size;
	odo_crc crc;
} odo_seal;

/** @param guid [n] @param n_present of these from the first on are of the fabric's switches */
void odo_seal_begin(odo_seal *seal, FILE *to, const uint64_t *guid, uint32_t n_present, uint32_t n);
void odo_seal_write(odo_seal *seal, const void *from, size_t size, size_t n);
void odo_seal_end(odo_seal *seal);

/** Does a file begin as odo_seal_begin() has it? It is at its beginning before and after. */
bool odo_is_sealed(FILE *from);

/**
 * Check a whole file, and go to what is within.
 * @param from at its beginning @param size of the file; becomes that of what is within
 * Errors: ODO_EINPUT where it is torn, changed, or of another version; ODO_ENOMEM.
 */
int odo_seal_check(FILE *from, const char *name, uint64_t *size, odo_error *err);

/** odo_saved_whose() of a sealed file. */
int odo_seal_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Front and back of a file with a manager's state (saved.h). The front identifies the subnet, the
 * back shows if the file is complete.
 *
 * The front has a mark of 8 bytes, the byte order, a version, the numbers of GUIDs, a CRC-64 of
 * these and of the GUIDs, and the GUIDs. It identifies the subnet without the rest, in all
 * versions. The back has the size of the whole file and the CRC-64 of all bytes before it.
 */
#ifndef ODONATA_ROUTING_REROUTE_SEAL_H
#define ODONATA_ROUTING_REROUTE_SEAL_H

#include <stdio.h>

#include "base/crc.h"
#include "routing/reroute/saved.h"

/** A file being written; check ferror() for failures. */
typedef struct odo_seal {
	FILE *to;
	uint64_t size;
	odo_crc crc;
} odo_seal;

/** Begin a file. @param guid [n] @param n_present the first n_present are switches of the fabric */
void odo_seal_begin(odo_seal *seal, FILE *to, const uint64_t *guid, uint32_t n_present, uint32_t n);
void odo_seal_write(odo_seal *seal, const void *from, size_t size, size_t n);
void odo_seal_end(odo_seal *seal);

/**
 * Return true if a file begins as odo_seal_begin() writes it. The file is at its beginning before
 * and after.
 */
bool odo_is_sealed(FILE *from);

/**
 * Check a whole file, and go to its contents.
 * @param from at its beginning
 * @param size size of the file; becomes the size of the contents
 * Errors: ODO_EINPUT if the file is incomplete, changed, or of another version; ODO_ENOMEM.
 */
int odo_seal_check(FILE *from, const char *name, uint64_t *size, odo_error *err);

/** Like odo_saved_whose(), for a sealed file. */
int odo_seal_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err);

#endif

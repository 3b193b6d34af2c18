/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Front of a file with a manager's state (saved.h): it identifies the subnet without the rest, in
 * all versions. It has a mark of 8 bytes, the byte order, a version, the numbers of GUIDs, a CRC-64
 * of these and of the GUIDs, and the GUIDs. The file ends in a seal (base/seal.h).
 */
#ifndef ODONATA_ROUTING_REROUTE_FRONT_H
#define ODONATA_ROUTING_REROUTE_FRONT_H

#include <stdio.h>

#include "base/seal.h"
#include "routing/reroute/saved.h"

/** Begin a file. @param guid [n] @param n_present the first n_present are switches of the fabric */
void odo_front_write(odo_seal *seal, const uint64_t *guid, uint32_t n_present, uint32_t n);

/**
 * Return true if a file has a front. The file is at its beginning before and after.
 */
bool odo_front_is_there(FILE *from);

/**
 * Check front, version and seal of a file, and go to its contents.
 * @param from at its beginning
 * @param size gets the size of the contents
 * Errors: ODO_EINPUT if the file is incomplete, changed, or of another version; ODO_EIO;
 * ODO_ENOMEM.
 */
int odo_front_check(FILE *from, const char *name, uint64_t *size, odo_error *err);

/** Like odo_saved_whose(), for a file with a front. */
int odo_front_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Lists of GUIDs, as OpenSM's root_guid_file, cn_guid_file and io_guid_file. */
#ifndef ODONATA_FABRIC_FORMAT_GUIDS_H
#define ODONATA_FABRIC_FORMAT_GUIDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "fabric/fabric.h"

/** Maximum number of GUIDs, more than any fabric has ports. */
#define ODO_GUIDS_LIMIT (1u << 24)

/**
 * Read a file as OpenSM does: one hexadecimal GUID per line, with or without 0x, and perhaps a name
 * after it; `#` starts a comment. A GUID that is listed twice is returned twice.
 * @param guids in the file's order, for free(); NULL if there are none. Unchanged on failure, as is
 * `n`
 * @param n their number
 * Errors: ODO_EINPUT with file and line for a text that is no GUID, a GUID of 0, or more than
 * ODO_GUIDS_LIMIT; ODO_EIO, ODO_ENOMEM.
 */
int odo_guids_read(const char *path, uint64_t **guids, uint32_t *n, odo_error *err);

/** Return how many of `n` GUIDs belong to switches of a fabric. */
uint32_t odo_guids_of_switches(const odo_fabric *f, const uint64_t *guids, uint32_t n);

#endif

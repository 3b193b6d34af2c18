/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Lists of GUIDs, as OpenSM's root_guid_file, cn_guid_file and io_guid_file. */
#ifndef ODONATA_FABRIC_FORMAT_GUIDS_H
#define ODONATA_FABRIC_FORMAT_GUIDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "fabric/fabric.h"

/** More than any fabric has ports. */
#define ODO_GUIDS_LIMIT (1u << 24)

/**
 * Read a file as OpenSM does: a GUID a line, hexadecimal with or without 0x, and perhaps a name
 * behind it; `#` starts a comment. One that comes twice stands twice.
 * @param guids in the file's order, for free(); NULL where there are none. As it was on failure,
 *              and so is `n`
 * @param n     how many
 * Errors: ODO_EINPUT with file and line for what is no GUID, for a GUID of 0, or more than
 * ODO_GUIDS_LIMIT; ODO_EIO, ODO_ENOMEM.
 */
int odo_guids_read(const char *path, uint64_t **guids, uint32_t *n, odo_error *err);

/** How many of n GUIDs are of switches of a fabric. */
uint32_t odo_guids_of_switches(const odo_fabric *f, const uint64_t *guids, uint32_t n);

#endif

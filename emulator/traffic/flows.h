/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Traffic between given pairs of hosts, as a file: docs/reference/formats.md defines the format.
 */
#ifndef ODONATA_EMULATOR_TRAFFIC_FLOWS_H
#define ODONATA_EMULATOR_TRAFFIC_FLOWS_H

#include <stdio.h>

#include "emulator/traffic/pattern.h"

/**
 * Read which host each host sends to. Hosts are found by their port GUIDs.
 * @param origin name for messages
 * @param text   NUL-terminated at text[size]
 * @param out    zeroed; its arrays are freed by the caller, also after a failure
 * Errors: ODO_EINPUT with file and line for a line that is not a pair, a GUID that no host has, or
 * a host that sends twice; ODO_ENOMEM.
 */
int odo_flows_parse(const char *origin, const char *text, size_t size, const odo_order *o,
		    odo_draw *out, odo_error *err);

/** The same from a file.
 * @param path "-" is standard input
 * Errors: ODO_EIO, too. */
int odo_flows_read(const char *path, const odo_order *o, odo_draw *out, odo_error *err);

/**
 * Write a file of this format.
 * @param to [n_hosts] host that each host sends to, ODO_NONE for silent hosts
 */
void odo_flows_write(const odo_fabric *f, const uint32_t *to, FILE *file);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Names of nodes by GUID, in the format of infiniband-diags' --node-name-map. */
#ifndef ODONATA_FABRIC_FORMAT_NAMES_H
#define ODONATA_FABRIC_FORMAT_NAMES_H

#include "fabric/fabric.h"

/** Read lines of a GUID and a name, perhaps in quotes, and give the names to nodes of a fabric. A
 * GUID is that of a node, or of a port of it; GUIDs that the fabric lacks are passed over.
 * @param out a fabric with these names
 * Errors: ODO_EINPUT with file and line, ODO_EIO, ODO_ENOMEM. */
int odo_names_apply(const char *path, const odo_fabric *in, odo_fabric **out, odo_error *err);

#endif

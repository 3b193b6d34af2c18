/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Nodes and ports by the words of people: a name, a GUID or a LID, and perhaps a port. */
#ifndef ODONATA_FABRIC_ADDRESS_H
#define ODONATA_FABRIC_ADDRESS_H

#include "fabric/fabric.h"

typedef struct odo_address {
	uint32_t node;
	uint32_t slot; /**< port that the text names; ODO_NONE if it names the node alone */
	uint16_t lid;  /**< LID that the text names, or the first one of `slot`, or of the only host
			  of the adapter, or of the switch; 0 if there is none, or several */
} odo_address;

/**
 * Find a node or a port.
 * @param text a node description, a machine's name, a GUID with 0x (of a port, or else of a node), or a
 *             LID in decimal digits; then perhaps "/" and the number of a port
 * Errors: ODO_EINPUT if nothing has this address, or if several nodes have it, with the first two.
 */
int odo_address_find(const odo_fabric *f, const char *text, odo_address *out, odo_error *err);

/** Return the host that an address names, or ODO_NONE: a switch, or an adapter with several
 * hosts. */
uint32_t odo_address_host(const odo_fabric *f, const odo_address *address);

#endif

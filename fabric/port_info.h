/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a port says of its cable: PortInfo as it stands in a MAD, 64 bytes (InfiniBand volume 1,
 * 14.2.5.6). */
#ifndef ODONATA_FABRIC_PORT_INFO_H
#define ODONATA_FABRIC_PORT_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "fabric/fabric.h"

/** Lanes of the cable: 1, 2, 4, 8 or 12; 0 where the port gives no such code. */
uint8_t odo_port_lanes(const uint8_t *info);

/** Speed of each lane.
 * @param extended the node's capabilities say that speeds above QDR are told
 * @param fdr10 the port runs at FDR10, which only a vendor's attribute tells: here it looks like
 * QDR
 * @return ODO_SPEED_UNKNOWN where the port gives no code that is known */
odo_speed odo_port_speed(const uint8_t *info, bool extended, bool fdr10);

#endif

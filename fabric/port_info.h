/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Width and speed of a cable in a port's PortInfo, as in a MAD, 64 bytes (InfiniBand volume 1,
 * 14.2.5.6). */
#ifndef ODONATA_FABRIC_PORT_INFO_H
#define ODONATA_FABRIC_PORT_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "fabric/fabric.h"

/** Return the lanes of the cable: 1, 2, 4, 8 or 12; 0 for another code. */
uint8_t odo_port_lanes(const uint8_t *info);

/** Return the speed of each lane.
 * @param extended the node's capabilities include speeds above QDR
 * @param fdr10 the port runs at FDR10. Only an attribute of the vendor reports that; in PortInfo it
 *   looks like QDR
 * @return ODO_SPEED_UNKNOWN for an unknown code */
odo_speed odo_port_speed(const uint8_t *info, bool extended, bool fdr10);

/** Highest code of VLCap and OperationalVLs. */
#define ODO_MAX_VL_CODE 5u

/** Return the number of VLs for a code of VLCap or OperationalVLs; 0 for another code. */
uint8_t odo_port_vls(unsigned code);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/port_info.h"

/* Offsets of bytes in PortInfo. Speeds that were added later have separate fields. */
enum { LINK_WIDTH_ACTIVE = 31, LINK_SPEED = 35, LINK_SPEED_EXT_2 = 56, LINK_SPEED_EXT = 62 };

uint8_t odo_port_lanes(const uint8_t *info)
{
	static const uint8_t lanes[] = {[1] = 1, [2] = 4, [4] = 8, [8] = 12, [16] = 2};
	unsigned code = info[LINK_WIDTH_ACTIVE];
	return code < sizeof lanes ? lanes[code] : 0;
}

odo_speed odo_port_speed(const uint8_t *info, bool extended, bool fdr10)
{
	static const uint8_t plain[16] = {[1] = ODO_SDR, [2] = ODO_DDR, [4] = ODO_QDR};
	static const uint8_t more[16] = {
		[1] = ODO_FDR, [2] = ODO_EDR, [4] = ODO_HDR, [8] = ODO_NDR};
	/* LinkSpeedExtActive2: bits 6 and 5, which were reserved and 0 before XDR. */
	if (extended && (info[LINK_SPEED_EXT_2] >> 5 & 3) == 1)
		return ODO_XDR;
	if (extended && more[info[LINK_SPEED_EXT] >> 4])
		return (odo_speed)more[info[LINK_SPEED_EXT] >> 4];
	odo_speed speed = (odo_speed)plain[info[LINK_SPEED] >> 4];
	return fdr10 && speed == ODO_QDR ? ODO_FDR10 : speed;
}

uint8_t odo_port_vls(unsigned code)
{
	static const uint8_t vls[] = {0, 1, 2, 4, 8, 15};
	return code < sizeof vls ? vls[code] : 0;
}

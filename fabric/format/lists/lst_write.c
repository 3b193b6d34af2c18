/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writer of opensm-subnet.lst, which ibdmchk -s reads. The format has no LMCs. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "fabric/format/formats.h"

/* Copy a name without braces, which end it, and without characters at which ibdmchk splits lines.
 */
static const char *plain_name(const char *name, char *to)
{
	size_t n = 0;
	for (; n < 64 && name[n]; n++)
		to[n] = name[n] < ' ' || name[n] > '~' || strchr("{}", name[n]) ? '_' : name[n];
	to[n] = 0;
	return to;
}

/* Return the lanes that ibdmchk knows. */
static unsigned known_width(uint8_t width)
{
	return width == 1 || width == 2 || width == 8 || width == 12 ? width : 4;
}

static const char *speed_text(uint8_t speed)
{
	static const char *const text[] = {"2.5", "2.5", "5",  "10",  "FDR10",
					   "14",  "25",  "50", "100", "200"};
	return speed < sizeof text / sizeof *text ? text[speed] : "??";
}

static void write_lst_port(const odo_fabric *f, uint32_t slot, FILE *to)
{
	uint32_t node = f->owner[slot];
	bool is_switch = odo_is_switch(f, node);
	char name[65]; /* a node description and a NUL */
	const char *type = is_switch ? "SW" : f->node_type[node] == ODO_CA ? "CA" : "Rt";
	fprintf(to,
		"{ %s Ports:%02X SystemGUID:%016" PRIx64 " NodeGUID:%016" PRIx64
		" PortGUID:%016" PRIx64 " VenID:000000 DevID:0000 Rev:00000000 {%s} LID:%04X "
		"PN:%02X } ",
		type, odo_n_ports(f, node), f->node_guid[node], f->node_guid[node],
		is_switch ? f->node_guid[node] : f->port_guid[slot],
		plain_name(odo_name(f, node), name),
		is_switch ? f->switch_lid[node] : f->port_lid[slot], odo_port(f, slot));
}

/* Write a line for each end of each cable, as OpenSM does. */
int odo_lst_write(const odo_fabric *f, FILE *to, odo_error *err)
{
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		if (f->peer[slot] == ODO_NONE)
			continue;
		write_lst_port(f, slot, to);
		write_lst_port(f, f->peer[slot], to);
		fprintf(to, "PHY=%ux LOG=ACT SPD=%s\n", known_width(f->width[slot]),
			speed_text(f->speed[slot]));
	}
	if (fflush(to) || ferror(to))
		return odo_fail(err, ODO_EIO, "cannot write: %s", strerror(errno));
	return 0;
}

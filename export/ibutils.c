/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What ibdmchk of ibutils reads besides OpenSM's dumps. */
#include <inttypes.h>
#include <string.h>

#include "export/write.h"

/* ibdmchk keeps one SL per (node, DLID): of an adapter with several ports it would believe
 * the last line, so that later ports that disagree are left to a comment. */
static bool is_first_port(const odo_fabric *f, uint32_t host)
{
	return host == 0 || f->owner[f->host_slot[host]] != f->owner[f->host_slot[host - 1]];
}

static uint32_t first_port(const odo_fabric *f, uint32_t host)
{
	while (!is_first_port(f, host))
		host--;
	return host;
}

static void write_host_sls(const odo_tables *t, uint32_t host, FILE *to)
{
	const odo_fabric *f = t->fabric;
	uint32_t slot = f->host_slot[host], s = odo_host_switch(f, host);
	uint32_t first = odo_host_switch(f, first_port(f, host));
	for (uint32_t lid = 1; lid < f->lid_count; lid++) {
		if (f->lid_switch[lid] == ODO_NONE)
			continue;
		unsigned sl = odo_path_sl(t, s, lid);
		if (is_first_port(f, host))
			fprintf(to, "0x%016" PRIx64 " %u %u\n", f->node_guid[f->owner[slot]], lid,
				sl);
		else if (sl != odo_path_sl(t, first, lid))
			fprintf(to, "# port 0x%016" PRIx64 " to LID %u has SL %u\n",
				f->port_guid[slot], lid, sl);
	}
}

int odo_write_psl(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	fprintf(to, "# source node GUID, destination LID, SL; routing %s\n", t->engine);
	for (uint32_t h = 0; h < t->fabric->n_hosts; h++)
		write_host_sls(t, h, to);
	return odo_write_done(to, err);
}

static const char *width_text(uint8_t width)
{
	switch (width) {
	case 1:
		return "1x";
	case 2:
		return "2x";
	case 8:
		return "8x";
	case 12:
		return "12x";
	default:
		return "4x";
	}
}

static const char *speed_text(uint8_t speed)
{
	static const char *const text[] = {"2.5", "2.5", "5",  "10",  "FDR10",
					   "14",  "25",  "50", "100", "200"};
	return speed < sizeof text / sizeof *text ? text[speed] : "??";
}

static void write_port(const odo_fabric *f, uint32_t slot, FILE *to)
{
	uint32_t node = f->owner[slot];
	bool is_switch = odo_is_switch(f, node);
	char name[ODO_NAME_SIZE];
	const char *type = is_switch ? "SW" : f->node_type[node] == ODO_CA ? "CA" : "Rt";
	fprintf(to,
		"{ %s Ports:%02X SystemGUID:%016" PRIx64 " NodeGUID:%016" PRIx64
		" PortGUID:%016" PRIx64 " VenID:000000 DevID:0000 Rev:00000000 {%s} LID:%04X "
		"PN:%02X } ",
		type, odo_n_ports(f, node), f->node_guid[node], f->node_guid[node],
		is_switch ? f->node_guid[node] : f->port_guid[slot],
		odo_write_name(f, node, "{}", name),
		is_switch ? f->switch_lid[node] : f->port_lid[slot], odo_port(f, slot));
}

/* One line for each end of each cable, as OpenSM writes opensm-subnet.lst. */
int odo_write_lst(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	const odo_fabric *f = t->fabric;
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		if (f->peer[slot] == ODO_NONE)
			continue;
		write_port(f, slot, to);
		write_port(f, f->peer[slot], to);
		fprintf(to, "PHY=%s LOG=ACT SPD=%s\n", width_text(f->width[slot]),
			speed_text(f->speed[slot]));
	}
	return odo_write_done(to, err);
}

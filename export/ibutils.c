/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What ibdmchk of ibutils reads besides OpenSM's dumps, and ibdiagnet writes. */
#include <inttypes.h>
#include <string.h>

#include "export/write.h"
#include "fabric/format/formats.h"

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
	for (uint32_t h = 0; h < t->fabric->n_hosts; h++) {
		odo_tell(t->watch, "writing SLs", h, t->fabric->n_hosts);
		write_host_sls(t, h, to);
	}
	return odo_write_done(to, err);
}

/* "guid in out" and two VLs a byte, SL 0 first. */
static void write_map(uint64_t guid, unsigned in, unsigned out, const odo_sl2vl *map, FILE *to)
{
	fprintf(to, "0x%016" PRIx64 " %u %u", guid, in, out);
	for (unsigned sl = 0; sl < ODO_N_SLS; sl += 2)
		fprintf(to, " 0x%x%x", map->vl[sl], map->vl[sl + 1]);
	putc('\n', to);
}

int odo_write_slvl(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		odo_tell(t->watch, "writing SL2VL maps in ibdiagnet's form", s, f->n_switches);
		for (unsigned out = 1; out <= odo_n_ports(f, s); out++)
			for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
				if (f->peer[odo_slot(f, s, out)] != ODO_NONE)
					write_map(f->node_guid[s], in, out,
						  &t->rows[*odo_sl2vl_entry(t, s, in, out)], to);
	}
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h];
		write_map(f->node_guid[f->owner[slot]], 0, odo_port(f, slot),
			  &t->rows[t->host_row[h]], to);
	}
	return odo_write_done(to, err);
}

/* OpenSM's form, which the fabric's own writer has. */
int odo_write_lst(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	return odo_lst_write(t->fabric, to, err);
}

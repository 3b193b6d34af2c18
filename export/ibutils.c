/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that ibdmchk of ibutils reads besides OpenSM's dumps, and files that ibdiagnet writes. */
#include <inttypes.h>

#include "export/write.h"
#include "fabric/format/formats.h"

static bool is_of_node(const odo_fabric *f, uint32_t host, uint32_t node)
{
	return host < f->n_hosts && f->owner[f->host_slot[host]] == node;
}

/* @param port port of the node; 0 if the node has no other */
static void write_node_sls(const odo_tables *t, uint32_t node, uint32_t s, unsigned port, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t lid = 1; lid < f->lid_count; lid++) {
		if (f->lid_switch[lid] == ODO_NONE)
			continue;
		fprintf(to, "0x%016" PRIx64 " %u %u", f->node_guid[node], lid,
			odo_path_sl(t, s, lid));
		if (port)
			fprintf(to, " %u", port);
		putc('\n', to);
	}
}

/* ibdmchk ignores the port and stores only the last SL for each node and LID. Therefore write the
 * first port last. */
static void write_host_sls(const odo_tables *t, uint32_t first, uint32_t last, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t host = last; host + 1 > first; host--) {
		uint32_t slot = f->host_slot[host];
		write_node_sls(t, f->owner[slot], odo_host_switch(f, host),
			       last > first ? odo_port(f, slot) : 0, to);
	}
}

int odo_write_psl(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	const odo_fabric *f = t->fabric;
	fprintf(to, "# source node GUID, destination LID, SL, port if several; routing %s\n",
		t->engine);
	for (uint32_t h = 0, last; h < f->n_hosts; h = last + 1) {
		odo_tell(t->watch, "writing SLs", h, f->n_hosts);
		for (last = h; is_of_node(f, last + 1, f->owner[f->host_slot[h]]);)
			last++;
		write_host_sls(t, h, last, to);
	}
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (!odo_hosts_of(f, s))
			write_node_sls(t, s, s, 0, to);
	return odo_write_done(to, err);
}

/* Write "guid in out" and bytes of two VLs each, SL 0 first. */
static void write_slvl_map(uint64_t guid, unsigned in, unsigned out, const odo_sl2vl *map, FILE *to)
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
					write_slvl_map(f->node_guid[s], in, out,
						       &t->rows[*odo_sl2vl_entry(t, s, in, out)],
						       to);
	}
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h];
		write_slvl_map(f->node_guid[f->owner[slot]], 0, odo_port(f, slot),
			       &t->rows[t->host_row[h]], to);
	}
	return odo_write_done(to, err);
}

/* Write OpenSM's format with the writer of fabrics. */
int odo_write_lst(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	return odo_lst_write(t->fabric, to, err);
}

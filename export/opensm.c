/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dumps as OpenSM writes them with -D 0x43, equal byte for byte if the tables are equal. */
#include <inttypes.h>
#include <stdlib.h>

#include "export/write.h"
#include "base/order.h"
#include "routing/graph/distance.h"

static void write_lft_dump(const odo_tables *t, uint32_t s, FILE *to)
{
	const odo_fabric *f = t->fabric;
	char name[ODO_NAME_SIZE];
	fprintf(to, "Unicast lids [0-%u] of switch Lid %u guid 0x%016" PRIx64 " ('%s'):\n",
		f->lid_count - 1, f->switch_lid[s], f->node_guid[s],
		odo_write_name(f, s, "", name));
	for (uint32_t lid = 1; lid < f->lid_count; lid++) {
		unsigned port = odo_next_port(t, s, lid);
		if (port == ODO_NO_PORT)
			continue;
		uint32_t node = odo_write_lid_node(f, lid);
		if (node == ODO_NONE)
			fprintf(to, "0x%04x %03u # unknown node and type\n", lid, port);
		else
			fprintf(to, "0x%04x %03u # %s portguid 0x%016" PRIx64 ": '%s'\n", lid, port,
				odo_write_type(f, node), odo_write_lid_guid(f, lid),
				odo_write_name(f, node, "", name));
	}
	fprintf(to, "%u lids dumped\n", f->lid_count - 1);
}

int odo_write_lfts(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	odo_arena memory = {0};
	odo_write_end *ends;
	size_t n;
	int status = odo_write_by_guid(t->fabric, false, &memory, &ends, &n, err);
	if (status)
		return status;
	odo_write_warning(t, "these LFTs", to);
	for (size_t i = 0; i < n; i++) {
		odo_tell(t->watch, "writing LFTs", i, n);
		write_lft_dump(t, ends[i].node, to);
	}
	odo_arena_free(&memory);
	return odo_write_done(to, err);
}

/* Return the hops to switch `d` by the cable of `slot`; ODO_FAR if it does not lead there. */
static unsigned hops_by(const odo_fabric *f, const uint8_t *dist, uint32_t slot, uint32_t d)
{
	uint32_t v = odo_next_switch(f, slot);
	if (v == ODO_NONE || dist[(size_t)v * f->n_switches + d] == ODO_FAR)
		return ODO_FAR;
	return 1u + dist[(size_t)v * f->n_switches + d];
}

static void write_hops(const odo_fabric *f, const uint8_t *dist, uint32_t s, uint32_t d, FILE *to)
{
	/* OpenSM writes the minimum over all ports in place of port 0. */
	fprintf(to, "0x%04x: %02x", f->switch_lid[d], dist[(size_t)s * f->n_switches + d]);
	for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
		fprintf(to, " %02x", hops_by(f, dist, slot, d));
	fprintf(to, " # portguid 0x%016" PRIx64 "\n", f->node_guid[d]);
}

/* List the base LIDs of the switches in ascending order, the order of the rows. @return their
 * number */
static uint32_t switch_lids(const odo_fabric *f, uint32_t *lid)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (f->switch_lid[s])
			lid[n++] = f->switch_lid[s];
	qsort(lid, n, sizeof *lid, odo_by_u32);
	return n;
}

int odo_write_lid_matrix(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	const odo_fabric *f = t->fabric;
	odo_arena memory = {0};
	odo_write_end *ends;
	uint8_t *dist;
	size_t n;
	uint32_t *lid = odo_arena_new(&memory, f->n_switches, sizeof *lid);
	int status = lid ? odo_distances(f, &memory, &dist, err)
			 : odo_fail(err, ODO_ENOMEM, "no memory for a LID matrix");
	if (!status)
		status = odo_write_by_guid(f, false, &memory, &ends, &n, err);
	if (!status) {
		uint32_t n_lids = switch_lids(f, lid);
		for (size_t i = 0; i < n; i++) {
			uint32_t s = ends[i].node;
			odo_tell(t->watch, "writing hop counts", i, n);
			fprintf(to, "Switch: guid 0x%016" PRIx64 "\n", ends[i].guid);
			for (uint32_t k = 0; k < n_lids; k++) {
				uint32_t d = f->lid_switch[lid[k]];
				if (dist[(size_t)s * f->n_switches + d] != ODO_FAR)
					write_hops(f, dist, s, d, to);
			}
		}
		status = odo_write_done(to, err);
	}
	odo_arena_free(&memory);
	return status;
}

/* Return the first port with the fewest hops to switch `d`. */
static unsigned best_port(const odo_fabric *f, const uint8_t *dist, uint32_t s, uint32_t d)
{
	unsigned least = dist[(size_t)s * f->n_switches + d];
	for (unsigned p = 1; p <= odo_n_ports(f, s); p++)
		if (hops_by(f, dist, odo_slot(f, s, p), d) == least)
			return p;
	return 0;
}

/* Write a line: the port, and the hops of the shortest path that leaves by this port. */
static void write_route(const odo_tables *t, const uint8_t *dist, uint32_t s, uint32_t lid,
			FILE *to)
{
	const odo_fabric *f = t->fabric;
	unsigned port = odo_next_port(t, s, lid);
	uint32_t d = f->lid_switch[lid];
	if (port == ODO_NO_PORT || d == ODO_NONE) {
		fprintf(to, "0x%04X : UNREACHABLE\n", lid);
		return;
	}
	bool host = f->lid_host[lid] != ODO_NONE;
	unsigned least = dist[(size_t)s * f->n_switches + d];
	unsigned hops = s == d ? 0 : !port ? ODO_FAR : hops_by(f, dist, odo_slot(f, s, port), d);
	if (hops == ODO_FAR) {
		fprintf(to, "0x%04X : %03u  : HOPS UNKNOWN\n", lid, port);
		return;
	}
	fprintf(to, "0x%04X : %03u  : %02u   : ", lid, port, hops + host);
	if (hops == least)
		fprintf(to, "yes\n");
	else
		fprintf(to, "No %u hop path possible via port %u!\n", least + host,
			best_port(f, dist, s, d));
}

int odo_write_fdbs(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	const odo_fabric *f = t->fabric;
	odo_arena memory = {0};
	odo_write_end *ends;
	uint8_t *dist;
	size_t n;
	int status = odo_distances(f, &memory, &dist, err);
	if (!status)
		status = odo_write_by_guid(f, false, &memory, &ends, &n, err);
	for (size_t i = 0; !status && i < n; i++) {
		odo_tell(t->watch, "writing LFTs with hops", i, n);
		fprintf(to,
			"dump_ucast_routes: Switch 0x%016" PRIx64
			"\nLID    : Port : Hops : Optimal\n",
			ends[i].guid);
		for (uint32_t lid = 1; lid < f->lid_count; lid++)
			write_route(t, dist, ends[i].node, lid, to);
	}
	odo_arena_free(&memory);
	return status ? status : odo_write_done(to, err);
}

static void write_sl2vl_line(unsigned in, unsigned out, const odo_sl2vl *map, FILE *to)
{
	fprintf(to, "%-3u %-3u :", in, out);
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
		fprintf(to, " %-2u", map->vl[sl]);
	putc('\n', to);
}

/* Write the maps of ports with cables, as OpenSM does. */
static void write_switch_maps(const odo_tables *t, uint32_t s, FILE *to)
{
	unsigned ports = odo_n_ports(t->fabric, s);
	for (unsigned out = 1; out <= ports; out++) {
		if (t->fabric->peer[odo_slot(t->fabric, s, out)] == ODO_NONE)
			continue;
		for (unsigned in = 0; in <= ports; in++)
			write_sl2vl_line(in, out, &t->rows[*odo_sl2vl_entry(t, s, in, out)], to);
	}
}

int odo_write_sl2vl(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	static const char line[] = "#--------------------------------------------------------";
	const odo_fabric *f = t->fabric;
	odo_arena memory = {0};
	odo_write_end *ends;
	size_t n;
	int status = odo_write_by_guid(f, true, &memory, &ends, &n, err);
	if (status)
		return status;
	for (size_t i = 0; i < n; i++) {
		const odo_write_end *e = &ends[i];
		bool host = e->host != ODO_NONE;
		char name[ODO_NAME_SIZE];
		odo_tell(t->watch, "writing SL2VL maps", i, n);
		fprintf(to,
			"%s 0x%016" PRIx64 ", base LID %u, \"%s\"\n"
			"#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n%s\n",
			odo_write_type(f, e->node), e->guid,
			host ? f->port_lid[f->host_slot[e->host]] : f->switch_lid[e->node],
			odo_write_name(f, e->node, "", name), line);
		if (host)
			write_sl2vl_line(0, 0, &t->rows[t->host_row[e->host]], to);
		else
			write_switch_maps(t, e->node, to);
		fprintf(to, "%s\n\n", line);
	}
	odo_arena_free(&memory);
	return odo_write_done(to, err);
}

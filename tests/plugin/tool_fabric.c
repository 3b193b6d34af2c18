/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the plugin should make of a fabric: routes what ibnetdiscover saw, apart from OpenSM, with
 * the engine named or ("-") the one that suits it, and writes into a folder
 *
 *   lfts       switch GUID, LID, port, the latter two as dump_fts prints them
 *   sl2vl      node GUID, input port, output port, VL of SL 0 .. 15; adapters 0 0
 *   ports      GUID, LID, port: what to ask for the lines of sl2vl
 *   sls        source LID, destination LID, SL for every pair of hosts
 *   paths.psl  the same for ibdmchk
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/format.h"
#include "fabric/memory.h"
#include "mapping/mapping.h"
#include "routing/engine.h"

static int give_up(const odo_error *err)
{
	fprintf(stderr, "tool_fabric: %s\n", err->text);
	return 1;
}

typedef struct ranked {
	uint64_t guid;
	uint32_t node;
} ranked;

static int compare_ranks(const void *a, const void *b)
{
	const ranked *x = a, *y = b;
	return (x->guid > y->guid) - (x->guid < y->guid);
}

static int copy_node(odo_builder *b, const odo_fabric *f, uint32_t v, odo_error *err)
{
	uint32_t id;
	bool is_switch = odo_is_switch(f, v);
	odo_node_info info = {(odo_node_type)f->node_type[v],
			      odo_n_ports(f, v),
			      f->node_guid[v],
			      odo_name(f, v),
			      is_switch ? f->switch_lid[v] : 0,
			      is_switch ? f->switch_lmc[v] : 0};
	int status = odo_builder_add(b, &info, &id, err);
	for (unsigned p = 1; p <= info.n_ports && !is_switch && !status; p++) {
		uint32_t slot = odo_slot(f, v, p);
		status = odo_builder_port(b, id, p, f->port_guid[slot], f->port_lid[slot],
					  f->port_lmc[slot], err);
	}
	return status;
}

static int copy_links(odo_builder *b, const odo_fabric *f, const uint32_t *id, odo_error *err)
{
	int status = 0;
	for (uint32_t slot = 0; slot < f->n_slots && !status; slot++) {
		uint32_t peer = f->peer[slot];
		odo_link_info info = {f->width[slot], f->speed[slot], f->n_vls[slot]};
		if (peer != ODO_NONE && slot < peer)
			status = odo_builder_link(b, id[f->owner[slot]], odo_port(f, slot),
						  id[f->owner[peer]], odo_port(f, peer), info, err);
	}
	return status;
}

/* The plugin takes nodes in the order of their GUIDs; a file has them in any order. */
static int sort_by_guid(const odo_fabric *f, odo_fabric **out, odo_error *err)
{
	odo_builder *b;
	ranked *rank = odo_new(f->n_nodes, sizeof *rank);
	uint32_t *id = odo_new(f->n_nodes, sizeof *id);
	int status = odo_builder_create(&b, err);
	for (uint32_t v = 0; v < f->n_nodes; v++)
		rank[v] = (ranked){f->node_guid[v], v};
	qsort(rank, f->n_switches, sizeof *rank, compare_ranks);
	qsort(rank + f->n_switches, f->n_nodes - f->n_switches, sizeof *rank, compare_ranks);
	for (uint32_t i = 0; i < f->n_nodes && !status; i++) {
		id[rank[i].node] = i;
		status = copy_node(b, f, rank[i].node, err);
	}
	if (!status)
		status = copy_links(b, f, id, err);
	if (status)
		odo_builder_free(b);
	else
		status = odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, out, err);
	free(rank);
	free(id);
	return status;
}

static FILE *open_in(const char *folder, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

static void write_lfts(const odo_tables *t, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t lid = 1; lid < f->lid_count; lid++)
			if (odo_next_port(t, s, lid) != ODO_NO_PORT)
				fprintf(to, "%016" PRIx64 " 0x%04x %03u\n", f->node_guid[s], lid,
					odo_next_port(t, s, lid));
}

static void write_row(const odo_tables *t, uint32_t v, unsigned in, unsigned out, uint16_t row,
		      FILE *to)
{
	fprintf(to, "%016" PRIx64 " %u %u", t->fabric->node_guid[v], in, out);
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
		fprintf(to, " %u", t->rows[row].vl[sl]);
	fputc('\n', to);
}

/* OpenSM programs the outputs that are up, for every input. */
static void write_sl2vl(const odo_tables *t, FILE *to, FILE *ports)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (unsigned out = 1; out <= odo_n_ports(f, s); out++) {
			if (f->peer[odo_slot(f, s, out)] == ODO_NONE)
				continue;
			fprintf(ports, "%016" PRIx64 " %u %u\n", f->node_guid[s], f->switch_lid[s],
				out);
			for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
				write_row(t, s, in, out, *odo_sl2vl_entry(t, s, in, out), to);
		}
	}
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h], v = f->owner[slot];
		fprintf(ports, "%016" PRIx64 " %u %u\n", f->node_guid[v], f->port_lid[slot],
			odo_port(f, slot));
		write_row(t, v, 0, 0, t->host_row[h], to);
	}
}

static void write_sls(const odo_tables *t, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t a = 0; a < f->n_hosts; a++)
		for (uint32_t lid = 1; lid < f->lid_count; lid++)
			if (f->lid_host[lid] != ODO_NONE && f->lid_host[lid] != a)
				fprintf(to, "%u %u %u\n", f->port_lid[f->host_slot[a]], lid,
					odo_path_sl(t, odo_host_switch(f, a), lid));
}

/* For ibdmchk: source node GUID, destination LID, SL; switches are destinations, too. */
static void write_psl(const odo_tables *t, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t a = 0; a < f->n_hosts; a++)
		for (uint32_t lid = 1; lid < f->lid_count; lid++)
			if (f->lid_switch[lid] != ODO_NONE)
				fprintf(to, "0x%016" PRIx64 " %u %u\n",
					f->node_guid[f->owner[f->host_slot[a]]], lid,
					odo_path_sl(t, odo_host_switch(f, a), lid));
}

static void write_all(const odo_tables *t, const char *folder)
{
	FILE *lfts = open_in(folder, "lfts"), *sl2vl = open_in(folder, "sl2vl");
	FILE *ports = open_in(folder, "ports"), *sls = open_in(folder, "sls");
	FILE *psl = open_in(folder, "paths.psl");
	write_lfts(t, lfts);
	write_sl2vl(t, sl2vl, ports);
	write_sls(t, sls);
	write_psl(t, psl);
	fclose(lfts);
	fclose(sl2vl);
	fclose(ports);
	fclose(sls);
	fclose(psl);
}

static int expect(char **arg, odo_error *err)
{
	odo_fabric *read = NULL, *f = NULL;
	odo_coordinates *c = NULL;
	odo_tables *t = NULL;
	odo_route_options options = {0};
	int status = odo_fabric_read(arg[0], 0, &read, err);
	if (!status)
		status = sort_by_guid(read, &f, err);
	if (!status)
		status = odo_map(f, &c, err);
	if (!status)
		status = odo_route(f, c, strcmp(arg[1], "-") ? arg[1] : NULL, &options, &t, err);
	if (!status) {
		write_all(t, arg[2]);
		printf("%s %s %u VLs %u SLs\n", odo_kind_name(c->kind), t->engine, t->n_vls,
		       t->n_sls);
	}
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_fabric_free(read);
	odo_fabric_free(f);
	return status;
}

int main(int argc, char **argv)
{
	odo_error err = {0};
	if (argc != 4) {
		fprintf(stderr, "usage: %s FILE ENGINE|- FOLDER\n", argv[0]);
		return 2;
	}
	return expect(argv + 1, &err) ? give_up(&err) : 0;
}

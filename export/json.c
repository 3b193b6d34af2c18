/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Complete tables as JSON, for programs. docs/reference/formats.md has the schema. The writer emits
 * values one by one, because a tree of all values of a large fabric would not fit into memory.
 * Names are ASCII without quotes and backslashes (odo_write_name()), so no value needs escaping.
 */
#include <inttypes.h>

#include "export/groups.h"
#include "export/profile.h"
#include "export/write.h"

static void write_coordinates(const odo_coordinates *c, uint32_t s, FILE *to)
{
	if (!c || c->kind == ODO_KIND_UNKNOWN)
		return;
	fprintf(to, ",\"at\":[");
	for (unsigned i = 0; i < c->n_dims; i++)
		if (odo_at(c, s)[i] == ODO_NONE)
			fprintf(to, "%snull", i ? "," : "");
		else
			fprintf(to, "%s%u", i ? "," : "", odo_at(c, s)[i]);
	putc(']', to);
}

static void write_bytes(const char *key, const uint8_t *bytes, size_t n, unsigned none, FILE *to)
{
	fprintf(to, ",\"%s\":[", key);
	for (size_t i = 0; i < n; i++)
		if (bytes[i] == none)
			fprintf(to, "%snull", i ? "," : "");
		else
			fprintf(to, "%s%u", i ? "," : "", bytes[i]);
	putc(']', to);
}

/* Write the row numbers of the SL2VL maps, by input port and output port, from port 0 on. */
static void write_map_rows(const odo_tables *t, uint32_t s, FILE *to)
{
	unsigned sides = odo_n_ports(t->fabric, s) + 1;
	fprintf(to, ",\"sl2vl\":[");
	for (unsigned in = 0; in < sides; in++) {
		fprintf(to, "%s[", in ? "," : "");
		for (unsigned out = 0; out < sides; out++)
			fprintf(to, "%s%u", out ? "," : "", *odo_sl2vl_entry(t, s, in, out));
		putc(']', to);
	}
	putc(']', to);
}

static void write_groups(const odo_switch_tables *st, FILE *to)
{
	fprintf(to, ",\"groups\":[");
	for (size_t i = 0; i < st->n_groups; i++) {
		const odo_port_group *g = &st->groups[i];
		fprintf(to, "%s[", i ? "," : "");
		for (unsigned k = 0; k < g->n; k++) {
			const odo_candidate *w = &st->ways[g->first + k];
			fprintf(to, "%s{\"port\":%u,\"vl\":%u,\"priority\":%u,\"escape\":%s}",
				k ? "," : "", w->port, w->vl, w->priority,
				w->escape ? "true" : "false");
		}
		putc(']', to);
	}
	putc(']', to);
}

static void write_vl_tables(const odo_tables *t, uint32_t s, const odo_switch_tables *st, FILE *to)
{
	fprintf(to, ",\"vl_tables\":[");
	for (size_t i = 0; i < st->n_tables; i++) {
		const odo_vl_table *v = &st->tables[i];
		unsigned written = 0;
		fprintf(to, "%s{\"vl\":%u,\"inputs\":[", i ? "," : "", v->vl);
		for (unsigned p = 1; p <= odo_n_ports(t->fabric, s); p++)
			if (v->inputs[p / 8] >> p % 8 & 1)
				fprintf(to, "%s%u", written++ ? "," : "", p);
		fprintf(to, "],\"group\":[");
		for (uint32_t lid = 0; lid < t->fabric->lid_count; lid++)
			if (v->group[lid] == ODO_NO_GROUP)
				fprintf(to, "%snull", lid ? "," : "");
			else
				fprintf(to, "%s%u", lid ? "," : "", v->group[lid]);
		fprintf(to, "]}");
	}
	putc(']', to);
}

static int write_switch_json(const odo_tables *t, const odo_coordinates *c, const odo_reach *reach,
			     uint32_t s, FILE *to, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	char name[ODO_NAME_SIZE];
	size_t row = (size_t)s * f->lid_count;
	fprintf(to, "\n{\"guid\":\"0x%016" PRIx64 "\",\"name\":\"%s\",\"lid\":%u,\"ports\":%u",
		f->node_guid[s], odo_write_name(f, s, "\"\\", name), f->switch_lid[s],
		odo_n_ports(f, s));
	write_coordinates(c, s, to);
	write_bytes("lft", t->lft + row, f->lid_count, ODO_NO_PORT, to);
	if (t->sl_of_pair)
		write_bytes("sl", t->sl_of_pair + row, f->lid_count, ODO_NO_PORT, to);
	write_map_rows(t, s, to);
	int status = 0;
	if (reach) {
		odo_switch_tables st;
		status = odo_switch_tables_make(reach, s, &st, err);
		write_groups(&st, to);
		write_vl_tables(t, s, &st, to);
		odo_switch_tables_clear(&st);
	}
	putc('}', to);
	return status;
}

static void write_host(const odo_tables *t, uint32_t h, FILE *to)
{
	const odo_fabric *f = t->fabric;
	uint32_t slot = f->host_slot[h], node = f->owner[slot];
	char name[ODO_NAME_SIZE];
	fprintf(to,
		"\n{\"guid\":\"0x%016" PRIx64 "\",\"port_guid\":\"0x%016" PRIx64
		"\",\"name\":\"%s\",\"lid\":%u,\"lmc\":%u,\"switch\":%u,\"port\":%u,\"sl2vl\":%u",
		f->node_guid[node], f->port_guid[slot], odo_write_name(f, node, "\"\\", name),
		f->port_lid[slot], f->port_lmc[slot], odo_host_switch(f, h),
		odo_port(f, f->peer[slot]), t->host_row[h]);
	if (t->adaptive) { /* VL by destination LID */
		fprintf(to, ",\"inject\":[");
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (f->lid_switch[lid] == ODO_NONE)
				fprintf(to, "%snull", lid ? "," : "");
			else
				fprintf(to, "%s%u", lid ? "," : "", t->adaptive->inject(t, h, lid));
		putc(']', to);
	}
	putc('}', to);
}

static void write_head(const odo_tables *t, const odo_coordinates *c, FILE *to)
{
	fprintf(to,
		"{\"format\":\"odonata-tables\",\"version\":1,\"engine\":\"%s\",\"profile\":\"%s\","
		"\"vls\":%u,\"sls\":%u,\"lids\":%u",
		t->engine, odo_write_profile(t->profile), t->n_vls, t->n_sls, t->fabric->lid_count);
	if (c)
		fprintf(to, ",\"kind\":\"%s\"", odo_kind_name(c->kind));
	if (!t->sl_of_pair)
		write_bytes("sl", t->sl_of_lid, t->fabric->lid_count, ODO_NO_PORT, to);
	fprintf(to, ",\n\"sl2vl_rows\":[");
	for (uint32_t i = 0; i < t->n_rows; i++) {
		fprintf(to, "%s[", i ? "," : "");
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
			fprintf(to, "%s%u", sl ? "," : "", t->rows[i].vl[sl]);
		putc(']', to);
	}
	putc(']', to);
}

int odo_write_json(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	odo_reach reach = {0};
	int status = t->adaptive ? odo_reach_find(t, &reach, err) : 0;
	if (status)
		return status;
	write_head(t, c, to);
	fprintf(to, ",\n\"switches\":[");
	for (uint32_t s = 0; s < t->fabric->n_switches && !status; s++) {
		odo_tell(t->watch, "writing JSON", s, t->fabric->n_switches);
		if (s)
			putc(',', to);
		status = write_switch_json(t, c, t->adaptive ? &reach : NULL, s, to, err);
	}
	fprintf(to, "],\n\"hosts\":[");
	for (uint32_t h = 0; h < t->fabric->n_hosts; h++) {
		odo_tell(t->watch, "writing the hosts' JSON", h, t->fabric->n_hosts);
		if (h)
			putc(',', to);
		write_host(t, h, to);
	}
	fprintf(to, "]}\n");
	odo_reach_clear(&reach);
	return status ? status : odo_write_done(to, err);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writer of plans (docs/reference/plan-file.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/format/formats.h"

static void write_plan_text(const char *text, FILE *to)
{
	fputc('"', to);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', to);
		/* some encodings of names are no UTF-8, and would spoil the file */
		fputc((unsigned char)*text < 0x80 ? *text : '?', to);
	}
	fputc('"', to);
}

static int compare_names_in(const void *a, const void *b, void *fabric)
{
	const odo_fabric *f = fabric;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = strcmp(odo_name(f, x), odo_name(f, y));
	return order ? order : (x > y) - (x < y);
}

/* Mark nodes whose name another node has as well, or that have none. They get a word of their own.
 */
static bool *find_doubles(const odo_fabric *f)
{
	bool *twice = odo_new(f->n_nodes, sizeof *twice);
	uint32_t *order = odo_new(f->n_nodes, sizeof *order);
	odo_fabric own = *f; /* qsort_r() wants it without const */
	for (uint32_t v = 0; v < f->n_nodes && order && twice; v++) {
		order[v] = v;
		twice[v] = !*odo_name(f, v) || !strncmp(odo_name(f, v), "0x", 2);
	}
	if (order && twice && f->n_nodes)
		qsort_r(order, f->n_nodes, sizeof *order, compare_names_in, &own);
	for (uint32_t i = 1; i < f->n_nodes && order && twice; i++)
		if (!strcmp(odo_name(f, order[i - 1]), odo_name(f, order[i])))
			twice[order[i - 1]] = twice[order[i]] = true;
	if (!order) {
		free(twice);
		twice = NULL;
	}
	free(order);
	return twice;
}

static void write_id(const odo_fabric *f, const bool *twice, uint32_t v, FILE *to)
{
	if (twice[v])
		fprintf(to, "\"0x%016" PRIx64 "\"", f->node_guid[v]);
	else
		write_plan_text(odo_name(f, v), to);
}

static void write_plan_node(const odo_fabric *f, const odo_coordinates *c, const bool *twice,
			    uint32_t v, FILE *to)
{
	static const char *const types[] = {
		[ODO_SWITCH] = "switch", [ODO_CA] = "host", [ODO_ROUTER] = "router"};
	fprintf(to, "%s ", types[f->node_type[v]]);
	write_plan_text(odo_name(f, v), to);
	fprintf(to, " ports %u", odo_n_ports(f, v));
	if (!f->no_guids || twice[v])
		fprintf(to, " guid 0x%016" PRIx64, f->node_guid[v]);
	if (twice[v])
		fprintf(to, " id \"0x%016" PRIx64 "\"", f->node_guid[v]);
	if (*odo_location(f, v)) {
		fputs(" place ", to);
		write_plan_text(odo_location(f, v), to);
	}
	if (c && odo_is_switch(f, v) && odo_at(c, v)[0] != ODO_NONE) {
		fputs(" at", to);
		for (unsigned d = 0; d < c->n_dims && odo_at(c, v)[d] != ODO_NONE; d++)
			fprintf(to, " %u", odo_at(c, v)[d]);
	}
	fputc('\n', to);
}

static void write_plan_cable(const odo_fabric *f, const bool *twice, uint32_t slot, FILE *to)
{
	uint32_t far = f->peer[slot];
	fputs("cable ", to);
	write_id(f, twice, f->owner[slot], to);
	fprintf(to, " %u ", odo_port(f, slot));
	write_id(f, twice, f->owner[far], to);
	fprintf(to, " %u %ux%s", odo_port(f, far), f->width[slot],
		f->speed[slot] ? odo_speed_name((odo_speed)f->speed[slot]) : "");
	if (*odo_label(f, slot) || *odo_label(f, far)) {
		fputs(" labels ", to);
		write_plan_text(odo_label(f, slot), to);
		fputc(' ', to);
		write_plan_text(odo_label(f, far), to);
	}
	fputc('\n', to);
}

int odo_plan_file_write(const odo_fabric *f, const odo_coordinates *c, FILE *to, odo_error *err)
{
	bool *twice = find_doubles(f);
	if (!twice)
		return odo_fail(err, ODO_ENOMEM, "no memory to write a plan");
	if (c && c->kind == ODO_KIND_UNKNOWN)
		c = NULL;
	fprintf(to, "odonata-plan 1\n# %u switches, %u hosts, %u cables\n", f->n_switches,
		f->n_senders, f->n_links);
	if (c)
		fprintf(to, "topology %s\n", odo_kind_name(c->kind));
	for (uint32_t v = 0; v < f->n_nodes; v++)
		write_plan_node(f, c, twice, v, to);
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		if (f->peer[slot] != ODO_NONE && f->peer[slot] > slot)
			write_plan_cable(f, twice, slot, to);
	fputs("end\n", to);
	free(twice);
	return ferror(to) ? odo_fail(err, ODO_EIO, "cannot write") : 0;
}

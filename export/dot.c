/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Switches and cables for Graphviz. An edge stands for all cables between two switches. */
#include "export/write.h"

/* Return the colour of a dimension; grey for a cable that contradicts the coordinates. */
static const char *edge_colour(const odo_coordinates *c, uint32_t slot)
{
	static const char *const colours[] = {"#d62728", "#1f77b4", "#2ca02c", "#ff7f0e",
					      "#9467bd", "#8c564b", "#e377c2", "#17becf"};
	unsigned dim = c ? c->port_class[slot] : 0;
	return dim < ODO_MAX_DIMS ? colours[dim % 8] : "#7f7f7f";
}

static void write_dot_node(const odo_tables *t, const odo_coordinates *c, uint32_t s, FILE *to)
{
	char name[ODO_NAME_SIZE];
	fprintf(to, "  s%u [label=\"%s", s, odo_write_name(t->fabric, s, "\"\\", name));
	for (unsigned i = 0; c && c->kind != ODO_KIND_UNKNOWN && i < c->n_dims; i++)
		if (odo_at(c, s)[i] == ODO_NONE)
			fprintf(to, "%s?", i ? "," : "\\n(");
		else
			fprintf(to, "%s%u", i ? "," : "\\n(", odo_at(c, s)[i]);
	fprintf(to, "%s\\n%u hosts\"];\n", c && c->kind != ODO_KIND_UNKNOWN ? ")" : "",
		odo_hosts_of(t->fabric, s));
}

/* Count the cables from s to v, and find the first one. */
static unsigned count_parallel_cables(const odo_fabric *f, uint32_t s, uint32_t v, uint32_t *first)
{
	unsigned n = 0;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (odo_next_switch(f, i) == v && n++ == 0)
			*first = i;
	return n;
}

static void write_edges(const odo_tables *t, const odo_coordinates *c, uint32_t s, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		uint32_t v = odo_next_switch(f, i), first = i;
		if (v == ODO_NONE || v < s)
			continue;
		unsigned n = count_parallel_cables(f, s, v, &first);
		if (first != i)
			continue;
		fprintf(to, "  s%u -- s%u [color=\"%s\"", s, v, edge_colour(c, i));
		if (n > 1)
			fprintf(to, ", label=\"%u\", penwidth=%u", n, n < 5 ? n : 5);
		fprintf(to, "];\n");
	}
}

static void write_group(const odo_tables *t, const odo_coordinates *c, uint32_t group, FILE *to)
{
	fprintf(to, " subgraph cluster_%u {\n  label=\"group %u\";\n", group, group);
	for (uint32_t s = 0; s < c->n_switches; s++)
		if (odo_at(c, s)[0] == group)
			write_dot_node(t, c, s, to);
	fprintf(to, " }\n");
}

int odo_write_dot(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	bool grouped = odo_grouped(c);
	fprintf(to, "graph fabric {\n  // layout: dot -Ksfdp -Tsvg\n  overlap=false;\n"
		    "  node [shape=box, fontsize=9];\n");
	for (uint32_t group = 0; grouped && group < c->size[0]; group++)
		write_group(t, c, group, to);
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (!grouped || odo_at(c, s)[0] >= c->size[0])
			write_dot_node(t, c, s, to);
	for (uint32_t s = 0; s < f->n_switches; s++)
		write_edges(t, c, s, to);
	fprintf(to, "}\n");
	return odo_write_done(to, err);
}

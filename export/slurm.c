/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Slurm's topology.conf: what belongs close together as leaf "switches" of its tree. A leaf is
 * a group of a dragonfly; the switches of a product that differ in their last coordinate only
 * (paper 004 puts them into one rack); a switch where nothing is known. One switch above all.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "export/write.h"
#include "fabric/memory.h"

/* What a host's switch has in common with the others of its leaf; ordered as the leaves. */
static uint64_t leaf_key(const odo_coordinates *c, uint32_t s)
{
	uint64_t key = 0;
	if (!c || c->kind == ODO_KIND_UNKNOWN || odo_at(c, s)[0] == ODO_NONE)
		return 1ull << 63 | s;
	if (c->kind == ODO_KIND_DRAGONFLY)
		return odo_at(c, s)[0];
	for (unsigned i = 0; i + 1 < c->n_dims; i++)
		key = key * c->size[i] + odo_at(c, s)[i];
	return key;
}

typedef struct member {
	uint64_t key;
	uint32_t node;
} member;

static int compare_members(const void *a, const void *b)
{
	const member *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* The first word of the description is the machine's name where drivers set it ("node7
 * HCA-1"); what Slurm's lists give a meaning to cannot be in it. */
static void write_node(const odo_fabric *f, uint32_t node, FILE *to)
{
	char name[ODO_NAME_SIZE];
	odo_write_name(f, node, "[],=#\"\\'", name);
	size_t n = 0;
	while (name[n] && name[n] != ' ')
		putc(name[n++], to);
	if (!n)
		fprintf(to, "guid-%016" PRIx64, f->node_guid[node]);
}

/* Every adapter once: where it has several ports, with its first one. */
static size_t list_members(const odo_fabric *f, const odo_coordinates *c, member *out)
{
	size_t n = 0;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t node = f->owner[f->host_slot[h]];
		if (f->node_type[node] != ODO_CA || (h && node == f->owner[f->host_slot[h - 1]]))
			continue;
		out[n++] = (member){leaf_key(c, odo_host_switch(f, h)), node};
	}
	qsort(out, n, sizeof *out, compare_members);
	return n;
}

int odo_write_slurm(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	member *members = odo_new(f->n_hosts, sizeof *members);
	if (!members)
		return odo_fail(err, ODO_ENOMEM, "no memory to order %u hosts", f->n_hosts);
	size_t n = list_members(f, c, members);
	uint32_t leaf = 0;
	bool dragonfly = c && c->kind == ODO_KIND_DRAGONFLY;
	fprintf(to, "# Slurm topology.conf (TopologyPlugin=topology/tree%s)\n",
		dragonfly ? ", TopologyParam=Dragonfly" : "");
	fprintf(to, "# Node names are the first words of InfiniBand node descriptions.\n");
	for (size_t i = 0; i < n; i++) {
		bool begins = i == 0 || members[i].key != members[i - 1].key;
		if (begins)
			fprintf(to, "%sSwitchName=leaf%u Nodes=", i ? "\n" : "", leaf++);
		else
			putc(',', to);
		write_node(f, members[i].node, to);
	}
	if (leaf)
		fprintf(to, "\nSwitchName=fabric Switches=leaf[0-%u]\n", leaf - 1);
	free(members);
	return odo_write_done(to, err);
}

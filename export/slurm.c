/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Slurm's topology.conf: what belongs close together as leaf "switches" of its tree. A leaf is
 * a group of a dragonfly; the switches of a product that differ in their last coordinate only
 * (paper 004 puts them into one rack); a switch of a fat tree, or where nothing is known. Pods of a
 * fat tree are switches above its leaves. One switch above all.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/write.h"
#include "base/memory.h"
#include "base/number.h"
#include "fabric/machine.h"

/* Leaves that are in no pod are ordered behind the others. */
#define NO_POD (1ull << 30)

/* The pod of a fat tree of three levels or more that a switch is in, or NO_POD. */
static uint64_t pod_of(const odo_coordinates *c, uint32_t s)
{
	bool tree = c && c->kind == ODO_KIND_FATTREE && c->size[ODO_TREE_LEVEL] > 2;
	bool below = tree && odo_at(c, s)[ODO_TREE_LEVEL] != ODO_NONE &&
		     odo_at(c, s)[ODO_TREE_LEVEL] + 1 < c->size[ODO_TREE_LEVEL];
	return below ? odo_at(c, s)[ODO_TREE_POD] : NO_POD;
}

/* What a host's switch has in common with the others of its leaf; ordered as the leaves. */
static uint64_t leaf_key(const odo_coordinates *c, uint32_t s)
{
	uint64_t key = 0;
	if (!c || c->kind == ODO_KIND_UNKNOWN || odo_at(c, s)[0] == ODO_NONE)
		return 1ull << 63 | s;
	if (odo_grouped(c))
		return odo_at(c, s)[0];
	if (c->kind == ODO_KIND_FATTREE)
		return pod_of(c, s) << 32 | s;
	for (unsigned i = 0; i + 1 < c->n_dims; i++)
		key = key * c->size[i] + odo_at(c, s)[i];
	return key;
}

/* A machine, by one of its adapters. */
typedef struct member {
	uint64_t key, pod;
	uint32_t node;
	char name[ODO_NAME_SIZE];
} member;

static int compare_members(const void *a, const void *b)
{
	const member *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Node names that differ in a number at their end alone, which follow one another: n[001-064].
 * Older Slurms read no more than 1,024 characters of a line. */
typedef struct run {
	char prefix[ODO_NAME_SIZE];
	uint64_t first, last;
	int width; /* digits, 0 for a name without */
	bool begun;
} run;

/* The first word of the description is the machine's name where drivers set it ("node7
 * HCA-1"), and not where it is still the vendor's ("MT23108 InfiniHost Mellanox Technologies").
 * What Slurm's lists give a meaning to cannot be in it. */
static void name_node(const odo_fabric *f, uint32_t node, char name[ODO_NAME_SIZE])
{
	size_t length = odo_machine_of(odo_name(f, node)).length;
	odo_write_name(f, node, "[],=#\"\\'", name);
	name[length < ODO_NAME_SIZE ? length : ODO_NAME_SIZE - 1] = '\0';
	if (!*name)
		snprintf(name, ODO_NAME_SIZE, "guid-%016" PRIx64, f->node_guid[node]);
}

static run run_of(const char *name)
{
	run r = {.begun = true};
	size_t n = strlen(name), digits = 0;
	while (digits < n && digits < 9 && name[n - 1 - digits] >= '0' &&
	       name[n - 1 - digits] <= '9')
		digits++;
	snprintf(r.prefix, sizeof r.prefix, "%.*s", (int)(n - digits), name);
	const char *number = name + n - digits;
	odo_take_digits(&number, NULL, 10, &r.first);
	r.last = r.first;
	r.width = (int)digits;
	return r;
}

static void write_run(const run *r, FILE *to)
{
	if (!r->begun)
		return;
	fputs(r->prefix, to);
	if (r->width && r->first == r->last)
		fprintf(to, "%0*" PRIu64, r->width, r->first);
	else if (r->width)
		fprintf(to, "[%0*" PRIu64 "-%0*" PRIu64 "]", r->width, r->first, r->width, r->last);
}

/* Takes a name into the run, or writes that and begins another. */
static void add_name(run *r, const char *name, bool first, FILE *to)
{
	run next = run_of(name);
	if (!first && r->width && next.width == r->width && next.first == r->last + 1 &&
	    !strcmp(next.prefix, r->prefix)) {
		r->last = next.first;
		return;
	}
	write_run(r, to);
	if (!first)
		putc(',', to);
	*r = next;
}

static int compare_names(const void *a, const void *b)
{
	const member *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : compare_members(a, b);
}

/* Every machine once: where it has several adapters or ports, with its first. Aggregation nodes of
 * switches run no jobs. */
static size_t list_members(const odo_fabric *f, const odo_coordinates *c, member *out)
{
	size_t n = 0, kept = 0;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		uint32_t node = f->owner[f->host_slot[h]];
		if (f->node_type[node] != ODO_CA)
			continue;
		uint32_t s = odo_host_switch(f, h);
		out[n] = (member){.key = leaf_key(c, s), .pod = pod_of(c, s), .node = node};
		name_node(f, node, out[n++].name);
	}
	qsort(out, n, sizeof *out, compare_names);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(out[i].name, out[kept - 1].name) != 0)
			out[kept++] = out[i];
	qsort(out, kept, sizeof *out, compare_members);
	return kept;
}

/* Leaves in the order of members. Returns how many there are. */
static uint32_t write_leaves(const member *members, size_t n, FILE *to)
{
	run names = {.begun = false};
	uint32_t leaf = 0;
	for (size_t i = 0; i < n; i++) {
		bool begins = i == 0 || members[i].key != members[i - 1].key;
		if (begins) {
			write_run(&names, to);
			names.begun = false;
			fprintf(to, "%sSwitchName=leaf%u Nodes=", i ? "\n" : "", leaf++);
		}
		add_name(&names, members[i].name, begins, to);
	}
	write_run(&names, to);
	return leaf;
}

/* "leaf3", or "leaf[3-7]" for those from `first` to below `end`. */
static void write_range(const char *what, uint32_t first, uint32_t end, FILE *to)
{
	fprintf(to, first + 1 == end ? "%s%u" : "%s[%u-%u]", what, first, end - 1);
}

/* A switch for each pod. Returns how many; *leaf is the first leaf that is in none. */
static uint32_t write_pods(const member *members, size_t n, uint32_t *leaf, FILE *to)
{
	uint32_t pod = 0;
	*leaf = 0;
	for (size_t i = 0; i < n && members[i].pod != NO_POD; pod++) {
		uint32_t first = *leaf;
		uint64_t here = members[i].pod;
		for (; i < n && members[i].pod == here; i++)
			*leaf += i == 0 || members[i].key != members[i - 1].key;
		fprintf(to, "\nSwitchName=pod%u Switches=", pod);
		write_range("leaf", first, *leaf, to);
	}
	return pod;
}

static void write_top(const member *members, size_t n, uint32_t leaves, FILE *to)
{
	uint32_t first, pods = write_pods(members, n, &first, to);
	fputs("\nSwitchName=fabric Switches=", to);
	if (pods)
		write_range("pod", 0, pods, to);
	if (first < leaves)
		write_range(pods ? ",leaf" : "leaf", first, leaves, to);
	putc('\n', to);
}

int odo_write_slurm(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	member *members = odo_new(f->n_senders, sizeof *members);
	if (!members)
		return odo_fail(err, ODO_ENOMEM, "no memory to order %u hosts", f->n_senders);
	size_t n = list_members(f, c, members);
	fprintf(to, "# Slurm topology.conf (TopologyPlugin=topology/tree%s)\n",
		odo_grouped(c) ? ", TopologyParam=Dragonfly" : "");
	fprintf(to, "# Node names are the first words of InfiniBand node descriptions.\n");
	uint32_t leaves = write_leaves(members, n, to);
	if (leaves)
		write_top(members, n, leaves, to);
	free(members);
	return odo_write_done(to, err);
}

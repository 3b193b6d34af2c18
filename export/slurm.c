/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Slurm's topology.conf: a tree whose leaf "switches" contain nodes that are close together. A leaf
 * is a group of a dragonfly, or the switches of a product that differ only in their last coordinate
 * (paper 004 puts them into one rack). In a fat tree, and if coordinates are unknown, a leaf is a
 * single switch. Pods of a fat tree are switches above its leaves. Each connected part has a top
 * switch.
 *
 * Names depend on the switches themselves, so that added or removed switches rename no other.
 */
#include "export/slurm.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "export/slurm_tree.h"

/* Pod of leaves without a pod. */
#define NO_POD (1ull << 30)

/* A switch of the fabric, with the keys of its leaf. */
typedef struct place {
	uint64_t part, pod, key, guid;
	uint32_t s;
} place;

/* Return the pod of a switch in a fat tree of three levels or more, or NO_POD. */
static uint64_t pod_of(const odo_coordinates *c, uint32_t s)
{
	bool tree = c && c->kind == ODO_KIND_FATTREE && c->size[ODO_TREE_LEVEL] > 2;
	bool below = tree && odo_at(c, s)[ODO_TREE_LEVEL] != ODO_NONE &&
		     odo_at(c, s)[ODO_TREE_LEVEL] + 1 < c->size[ODO_TREE_LEVEL];
	return below ? odo_at(c, s)[ODO_TREE_POD] : NO_POD;
}

/* Return a number that the switches of a leaf have in common. */
static uint64_t leaf_key(const odo_coordinates *c, uint32_t s)
{
	uint64_t key = 0;
	if (!c || c->kind == ODO_KIND_UNKNOWN || odo_at(c, s)[0] == ODO_NONE)
		return 1ull << 63 | s;
	if (odo_grouped(c))
		return odo_at(c, s)[0];
	if (c->kind == ODO_KIND_FATTREE)
		return s;
	for (unsigned i = 0; i + 1 < c->n_dims; i++)
		key = key * c->size[i] + odo_at(c, s)[i];
	return key;
}

static int by_leaf(const void *a, const void *b)
{
	const place *x = a, *y = b;
	int order = odo_by_u64(&x->part, &y->part);
	order = order ? order : odo_by_u64(&x->pod, &y->pod);
	order = order ? order : odo_by_u64(&x->key, &y->key);
	return order ? order : odo_by_u64(&x->guid, &y->guid);
}

/* Names. */

/* Copy the host from "MF0;host:MQM8700/U1", the description of managed switches, or the whole of
 * any other description. */
static void sanitise_name(const char *description, bool whole, char name[ODO_NAME_SIZE])
{
	const char *host = strchr(description, ';'), *end = host ? strchr(host, ':') : NULL;
	size_t n = 0, most = ODO_NAME_SIZE - 1;
	if (!whole && end && end > host + 1) {
		description = host + 1;
		most = (size_t)(end - description) < most ? (size_t)(end - description) : most;
	}
	for (; n < most && description[n]; n++)
		name[n] = isalnum((unsigned char)description[n]) || strchr(".-_", description[n])
				  ? description[n]
				  : '_';
	name[n] = '\0';
}

typedef struct named {
	char name[ODO_NAME_SIZE];
	uint32_t s;
} named;

static int by_text(const void *a, const void *b)
{
	return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* Reject default descriptions of firmware. */
static bool is_switch_name(const char *name)
{
	return name[strspn(name, "._-")] && !strstr(name, "Mellanox_Technologies");
}

/* Give unique names to switches without a name.
 * @param names  [n_switches] by switch, "" if it has none yet
 * @param sorted [n_switches] scratch */
static void name_some(const odo_fabric *f, bool whole, char (*names)[ODO_NAME_SIZE], named *sorted)
{
	uint32_t n = f->n_switches;
	for (uint32_t s = 0; s < n; s++) {
		sorted[s].s = s;
		sanitise_name(odo_name(f, s), whole, sorted[s].name);
	}
	qsort(sorted, n, sizeof *sorted, by_text);
	for (uint32_t i = 0; i < n; i++) {
		bool own = (!i || strcmp(sorted[i].name, sorted[i - 1].name) != 0) &&
			   (i + 1 == n || strcmp(sorted[i].name, sorted[i + 1].name) != 0);
		if (own && !names[sorted[i].s][0] && is_switch_name(sorted[i].name))
			strcpy(names[sorted[i].s], sorted[i].name);
	}
}

static void name_all_switches(odo_slurm_tree *w)
{
	const odo_fabric *f = w->f;
	named *sorted = odo_arena_new(&w->memory, f->n_switches, sizeof *sorted);
	w->names = odo_arena_new(&w->memory, f->n_switches, sizeof *w->names);
	if (w->memory.failed)
		return;
	name_some(f, false, w->names, sorted);
	name_some(f, true, w->names, sorted);
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (!w->names[s][0])
			snprintf(w->names[s], sizeof w->names[s], "switch-%016" PRIx64,
				 f->node_guid[s]);
}

/* Leaves, pods, tops. */

int odo_slurm_add_spot(odo_slurm_tree *w, odo_slurm_kind kind, uint32_t above, const char *word,
		       const char *name)
{
	if (odo_grow(&w->spots, &w->room, w->n_spots + 1, sizeof *w->spots))
		return ODO_ENOMEM;
	odo_slurm_spot *x = &w->spots[w->n_spots++];
	*x = (odo_slurm_spot){.kind = kind, .above = above};
	snprintf(x->name, sizeof x->name, "%s%s", word, name);
	return 0;
}

/* Return the name of the switch after which a spot is named: the one with the least GUID, so that
 * the order of the file does not matter. Switches without hosts take precedence, so that a failed
 * leaf renames no spot above it. */
static const char *find_namesake(const odo_slurm_tree *w, const place *p, size_t n)
{
	const place *least = p;
	for (size_t i = 1; i < n; i++) {
		bool hosts = odo_hosts_of(w->f, p[i].s), had = odo_hosts_of(w->f, least->s);
		if (hosts == had ? p[i].guid < least->guid : had)
			least = &p[i];
	}
	return w->names[least->s];
}

static int add_leaf(odo_slurm_tree *w, const place *p, size_t n, uint32_t above)
{
	size_t with_hosts = 0;
	const place *last = p;
	for (size_t i = 0; i < n; i++) {
		bool hosts = odo_hosts_of(w->f, p[i].s);
		w->leaf[p[i].s] = (uint32_t)w->n_spots;
		with_hosts += hosts;
		last = hosts ? &p[i] : last;
	}
	if (with_hosts < 2)
		return odo_slurm_add_spot(w, ODO_SLURM_LEAF, above, "", w->names[last->s]);
	return odo_slurm_add_spot(w, ODO_SLURM_LEAF, above, "group-", find_namesake(w, p, n));
}

/* Count the first places with the same part, and if requested with the same pod and key. */
static size_t count_alike_places(const place *p, size_t n, bool pod, bool key)
{
	size_t i = 1;
	while (i < n && p[i].part == p->part && (!pod || p[i].pod == p->pod) &&
	       (!key || p[i].key == p->key))
		i++;
	return i;
}

static int add_pod(odo_slurm_tree *w, const place *p, size_t n, uint32_t above)
{
	int status = 0;
	if (p->pod != NO_POD) {
		status = odo_slurm_add_spot(w, ODO_SLURM_POD, above, "pod-",
					    find_namesake(w, p, n));
		above = (uint32_t)w->n_spots - 1;
	}
	for (size_t i = 0, more; i < n && !status; i += more) {
		more = count_alike_places(p + i, n - i, true, true);
		status = add_leaf(w, p + i, more, above);
	}
	return status;
}

static int add_fabric_part(odo_slurm_tree *w, const place *p, size_t n, bool only)
{
	const char *name = find_namesake(w, p, n);
	uint32_t top = (uint32_t)w->n_spots;
	int status = odo_slurm_add_spot(w, ODO_SLURM_TOP, ODO_NONE, only ? "fabric" : "fabric-",
					only ? "" : name);
	for (size_t i = 0, more; i < n && !status; i += more) {
		more = count_alike_places(p + i, n - i, true, false);
		status = add_pod(w, p + i, more, top);
	}
	return status;
}

/* Count parts with hosts. Switches without hosts, as on a test bench, are no second fabric. */
static size_t count_parts_with_hosts(const odo_fabric *f, const uint32_t *part, int n_parts)
{
	size_t n = 0;
	for (int i = 0; i < n_parts; i++) {
		bool hosts = false;
		for (uint32_t s = 0; s < f->n_switches && !hosts; s++)
			hosts = part[s] == (uint32_t)i && odo_hosts_of(f, s);
		n += hosts;
	}
	return n;
}

/* Set the keys of a part's switches by its own coordinates. */
static void place_part(const odo_slurm_part *part, place *p)
{
	for (uint32_t s = 0; s < part->c->n_switches; s++) {
		p[part->node[s]].pod = pod_of(part->c, s);
		p[part->node[s]].key = leaf_key(part->c, s);
	}
}

/* Return true if leaves are groups of a dragonfly. */
static bool is_grouped(const odo_slurm_tree *w)
{
	bool grouped = odo_grouped(w->c);
	for (size_t i = 0; i < w->o->n_parts; i++)
		grouped |= odo_grouped(w->o->parts[i].c);
	return grouped;
}

static int add_all_parts(odo_slurm_tree *w, uint32_t *part, place *p)
{
	uint32_t n = w->f->n_switches;
	int n_parts = odo_fabric_parts(w->f, part, w->err), status = 0;
	if (n_parts < 0)
		return n_parts;
	bool only = count_parts_with_hosts(w->f, part, n_parts) < 2;
	for (uint32_t s = 0; s < n; s++)
		p[s] = (place){part[s], pod_of(w->c, s), leaf_key(w->c, s), w->f->node_guid[s], s};
	for (size_t i = 0; i < w->o->n_parts; i++)
		place_part(&w->o->parts[i], p);
	qsort(p, n, sizeof *p, by_leaf);
	for (size_t i = 0, more; i < n && !status; i += more) {
		more = count_alike_places(p + i, n - i, false, false);
		status = add_fabric_part(w, p + i, more, only);
	}
	return status;
}

static int make_spots(odo_slurm_tree *w)
{
	uint32_t *part = odo_arena_new(&w->memory, w->f->n_switches, sizeof *part);
	place *places = odo_arena_new(&w->memory, w->f->n_switches, sizeof *places);
	w->leaf = odo_arena_new(&w->memory, w->f->n_switches, sizeof *w->leaf);
	name_all_switches(w);
	return w->memory.failed ? ODO_ENOMEM : add_all_parts(w, part, places);
}

static void count_below(odo_slurm_tree *w)
{
	for (size_t i = 0; i < w->n_spots; i++)
		w->spots[i].n = 0;
	for (size_t i = 0; i < w->n_nodes; i++)
		w->spots[w->nodes[i].leaf].n++;
	for (odo_slurm_kind kind = ODO_SLURM_LEAF; kind < ODO_SLURM_TOP; kind++)
		for (size_t i = 0; i < w->n_spots; i++)
			if (w->spots[i].kind == kind && w->spots[i].n)
				w->spots[w->spots[i].above].n++;
}

/* Make the names of spots unique, whatever the descriptions of switches are. */
static void part_names(odo_slurm_tree *w)
{
	for (size_t i = 1; i < w->n_spots; i++)
		for (size_t k = 0; k < i; k++)
			if (w->spots[i].n && w->spots[k].n &&
			    !strcmp(w->spots[i].name, w->spots[k].name) &&
			    strlen(w->spots[i].name) + 1 < ODO_SLURM_NAME) {
				strcat(w->spots[i].name, "_");
				k = (size_t)-1; /* start again with the first spot */
			}
}

/* Writing. */

static int by_line(const void *a, const void *b)
{
	const odo_slurm_spot *x = *(const odo_slurm_spot *const *)a,
			     *y = *(const odo_slurm_spot *const *)b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return odo_name_compare(x->name, y->name);
}

static int by_string(const void *a, const void *b)
{
	return odo_name_compare(*(const char *const *)a, *(const char *const *)b);
}

/* List the names of nodes or switches below a spot. @param list has room for all */
static size_t list_below(const odo_slurm_tree *w, const odo_slurm_spot *x, const char **list)
{
	size_t n = 0, at = (size_t)(x - w->spots);
	for (size_t i = 0; x->kind == ODO_SLURM_LEAF && i < w->n_nodes; i++)
		if (w->nodes[i].leaf == at)
			list[n++] = w->nodes[i].name;
	for (size_t i = 0; x->kind != ODO_SLURM_LEAF && i < w->n_spots; i++)
		if (w->spots[i].above == at && w->spots[i].n)
			list[n++] = w->spots[i].name;
	qsort(list, n, sizeof *list, by_string);
	return n;
}

/* Forms of the file: topology.conf and topology.yaml, each as a tree and as blocks. A host list in
 * YAML is quoted, because brackets mean a list there. */
static const struct file_form {
	const char *head, *line, *nodes, *switches, *end, *sizes;
} forms[2][2] = {
	{{"", "SwitchName=%s %s=", "Nodes", "Switches", "\n", ""},
	 {"", "BlockName=%s %s=", "Nodes", "", "\n", "BlockSizes=%zu\n"}},
	{{"---\n- topology: fabric\n  cluster_default: true\n  tree:\n    switches:\n",
	  "      - switch: \"%s\"\n        %s: \"", "nodes", "children", "\"\n", ""},
	 {"---\n- topology: fabric\n  cluster_default: true\n  block:\n    blocks:\n",
	  "      - block: \"%s\"\n        %s: \"", "nodes", "", "\"\n",
	  "    block_sizes:\n      - %zu\n"}},
};

static int write_lines(odo_slurm_tree *w, FILE *to)
{
	const odo_slurm_spot **order = odo_arena_new(&w->memory, w->n_spots, sizeof *order);
	const char **list = odo_arena_new(&w->memory, w->n_spots + w->n_nodes, sizeof *list);
	size_t n = 0, least = 0;
	const struct file_form *form = &forms[w->o->yaml][w->o->block];
	if (w->memory.failed)
		return ODO_ENOMEM;
	fputs(form->head, to);
	for (size_t i = 0; i < w->n_spots; i++)
		if (w->spots[i].n)
			order[n++] = &w->spots[i];
	qsort(order, n, sizeof *order, by_line);
	for (size_t i = 0; i < n; i++) {
		bool leaf = order[i]->kind == ODO_SLURM_LEAF;
		if (w->o->block && !leaf)
			continue;
		size_t below = list_below(w, order[i], list);
		least = leaf && (!least || below < least) ? below : least;
		fprintf(to, form->line, order[i]->name, leaf ? form->nodes : form->switches);
		odo_hostlist_write(list, below, 0, to);
		fputs(form->end, to);
	}
	if (w->o->block && least)
		fprintf(to, form->sizes, least);
	return 0;
}

/* Write each line as a comment of the file. */
static void write_warnings(const char *lines, FILE *to)
{
	for (const char *end; lines && *lines; lines = end + 1) {
		end = strchr(lines, '\n');
		fprintf(to, "# Warning: %.*s\n", (int)(end - lines), lines);
	}
}

static int write_topology_file(odo_slurm_tree *w, const char *notes, FILE *to)
{
	if (w->o->notes)
		fputs(notes, w->o->notes);
	if (!w->n_nodes && w->o->needs_nodes)
		return odo_fail(w->err, ODO_EINPUT,
				"expected hosts with a name for Slurm, found none; "
				"--node-name-map gives them names");
	fprintf(to, "# Slurm topology.%s (%stopology/%s%s)\n", w->o->yaml ? "yaml" : "conf",
		w->o->yaml ? "" : "TopologyPlugin=", w->o->block ? "block" : "tree",
		is_grouped(w) && !w->o->block ? ", TopologyParam=Dragonfly" : "");
	fprintf(to, "# Node names are hosts' names in InfiniBand node descriptions.\n");
	if (odo_ledger_matters(w->f->repairs))
		write_warnings(w->f->notes, to);
	write_warnings(notes, to);
	return write_lines(w, to);
}

/* Warn that a job may span blocks between which there is no cable. A tree has a top for each part.
 */
static void warn_of_parts(const odo_slurm_tree *w)
{
	size_t n = 0;
	for (size_t i = 0; i < w->n_spots; i++)
		n += w->spots[i].kind == ODO_SLURM_TOP && w->spots[i].n;
	if (w->o->block && n > 1)
		fprintf(w->notes,
			"no cable connects some of the blocks, which are of %zu fabrics; "
			"topology/block lets a job span them: a partition for each, or a tree "
			"without --block, keeps jobs apart\n",
			n);
}

static int prepare_slurm_tree(odo_slurm_tree *w)
{
	int status = make_spots(w);
	if (!status)
		status = odo_slurm_find_nodes(w->f, w->leaf, w->o, &w->nodes, &w->n_nodes, w->notes,
					      w->err);
	w->nodes_room = w->n_nodes;
	if (!status) {
		count_below(w);
		status = odo_slurm_keep_past(w);
	}
	if (!status) {
		count_below(w);
		part_names(w);
		warn_of_parts(w);
	}
	return status;
}

int odo_slurm_write(const odo_fabric *f, const odo_coordinates *c, const odo_slurm_options *o,
		    FILE *to, odo_error *err)
{
	char *notes = NULL;
	size_t size;
	odo_error own = {0};
	odo_slurm_tree w = {
		.f = f, .c = c, .o = o, .err = &own, .notes = open_memstream(&notes, &size)};
	int status = w.notes ? prepare_slurm_tree(&w) : ODO_ENOMEM;
	if (w.notes && odo_text_close(w.notes, &notes) && !status)
		status = ODO_ENOMEM;
	if (!status)
		status = write_topology_file(&w, notes, to);
	free(notes);
	odo_arena_free(&w.memory);
	free(w.spots);
	free(w.nodes);
	if (status && !own.status)
		return odo_fail(err, status, "no memory to order %u hosts", f->n_senders);
	if (status)
		return odo_fail(err, status, "%s", own.text);
	return odo_write_done(to, err);
}

int odo_write_slurm(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	return odo_slurm_write(t->fabric, c, &(odo_slurm_options){0}, to, err);
}

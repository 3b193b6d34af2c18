/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/slurm_nodes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "fabric/machine.h"

/* Maximum number of ports with the same name in one machine. The largest machines have eight
 * adapters of two ports, and two for storage. A name of more ports belongs to several machines. */
enum { MOST_ADAPTERS = 18 };

/* Maximum number of ranges or adapters in a note. */
enum { MOST_NAMED = 10 };

/* A port of an adapter. */
typedef struct end {
	char name[ODO_NAME_SIZE]; /* name of the machine; "" if Slurm does not allow it */
	odo_machine of;
	uint32_t node, port, leaf;
	uint64_t guid;  /* of the node */
	uint32_t label; /* which adapter and port of its machine it is, in the order of their names
			 */
	bool several;   /* its machine is on several leaves */
} end;

typedef struct label {
	uint32_t n, n_leaves,
		at; /* machines with several leaves that have it, leaves, and place in the order */
} label;

typedef struct finder {
	const odo_fabric *f;
	odo_arena memory;
	const odo_slurm_options *o;
	FILE *notes;
	end *ends;
	size_t n;
	label *labels;  /* the best first */
	uint32_t *rank; /* [labels] place of a label among those */
	uint32_t *seen; /* [leaves] last label that was on a leaf, and 1 */
	const char **list;
} finder;

static int compare_labels(const end *x, const end *y)
{
	int order = odo_machine_compare_adapters(&x->of, &y->of);
	return order ? order : odo_by_u32(&x->port, &y->port);
}

static int by_label(const void *a, const void *b)
{
	return compare_labels(a, b);
}

static int by_machine_name(const void *a, const void *b)
{
	const end *x = a, *y = b;
	int order = odo_name_compare(x->name, y->name);
	order = order ? order : compare_labels(x, y);
	return order ? order : odo_by_u64(&x->guid, &y->guid);
}

/* Collecting. */

/* Set the name, or "" if Slurm's lists cannot contain it. */
static void set_name(end *e)
{
	static const char plain[] = "._-";
	bool good = e->of.length && e->of.length < sizeof e->name;
	for (size_t i = 0; good && i < e->of.length; i++)
		good = isalnum((unsigned char)e->of.name[i]) || strchr(plain, e->of.name[i]);
	if (good)
		snprintf(e->name, sizeof e->name, "%.*s", (int)e->of.length, e->of.name);
}

static void collect_ends(finder *x, const uint32_t *leaf)
{
	const odo_fabric *f = x->f;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		uint32_t slot = f->host_slot[h], node = f->owner[slot];
		end e = {.of = odo_machine_of(odo_name(f, node)),
			 .node = node,
			 .port = odo_port(f, slot),
			 .leaf = leaf[odo_host_switch(f, h)],
			 .guid = f->node_guid[node]};
		set_name(&e);
		x->ends[x->n++] = e;
	}
}

/* Domains: names in slurm.conf mostly have no domain. Domains are kept if names would otherwise be
 * equal. */

static size_t short_length(const char *name)
{
	size_t n = strcspn(name, ".");
	return name[strspn(name, "0123456789.")] ? n : strlen(name); /* an address has none */
}

static int by_short_name(const void *a, const void *b)
{
	const end *x = a, *y = b;
	size_t n = short_length(x->name), m = short_length(y->name);
	int order = memcmp(x->name, y->name, n < m ? n : m);
	order = order ? order : n < m ? -1 : n > m;
	return order ? order : strcmp(x->name, y->name);
}

static void cut_domains(finder *x)
{
	qsort(x->ends, x->n, sizeof *x->ends, by_short_name);
	for (size_t i = 0, j; i < x->n; i = j) {
		size_t n = short_length(x->ends[i].name);
		const char *domain = NULL;
		bool alike = true;
		for (j = i; j < x->n && short_length(x->ends[j].name) == n &&
			    !memcmp(x->ends[j].name, x->ends[i].name, n);
		     j++) {
			const char *own = x->ends[j].name + n;
			alike &= !*own || !domain || !strcmp(domain, own);
			domain = *own ? own : domain;
		}
		for (size_t k = i; k < j && alike; k++)
			x->ends[k].name[n] = '\0';
	}
}

/* Notes. */

static void write_adapters(const finder *x, size_t first, size_t n)
{
	char name[ODO_NAME_SIZE];
	for (size_t i = 0, named = 0; i < n; i++) {
		const end *e = &x->ends[first + i];
		if (i && e->guid == e[-1].guid)
			continue;
		if (named++ == MOST_NAMED) {
			fputs(", ...", x->notes);
			return;
		}
		fprintf(x->notes, "%s0x%016" PRIx64 " \"%s\"", i ? ", " : "", e->guid,
			odo_write_name(x->f, e->node, "\"\\", name));
	}
}

static size_t count_nodes(const finder *x, size_t first, size_t n)
{
	size_t nodes = 0;
	for (size_t i = first; i < first + n; i++)
		nodes += i == first || x->ends[i].guid != x->ends[i - 1].guid;
	return nodes;
}

static int by_adapter_guid(const void *a, const void *b)
{
	const end *x = a, *y = b;
	int order = odo_by_u64(&x->guid, &y->guid);
	return order ? order : odo_by_u32(&x->port, &y->port);
}

/* Remove ends without a name, which come first. */
static void leave_out_unnamed(finder *x)
{
	size_t n = 0;
	while (n < x->n && !x->ends[n].name[0])
		n++;
	if (n) {
		qsort(x->ends, n, sizeof *x->ends, by_adapter_guid);
		fputs("left out, no host's name in the description: ", x->notes);
		write_adapters(x, 0, n);
		putc('\n', x->notes);
	}
	memmove(x->ends, x->ends + n, (x->n - n) * sizeof *x->ends);
	x->n -= n;
}

static size_t end_of_machine(const finder *x, size_t i)
{
	size_t j = i + 1;
	while (j < x->n && !strcmp(x->ends[j].name, x->ends[i].name))
		j++;
	return j;
}

/* Return true if two adapters of a machine have the same name, or too many have none. */
static bool is_name_shared(const finder *x, size_t i, size_t j)
{
	for (size_t k = i + 1; k < j; k++)
		if (!compare_labels(&x->ends[k - 1], &x->ends[k]) &&
		    (x->ends[k].of.adapter_length || j - i > MOST_ADAPTERS))
			return true;
	return false;
}

static bool is_on_several(const finder *x, size_t i, size_t j)
{
	for (size_t k = i + 1; k < j; k++)
		if (x->ends[k].leaf != x->ends[i].leaf)
			return true;
	return false;
}

/* Leave out names that several machines share, if their ports are on several leaves: the right leaf
 * is unknown. On a single leaf only the number of nodes is wrong. */
static void leave_out_shared(finder *x)
{
	size_t kept = 0;
	for (size_t i = 0, j; i < x->n; i = j) {
		j = end_of_machine(x, i);
		bool shared = is_name_shared(x, i, j), several = is_on_several(x, i, j);
		if (shared) {
			fprintf(x->notes, "%s: name \"%s\", which %zu adapters on %s share: ",
				several ? "left out" : "taken for one node", x->ends[i].name,
				count_nodes(x, i, j - i), several ? "several leaves" : "one leaf");
			write_adapters(x, i, j - i);
			putc('\n', x->notes);
		}
		if (shared && several)
			continue;
		for (size_t k = i; k < j; k++)
			x->ends[k].several = several;
		memmove(x->ends + kept, x->ends + i, (j - i) * sizeof *x->ends);
		kept += j - i;
	}
	x->n = kept;
}

static void leave_out_others(finder *x)
{
	const odo_names *nodes = &x->o->nodes;
	size_t kept = 0;
	for (size_t i = 0; i < x->n; i++)
		if (!nodes->n || odo_names_has(nodes, x->ends[i].name))
			x->ends[kept++] = x->ends[i];
	x->n = kept;
}

/* Machines with adapters on several leaves are placed by one sort of adapter, the same for all. */

static int set_labels(finder *x)
{
	uint32_t n = 0;
	qsort(x->ends, x->n, sizeof *x->ends, by_label);
	for (size_t i = 0; i < x->n; i++) {
		n += i && compare_labels(&x->ends[i - 1], &x->ends[i]);
		x->ends[i].label = n;
	}
	x->labels = odo_arena_new(&x->memory, n + 1ul, sizeof *x->labels);
	x->rank = odo_arena_new(&x->memory, n + 1ul, sizeof *x->rank);
	return x->memory.failed ? ODO_ENOMEM : 0;
}

static int by_leaves(const void *a, const void *b)
{
	const label *x = a, *y = b;
	if (x->n_leaves != y->n_leaves)
		return x->n_leaves > y->n_leaves ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Rank sorts of adapters. The best sort is on the most leaves, because a storage network has few. A
 * sort counts if at least half as many machines have it as the most frequent sort, so that a failed
 * adapter changes nothing. */
static void rank_labels(finder *x)
{
	uint32_t most = 0, n = x->n ? x->ends[x->n - 1].label + 1 : 0;
	for (size_t i = 0; i < x->n; i++) {
		label *l = &x->labels[x->ends[i].label];
		uint32_t *seen = &x->seen[x->ends[i].leaf];
		l->at = x->ends[i].label;
		if (!x->ends[i].several)
			continue;
		l->n++;
		l->n_leaves += *seen != l->at + 1;
		*seen = l->at + 1;
		most = l->n > most ? l->n : most;
	}
	for (uint32_t i = 0; i < n; i++)
		if (2 * x->labels[i].n < most || !x->labels[i].n)
			x->labels[i].n_leaves = 0;
	qsort(x->labels, n, sizeof *x->labels, by_leaves);
	for (uint32_t i = 0; i < n; i++)
		x->rank[x->labels[i].at] = i;
}

static bool is_better_end(const finder *x, const end *a, const end *b)
{
	if (x->rank[a->label] != x->rank[b->label])
		return x->rank[a->label] < x->rank[b->label];
	return a->guid < b->guid;
}

static void note_several(const finder *x, const char *const *name, size_t n)
{
	const end *of = NULL; /* end with the best label */
	for (size_t i = 0; i < x->n; i++)
		if (x->ends[i].several && (!of || is_better_end(x, &x->ends[i], of)))
			of = &x->ends[i];
	if (!n || !of)
		return;
	fputs("on several leaves, placed by adapter \"", x->notes);
	for (size_t i = 0; i < of->of.adapter_length; i++) {
		char c = of->of.adapter[i];
		putc(c < ' ' || c > '~' || strchr("\"\\", c) ? '_' : c, x->notes);
	}
	fprintf(x->notes, "\" port %u where there is one (--adapters chooses others): ", of->port);
	odo_hostlist_write(name, n, MOST_NAMED, x->notes);
	putc('\n', x->notes);
}

/* @param nodes [machines] */
static size_t choose_leaves(finder *x, odo_slurm_node *nodes)
{
	size_t n = 0, n_several = 0;
	for (size_t i = 0, j; i < x->n; i = j) {
		size_t best = i;
		j = end_of_machine(x, i);
		for (size_t k = i + 1; k < j; k++)
			best = is_better_end(x, &x->ends[k], &x->ends[best]) ? k : best;
		strcpy(nodes[n].name, x->ends[i].name);
		nodes[n].leaf = x->ends[best].leaf;
		if (x->ends[i].several)
			x->list[n_several++] = nodes[n].name;
		n++;
	}
	note_several(x, x->list, n_several);
	return n;
}

static int find_all_nodes(finder *x, const uint32_t *leaf, odo_slurm_node *nodes, size_t *n)
{
	collect_ends(x, leaf);
	cut_domains(x);
	qsort(x->ends, x->n, sizeof *x->ends, by_machine_name);
	leave_out_unnamed(x);
	leave_out_others(x);
	leave_out_shared(x);
	if (set_labels(x))
		return ODO_ENOMEM;
	rank_labels(x);
	qsort(x->ends, x->n, sizeof *x->ends, by_machine_name);
	*n = choose_leaves(x, nodes);
	return 0;
}

int odo_slurm_find_nodes(const odo_fabric *f, const uint32_t *leaf, const odo_slurm_options *o,
			 odo_slurm_node **nodes, size_t *n, FILE *notes, odo_error *err)
{
	finder x = {.f = f, .o = o, .notes = notes};
	size_t n_leaves = 0;
	for (uint32_t i = 0; i < f->n_switches; i++)
		n_leaves = leaf[i] < n_leaves ? n_leaves : leaf[i] + 1ul;
	x.ends = odo_arena_new(&x.memory, f->n_senders, sizeof *x.ends);
	x.seen = odo_arena_new(&x.memory, n_leaves, sizeof *x.seen);
	x.list = odo_arena_new(&x.memory, f->n_senders, sizeof *x.list);
	*nodes = odo_new(f->n_senders, sizeof **nodes);
	int status = x.memory.failed || !*nodes ? ODO_ENOMEM : find_all_nodes(&x, leaf, *nodes, n);
	odo_arena_free(&x.memory);
	return status ? odo_fail(err, status, "no memory to order %u hosts", f->n_senders) : 0;
}

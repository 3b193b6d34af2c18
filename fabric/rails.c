/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/rails.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/machine.h"

/* At least this many of ten adapters must be on a leaf of their own rail. */
enum { OF_TEN = 9 };
/* More sorts of adapters than this are compared with no other: no machine has as many. */
enum { MOST_SHARED = 64 };

/* A host, sorted by machine and by its name there. */
typedef struct end {
	odo_machine of; /* without a name: the node counts as a separate machine */
	uint32_t node, port, host;
} end;

typedef struct finder {
	odo_arena memory;
	const odo_fabric *f;
	odo_rails *rails;
	end *ends;       /* [n_hosts] */
	uint32_t n;      /* number of sending hosts */
	uint32_t *label; /* [n_hosts] sort of adapter, by name, or ODO_NONE */
	uint32_t *votes; /* [n_hosts] votes for each label on the current leaf */
	uint32_t n_labels;
} finder;

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_adapters(const end *x, const end *y)
{
	int order = odo_machine_compare_adapters(&x->of, &y->of);
	return order ? order : compare_u32(x->port, y->port);
}

static int compare_machines(const end *x, const end *y)
{
	int order = odo_machine_compare_names(&x->of, &y->of);
	return order || x->of.length ? order : compare_u32(x->node, y->node);
}

static int by_machine(const void *a, const void *b)
{
	const end *x = a, *y = b;
	int order = compare_machines(x, y);
	order = order ? order : compare_adapters(x, y);
	return order ? order : compare_u32(x->host, y->host);
}

static int by_adapter(const void *a, const void *b)
{
	int order = compare_adapters(a, b);
	return order ? order : by_machine(a, b);
}

static void list_adapter_ends(finder *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		uint32_t slot = f->host_slot[h], node = f->owner[slot];
		odo_machine of = odo_machine_of(odo_name(f, node));
		if (!of.length)
			of = (odo_machine){"", "", 0, 0, ODO_NONE};
		x->ends[x->n++] = (end){
			.of = of, .node = node, .port = odo_port(f, slot), .host = h};
	}
}

/* Count the ends of the machine at i. Return 0 if two have the same name, as on machines that
 * nobody has named. */
static uint32_t count_machine(const finder *x, uint32_t i, uint32_t *next)
{
	uint32_t j = i + 1;
	bool clear = true;
	for (; j < x->n && !compare_machines(&x->ends[i], &x->ends[j]); j++)
		clear = clear && compare_adapters(&x->ends[j - 1], &x->ends[j]);
	*next = j;
	return clear ? j - i : 0;
}

static void list_machines(finder *x)
{
	odo_rails *rails = x->rails;
	uint32_t n = 0;
	qsort(x->ends, x->n, sizeof *x->ends, by_machine);
	for (uint32_t i = 0, next; i < x->n; i = next) {
		if (count_machine(x, i, &next) < 2)
			continue;
		for (uint32_t j = i; j < next; j++) {
			rails->machine[x->ends[j].host] = rails->n_machines;
			rails->host[n++] = x->ends[j].host;
		}
		rails->first[++rails->n_machines] = n;
	}
}

static void number_labels(finder *x)
{
	uint32_t label = 0;
	qsort(x->ends, x->n, sizeof *x->ends, by_adapter);
	for (uint32_t i = 0; i < x->n; i++) {
		label += i && compare_adapters(&x->ends[i - 1], &x->ends[i]);
		if (x->rails->machine[x->ends[i].host] != ODO_NONE)
			x->label[x->ends[i].host] = label;
	}
	x->n_labels = label + 1;
}

/* Return the label that most hosts of a switch have. The votes are 0 before and after. */
static uint32_t label_of_most(finder *x, uint32_t s)
{
	const odo_fabric *f = x->f;
	uint32_t best = ODO_NONE;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		uint32_t label = f->slot_host[i] == ODO_NONE ? ODO_NONE : x->label[f->slot_host[i]];
		if (label != ODO_NONE)
			x->votes[label]++;
	}
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		uint32_t label = f->slot_host[i] == ODO_NONE ? ODO_NONE : x->label[f->slot_host[i]];
		if (label != ODO_NONE && (best == ODO_NONE || x->votes[label] > x->votes[best]))
			best = label;
	}
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (f->slot_host[i] != ODO_NONE && x->label[f->slot_host[i]] != ODO_NONE)
			x->votes[x->label[f->slot_host[i]]] = 0;
	return best;
}

/* Sorts of adapters that are on the same leaves, as two adapters of a machine on each plane. */
typedef struct sharing {
	uint32_t with[MOST_SHARED][MOST_SHARED]; /* adapters of a label beside those of another */
	uint32_t all[MOST_SHARED], first[MOST_SHARED];
} sharing;

/* Count the adapters at a leaf beside those of its most frequent label. A label with fewer than
 * half as many is there by mistake. */
static void count_shared(finder *x, uint32_t s, sharing *by)
{
	const odo_fabric *f = x->f;
	uint32_t n[MOST_SHARED] = {0}, best = label_of_most(x, s);
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		uint32_t label = f->slot_host[i] == ODO_NONE ? ODO_NONE : x->label[f->slot_host[i]];
		if (label != ODO_NONE)
			n[label]++;
	}
	for (uint32_t label = 0; label < x->n_labels && best != ODO_NONE; label++) {
		by->all[label] += n[label];
		by->with[label][best] += 2 * n[label] >= n[best] ? n[label] : 0;
	}
}

/* Give the label of the first to labels whose adapters are side by side. */
static int merge_shared_labels(finder *x)
{
	sharing *by = odo_arena_new(&x->memory, 1, sizeof *by);
	if (!by || x->n_labels > MOST_SHARED)
		return by ? 0 : ODO_ENOMEM;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		count_shared(x, s, by);
	for (uint32_t a = 0; a < x->n_labels; a++) {
		by->first[a] = a;
		for (uint32_t b = a; b-- > 0;)
			if (by->all[a] &&
			    10 * (by->with[a][b] + by->with[b][a]) >= OF_TEN * by->all[a])
				by->first[a] = by->first[b];
	}
	for (uint32_t h = 0; h < x->f->n_hosts; h++)
		if (x->label[h] != ODO_NONE)
			x->label[h] = by->first[x->label[h]];
	return 0;
}

/* Turn labels into rails: a label of some leaf becomes a rail. `votes` gets the numbers. */
static void number_rails(finder *x)
{
	odo_rails *rails = x->rails;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (rails->of_switch[s] != ODO_NONE)
			x->votes[rails->of_switch[s]] = 1;
	for (uint32_t label = 0; label < x->f->n_hosts; label++)
		x->votes[label] = x->votes[label] ? rails->n++ : ODO_NONE;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (rails->of_switch[s] != ODO_NONE)
			rails->of_switch[s] = x->votes[rails->of_switch[s]];
	for (uint32_t h = 0; h < x->f->n_hosts; h++)
		rails->of_host[h] = x->label[h] == ODO_NONE ? ODO_NONE : x->votes[x->label[h]];
}

/* Return true if some adapter of a machine is on a leaf of its rail, or of the rail of another of
 * its adapters. */
static bool is_among_its_rails(const finder *x, const uint32_t *host, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++)
			if (x->rails->of_host[host[j]] != ODO_NONE &&
			    x->rails->of_host[host[j]] ==
				    x->rails->of_switch[odo_host_switch(x->f, host[i])])
				return true;
	return false;
}

/* Omit machines that are built differently. A management node with two adapters does not follow the
 * rails of nodes with eight: its first adapter belongs to no rail. */
static void omit_strangers(finder *x)
{
	odo_rails *rails = x->rails;
	for (uint32_t m = 0; m < rails->n_machines; m++) {
		const uint32_t *host = rails->host + rails->first[m];
		uint32_t n = rails->first[m + 1] - rails->first[m];
		bool stranger = !is_among_its_rails(x, host, n);
		for (uint32_t i = 0; stranger && i < n; i++)
			rails->of_host[host[i]] = ODO_NONE;
	}
}

/* Return true if the fabric is built in rails. Several adapters per machine alone do not prove
 * that. */
static bool has_rails(const finder *x)
{
	uint64_t all = 0, fit = 0;
	for (uint32_t h = 0; h < x->f->n_hosts; h++) {
		all += x->label[h] != ODO_NONE;
		fit += x->rails->of_host[h] != ODO_NONE && !odo_rails_is_wrong(x->rails, x->f, h);
	}
	return x->rails->n > 1 && fit * 10 >= all * OF_TEN;
}

static int allocate_rails(finder *x)
{
	const odo_fabric *f = x->f;
	odo_rails *rails = x->rails;
	odo_arena *memory = &rails->memory;
	x->ends = odo_arena_new(&x->memory, f->n_hosts, sizeof *x->ends);
	x->label = odo_arena_new(&x->memory, f->n_hosts, sizeof *x->label);
	x->votes = odo_arena_new(&x->memory, f->n_hosts, sizeof *x->votes);
	rails->of_switch = odo_arena_new(memory, f->n_switches, sizeof *rails->of_switch);
	rails->of_host = odo_arena_new(memory, f->n_hosts, sizeof *rails->of_host);
	rails->machine = odo_arena_new(memory, f->n_hosts, sizeof *rails->machine);
	rails->host = odo_arena_new(memory, f->n_hosts, sizeof *rails->host);
	rails->first = odo_arena_new(memory, f->n_hosts + 1ul, sizeof *rails->first);
	if (memory->failed || x->memory.failed)
		return ODO_ENOMEM;
	memset(x->label, 0xFF, f->n_hosts * sizeof *x->label);
	memset(rails->machine, 0xFF, f->n_hosts * sizeof *rails->machine);
	return 0;
}

static int find_rails(finder *x)
{
	list_adapter_ends(x);
	list_machines(x);
	number_labels(x);
	if (merge_shared_labels(x))
		return ODO_ENOMEM;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		x->rails->of_switch[s] = label_of_most(x, s);
	number_rails(x);
	omit_strangers(x);
	if (!has_rails(x))
		x->rails->n = 0;
	return 0;
}

int odo_rails_find(const odo_fabric *f, odo_rails *rails, odo_error *err)
{
	finder x = {.f = f, .rails = rails};
	*rails = (odo_rails){0};
	int status = allocate_rails(&x);
	if (!status)
		status = find_rails(&x);
	if (status)
		odo_rails_clear(rails);
	odo_arena_free(&x.memory);
	return status ? odo_fail(err, status, "no memory for rails") : 0;
}

void odo_rails_clear(odo_rails *rails)
{
	odo_arena_free(&rails->memory);
	*rails = (odo_rails){0};
}

bool odo_rails_is_wrong(const odo_rails *rails, const odo_fabric *f, uint32_t host)
{
	return rails->n && rails->of_host[host] != ODO_NONE &&
	       rails->of_switch[odo_host_switch(f, host)] != rails->of_host[host];
}

/* Return the leaf of a machine's adapter of a rail, if that adapter is on the right leaf, or
 * ODO_NONE. */
static uint32_t leaf_of(const odo_rails *rails, const odo_fabric *f, uint32_t machine,
			uint32_t rail)
{
	for (uint32_t i = rails->first[machine]; i < rails->first[machine + 1]; i++)
		if (rails->of_host[rails->host[i]] == rail &&
		    !odo_rails_is_wrong(rails, f, rails->host[i]))
			return odo_host_switch(f, rails->host[i]);
	return ODO_NONE;
}

/* State of a majority vote (Boyer and Moore, 1981). */
typedef struct vote {
	uint32_t leader, lead;
	uint32_t all, agree; /* all votes, and votes for `leader` in the second count */
} vote;

static void count_vote(vote *v, uint32_t leaf)
{
	v->all++;
	v->agree += leaf == v->leader;
}

static void move_lead(vote *v, uint32_t leaf)
{
	if (!v->lead)
		v->leader = leaf;
	v->lead = leaf == v->leader ? v->lead + 1 : v->lead - 1;
}

/* Every machine that shares a leaf with this one votes for the leaf where its own adapter of the
 * rail is. */
static void poll_neighbours(const odo_rails *rails, const odo_fabric *f, uint32_t host,
			    bool on_wrong, vote *v, void (*each)(vote *v, uint32_t leaf))
{
	uint32_t machine = rails->machine[host];
	for (uint32_t i = rails->first[machine]; i < rails->first[machine + 1]; i++) {
		uint32_t s = odo_host_switch(f, rails->host[i]);
		if (odo_rails_is_wrong(rails, f, rails->host[i]) != on_wrong)
			continue;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t h = f->slot_host[slot];
			uint32_t other = h == ODO_NONE ? ODO_NONE : rails->machine[h];
			uint32_t leaf = other == ODO_NONE || other == machine
						? ODO_NONE
						: leaf_of(rails, f, other, rails->of_host[host]);
			if (leaf != ODO_NONE)
				each(v, leaf);
		}
	}
}

uint32_t odo_rails_home(const odo_rails *rails, const odo_fabric *f, uint32_t host)
{
	vote v = {.leader = ODO_NONE};
	if (!rails->n || rails->of_host[host] == ODO_NONE)
		return ODO_NONE;
	/* A machine with all adapters in wrong places still has machines beside it. */
	for (int on_wrong = 0; on_wrong < 2 && !v.all; on_wrong++) {
		poll_neighbours(rails, f, host, on_wrong, &v, move_lead);
		poll_neighbours(rails, f, host, on_wrong, &v, count_vote);
	}
	return 2 * v.agree > v.all ? v.leader : ODO_NONE;
}

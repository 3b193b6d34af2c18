/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/traffic/rank_placement.h"

#include <stdlib.h>
#include <string.h>

#include "emulator/streams.h"
#include "base/memory.h"
#include "base/random.h"

typedef struct sorting {
	const odo_coordinates *c; /* or NULL */
	const uint32_t *part;     /* [n_switches] */
} sorting;

static int compare_places(const void *a, const void *b, void *context)
{
	const sorting *by = context;
	uint32_t s = *(const uint32_t *)a, t = *(const uint32_t *)b;
	if (by->part[s] != by->part[t])
		return by->part[s] < by->part[t] ? -1 : 1;
	for (unsigned d = 0; by->c && d < by->c->n_dims; d++) {
		uint32_t x = odo_at(by->c, s)[d], y = odo_at(by->c, t)[d];
		if (x != y)
			return x < y ? -1 : 1;
	}
	return s < t ? -1 : s > t;
}

/** Count hosts per switch; the counts stay in first_rank[switch] until places are known. */
static void list_host_switches(odo_order *o, const uint32_t *part)
{
	const odo_fabric *f = o->fabric;
	for (uint32_t h = 0; h < f->n_senders; h++)
		o->first_rank[odo_host_switch(f, h)]++;
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (o->first_rank[s])
			o->switches[o->n_places++] = s;
	qsort_r(o->switches, o->n_places, sizeof *o->switches, compare_places,
		&(sorting){o->coordinates, part});
}

/** Sort hosts by place (counting sort); ties stay in the order of host numbers. */
static int rank_hosts(odo_order *o)
{
	const odo_fabric *f = o->fabric;
	uint32_t *next = odo_new(f->n_switches, sizeof *next), *first = o->first_rank;
	if (!next)
		return ODO_ENOMEM;
	uint32_t rank = 0;
	for (uint32_t p = 0; p < o->n_places; p++) {
		next[o->switches[p]] = rank;
		rank += first[o->switches[p]];
	}
	for (uint32_t p = 0; p < o->n_places; p++)
		o->group[p] = next[o->switches[p]]; /* used as temporary storage until groups are
						     * known */
	memcpy(first, o->group, o->n_places * sizeof *first);
	first[o->n_places] = f->n_senders;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		uint32_t r = next[odo_host_switch(f, h)]++;
		o->rank[h] = r;
		o->host[r] = h;
	}
	free(next);
	return 0;
}

static void find_rank_parts(odo_order *o, const uint32_t *part)
{
	for (uint32_t p = o->n_places; p-- > 0;)
		o->part[part[o->switches[p]]] = o->first_rank[p];
	o->part[o->n_parts] = o->n_hosts;
	for (uint32_t i = o->n_parts; i-- > 0;) /* parts without hosts */
		if (o->part[i] == ODO_NONE)
			o->part[i] = o->part[i + 1];
}

/** Find connected parts, and order switches and hosts by them. @param part [n_switches] */
static int order_by_parts(odo_order *o, uint32_t *part)
{
	int n = odo_fabric_parts(o->fabric, part, NULL);
	if (n < 0)
		return n;
	o->n_parts = (uint32_t)n;
	o->part = odo_arena_new(&o->memory, o->n_parts + 1ul, sizeof *o->part);
	if (!o->part)
		return ODO_ENOMEM;
	memset(o->part, 0xFF, (o->n_parts + 1ul) * sizeof *o->part);
	list_host_switches(o, part);
	memset(o->rank, 0xFF, o->fabric->n_hosts * sizeof *o->rank);
	int status = rank_hosts(o);
	if (!status)
		find_rank_parts(o, part);
	return status;
}

static void find_rank_groups(odo_order *o)
{
	const odo_coordinates *c = o->coordinates;
	for (uint32_t p = 0; p < o->n_places; p++)
		if (p == 0 ||
		    (c && odo_at(c, o->switches[p])[0] != odo_at(c, o->switches[p - 1])[0]))
			o->group[o->n_groups++] = p;
	o->group[o->n_groups] = o->n_places;
}

/* The leaves come first, pod by pod; leaves whose pod is unknown come last. */
static void find_pods(odo_order *o)
{
	const odo_coordinates *c = o->coordinates;
	uint32_t p = 0, last = ODO_NONE;
	for (; c && c->kind == ODO_KIND_FATTREE && p < o->n_places; p++) {
		const uint32_t *at = odo_at(c, o->switches[p]);
		if (at[ODO_TREE_LEVEL] || at[ODO_TREE_POD] == ODO_NONE)
			break;
		if (at[ODO_TREE_POD] != last)
			o->pod[o->n_pods++] = p;
		last = at[ODO_TREE_POD];
	}
	o->pod[o->n_pods] = p;
}

int odo_order_create(const odo_fabric *f, const odo_coordinates *c, odo_order **out, odo_error *err)
{
	if (!f->n_senders)
		return odo_fail(err, ODO_EINPUT, "expected a fabric with hosts, found none");
	odo_order *o = odo_new(1, sizeof *o);
	if (!o)
		return odo_fail(err, ODO_ENOMEM, "no memory for the order of hosts");
	o->fabric = f;
	o->coordinates = c && c->kind != ODO_KIND_UNKNOWN && c->n_dims ? c : NULL;
	o->n_hosts = f->n_senders;
	o->host = odo_arena_new(&o->memory, f->n_hosts, sizeof *o->host);
	o->rank = odo_arena_new(&o->memory, f->n_hosts, sizeof *o->rank);
	o->switches = odo_arena_new(&o->memory, f->n_switches, sizeof *o->switches);
	o->first_rank = odo_arena_new(&o->memory, (size_t)f->n_switches + 1, sizeof *o->first_rank);
	o->group = odo_arena_new(&o->memory, (size_t)f->n_switches + 1, sizeof *o->group);
	o->pod = odo_arena_new(&o->memory, (size_t)f->n_switches + 1, sizeof *o->pod);
	uint32_t *part = odo_new(f->n_switches, sizeof *part);
	int status = ODO_ENOMEM;
	if (!o->memory.failed && part)
		status = order_by_parts(o, part);
	free(part);
	if (status) {
		odo_order_free(o);
		return odo_fail(err, status, "no memory for the order of hosts");
	}
	find_rank_groups(o);
	find_pods(o);
	o->as_numbered = true;
	for (uint32_t h = 0; h < o->n_hosts; h++)
		o->as_numbered &= o->rank[h] == h;
	*out = o;
	return 0;
}

void odo_order_free(odo_order *o)
{
	if (!o)
		return;
	odo_arena_free(&o->memory);
	free(o);
}

uint32_t odo_order_find(const odo_order *o, const uint32_t *at)
{
	const odo_coordinates *c = o->coordinates;
	uint32_t low = 0, high = c ? o->n_places : 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const uint32_t *found = odo_at(c, o->switches[middle]);
		unsigned d = 0;
		while (d < c->n_dims && found[d] == at[d])
			d++;
		if (d == c->n_dims)
			return middle;
		if (found[d] < at[d])
			low = middle + 1;
		else
			high = middle;
	}
	return ODO_NONE;
}

static int place_linear(const odo_order *o, uint64_t seed, uint32_t n, uint32_t *host,
			odo_error *err)
{
	(void)seed;
	(void)err;
	memcpy(host, o->host, n * sizeof *host);
	return 0;
}

static int place_at_random(const odo_order *o, uint64_t seed, uint32_t n, uint32_t *host,
			   odo_error *err)
{
	uint32_t *all = odo_new(o->n_hosts, sizeof *all);
	if (!all)
		return odo_fail(err, ODO_ENOMEM, "no memory for a placement");
	memcpy(all, o->host, o->n_hosts * sizeof *all);
	odo_rng rng = odo_rng_make(seed, odo_stream(ODO_STREAM_PLACEMENT, 0));
	odo_rng_shuffle(&rng, all, o->n_hosts);
	memcpy(host, all, n * sizeof *host);
	free(all);
	return 0;
}

/** Place rank 0 in part 0, rank 1 in part 1, ..., round and round; full parts are skipped. Hosts in
 * no part come last. @param part first place of each part */
static int deal_by_turns(const odo_order *o, uint32_t n_parts, const uint32_t *part, uint32_t n,
			 uint32_t *host, odo_error *err)
{
	uint32_t *used = odo_new(n_parts, sizeof *used);
	uint32_t dealt = o->first_rank[part[n_parts]], all = n < dealt ? n : dealt;
	if (!used)
		return odo_fail(err, ODO_ENOMEM, "no memory for a placement");
	for (uint32_t i = 0, x = 0; i < all; x = (x + 1) % n_parts) {
		uint32_t first = o->first_rank[part[x]], end = o->first_rank[part[x + 1]];
		if (first + used[x] < end)
			host[i++] = o->host[first + used[x]++];
	}
	for (uint32_t i = all; i < n; i++)
		host[i] = o->host[i];
	free(used);
	return 0;
}

static int place_by_group(const odo_order *o, uint64_t seed, uint32_t n, uint32_t *host,
			  odo_error *err)
{
	(void)seed;
	bool tree = o->coordinates && o->coordinates->kind == ODO_KIND_FATTREE;
	if (tree || o->n_groups < 2)
		return odo_fail(err, ODO_EDECLINE,
				"placement group: expected a fabric of several groups, found %s",
				tree ? "a fat tree, whose parts are pods (placement pod)" : "one");
	return deal_by_turns(o, o->n_groups, o->group, n, host, err);
}

static int place_by_pod(const odo_order *o, uint64_t seed, uint32_t n, uint32_t *host,
			odo_error *err)
{
	(void)seed;
	if (!o->n_pods)
		return odo_fail(err, ODO_EDECLINE,
				"placement pod: expected a fat tree, found no pods");
	return deal_by_turns(o, o->n_pods, o->pod, n, host, err);
}

const odo_rank_placement odo_rank_placements[] = {
	{"linear", "ranks in the order of hosts: neighbours share a switch", place_linear},
	{"random", "ranks on hosts drawn at random", place_at_random},
	{"group", "ranks in turn on the groups: switches with the same first coordinate",
	 place_by_group},
	{"pod", "ranks in turn on the pods of a fat tree", place_by_pod},
	{0},
};

int odo_place(const odo_order *o, const char *name, uint64_t seed, uint32_t n, uint32_t *host,
	      odo_error *err)
{
	const odo_rank_placement *row = odo_rank_placements;
	while (row->name && strcmp(row->name, name))
		row++;
	if (!row->name)
		return odo_fail(
			err, ODO_EINPUT,
			"expected a placement linear, random, group or pod, found \"%.40s\"", name);
	if (n > o->n_hosts)
		return odo_fail(err, ODO_EINPUT, "expected at most %u ranks, found %u", o->n_hosts,
				n);
	return row->place(o, seed, n, host, err);
}

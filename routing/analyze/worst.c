/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hosts of one switch take the same paths, so sources are switches with room for as many flows as
 * they have hosts. The pairs over a channel are gathered only when it is tried: from its sending
 * switch up the tree of each LID that leaves by it. Trees are read from columns of the LFTs, which
 * are extracted once.
 */
#include "routing/analyze/worst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/matching.h"
#include "routing/graph/columns.h"

#define EXACT_HOSTS 2048u
#define MOST_PAIRS (1ull << 26)

/** A cable between switches, in one direction. */
typedef struct channel {
	uint32_t slot;
	uint32_t sources; /**< hosts whose packets cross it */
	double targets; /**< hosts that the packets go to; a host with several LIDs counts in parts
			 */
	double limit;   /**< upper bound of its load under any permutation */
} channel;

/** The far end of a switch's cable: the switch and its port. */
typedef struct neighbour {
	uint32_t s;
	uint8_t port;
} neighbour;

typedef struct search {
	const odo_tables *t;
	const odo_fabric *f;
	odo_arena memory;
	double unit;      /**< unit of loads */
	uint32_t whole;   /**< weight of a flow that crosses a channel by all LIDs of its target */
	uint8_t *columns; /**< [lid_count * n_switches] port at d * n_switches + s */
	neighbour *near;  /**< by switch */
	uint32_t *first_near; /**< [n_switches + 1] */
	uint32_t *host;       /**< [n_switches] one of the switch's hosts, or ODO_NONE */
	uint32_t *room;       /**< [n_switches] hosts */
	uint32_t *channel_of; /**< [n_slots] channel of a slot, or ODO_NONE */
	uint32_t n_channels;
	channel *channels;
	uint32_t *share;   /**< [n_switches] weight of this switch with the current target */
	uint32_t *above;   /**< [n_switches] switches whose packets to the current LID cross */
	uint32_t *senders; /**< [n_switches] switches with a `share` above 0 */
	odo_edge *edges;
	size_t n_edges, edges_room;
	uint64_t pairs; /**< number gathered so far */
	odo_matching matching;
} search;

static int allocate_search(search *x, odo_error *err)
{
	const odo_fabric *f = x->f;
	uint32_t n = f->n_switches, slots = f->first_slot[n];
	x->columns = odo_arena_new(&x->memory, f->lid_count, n);
	x->near = odo_arena_new(&x->memory, slots, sizeof *x->near);
	x->first_near = odo_arena_new(&x->memory, n + 1ul, sizeof *x->first_near);
	x->host = odo_arena_new(&x->memory, n, sizeof *x->host);
	x->room = odo_arena_new(&x->memory, n, sizeof *x->room);
	x->channel_of = odo_arena_new(&x->memory, f->n_slots, sizeof *x->channel_of);
	x->channels = odo_arena_new(&x->memory, slots, sizeof *x->channels);
	x->share = odo_arena_new(&x->memory, n, sizeof *x->share);
	x->above = odo_arena_new(&x->memory, n, sizeof *x->above);
	x->senders = odo_arena_new(&x->memory, n, sizeof *x->senders);
	if (x->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for the worst permutation");
	return odo_matching_create(&x->matching, n, f->n_senders, err);
}

/* List the hosts of each switch, and cables between switches from both ends. */
static void list_channels(search *x)
{
	const odo_fabric *f = x->f;
	uint32_t n_near = 0;
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		x->channel_of[slot] = ODO_NONE;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		x->host[s] = ODO_NONE;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t u = odo_next_switch(f, slot);
			if (f->slot_host[slot] < f->n_senders) {
				x->host[s] = f->slot_host[slot];
				x->room[s]++;
			}
			if (u == ODO_NONE)
				continue;
			x->near[n_near++] = (neighbour){u, (uint8_t)odo_port(f, f->peer[slot])};
			x->channel_of[slot] = x->n_channels;
			x->channels[x->n_channels++].slot = slot;
		}
		x->first_near[s + 1] = n_near;
	}
}

/*
 * List switches whose packets to a LID pass switch u, including u, in x->above.
 * @return their number
 */
static uint32_t find_switches_above(search *x, uint32_t u, const uint8_t *column)
{
	uint32_t n = 0;
	x->above[n++] = u;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = x->above[i];
		for (uint32_t k = x->first_near[s]; k < x->first_near[s + 1]; k++)
			if (column[x->near[k].s] == x->near[k].port)
				x->above[n++] = x->near[k].s;
	}
	return n;
}

/* Keep only entries of a LID's column from which packets arrive. */
static void prune_column(search *x, uint32_t lid)
{
	const odo_fabric *f = x->f;
	uint32_t home = f->lid_switch[lid];
	uint8_t *column = x->columns + (size_t)lid * f->n_switches;
	bool delivers = f->lid_host[lid] != ODO_NONE && column[home] == f->lid_port[lid];
	uint32_t n = delivers ? find_switches_above(x, home, column) : 0;
	for (uint32_t i = 0; i < n; i++)
		x->share[x->above[i]] = 1;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		column[s] = x->share[s] ? column[s] : 0;
		x->share[s] = 0;
	}
}

static void cut_columns(search *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t first = 0; first < f->lid_count; first += ODO_COLUMNS) {
		odo_columns_cut(x->t->lft + first, f->lid_count, f->n_switches,
				odo_column_width(f->lid_count, first),
				x->columns + (size_t)first * f->n_switches, f->n_switches);
	}
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		odo_tell(x->t->watch, "looking at all paths", lid, f->lid_count);
		prune_column(x, lid);
	}
}

/* Count the hosts of switch s once as sources of each channel that they use. */
static void count_source(search *x, uint32_t s, uint32_t *last)
{
	const odo_fabric *f = x->f;
	uint32_t path[ODO_MAX_PATH + 2];
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		if (f->lid_host[lid] >= f->n_senders)
			continue;
		uint32_t n = odo_follow_on(x->t, s, lid, path);
		for (uint32_t i = 0; i + 1 < n; i++) {
			uint32_t c = x->channel_of[path[i]];
			x->channels[c].sources += last[c] == s ? 0 : x->room[s];
			last[c] = s;
		}
	}
}

static int count_sources(search *x, odo_error *err)
{
	uint32_t *last = odo_arena_new(&x->memory, x->n_channels, sizeof *last);
	if (!last)
		return odo_fail(err, ODO_ENOMEM, "no memory for the worst permutation");
	for (uint32_t c = 0; c < x->n_channels; c++)
		last[c] = ODO_NONE;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		odo_tell(x->t->watch, "counting sources of cables", s, x->f->n_switches);
		if (x->room[s])
			count_source(x, s, last);
	}
	return 0;
}

static void count_targets(search *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			unsigned port = odo_next_port(x->t, s, lid);
			if (f->lid_host[lid] >= f->n_senders || !port || port > odo_n_ports(f, s))
				continue;
			uint32_t c = x->channel_of[odo_slot(f, s, port)];
			if (c != ODO_NONE)
				x->channels[c].targets += 1.0 /
							  odo_count_host_lids(f, f->lid_host[lid]);
		}
}

/* Convert flows over a channel to its load. */
static double load_on_slot(const search *x, uint32_t slot, double flows)
{
	return flows * x->unit / odo_cable_capacity(x->f, slot);
}

static int by_limit(const void *a, const void *b)
{
	const channel *c = a, *d = b;
	if (c->limit != d->limit)
		return c->limit > d->limit ? -1 : 1;
	return c->slot < d->slot ? -1 : c->slot > d->slot;
}

static int set_limits(search *x, odo_error *err)
{
	int status = count_sources(x, err);
	if (status)
		return status;
	count_targets(x);
	for (uint32_t i = 0; i < x->n_channels; i++) {
		channel *c = &x->channels[i];
		c->limit = load_on_slot(x, c->slot, fmin(c->sources, c->targets));
	}
	qsort(x->channels, x->n_channels, sizeof *x->channels, by_limit);
	return 0;
}

/* Add to the shares of all switches whose packets to `lid` cross the channel out of u. */
static uint32_t add_shares(search *x, uint32_t u, unsigned port, uint32_t lid, uint32_t weight,
			   uint32_t n_senders)
{
	const uint8_t *column = x->columns + (size_t)lid * x->f->n_switches;
	if (odo_next_port(x->t, u, lid) != port || column[u] != port) /* the LFT's row is near */
		return n_senders;
	uint32_t n = find_switches_above(x, u, column);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = x->above[i];
		if (x->room[s] && !x->share[s])
			x->senders[n_senders++] = s;
		x->share[s] += x->room[s] ? weight : 0;
	}
	return n_senders;
}

/* Gather every pair of a switch and a host whose packets cross the channel. */
static int gather_pairs(search *x, uint32_t slot, odo_error *err)
{
	const odo_fabric *f = x->f;
	uint32_t u = f->owner[slot];
	unsigned port = odo_port(f, slot);
	x->n_edges = 0;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		uint32_t n_senders = 0, lids = odo_count_host_lids(f, h),
			 lid = f->port_lid[f->host_slot[h]];
		for (uint32_t k = 0; k < lids && f->lid_switch[lid] != u; k++)
			n_senders = add_shares(x, u, port, lid + k, x->whole / lids, n_senders);
		if (odo_grow(&x->edges, &x->edges_room, x->n_edges + n_senders, sizeof *x->edges))
			return odo_fail(err, ODO_ENOMEM, "no memory for pairs of hosts");
		for (uint32_t i = 0; i < n_senders; i++) {
			uint32_t s = x->senders[i];
			x->edges[x->n_edges++] = (odo_edge){s, h, x->share[s]};
			x->share[s] = 0;
		}
	}
	x->pairs += x->n_edges;
	return 0;
}

/* Store the matching, host by host. */
static void store_matching(search *x, uint32_t slot, double load, odo_worst *out)
{
	const odo_fabric *f = x->f;
	uint32_t *sent = x->above; /* [n_switches] flows assigned to hosts of each switch */
	out->slot = slot;
	out->load = load;
	out->n_flows = 0;
	memset(sent, 0, f->n_switches * sizeof *sent);
	for (uint32_t h = 0; h < f->n_senders; h++)
		out->to[h] = ODO_NONE;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		uint32_t s = x->matching.matched[h];
		if (s == ODO_NONE)
			continue;
		uint32_t at = f->first_slot[s];
		for (uint32_t skip = sent[s]++; f->slot_host[at] >= f->n_senders || skip--;)
			at++;
		out->to[f->slot_host[at]] = h;
		out->n_flows++;
	}
}

static int try_channel(search *x, const channel *c, odo_worst *out, odo_error *err)
{
	uint64_t weight, prices;
	int status = gather_pairs(x, c->slot, err);
	if (!status)
		status = odo_matching_find(&x->matching, x->room, x->edges, x->n_edges, &weight,
					   &prices, err);
	double load = status ? 0 : load_on_slot(x, c->slot, (double)weight / x->whole);
	if (load > out->load)
		store_matching(x, c->slot, load, out);
	return status;
}

/* Try host cables. A host cable carries one flow at most, so the slowest cable with a flow
 * counts. */
static void try_hosts(search *x, odo_worst *out)
{
	const odo_fabric *f = x->f;
	uint32_t path[ODO_MAX_PATH + 3];
	for (uint32_t d = 0; d < f->n_senders; d++) {
		uint32_t slot = f->peer[f->host_slot[d]], h = 0;
		double load = load_on_slot(x, slot, 1);
		if (load <= out->load || !odo_count_host_lids(f, d))
			continue;
		while (h < f->n_senders &&
		       (h == d || !odo_follow(x->t, h, f->port_lid[f->host_slot[d]], path)))
			h++;
		if (h == f->n_senders)
			continue;
		for (uint32_t i = 0; i < f->n_senders; i++)
			out->to[i] = i == h ? d : ODO_NONE;
		out->slot = slot;
		out->load = load;
		out->n_flows = 1;
	}
}

static int prepare_search(search *x, odo_worst *out, odo_error *err)
{
	const odo_fabric *f = x->f;
	int status = allocate_search(x, err);
	if (status)
		return status;
	out->to = odo_new(f->n_hosts, sizeof *out->to);
	if (!out->to)
		return odo_fail(err, ODO_ENOMEM, "no memory for the worst permutation");
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		out->to[h] = ODO_NONE;
		x->whole = odo_count_host_lids(f, h) > x->whole ? odo_count_host_lids(f, h)
								: x->whole;
	}
	list_channels(x);
	cut_columns(x);
	return set_limits(x, err);
}

/* Count channels from `done` on whose limit exceeds the best load. */
static uint32_t count_remaining_channels(const search *x, uint32_t done, double load)
{
	uint32_t low = done, high = x->n_channels;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (x->channels[mid].limit > load)
			low = mid + 1;
		else
			high = mid;
	}
	return low - done;
}

/* Report progress: the search ends after all channels, or after the maximum number of pairs. */
static void report_worst_progress(const search *x, uint32_t done, uint64_t most_pairs,
				  const odo_worst *out)
{
	static const char what[] = "looking for the worst permutation";
	size_t n = done + count_remaining_channels(x, done, out->load);
	if (most_pairs && (double)x->pairs * (double)n > (double)most_pairs * done)
		odo_tell_at_most(x->t->watch, what, x->pairs, most_pairs);
	else
		odo_tell_at_most(x->t->watch, what, done, n);
}

int odo_worst_find(const odo_tables *t, uint64_t most_pairs, odo_worst *out, odo_error *err)
{
	*out = (odo_worst){.slot = ODO_NONE};
	if (t->adaptive)
		return odo_fail(err, ODO_EDECLINE,
				"routing %s is adaptive: its loads depend on the traffic itself",
				t->engine);
	search x = {.t = t, .f = t->fabric, .unit = odo_unit_rate(t->fabric), .whole = 1};
	int status = prepare_search(&x, out, err);
	uint32_t i = 0;
	while (!status && i < x.n_channels && x.channels[i].limit > out->load &&
	       (!most_pairs || x.pairs < most_pairs)) {
		report_worst_progress(&x, i, most_pairs, out);
		status = try_channel(&x, &x.channels[i++], out, err);
	}
	if (!status)
		try_hosts(&x, out);
	out->at_most = i < x.n_channels ? fmax(x.channels[i].limit, out->load) : out->load;
	free(x.edges);
	odo_matching_clear(&x.matching);
	odo_arena_free(&x.memory);
	return status;
}

uint64_t odo_worst_limit(const odo_fabric *f)
{
	return f->n_senders <= EXACT_HOSTS ? 0 : MOST_PAIRS;
}

void odo_worst_clear(odo_worst *worst)
{
	free(worst->to);
	*worst = (odo_worst){0};
}

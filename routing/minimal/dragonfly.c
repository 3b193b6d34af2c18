/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Minimal dragonfly routing, local-global-local (paper 004, section 3.5, "Static"), with one SL and
 * two VLs that standard switches choose by classes of ports.
 *
 * Packets use a group's dimensions in ascending order on the way to a global link, and in
 * descending order on the way to the destination switch. A turn from dimension i to j > i is
 * therefore always before the global hop. A turn to j < i is after it or in traffic within the
 * group. So the turn decides the VL:
 *
 *   host -> any, ascending turn, local -> global    VL 0
 *   global -> local, descending turn                VL 1
 *
 * Packets on VL 0 ascend through a group's dimensions, and then leave by a global link or start to
 * descend. Packets on VL 1 only descend and end at hosts. So no cycle exists. In the paper groups
 * are complete graphs: then there is one dimension, and this is the usual rule.
 *
 * With several LIDs per host (LMC), the Valiant variant sends all LIDs except the first over
 * another group, for software that spreads its messages over LIDs. Then packets on VL 1 continue to
 * a second global link. A tree that passes group V on its way to group D is in layer 0 if V < D and
 * in layer 1 if V > D. Along every path, the groups in which global links end ascend in layer 0 and
 * descend in layer 1. Local channels on VL 0 are used only in source groups, before all others.
 * Local channels on VL 1 are used between the global links that end and that start in their group.
 * So no cycle exists, with two SLs and four VLs.
 */
#include <string.h>

#include "base/arena.h"
#include "routing/graph/deal.h"
#include "routing/engines.h"
#include "routing/minimal/hops.h"

typedef struct bundle {
	uint32_t first, n; /* global cables from one group to another, in `cables` */
} bundle;

typedef struct dragonfly {
	odo_forest *forest;
	odo_arena memory;
	const odo_coordinates *c;
	odo_hops grid;
	uint32_t n_groups;
	unsigned n_phases;
	uint32_t *cables; /* slots of global ports, sorted by (group, group) */
	bundle *bundles;  /* [n_groups * n_groups] */
	uint32_t *gate; /* [n_groups * n_groups] switch that lost the only cable between two groups,
			   or ODO_NONE */
	uint32_t *dealt; /* [n_groups * n_groups * n_phases] slot of each phase, or ODO_NONE */
	bool afresh;     /* do not look for gates */
	bool spreads;    /* switches of a group take turns over cables to other groups */
	uint32_t n_gates;
	uint32_t offset;    /* offset of the turns */
	uint8_t *towards;   /* [n_groups * n_phases] port of the current switch to each group */
	uint8_t *phase;     /* [n_trees * n] */
	uint32_t *id;       /* scratch of deal_bundle() */
	unsigned n_valiant; /* trees in addition to the minimal ones */
	uint32_t *via;      /* [n_valiant * n] group that a tree passes, or ODO_NONE */
} dragonfly;

static uint32_t dragonfly_group(const dragonfly *x, uint32_t s)
{
	return x->grid.value[s];
}

/* Return the group at the far end of a sound global cable, or ODO_NONE. */
static uint32_t far_group(const dragonfly *x, uint32_t slot)
{
	uint32_t s = x->forest->f->owner[slot], t = x->forest->next[slot];
	if (t == ODO_NONE || x->forest->class_of[slot] != ODO_PORT_GLOBAL || !x->grid.known[s] ||
	    !x->grid.known[t] || dragonfly_group(x, s) == dragonfly_group(x, t))
		return ODO_NONE;
	return dragonfly_group(x, t);
}

static void bundle_cables(dragonfly *x)
{
	uint32_t n_slots = x->forest->f->first_slot[x->forest->n], start = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < n_slots; i++) {
			uint32_t to = far_group(x, i);
			if (to == ODO_NONE)
				continue;
			uint32_t from = dragonfly_group(x, x->forest->f->owner[i]);
			bundle *b = &x->bundles[(size_t)from * x->n_groups + to];
			if (pass)
				x->cables[b->first + b->n] = i;
			b->n++;
		}
		for (size_t i = 0; !pass && i < (size_t)x->n_groups * x->n_groups; i++) {
			x->bundles[i].first = start;
			start += x->bundles[i].n;
			x->bundles[i].n = 0;
		}
	}
}

static bool is_switch_known(const dragonfly *x, uint32_t s)
{
	return s < x->forest->n && x->grid.known[s];
}

/* Find switches that lost their group's only cable to another group. The group still sends to this
 * switch, so that only the detour of this switch, and of one that it sends through, changes. */
static void find_lost_single_cables(dragonfly *x)
{
	for (uint32_t i = 0; i < odo_contradictions(x->c); i++) {
		const odo_fault *fault = &x->c->faults[i];
		for (int end = 0; end < 2 && fault->type == ODO_FAULT_MISSING_LINK; end++) {
			uint32_t s = fault->node[end], t = fault->node[!end];
			if (!is_switch_known(x, s) || !is_switch_known(x, t) ||
			    dragonfly_group(x, s) == dragonfly_group(x, t))
				continue;
			size_t pair = (size_t)dragonfly_group(x, s) * x->n_groups +
				      dragonfly_group(x, t);
			if (x->bundles[pair].n)
				continue;
			x->gate[pair] = s;
			x->n_gates++;
		}
	}
}

static uint32_t place_in_group(const odo_coordinates *c, uint32_t d)
{
	uint32_t place = 0;
	for (unsigned i = 1; i < c->n_dims; i++)
		place = place * c->size[i] + odo_at(c, d)[i];
	return place;
}

/* Number destinations of a group, so that they take turns over detours. */
static void number_members(dragonfly *x)
{
	uint32_t *turn = odo_arena_new(&x->memory, x->forest->n, sizeof *turn);
	for (uint32_t d = 0; turn && d < x->forest->n; d++)
		turn[d] = x->offset + (x->grid.known[d] ? place_in_group(x->c, d) : 0);
	x->forest->turn = turn;
}

/* Assign phases. If a group has more cables to another group than a switch has LIDs, its switches
 * take turns. */
static void deal_phases(dragonfly *x)
{
	const odo_forest *forest = x->forest;
	unsigned keys = odo_max_keys(forest->f);
	for (unsigned k = 0; k < forest->n_trees; k++)
		for (uint32_t d = 0; d < forest->n; d++)
			x->phase[(size_t)k * forest->n + d] = (uint8_t)odo_hops_turn(
				forest->f, x->grid.known[d] ? keys : x->n_phases,
				place_in_group(x->c, d), x->n_phases, k, d);
}

static uint32_t cable_id(const dragonfly *x, uint32_t slot)
{
	uint32_t s = x->forest->f->owner[slot];
	return odo_mix(odo_node_hash(x->forest->f, s) + slot - x->forest->f->first_slot[s]);
}

static void deal_bundle(dragonfly *x, const bundle *b, uint32_t *dealt)
{
	uint32_t pick[ODO_MAX_PHASES];
	for (uint32_t i = 0; i < b->n; i++)
		x->id[i] = cable_id(x, x->cables[b->first + i]);
	odo_deal(x->id, b->n, x->n_phases, pick);
	for (unsigned phase = 0; phase < x->n_phases; phase++)
		dealt[phase] = b->n ? x->cables[b->first + pick[phase]] : ODO_NONE;
}

/* Return the port of s for the next dimension of its group, in ascending or descending order. */
static uint8_t local_port(const dragonfly *x, uint32_t s, uint32_t d, unsigned phase,
			  bool ascending)
{
	const odo_hops *hops = &x->grid;
	unsigned dims = x->c->n_dims;
	for (unsigned j = 1; j < dims; j++) {
		unsigned i = ascending ? j : dims - j;
		uint32_t v = hops->value[(size_t)i * hops->n + d];
		if (v != hops->value[(size_t)i * hops->n + s])
			return hops->port[((size_t)hops->base[i] + v) * hops->n_phases + phase];
	}
	return ODO_NO_PORT;
}

/* Return the port of s to group `to`: a global cable of its own, otherwise towards the switch with
 * the assigned cable. In a complete group, any switch with a cable will do if the link to that
 * switch is missing. In other groups, a switch on the way might choose differently, so detours are
 * used instead. */
static uint8_t port_to_group(const dragonfly *x, uint32_t s, uint32_t to, unsigned phase)
{
	size_t pair = (size_t)dragonfly_group(x, s) * x->n_groups + to;
	const uint32_t *dealt = x->dealt + pair * x->n_phases;
	uint8_t port = ODO_NO_PORT;
	unsigned tries = x->c->n_dims <= 2 ? x->n_phases : 1;
	if (x->gate[pair] != ODO_NONE && x->gate[pair] != s)
		return local_port(x, s, x->gate[pair], phase, true);
	for (unsigned j = 0; j < tries && port == ODO_NO_PORT && dealt[0] != ODO_NONE; j++) {
		uint32_t cable = dealt[(phase + j) % x->n_phases];
		port = local_port(x, s, x->forest->f->owner[cable], phase, true);
	}
	return port;
}

static void find_own_cables(dragonfly *x, uint32_t s)
{
	uint32_t own[ODO_MAX_PORTS], id[ODO_MAX_PORTS], pick[ODO_MAX_PHASES];
	const odo_fabric *f = x->forest->f;
	memset(x->towards, ODO_NO_PORT, (size_t)x->n_groups * x->n_phases);
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		uint32_t to = far_group(x, i), n = 0;
		if (to == ODO_NONE || x->towards[(size_t)to * x->n_phases] != ODO_NO_PORT)
			continue;
		for (uint32_t j = i; j < f->first_slot[s + 1]; j++) {
			if (far_group(x, j) == to) {
				id[n] = cable_id(x, j);
				own[n++] = j;
			}
		}
		odo_deal(id, n, x->n_phases, pick);
		for (unsigned phase = 0; phase < x->n_phases; phase++)
			x->towards[(size_t)to * x->n_phases + phase] = (uint8_t)odo_port(
				f, own[pick[phase]]);
	}
}

static void find_ports_out(dragonfly *x, uint32_t s)
{
	find_own_cables(x, s);
	for (uint32_t to = 0; to < x->n_groups; to++) {
		uint8_t *port = x->towards + (size_t)to * x->n_phases;
		for (unsigned phase = 0; to != dragonfly_group(x, s) && phase < x->n_phases;
		     phase++)
			if (port[phase] == ODO_NO_PORT)
				port[phase] = port_to_group(x, s, to, phase);
	}
}

static void fill_group_row(const dragonfly *x, unsigned k, uint32_t s)
{
	uint8_t *row = odo_forest_row(x->forest, k, s);
	const uint8_t *phase = x->phase + (size_t)k * x->forest->n;
	const uint32_t *group = x->grid.value, *via = NULL;
	uint32_t own = group[s];
	if (k >= x->n_phases)
		via = x->via + (size_t)(k - x->n_phases) * x->forest->n;
	for (uint32_t d = 0; d < x->forest->n; d++) {
		if (d == s || !x->grid.known[d])
			continue;
		uint32_t to = via && via[d] != own ? via[d] : group[d];
		row[d] = group[d] == own ? local_port(x, s, d, phase[d], false)
					 : x->towards[to * x->n_phases + phase[d]];
	}
}

/* Choose groups to pass, at even distances and different for every destination. A group of lower
 * number keeps the tree in layer 0, a group of higher number puts it into layer 1. */
static void choose_via(dragonfly *x)
{
	uint32_t n = x->forest->n, others = x->n_groups - 1;
	for (unsigned j = 0; j < x->n_valiant; j++) {
		for (uint32_t d = 0; d < n; d++) {
			uint32_t own = dragonfly_group(x, d);
			uint32_t apart = j * (others / x->n_valiant + 1);
			uint32_t via = (odo_node_hash(x->forest->f, d) % others + apart) % others;
			via += via >= own;
			x->via[(size_t)j * n + d] = via;
			x->forest->layer[(size_t)(x->n_phases + j) * n + d] = via > own;
		}
	}
}

/* Assign LIDs to trees. LID offset 0 of a host is minimal. Further LIDs of this and other hosts
 * pass groups in turn. */
static void spread_lids(dragonfly *x)
{
	const odo_fabric *f = x->forest->f;
	for (uint32_t lid = 0; lid < f->lid_count && x->n_valiant; lid++) {
		uint32_t host = f->lid_host[lid];
		if (f->lid_switch[lid] == ODO_NONE)
			continue;
		uint32_t offset = host == ODO_NONE ? 0 : lid - f->port_lid[f->host_slot[host]];
		uint32_t key = odo_lid_key(f, lid) - offset, k = key % x->n_phases;
		if (offset) {
			uint32_t each = (1u << f->port_lmc[f->host_slot[host]]) - 1;
			k = x->n_phases + (key * each + offset - 1) % x->n_valiant;
		}
		x->forest->lid_tree[lid] = k * x->forest->n + f->lid_switch[lid];
	}
}

static int init_dragonfly(dragonfly *x, odo_error *err)
{
	size_t pairs = (size_t)x->n_groups * x->n_groups;
	int status = odo_hops_init(&x->grid, x->forest->f, x->c, x->n_phases, x->n_phases, err);
	if (status)
		return status;
	x->cables = odo_arena_new(&x->memory, x->forest->f->first_slot[x->forest->n],
				  sizeof *x->cables);
	x->id = odo_arena_new(&x->memory, x->forest->f->first_slot[x->forest->n], sizeof *x->id);
	x->bundles = odo_arena_new(&x->memory, pairs, sizeof *x->bundles);
	x->gate = odo_arena_new(&x->memory, pairs, sizeof *x->gate);
	x->dealt = odo_arena_new(&x->memory, pairs * x->n_phases, sizeof *x->dealt);
	x->towards = odo_arena_new(&x->memory, (size_t)x->n_groups * x->n_phases, 1);
	x->phase = odo_arena_new(&x->memory, (size_t)x->forest->n_trees * x->forest->n, 1);
	x->via = odo_arena_new(&x->memory, (size_t)x->n_valiant * x->forest->n, sizeof *x->via);
	if (!x->afresh)
		number_members(x);
	if (x->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u groups", x->n_groups);
	bundle_cables(x);
	memset(x->gate, 0xFF, pairs * sizeof *x->gate);
	if (!x->afresh)
		find_lost_single_cables(x);
	for (size_t i = 0; i < pairs; i++)
		deal_bundle(x, &x->bundles[i], x->dealt + i * x->n_phases);
	deal_phases(x);
	return 0;
}

/* Rank channels in ascending order: dimensions on VL 0, global links, dimensions downwards on VL
 * 1. */
static void rank_dragonfly_channels(odo_forest *forest)
{
	for (unsigned k = 0; k < forest->n_trees; k++) {
		forest->rank[k][ODO_PORT_GLOBAL][0] = ODO_MAX_DIMS;
		for (unsigned i = 1; i < ODO_MAX_DIMS; i++) {
			forest->rank[k][i][0] = (uint8_t)i;
			forest->rank[k][i][1] = (uint8_t)(2 * ODO_MAX_DIMS - i);
		}
	}
}

static void choose_vls(odo_forest *forest)
{
	for (unsigned in = 0; in < ODO_N_CLASSES; in++)
		for (unsigned out = 1; out < ODO_MAX_DIMS; out++)
			forest->sub[in][out] = in == ODO_PORT_GLOBAL ||
					       (in < ODO_MAX_DIMS && out <= in);
}

static int fill_dragonfly(dragonfly *x, odo_error *err)
{
	int status = init_dragonfly(x, err);
	if (status)
		return status;
	choose_via(x);
	spread_lids(x);
	for (uint32_t s = 0; s < x->forest->n; s++) {
		if (!x->grid.known[s])
			continue;
		odo_hops_look(&x->grid, s, 1);
		find_ports_out(x, s);
		for (unsigned k = 0; k < x->forest->n_trees; k++)
			fill_group_row(x, k, s);
	}
	return 0;
}

/* Create the forest, fill it in, and find detours. */
static int plant_dragonfly(dragonfly *x, const odo_fabric *f, const odo_route_options *options,
			   odo_error *err)
{
	x->n_groups = x->c->size[0];
	x->afresh = x->n_valiant || (options && options->afresh);
	unsigned most = x->n_valiant ? ODO_MAX_TREES / 2 : ODO_MAX_TREES;
	if (!x->n_valiant && !x->spreads && odo_max_keys(f) < most)
		most = odo_max_keys(f); /* more trees than LIDs of a switch would not be used */
	x->n_phases = odo_hops_phases(x->c, 0, most);
	x->n_gates = 0;
	int status = odo_forest_create(f, x->c, options, x->n_phases + x->n_valiant,
				       x->n_valiant ? 2 : 1, 2, &x->forest, err);
	if (status)
		return status;
	memset(x->forest->layer, 0, (size_t)x->forest->n_trees * x->forest->n);
	choose_vls(x->forest);
	if (!x->n_valiant)
		rank_dragonfly_channels(x->forest);
	status = fill_dragonfly(x, err);
	return status ? status : odo_forest_repair(x->forest, err);
}

static void uproot_dragonfly(dragonfly *x)
{
	odo_hops_clear(&x->grid);
	odo_arena_free(&x->memory);
	odo_forest_free(x->forest);
	*x = (dragonfly){
		.c = x->c, .offset = x->offset, .n_valiant = x->n_valiant, .spreads = x->spreads};
}

/* Return true if each group has the same number of cables to all others. Otherwise the largest
 * number decides the phases, and some of the smaller bundles would carry twice as much. */
static bool is_even(const dragonfly *x)
{
	for (uint32_t a = 0; a < x->n_groups; a++)
		for (uint32_t b = 0; b < x->n_groups; b++)
			if (a != b && x->bundles[(size_t)a * x->n_groups + b].n != x->c->width[0])
				return false;
	return true;
}

static unsigned most_lids_per_host(const odo_fabric *f)
{
	unsigned lmc = 0;
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (f->port_lmc[f->host_slot[h]] > lmc)
			lmc = f->port_lmc[f->host_slot[h]];
	return 1u << lmc;
}

/* Return true if all switches of a group may take turns over cables together. If hosts have several
 * LIDs (LMC), or if there are parallel cables, which take turns by the same phase, each switch
 * takes turns by itself. */
static bool may_spread(const dragonfly *x, const odo_fabric *f)
{
	return !x->n_valiant && most_lids_per_host(f) == 1 && odo_most_parallel(f) == 1;
}

/* Number of offsets to try. A tree that needs another layer leaves no room for SLs that connections
 * still use. */
#define MOST_OFFSETS 24u

/* If only one cable is missing, look for detours that need no further VLs. */
int odo_route_dragonfly(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
			const odo_route_options *options, odo_tables *t, odo_error *err)
{
	bool valiant = row->variant == ODO_DRAGONFLY_VALIANT;
	dragonfly x = {.c = c};
	if (valiant && c->n_dims > 2)
		return odo_fail(err, ODO_EDECLINE, "groups are not complete graphs");
	if (valiant && c->size[0] > 2 && most_lids_per_host(f) > 1)
		x.n_valiant = ODO_MAX_TREES / 2;
	x.spreads = may_spread(&x, f);
	int status = plant_dragonfly(&x, f, options, err);
	if (!status && x.spreads && odo_is_pure(x.c) && !is_even(&x)) {
		uproot_dragonfly(&x);
		x.spreads = false;
		status = plant_dragonfly(&x, f, options, err);
	}
	while (x.n_gates == 2 && x.offset < MOST_OFFSETS &&
	       (status == ODO_EDECLINE || (!status && x.forest->n_layers > 1))) {
		uproot_dragonfly(&x);
		x.offset++;
		status = plant_dragonfly(&x, f, options, err);
	}
	if (!status)
		status = odo_forest_write(x.forest, t, err);
	t->from.spilt = !status && x.forest->spilt;
	t->from.spared = !status && x.n_gates;
	if (x.forest)
		uproot_dragonfly(&x);
	return status;
}

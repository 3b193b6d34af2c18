/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Assign hosts to parents (D-mod-k: Zahavi, "Fat-tree routing and node ordering providing
 * contention free traffic for MPI global collectives", 2010). Hosts are numbered leaf by leaf. A
 * path to host j comes down through parent j mod w of its leaf, which has w parents; through parent
 * (j / w) mod w' of that switch; and so on. Consecutive hosts, as many as a switch has cables up,
 * are therefore reached over different cables, from every switch.
 *
 * If cables are missing, a parent takes at most its share of the hosts below. A host whose own
 * place is full or missing takes the cable with the fewest hosts. If all cables are full, the host
 * is loose: each source chooses its own path to it. Loose hosts balance uniform traffic. Shift
 * patterns are served better if shares are rounded up, so that no host is loose: the remaining
 * hosts then share cables, by number.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fabric/rails.h"
#include "routing/forest/forest.h"
#include "routing/tree/tree.h"

/* Progress of the way of a goal. */
typedef struct course {
	uint32_t at;      /* last switch of the way, or ODO_NONE if it goes no further */
	uint32_t divisor; /* of the goal's number */
	uint32_t index;   /* place of the goal among those below the last switch of the way */
	uint32_t count;   /* number of these places; 0 if there are too few for one goal per cable,
			     and   the number decides */
} course;

typedef struct dealer {
	const odo_tree *tree;
	odo_arena scratch;
	odo_tree_goal *goals;
	uint32_t n_goals;
	uint32_t n_leaves, n_keys; /* n_keys: most hosts of a leaf */
	uint32_t *place; /* [ODO_MAX_PORTS + 1] rank of each port among the ports that have hosts on
			    some leaf */
	course *course;  /* [n_goals] */
	uint32_t *wanted; /* [n] goals whose ways reach a switch */
	uint8_t *late;    /* [n_hosts] not a compute node */
	odo_rails rails;
	bool has_lists; /* the operator listed compute or I/O nodes */
	uint32_t crowd; /* hosts per upward cable, at the most crowded leaves */
	bool shared;    /* hosts that exceed the cables share cables, too */
	uint32_t *used; /* [upward cables] goals that use each */
} dealer;

static uint32_t count_parent_places(const odo_tree *tree, uint32_t s)
{
	return tree->n_columns[s] * tree->sides[tree->level[s]];
}

static unsigned offset_of(const odo_fabric *f, uint32_t lid)
{
	return lid - f->port_lid[f->host_slot[f->lid_host[lid]]];
}

/* Count the hosts of the same sort (compute or not) at lower ports of the switch. */
static uint32_t rank_among(const dealer *x, uint32_t host)
{
	const odo_fabric *f = x->tree->f;
	uint32_t rank = 0, end = f->peer[f->host_slot[host]];
	for (uint32_t i = f->first_slot[f->owner[end]]; i < end; i++)
		rank += f->slot_host[i] < f->n_senders && x->late[f->slot_host[i]] == x->late[host];
	return rank;
}

/* Without lists all hosts are of one sort, and the key is the port: hosts that join or leave do not
 * change it. */
static uint32_t key_of_lid(const dealer *x, uint32_t lid)
{
	const odo_fabric *f = x->tree->f;
	uint32_t key = x->has_lists ? rank_among(x, f->lid_host[lid])
				    : odo_lid_key(f, lid) - offset_of(f, lid);
	return key < ODO_MAX_PORTS ? key : ODO_MAX_PORTS;
}

static bool is_guid_listed(const odo_fabric *f, uint32_t host, const uint64_t *guids, uint32_t n)
{
	uint64_t guid = f->port_guid[f->host_slot[host]];
	return bsearch(&guid, guids, n, sizeof guid, odo_by_u64) != NULL;
}

/* Sort the lists before searching them, since a list may name every host. */
static uint64_t *copy_sorted(odo_arena *scratch, const uint64_t *guids, uint32_t n)
{
	uint64_t *copy = odo_arena_new(scratch, n, sizeof *copy);
	if (copy && n) {
		memcpy(copy, guids, n * sizeof *copy);
		qsort(copy, n, sizeof *copy, odo_by_u64);
	}
	return copy;
}

static void find_late_hosts(dealer *x)
{
	const odo_route_options *o = x->tree->options;
	x->has_lists = o && (o->n_compute || o->n_io);
	if (!x->has_lists)
		return;
	uint64_t *compute = copy_sorted(&x->scratch, o->compute, o->n_compute);
	uint64_t *io = copy_sorted(&x->scratch, o->io, o->n_io);
	for (uint32_t h = 0; !x->scratch.failed && h < x->tree->f->n_hosts; h++)
		x->late[h] = is_guid_listed(x->tree->f, h, io, o->n_io) ||
			     (o->n_compute &&
			      !is_guid_listed(x->tree->f, h, compute, o->n_compute));
}

/* Number the ports that have a host on any leaf, in order, so that all leaves use the same
 * numbers. */
static void place_keys(dealer *x)
{
	const odo_fabric *f = x->tree->f;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE && odo_is_sent_to(f, lid) &&
		    !x->late[f->lid_host[lid]])
			x->place[key_of_lid(x, lid)] = 1;
	for (uint32_t key = 0; key <= ODO_MAX_PORTS; key++) {
		uint32_t here = x->place[key];
		x->place[key] = x->n_keys;
		x->n_keys += here;
	}
}

static uint32_t known_coordinate(const odo_tree *tree, uint32_t s, unsigned dim)
{
	uint32_t value = odo_tree_at(tree, s, dim);
	return value == ODO_NONE ? 0 : value;
}

/* Find the largest number of leaves in a pod. */
static void count_leaves(dealer *x)
{
	x->n_leaves = 1;
	for (uint32_t s = 0; s < x->tree->n; s++) {
		uint32_t index = known_coordinate(x->tree, s, ODO_TREE_INDEX);
		if (!x->tree->level[s] && index >= x->n_leaves)
			x->n_leaves = index + 1;
	}
}

/* Return the rotation for a leaf of a rail. The adapters of one machine are at the same port of
 * different leaves. Different rotations give them different spines, so that the failure of one
 * spine does not disconnect the machine. Consecutive hosts of one rail still use different
 * cables. */
static uint32_t rotation_of_leaf(const dealer *x, uint32_t leaf)
{
	uint32_t rail = x->rails.n ? x->rails.of_switch[leaf] : ODO_NONE;
	return rail == ODO_NONE ? 0 : rail;
}

static odo_tree_goal make_goal(const dealer *x, uint32_t lid)
{
	const odo_fabric *f = x->tree->f;
	odo_tree_goal g = {.lid = lid, .d = f->lid_switch[lid], .round = ODO_TREE_OWN};
	g.rank = x->tree->rank[g.d];
	uint32_t leaf = known_coordinate(x->tree, g.d, ODO_TREE_POD) * x->n_leaves +
			known_coordinate(x->tree, g.d, ODO_TREE_INDEX);
	g.number = leaf * x->n_keys;
	if (!odo_is_sent_to(f, lid))
		return g;
	g.round = (uint8_t)offset_of(f, lid);
	uint32_t key = key_of_lid(x, lid);
	g.late = x->late[f->lid_host[lid]];
	g.key = g.late ? x->n_keys + key : (x->place[key] + rotation_of_leaf(x, g.d)) % x->n_keys;
	g.key += g.round;
	g.number += g.key;
	return g;
}

static int by_number(const void *a, const void *b)
{
	const odo_tree_goal *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->lid < y->lid ? -1 : x->lid > y->lid;
}

static void list_goals(dealer *x)
{
	const odo_fabric *f = x->tree->f;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE)
			x->goals[x->n_goals++] = make_goal(x, lid);
	qsort(x->goals, x->n_goals, sizeof *x->goals, by_number);
	for (uint32_t i = 0; i < x->n_goals; i++) {
		x->course[i] = (course){.divisor = 1, .index = x->goals[i].key, .count = x->n_keys};
	}
}

/* Place of the parent and cable for a goal: parents first, then parallel cables. Subtrees all begin
 * with the same parent, unless that would leave some parent unused. */
static uint32_t place_for(const dealer *x, uint32_t i)
{
	uint32_t n = count_parent_places(x->tree, x->course[i].at);
	if (x->course[i].count >= n)
		return x->course[i].index % n;
	return x->goals[i].number / x->course[i].divisor % n;
}

static uint32_t place_of_link(const odo_tree *tree, uint32_t s, uint32_t link)
{
	const odo_tree_link *l = &tree->up[link];
	return l->side * tree->n_columns[s] + tree->column[l->to];
}

/* Return the number of goals that a cable may take. Above the leaves it is at least the number that
 * cables of the most crowded leaves have: these limit the load anyway, and ways that all sources
 * share serve permutations better. */
static uint32_t goals_per_cable(const dealer *x, uint32_t s)
{
	uint32_t cables = x->tree->up_at[s + 1] - x->tree->up_at[s];
	uint32_t share = (x->wanted[s] + (x->shared ? cables - 1 : 0)) / cables;
	uint32_t least = x->tree->level[s] ? x->crowd : 1;
	return share > least ? share : least;
}

/* Return the cable at the goal's own place, or ODO_NONE if it is full or missing. */
static uint32_t find_own_cable(const dealer *x, uint32_t i)
{
	uint32_t s = x->course[i].at, place = place_for(x, i);
	for (uint32_t link = x->tree->up_at[s]; link < x->tree->up_at[s + 1]; link++)
		if (place_of_link(x->tree, s, link) == place)
			return x->used[link] < goals_per_cable(x, s) ? link : ODO_NONE;
	return ODO_NONE;
}

/* Return the cable with the fewest goals; of equal cables the next one after the goal's own place;
 * ODO_NONE if all are full. */
static uint32_t find_other_cable(const dealer *x, uint32_t i)
{
	const odo_tree *tree = x->tree;
	uint32_t s = x->course[i].at, best = ODO_NONE, nearest = 0;
	uint32_t n = count_parent_places(tree, s), own = place_for(x, i);
	for (uint32_t link = tree->up_at[s]; link < tree->up_at[s + 1]; link++) {
		uint32_t beyond = (place_of_link(tree, s, link) + n - own) % n;
		if (x->used[link] >= goals_per_cable(x, s))
			continue;
		if (best != ODO_NONE && (x->used[link] > x->used[best] ||
					 (x->used[link] == x->used[best] && beyond >= nearest)))
			continue;
		best = link;
		nearest = beyond;
	}
	return best;
}

/* Compute the goal's places above switch s. Siblings of s divide theirs in the same way. */
static void narrow_places(dealer *x, uint32_t i, uint32_t s)
{
	uint32_t n = x->tree->n_columns[s], left = x->course[i].count / n;
	bool full = x->course[i].count >= count_parent_places(x->tree, s);
	x->course[i].index = x->tree->row[s] * left + x->course[i].index / n;
	x->course[i].count = full ? x->tree->n_rows[s] * left : 0;
	x->course[i].divisor *= n;
}

static void take_link(dealer *x, uint32_t i, uint32_t link)
{
	odo_tree_goal *g = &x->goals[i];
	uint32_t s = x->course[i].at;
	x->used[link]++;
	g->link[g->n_links++] = link;
	narrow_places(x, i, s);
	x->course[i].at = x->tree->up[link].to;
}

static bool has_links(const odo_tree *tree, uint32_t s)
{
	return tree->up_at[s] < tree->up_at[s + 1];
}

/* Return true if the goal takes a cable up from this level now. */
static bool climbs_now(const dealer *x, uint32_t i, unsigned level, bool late)
{
	uint32_t s = x->course[i].at;
	return s != ODO_NONE && x->tree->level[s] == level && x->goals[i].late == late &&
	       has_links(x->tree, s);
}

/* Extend the ways by one level. Goals whose own place has a cable choose first. */
static void extend_ways(dealer *x, unsigned level, bool late)
{
	for (uint32_t i = 0; i < x->n_goals; i++)
		if (climbs_now(x, i, level, late))
			x->wanted[x->course[i].at]++;
	for (int own = 1; own >= 0; own--)
		for (uint32_t i = 0; i < x->n_goals; i++) {
			if (!climbs_now(x, i, level, late))
				continue;
			uint32_t link = own ? find_own_cable(x, i) : find_other_cable(x, i);
			if (link != ODO_NONE)
				take_link(x, i, link);
			else if (!own) {
				x->goals[i].loose = true;
				x->course[i].at = ODO_NONE;
			}
		}
}

static unsigned start_round(dealer *x, unsigned round)
{
	unsigned found = 0;
	for (uint32_t i = 0; i < x->n_goals; i++) {
		bool takes_part = x->goals[i].round == round;
		x->course[i].at = takes_part ? x->goals[i].d : ODO_NONE;
		found += takes_part;
	}
	memset(x->wanted, 0, x->tree->n * sizeof *x->wanted);
	memset(x->used, 0, x->tree->up_at[x->tree->n] * sizeof *x->used);
	return found;
}

/* The tenth of all hosts at the most crowded leaves decides. A single leaf that lost most of its
 * cables must not raise the limit for all. */
static void find_crowd(dealer *x)
{
	const odo_tree *tree = x->tree;
	uint64_t at_least[ODO_MAX_PORTS + 1] = {0}, hosts = 0;
	for (uint32_t s = 0; s < tree->n; s++) {
		uint32_t cables = tree->up_at[s + 1] - tree->up_at[s];
		uint32_t crowd = tree->level[s] || !cables ? 0 : tree->hosts[s] / cables;
		at_least[crowd < ODO_MAX_PORTS ? crowd : ODO_MAX_PORTS] += tree->hosts[s];
		hosts += tree->hosts[s];
	}
	x->crowd = ODO_MAX_PORTS;
	for (uint64_t above = at_least[x->crowd]; above * 10 < hosts && x->crowd > 1;)
		above += at_least[--x->crowd];
}

static void deal_all_rounds(dealer *x)
{
	find_crowd(x);
	place_keys(x);
	count_leaves(x);
	list_goals(x);
	for (unsigned round = 0; round < ODO_TREE_OWN; round++)
		if (start_round(x, round))
			for (unsigned level = 0; level < x->tree->n_levels; level++)
				for (int late = 0; late < 2; late++)
					extend_ways(x, level, late);
}

int odo_tree_deal(const odo_tree *tree, bool shared, odo_arena *memory, odo_tree_goal **goals,
		  uint32_t *n_goals, odo_error *err)
{
	uint32_t lids = tree->f->lid_count;
	dealer x = {.tree = tree, .shared = shared};
	odo_arena *scratch = &x.scratch;
	x.goals = odo_arena_new(memory, lids, sizeof *x.goals);
	x.course = odo_arena_new(scratch, lids, sizeof *x.course);
	x.place = odo_arena_new(scratch, ODO_MAX_PORTS + 1, sizeof *x.place);
	x.wanted = odo_arena_new(scratch, tree->n, sizeof *x.wanted);
	x.used = odo_arena_new(scratch, tree->up_at[tree->n], sizeof *x.used);
	x.late = odo_arena_new(scratch, tree->f->n_hosts, 1);
	find_late_hosts(&x);
	bool room = x.goals && !scratch->failed && !odo_rails_find(tree->f, &x.rails, err);
	if (room)
		deal_all_rounds(&x);
	odo_arena_free(scratch);
	odo_rails_clear(&x.rails);
	*goals = x.goals;
	*n_goals = x.n_goals;
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for %u ways", lids);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads of cables, and their cost. */
#include <string.h>

#include "routing/turns/pathfinder.h"

void odo_pathfinder_load(odo_pathfinder *x, uint32_t slot, double hosts)
{
	double pairs = hosts * x->weight[x->tree];
	for (; pairs != 0 && slot != ODO_NONE; slot = odo_pathfinder_next(x, slot))
		x->load[slot] += pairs * x->part[slot];
}

/* Most counters of shifts. With more, a pass over all entries takes longer than the growth of all
 * trees, and moves by uniform traffic alone carry more. */
#define MOST_COUNTERS (1u << 20)

/* Return the power that makes a sum of costs a soft maximum. */
static double power_of(double part)
{
	double square = part * part, fourth = square * square;
	return fourth * fourth;
}

static int group_ranks(odo_pathfinder *x, odo_ranks *to, const uint32_t *place, uint32_t n_places)
{
	uint32_t n = x->n_ranks;
	to->first = odo_arena_new(&x->memory, n_places + 1ul, sizeof *to->first);
	to->rank = odo_arena_new(&x->memory, n, sizeof *to->rank);
	if (x->memory.failed)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		to->first[place[i]]++;
	for (uint32_t i = 0, end = 0; i <= n_places; i++)
		to->first[i] = end += to->first[i];
	for (uint32_t i = n; i-- > 0;)
		to->rank[--to->first[place[i]]] = i;
	return 0;
}

int odo_pathfinder_rank(odo_pathfinder *x)
{
	const odo_fabric *f = x->f;
	size_t slots = f->first_slot[x->n], n_senders = f->n_senders;
	if (slots * n_senders > MOST_COUNTERS || n_senders < 2)
		return 0;
	uint32_t *of_switch = odo_arena_new(&x->memory, n_senders, sizeof *of_switch);
	uint32_t *of_tree = odo_arena_new(&x->memory, n_senders, sizeof *of_tree);
	x->count = odo_arena_new(&x->memory, slots * n_senders, sizeof *x->count);
	for (uint32_t lid = 0; !x->memory.failed && lid < f->lid_count; lid++) {
		uint32_t h = f->lid_switch[lid] == ODO_NONE ? ODO_NONE : f->lid_host[lid];
		if (h >= f->n_senders || f->port_lid[f->host_slot[h]] != lid)
			continue;
		of_switch[x->n_ranks] = f->lid_switch[lid];
		of_tree[x->n_ranks++] = x->forest->lid_tree[lid];
	}
	return x->memory.failed || group_ranks(x, &x->sources, of_switch, x->n) ||
			       group_ranks(x, &x->destinations, of_tree, x->n_trees)
		       ? ODO_ENOMEM
		       : 0;
}

/* Add the paths of listed switches to the counters of a cable. */
static double shift_counts(odo_pathfinder *x, uint32_t slot, const uint32_t *list, uint32_t n,
			   int sign)
{
	uint16_t *count = x->count + (size_t)slot * x->n_ranks;
	const odo_ranks *from = &x->sources, *to = &x->destinations;
	double change = 0, scale = x->part[slot] / x->common;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = from->first[list[i]]; j < from->first[list[i] + 1]; j++) {
			for (uint32_t k = to->first[x->tree]; k < to->first[x->tree + 1]; k++) {
				uint32_t a = from->rank[j], b = to->rank[k];
				uint16_t *at = &count[b >= a ? b - a : b + x->n_ranks - a];
				change -= power_of(*at * scale);
				*at = (uint16_t)(*at + sign);
				change += power_of(*at * scale);
				x->work += ODO_PATH_WORK;
			}
		}
	}
	return change / x->n_ranks;
}

double odo_pathfinder_shift(odo_pathfinder *x, uint32_t slot, const uint32_t *list, uint32_t n,
			    uint32_t hosts, int sign)
{
	double change = 0, pairs = (double)sign * hosts * x->weight[x->tree];
	for (; slot != ODO_NONE; slot = odo_pathfinder_next(x, slot)) {
		x->work += ODO_LINK_WORK;
		change -= power_of(x->load[slot] / x->fair);
		x->load[slot] += pairs * x->part[slot];
		change += power_of(x->load[slot] / x->fair);
		if (x->count)
			change += shift_counts(x, slot, list, n, sign);
	}
	return change;
}

void odo_pathfinder_count(odo_pathfinder *x)
{
	size_t slots = x->f->first_slot[x->n];
	if (!x->count)
		return;
	memset(x->count, 0, slots * x->n_ranks * sizeof *x->count);
	for (uint32_t tree = 0; tree < x->n_trees; tree++) {
		odo_pathfinder_select(x, tree);
		for (uint32_t i = 1; i < x->n_near; i++)
			for (uint32_t slot = odo_pathfinder_slot(x, x->near[i]); slot != ODO_NONE;
			     slot = odo_pathfinder_next(x, slot))
				shift_counts(x, slot, &x->near[i], 1, 1);
	}
}

static double most_load(const odo_pathfinder *x)
{
	double most = 0;
	for (uint32_t i = 0; i < x->f->first_slot[x->n]; i++)
		most = x->load[i] > most ? x->load[i] : most;
	return most;
}

/* Return the mean, over all shifts, of the count on the fullest cable; 1 if shifts are not counted.
 */
static double mean_of_most_counts(const odo_pathfinder *x)
{
	double sum = 0;
	for (uint32_t k = 0; x->count && k < x->n_ranks; k++) {
		double most = 0;
		for (uint32_t i = 0; i < x->f->first_slot[x->n]; i++) {
			double count = x->count[(size_t)i * x->n_ranks + k] * x->part[i];
			most = count > most ? count : most;
		}
		sum += most;
	}
	return sum > 0 ? sum / x->n_ranks : 1;
}

void odo_pathfinder_rescale(odo_pathfinder *x)
{
	double most = most_load(x);
	x->fair = most > 0 ? most : 1;
	x->common = mean_of_most_counts(x);
}

double odo_pathfinder_rate(const odo_pathfinder *x)
{
	return most_load(x) * mean_of_most_counts(x);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/labels/canonical.h"

#include <string.h>

#include "base/arena.h"

/* Find the smallest vertex with each value of dimension `dim`; ODO_NONE for none. */
static void smallest_of_values(const odo_placement *placement, unsigned dim, uint32_t *smallest)
{
	memset(smallest, 0xFF, placement->size[dim] * sizeof *smallest);
	for (uint32_t v = placement->n; v-- > 0;)
		if (odo_placement_placed(placement, v))
			smallest[odo_placement_at(placement, v)[dim]] = v;
}

/* Number the values in the order of their smallest vertex; values without a vertex come last. */
static void number_complete(const odo_placement *placement, unsigned dim, const uint32_t *smallest,
			    uint32_t *number)
{
	uint32_t next = 0;
	memset(number, 0xFF, placement->size[dim] * sizeof *number);
	for (uint32_t v = 0; v < placement->n; v++) {
		if (!odo_placement_placed(placement, v))
			continue;
		uint32_t x = odo_placement_at(placement, v)[dim];
		if (smallest[x] == v)
			number[x] = next++;
	}
	for (uint32_t x = 0; x < placement->size[dim]; x++)
		if (number[x] == ODO_NONE)
			number[x] = next++;
}

static void number_cycle(const odo_placement *placement, unsigned dim, uint32_t origin,
			 const uint32_t *smallest, uint32_t *number)
{
	uint32_t size = placement->size[dim], zero = odo_placement_at(placement, origin)[dim];
	bool turn = smallest[(zero + 1) % size] > smallest[(zero + size - 1) % size];
	for (uint32_t x = 0; x < size; x++) {
		uint32_t steps = (x + size - zero) % size;
		number[x] = turn ? (size - steps) % size : steps;
	}
}

/* Number the values from the end with the smaller vertex. */
static void number_path(const odo_placement *placement, unsigned dim, const uint32_t *smallest,
			uint32_t *number)
{
	uint32_t last = placement->size[dim] - 1;
	bool turn = smallest[last] < smallest[0];
	for (uint32_t x = 0; x <= last; x++)
		number[x] = turn ? last - x : x;
}

static void apply_numbers_to(odo_placement *placement, unsigned dim, const uint32_t *number)
{
	for (uint32_t v = 0; v < placement->n; v++) {
		uint32_t *at = odo_placement_at(placement, v) + dim;
		if (*at != ODO_NONE)
			*at = number[*at];
	}
}

/* Number values within each group of a dragonfly separately. */
static int number_in_groups(odo_placement *placement, unsigned dim)
{
	odo_arena memory = {0};
	uint32_t groups = placement->size[0], size = placement->size[dim];
	uint32_t *number = odo_arena_new(&memory, (size_t)groups * size, sizeof *number);
	uint32_t *next = odo_arena_new(&memory, groups, sizeof *next);
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		memset(number, 0xFF, (size_t)groups * size * sizeof *number);
	for (uint32_t v = 0; v < placement->n && !status; v++) {
		const uint32_t *at = odo_placement_at(placement, v);
		if (!odo_placement_placed(placement, v))
			continue;
		uint32_t *to = &number[(size_t)at[0] * size + at[dim]];
		if (*to == ODO_NONE)
			*to = next[at[0]]++;
	}
	for (uint32_t v = 0; v < placement->n && !status; v++) {
		uint32_t *at = odo_placement_at(placement, v);
		if (at[0] == ODO_NONE || at[dim] == ODO_NONE)
			continue;
		uint32_t *to = &number[(size_t)at[0] * size + at[dim]];
		if (*to == ODO_NONE)
			*to = next[at[0]]++;
		at[dim] = *to;
	}
	odo_arena_free(&memory);
	return status;
}

static int number_all_values(odo_placement *placement, uint32_t origin)
{
	odo_arena memory = {0};
	uint32_t most = 1;
	for (unsigned i = 0; i < placement->n_dims; i++)
		most = placement->size[i] > most ? placement->size[i] : most;
	uint32_t *smallest = odo_arena_new(&memory, most, sizeof *smallest);
	uint32_t *number = odo_arena_new(&memory, most, sizeof *number);
	int status = memory.failed ? ODO_ENOMEM : 0;
	for (unsigned i = 0; i < placement->n_dims && !status; i++) {
		odo_numbering numbering = odo_factor_of(placement->factor[i])->numbering;
		if (numbering == ODO_NUMBERED_BY_LINKS)
			continue;
		if (placement->factor[0] == ODO_GROUPS && i > 0) {
			status = number_in_groups(placement, i);
			continue;
		}
		smallest_of_values(placement, i, smallest);
		if (numbering == ODO_NUMBERED_AROUND)
			number_cycle(placement, i, origin, smallest, number);
		else if (numbering == ODO_NUMBERED_ALONG)
			number_path(placement, i, smallest, number);
		else
			number_complete(placement, i, smallest, number);
		apply_numbers_to(placement, i, number);
	}
	odo_arena_free(&memory);
	return status;
}

/* Return the smallest vertex, except the origin, that differs from it in dimension `dim` alone. */
static uint32_t nearest_in_row(const odo_placement *placement, uint32_t origin, unsigned dim)
{
	uint32_t at[ODO_MAX_DIMS], best = ODO_NONE;
	memcpy(at, odo_placement_at(placement, origin), placement->n_dims * sizeof *at);
	for (at[dim] = 0; at[dim] < placement->size[dim]; at[dim]++) {
		uint32_t v = placement->occupant[odo_placement_position(placement, at)];
		if (v != origin && v < best)
			best = v;
	}
	return best;
}

/* True if dimension a comes before b. */
static bool dimension_comes_before(const odo_finding *h, const uint32_t *nearest, unsigned a,
				   unsigned b)
{
	const odo_placement *placement = &h->placement;
	bool mms_a = placement->factor[a] == ODO_MMS, mms_b = placement->factor[b] == ODO_MMS;
	if (mms_a != mms_b)
		return mms_a;
	if (placement->size[a] != placement->size[b])
		return placement->size[a] < placement->size[b];
	if (h->width[a] != h->width[b])
		return h->width[a] > h->width[b];
	return nearest[a] < nearest[b];
}

static void order_dims(const odo_finding *h, uint32_t origin, uint8_t *order)
{
	const odo_placement *placement = &h->placement;
	uint32_t nearest[ODO_MAX_DIMS];
	for (unsigned i = 0; i < placement->n_dims; i++) {
		unsigned j = i;
		nearest[i] = nearest_in_row(placement, origin, i);
		for (; j > 0 && dimension_comes_before(h, nearest, i, order[j - 1]); j--)
			order[j] = order[j - 1];
		order[j] = (uint8_t)i;
	}
}

static void permute_dimensions(odo_placement *placement, const uint8_t *order)
{
	uint32_t held[ODO_MAX_DIMS];
	odo_factor factor[ODO_MAX_DIMS];
	for (uint32_t v = 0; v < placement->n; v++) {
		uint32_t *at = odo_placement_at(placement, v);
		memcpy(held, at, placement->n_dims * sizeof *held);
		for (unsigned i = 0; i < placement->n_dims; i++)
			at[i] = held[order[i]];
	}
	memcpy(held, placement->size, sizeof held);
	memcpy(factor, placement->factor, sizeof factor);
	for (unsigned i = 0; i < placement->n_dims; i++) {
		placement->size[i] = held[order[i]];
		placement->factor[i] = factor[order[i]];
	}
}

/* Weigh the finding again, with all data derived from the placement. */
static int weigh_anew(odo_finding *h, odo_error *err)
{
	odo_finding fresh = {.kind = h->kind, .g = h->g, .placement = h->placement};
	h->placement = (odo_placement){0};
	odo_finding_clear(h);
	*h = fresh;
	int status = odo_placement_index(h->g, &h->placement, SIZE_MAX, err);
	return status ? status : odo_finding_weigh(h, err);
}

int odo_canonical(odo_finding *h, odo_error *err)
{
	odo_placement *placement = &h->placement;
	uint8_t order[ODO_MAX_DIMS];
	uint32_t origin = 0;
	while (origin < placement->n && !odo_placement_placed(placement, origin))
		origin++;
	if (origin == placement->n)
		return 0;
	if (placement->factor[0] != ODO_GROUPS) {
		order_dims(h, origin, order);
		permute_dimensions(placement, order);
	}
	if (number_all_values(placement, origin))
		return odo_fail(err, ODO_ENOMEM, "no memory for labels");
	return weigh_anew(h, err);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns as ranges of ranks. Permutations are ranges of one rank. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/traffic/pattern_internal.h"
#include "emulator/streams.h"
#include "base/memory.h"

static int prepare_uniform(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	out->ranges = odo_new(1, sizeof *out->ranges);
	if (!out->ranges)
		return odo_draw_no_memory(err);
	out->ranges[0] = (odo_range){0, o->n_hosts};
	return 0;
}

/** No host sends: a share of a mix that lets the load change during a run. */
static int prepare_silent(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	out->range_of = odo_new(o->n_hosts, sizeof *out->range_of);
	if (!out->range_of)
		return odo_draw_no_memory(err);
	for (uint32_t rank = 0; rank < o->n_hosts; rank++)
		out->range_of[rank] = ODO_NONE;
	return 0;
}

/** Destinations are the first share of hosts, which also send (paper 003, IV.A, "Hotregion"). */
static int prepare_region(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	int status = prepare_uniform(setup, out, err);
	if (status)
		return status;
	uint32_t n = (uint32_t)((uint64_t)o->n_hosts * setup->value[0].number[0] / 1000);
	out->ranges[0].count = n ? n : 1;
	return 0;
}

/* Permutations: return the rank that rank r sends to, among n. */

typedef uint32_t permutation(uint32_t r, uint32_t n, uint32_t parameter);

static int prepare_permutation(const odo_order *o, permutation *to, uint32_t n, uint32_t parameter,
			       odo_draw *out, odo_error *err)
{
	int status = odo_draw_make(o, out, n, err);
	for (uint32_t r = 0; !status && r < n; r++) {
		out->range_of[r] = r;
		out->ranges[r] = (odo_range){to(r, n, parameter), 1};
	}
	return status;
}

/*
 * Bit permutations (paper 004, section 4; Dally and Towles, Principles and Practices of
 * Interconnection Networks, 3.2) are defined for 2^b numbers. The numbers are those of hosts. With
 * of=switches they are those of switches, and every host sends to the host of the same position at
 * the other switch. On other fabrics the first 2^b take part, with b as large as possible, and the
 * rest are silent. A host that would send to itself is silent too. Paper 004 does not say which it
 * means; its results are those of switches (docs/results/paper004/README.md).
 */
enum { OF_HOSTS, OF_SWITCHES };
enum { FIRST_SLOW, FIRST_FAST };

static uint32_t floor_log2(uint32_t n)
{
	return 31 - (uint32_t)__builtin_clz(n);
}

static int last_coordinate_first(const void *a, const void *b, void *context)
{
	const odo_order *o = context;
	const odo_coordinates *c = o->coordinates;
	uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
	const uint32_t *x = odo_at(c, o->switches[p]), *y = odo_at(c, o->switches[q]);
	for (unsigned d = c->n_dims; d-- > 0;)
		if (x[d] != y[d])
			return x[d] < y[d] ? -1 : 1;
	return p < q ? -1 : p > q;
}

/** Return the places in the order of their numbers, for free(). */
static int number_places(const odo_order *o, bool fast, uint32_t **out, odo_error *err)
{
	int status = fast ? odo_draw_need_coordinates(o, err) : 0;
	if (status)
		return status;
	uint32_t *place = odo_new(o->n_places, sizeof *place);
	if (!place)
		return odo_draw_no_memory(err);
	for (uint32_t p = 0; p < o->n_places; p++)
		place[p] = p;
	if (fast)
		qsort_r(place, o->n_places, sizeof *place, last_coordinate_first, (void *)o);
	*out = place;
	return 0;
}

/** Host i of a switch sends to host i of the switch whose number the bits give, if that switch has
 * so many hosts. */
static int permute_places(const odo_order *o, permutation *to, bool fast, odo_draw *out,
			  odo_error *err)
{
	uint32_t b = floor_log2(o->n_places), n = 1u << b, *place = NULL;
	int status = number_places(o, fast, &place, err);
	if (!status)
		status = odo_draw_make(o, out, o->n_hosts, err);
	for (uint32_t k = 0; !status && k < n; k++) {
		uint32_t from = place[k], there = place[to(k, n, b)];
		odo_range own = odo_hosts_of_place(o, from), other = odo_hosts_of_place(o, there);
		for (uint32_t i = 0; i < own.count && i < other.count; i++) {
			out->range_of[own.first + i] = own.first + i;
			out->ranges[own.first + i] = (odo_range){other.first + i, 1};
		}
	}
	free(place);
	return status;
}

static int permute_bits(const odo_pattern_setup *setup, permutation *to, odo_draw *out,
			odo_error *err)
{
	const odo_order *o = setup->order;
	bool switches = setup->value[0].number[0] == OF_SWITCHES;
	if ((switches ? o->n_places : o->n_hosts) < 2)
		return odo_fail(err, ODO_EDECLINE, "expected at least two %s, found one",
				switches ? "switches with hosts" : "hosts");
	if (switches)
		return permute_places(o, to, setup->value[1].number[0] == FIRST_FAST, out, err);
	uint32_t b = floor_log2(o->n_hosts);
	return prepare_permutation(o, to, 1u << b, b, out, err);
}

static uint32_t to_complement(uint32_t r, uint32_t n, uint32_t b)
{
	(void)b;
	return ~r & (n - 1);
}
static uint32_t to_reverse(uint32_t r, uint32_t n, uint32_t b)
{
	(void)n;
	uint32_t d = 0;
	for (uint32_t i = 0; i < b; i++)
		d |= (r >> i & 1) << (b - 1 - i);
	return d;
}
static uint32_t rotate_left(uint32_t r, uint32_t n, uint32_t b, uint32_t by)
{
	return by % b ? (r << by % b | r >> (b - by % b)) & (n - 1) : r;
}
static uint32_t to_rotation(uint32_t r, uint32_t n, uint32_t b)
{
	return rotate_left(r, n, b, b - 1);
}
static uint32_t to_shuffle(uint32_t r, uint32_t n, uint32_t b)
{
	return rotate_left(r, n, b, 1);
}
static uint32_t to_transpose(uint32_t r, uint32_t n, uint32_t b)
{
	return rotate_left(r, n, b, b - b / 2); /* destination bit i is source bit i + b/2 */
}
static uint32_t to_shift(uint32_t r, uint32_t n, uint32_t by)
{
	return (uint32_t)(((uint64_t)r + by) % n);
}

#define BIT_PATTERN(name)                                                                          \
	static int prepare_##name(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)   \
	{                                                                                          \
		return permute_bits(setup, to_##name, out, err);                                   \
	}
BIT_PATTERN(complement)
BIT_PATTERN(reverse)
BIT_PATTERN(rotation)
BIT_PATTERN(shuffle)
BIT_PATTERN(transpose)

static int prepare_shift(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	if (setup->value[0].number[0] % o->n_hosts == 0)
		return odo_fail(err, ODO_EDECLINE,
				"expected hosts to send to others, found %u hosts and n=%u",
				o->n_hosts, setup->value[0].number[0]);
	return prepare_permutation(o, to_shift, o->n_hosts, setup->value[0].number[0], out, err);
}

/**
 * Draw a permutation without fixed points: paper 003 leaves them open, and a host that sends to
 * itself loads no link. Each fixed point of a random order is swapped with another random entry,
 * which makes no new fixed point.
 */
static int prepare_random(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	uint32_t n = o->n_hosts;
	int status = prepare_permutation(o, to_shift, n, 0, out, err);
	uint32_t *to = odo_new(n, sizeof *to);
	if (status || !to) {
		free(to);
		return status ? status : odo_draw_no_memory(err);
	}
	odo_rng rng = odo_rng_make(setup->seed, odo_stream(ODO_STREAM_PERMUTATION, 0));
	for (uint32_t r = 0; r < n; r++)
		to[r] = r;
	odo_rng_shuffle(&rng, to, n);
	for (uint32_t r = 0; n > 1 && r < n; r++) {
		if (to[r] != r)
			continue;
		uint32_t other = odo_rng_below(&rng, n - 1);
		other += other >= r;
		to[r] = to[other];
		to[other] = r;
	}
	for (uint32_t r = 0; r < n; r++)
		out->ranges[r].first = to[r];
	free(to);
	return 0;
}

/** Each switch sends to the one `by[d]` further in each dimension; it is silent if that is
 * missing. */
static int move_places(const odo_order *o, const uint32_t *by, odo_draw *out, odo_error *err)
{
	const odo_coordinates *c = o->coordinates;
	int status = odo_draw_make(o, out, o->n_places, err);
	for (uint32_t p = 0; !status && p < o->n_places; p++) {
		uint32_t at[ODO_MAX_DIMS];
		bool known = true;
		for (unsigned d = 0; d < c->n_dims; d++) {
			uint32_t x = odo_at(c, o->switches[p])[d];
			known = known && x != ODO_NONE;
			at[d] = (uint32_t)(((uint64_t)x + by[d]) % c->size[d]);
		}
		uint32_t to = known ? odo_order_find(o, at) : ODO_NONE;
		if (to == ODO_NONE || to == p)
			continue;
		out->ranges[p] = odo_hosts_of_place(o, to);
		odo_draw_place(o, out, p, p);
	}
	return status;
}

static int prepare_neighbour(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	uint32_t by[ODO_MAX_DIMS] = {0}, dim = setup->value[0].number[0];
	int status = odo_draw_need_coordinates(o, err);
	if (status)
		return status;
	if (dim >= o->coordinates->n_dims)
		return odo_fail(err, ODO_EDECLINE, "expected dim below %u, found %u",
				o->coordinates->n_dims, dim);
	by[dim] = setup->value[1].number[0] % o->coordinates->size[dim];
	if (!by[dim])
		return odo_fail(err, ODO_EDECLINE,
				"expected switches to send to others, found n=%u of %u",
				setup->value[1].number[0], o->coordinates->size[dim]);
	return move_places(o, by, out, err);
}

/** Offset nearly half-way round in every dimension: ceil(k/2) - 1 (Dally and Towles, 3.2). */
static int prepare_tornado(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	uint32_t by[ODO_MAX_DIMS], moves = 0;
	int status = odo_draw_need_coordinates(o, err);
	if (status)
		return status;
	for (unsigned d = 0; d < o->coordinates->n_dims; d++)
		moves += by[d] = (o->coordinates->size[d] + 1) / 2 - 1;
	if (!moves)
		return odo_fail(err, ODO_EDECLINE,
				"expected a dimension of more than two vertices, found none");
	return move_places(o, by, out, err);
}

/** Permute the lowest bits in any order: for patterns that other tools call shuffle while they
 * number hosts differently. */
static int prepare_bits(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	const uint32_t *from = setup->value[0].number;
	uint32_t b = setup->value[0].n, seen = 0;
	for (uint32_t i = 0; i < b; i++)
		seen |= from[i] < b ? 1u << from[i] : 0;
	if (seen != (1u << b) - 1)
		return odo_fail(err, ODO_EINPUT,
				"expected bits 0 to %u in some order, each once, after \"from\"",
				b - 1);
	if (1u << b > o->n_hosts)
		return odo_fail(err, ODO_EDECLINE, "expected at least %u hosts, found %u", 1u << b,
				o->n_hosts);
	int status = odo_draw_make(o, out, 1u << b, err);
	for (uint32_t r = 0; !status && r < 1u << b; r++) {
		uint32_t to = 0;
		for (uint32_t i = 0; i < b; i++)
			to |= (r >> from[i] & 1) << i;
		out->range_of[r] = r;
		out->ranges[r] = (odo_range){to, 1};
	}
	return status;
}

static const odo_option bits_options[] = {
	{"from", ODO_OPTION_LIST, "1x0",
	 "the rank's bit that each bit of the target is, from bit 0", NULL, 0, ODO_MAX_DIMS - 1},
	{0},
};
static const odo_option none[] = {{0}};
static const char *const of_words[] = {"hosts", "switches", NULL};
static const char *const first_words[] = {"slow", "fast", NULL};
static const odo_option numbering_options[] = {
	{"of", ODO_OPTION_WORD, "hosts", "hosts or switches, whose numbers are permuted", of_words,
	 0, 0},
	{"first", ODO_OPTION_WORD, "slow",
	 "with of=switches: does coordinate 0 vary slowest or fastest with a switch's number",
	 first_words, 0, 0},
	{0},
};
static const char *const units[] = {"groups", "h", NULL};
static const odo_option advg_options[] = {
	{"n", ODO_OPTION_NUMBER, "1", "offset", NULL, 1, UINT32_MAX},
	{"unit", ODO_OPTION_WORD, "groups", "offset in groups, or in global links of a switch",
	 units, 0, 0},
	{0},
};
static const odo_option advl_options[] = {
	{"n", ODO_OPTION_NUMBER, "1", "offset in switches", NULL, 1, 65535},
	{0},
};
static const odo_option advp_options[] = {
	{"n", ODO_OPTION_NUMBER, "1", "offset in pods", NULL, 1, UINT32_MAX},
	{0},
};
static const odo_option neighbour_options[] = {
	{"dim", ODO_OPTION_NUMBER, "0", "dimension", NULL, 0, ODO_MAX_DIMS - 1},
	{"n", ODO_OPTION_NUMBER, "1", "offset in that dimension", NULL, 1, UINT32_MAX},
	{0},
};
static const odo_option region_options[] = {
	{"permille", ODO_OPTION_NUMBER, "125", "share of hosts, the first ones", NULL, 1, 1000},
	{0},
};
static const odo_option shift_options[] = {
	{"n", ODO_OPTION_NUMBER, "1", "offset in hosts", NULL, 1, UINT32_MAX},
	{0},
};

const odo_pattern odo_patterns[] = {
	{"uniform", "any host except the sender", "000, section 4", none, prepare_uniform},
	{"advg", "a group to random hosts of the n-th next group", "000, section 4", advg_options,
	 odo_pattern_advg},
	{"advl", "a switch to random hosts of the n-th next switch of its group", "003, IV.A",
	 advl_options, odo_pattern_advl},
	{"advp", "a pod of a fat tree to random hosts of the n-th next pod", "none; advg by pods",
	 advp_options, odo_pattern_advp},
	{"neighbour", "a switch to random hosts of one neighbouring switch", "004, section 3.1",
	 neighbour_options, prepare_neighbour},
	{"region", "random hosts among the first", "003, IV.A", region_options, prepare_region},
	{"permutation", "a random permutation, drawn once", "003, IV.A", none, prepare_random},
	{"complement", "bit complement of the rank", "004, section 4", numbering_options,
	 prepare_complement},
	{"reverse", "bits of the rank in reverse order", "004, section 4", numbering_options,
	 prepare_reverse},
	{"rotation", "bits of the rank rotated right", "004, section 4", numbering_options,
	 prepare_rotation},
	{"shuffle", "bits of the rank rotated left", "004, section 4", numbering_options,
	 prepare_shuffle},
	{"transpose", "halves of the rank's bits exchanged", "004, section 4", numbering_options,
	 prepare_transpose},
	{"bits", "bits of the rank in any order", "none", bits_options, prepare_bits},
	{"tornado", "nearly half-way round every dimension", "none; Dally and Towles, 3.2", none,
	 prepare_tornado},
	{"shift", "the rank n further", "none", shift_options, prepare_shift},
	{"silent", "no host sends; in a mix: less load", "none", none, prepare_silent},
	{0},
};

const odo_traffic_name odo_traffic_names[] = {
	{"hotregion", "25%region:permille=125+75%uniform", "003, IV.A"},
	{"mix1", "80%uniform+10%advg:n=1+10%advg:n=1,unit=h", "000, section 5.3"},
	{"mix2", "60%uniform+20%advg:n=1+20%advg:n=1,unit=h", "000, section 5.3"},
	{"mix3", "20%uniform+40%advg:n=1+40%advg:n=1,unit=h", "000, section 5.3"},
	{0},
};

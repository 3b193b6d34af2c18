/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/group_doubts.h"

#include <math.h>

#include "base/arena.h"
#include "base/odds.h"
#include "mapping/graph/shares.h"

/* So many switches, or more, have all their cables once those missing in their group are added:
 * with 10 % of the switches and 5 % of the links lost, e^-1.2 of those with 8 global cables. */
static const odo_share whole_switches = {1, 4};

/* Bits by which it is too unlikely that chance took so many switches of one group: as in
 * certainty.c. */
#define UNLIKELY 6

typedef struct groups {
	const odo_fabric *f;
	const odo_coordinates *c;
	const uint32_t *fitting, *lacks;
	uint32_t n;
	uint32_t globals; /* global cables of a whole switch */
	uint32_t usual;   /* cables between two groups */
	uint32_t *pair;   /* [n * n] cables between two groups: as most are cabled, no more
			     than the fabric has slots */
	uint32_t *have;   /* [n] switches */
	uint32_t *lost;   /* [n] missing switches */
	bool *uneven;     /* [n] its switches lack different numbers of cables */
	bool *doubted;    /* [n] */
} groups;

static uint32_t group_of_switch(const groups *x, uint32_t s)
{
	return odo_at(x->c, s)[0];
}

static void count_group_cables(groups *x)
{
	const odo_fabric *f = x->f;
	uint32_t *first = x->pair; /* scratch: what the first switch of each group lacks */
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t g = group_of_switch(x, s);
		if (g == ODO_NONE)
			continue;
		x->uneven[g] |= x->have[g] && first[g] != x->lacks[s];
		first[g] = x->lacks[s];
		x->have[g]++;
	}
	for (uint32_t g = 0; g < x->n; g++)
		first[g] = 0;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		uint32_t far = odo_next_switch(f, i), g = group_of_switch(x, f->owner[i]);
		uint32_t to = far == ODO_NONE ? ODO_NONE : group_of_switch(x, far);
		if (g != ODO_NONE && to != ODO_NONE && x->c->port_class[i] == ODO_PORT_GLOBAL)
			x->pair[(size_t)g * x->n + to]++;
	}
}

static uint32_t find_usual_pair(const groups *x)
{
	enum { MOST = 1023 };
	uint32_t count[MOST + 1] = {0};
	for (uint32_t a = 0; a < x->n; a++)
		for (uint32_t b = 0; b < a; b++) {
			uint32_t cables = x->pair[(size_t)a * x->n + b];
			count[cables < MOST ? cables : MOST]++;
		}
	return odo_usual_most(count, 0, MOST, odo_at_least_rare((uint64_t)x->n * (x->n - 1) / 2));
}

static uint32_t all_of(const groups *x, uint32_t s)
{
	uint32_t all = x->fitting[s] + x->lacks[s];
	return all < ODO_MAX_PORTS ? all : ODO_MAX_PORTS;
}

/* Cables of a whole switch. */
static uint32_t find_whole(const groups *x)
{
	uint32_t count[ODO_MAX_PORTS + 1] = {0}, above = 0, all = ODO_MAX_PORTS;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		count[all_of(x, s)]++;
	while (all && !odo_reaches(above += count[all], whole_switches, x->f->n_switches))
		all--;
	return all;
}

static uint32_t find_local(const odo_coordinates *c)
{
	uint32_t local = 0;
	for (unsigned i = 1; i < c->n_dims; i++)
		local += (c->size[i] - 1) * c->width[i];
	return local;
}

/* Return true if the group has its cables to the others, although it would lack switches. If whole
 * switches have no global cable, only an uneven loss within the group shows missing switches. */
static bool has_its_cables(const groups *x, uint32_t g)
{
	uint64_t deficit = 0;
	for (uint32_t to = 0; to < x->n; to++) {
		uint32_t cables = x->pair[(size_t)g * x->n + to];
		deficit += to != g && cables < x->usual ? x->usual - cables : 0;
	}
	return x->globals ? 2 * deficit < (uint64_t)x->lost[g] * x->globals : !x->uneven[g];
}

/* Free ends of global cables are too few for the switches that are still taken for missing. */
static bool has_few_ends(const groups *x, uint32_t whole)
{
	uint64_t ends = 0, lost = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		ends += all_of(x, s) < whole ? whole - all_of(x, s) : 0;
	for (uint32_t g = 0; g < x->n; g++)
		lost += x->doubted[g] ? 0 : x->lost[g];
	return 2 * ends < lost * x->globals;
}

static bool is_half_gone(const groups *x, uint32_t g)
{
	return x->lost[g] && x->have[g] <= x->lost[g];
}

/* Half of the group is missing, or more, where chance takes so few of the other groups: it was
 * built smaller, or not to the end, or was lost as one. The cables cannot tell which. */
static void doubt_half_groups(groups *x)
{
	uint64_t all = 0, elsewhere = 0;
	for (uint32_t g = 0; g < x->n; g++) {
		all += x->have[g] + x->lost[g];
		elsewhere += is_half_gone(x, g) ? 0 : x->lost[g];
	}
	double rate = (double)(elsewhere + 1) / (double)(all + 1);
	for (uint32_t g = 0; g < x->n; g++) {
		double lost = x->lost[g], choices = odo_log2_choose(x->have[g] + lost, lost);
		x->doubted[g] |= is_half_gone(x, g) &&
				 -choices - lost * log2(rate) > UNLIKELY + log2(x->n);
	}
}

static void doubt_each(groups *x)
{
	uint32_t whole = find_whole(x), local = find_local(x->c);
	x->globals = whole > local ? whole - local : 0;
	x->usual = find_usual_pair(x);
	for (uint32_t g = 0; g < x->n; g++)
		x->doubted[g] = x->lost[g] && has_its_cables(x, g);
	doubt_half_groups(x);
	if (!has_few_ends(x, whole))
		return;
	for (uint32_t g = 0; g < x->n; g++)
		x->doubted[g] = x->lost[g] > 0;
}

static bool is_in_doubted_half(const groups *x, uint32_t s)
{
	uint32_t g = group_of_switch(x, s);
	return g != ODO_NONE && x->doubted[g] && is_half_gone(x, g);
}

/* Cables of a half group are no better known than its size: missing ones at either end, and wrong
 * ones within it. */
static bool is_doubted_cable(const groups *x, const odo_fault *fault)
{
	if (fault->node[0] == ODO_NONE || fault->node[0] == fault->node[1])
		return false;
	bool one = is_in_doubted_half(x, fault->node[0]);
	bool other = is_in_doubted_half(x, fault->node[1]);
	return fault->type == ODO_FAULT_MISSING_LINK ? one || other : one && other;
}

static void mark_guesses(const groups *x, bool *guess)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		if (fault->type == ODO_FAULT_MISSING_SWITCH)
			guess[i] |= x->doubted[fault->at[0]];
		else if (fault->type != ODO_FAULT_SLOW_LINK) /* its end may be a host */
			guess[i] |= is_doubted_cable(x, fault);
	}
}

static uint32_t count_missing_switches(const odo_coordinates *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_faults; i++)
		n += c->faults[i].type == ODO_FAULT_MISSING_SWITCH;
	return n;
}

static void count_lost_switches(groups *x)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++)
		if (x->c->faults[i].type == ODO_FAULT_MISSING_SWITCH)
			x->lost[x->c->faults[i].at[0]]++;
}

int odo_doubt_groups(const odo_fabric *f, const odo_coordinates *c, const uint32_t *fitting,
		     const uint32_t *lacks, bool *guess)
{
	odo_arena memory = {0};
	uint32_t n = c->size[0];
	if (!count_missing_switches(c))
		return 0;
	groups x = {.f = f,
		    .c = c,
		    .fitting = fitting,
		    .lacks = lacks,
		    .n = n,
		    .pair = odo_arena_new(&memory, (size_t)n * n, sizeof *x.pair),
		    .have = odo_arena_new(&memory, n, sizeof *x.have),
		    .lost = odo_arena_new(&memory, n, sizeof *x.lost),
		    .uneven = odo_arena_new(&memory, n, sizeof *x.uneven),
		    .doubted = odo_arena_new(&memory, n, sizeof *x.doubted)};
	bool room = !memory.failed;
	if (room) {
		count_lost_switches(&x);
		count_group_cables(&x);
		doubt_each(&x);
		mark_guesses(&x, guess);
	}
	odo_arena_free(&memory);
	return room ? 0 : ODO_ENOMEM;
}

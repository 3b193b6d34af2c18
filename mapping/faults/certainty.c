/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/certainty.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/odds.h"
#include "base/strategies.h"
#include "mapping/faults/group_doubts.h"
#include "mapping/graph/shares.h"
#include "mapping/judge/contradicting.h"

/* Shares of its cables that an attached switch lacks: of one that differs from its peers by its
 * hosts, and of another, which may as well have lost half. */
static const odo_share of_one_that_differs = {1, 2};
static const odo_share of_another = {2, 3};

/* Fewer switches that lack something say nothing of how regular the fabric is. */
static const odo_share several = {1, 10};

/* Bits by which it is too unlikely that a switch lost so many links by chance: as LEAST_SAVING in
 * judge.c, beyond those that choose the switch. */
#define UNLIKELY 6

/* Trees have fewer levels; switches of other kinds are of one. */
enum { MOST_LEVELS = 8 };

/* Counts of each switch. */
typedef struct tally {
	const odo_fabric *f;
	const odo_coordinates *c;
	uint32_t *cables;            /* [switches] to other switches */
	uint32_t *fitting;           /* [switches] those neither wrong nor to a switch apart */
	uint32_t *lacks;             /* [switches] cables that are missing from it */
	uint32_t *wrong;             /* [switches] wrong cables */
	uint32_t *level;             /* [switches] peers have the same one */
	bool *differs;               /* [switches] by its hosts it is none of its peers */
	bool *apart;                 /* [switches] differs, and lacks too much */
	uint32_t usual[MOST_LEVELS]; /* cables that most switches of each have */
	uint32_t whole[MOST_LEVELS]; /* and those that lack nothing */
	bool *guess;                 /* [faults] */
	uint64_t lacking;            /* cables that are missing between switches that are there */
	odo_contradicting all;
} tally;

static bool has_factor(const odo_coordinates *c, odo_factor factor)
{
	for (unsigned i = 0; i < c->n_dims; i++)
		if (c->factor[i] == factor)
			return true;
	return false;
}

/* Trees have levels, whose switches differ by how they were built. */
static uint32_t level_of_switch(const odo_coordinates *c, uint32_t s)
{
	const char *const *names = odo_kind_of(c->kind)->dimensions;
	for (unsigned i = 0; names && i < c->n_dims; i++)
		if (!strcmp(names[i], "level"))
			return odo_at(c, s)[i] < MOST_LEVELS ? odo_at(c, s)[i] : 0;
	return 0;
}

static void count_switch_cables(tally *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		x->level[s] = level_of_switch(x->c, s);
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t far = odo_next_switch(f, i);
			x->cables[s] += far != ODO_NONE && far != s;
		}
		x->all.cables += x->cables[s];
	}
	x->all.cables /= 2;
	x->all.switches = f->n_switches;
}

static bool is_wrong_cable(const odo_fault *fault)
{
	return fault->type == ODO_FAULT_WRONG_LINK && fault->node[0] != fault->node[1];
}

/* Cables by which switches are held against their peers. */
static void count_fitting(tally *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		x->fitting[s] = x->cables[s];
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t far = odo_next_switch(f, i);
			x->fitting[s] -= far != ODO_NONE && far != s && x->apart[far];
		}
	}
	for (uint32_t i = 0; i < x->c->n_faults; i++)
		for (int side = 0; side < 2 && is_wrong_cable(&x->c->faults[i]); side++) {
			const uint32_t *node = x->c->faults[i].node;
			x->fitting[node[side]] -= !x->apart[node[!side]];
		}
}

/* The dimension in which a place without a switch has `s` beside it, or n_dims. */
static unsigned dimension_beside(const odo_coordinates *c, const uint32_t *at, uint32_t s)
{
	unsigned dim = c->n_dims;
	for (unsigned i = 0; i < c->n_dims; i++) {
		if (odo_at(c, s)[i] == at[i])
			continue;
		if (dim < c->n_dims || odo_at(c, s)[i] == ODO_NONE)
			return c->n_dims;
		dim = i;
	}
	bool (*linked)(uint32_t, uint32_t,
		       uint32_t) = dim < c->n_dims ? odo_factor_of(c->factor[dim])->linked : NULL;
	bool global = odo_grouped(c) && !dim;
	return linked && !global && linked(c->size[dim], at[dim], odo_at(c, s)[dim]) ? dim
										     : c->n_dims;
}

static void count_lacks(tally *x)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		bool link = fault->type == ODO_FAULT_MISSING_LINK && fault->node[0] != ODO_NONE;
		for (int side = 0; side < 2 && link; side++)
			x->lacks[fault->node[side]] += fault->count;
		x->lacking += link ? fault->count : 0;
		for (int side = 0; side < 2 && is_wrong_cable(fault); side++)
			x->wrong[fault->node[side]]++;
	}
}

/* Return the most frequent number; of two equally frequent ones, the larger. */
static uint32_t most_common(const uint32_t *count)
{
	uint32_t best = 0;
	for (uint32_t cables = 1; cables <= ODO_MAX_PORTS; cables++)
		best = count[cables] >= count[best] ? cables : best;
	return best;
}

static void find_usual_cables(tally *x)
{
	for (uint32_t level = 0; level < MOST_LEVELS; level++) {
		uint32_t count[ODO_MAX_PORTS + 1] = {0}, peers = 0;
		for (uint32_t s = 0; s < x->f->n_switches; s++) {
			bool peer = x->level[s] == level && !x->apart[s];
			count[x->fitting[s]] += peer;
			peers += peer;
		}
		x->usual[level] = most_common(count);
		x->whole[level] = odo_usual_most(count, 0, ODO_MAX_PORTS, odo_at_least_rare(peers));
	}
}

/* The place is of a tree of three levels, and the switch of the level above or below it that would
 * be cabled to it: within a pod below the top, within a plane above the leaves. */
static bool is_beside_in_tree(const odo_coordinates *c, const uint32_t *at, uint32_t s)
{
	enum { TOP = 2 };
	const uint32_t *to = odo_at(c, s);
	uint32_t level = at[ODO_TREE_LEVEL], other = to[ODO_TREE_LEVEL];
	unsigned common = level == TOP || other == TOP ? ODO_TREE_PLANE : ODO_TREE_POD;
	return c->kind == ODO_KIND_FATTREE && c->size[ODO_TREE_LEVEL] == TOP + 1 &&
	       (level + 1 == other || other + 1 == level) && at[common] == to[common];
}

/* If most switches beside an empty place have all their cables, the place never had a switch. */
static void suspect_beside(tally *x, uint32_t i)
{
	const odo_coordinates *c = x->c;
	uint32_t n = 0, full = 0;
	for (uint32_t s = 0; s < c->n_switches; s++) {
		const uint32_t *at = c->faults[i].at;
		unsigned dim = dimension_beside(c, at, s);
		if (dim == c->n_dims && !is_beside_in_tree(c, at, s))
			continue;
		x->lacks[s] += dim < c->n_dims ? c->width[dim] : 0;
		n++;
		full += x->fitting[s] >= x->whole[x->level[s]];
	}
	x->guess[i] = odo_majority(full, n);
}

/* Pairs of a missing switch and one that is there that are looked at: a tenth of a second's work. A
 * fabric so large that this is not enough has other places to judge by. */
enum { MOST_PAIRS = 1 << 25 };

static void suspect_switches(tally *x)
{
	uint64_t pairs = 0;
	for (uint32_t i = 0; i < x->c->n_faults && pairs < MOST_PAIRS; i++) {
		if (x->c->faults[i].type != ODO_FAULT_MISSING_SWITCH)
			continue;
		suspect_beside(x, i);
		pairs += x->c->n_switches;
	}
}

/* So large a share of the cables of `s` is missing that it was attached, and chance would not take
 * so many where so few others are. Peers at a level of a tree have as many as each other. */
static bool lacks_too_much(const tally *x, uint32_t s)
{
	uint32_t usual = x->usual[x->level[s]];
	bool fewer = odo_kind_of(x->c->kind)->dimensions && x->lacks[s] &&
		     x->fitting[s] + x->lacks[s] < usual;
	double lacks = fewer ? usual - x->fitting[s] : x->lacks[s];
	double meant = lacks + x->fitting[s], missing = (double)x->lacking;
	double rate = (missing - x->lacks[s] + 1) / ((double)x->all.cables + missing);
	odo_share needed = x->differs[s] ? of_one_that_differs : of_another;
	return odo_reaches((uint64_t)lacks, needed, (uint64_t)meant) &&
	       -odo_log2_choose(meant, lacks) - lacks * log2(rate) >
		       UNLIKELY + log2((double)x->all.switches);
}

/* Hosts that most switches of a level have. */
static uint32_t usual_hosts(const tally *x, uint32_t level)
{
	uint32_t count[ODO_MAX_PORTS + 1] = {0};
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		count[odo_hosts_of(x->f, s)] += x->level[s] == level;
	return most_common(count);
}

/* At most half of the hosts of the peers, or hosts where they have none. */
static void compare_hosts(tally *x)
{
	uint32_t hosts[MOST_LEVELS];
	for (uint32_t level = 0; level < MOST_LEVELS; level++)
		hosts[level] = usual_hosts(x, level);
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		uint32_t usual = hosts[x->level[s]], own = odo_hosts_of(x->f, s);
		x->differs[s] = usual ? 2 * own <= usual : own > 0;
	}
}

/* Cables to a switch that is no peer are beyond those that others are held against. */
static void set_apart(tally *x)
{
	compare_hosts(x);
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		x->apart[s] = x->differs[s] && lacks_too_much(x, s);
	count_fitting(x);
	find_usual_cables(x);
}

/* A switch that was attached to the fabric: cables that it would have are missing, and the switches
 * at their other ends lack nothing. */
static void suspect_attached(tally *x)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		if (fault->type != ODO_FAULT_MISSING_LINK || fault->node[0] == ODO_NONE)
			continue;
		for (int side = 0; side < 2; side++) {
			uint32_t s = fault->node[side], far = fault->node[!side];
			x->guess[i] |= (x->apart[s] || lacks_too_much(x, s)) &&
				       (x->apart[far] ||
					x->fitting[far] >= x->usual[x->level[far]]);
		}
	}
}

/* Cables cannot tell whether this switch lost one: not each global cable is known. */
static bool has_globals(const tally *x, uint32_t s)
{
	return x->c->kind == ODO_KIND_DRAGONFLY ||
	       (x->c->kind == ODO_KIND_DRAGONFLY_PLUS && x->level[s]);
}

/* A cable that the kind does not have at `s` was added, where no cable is missing: the switch has
 * all that its peers have without it, or was attached. Products say how many each switch has. */
static bool is_beyond(const tally *x, uint32_t s)
{
	uint32_t usual = x->usual[x->level[s]];
	bool levelled = odo_kind_of(x->c->kind)->dimensions;
	bool attached = x->c->n_dims && odo_at(x->c, s)[0] == ODO_NONE;
	return attached || x->cables[s] > usual || (levelled && x->cables[s] != usual) ||
	       (x->c->kind != ODO_KIND_FATTREE && !has_globals(x, s));
}

/* A cable that belongs elsewhere was moved. A place at a switch apart is none. */
static bool belongs_nowhere(const tally *x, const odo_fault *fault)
{
	bool nowhere = true;
	for (int side = 0; side < 2; side++) {
		uint32_t to = fault->belongs[side];
		nowhere &= to == ODO_NONE || x->apart[x->f->owner[to]] ||
			   x->apart[fault->node[side]];
	}
	return nowhere;
}

/* If the fabric lacks nothing, no wrong cable was moved from another place: it was added. */
static void suspect_added(tally *x)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		odo_fault_type type = x->c->faults[i].type;
		if (!x->guess[i] &&
		    (type == ODO_FAULT_MISSING_LINK || type == ODO_FAULT_MISSING_SWITCH))
			return;
	}
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		x->guess[i] |= is_wrong_cable(fault) && belongs_nowhere(x, fault) &&
			       is_beyond(x, fault->node[0]) && is_beyond(x, fault->node[1]);
	}
}

static void count_contradictions(tally *x)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		x->all.missing_switches += fault->type == ODO_FAULT_MISSING_SWITCH;
		x->all.wrong_cables += is_wrong_cable(fault);
		if (fault->type == ODO_FAULT_MISSING_LINK && !x->guess[i])
			x->all.missing_cables += fault->count;
	}
}

static double degree_variance(const tally *x, bool whole)
{
	double n = x->f->n_switches, sum = 0, squares = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		double cables = x->cables[s] + (whole ? (double)x->lacks[s] - x->wrong[s] : 0.0);
		sum += cables;
		squares += cables * cables;
	}
	return n > 0 ? squares / n - sum / n * (sum / n) : 0;
}

static bool has_equal_cables(const tally *x)
{
	for (uint32_t s = 1; s < x->f->n_switches; s++)
		if (x->cables[s] != x->cables[0])
			return false;
	return true;
}

/* Damage takes cables from some switches. Once the missing cables are added, all switches have
 * about equally many. (A moved cable changes no switch's number.) If the numbers differ less
 * without the missing cables, nothing is missing: the kind is another. Switches at the border of a
 * mesh differ by design, so the numbers of a mesh must be equal. The rule excludes trees, whose
 * levels differ, and Slim Flies, whose tables do not say which switches lost a neighbour. */
static bool is_more_regular(const tally *x)
{
	uint32_t lacking = 0;
	if (odo_kind_of(x->c->kind)->dimensions || has_factor(x->c, ODO_MMS))
		return false;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		lacking += x->lacks[s] > x->wrong[s];
	bool border = has_factor(x->c, ODO_PATH);
	return odo_reaches(lacking, several, x->f->n_switches) &&
	       (border ? has_equal_cables(x)
		       : degree_variance(x, true) >= degree_variance(x, false));
}

static void write_reason(const tally *x, bool regular, const char *product, odo_coordinates *c)
{
	char but[160];
	if (*product)
		snprintf(but, sizeof but, "the fabric is %s", product);
	else if (regular)
		snprintf(but, sizeof but,
			 "its switches have as many cables as each other without what would be "
			 "missing");
	else
		snprintf(but, sizeof but,
			 "%.0f %% of it would be missing or wrong: %llu switches and %llu cables "
			 "missing, %llu wrong",
			 100 * odo_contradicting_share(&x->all),
			 (unsigned long long)x->all.missing_switches,
			 (unsigned long long)x->all.missing_cables,
			 (unsigned long long)x->all.wrong_cables);
	snprintf(c->reason, sizeof c->reason, "nearest is a %s, but %s", odo_kind_name(c->kind),
		 but);
}

static bool is_a_guess(const odo_fault *fault)
{
	bool loop = fault->type == ODO_FAULT_WRONG_LINK && fault->node[0] == fault->node[1];
	return fault->type != ODO_FAULT_SLOW_LINK && !loop;
}

/* Suspects behind the others, both in the order that they have. */
static int part_suspects(const tally *x, odo_coordinates *c)
{
	uint32_t n = c->n_faults, sure = 0, at = 0;
	odo_fault *parted = odo_new(n, sizeof *parted);
	if (!parted)
		return ODO_ENOMEM;
	for (int guess = 0; guess < 2; guess++) {
		for (uint32_t i = 0; i < n; i++)
			if (x->guess[i] == guess)
				parted[at++] = c->faults[i];
		sure = guess ? sure : at;
	}
	memcpy(c->faults, parted, n * sizeof *parted);
	free(parted);
	c->n_faults = sure;
	c->n_suspects = n - sure;
	return 0;
}

static int judge_kind(tally *x, const char *product, odo_coordinates *c)
{
	count_switch_cables(x);
	count_lacks(x);
	count_fitting(x);
	find_usual_cables(x);
	set_apart(x);
	suspect_attached(x);
	suspect_switches(x);
	if (c->kind == ODO_KIND_DRAGONFLY &&
	    odo_doubt_groups(x->f, c, x->fitting, x->lacks, x->guess))
		return ODO_ENOMEM;
	count_contradictions(x);
	suspect_added(x);
	c->certainty = odo_certainty_of(&x->all);
	bool regular = c->n_faults && is_more_regular(x);
	if (regular || (*product && c->n_faults))
		c->certainty = ODO_NEAREST;
	if (c->certainty == ODO_NEAREST)
		write_reason(x, regular, product, c);
	for (uint32_t i = 0; i < c->n_faults && c->certainty == ODO_NEAREST; i++)
		x->guess[i] = is_a_guess(&c->faults[i]);
	return part_suspects(x, c);
}

int odo_certainty_find(const odo_fabric *f, const char *product, odo_coordinates *c, odo_error *err)
{
	odo_arena memory = {0};
	if (c->kind == ODO_KIND_UNKNOWN || !c->n_faults || !odo_uses("certainty"))
		return 0;
	tally x = {.f = f,
		   .c = c,
		   .cables = odo_arena_new(&memory, f->n_switches, sizeof *x.cables),
		   .fitting = odo_arena_new(&memory, f->n_switches, sizeof *x.fitting),
		   .differs = odo_arena_new(&memory, f->n_switches, sizeof *x.differs),
		   .apart = odo_arena_new(&memory, f->n_switches, sizeof *x.apart),
		   .lacks = odo_arena_new(&memory, f->n_switches, sizeof *x.lacks),
		   .wrong = odo_arena_new(&memory, f->n_switches, sizeof *x.wrong),
		   .level = odo_arena_new(&memory, f->n_switches, sizeof *x.level),
		   .guess = odo_arena_new(&memory, c->n_faults, sizeof *x.guess)};
	int status = memory.failed ? ODO_ENOMEM : judge_kind(&x, product, c);
	odo_arena_free(&memory);
	return status ? odo_fail(err, status, "no memory to judge how certain a kind is") : 0;
}

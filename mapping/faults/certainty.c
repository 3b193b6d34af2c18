/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/certainty.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/odds.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"
#include "mapping/judge/contradicting.h"

/* Fewer switches that lack something say nothing of how regular the fabric is. */
static const odo_share several = {1, 10};

/* Bits by which it is too unlikely that a switch lost so many links by chance: as LEAST_SAVING in
 * judge.c, beyond those that choose the switch. */
#define UNLIKELY 6

/* Trees have fewer levels; switches of other kinds are of one. */
enum { MOST_LEVELS = 8 };

/* All that is counted of each switch. */
typedef struct tally {
	const odo_fabric *f;
	const odo_coordinates *c;
	uint32_t *cables;            /* [switches] to other switches */
	uint32_t *lacks;             /* [switches] cables that are missing from it */
	uint32_t *level;             /* [switches] peers have the same one */
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
static uint32_t level_of(const odo_coordinates *c, uint32_t s)
{
	const char *const *names = odo_kind_of(c->kind)->dimensions;
	for (unsigned i = 0; names && i < c->n_dims; i++)
		if (!strcmp(names[i], "level"))
			return odo_at(c, s)[i] < MOST_LEVELS ? odo_at(c, s)[i] : 0;
	return 0;
}

static void count_cables(tally *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		x->level[s] = level_of(x->c, s);
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t far = odo_next_switch(f, i);
			x->cables[s] += far != ODO_NONE && far != s;
		}
		x->all.cables += x->cables[s];
	}
	x->all.cables /= 2;
	x->all.switches = f->n_switches;
}

/* The dimension in which a place without a switch has `s` beside it, or n_dims. */
static unsigned beside(const odo_coordinates *c, const uint32_t *at, uint32_t s)
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
	}
}

/* Of two that as many have, the larger. */
static uint32_t most_common(const uint32_t *count)
{
	uint32_t best = 0;
	for (uint32_t cables = 1; cables <= ODO_MAX_PORTS; cables++)
		best = count[cables] >= count[best] ? cables : best;
	return best;
}

static void find_usual(tally *x)
{
	for (uint32_t level = 0; level < MOST_LEVELS; level++) {
		uint32_t count[ODO_MAX_PORTS + 1] = {0}, peers = 0;
		for (uint32_t s = 0; s < x->f->n_switches; s++) {
			count[x->cables[s]] += x->level[s] == level;
			peers += x->level[s] == level;
		}
		x->usual[level] = most_common(count);
		x->whole[level] = odo_usual_most(count, 0, ODO_MAX_PORTS, odo_at_least_rare(peers));
	}
}

/* Switches beside a place without one lack the cables to it. Where most of them lack none, no
 * switch was ever there. */
static void look_beside(tally *x, uint32_t i)
{
	const odo_coordinates *c = x->c;
	uint32_t n = 0, full = 0;
	for (uint32_t s = 0; s < c->n_switches; s++) {
		unsigned dim = beside(c, c->faults[i].at, s);
		if (dim == c->n_dims)
			continue;
		x->lacks[s] += c->width[dim];
		n++;
		full += x->cables[s] >= x->whole[x->level[s]];
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
		look_beside(x, i);
		pairs += x->c->n_switches;
	}
}

/* Half of the cables of `s` are missing or more, and chance would not take so many where so few
 * others are. */
static bool lacks_too_much(const tally *x, uint32_t s)
{
	double lacks = x->lacks[s], meant = lacks + x->cables[s];
	double missing = (double)x->lacking;
	double rate = (missing - lacks + 1) / ((double)x->all.cables + missing);
	return 2 * lacks >= meant && -odo_log2_choose(meant, lacks) - lacks * log2(rate) >
					     UNLIKELY + log2((double)x->all.switches);
}

/* A switch that was attached to the fabric: cables that it would have are missing, and the switches
 * at their other ends lack nothing. */
static void suspect_attached(tally *x)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		if (fault->type != ODO_FAULT_MISSING_LINK || fault->node[0] == ODO_NONE)
			continue;
		for (int side = 0; side < 2; side++)
			x->guess[i] |= lacks_too_much(x, fault->node[side]) &&
				       x->cables[fault->node[!side]] >=
					       x->usual[x->level[fault->node[!side]]];
	}
}

/* It has all the cables that its peers have, and one more. */
static bool is_crowded(const tally *x, uint32_t s)
{
	return x->cables[s] > x->whole[x->level[s]];
}

/* Where nothing at all is missing, no end of a cable can have come from elsewhere. */
static void suspect_added(tally *x)
{
	if (x->all.missing_cables || x->all.missing_switches)
		return;
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		x->guess[i] |= fault->type == ODO_FAULT_WRONG_LINK &&
			       fault->node[0] != fault->node[1] && fault->belongs[0] == ODO_NONE &&
			       fault->belongs[1] == ODO_NONE && is_crowded(x, fault->node[0]) &&
			       is_crowded(x, fault->node[1]);
	}
}

static void count_contradictions(tally *x)
{
	for (uint32_t i = 0; i < x->c->n_faults; i++) {
		const odo_fault *fault = &x->c->faults[i];
		x->all.missing_switches += fault->type == ODO_FAULT_MISSING_SWITCH;
		x->all.wrong_cables += fault->type == ODO_FAULT_WRONG_LINK &&
				       fault->node[0] != fault->node[1];
		if (fault->type == ODO_FAULT_MISSING_LINK && !x->guess[i])
			x->all.missing_cables += fault->count;
	}
}

static double variance(const tally *x, bool whole)
{
	double n = x->f->n_switches, sum = 0, squares = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		double cables = x->cables[s] + (whole ? x->lacks[s] : 0.0);
		sum += cables;
		squares += cables * cables;
	}
	return n > 0 ? squares / n - sum / n * (sum / n) : 0;
}

/* Damage takes cables from some switches, so that with what is missing all have about as many.
 * Where they have not, and differ less as they are, nothing is missing: the kind is another.
 * Switches at the border of a mesh differ by rights, and so do the levels of a tree; a Slim Fly is
 * a table, and nothing tells which of its switches lost a neighbour. */
static bool is_more_regular(const tally *x)
{
	uint32_t lacking = 0;
	if (odo_kind_of(x->c->kind)->dimensions || has_factor(x->c, ODO_PATH) ||
	    has_factor(x->c, ODO_MMS))
		return false;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		lacking += x->lacks[s] > 0;
	return odo_reaches(lacking, several, x->f->n_switches) &&
	       variance(x, true) >= variance(x, false);
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
	count_cables(x);
	count_lacks(x);
	find_usual(x);
	suspect_attached(x);
	count_contradictions(x);
	suspect_added(x);
	suspect_switches(x);
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
	if (c->kind == ODO_KIND_UNKNOWN || !c->n_faults || !odo_uses("certainty"))
		return 0;
	tally x = {.f = f,
		   .c = c,
		   .cables = odo_new(f->n_switches, sizeof *x.cables),
		   .lacks = odo_new(f->n_switches, sizeof *x.lacks),
		   .level = odo_new(f->n_switches, sizeof *x.level),
		   .guess = odo_new(c->n_faults, sizeof *x.guess)};
	int status = x.cables && x.lacks && x.level && x.guess ? judge_kind(&x, product, c)
							       : ODO_ENOMEM;
	free(x.cables);
	free(x.lacks);
	free(x.level);
	free(x.guess);
	return status ? odo_fail(err, status, "no memory to judge how certain a kind is") : 0;
}

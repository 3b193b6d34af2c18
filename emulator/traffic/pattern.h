/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Traffic patterns choose the host that a packet goes to. Patterns are rows of a table; a traffic
 * composes them.
 *
 *   "uniform", "advg:n=2"                  one pattern
 *   "80%uniform+10%advg:n=1+10%reverse"    a mix; shares are whole and add up to 100
 *   "advg:n=2/5000/advg:n=6"               a change at cycle 5,000 of the run
 *   "uniform/500/25%uniform+75%silent"     the same, and a quarter of the load from cycle 500
 *   "hotregion", "mix1"                    a name for one of the above
 *   "flows:FILE"                           pairs of hosts, alone (flows.h)
 *
 * Every pattern is reduced to one form: each source has a range of ranks (rank_placement.h), from
 * which a destination other than the source is drawn. A source whose range is empty, or contains
 * only itself, is silent.
 */
#ifndef ODONATA_EMULATOR_TRAFFIC_PATTERN_H
#define ODONATA_EMULATOR_TRAFFIC_PATTERN_H

#include "emulator/traffic/rank_placement.h"
#include "base/random.h"
#include "base/options.h"

/** Consecutive ranks. */
typedef struct odo_range {
	uint32_t first, count;
} odo_range;

/** A pattern prepared for one fabric. The arrays belong to the traffic. */
typedef struct odo_draw {
	uint32_t *range_of; /**< [n_hosts] by rank of the source: index into `ranges`, or ODO_NONE
			     * if silent; NULL: range 0 for all sources */
	odo_range *ranges;
} odo_draw;

/** Input of a pattern. */
typedef struct odo_pattern_setup {
	const odo_order *order;
	const odo_value *value; /**< one for each option */
	uint64_t seed;          /**< for values drawn once, such as a permutation */
} odo_pattern_setup;

typedef struct odo_pattern {
	const char *name, *summary;
	const char *paper;         /**< source that defines or uses it */
	const odo_option *options; /**< ends with a NULL name */
	/**
	 * @param out zeroed; arrays are freed by the caller, also after a failure
	 * Errors: ODO_EDECLINE if the fabric lacks the property that the pattern needs.
	 */
	int (*prepare)(const odo_pattern_setup *setup, odo_draw *out, odo_error *err);
} odo_pattern;

/** Table of patterns, ending with a NULL name. */
extern const odo_pattern odo_patterns[];

/** A name for a traffic. */
typedef struct odo_traffic_name {
	const char *name, *spec, *paper;
} odo_traffic_name;

/** Table of names, ending with a NULL name. */
extern const odo_traffic_name odo_traffic_names[];

/** Prefix of a traffic that is read from a file. */
#define ODO_FLOWS_PREFIX "flows:"

typedef struct odo_traffic_part {
	uint32_t below; /**< chosen if a draw from 0 to 99 is below this */
	odo_draw draw;
} odo_traffic_part;

typedef struct odo_traffic_phase {
	uint64_t until; /**< first cycle of the next phase; UINT64_MAX for the last */
	uint32_t first_part, n_parts;
} odo_traffic_phase;

/** Read-only once made: any number of threads may draw from it; each source has its own random
 * stream. */
typedef struct odo_traffic {
	odo_order *order;
	odo_traffic_part *parts;
	odo_traffic_phase *phases;
	uint32_t n_parts, n_phases;
	bool apart; /**< some hosts send to a host without cables to it: followed, not emulated */
} odo_traffic;

/**
 * @param spec see above
 * @param c    coordinates, or NULL; patterns about groups or dimensions need them
 * @param seed for permutations; the same seed gives the same ones for every routing (paper 003,
 * IV.A)
 * @param out  for odo_traffic_free()
 * Errors: ODO_EINPUT with what was expected; ODO_EDECLINE.
 */
int odo_traffic_create(const char *spec, const odo_fabric *f, const odo_coordinates *c,
		       uint64_t seed, odo_traffic **out, odo_error *err);
void odo_traffic_free(odo_traffic *traffic);

/** Share of hosts that send in a phase, weighted by its parts: the limit of accepted load per host.
 * @param phase index of the phase */
double odo_traffic_active(const odo_traffic *traffic, uint32_t phase);

/** Number of hosts that send in any phase. */
uint32_t odo_traffic_sources(const odo_traffic *traffic);

static inline uint32_t odo_draw_destination(const odo_order *o, const odo_draw *draw, uint32_t src,
					    odo_rng *rng)
{
	uint32_t rank = o->as_numbered ? src : o->rank[src];
	if (rank >= o->n_hosts)
		return ODO_NONE;
	uint32_t index = draw->range_of ? draw->range_of[rank] : 0;
	if (index == ODO_NONE)
		return ODO_NONE;
	odo_range r = draw->ranges[index];
	uint32_t own = rank - r.first; /* below r.count if the source is in its range */
	uint32_t n = r.count - (own < r.count), at = 0;
	if (n == 0)
		return ODO_NONE;
	if (n > 1)
		at = odo_rng_below(rng, n);
	uint32_t to = r.first + at + (at >= own);
	return o->as_numbered ? to : o->host[to];
}

/**
 * Return the destination of the next packet of host `src`.
 * @param rng   the source's own stream; advanced by as many draws as the pattern needs
 * @param cycle of the run
 * @return a host other than src, or ODO_NONE if this source sends nothing now
 */
static inline uint32_t odo_traffic_destination(const odo_traffic *traffic, uint32_t src,
					       odo_rng *rng, uint64_t cycle)
{
	const odo_traffic_phase *phase = traffic->phases;
	while (cycle >= phase->until)
		phase++;
	const odo_traffic_part *part = traffic->parts + phase->first_part;
	if (phase->n_parts > 1)
		for (uint32_t share = odo_rng_below(rng, 100); share >= part->below;)
			part++;
	return odo_draw_destination(traffic->order, &part->draw, src, rng);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Shares used in decisions, in whole numbers, and rules shared by several files. Rules of a single
 * file are at its top. */
#ifndef ODONATA_MAPPING_GRAPH_SHARES_H
#define ODONATA_MAPPING_GRAPH_SHARES_H

#include <stdbool.h>
#include <stdint.h>

/** `num` of `den` parts of a whole. */
typedef struct odo_share {
	uint32_t num, den;
} odo_share;

/** Return true if the part is at least this share of the whole. */
static inline bool odo_reaches(uint64_t part, odo_share s, uint64_t whole)
{
	return s.den * part >= s.num * whole;
}

/** Return true if the part is more than this share of the whole. */
static inline bool odo_exceeds(uint64_t part, odo_share s, uint64_t whole)
{
	return s.den * part > s.num * whole;
}

/** Return true for more than half. Wrong cables and damage never reach that in fabrics that are
 * judged at all (judge.c). */
static inline bool odo_majority(uint64_t part, uint64_t whole)
{
	return 2 * part > whole;
}

/** Return true for half or more. */
static inline bool odo_half(uint64_t part, uint64_t whole)
{
	return 2 * part >= whole;
}

/**
 * A property shared by at least one in ODO_RARE may be by design; a rarer one is treated as an
 * effect of wrong cables. A finding is given up if a larger share of its cables are wrong
 * (WRONG_LINKS in judge.c).
 */
enum { ODO_RARE = 20 };

/** Return the smallest number that is not rare among `n`. The two functions differ for exactly that
 * share: the first counts it as not rare, the second as rare. */
static inline uint64_t odo_at_least_rare(uint64_t n)
{
	return (n + ODO_RARE - 1) / ODO_RARE;
}
static inline uint64_t odo_more_than_rare(uint64_t n)
{
	return n / ODO_RARE + 1;
}

/** Return true for all except a rare share. */
static inline bool odo_all_but_rare(uint64_t part, uint64_t whole)
{
	return odo_reaches(part, (odo_share){ODO_RARE - 1, ODO_RARE}, whole);
}

/** Return the largest value that at least `least` have or exceed, or `lowest`. Cables get lost, so
 * many have less than they should. Wrong cables rarely meet, so few have more.
 * @param count [highest + 1] how many have each value */
static inline uint32_t odo_usual_most(const uint32_t *count, uint32_t lowest, uint32_t highest,
				      uint64_t least)
{
	uint64_t above = 0;
	for (; highest > lowest && (above += count[highest]) < least; highest--)
		;
	return highest;
}

/** A set is a splinter of another one if it has less than 1 / ODO_SPLINTER of the members of the
 * largest, or of a full one. With more damage the fabric stays unknown (judge.c). */
enum { ODO_SPLINTER = 4 };

static inline bool odo_is_splinter(uint64_t members, uint64_t full)
{
	return ODO_SPLINTER * members < full;
}

/** Return true for less than 6/10 of the average size of a group. The set is a part of a group:
 * randomly missing switches never reduce a group so much more than others. */
static inline bool odo_is_undersized(uint64_t members, uint64_t groups, uint64_t all)
{
	return !odo_reaches(members * groups, (odo_share){6, 10}, all);
}

/** Return true if missing links ("holes") explain the excess ones. Most moved cables leave a hole.
 * A moved cable can explain two wrong links: itself, and one that it was swapped with. Two more
 * need no hole, because somebody had spare cables. A larger excess is by design. */
static inline bool odo_holes_explain(uint64_t excess, uint64_t holes)
{
	return excess <= 2 * holes + 2;
}

#endif

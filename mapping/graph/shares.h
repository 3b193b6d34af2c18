/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Shares that decide, in whole numbers; and the rules that several files go by, each once. Rules
 * of one file stand at its top. */
#ifndef ODONATA_MAPPING_GRAPH_SHARES_H
#define ODONATA_MAPPING_GRAPH_SHARES_H

#include <stdbool.h>
#include <stdint.h>

/** `num` of `den` parts of a whole. */
typedef struct odo_share {
	uint32_t num, den;
} odo_share;

/** Is the part this share of the whole, or more? */
static inline bool odo_reaches(uint64_t part, odo_share s, uint64_t whole)
{
	return s.den * part >= s.num * whole;
}

/** Is it more? */
static inline bool odo_exceeds(uint64_t part, odo_share s, uint64_t whole)
{
	return s.den * part > s.num * whole;
}

/** More than half: what wrong cables and damage, as far as they are judged at all (judge.c), do not
 * outvote. */
static inline bool odo_majority(uint64_t part, uint64_t whole)
{
	return 2 * part > whole;
}

/** Half or more. */
static inline bool odo_half(uint64_t part, uint64_t whole)
{
	return 2 * part >= whole;
}

/**
 * What one in so many has may be how the fabric was built; what fewer have is taken for the work of
 * wrong cables. As many cables may be wrong before a finding is given up (WRONG_LINKS in judge.c).
 */
enum { ODO_RARE = 20 };

/** The fewest that are no rarity among `n`: exactly that share is none; or is one. */
static inline uint64_t odo_at_least_rare(uint64_t n)
{
	return (n + ODO_RARE - 1) / ODO_RARE;
}
static inline uint64_t odo_more_than_rare(uint64_t n)
{
	return n / ODO_RARE + 1;
}

/** All but a rarity. */
static inline bool odo_all_but_rare(uint64_t part, uint64_t whole)
{
	return odo_reaches(part, (odo_share){ODO_RARE - 1, ODO_RARE}, whole);
}

/** The largest value that `least` or more have, or have more than; `lowest` if there is none.
 * Cables get lost, so that many have less than they should, and wrong ones rarely meet, so that few
 * have more. @param count [highest + 1] how many have each value */
static inline uint32_t odo_usual_most(const uint32_t *count, uint32_t lowest, uint32_t highest,
				      uint64_t least)
{
	uint64_t above = 0;
	for (; highest > lowest && (above += count[highest]) < least; highest--)
		;
	return highest;
}

/** A set with less than one in so many of the members of the largest, or of a full one, is a
 * splinter of another: damage that leaves a set so small leaves the fabric unknown (judge.c). */
enum { ODO_SPLINTER = 4 };

static inline bool odo_is_splinter(uint64_t members, uint64_t full)
{
	return ODO_SPLINTER * members < full;
}

/** Less than 6/10 of what groups have on average: of switches missing at random no group loses so
 * many more than others, so that it is a part of one. */
static inline bool odo_is_undersized(uint64_t members, uint64_t groups, uint64_t all)
{
	return !odo_reaches(members * groups, (odo_share){6, 10}, all);
}

/** Most cables that were moved leave a hole, and what is wrong and one cable explains is two: it,
 * and one that it was swapped with. Two more need no hole: somebody had them to spare. Where more
 * are too many, that is how the fabric was built. */
static inline bool odo_holes_explain(uint64_t excess, uint64_t holes)
{
	return excess <= 2 * holes + 2;
}

#endif

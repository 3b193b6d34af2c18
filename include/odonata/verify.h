/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The verifier: proves that tables deliver everything and cannot deadlock. */
#ifndef ODONATA_VERIFY_H
#define ODONATA_VERIFY_H

#include <odonata/route.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ODONATA_MAX_CYCLE 64

/** What was found. Pairs are (switch, LID): hosts of one switch share their paths. */
typedef struct odonata_verdict {
	size_t size;
	uint32_t delivers;      /**< 1: every LID arrives from every switch of its connected part */
	uint32_t deadlock_free; /**< 1: channels do not depend on each other in a cycle */
	uint32_t within_vls;    /**< 1: no VL that a port on the way lacks */
	uint32_t max_hops;      /**< cables between switches on the longest path, or an upper bound
				     of it; ODONATA_NONE: no bound */
	uint64_t n_pairs;       /**< pairs followed */
	uint64_t n_cut;         /**< pairs in different connected parts: no path exists */
	uint64_t n_dependencies; /**< of channels */
	uint32_t n_cycle;        /**< channels of the cycle found; 0: none */
	uint32_t unused;
	uint32_t cycle_slot[ODONATA_MAX_CYCLE]; /**< the first of them: the slot that sends, */
	uint8_t cycle_vl[ODONATA_MAX_CYCLE];    /**< and its VL */
	char text[400]; /**< the first failure, in a line; "" if there is none */
	/** Pairs of a source and a LID of whose SL files of tables said nothing, though they did of
	 * others (route.h): that it is what was followed is a guess. */
	uint64_t n_unheard;
	/** SLs, a bit each, on which packets are safe that do not carry the SL of their path: where
	 * all packets carry one of these, and the same; and where some packets carry any of these,
	 * while others carry those of their paths. All other members are about packets that carry the
	 * SL of their path. 0 for adaptive tables, which are not judged so. */
	uint32_t sls_safe_for_all;
	uint32_t sls_safe_beside_path_sls;
} odonata_verdict;

/** For odonata_verify(): leave out paths to switches' own LIDs, of which some engines of OpenSM
 * promise nothing. */
#define ODONATA_HOSTS_ONLY 1u

/**
 * Prove tables, or find what is wrong with them.
 * @param flags   0 or ODONATA_HOSTS_ONLY
 * @param verdict filled up to its `size`, also where the status is ODONATA_EUNSAFE
 * @return 0 where all three hold: delivers, deadlock_free, within_vls
 * Errors: ODONATA_EUNSAFE with the first failure as text; ODONATA_EINPUT; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_verify(const odonata_tables *tables, unsigned flags,
			       odonata_verdict *verdict, odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif

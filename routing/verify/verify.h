/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The verifier: proves that tables deliver everything and cannot deadlock. */
#ifndef ODONATA_ROUTING_VERIFY_VERIFY_H
#define ODONATA_ROUTING_VERIFY_VERIFY_H

#include "routing/tables.h"

/** What was found. Pairs are (switch, LID): hosts of one switch share their paths but for
 * their SL, which is followed too. */
typedef struct odo_verdict {
	bool delivers;      /**< every LID arrives from every switch of its connected part, but
				 for those of n_missing */
	bool deadlock_free; /**< the channel dependency graph has no cycle, and no packet goes round
			     */
	bool within_vls;    /**< no VL beyond what the ports it is used on can do */
	uint64_t n_pairs;   /**< (switch, LID) pairs followed */
	uint64_t n_cut;     /**< pairs in different connected parts: no path exists */
	uint64_t n_missing; /**< of n_pairs, those that carried tables have no path for */
	uint32_t max_hops;  /**< switch-to-switch links of the longest path; ODO_NONE: no bound,
				 as adaptive routings with escape channels may have it. An upper
				 bound for adaptive routings: up to 512 switches only ways that
				 are `onward` (adaptive.h) may make it too high */
	uint64_t n_dependencies;
	/** NULL, or [n_slots] VLs that packets need there and the port's VL arbitration does not
	 * serve, a bit each; free with the verdict */
	uint16_t *unserved;
	odo_channel *cycle; /**< a shortest cycle found, or NULL; free with the verdict */
	uint32_t n_cycle;
	uint32_t n_strays;         /**< LIDs that no port has, and that some switch leads on */
	uint32_t n_stray_arrivals; /**< of these, LIDs that are led to some host or switch */
	uint32_t n_stray_guesses;  /**< of these, LIDs whose packets wait on VLs that hang on an SL
				      nobody knows */
	char text[400];            /**< the first failure, in one line; "" if none */
} odo_verdict;

/**
 * Prove tables, or find what is wrong with them. An SL needs VLs where packets of a path that has
 * it pass, and nowhere else.
 * @param verdict for odo_verdict_clear(), also on ODO_EUNSAFE
 * @return 0, ODO_EUNSAFE with err as verdict->text, ODO_ENOMEM
 */
int odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err);
void odo_verdict_clear(odo_verdict *verdict);

#endif

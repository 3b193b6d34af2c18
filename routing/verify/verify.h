/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The verifier: proves that tables deliver everything and cannot deadlock. */
#ifndef ODONATA_ROUTING_VERIFY_VERIFY_H
#define ODONATA_ROUTING_VERIFY_VERIFY_H

#include "routing/tables.h"

/** Results of a proof. Pairs are (switch, LID): hosts of one switch share their paths except for
 * their SL, which is followed, too. */
typedef struct odo_verdict {
	bool delivers; /**< every LID arrives from every switch of its connected part, except pairs
			  in n_missing */
	bool deadlock_free; /**< the channel dependency graph has no cycle, and no packet loops */
	bool within_vls;    /**< ports have all VLs that are used on them */
	uint64_t n_pairs;   /**< (switch, LID) pairs followed */
	uint64_t n_cut;     /**< pairs in different connected parts: no path exists */
	uint64_t n_missing; /**< pairs in n_pairs for which carried tables have no path */
	uint32_t max_hops;  /**< links between switches on the longest path; ODO_NONE: no bound,
			       which is possible for adaptive routings with escape channels. An upper
			       bound for adaptive routings: up to 512 switches, only ways that are
			       `onward` (adaptive.h) may make it too high */
	uint64_t n_dependencies;
	uint32_t n_trees; /**< at least the number of different trees to LIDs */
	/** NULL, or [n_slots] VLs that packets need there but the port's VL arbitration does not
	 * serve, a bit each; freed with the verdict */
	uint16_t *unserved;
	odo_channel *cycle; /**< a shortest cycle found, or NULL; freed with the verdict */
	uint32_t n_cycle;
	uint32_t n_strays;         /**< LIDs that no port has, but that some switch forwards */
	uint32_t n_stray_arrivals; /**< of these, LIDs whose packets reach some host or switch */
	uint32_t n_stray_guesses;  /**< of these, LIDs whose packets wait on VLs that depend on an
				      unknown SL */
	char text[400];            /**< the first failure, in one line; "" if none */
} odo_verdict;

/**
 * Prove tables, or find their first failure. An SL needs VLs only where packets of a path with this
 * SL pass.
 * @param verdict clear with odo_verdict_clear(), also on ODO_EUNSAFE
 * @return 0, ODO_EUNSAFE with err as verdict->text, ODO_ENOMEM
 */
int odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err);
/**
 * Prove tables, and store in static ones the dependencies of their channels (odo_tables.proved).
 * @param watch NULL, or gets reports of progress
 * @return as odo_verify()
 */
int odo_verify_keep(odo_tables *t, const odo_watch *watch, odo_error *err);
struct odo_dependencies;
/**
 * Prove static tables, and return the dependencies of their channels.
 * @param deps for odo_dependencies_clear(), also on an error
 * @return 0, ODO_EUNSAFE if the tables are not safe, ODO_EDECLINE for adaptive ones, or ODO_ENOMEM
 */
int odo_verify_graph(const odo_tables *t, struct odo_dependencies *deps, odo_error *err);
void odo_verdict_clear(odo_verdict *verdict);

#endif

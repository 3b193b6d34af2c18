/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Provenance: where tables came from. Packets do not notice it; the next sweep, reports and the
 * operator's messages do. */
#ifndef ODONATA_ROUTING_PROVENANCE_H
#define ODONATA_ROUTING_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Static bounds (analyze.h): the load that every host can offer until a first cable is full. */
typedef struct odo_rating {
	double uniform; /**< bound of uniform traffic */
	double shifts;  /**< harmonic mean of a few shifts */
} odo_rating;

/** Pairs of a source (a host, or a switch without hosts) and a LID of another switch, for which an
 * import has no SL. */
typedef struct odo_unheard {
	uint64_t assumed; /**< SL unknown for the whole source switch: SL 0 is assumed */
	uint64_t alike; /**< SL known for another host of the source switch: the same is assumed */
} odo_unheard;

/** Result of a candidate of the portfolio (choose/portfolio.h). */
typedef enum odo_standing {
	ODO_CHOSEN,    /**< these are the tables */
	ODO_REPLACED,  /**< chosen until a later candidate was */
	ODO_NOT_WORTH, /**< made, but not worth its price */
	ODO_HOPELESS,  /**< not made, or given up: it could not be worth its price */
	ODO_DECLINED,  /**< its engine declined, or nothing could be changed */
	ODO_UNPROVED,  /**< worth its price, but not proved */
} odo_standing;

/** A candidate as it was judged. */
typedef struct odo_judged {
	const char *candidate; /**< name of its row */
	char engine[48];
	odo_standing standing;
	const char *needs; /**< bounds that it had to have, beside those chosen before; in words */
	odo_rating rating; /**< zeroes if bounds were not computed */
	bool at_most;      /**< `rating` is an upper bound: the tables were not made */
} odo_judged;

#define ODO_MOST_JUDGED 16u

typedef struct odo_provenance {
	/* Tables that Odonata computed: */

	bool detours_anew; /**< see odo_route_options */
	bool by_pair;      /**< the engine made SLs by pair; other tables get some to keep SLs
			      assigned before */
	/** VLs ran out: some paths are up*\/down* paths over a single root, which crowds it. */
	bool spilt;
	bool by_turn;  /**< VLs depend on input port and output port, not on the SL (turns/colour.h)
			*/
	bool spared;   /**< keeps all unbroken entries of the undamaged fabric's tables */
	bool recalled; /**< as `spared`, for entries of the tables before */
	bool relieved; /**< some entries avoid cables that would fill first (choose/relieve.h) */
	/** The tables before, repaired (reroute/splice.h) or changed by a step (reroute/blend.h);
	 * or new tables on VLs that those before did not use (reroute/apart.h). Stays set until
	 * other tables are chosen, perhaps after several losses. */
	bool spliced;
	/** The tables before with some trees of the new ones (reroute/blend.h): other trees follow
	 * later. */
	bool unfinished;
	/** The tables were made for another fabric and carried over (reroute/carry.h). A switch
	 * without an entry for a LID does not reach it, even if cables lead there. */
	bool carried;
	/** Name of the tables that these were compared with; "" if they were not compared. `other`
	 * has the bounds of the strongest tables that were not taken. See choose/floor.h. */
	char compared[48];
	odo_rating rating, other;
	bool at_most; /**< `other` is an upper bound: those tables were not made */
	/** Candidates in the order in which odo_route() judged them. */
	odo_judged judged[ODO_MOST_JUDGED];
	unsigned n_judged;

	/* Tables that were imported: */

	/** Counts for pairs of hosts; and for pairs with a switch as source or destination, which
	 * `hosts_only` leaves out. */
	odo_unheard unheard[2];
	/** The SLs of all paths are unknown, though SL2VL maps distinguish SLs: 0 is assumed. */
	bool assumes_sls;
	/** SL2VL maps were not given: all packets are assumed on VL 0. */
	bool assumes_vls;
	/** Some switch or adapter did not answer an import's query for its part. Paths through it
	 * are unknown. */
	bool lacks_lfts, lacks_maps;
} odo_provenance;

/** Return a standing in words. */
const char *odo_standing_text(odo_standing standing);

/** Write the candidates as they were judged: a line without an end, cut to `size` bytes. */
void odo_write_portfolio(const odo_provenance *from, char *to, size_t size);

#endif

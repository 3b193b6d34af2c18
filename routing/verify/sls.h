/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** SLs that packets may carry although their path has another SL. */
#ifndef ODONATA_ROUTING_VERIFY_SLS_H
#define ODONATA_ROUTING_VERIFY_SLS_H

#include "routing/tables.h"

#define ODO_ALL_SLS ((1u << ODO_N_SLS) - 1)

/** Sets of SLs, a bit each. */
typedef struct odo_sl_verdict {
	/** SLs that were judged: all, or none for adaptive tables. */
	uint16_t judged;
	/** SLs that every packet may carry: each is safe if all packets carry this SL. */
	uint16_t alone;
	/** SLs that any packet may carry while others carry their path SLs. A subset of `alone`;
	 * empty if the path SLs themselves are not safe. */
	uint16_t beside;
} odo_sl_verdict;

/** Return true if packets are safe with any SL. */
static inline bool odo_any_sl_is_safe(const odo_sl_verdict *v)
{
	return v->beside == ODO_ALL_SLS;
}

/**
 * Judge tables for packets that do not carry the SL of their path. SLs with equal SL2VL maps are
 * judged once. "Safe" has the meaning of odo_verify(): all packets are delivered on VLs that exist,
 * and the dependencies have no cycle. If the SLs of all paths are unknown (odo_tables.assumes_sls),
 * `beside` holds for any mix of SLs.
 * @param proved odo_verify() found the tables safe with path SLs
 * @return 0 or ODO_ENOMEM
 */
int odo_verify_sls(const odo_tables *t, bool proved, odo_sl_verdict *verdict, odo_error *err);

/** Write SLs as a list of ranges, as in "0-3,8"; "none" for an empty set. */
#define ODO_SLS_TEXT 40
const char *odo_write_sls(unsigned sls, char text[ODO_SLS_TEXT]);

#endif

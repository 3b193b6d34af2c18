/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The verifier: proves that tables deliver everything and cannot deadlock. */
#ifndef ODONATA_VERIFY_H
#define ODONATA_VERIFY_H

#include <odonata/route.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ODONATA_MAX_CYCLE 64

/** Result of the verifier. Pairs are (switch, LID): hosts of one switch share their paths. */
typedef struct odonata_verdict {
	size_t size;
	uint32_t delivers;      /**< 1: every LID arrives from every switch of its connected part */
	uint32_t deadlock_free; /**< 1: channels do not depend on each other in a cycle */
	uint32_t within_vls;    /**< 1: paths use only VLs that their ports have */
	uint32_t max_hops;      /**< cables between switches on the longest path, or an upper bound
				     of it; ODONATA_NONE: no bound */
	uint64_t n_pairs;       /**< pairs followed */
	uint64_t n_cut;         /**< pairs in different connected parts: no path exists */
	uint64_t n_dependencies; /**< of channels */
	uint32_t n_cycle;        /**< channels of the cycle found; 0: none */
	uint32_t unused;
	/** The first of these channels: the slot that sends. */
	uint32_t cycle_slot[ODONATA_MAX_CYCLE];
	uint8_t cycle_vl[ODONATA_MAX_CYCLE]; /**< the VL of each */
	char text[400]; /**< the first failure, in a line; "" if there is none */
	/** Pairs of a source and a LID whose SL was assumed, because files of tables gave SLs for
	 * other pairs only (route.h). */
	uint64_t n_unheard;
	/** SLs, a bit each, that are safe for packets without the SL of their path. The first
	 * member assumes that all packets use the same one of these SLs. The second assumes that
	 * some packets use any of these SLs, and the others use the SLs of their paths. Every other
	 * member of the struct is about packets with the SL of their path. Both are 0 for adaptive
	 * tables, which are not judged. */
	uint32_t sls_safe_for_all;
	uint32_t sls_safe_beside_path_sls;
	/** LIDs that no port of the fabric has, and that switches lead on: they are followed for
	 * loops and deadlock only. Of these: LIDs that are led to some host or switch; LIDs whose
	 * packets wait on VLs that depend on an SL nobody knows. Where either is not 0, the status
	 * 0 is about less than all. */
	uint32_t n_strays;
	uint32_t n_stray_arrivals;
	uint32_t n_stray_guesses;
	/** 1: no file of tables gave the SL of a path, and SL2VL maps tell SLs apart: SL 0 is a
	 * guess, and so is all that depends on it. */
	uint32_t assumes_sls;
} odonata_verdict;

/** Flag of odonata_verify(): ignore paths to switches' own LIDs, which some engines of OpenSM do
 * not guarantee. */
#define ODONATA_HOSTS_ONLY 1u

/**
 * Prove tables, or find their failures.
 * @param flags 0 or ODONATA_HOSTS_ONLY
 * @param verdict filled up to its `size`, also if the status is ODONATA_EUNSAFE
 * @return 0 if delivers, deadlock_free and within_vls are all 1
 * Errors: ODONATA_EUNSAFE with the first failure as text; ODONATA_EINPUT; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_verify(const odonata_tables *tables, unsigned flags,
			       odonata_verdict *verdict, odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Paths one by one: hop by hop, all that cross a cable, and the cables that slow paths share.
 */
#ifndef ODONATA_ROUTING_ANALYZE_PATH_H
#define ODONATA_ROUTING_ANALYZE_PATH_H

#include "routing/tables.h"

/** Longest path, in cables; longer ones count as loops. */
#define ODO_MOST_HOPS 258u

typedef enum odo_path_end {
	ODO_PATH_ARRIVES,
	ODO_PATH_NO_ENTRY, /**< the LFT of the last switch has no port for the LID */
	ODO_PATH_NO_CABLE, /**< the LFT leads to a port without a cable, or to another host */
	ODO_PATH_DROPPED,  /**< the SL2VL map of the last switch drops the SL */
	ODO_PATH_LOOPS,
} odo_path_end;

/** A path as packets take it. */
typedef struct odo_path {
	uint32_t n;
	odo_channel hop[ODO_MOST_HOPS]; /**< [n] */
	odo_path_end end;
	uint32_t at; /**< switch at which it ends, or ODO_NONE: it does not begin */
} odo_path;

/**
 * Follow a packet.
 * @param host sender, or ODO_NONE for switch `s` itself
 * @param s    the sender's switch
 * @param lid  below f->lid_count
 */
void odo_path_find(const odo_tables *t, uint32_t host, uint32_t s, uint32_t lid, unsigned sl,
		   odo_path *path);

/** Hosts whose paths cross a channel, by host: numbers of LIDs that they reach over it, and of
 * senders that reach their LIDs over it. */
typedef struct odo_crossing {
	uint32_t *sends, *gets; /**< [n_hosts] */
	uint64_t n_pairs;       /**< of a sender and a LID of a host */
} odo_crossing;

/** @param out for odo_crossing_clear(), also after a failure. Errors: ODO_ENOMEM. */
int odo_crossing_find(const odo_tables *t, uint32_t slot, odo_crossing *out, odo_error *err);
void odo_crossing_clear(odo_crossing *crossing);

/** A measured pair of hosts. */
typedef struct odo_measured {
	uint32_t from, to; /**< hosts */
	bool slow;
} odo_measured;

/** A channel, cable, switch or adapter that slow paths share. */
typedef struct odo_suspect {
	uint32_t slot, node;     /**< one of them is ODO_NONE */
	bool both;               /**< the cable at `slot`, in both directions */
	uint32_t n_slow, n_fine; /**< measured paths that cross it */
	uint32_t n_explained;    /**< slow ones that no suspect before explains */
	uint32_t n_alike;        /**< other cables with the same score: these pairs cannot tell */
	double score;            /**< 1: all slow paths that are left cross it, and no fine one */
} odo_suspect;

/**
 * Rank what could make paths slow. The score is Ochiai's coefficient, as in fault localisation of
 * programs (Abreu et al. 2007): slow paths over it, divided by the geometric mean of all slow
 * paths and of all paths over it. The best suspect explains its slow paths; the next is ranked by
 * those that are left. Of suspects that the same paths cross, a channel comes first.
 * @param pairs paths to the first LID of `to`; pairs that do not arrive are left out
 * @param most  maximum number of suspects
 * @param out   [most] filled
 * @param n     their number: fewer once all slow paths are explained
 * Errors: ODO_ENOMEM.
 */
int odo_suspects_find(const odo_tables *t, const odo_measured *pairs, size_t n_pairs, uint32_t most,
		      odo_suspect *out, uint32_t *n, odo_error *err);

#endif

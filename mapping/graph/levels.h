/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Leaves: switches with hosts that are linked only to switches without hosts, as in a tree or a
 * Dragonfly+ (Shpiner et al., 2017).
 *
 * The cables of a tree of two levels with n leaves and n spines, or of a Dragonfly+ with groups of
 * 2x2, are also the cables of a dragonfly. Only the hosts distinguish them: in a dragonfly switches
 * with hosts are linked to each other.
 */
#ifndef ODONATA_MAPPING_GRAPH_LEVELS_H
#define ODONATA_MAPPING_GRAPH_LEVELS_H

#include "mapping/graph/links.h"

typedef struct odo_levels {
	uint32_t hosted;        /**< switches with more than half of the average number of hosts */
	uint32_t bare;          /**< all other switches */
	uint32_t hosts_on_bare; /**< such as the host of a subnet manager at a spine */
	uint32_t hosted_links;  /**< links that join two switches with hosts */
	uint32_t bare_links;    /**< links that join two bare switches */
	/** More than a third of the switches have hosts, and almost no links join two of these. */
	bool divided;
} odo_levels;

/** Count hosts and links. Errors: ODO_ENOMEM. */
int odo_levels_find(const odo_fabric *f, const odo_links *g, odo_levels *out, odo_error *err);

/** Return true if almost no links join two switches with hosts, so that these may be leaves. The
 * limit is loose: a dragonfly without most of its hosts passes too. A search for levels needs more
 * hosted switches. */
bool odo_levels_open(const odo_levels *l, const odo_links *g);

/** Find the switches with hosts, except stray hosts.
 * @param hosted [n_switches] Errors: ODO_ENOMEM. */
int odo_levels_hosted(const odo_fabric *f, bool *hosted, odo_error *err);

/** Write a line to `text` if the switches form two sides that are almost completely linked, but no
 * hosts show which side has the leaves. Otherwise `text` is unchanged. Errors: ODO_ENOMEM. */
int odo_levels_explain_unhosted(const odo_links *g, char *text, size_t size, odo_error *err);

/** Write a line to `text` if the links between switches close no cycle. Otherwise `text` is
 * unchanged. The graph must be connected. */
void odo_levels_explain_acyclic(const odo_links *g, char *text, size_t size);

/** Describe the levels in one line if `divided`.
 * @param but the reason why it is no tree, or NULL */
void odo_levels_explain(const odo_levels *l, const char *but, char *text, size_t size);

#endif

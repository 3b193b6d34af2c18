/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Leaves: switches with hosts that are linked only to switches without, as in a tree or a
 * Dragonfly+ (Shpiner et al., 2017).
 *
 * The cables of a tree of two levels with n leaves and n spines, or of a Dragonfly+ with groups of
 * 2x2, are those of a dragonfly, too. Only the hosts tell: in a dragonfly switches with hosts
 * are linked to each other.
 */
#ifndef ODONATA_MAPPING_GRAPH_LEVELS_H
#define ODONATA_MAPPING_GRAPH_LEVELS_H

#include "mapping/graph/links.h"

typedef struct odo_levels {
	uint32_t hosted;        /**< switches with hosts: more than half of what switches have on
				     average */
	uint32_t bare;          /**< all other switches */
	uint32_t hosts_on_bare; /**< such as a subnet manager's on a spine */
	uint32_t hosted_links;  /**< links that join two switches with hosts */
	uint32_t bare_links;    /**< links that join two of the others */
	/** More than a third of the switches have hosts, and next to no links join two of these. */
	bool divided;
} odo_levels;

/** Count them. Errors: ODO_ENOMEM. */
int odo_levels_find(const odo_fabric *f, const odo_links *g, odo_levels *out, odo_error *err);

/** There are leaves: switches with hosts, and next to no links that join two of these. Few enough
 * that a dragonfly may be meant that has lost most of its hosts; what looks for levels must see
 * more of them. */
bool odo_levels_open(const odo_levels *l, const odo_links *g);

/** Which switches have hosts, stray ones aside. @param hosted [n_switches] Errors: ODO_ENOMEM. */
int odo_levels_hosted(const odo_fabric *f, bool *hosted, odo_error *err);

/** Where nearly all of some switches are linked to all of the others and to no more, but no hosts
 * tell which are leaves: one line that says so. Else `text` stays. Errors: ODO_ENOMEM. */
int odo_levels_unhosted(const odo_links *g, char *text, size_t size, odo_error *err);

/** Where the switches hang together by links that close no cycle: one line that says so. Else `text`
 * stays. The graph must be in one part. */
void odo_levels_tell_acyclic(const odo_links *g, char *text, size_t size);

/** What was found where `divided`, in one line. @param but why it is no tree, or NULL */
void odo_levels_tell(const odo_levels *l, const char *but, char *text, size_t size);

#endif

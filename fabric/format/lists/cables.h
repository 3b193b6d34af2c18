/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Fabrics from lists of cables between nodes that have only names. Not for use outside
 * fabric/format. */
#ifndef ODONATA_FABRIC_FORMAT_LISTS_CABLES_H
#define ODONATA_FABRIC_FORMAT_LISTS_CABLES_H

#include "fabric/fabric.h"
#include "fabric/format/scan.h"

typedef struct cables_node {
	odo_text id;  /**< text by which the list finds it, and its name unless another is set */
	uint64_t key; /**< number by which the list finds it, beside the text: a GUID, a LID, 0 */
	odo_text name, place;
	odo_node_type type;
	uint32_t n_ports; /**< highest port that it has, or that has a cable */
	uint64_t guid;    /**< 0 if unknown */
	uint16_t lid;     /**< of a switch */
	uint32_t unit;    /**< adapter of its machine, from 1: "HCA-2" is added to the name; or 0 */
} cables_node;

typedef struct cables_end {
	uint32_t node, port;
	odo_text label;
	uint64_t guid; /**< of an adapter's port, or 0 */
	uint16_t lid;  /**< of an adapter's port, or 0 */
} cables_end;

typedef struct cables_cable {
	cables_end end[2];
	odo_link_info info;
	uint32_t line;
	uint32_t order; /**< in the list */
} cables_cable;

/** Zeroed before use. Texts are lent. */
typedef struct cables_list {
	cables_node *nodes;
	size_t n_nodes, nodes_room;
	cables_cable *cables;
	size_t n_cables, cables_room;
	uint32_t *table; /**< open addressing by id and key: node + 1, or 0 */
	size_t table_size;
	odo_arena memory; /**< of texts that no file has */
} cables_list;

/** Find the node with a text and a number, or add it. Errors: ODO_ENOMEM. */
int cables_find(cables_list *list, const odo_scan *s, odo_text id, uint64_t key, odo_node_type type,
		uint32_t *node);

/** Add a cable. Port 0 stands for the next free port, once all cables are read.
 * @param cable gets it; NULL if it has no more to say
 * Errors: ODO_ENOMEM. */
int cables_add(cables_list *list, const odo_scan *s, uint32_t a, uint32_t port_a, uint32_t b,
	       uint32_t port_b, cables_cable **cable);

/** Make a text that lives as long as the list. Without memory it is "", and the arena says so. */
odo_text cables_print(cables_list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Make adapters of nodes with one cable whose neighbour has more: nothing else tells hosts. */
void cables_guess_hosts(cables_list *list);

/** Return a lane's speed from its name ("HDR") or its rate in Gb/s ("50", "2.5"), or unknown. */
odo_speed cables_speed(odo_text text);
/** Return a number of lanes from "4x", "4X" or "4", or 0. */
uint8_t cables_width(odo_text text);
/** Return true for a port number from 1 to ODO_MAX_PORTS. */
bool cables_port(odo_text text, uint32_t *port);

/** Keep only the first of several cables between the same two nodes. */
void cables_make_unique(cables_list *list);

/** Add all nodes and cables to a builder. Cables that contradict others are omitted, and recorded.
 */
int cables_build(cables_list *list, odo_scan *s, odo_builder *b);

/** Build likewise, but fail on a cable that contradicts others. */
int cables_build_strictly(cables_list *list, odo_scan *s, odo_builder *b);

void cables_clear(cables_list *list);

#endif

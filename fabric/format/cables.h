/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Fabrics from lists of cables between nodes that have only names. Not for use outside
 * fabric/format. */
#ifndef ODONATA_FABRIC_FORMAT_CABLES_H
#define ODONATA_FABRIC_FORMAT_CABLES_H

#include "fabric/fabric.h"
#include "fabric/format/scan.h"

typedef struct cables_node {
	odo_text name;
	odo_node_type type;
	uint32_t n_ports; /**< highest port with a cable */
} cables_node;

typedef struct cables_cable {
	uint32_t node[2], port[2], line;
	uint32_t order; /**< in the list */
} cables_cable;

/** Zeroed before use. Texts are lent. */
typedef struct cables_list {
	cables_node *nodes;
	size_t n_nodes, nodes_room;
	cables_cable *cables;
	size_t n_cables, cables_room;
	uint32_t *table; /**< open addressing by name: node + 1, or 0 */
	size_t table_size;
} cables_list;

/** Find the node with a name, or add it. Errors: ODO_ENOMEM. */
int cables_find(cables_list *list, const odo_scan *s, odo_text name, odo_node_type type,
		uint32_t *node);

/** Add a cable. Port 0 stands for the next free port, once all cables are read. Errors: ODO_ENOMEM.
 */
int cables_add(cables_list *list, const odo_scan *s, uint32_t a, uint32_t port_a, uint32_t b,
	       uint32_t port_b);

/** Keep only the first of several cables between the same two nodes. */
void cables_make_unique(cables_list *list);

/** Add all nodes and cables to a builder. Cables that contradict others are omitted, and recorded.
 */
int cables_build(cables_list *list, odo_scan *s, odo_builder *b);

void cables_clear(cables_list *list);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Fabrics from lists of cables between nodes that have names and nothing else. Not for use outside
 * fabric/format. */
#ifndef ODONATA_FABRIC_FORMAT_CABLES_H
#define ODONATA_FABRIC_FORMAT_CABLES_H

#include "fabric/fabric.h"
#include "fabric/format/scan.h"

typedef struct cables_node {
	odo_text name;
	odo_node_type type;
	uint32_t n_ports; /**< the highest that has a cable */
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

/** The node with a name, added where it is new. Errors: ODO_ENOMEM. */
int cables_find(cables_list *list, const odo_scan *s, odo_text name, odo_node_type type,
		uint32_t *node);

/** A cable; port 0 is the next free one, when all are read. Errors: ODO_ENOMEM. */
int cables_add(cables_list *list, const odo_scan *s, uint32_t a, uint32_t port_a, uint32_t b,
	       uint32_t port_b);

/** Keep the first of cables that join the same two nodes. */
void cables_make_unique(cables_list *list);

/** Put all into a builder; cables that contradict others are left out, and noted. */
int cables_build(cables_list *list, odo_scan *s, odo_builder *b);

void cables_clear(cables_list *list);

#endif

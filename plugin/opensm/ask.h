/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Tables of a node: their numbers, what they should contain, and queries for them. Not for use
 * outside plugin/opensm.
 *
 * OpenSM keeps a copy of each table that it has written, and stores the answer to a Get there as it
 * stores the answer to a Set. So a Get suffices to read back: the next sweep writes a table again
 * if its copy differs from the table that was written. Until a Set is answered the copy is zeroes.
 */
#ifndef ODONATA_PLUGIN_OPENSM_ASK_H
#define ODONATA_PLUGIN_OPENSM_ASK_H

#include <stdbool.h>

#include "plugin/opensm/opensm.h"

/** A table. */
typedef struct odo_table {
	ib_net16_t attribute;
	uint32_t modifier;
	osm_physp_t *port; /**< that is asked */
	uint8_t *copy;     /**< OpenSM's */
	unsigned n;        /**< bytes that count */
	uint8_t expected[IB_SMP_DATA_SIZE];
} odo_table;

/** Change OpenSM's copies of SL2VL maps that are zeroes: the next sweep then writes these maps.
 * OpenSM also has zeroes there if a switch did not acknowledge a map, and would not send a map of
 * zeroes again. Its lock is held exclusively. */
void odo_doubt_zeroes(osm_opensm_t *osm, osm_node_t *node);

/** A query that was sent. */
typedef struct odo_asked {
	uint32_t number;
	uint8_t expected[IB_SMP_DATA_SIZE];
} odo_asked;

/** Return a port of a node, or NULL. */
osm_physp_t *odo_valid_port(osm_node_t *node, unsigned port);

/** Return the number of tables that the node could have: blocks of a switch's LFT; then for each
 * port the SL2VL map of each input port, and the first block of VL arbitration. Port 0 of a switch
 * is omitted: only an enhanced one has tables. */
unsigned odo_n_tables(const osm_node_t *node);

/**
 * Find table number i. OpenSM's lock is held.
 * @return false if the node has no such table: its port is down, or lacks it, or OpenSM writes none
 */
bool odo_find_table(osm_opensm_t *osm, osm_node_t *node, unsigned i, odo_table *table);

/** Return true if OpenSM's copy is as expected. */
bool odo_is_as_expected(const odo_table *table);

/**
 * Query a table. OpenSM's lock is held exclusively: its copy of an SL2VL map or of VL arbitration
 * is changed, so that it differs unless an answer comes.
 * @param asked gets what the answer is to be compared with
 */
void odo_ask_table(osm_opensm_t *osm, unsigned i, odo_table *table, odo_asked *asked);

/** Return the number of queried LFT blocks; each answer is an event. */
unsigned odo_n_blocks_asked(const osm_node_t *node, const odo_asked *list, unsigned n);

/** Return true if OpenSM's copies of all queried tables are as expected. Its lock is held. */
bool odo_all_answered_right(osm_opensm_t *osm, osm_node_t *node, const odo_asked *list, unsigned n);

#endif

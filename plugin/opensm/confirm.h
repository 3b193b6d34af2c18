/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Which switches and adapters may hold other tables than OpenSM believes. A switch that resets
 * while a sweep runs can lose its tables after they were written and before the sweep raises its
 * ports: the next sweep then finds ports that are up, and OpenSM writes nothing. So tables are read
 * back after the sweep from every node that has changed since the one before, and written anew
 * where they differ.
 */
#ifndef ODONATA_PLUGIN_OPENSM_CONFIRM_H
#define ODONATA_PLUGIN_OPENSM_CONFIRM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "plugin/opensm/opensm.h"

typedef enum odo_doubt_kind {
	ODO_DOUBT_NONE,    /**< read in turn, without a reason */
	ODO_DOUBT_CHANGED, /**< a port of it has come up, or its PortStateChange was set */
	ODO_DOUBT_LOST     /**< read back: other tables, or no answer */
} odo_doubt_kind;

/** A node whose tables are to be read back. */
typedef struct odo_doubt {
	uint64_t guid; /**< of the node, host order */
	odo_doubt_kind kind;
	unsigned n_lost; /**< times in a row that it was found with other tables */
	char name[64];
} odo_doubt;

/** One for all engines of a plugin. OpenSM's sweeper alone changes it. */
typedef struct odo_confirm {
	odo_doubt *list, *spare; /**< the spare one is filled when the next sweep begins */
	size_t n, room, spare_room;
	unsigned turn;         /**< rises with each sweep: which tables of a node are read */
	bool blind;            /**< no memory for the list: nothing is known of any node */
	bool up;               /**< OpenSM has ended the sweep, without errors, and nothing has
				    changed since */
	atomic_uint n_answers; /**< LFT blocks received since they were asked for */
} odo_confirm;

void odo_confirm_clear(odo_confirm *confirm);

/** OpenSM has read the subnet: note what has changed, and have what was lost written anew. OpenSM
 * holds no lock here. */
void odo_confirm_discovered(odo_confirm *confirm, osm_opensm_t *osm);

/** The sweep has ended: read back, until a port changes. OpenSM holds no lock here.
 * @return sweep again: tables were lost */
bool odo_confirm_read(odo_confirm *confirm, osm_opensm_t *osm);

/** Nodes in the list whose tables are not known. */
size_t odo_confirm_unknown(const odo_confirm *confirm);

#endif

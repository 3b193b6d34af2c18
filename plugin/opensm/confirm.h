/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Confirmation of installed tables. A switch that resets during a sweep can lose its tables after
 * OpenSM has written them and before the sweep raises its ports. The next sweep then finds ports
 * that are up, and writes nothing. So tables of every node that has changed since the sweep before
 * are read back after the sweep, and written again if they differ. */
#ifndef ODONATA_PLUGIN_OPENSM_CONFIRM_H
#define ODONATA_PLUGIN_OPENSM_CONFIRM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "plugin/opensm/opensm.h"

typedef enum odo_doubt_kind {
	ODO_DOUBT_NONE,    /**< read back in turn, without a reason */
	ODO_DOUBT_CHANGED, /**< a port has come up, or PortStateChange was set */
	ODO_DOUBT_LOST     /**< found with other tables, or without an answer */
} odo_doubt_kind;

/** Node whose tables are to be read back. */
typedef struct odo_doubt {
	uint64_t guid; /**< of the node, host order */
	odo_doubt_kind kind;
	unsigned n_lost; /**< consecutive times that it was found with other tables */
	char name[64];
} odo_doubt;

/** Nodes in doubt, shared by all engines. Only OpenSM's sweeper changes them. */
typedef struct odo_confirm {
	odo_doubt *list, *spare; /**< the spare one is filled when the next sweep begins */
	size_t n, room, spare_room;
	unsigned turn; /**< rises with each sweep, and selects the tables to read */
	bool blind;    /**< no memory for the list: no node is confirmed */
	bool up; /**< OpenSM has ended the sweep without errors, and nothing has changed since */
	atomic_uint n_answers; /**< LFT blocks received since the query */
} odo_confirm;

void odo_confirm_clear(odo_confirm *confirm);

/** Note changed nodes after OpenSM has read the subnet, and make it write lost tables again. OpenSM
 * holds no lock here. */
void odo_confirm_discovered(odo_confirm *confirm, osm_opensm_t *osm);

/**
 * Read tables back after a sweep, until a port changes. OpenSM holds no lock here.
 * @return true if tables were lost: request a sweep
 */
bool odo_confirm_read(odo_confirm *confirm, osm_opensm_t *osm);

/** Return the number of nodes whose tables are not confirmed. */
size_t odo_confirm_unknown(const odo_confirm *confirm);

#endif

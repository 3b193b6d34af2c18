/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Confirmation of installed tables. A switch that resets can lose its tables without a sign, or
 * after OpenSM has written them and before the sweep raises its ports. OpenSM then believes what it
 * wrote.
 *
 * Nodes that changed since the sweep before, or did not acknowledge a table, are read back as soon
 * as the sweep has ended. Tables of all switches are read in turn (schedule.h), also while OpenSM
 * is idle. Other tables than OpenSM wrote are written again in a sweep that is requested at once.
 */
#ifndef ODONATA_PLUGIN_OPENSM_CONFIRM_H
#define ODONATA_PLUGIN_OPENSM_CONFIRM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "plugin/opensm/ask.h"
#include "plugin/opensm/schedule.h"

typedef enum odo_doubt_kind {
	ODO_DOUBT_NONE,
	ODO_DOUBT_CHANGED, /**< a port has come up, or PortStateChange was set */
	ODO_DOUBT_LATE,    /**< a table that was sent is not acknowledged */
	ODO_DOUBT_LOST,    /**< found with other tables, or without an answer */
	ODO_N_DOUBTS
} odo_doubt_kind;

extern const char *const odo_doubt_names[ODO_N_DOUBTS];

/** Node whose tables are to be read back. */
typedef struct odo_doubt {
	uint64_t guid; /**< of the node, host order */
	odo_doubt_kind kind;
	unsigned n_lost; /**< consecutive times that it was found with other tables */
	char name[64];
} odo_doubt;

/** Queries that the plugin's thread has sent to a switch, and not judged. */
typedef struct odo_flight {
	uint64_t guid;
	unsigned n, n_blocks; /**< queries, of them LFT blocks; n == 0: there are none */
	unsigned next;        /**< odo_schedule.next after them; 0: the part ends with them */
	odo_asked list[ODO_MOST_ASKED];
} odo_flight;

/** Knowledge of installed tables, shared by all engines. */
typedef struct odo_confirm {
	/* ---- Nodes in doubt: only OpenSM's sweeper uses them ---- */
	odo_doubt *list, *spare; /**< the spare one is filled when the next sweep begins */
	size_t n, room, spare_room;
	bool all_sent;  /**< this sweep sends all tables: OpenSM has become master */
	bool complete;  /**< the last sweep, of any engine, ended without errors: no MAD was lost */
	bool blind;     /**< no memory for the list: no node is confirmed */
	uint32_t n_cut; /**< ports for which OpenSM cuts SL2VL maps to fewer VLs than were proved */
	bool up; /**< OpenSM has ended the sweep without errors, and nothing has changed since */
	atomic_uint n_answers; /**< LFT blocks received since the query */

	/* ---- Shared with the plugin's thread ---- */
	pthread_mutex_t mutex; /**< taken after OpenSM's lock, if both are; never held for long */
	odo_schedule schedule;
	odo_flight flight;
	bool open;              /**< no sweep runs, and the tables of the last one are ours */
	unsigned long n_alarms; /**< times that a node was found with other tables */
} odo_confirm;

void odo_confirm_clear(odo_confirm *confirm);

/** Stop reading in turn: a sweep begins, or tables change. OpenSM's lock may be held. */
void odo_confirm_hold(odo_confirm *confirm);

/** Note changed nodes after OpenSM has read the subnet, and make it write lost tables again. OpenSM
 * holds no lock here. */
void odo_confirm_discovered(odo_confirm *confirm, osm_opensm_t *osm);

/** How to read back after a sweep. */
typedef struct odo_confirm_how {
	unsigned sweep; /**< its number */
	bool again;     /**< another sweep follows at once, and sends what this one did not */
	unsigned seconds, a_second; /**< time in which all tables are read, 0: never; most MADs */
} odo_confirm_how;

/**
 * Read tables of nodes in doubt after a sweep, until a port changes. Then tables are read in turn
 * until odo_confirm_hold(). OpenSM holds no lock here.
 * @return true if tables were lost: request a sweep
 */
bool odo_confirm_read(odo_confirm *confirm, osm_opensm_t *osm, const odo_confirm_how *how);

/** Return true if every switch and adapter has acknowledged the tables that were proved, and none
 * is in doubt. Only for OpenSM's sweeper. */
bool odo_confirm_all(const odo_confirm *confirm);

/** Return true if no node is in doubt, also while a sweep runs. Only for OpenSM's sweeper. */
bool odo_confirm_known(const odo_confirm *confirm);

/** Return the number of nodes whose tables are not confirmed. Only for OpenSM's sweeper. */
size_t odo_confirm_unknown(const odo_confirm *confirm);

/** News of reading in turn: write the files. */
typedef struct odo_news {
	bool lost;  /**< a switch was found with other tables: request a sweep */
	bool round; /**< all tables were read once more */
} odo_news;

/**
 * Read tables in turn, as many as are due. It never waits: not for answers, nor for OpenSM's lock.
 * @param now ms, of odo_steady_ms()
 * @return ms at which to call it again; UINT64_MAX: after odo_confirm_read()
 */
uint64_t odo_confirm_beat(odo_confirm *confirm, osm_opensm_t *osm, uint64_t now, odo_news *news);

/* ---- For the files of plugin/opensm ---- */

typedef enum odo_finding {
	ODO_FOUND_KEPT,
	ODO_FOUND_LOST,
	ODO_FOUND_UNREAD /**< no memory, or answers may still come */
} odo_finding;

/** Return true if all answers came, and are right. OpenSM's lock is held. A node that has gone is
 * no loss. */
bool odo_is_read_right(const odo_confirm *confirm, osm_opensm_t *osm, uint64_t guid,
		       const odo_asked *list, unsigned n, unsigned n_blocks);

/** Log that a node has other tables. @param again a sweep is requested for it */
void odo_log_lost(osm_opensm_t *osm, const char *name, uint64_t guid, bool again);

#endif

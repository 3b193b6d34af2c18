/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the last sweep did, in files for people and for monitoring. */
#ifndef ODONATA_PLUGIN_STATE_H
#define ODONATA_PLUGIN_STATE_H

#include <time.h>

#include "plugin/confirm.h"
#include "plugin/install.h"
#include "plugin/settings.h"
#include "plugin/subnet.h"
#include "routing/reroute/history.h"
#include "routing/transition/transition.h"
#include "routing/verify/sls.h"

typedef struct odo_state {
	const char *engine_name;       /**< what `-R` calls it */
	const char *outcome;           /**< "installed", "dry run", "kept", "declined" */
	char reason[500];              /**< why it is not "installed"; else "" */
	const odo_routed *routed;      /**< NULL where nothing was routed */
	const odo_flaps *flaps;        /**< which cables are left out of that */
	const struct odo_rails *rails; /**< of its fabric; odo_state_write() finds them */
	const odo_settings *settings;
	uint64_t port_guid;         /**< of the port by which this manager sees the subnet */
	uint64_t given_guid;        /**< which it was told to take; 0: any */
	uint64_t prefix;            /**< of the subnet, as configured */
	const odo_confirm *confirm; /**< while it is in doubt, "installed" is "unconfirmed" */
	unsigned sweep;
	unsigned n_not_routed; /**< sweeps so far that installed no new tables of ours */
	time_t since;          /**< when the entries in the switches last changed; 0: never */
	odo_lft_changes lfts;
	odo_sl_changes sls;
	double map, route;                /**< ms of processor time */
	const odo_transition *transition; /**< from the tables before; NULL: not judged */
	const odo_sl_verdict *any_sl;     /**< for packets without path SLs; NULL: not judged */
	uint64_t n_reconnect;             /**< pairs in all sweeps that had to connect anew */
	unsigned n_unserved;              /**< SLs of groups without a tree safe beside unicast */
} odo_state;

/**
 * Write FOLDER/odonata-ID.json, for the subnet's ID, with faults and both their ends, and
 * FOLDER/odonata-ID.prom, for the textfile collector of Prometheus' node_exporter. Each appears at
 * once and whole. The files of this process with an ID that it has given up go.
 * Errors: ODO_EIO with the file's name.
 */
int odo_state_write(const char *folder, odo_subnet *subnet, const odo_state *state, odo_error *err);

/** Take away the files of a manager on this port that has ended. Those of others, which may run or
 * be missed, stay. @param given_guid as in odo_state */
void odo_state_remove_old(const char *folder, uint64_t given_guid);

#endif

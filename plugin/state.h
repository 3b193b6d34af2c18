/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the last sweep did, in files for people and for monitoring. */
#ifndef ODONATA_PLUGIN_STATE_H
#define ODONATA_PLUGIN_STATE_H

#include <time.h>

#include "plugin/install.h"
#include "plugin/settings.h"
#include "routing/reroute/history.h"
#include "routing/transition/transition.h"

typedef struct odo_state {
	const char *engine_name;       /**< what `-R` calls it */
	const char *outcome;           /**< "installed", "dry run", "kept", "declined" */
	char reason[500];              /**< why it is not "installed"; else "" */
	const odo_routed *routed;      /**< NULL where nothing was routed */
	const odo_flaps *flaps;        /**< which cables are left out of that */
	const struct odo_rails *rails; /**< of its fabric; odo_state_write() finds them */
	const odo_settings *settings;
	unsigned sweep;
	unsigned n_not_routed; /**< sweeps so far that installed no new tables of ours */
	time_t since;          /**< when the entries in the switches last changed; 0: never */
	odo_lft_changes lfts;
	odo_sl_changes sls;
	double map, route;                /**< ms of processor time */
	const odo_transition *transition; /**< from the tables before; NULL: not judged */
	uint64_t n_reconnect;             /**< pairs in all sweeps that had to connect anew */
	unsigned n_unserved;              /**< SLs of groups without a tree safe beside unicast */
} odo_state;

/**
 * Write FOLDER/odonata.json, with faults and both their ends, and FOLDER/odonata.prom, for the
 * textfile collector of Prometheus' node_exporter. Each appears at once and whole.
 * Errors: ODO_EIO with the file's name.
 */
int odo_state_write(const char *folder, const odo_state *state, odo_error *err);

/** Take both files away: they are of a manager that has ended. */
void odo_state_remove(const char *folder);

#endif

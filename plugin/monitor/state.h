/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State files: results of the last sweep, for people and for monitoring. */
#ifndef ODONATA_PLUGIN_MONITOR_STATE_H
#define ODONATA_PLUGIN_MONITOR_STATE_H

#include <time.h>

#include "plugin/opensm/confirm.h"
#include "plugin/opensm/install.h"
#include "plugin/config/settings.h"
#include "plugin/memory/orders.h"
#include "plugin/memory/subnet.h"
#include "routing/reroute/connections.h"
#include "routing/transition/transition.h"
#include "routing/verify/sls.h"

/** Results of the last sweep, and totals of all sweeps since this manager started. */
typedef struct odo_state {
	const char *engine_name; /**< its name in `-R` */
	const char *outcome;     /**< "installed", "dry run", "kept", "declined" */
	char reason[500];        /**< of an outcome other than "installed"; else "" */
	const odo_settings *settings;
	const odo_flaps *flaps;     /**< flapping cables, left out of the routed fabric */
	const odo_orders *orders;   /**< order of the operator */
	const char *others;         /**< OpenSM's list of engines, or NULL */
	const odo_confirm *confirm; /**< while nodes are in doubt, "installed" is "unconfirmed" */
	const odo_routed *routed;   /**< NULL if nothing was routed */
	const struct odo_rails *rails; /**< of its fabric; odo_state_prepare() finds them */
	uint64_t port_guid;            /**< port by which this manager sees the subnet */
	uint64_t given_guid;           /**< port that its options name; 0: any */
	uint64_t prefix;               /**< of the subnet, as configured */
	odo_lft_changes lfts;
	odo_sl_changes sls;
	double map, route;                /**< ms of processor time */
	const odo_transition *transition; /**< from the tables before; NULL: not judged */
	const odo_sl_verdict *any_sl;     /**< for packets without path SLs; NULL: not judged */
	bool uncertified;                 /**< the certificate is one of earlier tables */
	unsigned n_unserved; /**< SLs of multicast groups without a tree safe beside unicast */

	/* ---- Totals ---- */
	unsigned sweep;        /**< sweeps that asked this engine */
	unsigned n_not_routed; /**< sweeps without new tables of ours */
	time_t since;          /**< when entries in the switches last changed; 0: never */
	uint64_t n_reconnect;  /**< pairs that had to reconnect */
} odo_state;

/** Text of state files, so that the state may change before they are written. */
typedef struct odo_state_texts {
	char folder[ODO_PATH_ROOM], id[ODO_ID_ROOM];
	char before[ODO_ID_ROOM]; /**< ID of files that this process no longer uses, or "" */
	bool uncertified;
	char *text[2];
	size_t size[2];
} odo_state_texts;

/** Prepare FOLDER/odonata-ID.json, for the subnet's ID, with faults and both their ends, and
 * FOLDER/odonata-ID.prom, for the textfile collector of Prometheus' node_exporter.
 * @param out for odo_state_texts_clear(), also on failure
 * Errors: ODO_ENOMEM. */
int odo_state_prepare(const char *folder, odo_subnet *subnet, const odo_state *state,
		      odo_state_texts *out, odo_error *err);

/** Write them. Each file appears as a whole. Files of this process with an ID that it no longer
 * uses are removed, as is a certificate of earlier tables. Errors: ODO_EIO with the file's name. */
int odo_state_write(const odo_state_texts *texts, odo_error *err);
void odo_state_texts_clear(odo_state_texts *texts);

/**
 * Write FOLDER/odonata-ID.certificate: a proof of the tables that tools/check_certificate.c repeats
 * on OpenSM's dumps. Call it once the tables are installed; it takes as long as their proof. It
 * says nothing of multicast trees that are safe beside new paths alone.
 * Errors: ODO_EIO with the file's name, ODO_ENOMEM.
 */
int odo_certificate_write(const char *folder, const odo_subnet *subnet, const odo_routed *routed,
			  odo_error *err);
/**
 * Remove files of an ended manager of this port. Other managers' files stay: they may run, or be
 * missed.
 * @param given_guid as in odo_state
 */
void odo_state_remove_old(const char *folder, uint64_t given_guid);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The routing engines as OpenSM sees them: one for `odonata`, one per row of odo_engines[]. */
#ifndef ODONATA_PLUGIN_SWEEP_ENGINE_H
#define ODONATA_PLUGIN_SWEEP_ENGINE_H

#include "fabric/transform/flaps.h"
#include "plugin/config/settings.h"
#include "plugin/memory/handover.h"
#include "plugin/memory/disk.h"
#include "plugin/memory/orders.h"
#include "plugin/monitor/heartbeat.h"
#include "plugin/monitor/state.h"
#include "plugin/opensm/confirm.h"
#include "plugin/opensm/install.h"

typedef struct odo_osm_engine {
	osm_opensm_t *osm;
	char name[64];                   /**< its name in `-R` */
	const odo_engine *row;           /**< NULL: by the options, or by topology */
	struct osm_routing_engine *slot; /**< OpenSM's, from setup to destroy; NULL: not in use */
	odo_routed *routed;              /**< of the last sweep that succeeded, or NULL */
	odo_routed *previous;            /**< of the sweep before, until the change is judged */
	odo_transition transition;       /**< that change */
	odo_sl_verdict sls;              /**< SLs besides the paths' that are safe */
	odo_state state;                 /**< as it was written last */
	uint32_t n_masked;               /**< odo_masked_ports() of the last sweep */
	odo_handover_file handover;      /**< the file for the next manager */
	bool unsaved;                    /**< its contents have changed since */
	bool replaced;    /**< these tables were replaced at large since it was written */
	bool mcast_due;   /**< LFTs are installed, multicast is not yet prepared */
	bool away;        /**< another engine has routed since: switches hold its tables */
	bool sweep_again; /**< request a sweep once the subnet is up */
	unsigned n_steps; /**< consecutive sweeps that installed a step (odo_tables.goal) */

	/* ---- Shared by all engines ---- */
	odo_settings *settings;
	odo_connections *connections;
	odo_flaps *flaps;
	odo_subnet *subnet;
	odo_orders *orders;
	odo_confirm *confirm;
	odo_heartbeat **heartbeat;
	odo_disk **disk;
} odo_osm_engine;

/** Fill in the functions that OpenSM calls. @param slot OpenSM's, whose context is an
 * odo_osm_engine
 * @return 0, or -1 if the engine has a slot already: it is named twice */
int odo_osm_engine_setup(struct osm_routing_engine *slot, osm_opensm_t *osm);

/** The LFTs have been sent: judge the change, find multicast trees, and fill the hop matrices if
 * OpenSM reads them. OpenSM holds no lock here.
 * @param swept true in a sweep, which builds all groups afterwards; false after the console's
 * `reroute` */
void odo_osm_engine_ucast_done(odo_osm_engine *engine, bool swept);

/** Another engine has routed, and no sweep has asked any engine of ours: write this to the state
 * file. */
void odo_osm_engine_not_asked(odo_osm_engine *engine);

/** Another engine has routed: write its name to the state file. OpenSM holds no lock here. */
void odo_osm_engine_foreign(odo_osm_engine *engine);

/** The subnet is up: read changed nodes back. Request a sweep if tables were lost or OperVLs were
 * raised too late; otherwise judge for which SLs besides the paths' the tables are safe. */
void odo_osm_engine_subnet_up(odo_osm_engine *engine);

#endif

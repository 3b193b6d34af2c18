/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The routing engines as OpenSM sees them: one for `odonata`, one per row of odo_engines[]. */
#ifndef ODONATA_PLUGIN_ENGINE_H
#define ODONATA_PLUGIN_ENGINE_H

#include "fabric/transform/flaps.h"
#include "plugin/confirm.h"
#include "plugin/answered.h"
#include "plugin/heartbeat.h"
#include "plugin/install.h"
#include "plugin/handover.h"
#include "plugin/settings.h"
#include "plugin/state.h"

typedef struct odo_osm_engine {
	osm_opensm_t *osm;
	char name[64];                   /**< what `-R` calls it */
	const odo_engine *row;           /**< NULL: what the options say, or by topology */
	odo_settings *settings;          /**< of all engines together */
	struct osm_routing_engine *slot; /**< OpenSM's, from setup to destroy; NULL: not in use */
	odo_routed *routed;              /**< of the last sweep that succeeded, or NULL */
	odo_routed *previous;            /**< of the sweep before, till the change is judged */
	odo_transition transition;       /**< that change */
	odo_sl_verdict sls;              /**< SLs other than the paths' that are safe */
	odo_state state;                 /**< as it was written last */
	odo_answered *answered;          /**< of all engines together */
	odo_flaps *flaps;                /**< the same */
	odo_subnet *subnet;              /**< the same */
	odo_confirm *confirm;            /**< the same */
	odo_heartbeat **heartbeat;       /**< the same */
	unsigned n_sweeps;               /**< that asked this engine */
	unsigned n_not_routed;           /**< of these, without new tables */
	uint64_t n_reconnect;            /**< pairs of all sweeps that had to connect anew */
	time_t since;                    /**< entries in the switches last changed */
	uint32_t n_masked;               /**< odo_masked_ports() of the last sweep */
	odo_handover_file saved;         /**< for the next manager */
	bool unsaved;                    /**< something of it has changed since */
	bool mcast_due;                  /**< LFTs are installed, multicast is not yet prepared */
	bool sweep_again;                /**< once the subnet is up */
} odo_osm_engine;

/** Fill in what OpenSM calls. @param slot OpenSM's, whose context is an odo_osm_engine
 * @return 0, or -1 if the engine has a slot already: it is named twice */
int odo_osm_engine_setup(struct osm_routing_engine *slot, osm_opensm_t *osm);

/** The LFTs have been sent: judge the change, find multicast trees, and fill the hop matrices if
 * anybody will look at them. OpenSM holds no lock here.
 * @param swept in a sweep, which goes on to build all groups; a console's `reroute` ends here */
void odo_osm_engine_ucast_done(odo_osm_engine *engine, bool swept);

/** Others have routed, and no sweep has asked any of our engines: say so in the state file. */
void odo_osm_engine_not_asked(odo_osm_engine *engine);

/** The subnet is up: read back what has changed, and sweep again where tables were lost or OperVLs
 * were raised too late; else judge for which packets the tables are safe besides those with path
 * SLs. */
void odo_osm_engine_subnet_up(odo_osm_engine *engine);

#endif

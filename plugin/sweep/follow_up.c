/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Work that follows the installation: while the LFTs are on their way, and once the subnet is up.
 */
#include <string.h>

#include "base/memory.h"
#include "plugin/opensm/multicast.h"
#include "plugin/sweep/files.h"
#include "plugin/sweep/log.h"
#include "plugin/sweep/sweep.h"

/* ---- The state file ---- */

void odo_sweep_write_outcome(odo_osm_engine *engine, const char *outcome, const char *why,
			     const odo_routed *routed, const odo_sweep *sweep)
{
	const osm_subn_t *subn = &engine->osm->subn;
	odo_state *s = &engine->state;
	s->outcome = outcome;
	engine->orders->teller = engine->name;
	engine->orders->used[0] = '\0';
	snprintf(s->reason, sizeof s->reason, "%s", why);
	s->routed = routed;
	s->port_guid = cl_ntoh64(subn->sm_port_guid);
	s->given_guid = cl_ntoh64(subn->opt.guid);
	s->prefix = cl_ntoh64(subn->opt.subnet_prefix);
	s->others = subn->opt.routing_engine_names;
	s->n_not_routed += strcmp(outcome, "installed") != 0;
	if (sweep->lfts.n_changed)
		s->since = time(NULL);
	s->lfts = sweep->lfts;
	s->sls = sweep->sls.changes;
	s->n_reconnect += sweep->sls.changes.n_reconnect;
	s->map = sweep->map;
	s->route = sweep->route;
	s->transition = NULL;
	engine->sls = (odo_sl_verdict){ODO_ALL_SLS, ODO_ALL_SLS, ODO_ALL_SLS};
	s->any_sl = routed && routed->any_sl ? &engine->sls : NULL;
	if (!routed)
		s->n_unserved = 0;
	/* The next one follows when the tables are in the switches. */
	s->uncertified = true;
	odo_files_state(engine);
}

void odo_osm_engine_not_asked(odo_osm_engine *engine)
{
	cl_plock_acquire(&engine->osm->lock);
	odo_files_read(engine);
	cl_plock_release(&engine->osm->lock);
	odo_sweep_write_outcome(engine, "declined",
				"OpenSM has routed with another engine and asked none of "
				"Odonata's: see routing_engine in its configuration, and its log",
				NULL, &(odo_sweep){0});
}

/* ---- Multicast and hop matrices ---- */

static ib_api_status_t build_group(void *context, osm_mgrp_box_t *group)
{
	odo_osm_engine *engine = context;
	odo_error err = {0};
	int status = 0;
	osm_purge_mtree(&engine->osm->sm, group);
	if (engine->routed && engine->routed->mcast)
		status = odo_install_group(engine->routed, &engine->osm->subn, group, &err);
	if (status < 0) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: no multicast for MLID 0x%x: %s\n", group->mlid, err.text);
		return IB_ERROR;
	}
	if (status)
		odo_request_sweep(engine->osm);
	return IB_SUCCESS;
}

/* The partition sets the SL, and members get it when they join: only the operator can change it. */
static void log_not_served(const odo_osm_engine *engine, unsigned sls, unsigned spare,
			   const char *why)
{
	char advice[96] = "no SL has a safe tree";
	if (spare < ODO_N_SLS)
		snprintf(advice, sizeof advice, "SL %u has a safe tree: set it for the partition",
			 spare);
	for (; sls; sls &= sls - 1)
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: multicast with SL %d may deadlock with unicast: %s; %s\n",
			__builtin_ctz(sls), why, advice);
}

/* Find a tree for each SL of the groups. Without any tree that is safe beside unicast OpenSM builds
 * its own: a fabric without multicast has no IPoIB. */
static void prepare_multicast(odo_osm_engine *engine)
{
	odo_error err = {0};
	odo_routed *routed = engine->routed;
	struct timespec clock = odo_cpu_time();
	unsigned sls = odo_groups_sls(&engine->osm->subn), spare;
	unsigned n_unserved = engine->state.n_unserved;
	int status = odo_multicast_prepare(routed, sls, &spare, &err);
	unsigned unserved = !err.status ? 0 : status ? sls : sls & ~routed->mcast->sls;
	engine->state.n_unserved = (unsigned)__builtin_popcount(unserved);
	if (engine->state.n_unserved != n_unserved)
		odo_files_state(engine);
	engine->slot->mcast_build_stree = status ? NULL : build_group;
	if (status)
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: OpenSM builds the multicast trees, which may deadlock with "
			"unicast: %s\n",
			err.text);
	else if (err.status)
		log_not_served(engine, unserved, spare, err.text);
	else
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: multicast tree, safe beside %s, found in %.2f ms\n",
			routed->mcast_beside_new
				? "unicast, except for connections that keep an earlier SL"
				: "unicast",
			odo_lap_ms(&clock));
}

static void fill_hop_matrices(odo_osm_engine *engine)
{
	odo_error err = {0};
	struct timespec clock = odo_cpu_time();
	if (odo_install_hops(engine->routed, &engine->osm->subn, &err))
		osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: no hop matrices: %s\n",
			err.text);
	else
		osm_log(&engine->osm->log, OSM_LOG_INFO, "odonata: hop matrices in %.2f ms\n",
			odo_lap_ms(&clock));
}

/* Build the groups again: the new tree is proved beside the new unicast routes, but the groups
 * still use the earlier tree. */
static void rebuild_groups(const odo_osm_engine *engine)
{
	osm_opensm_t *osm = engine->osm;
	for (uint32_t mlid = IB_LID_MCAST_START_HO; mlid <= osm->subn.max_mcast_lid_ho; mlid++)
		if (osm_get_mbox_by_mlid(&osm->subn, cl_hton16((uint16_t)mlid)))
			osm_sm_reroute_mlid(&osm->sm, cl_hton16((uint16_t)mlid));
}

/* ---- While the LFTs are on their way ---- */

/* Judge the change of tables. Counting takes time while the new tables are on their way, so large
 * fabrics omit it. */
static void count_transition(odo_osm_engine *engine)
{
	odo_error err = {0};
	odo_routed *previous = engine->previous;
	const odo_routed *routed = engine->routed;
	engine->previous = NULL;
	bool away = engine->away;
	engine->away = false;
	bool due = previous && !away && engine->state.lfts.n_changed &&
		   !strcmp(engine->state.outcome, "installed");
	bool dear = false;
	int status = due ? odo_transition_is_dear(routed->tables, &dear, &err) : 0;
	if (!status && due && !dear)
		status = odo_transition_count(previous->tables, routed->tables, true,
					      &engine->transition, &err);
	if (status) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: the change of tables is not judged: %s\n", err.text);
	} else if (away) {
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: the change of tables is not judged: another engine had routed\n");
	} else if (dear) {
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: the change of tables is not judged: more than %u entries, "
			"counting LIDs with equal paths once\n",
			ODO_TRANSITION_MOST);
	} else if (due) {
		odo_log_transition(engine);
		engine->state.transition = &engine->transition;
		odo_files_state(engine);
	}
	odo_routed_free(previous);
}

void odo_osm_engine_ucast_done(odo_osm_engine *engine, bool swept)
{
	osm_opensm_t *osm = engine->osm;
	if (!engine->mcast_due || osm->routing_engine_used != engine->slot)
		return;
	engine->mcast_due = false;
	odo_log_engine(engine);
	count_transition(engine);
	if (engine->unsaved)
		odo_files_save(engine);
	odo_disk_do(*engine->disk, NULL, false); /* not while the lock is held */
	cl_plock_excl_acquire(&osm->lock);
	if (!osm->subn.opt.disable_multicast)
		prepare_multicast(engine);
	/* OpenSM builds its own trees from hop matrices, and prints them in its dumps. */
	if (!engine->slot->mcast_build_stree || (osm->log.level & OSM_LOG_ROUTING))
		fill_hop_matrices(engine);
	if (!swept && !osm->subn.opt.disable_multicast)
		rebuild_groups(engine);
	cl_plock_release(&osm->lock);
	odo_disk_do(*engine->disk, NULL, false);
	/* No other event follows without a sweep. */
	if (!swept)
		odo_osm_engine_subnet_up(engine);
}

void odo_osm_engine_foreign(odo_osm_engine *engine)
{
	engine->away = true;
	engine->unsaved |= engine->connections->unsaved;
	if (engine->routed && engine->unsaved)
		odo_files_save(engine);
	bool declined = engine->state.outcome && !strcmp(engine->state.outcome, "declined");
	if (declined && engine->orders->teller == engine->name)
		odo_files_state(engine);
	odo_disk_do(*engine->disk, NULL, false);
}

/* ---- Once the subnet is up ---- */

/* Judge SLs besides the paths' now, because no other work waits for the result. Tables that are
 * safe with any SL need no judgement. */
static void judge_other_sls(odo_osm_engine *engine)
{
	odo_error err = {0};
	struct timespec clock = odo_cpu_time();
	if (!engine->routed || engine->state.any_sl || engine->state.routed != engine->routed)
		return;
	if (odo_verify_sls(engine->routed->tables, true, &engine->sls, &err)) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: SLs other than path SLs are not judged: %s\n", err.text);
		return;
	}
	odo_log_sls(engine, odo_lap_ms(&clock));
	engine->state.any_sl = &engine->sls;
}

/* Return true if every switch holds the tables of the file for the next manager. */
static bool are_read_back(const odo_osm_engine *engine)
{
	return odo_confirm_all(engine->confirm) && !engine->unsaved;
}

void odo_osm_engine_subnet_up(odo_osm_engine *engine)
{
	if (!engine->slot || engine->osm->routing_engine_used != engine->slot)
		return;
	const odo_plugin_options *options = &engine->settings->options;
	const odo_confirm_how how = {.sweep = engine->state.sweep,
				     .again = engine->sweep_again && !engine->n_steps,
				     .seconds = options->read_back_seconds,
				     .a_second = options->read_back_rate};
	engine->sweep_again |= odo_confirm_read(engine->confirm, engine->osm, &how);
	if (!engine->sweep_again) {
		judge_other_sls(engine);
		/* Only tables that are in the switches have a certificate. */
		if (engine->state.routed && engine->state.routed == engine->routed)
			odo_files_certify(engine, are_read_back(engine));
	}
	if (engine->state.routed)
		odo_files_state(engine);
	if (engine->confirm->up)
		odo_heartbeat_note(*engine->heartbeat, odo_confirm_unknown(engine->confirm) > 0);
	if (engine->sweep_again)
		odo_request_sweep(engine->osm);
	engine->sweep_again = false;
	odo_disk_do(*engine->disk, NULL, false);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One sweep: OpenSM's subnet is translated, mapped, routed and proved on the side, and only then
 * written into OpenSM's switches. OpenSM does not clean up between engines, so whatever fails
 * before that leaves no trace: the tables of the sweep before stay if they are still proved, or the
 * next engine starts from a clean slate.
 */
#include "plugin/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "mapping/mapping.h"
#include "plugin/log.h"
#include "plugin/keep.h"
#include "plugin/multicast.h"
#include "plugin/register.h"
#include "plugin/translate.h"

static struct timespec cpu_time(void)
{
	struct timespec now = {0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now;
}

/* Milliseconds of processor time since the clock was last asked: what a sweep costs, however busy
 * the machine is. All runs on one thread and waits for nothing. */
static double lap_ms(struct timespec *last)
{
	struct timespec now = cpu_time();
	double ms = (double)(now.tv_sec - last->tv_sec) * 1e3 +
		    (double)(now.tv_nsec - last->tv_nsec) * 1e-6;
	*last = now;
	return ms;
}

/* By a clock that nobody sets. */
static time_t steady_seconds(void)
{
	struct timespec now = {0};
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* OpenSM programs SL2VL tables only under `qos TRUE`. */
static int check_qos(const osm_subn_t *subn, const odo_tables *t, odo_error *err)
{
	if (t->n_vls == 1 || subn->opt.qos)
		return 0;
	return odo_fail(err, ODO_EDECLINE,
			"engine %s needs %u VLs, and OpenSM programs none while qos is FALSE: set "
			"\"qos TRUE\" (or opensm -Q), or allow one VL with \"max_vls=1\" in "
			"event_plugin_options",
			t->engine, t->n_vls);
}

static int install_tables(const odo_osm_engine *engine, odo_routed *routed, odo_sweep *sweep,
			  odo_error *err)
{
	const osm_subn_t *subn = &engine->osm->subn;
	int status = check_qos(subn, routed->tables, err);
	routed->any_sl = odo_tables_sls_alike(routed->tables);
	if (status || engine->settings->options.dry_run)
		return status;
	status = odo_answered_compare(engine->answered, routed->tables, &sweep->sls, err);
	return status ? status : odo_install_lfts(routed, subn, &sweep->lfts, err);
}

/* Of a row of odo_engines[], or NULL: by topology. */
static const char *engine_name(const odo_osm_engine *engine)
{
	const char *given = engine->settings->options.engine;
	if (engine->row)
		return engine->row->name;
	return *given ? odo_engine_find(given)->name : NULL;
}

static int route_subnet(const odo_osm_engine *engine, odo_routed *routed, odo_sweep *sweep,
			odo_error *err)
{
	const osm_subn_t *subn = &engine->osm->subn;
	struct timespec clock = cpu_time();
	odo_route_options options = engine->settings->options.route;
	/* Under other options the tables are those that a start of opensm would give. */
	bool goes_on = engine->routed && engine->routed->choice == engine->settings->choice;
	options.before = goes_on ? engine->routed->tables : NULL;
	routed->choice = engine->settings->choice;
	options.compare = true;
	options.history = engine->answered->history;
	odo_settings_limit_vls(engine->settings, engine->osm, &options);
	int status = odo_translate(subn, &routed->fabric, err);
	if (!status)
		status = odo_flaps_leave_out(engine->flaps, steady_seconds(), &routed->fabric, err);
	sweep->translate = lap_ms(&clock);
	if (!status)
		status = odo_map(routed->fabric, &routed->coordinates, err);
	sweep->map = lap_ms(&clock);
	if (!status)
		status = odo_route(routed->fabric, routed->coordinates, engine_name(engine),
				   &options, &routed->tables, err);
	sweep->route = lap_ms(&clock);
	if (!status)
		status = install_tables(engine, routed, sweep, err);
	sweep->install = lap_ms(&clock);
	routed->sweep = engine->n_sweeps;
	return status;
}

/* OpenSM masks VLs with OperVLs as the ports report them, and raises those only later in the
 * sweep: after a manager that allowed fewer VLs, two of ours would fall into one. */
static void check_masks(odo_osm_engine *engine)
{
	uint32_t before = engine->n_masked;
	engine->n_masked = engine->routed->tables->n_vls > 1
				   ? odo_masked_ports(engine->routed, &engine->osm->subn)
				   : 0;
	engine->sweep_again = engine->n_masked && engine->n_masked != before;
	if (engine->sweep_again)
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: OperVLs of %u ports are below our %u VLs and cut SL2VL short; "
			"sweeping again once they are raised\n",
			engine->n_masked, engine->routed->tables->n_vls);
	else if (engine->n_masked)
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: %u ports keep OperVLs below our %u VLs: deadlock is possible "
			"there\n",
			engine->n_masked, engine->routed->tables->n_vls);
}

static void update_sl2vl(void *context, osm_physp_t *port, uint8_t in, uint8_t out,
			 ib_slvl_table_t *table)
{
	const odo_osm_engine *engine = context;
	if (engine->routed)
		odo_install_sl2vl(engine->routed, port, in, out, table);
}

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid)
{
	const odo_osm_engine *engine = context;
	if (!engine->routed)
		return hint;
	uint8_t sl = odo_installed_sl(engine->routed, hint, cl_ntoh16(slid), cl_ntoh16(dlid));
	if (engine->routed->any_sl && sl == hint)
		atomic_fetch_or(&engine->answered->free_hints, 1u << (sl % ODO_N_SLS));
	return sl;
}

/* OpenSM does so once it has done what it is at. */
static void request_sweep(const odo_osm_engine *engine)
{
	engine->osm->subn.force_heavy_sweep = TRUE;
	osm_sm_signal(&engine->osm->sm, OSM_SIGNAL_SWEEP);
}

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
		request_sweep(engine);
	return IB_SUCCESS;
}

/* The next step of a change is taken as soon as this one is. */
static void continue_change(odo_osm_engine *engine, const odo_sweep *sweep)
{
	if (!engine->routed->tables->from.unfinished || !sweep->lfts.n_changed)
		return;
	engine->sweep_again = true;
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: tables change step by step, lest old and new paths do harm together; "
		"sweeping again for the next step\n");
}

static void adopt_tables(odo_osm_engine *engine, odo_routed *routed, odo_sweep *sweep)
{
	const odo_sl_changes *sls = &sweep->sls.changes;
	engine->unsaved |= sweep->lfts.n_changed || sls->n_changed || sls->n_reconnect;
	odo_answered_update(engine->answered, &sweep->sls);
	odo_routed_free(engine->previous);
	engine->previous = engine->routed;
	engine->routed = routed;
	/* One VL is safe under any map, so OpenSM's own stays, with the operator's QoS in it and
	 * with one MAD a switch where the switch can do that. */
	engine->slot->update_sl2vl = routed->tables->n_vls > 1 ? update_sl2vl : NULL;
	engine->mcast_due = true;
	check_masks(engine);
	continue_change(engine, sweep);
}

static void put_state(const odo_osm_engine *engine)
{
	odo_error err;
	if (odo_state_write(engine->osm->subn.opt.dump_files_dir, engine->subnet, &engine->state,
			    &err))
		osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: no state file: %s\n", err.text);
	odo_heartbeat_set(engine->heartbeat, engine->osm, engine->subnet->stated);
}

/* For people and monitoring. @param routed NULL where there is nothing, @param why an outcome that
 * is not "installed" */
static void write_state(odo_osm_engine *engine, const char *outcome, const char *why,
			const odo_routed *routed, const odo_sweep *sweep)
{
	engine->n_not_routed += strcmp(outcome, "installed") != 0;
	engine->n_reconnect += sweep->sls.changes.n_reconnect;
	if (sweep->lfts.n_changed)
		engine->since = time(NULL);
	engine->state = (odo_state){.engine_name = engine->name,
				    .outcome = outcome,
				    .routed = routed,
				    .flaps = engine->flaps,
				    .settings = engine->settings,
				    .port_guid = cl_ntoh64(engine->osm->subn.sm_port_guid),
				    .given_guid = cl_ntoh64(engine->osm->subn.opt.guid),
				    .prefix = cl_ntoh64(engine->osm->subn.opt.subnet_prefix),
				    .confirm = engine->confirm,
				    .sweep = engine->n_sweeps,
				    .n_not_routed = engine->n_not_routed,
				    .since = engine->since,
				    .lfts = sweep->lfts,
				    .sls = sweep->sls.changes,
				    .map = sweep->map,
				    .route = sweep->route,
				    .n_reconnect = engine->n_reconnect,
				    .n_unserved = routed ? engine->state.n_unserved : 0};
	engine->sls = (odo_sl_verdict){ODO_ALL_SLS, ODO_ALL_SLS, ODO_ALL_SLS};
	if (routed && routed->any_sl)
		engine->state.any_sl = &engine->sls;
	snprintf(engine->state.reason, sizeof engine->state.reason, "%s", why);
	put_state(engine);
}

/* Called with OpenSM's lock held. @param path [ODO_PATH_ROOM] gets what to go on from, or "" */
static void recognise_subnet(odo_osm_engine *engine, char *path)
{
	uint32_t n;
	engine->subnet->remembers = engine->answered->history != NULL;
	uint64_t *guid = odo_subnet_guids(engine->subnet, &engine->osm->subn, &n);
	odo_subnet_find(engine->subnet, engine->name, guid, n, path, &engine->osm->log);
}

void odo_osm_engine_not_asked(odo_osm_engine *engine)
{
	char path[ODO_PATH_ROOM];
	odo_sweep sweep = {0};
	cl_plock_acquire(&engine->osm->lock);
	recognise_subnet(engine, path);
	cl_plock_release(&engine->osm->lock);
	write_state(engine, "declined",
		    "OpenSM has routed by another engine, and asked none of ours: see "
		    "routing_engine in its configuration, and its log",
		    NULL, &sweep);
}

/* Nothing could be routed, for a reason: what was before stays if it is still proved. Memory may be
 * there again in a moment, and nothing else would have OpenSM ask once more. */
static int keep_tables(odo_osm_engine *engine, const odo_error *why)
{
	odo_error err = {0};
	odo_sweep sweep = {0};
	odo_carried carried;
	bool again = why->status == ODO_ENOMEM && !engine->routed->tables->from.carried;
	odo_routed *routed = odo_new(1, sizeof *routed);
	int status = routed ? odo_keep(engine->routed, engine->answered->history,
				       engine->settings->n_served, engine->osm, engine->slot,
				       routed, &carried, &err)
			    : odo_fail(&err, ODO_ENOMEM, "no memory");
	if (!status)
		status = install_tables(engine, routed, &sweep, &err);
	if (status) {
		odo_sl_update_clear(&sweep.sls);
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: declined as %s: %s; the tables of sweep %u cannot be kept: %s\n",
			engine->name, why->text, engine->routed->sweep, err.text);
		sweep = (odo_sweep){0};
		write_state(engine, "declined", why->text, NULL, &sweep);
		odo_routed_free(routed);
		return -1;
	}
	osm_log(&engine->osm->log, OSM_LOG_ERROR,
		"odonata: no new routes as %s: %s; the tables of sweep %u are kept, proved on the "
		"fabric as it is now; they cut off %llu of %llu pairs (switch, LID); %llu pairs "
		"must reconnect%s\n",
		engine->name, why->text, routed->sweep, (unsigned long long)carried.n_missing,
		(unsigned long long)carried.n_pairs,
		(unsigned long long)sweep.sls.changes.n_reconnect, again ? "; sweeping again" : "");
	adopt_tables(engine, routed, &sweep);
	odo_log_changes(engine, &sweep);
	write_state(engine, "kept", why->text, routed, &sweep);
	odo_sl_update_clear(&sweep.sls);
	engine->sweep_again |= again;
	return 0;
}

/* The next engine finds everything as it was; so does ours where the dry run ends. */
static int end_dry_run(odo_osm_engine *engine, odo_routed *routed, const odo_sweep *sweep)
{
	odo_routed *before = engine->routed;
	engine->routed = routed;
	odo_log_tables(engine, sweep);
	engine->routed = before;
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: dry run: nothing of this is installed, the next engine routes\n");
	write_state(engine, "dry run", "dry_run=1", routed, sweep);
	engine->state.routed = NULL;
	odo_routed_free(routed);
	return -1;
}

/* What another manager of this subnet has left since: it is as if this one had routed before. */
static void take_over_saved(odo_osm_engine *engine)
{
	char from[ODO_PATH_ROOM], own[ODO_PATH_ROOM];
	bool sealed;
	osm_log_t *log = &engine->osm->log;
	recognise_subnet(engine, from);
	int status = odo_handover_read(engine->subnet, engine->name, from, &engine->saved,
				       &engine->routed, engine->answered, &sealed, log);
	/* It was damaged, or taken away, while this manager runs. */
	engine->unsaved |= status < 0;
	if (status <= 0)
		return;
	odo_subnet_path(engine->subnet, engine->name, own);
	engine->unsaved |= !sealed || strcmp(from, own);
	osm_log(log, OSM_LOG_INFO,
		"odonata: tables and SLs are taken over from a manager before: engine %s, "
		"%u switches; subnet %s%s\n",
		engine->routed->tables->engine, engine->routed->fabric->n_switches,
		engine->subnet->id,
		sealed ? "" : "; an older version wrote them, without a checksum");
}

static void save_tables(odo_osm_engine *engine)
{
	odo_error err = {0};
	if (odo_handover_write(engine->subnet, engine->name, &engine->saved, engine->routed,
			       engine->answered, &err))
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: the next manager will not know of these tables and SLs: %s\n",
			err.text);
	else
		engine->unsaved = false;
}

static int build_tables(void *context)
{
	odo_osm_engine *engine = context;
	odo_error err = {0};
	odo_sweep sweep = {0};
	engine->n_sweeps++;
	take_over_saved(engine);
	odo_settings_read_again(engine->settings, engine->osm, engine->flaps);
	bool dry_run = engine->settings->options.dry_run;
	odo_answered_add_hints(engine->answered);
	odo_routed *routed = odo_new(1, sizeof *routed);
	int status = routed ? route_subnet(engine, routed, &sweep, &err)
			    : odo_fail(&err, ODO_ENOMEM, "no memory");
	if (!status && dry_run)
		return end_dry_run(engine, routed, &sweep);
	if (!status) {
		adopt_tables(engine, routed, &sweep);
		odo_log_tables(engine, &sweep);
		odo_log_changes(engine, &sweep);
		write_state(engine, "installed", "", routed, &sweep);
		odo_sl_update_clear(&sweep.sls);
		return 0;
	}
	odo_sl_update_clear(&sweep.sls);
	odo_routed_free(routed);
	if (engine->routed && !dry_run)
		return keep_tables(engine, &err);
	sweep.lfts = (odo_lft_changes){0};
	write_state(engine, "declined", err.text, NULL, &sweep);
	osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: declined as %s: %s\n", engine->name,
		err.text);
	return -1;
}

static void release_slot(void *context)
{
	odo_osm_engine *engine = context;
	engine->slot = NULL;
}

/* Ours are filled in when the LFTs are on their way. */
static int leave_matrices(void *context)
{
	(void)context;
	return 0;
}

int odo_osm_engine_setup(struct osm_routing_engine *slot, osm_opensm_t *osm)
{
	(void)osm;
	odo_osm_engine *engine = slot->context;
	if (engine->slot)
		return -1; /* named twice */
	engine->slot = slot;
	slot->build_lid_matrices = leave_matrices;
	slot->ucast_build_fwd_tables = build_tables;
	slot->update_sl2vl = update_sl2vl;
	slot->path_sl = path_sl;
	slot->destroy = release_slot;
	return 0;
}

/* An SL is the partition's, and members are told it when they join: only the operator can change
 * it. */
static void log_not_served(const odo_osm_engine *engine, unsigned sls, unsigned spare,
			   const char *why)
{
	char advice[96] = "no SL has a safe tree";
	if (spare < ODO_N_SLS)
		snprintf(advice, sizeof advice, "SL %u has a safe tree: give it to the partition",
			 spare);
	for (; sls; sls &= sls - 1)
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: multicast with SL %d may deadlock with unicast: %s; %s\n",
			__builtin_ctz(sls), why, advice);
}

/* Without any tree that is safe beside unicast OpenSM builds its own: a fabric without multicast
 * has no IPoIB. */
static void prepare_multicast(odo_osm_engine *engine)
{
	odo_error err = {0};
	odo_routed *routed = engine->routed;
	struct timespec clock = cpu_time();
	unsigned sls = odo_groups_sls(&engine->osm->subn), spare;
	unsigned n_unserved = engine->state.n_unserved;
	int status = odo_multicast_prepare(routed, sls, &spare, &err);
	engine->state.n_unserved = (unsigned)__builtin_popcount(
		!err.status ? 0
		: status    ? sls
			    : sls & ~routed->mcast->sls);
	if (engine->state.n_unserved != n_unserved)
		put_state(engine);
	engine->slot->mcast_build_stree = status ? NULL : build_group;
	if (status)
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: multicast is left to OpenSM, and may deadlock with unicast: %s\n",
			err.text);
	else if (err.status)
		log_not_served(engine, sls & ~routed->mcast->sls, spare, err.text);
	else
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: multicast tree, safe beside %s, found in %.2f ms\n",
			routed->mcast_beside_new
				? "unicast but for connections that keep an earlier SL"
				: "unicast",
			lap_ms(&clock));
}

static void fill_hop_matrices(odo_osm_engine *engine)
{
	odo_error err = {0};
	struct timespec clock = cpu_time();
	if (odo_install_hops(engine->routed, &engine->osm->subn, &err))
		osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: no hop matrices: %s\n",
			err.text);
	else
		osm_log(&engine->osm->log, OSM_LOG_INFO, "odonata: hop matrices in %.2f ms\n",
			lap_ms(&clock));
}

/* A tree is proved beside these unicast routes, and the groups' are still beside those before. */
static void rebuild_groups(const odo_osm_engine *engine)
{
	osm_opensm_t *osm = engine->osm;
	for (uint32_t mlid = IB_LID_MCAST_START_HO; mlid <= osm->subn.max_mcast_lid_ho; mlid++)
		if (osm_get_mbox_by_mlid(&osm->subn, cl_hton16((uint16_t)mlid)))
			osm_sm_reroute_mlid(&osm->sm, cl_hton16((uint16_t)mlid));
}

/* Counting takes time, and the new tables are on their way. So large fabrics do without. */
static void count_transition(odo_osm_engine *engine)
{
	odo_error err = {0};
	odo_routed *previous = engine->previous;
	const odo_routed *routed = engine->routed;
	engine->previous = NULL;
	bool due = previous && engine->state.lfts.n_changed &&
		   !strcmp(engine->state.outcome, "installed");
	bool dear = false;
	int status = due ? odo_transition_is_dear(routed->tables, &dear, &err) : 0;
	if (!status && due && !dear)
		status = odo_transition_count(previous->tables, routed->tables, true,
					      &engine->transition, &err);
	if (status) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: the change of tables is not judged: %s\n", err.text);
	} else if (dear) {
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: a change of tables with more than %u entries in trees of their "
			"own is not judged\n",
			ODO_TRANSITION_MOST);
	} else if (due) {
		odo_log_transition(engine);
		engine->state.transition = &engine->transition;
		put_state(engine);
	}
	odo_routed_free(previous);
}

void odo_osm_engine_ucast_done(odo_osm_engine *engine, bool swept)
{
	osm_opensm_t *osm = engine->osm;
	if (!engine->mcast_due || osm->routing_engine_used != engine->slot)
		return;
	engine->mcast_due = false;
	odo_register_tell(engine);
	count_transition(engine);
	if (engine->unsaved)
		save_tables(engine);
	cl_plock_excl_acquire(&osm->lock);
	if (!osm->subn.opt.disable_multicast)
		prepare_multicast(engine);
	/* OpenSM's own trees are built from hop matrices, and its dumps print them. */
	if (!engine->slot->mcast_build_stree || (osm->log.level & OSM_LOG_ROUTING))
		fill_hop_matrices(engine);
	if (!swept && !osm->subn.opt.disable_multicast)
		rebuild_groups(engine);
	cl_plock_release(&osm->lock);
}

/* Judge SLs other than the paths', now that nothing waits for it. Where any is safe that is known
 * already. */
static void judge_other_sls(odo_osm_engine *engine)
{
	odo_error err = {0};
	struct timespec clock = cpu_time();
	if (!engine->routed || engine->state.any_sl || engine->state.routed != engine->routed)
		return;
	if (odo_verify_sls(engine->routed->tables, true, &engine->sls, &err)) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: SLs other than path SLs are not judged: %s\n", err.text);
		return;
	}
	odo_log_sls(engine, lap_ms(&clock));
	engine->state.any_sl = &engine->sls;
}

void odo_osm_engine_subnet_up(odo_osm_engine *engine)
{
	if (!engine->slot || engine->osm->routing_engine_used != engine->slot)
		return;
	engine->sweep_again |= odo_confirm_read(engine->confirm, engine->osm);
	if (!engine->sweep_again)
		judge_other_sls(engine);
	if (engine->state.routed)
		put_state(engine);
	if (engine->confirm->up)
		odo_heartbeat_note(*engine->heartbeat, odo_confirm_unknown(engine->confirm) > 0);
	if (engine->sweep_again)
		request_sweep(engine);
	engine->sweep_again = false;
}

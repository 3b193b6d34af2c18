/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sweep of an engine, step by step: recognise the subnet, route it, install the tables, adopt them.
 * OpenSM's subnet is translated, mapped, routed and proved in our memory, and only then written
 * into OpenSM's switches. OpenSM does not clean up between engines, so a failure before that leaves
 * no trace: the tables of the sweep before stay if they are still proved, or the next engine finds
 * everything unchanged. */
#include "plugin/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/mapping.h"
#include "plugin/opensm/translate.h"
#include "plugin/sweep/files.h"
#include "plugin/sweep/keep.h"
#include "plugin/sweep/log.h"

/* MOST_HELD: sweeps that wait until all switches hold a step, before the next one is made all the
 * same: a switch that does not answer keeps others without paths. MOST_STEPS: sweeps that are
 * requested for one change. Each step moves entries nearer to the LID first; changes after a loss
 * took at most 3. */
enum { MOST_HELD = 4, MOST_STEPS = 16 };

/* ---- 1. Route ---- */

/* Return the name of a row of odo_engines[], or NULL: by topology. */
static const char *engine_name(const odo_osm_engine *engine)
{
	const char *given = engine->settings->options.engine;
	if (engine->row)
		return engine->row->name;
	return *given ? odo_engine_find(given)->name : NULL;
}

static int route_subnet(const odo_osm_engine *engine, odo_sweep *sweep, odo_error *err)
{
	odo_routed *routed = sweep->routed = odo_new(1, sizeof *routed);
	if (!routed)
		return odo_fail(err, ODO_ENOMEM, "no memory");
	struct timespec clock = odo_cpu_time();
	odo_route_options options = engine->settings->options.route;
	/* Under other options the tables are those that a start of opensm would give. */
	bool same_choice = engine->routed && engine->routed->choice == engine->settings->choice;
	options.before = same_choice ? engine->routed->tables : NULL;
	options.steps = true;
	options.hold_step = engine->n_steps < MOST_HELD && !odo_confirm_known(engine->confirm);
	options.compare = true;
	odo_settings_limit_vls(engine->settings, engine->osm, &options);
	if (!engine->settings->in_force)
		return odo_fail(err, ODO_EINPUT, "options are refused: %s",
				engine->settings->refused.text);
	routed->choice = engine->settings->choice;
	routed->sweep = engine->state.sweep;
	int status = odo_translate(&engine->osm->subn, &routed->fabric, err);
	if (!status)
		status = odo_flaps_leave_out(engine->flaps, (time_t)(odo_steady_ms() / 1000),
					     &routed->fabric, err);
	if (!status)
		status = odo_connections_begin(engine->connections, routed->fabric, err);
	options.history = engine->connections->history;
	sweep->translate = odo_lap_ms(&clock);
	if (!status)
		status = odo_map(routed->fabric, &routed->coordinates, err);
	sweep->map = odo_lap_ms(&clock);
	if (!status)
		status = odo_route(routed->fabric, routed->coordinates, engine_name(engine),
				   &options, &routed->tables, err);
	sweep->route = odo_lap_ms(&clock);
	return status;
}

/* Take the tables that the operator has ordered instead. */
static int take_ordered(const odo_osm_engine *engine, odo_sweep *sweep, odo_error *err)
{
	odo_carried carried;
	odo_route_options limits = {0};
	struct timespec clock = odo_cpu_time();
	odo_settings_limit_vls(engine->settings, engine->osm, &limits); /* keep.c asks for these */
	sweep->routed = odo_new(1, sizeof *sweep->routed);
	int status = sweep->routed ? odo_keep_ordered(engine, sweep->routed, &carried, err)
				   : odo_fail(err, ODO_ENOMEM, "no memory");
	sweep->route = odo_lap_ms(&clock);
	if (!status)
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: tables of %s are installed by order, proved on the present "
			"fabric; they cut off %llu of %llu pairs (switch, LID): sweep %u\n",
			engine->orders->order.what, (unsigned long long)carried.n_missing,
			(unsigned long long)carried.n_pairs, engine->state.sweep);
	return status;
}

/* ---- 2. Install ---- */

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

static int install_tables(const odo_osm_engine *engine, odo_sweep *sweep, bool dry_run,
			  odo_error *err)
{
	const osm_subn_t *subn = &engine->osm->subn;
	odo_routed *routed = sweep->routed;
	struct timespec clock = odo_cpu_time();
	int status = check_qos(subn, routed->tables, err);
	routed->any_sl = odo_tables_sls_alike(routed->tables);
	if (status || dry_run)
		return status;
	status = odo_connections_compare(engine->connections, routed->tables, &sweep->sls, err);
	if (!status)
		status = odo_install_lfts(routed, subn, &sweep->lfts, err);
	sweep->install = odo_lap_ms(&clock);
	return status;
}

/* ---- 3. Adopt ---- */

/* OpenSM masks VLs with OperVLs as the ports report them, and raises OperVLs only later in the
 * sweep: after a manager that allowed fewer VLs, two of our VLs would become one. */
static void check_masks(odo_osm_engine *engine)
{
	uint32_t before = engine->n_masked;
	engine->n_masked = engine->routed->tables->n_vls > 1
				   ? odo_masked_ports(engine->routed, &engine->osm->subn)
				   : 0;
	engine->confirm->n_cut = engine->n_masked;
	engine->sweep_again = engine->n_masked && engine->n_masked != before;
	if (engine->sweep_again)
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: OperVLs of %u ports are below the %u VLs of the tables and cut "
			"SL2VL short; sweeping again once they are raised\n",
			engine->n_masked, engine->routed->tables->n_vls);
	else if (engine->n_masked)
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: %u ports keep OperVLs below the %u VLs of the tables: deadlock "
			"is possible there\n",
			engine->n_masked, engine->routed->tables->n_vls);
}

/* Tables that change in several steps: request the next step. A change whose steps do not end goes
 * on with later sweeps. */
static void continue_change(odo_osm_engine *engine, const odo_sweep *sweep)
{
	const odo_tables *t = engine->routed->tables;
	engine->n_steps = t->goal ? engine->n_steps + 1 : 0;
	odo_routed_note_step(engine->routed);
	if (!t->from.unfinished || engine->n_steps > MOST_STEPS ||
	    (!t->goal && !sweep->lfts.n_changed))
		return;
	engine->sweep_again = true;
	if (t->goal)
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: tables change in steps, so that packets close no cycle in "
			"whatever order switches change; until the next step %llu pairs (switch, "
			"LID) have no path; sweeping again\n",
			(unsigned long long)engine->routed->n_cut);
	else
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: tables change in steps, so that old and new paths together "
			"neither deadlock nor lose packets; sweeping again for the next step\n");
}

static void adopt_tables(odo_osm_engine *engine, odo_sweep *sweep)
{
	const odo_sl_changes *sls = &sweep->sls.changes;
	engine->unsaved |= sweep->lfts.n_changed || sls->n_changed || sls->n_reconnect ||
			   engine->connections->unsaved;
	engine->connections->unsaved = false;
	odo_connections_update(engine->connections, &sweep->sls);
	odo_routed_free(engine->previous);
	engine->previous = engine->routed;
	engine->routed = sweep->routed;
	engine->replaced |= engine->previous &&
			    odo_is_large_change(engine->previous->tables, engine->routed->tables);
	sweep->routed = NULL;
	/* With a single VL any map is safe. OpenSM's own map then stays, with the operator's QoS in
	 * it and with one MAD per switch if the switch supports that. */
	engine->slot->update_sl2vl = engine->routed->tables->n_vls > 1 ? odo_sweep_update_sl2vl
								       : NULL;
	engine->mcast_due = true;
	check_masks(engine);
	continue_change(engine, sweep);
}

/* ---- Without new tables ---- */

/* Keep the tables of the sweep before if they are still proved. Memory may be available again in a
 * moment, and nothing else would make OpenSM ask again: request a sweep. */
static int keep_tables(odo_osm_engine *engine, const odo_error *why)
{
	odo_error err = {0};
	odo_sweep sweep = {.routed = odo_new(1, sizeof *sweep.routed)};
	odo_carried carried;
	unsigned last = engine->routed->sweep;
	bool again = why->status == ODO_ENOMEM && !odo_is_kept(engine->routed->tables);
	int status = sweep.routed ? odo_keep(engine, sweep.routed, &carried, &err)
				  : odo_fail(&err, ODO_ENOMEM, "no memory");
	if (!status)
		status = install_tables(engine, &sweep, false, &err);
	if (status) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: declined as %s: %s; the tables of sweep %u cannot be kept: %s\n",
			engine->name, why->text, last, err.text);
		odo_sweep_write_outcome(engine, "declined", why->text, NULL, &(odo_sweep){0});
	} else {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: no new routes as %s: %s; the tables of sweep %u are kept, proved "
			"on the present fabric; they cut off %llu of %llu pairs (switch, LID); "
			"%llu pairs must reconnect%s\n",
			engine->name, why->text, last, (unsigned long long)carried.n_missing,
			(unsigned long long)carried.n_pairs,
			(unsigned long long)sweep.sls.changes.n_reconnect,
			again ? "; sweeping again" : "");
		adopt_tables(engine, &sweep);
		odo_log_changes(engine, &sweep);
		odo_sweep_write_outcome(engine, "kept", why->text, engine->routed, &sweep);
		engine->sweep_again |= again;
	}
	odo_sl_update_clear(&sweep.sls);
	odo_routed_free(sweep.routed);
	return status;
}

/* Leave the routing to the engine that the operator has ordered. */
static int stand_aside(odo_osm_engine *engine)
{
	char why[sizeof engine->state.reason];
	snprintf(why, sizeof why, "by order of odonata handover, engine \"%.200s\" shall route",
		 engine->orders->order.what);
	osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: declined as %s: %s\n", engine->name,
		why);
	odo_sweep_write_outcome(engine, "declined", why, NULL, &(odo_sweep){0});
	return -1;
}

/* The next engine, and our next sweep, find everything unchanged. */
static void end_dry_run(odo_osm_engine *engine, const odo_sweep *sweep)
{
	odo_log_tables(engine, sweep->routed, sweep);
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: dry run: these tables are not installed, the next engine routes\n");
	odo_sweep_write_outcome(engine, "dry run", "dry_run=1", sweep->routed, sweep);
	engine->state.routed = NULL;
}

/* ---- The whole sweep ---- */

int odo_sweep_build_tables(void *context)
{
	odo_osm_engine *engine = context;
	odo_error err = {0};
	odo_sweep sweep = {0};
	engine->state.sweep++;
	odo_confirm_hold(engine->confirm);
	odo_files_read(engine);
	if (odo_orders_exclude(engine->orders, engine->name))
		return stand_aside(engine);
	bool ordered = engine->orders->order.kind == ODO_ORDER_TABLES;
	bool dry_run = engine->settings->options.dry_run && !ordered;
	int status = ordered ? take_ordered(engine, &sweep, &err)
			     : route_subnet(engine, &sweep, &err);
	if (status && ordered &&
	    !engine->routed) { /* no tables to keep: better ones than minhop's */
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: order of odonata handover cannot be obeyed, and routes are "
			"computed: %s\n",
			err.text);
		ordered = false;
		odo_routed_free(sweep.routed);
		sweep = (odo_sweep){0};
		status = route_subnet(engine, &sweep, &err);
	}
	if (!status)
		status = install_tables(engine, &sweep, dry_run, &err);
	bool failed = status != 0;
	if (!status && dry_run) {
		end_dry_run(engine, &sweep);
		status = -1;
	} else if (!status) {
		adopt_tables(engine, &sweep);
		if (!ordered)
			odo_log_tables(engine, engine->routed, &sweep);
		odo_log_changes(engine, &sweep);
		odo_sweep_write_outcome(engine, "installed", "", engine->routed, &sweep);
	}
	odo_sl_update_clear(&sweep.sls);
	odo_routed_free(sweep.routed);
	if (failed && engine->routed && !dry_run) {
		status = keep_tables(engine, &err);
	} else if (failed) {
		sweep.lfts = (odo_lft_changes){0};
		odo_sweep_write_outcome(engine, "declined", err.text, NULL, &sweep);
		osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: declined as %s: %s\n",
			engine->name, err.text);
	}
	return status ? -1 : 0;
}

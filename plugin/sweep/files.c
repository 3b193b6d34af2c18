/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Jobs for the disk's thread. Each has copies of what OpenSM or the sweep may change, and shares
 * tables, which nobody changes, and SLs, which are copied before they change. */
#include "plugin/sweep/files.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- Reading at the beginning of a sweep ---- */

typedef struct read_job {
	odo_disk_job job;
	odo_osm_engine *engine;
	osm_log_t *log;
	char name[sizeof((odo_osm_engine *)NULL)->name];
	uint64_t *guid; /* of the present switches */
	uint32_t n;

	odo_subnet subnet;
	char from[ODO_PATH_ROOM];
	odo_handover_file handover;
	odo_routed *routed;
	odo_connections connections;
	bool sealed;
	int taken; /* of odo_handover_read() */

	osm_subn_opt_t opt; /* only the strings that settings use */
	odo_settings settings;
	odo_orders orders;
} read_job;

static void run_read(odo_disk_job *job)
{
	read_job *x = (read_job *)job;
	odo_subnet_find(&x->subnet, x->name, x->guid, x->n, x->from, x->log);
	x->guid = NULL;
	x->taken = odo_handover_read(&x->subnet, x->name, x->from, &x->handover, &x->routed,
				     &x->connections, &x->sealed, x->log);
	(void)odo_settings_parse(&x->settings, &x->opt);
	odo_orders_read(&x->orders, &x->subnet);
}

/* Continue from SLs only: the switches already have tables of this manager, which knew no file. */
static void take_over_late(odo_osm_engine *engine, read_job *x)
{
	unsigned sls = odo_history_sls(engine->connections->history);
	odo_connections_replace(engine->connections, x->connections.history);
	x->connections.history = NULL;
	odo_connections_foreign(engine->connections, sls);
	engine->unsaved = true;
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: SLs are taken over from an earlier manager, whose file could not be read "
		"until now: %s\n",
		x->from);
}

/* Continue as if this manager had routed before. */
static void take_over_saved(odo_osm_engine *engine, read_job *x)
{
	char own[ODO_PATH_ROOM];
	/* The file was damaged or removed while this manager runs. */
	engine->unsaved |= x->taken < 0;
	engine->handover = x->handover;
	if (x->taken <= 0)
		return;
	if (!engine->subnet->read && engine->connections->history) {
		take_over_late(engine, x);
		return;
	}
	odo_routed_free(engine->routed);
	engine->routed = x->routed;
	x->routed = NULL;
	odo_connections_replace(engine->connections, x->connections.history);
	x->connections.history = NULL;
	odo_subnet_path(engine->subnet, engine->name, own);
	engine->unsaved |= !x->sealed || strcmp(x->from, own);
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: tables and SLs are taken over from an earlier manager: engine %s, %u "
		"switches; subnet %s%s\n",
		engine->routed->tables->engine, engine->routed->fabric->n_switches,
		engine->subnet->id,
		x->sealed ? "" : "; an older version wrote them, without a checksum");
}

static void finish_read(odo_disk_job *job, odo_disk_end end)
{
	read_job *x = (read_job *)job;
	odo_osm_engine *engine = x->engine;
	if (end == ODO_DISK_DONE) {
		odo_subnet_clear(engine->subnet);
		*engine->subnet = x->subnet;
		x->subnet = (odo_subnet){0};
		take_over_saved(engine, x);
		engine->subnet->read = true;
		odo_settings_adopt(engine->settings, &x->settings, engine->osm, engine->flaps);
		odo_orders_adopt(engine->orders, &x->orders, &engine->osm->log);
	} else if (end == ODO_DISK_SKIPPED) {
		odo_subnet_note(engine->subnet, x->guid, x->n);
		x->guid = NULL;
	}
	free(x->guid);
	odo_subnet_clear(&x->subnet);
	odo_routed_free(x->routed);
	odo_history_free(x->connections.history);
	odo_settings_clear(&x->settings);
	odo_orders_clear(&x->orders);
	odo_settings_free_options(&x->opt);
	free(x);
}

void odo_files_read(odo_osm_engine *engine)
{
	read_job *x = odo_new(1, sizeof *x);
	if (!x)
		return; /* all stays as it is */
	odo_disk_set_wait(*engine->disk, engine->settings->options.disk_wait);
	odo_disk_do(*engine->disk, NULL, true); /* a file that was written late is our own */
	x->job = (odo_disk_job){run_read, finish_read};
	x->engine = engine;
	x->log = &engine->osm->log;
	memcpy(x->name, engine->name, sizeof x->name);
	x->handover = engine->handover;
	engine->subnet->remembers = engine->connections->history != NULL;
	x->guid = odo_subnet_guids(engine->subnet, &engine->osm->subn, &x->n);
	x->orders.order = engine->orders->order;
	if (odo_subnet_copy(engine->subnet, &x->subnet) ||
	    odo_settings_copy_options(&engine->osm->subn.opt, &x->opt)) {
		finish_read(&x->job, ODO_DISK_SKIPPED);
		return;
	}
	odo_disk_do(*engine->disk, &x->job, true);
	if (!*engine->subnet->id) {
		uint32_t n;
		uint64_t *guid = odo_subnet_guids(engine->subnet, &engine->osm->subn, &n);
		odo_subnet_note(engine->subnet, guid, n);
	}
}

/* ---- The file for the next manager ---- */

typedef struct save_job {
	odo_disk_job job;
	odo_osm_engine *engine;
	char name[sizeof((odo_osm_engine *)NULL)->name];
	odo_subnet subnet;
	odo_routed *routed;
	odo_connections connections;
	odo_handover_file handover;
	bool keeps_good;
	unsigned good_after;
	int status, kept;
	odo_error err, why;
} save_job;

static void run_save(odo_disk_job *job)
{
	save_job *x = (save_job *)job;
	if (x->keeps_good)
		x->kept = odo_last_good_keep(&x->subnet, x->name, x->good_after, &x->why);
	x->status = odo_handover_write(&x->subnet, x->name, &x->handover, x->routed,
				       &x->connections, &x->err);
}

static void finish_save(odo_disk_job *job, odo_disk_end end)
{
	save_job *x = (save_job *)job;
	odo_osm_engine *engine = x->engine;
	osm_log_t *log = &engine->osm->log;
	if (end != ODO_DISK_SKIPPED) {
		engine->handover = x->handover;
		engine->replaced &= end != ODO_DISK_DONE;
	}
	if (x->kept)
		osm_log(log, OSM_LOG_ERROR, "odonata: the last good tables are not kept: %s\n",
			x->why.text);
	if (x->status)
		osm_log(log, OSM_LOG_ERROR,
			"odonata: the next manager will not know these tables and SLs: %s\n",
			x->err.text);
	else if (end == ODO_DISK_DONE)
		engine->unsaved = false;
	odo_subnet_clear(&x->subnet);
	odo_routed_free(x->routed);
	odo_history_free(x->connections.history);
	free(x);
}

void odo_files_save(odo_osm_engine *engine)
{
	odo_disk_do(*engine->disk, NULL, true);
	/* An earlier manager's file, which may exist, has SLs that are in use. */
	if (!engine->subnet->read)
		return;
	save_job *x = odo_new(1, sizeof *x);
	if (!x || odo_subnet_copy(engine->subnet, &x->subnet)) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: the next manager will not know these tables and SLs: %s\n",
			"no memory");
		free(x);
		return;
	}
	x->job = (odo_disk_job){run_save, finish_save};
	x->engine = engine;
	memcpy(x->name, engine->name, sizeof x->name);
	x->routed = odo_routed_share(engine->routed);
	x->connections.history = odo_history_share(engine->connections->history);
	x->handover = engine->handover;
	/* An order may name the last good tables: they stay while it is in force. */
	x->keeps_good = engine->replaced && !engine->orders->order.kind;
	x->good_after = engine->settings->options.good_after;
	odo_disk_do(*engine->disk, &x->job, true);
}

/* ---- State files ---- */

typedef struct state_job {
	odo_disk_job job;
	osm_log_t *log;
	odo_state_texts texts;
	int status;
	odo_error err;
} state_job;

static void run_state(odo_disk_job *job)
{
	state_job *x = (state_job *)job;
	x->status = odo_state_write(&x->texts, &x->err);
}

static void finish_state(odo_disk_job *job, odo_disk_end end)
{
	state_job *x = (state_job *)job;
	(void)end;
	if (x->status)
		osm_log(x->log, OSM_LOG_ERROR, "odonata: no state file: %s\n", x->err.text);
	odo_state_texts_clear(&x->texts);
	free(x);
}

void odo_files_state(odo_osm_engine *engine)
{
	odo_error err = {0};
	const char *folder = engine->osm->subn.opt.dump_files_dir;
	state_job *x = odo_new(1, sizeof *x);
	int status = x ? odo_state_prepare(folder, engine->subnet, &engine->state, &x->texts, &err)
		       : odo_fail(&err, ODO_ENOMEM, "no memory");
	odo_heartbeat_set(engine->heartbeat, engine->osm, engine->confirm, engine->subnet->stated);
	if (status) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: no state file: %s\n", err.text);
		if (x)
			odo_state_texts_clear(&x->texts);
		free(x);
		return;
	}
	x->job = (odo_disk_job){run_state, finish_state};
	x->log = &engine->osm->log;
	odo_disk_do(*engine->disk, &x->job, false);
}

/* ---- Certificates and last good tables ---- */

typedef struct certify_job {
	odo_disk_job job;
	odo_osm_engine *engine;
	char name[sizeof((odo_osm_engine *)NULL)->name], folder[ODO_PATH_ROOM];
	odo_subnet subnet;
	odo_routed *routed;
	odo_handover_file handover;
	bool reads_back;
	int status, noted;
	odo_error err, why;
} certify_job;

static void run_certify(odo_disk_job *job)
{
	certify_job *x = (certify_job *)job;
	x->status = odo_certificate_write(x->folder, &x->subnet, x->routed, &x->err);
	if (x->reads_back)
		x->noted = odo_last_good_note(&x->subnet, x->name, &x->handover, &x->why);
}

static void finish_certify(odo_disk_job *job, odo_disk_end end)
{
	certify_job *x = (certify_job *)job;
	odo_osm_engine *engine = x->engine;
	osm_log_t *log = &engine->osm->log;
	if (x->status)
		osm_log(log, OSM_LOG_ERROR, "odonata: no certificate: %s\n", x->err.text);
	else if (end == ODO_DISK_DONE)
		engine->state.uncertified = false;
	if (x->noted)
		osm_log(log, OSM_LOG_ERROR, "odonata: the last good tables are not kept: %s\n",
			x->why.text);
	odo_routed_free(x->routed);
	odo_subnet_clear(&x->subnet);
	free(x);
}

void odo_files_certify(odo_osm_engine *engine, bool read_back)
{
	certify_job *x = odo_new(1, sizeof *x);
	if (!x || odo_subnet_copy(engine->subnet, &x->subnet)) {
		osm_log(&engine->osm->log, OSM_LOG_ERROR, "odonata: no certificate: %s\n",
			"no memory");
		free(x);
		return;
	}
	x->job = (odo_disk_job){run_certify, finish_certify};
	x->engine = engine;
	memcpy(x->name, engine->name, sizeof x->name);
	snprintf(x->folder, sizeof x->folder, "%s", engine->osm->subn.opt.dump_files_dir);
	x->routed = odo_routed_share(engine->routed);
	x->handover = engine->handover;
	x->reads_back = read_back;
	odo_disk_do(*engine->disk, &x->job, true);
}

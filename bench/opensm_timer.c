/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libodonata-timer.so: an event plugin for bench_opensm.sh that times what a routing engine
 * computes inside opensm, whoever wrote the engine. It puts itself in place of the first engine's
 * two callbacks; where the engine leaves the hop matrices to OpenSM, it times OpenSM's.
 */
#include <time.h>

#include "plugin/opensm.h"

#include <opensm/osm_ucast_mgr.h>

/* One opensm has one list of engines, and its callbacks get nothing of ours to find this by. */
static struct timer {
	osm_opensm_t *osm;
	int (*matrices)(void *context);
	int (*tables)(void *context);
	double matrices_ms;
} timer;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void report_times(double tables_ms, int status)
{
	osm_log(&timer.osm->log, OSM_LOG_INFO,
		"odonata-timer: %s: matrices %.2f ms, tables %.2f ms, status %d\n",
		timer.osm->routing_engine_list->name, timer.matrices_ms, tables_ms, status);
}

static int time_matrices(void *context)
{
	double start = now();
	int status = timer.matrices ? timer.matrices(context) : 1;
	if (status > 0)
		status = osm_ucast_mgr_build_lid_matrices(&timer.osm->sm.ucast_mgr);
	timer.matrices_ms = now() - start;
	if (status || !timer.tables) /* tables by OpenSM's own function, which is out of reach */
		report_times(0, status);
	return status;
}

static int time_tables(void *context)
{
	double start = now();
	int status = timer.tables(context);
	report_times(now() - start, status);
	return status;
}

static void *create(osm_opensm_t *osm)
{
	timer.osm = osm;
	return &timer;
}

static void delete (void *data)
{
	(void)data;
}

static void report(void *data, osm_epi_event_id_t event, void *event_data)
{
	struct osm_routing_engine *engine = timer.osm->routing_engine_list;
	(void)data;
	(void)event_data;
	if (event != OSM_EVENT_ID_HEAVY_SWEEP_DONE || !engine ||
	    engine->build_lid_matrices == time_matrices)
		return;
	timer.matrices = engine->build_lid_matrices;
	timer.tables = engine->ucast_build_fwd_tables;
	engine->build_lid_matrices = time_matrices;
	if (timer.tables)
		engine->ucast_build_fwd_tables = time_tables;
}

__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = create,
	.delete = delete,
	.report = report,
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libodonata-timer.so: an event plugin for bench_opensm.sh and bench_stock.sh that times what a
 * routing engine computes inside opensm, whoever wrote the engine. It puts itself in place of the
 * first engine's two callbacks; where the engine leaves the hop matrices to OpenSM, it times
 * OpenSM's. Once the subnet is up it writes down the SL of every path, of which OpenSM has no dump.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "bench/clock.h"
#include "plugin/opensm/opensm.h"

#include <opensm/osm_ucast_mgr.h>

/* One opensm has one list of engines, and its callbacks get nothing of ours to find this by. */
static struct timer {
	osm_opensm_t *osm;
	int (*matrices)(void *context);
	int (*tables)(void *context);
	double matrices_ms;
} timer;

static double clock_ms(void)
{
	return 1e3 * bench_seconds(CLOCK_MONOTONIC);
}

static void report_times(double tables_ms, int status)
{
	osm_log(&timer.osm->log, OSM_LOG_INFO,
		"odonata-timer: %s: matrices %.2f ms, tables %.2f ms, status %d\n",
		timer.osm->routing_engine_list->name, timer.matrices_ms, tables_ms, status);
}

static int time_matrices(void *context)
{
	double start = clock_ms();
	int status = timer.matrices ? timer.matrices(context) : 1;
	if (status > 0)
		status = osm_ucast_mgr_build_lid_matrices(&timer.osm->sm.ucast_mgr);
	timer.matrices_ms = clock_ms() - start;
	if (status || !timer.tables) /* tables by OpenSM's own function, which is out of reach */
		report_times(0, status);
	return status;
}

static int time_tables(void *context)
{
	double start = clock_ms();
	int status = timer.tables(context);
	report_times(clock_ms() - start, status);
	return status;
}

static void *create_timer(osm_opensm_t *osm)
{
	timer.osm = osm;
	return &timer;
}

static void delete (void *data)
{
	(void)data;
}

static bool belongs_to_switch(const osm_port_t *port)
{
	return osm_node_get_type(port->p_node) == IB_NODE_TYPE_SWITCH;
}

/* The SLs of one adapter's paths to all LIDs, in the form of `ibdmchk -c`. */
static void write_port_sls(const osm_routing_engine_t *engine, const osm_port_t *from, FILE *to)
{
	const cl_qmap_t *ports = &timer.osm->subn.port_guid_tbl;
	const cl_map_item_t *i = cl_qmap_head(ports);
	for (; i != cl_qmap_end(ports); i = cl_qmap_next(i)) {
		uint16_t first, last;
		osm_port_get_lid_range_ho((const osm_port_t *)i, &first, &last);
		for (unsigned lid = first; first && lid <= last; lid++)
			fprintf(to, "0x%016" PRIx64 " %u %u\n",
				cl_ntoh64(osm_node_get_node_guid(from->p_node)), lid,
				engine->path_sl(engine->context, 0, osm_port_get_base_lid(from),
						cl_hton16((uint16_t)lid)));
	}
}

/* path-sl.dump beside OpenSM's own dumps, where the engine in use has a say in SLs. */
static void dump_sls(void)
{
	const osm_routing_engine_t *engine = timer.osm->routing_engine_used;
	const cl_qmap_t *ports = &timer.osm->subn.port_guid_tbl;
	const cl_map_item_t *i = cl_qmap_head(ports);
	char path[4096];
	snprintf(path, sizeof path, "%s/path-sl.dump", timer.osm->subn.opt.dump_files_dir);
	FILE *to = engine && engine->path_sl ? fopen(path, "w") : NULL;
	for (; to && i != cl_qmap_end(ports); i = cl_qmap_next(i))
		if (!belongs_to_switch((const osm_port_t *)i))
			write_port_sls(engine, (const osm_port_t *)i, to);
	if (to)
		fclose(to);
	osm_log(&timer.osm->log, OSM_LOG_INFO, "odonata-timer: ends\n");
}

static void on_event(void *data, osm_epi_event_id_t event, void *event_data)
{
	struct osm_routing_engine *engine = timer.osm->routing_engine_list;
	(void)data;
	(void)event_data;
	if (event == OSM_EVENT_ID_SUBNET_UP)
		dump_sls();
	if (event != OSM_EVENT_ID_HEAVY_SWEEP_DONE || !engine ||
	    engine->build_lid_matrices == time_matrices)
		return;
	osm_log(&timer.osm->log, OSM_LOG_INFO, "odonata-timer: begins\n");
	timer.matrices = engine->build_lid_matrices;
	timer.tables = engine->ucast_build_fwd_tables;
	engine->build_lid_matrices = time_matrices;
	if (timer.tables)
		engine->ucast_build_fwd_tables = time_tables;
}

__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = create_timer,
	.delete = delete,
	.report = on_event,
};

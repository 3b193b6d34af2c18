/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entry point of the plugin: checks that OpenSM has the known layout, then registers the engines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

#include "base/memory.h"
#include "base/version.h"
#include "plugin/opensm/abi.h"
#include "plugin/register.h"

typedef struct odo_plugin {
	osm_opensm_t *osm;
	odo_connections connections;
	odo_flaps flaps;
	odo_subnet subnet;
	odo_orders orders;
	odo_confirm confirm;
	odo_heartbeat *heartbeat;
	odo_disk *disk;
	odo_settings settings;
	size_t n_engines;
	odo_osm_engine engines[];
} odo_plugin;

static void delete_plugin(void *data)
{
	odo_plugin *plugin = data;
	bool ended = odo_heartbeat_stop(plugin->heartbeat);
	odo_disk_stop(plugin->disk);
	for (size_t i = 0; i < plugin->n_engines; i++) {
		odo_routed_free(plugin->engines[i].routed);
		odo_routed_free(plugin->engines[i].previous);
		/* Before 3.3.23 OpenSM ends engines when plugins are gone. */
		if (plugin->engines[i].slot)
			plugin->engines[i].slot->destroy = NULL;
	}
	odo_connections_replace(&plugin->connections, NULL);
	odo_flaps_clear(&plugin->flaps);
	odo_subnet_clear(&plugin->subnet);
	odo_orders_clear(&plugin->orders);
	odo_settings_clear(&plugin->settings);
	if (!ended)
		return;
	odo_confirm_clear(&plugin->confirm);
	free(plugin);
}

static void add_plugin_engine(odo_plugin *plugin, const odo_engine *row)
{
	odo_osm_engine *engine = &plugin->engines[plugin->n_engines];
	*engine = (odo_osm_engine){.osm = plugin->osm,
				   .row = row,
				   .settings = &plugin->settings,
				   .connections = &plugin->connections,
				   .flaps = &plugin->flaps,
				   .subnet = &plugin->subnet,
				   .orders = &plugin->orders,
				   .confirm = &plugin->confirm,
				   .heartbeat = &plugin->heartbeat,
				   .disk = &plugin->disk,
				   .state = {.engine_name = engine->name,
					     .settings = &plugin->settings,
					     .flaps = &plugin->flaps,
					     .orders = &plugin->orders,
					     .confirm = &plugin->confirm}};
	snprintf(engine->name, sizeof engine->name, row ? "odonata.%s" : "odonata",
		 row ? row->name : "");
	plugin->n_engines++;
}

/* @param settings owned by the plugin afterwards, unless NULL is returned */
static odo_plugin *create_engines(osm_opensm_t *osm, const odo_settings *settings)
{
	size_t n = 1;
	for (const odo_engine *row = odo_engines; row->name; row++)
		n += row->profile == ODO_PROFILE_IB;
	odo_plugin *plugin = odo_new(1, sizeof *plugin + n * sizeof *plugin->engines);
	if (!plugin)
		return NULL;
	plugin->osm = osm;
	plugin->settings = *settings;
	pthread_mutex_init(&plugin->confirm.mutex, NULL);
	plugin->disk = odo_disk_start(&osm->log);
	odo_settings_set_flaps(settings, &plugin->flaps);
	add_plugin_engine(plugin, NULL);
	for (const odo_engine *row = odo_engines; row->name; row++)
		if (row->profile == ODO_PROFILE_IB)
			add_plugin_engine(plugin, row);
	odo_register(osm, plugin->engines, plugin->n_engines);
	return plugin;
}

static void *create_plugin(osm_opensm_t *osm)
{
	odo_error err = {0};
	odo_settings settings = {0};
	if (odo_abi_check(osm, &err)) {
		/* OpenSM's log may be elsewhere, too. */
		fprintf(stderr, "odonata: not registered: %s\n", err.text);
		syslog(LOG_ERR, "odonata: not registered: %s", err.text);
		return NULL;
	}
	odo_state_remove_old(osm->subn.opt.dump_files_dir, cl_ntoh64(osm->subn.opt.guid));
	if (odo_settings_read(&settings, &osm->subn.opt, &err))
		osm_log(&osm->log, OSM_LOG_ERROR, "odonata: options are refused: %s\n", err.text);
	odo_plugin *plugin = create_engines(osm, &settings);
	if (!plugin) {
		osm_log(&osm->log, OSM_LOG_ERROR, "odonata: not registered: no memory\n");
		odo_settings_clear(&settings);
		return NULL;
	}
	osm_log(&osm->log, OSM_LOG_INFO, "odonata: version %s, commit %s, built for %s\n",
		odo_version, odo_commit, OSM_VERSION);
	return plugin;
}

/* Note which engine has routed, which is known only now. OpenSM holds no lock here. */
static void note_used(odo_plugin *plugin)
{
	const struct osm_routing_engine *used = plugin->osm->routing_engine_used;
	bool ours = false, asked = false;
	for (size_t i = 0; i < plugin->n_engines; i++) {
		asked |= plugin->engines[i].state.sweep > 0;
		ours |= plugin->engines[i].slot && plugin->engines[i].slot == used;
	}
	if (!ours && !asked)
		odo_osm_engine_not_asked(&plugin->engines[0]);
	snprintf(plugin->orders.used, sizeof plugin->orders.used, "%s", used ? used->name : "");
	if (ours)
		return;
	plugin->orders.chooses = used && used->path_sl;
	cl_plock_excl_acquire(&plugin->osm->lock);
	odo_connections_foreign(&plugin->connections, plugin->orders.chooses
							      ? (1u << ODO_N_SLS) - 1
							      : 1u << OSM_DEFAULT_SL);
	cl_plock_release(&plugin->osm->lock);
	for (size_t i = 0; i < plugin->n_engines; i++)
		odo_osm_engine_foreign(&plugin->engines[i]);
	plugin->connections.unsaved = false;
}

static void report_event(void *data, osm_epi_event_id_t event, void *event_data)
{
	odo_plugin *plugin = data;
	bool swept = (uintptr_t)event_data != UCAST_ROUTING_REROUTE;
	if (event == OSM_EVENT_ID_LFT_CHANGE)
		atomic_fetch_add(&plugin->confirm.n_answers, 1u);
	if (event == OSM_EVENT_ID_HEAVY_SWEEP_START)
		odo_confirm_hold(&plugin->confirm);
	if (event == OSM_EVENT_ID_HEAVY_SWEEP_DONE)
		odo_confirm_discovered(&plugin->confirm, plugin->osm);
	if (event == OSM_EVENT_ID_UCAST_ROUTING_DONE)
		note_used(plugin);
	if (event == OSM_EVENT_ID_SUBNET_UP)
		plugin->confirm.complete = true;
	for (size_t i = 0; i < plugin->n_engines; i++) {
		if (event == OSM_EVENT_ID_UCAST_ROUTING_DONE)
			odo_osm_engine_ucast_done(&plugin->engines[i], swept);
		else if (event == OSM_EVENT_ID_SUBNET_UP)
			odo_osm_engine_subnet_up(&plugin->engines[i]);
	}
}

/* The symbol that OpenSM looks up by this name. It compares the version, too. */
__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = create_plugin,
	.delete = delete_plugin,
	.report = report_event,
};

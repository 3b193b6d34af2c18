/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What OpenSM loads: checks that it is the OpenSM we know, then registers our engines. */
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

#include "fabric/format/guids.h"
#include "base/memory.h"
#include "plugin/engine.h"
#include "plugin/abi.h"

typedef struct odo_plugin {
	osm_opensm_t *osm;
	odo_handed handed;
	odo_flaps flaps;
	uint64_t *compute, *io; /* that the engines' options lend */
	size_t n_engines;
	odo_osm_engine engines[];
} odo_plugin;

static void delete (void *data)
{
	odo_plugin *plugin = data;
	for (size_t i = 0; i < plugin->n_engines; i++) {
		odo_routed_free(plugin->engines[i].routed);
		odo_routed_free(plugin->engines[i].left);
	}
	odo_handed_clear(&plugin->handed);
	odo_flaps_clear(&plugin->flaps);
	free(plugin->compute);
	free(plugin->io);
	free(plugin);
}

static void add_engine(odo_plugin *plugin, osm_opensm_t *osm, const odo_engine *row,
		       const odo_plugin_options *options)
{
	odo_osm_engine *engine = &plugin->engines[plugin->n_engines];
	*engine = (odo_osm_engine){.osm = osm,
				   .options = options->route,
				   .dry_run = options->dry_run,
				   .handed = &plugin->handed,
				   .flaps = &plugin->flaps};
	if (row)
		engine->engine = row->name;
	else if (*options->engine)
		engine->engine = odo_engine_find(options->engine)->name;
	snprintf(engine->name, sizeof engine->name, row ? "odonata.%s" : "odonata",
		 row ? row->name : "");
	if (odo_osm_engine_register(engine))
		osm_log(&osm->log, OSM_LOG_ERROR, "odonata: OpenSM refused engine name \"%s\"\n",
			engine->name);
	plugin->n_engines++;
}

static odo_plugin *add_engines(osm_opensm_t *osm, const odo_plugin_options *options)
{
	size_t n = 1;
	for (const odo_engine *row = odo_engines; row->name; row++)
		n += row->profile == ODO_PROFILE_IB;
	odo_plugin *plugin = odo_new(1, sizeof *plugin + n * sizeof *plugin->engines);
	if (!plugin)
		return NULL;
	plugin->osm = osm;
	plugin->flaps = (odo_flaps){.limit = options->flap_limit,
				    .window = options->flap_window,
				    .hold = options->flap_hold};
	add_engine(plugin, osm, NULL, options);
	for (const odo_engine *row = odo_engines; row->name; row++)
		if (row->profile == ODO_PROFILE_IB)
			add_engine(plugin, osm, row, options);
	return plugin;
}

/* OpenSM's list of ports of hosts; none where it names no file. */
static int read_ports(const char *path, uint64_t **guids, uint32_t *n, odo_error *err)
{
	if (!path)
		return 0;
	*guids = odo_new(ODO_LID_LIMIT, sizeof **guids);
	if (!*guids)
		return odo_fail(err, ODO_ENOMEM, "no memory");
	return odo_guids_read(path, *guids, ODO_LID_LIMIT, n, err);
}

/* OpenSM's own files. @return the option whose file is at fault, or NULL */
static const char *read_files(const osm_subn_opt_t *opt, odo_route_options *route,
			      uint64_t **compute, uint64_t **io, odo_error *err)
{
	if (opt->root_guid_file &&
	    odo_guids_read(opt->root_guid_file, route->roots, ODO_MAX_ROOTS, &route->n_roots, err))
		return "root_guid_file";
	if (read_ports(opt->cn_guid_file, compute, &route->n_compute, err))
		return "cn_guid_file";
	if (read_ports(opt->io_guid_file, io, &route->n_io, err))
		return "io_guid_file";
	route->compute = *compute;
	route->io = *io;
	return NULL;
}

static void *register_all(osm_opensm_t *osm, odo_plugin_options *options)
{
	odo_error err = {0};
	uint64_t *compute = NULL, *io = NULL;
	odo_plugin *plugin = NULL;
	const char *bad = read_files(&osm->subn.opt, &options->route, &compute, &io, &err);
	if (bad)
		osm_log(&osm->log, OSM_LOG_ERROR, "odonata: not registered: %s: %s\n", bad,
			err.text);
	else if (!(plugin = add_engines(osm, options)))
		osm_log(&osm->log, OSM_LOG_ERROR, "odonata: not registered: no memory\n");
	if (plugin) {
		plugin->compute = compute;
		plugin->io = io;
		return plugin;
	}
	free(compute);
	free(io);
	return NULL;
}

static void *create(osm_opensm_t *osm)
{
	odo_error err = {0};
	odo_plugin_options options;
	if (odo_abi_check(osm, &err)) {
		/* Not into OpenSM's log: that may be elsewhere, too. */
		fprintf(stderr, "odonata: not registered: %s\n", err.text);
		syslog(LOG_ERR, "odonata: not registered: %s", err.text);
		return NULL;
	}
	if (odo_plugin_options_parse(osm->subn.opt.event_plugin_options, &options, &err)) {
		osm_log(&osm->log, OSM_LOG_ERROR, "odonata: not registered: %s\n", err.text);
		return NULL;
	}
	return register_all(osm, &options);
}

/* Who routed is known only now. OpenSM holds no lock here. */
static void note_foreign(odo_plugin *plugin)
{
	bool ours = false;
	for (size_t i = 0; i < plugin->n_engines; i++)
		ours |= plugin->engines[i].slot &&
			plugin->engines[i].slot == plugin->osm->routing_engine_used;
	if (ours)
		return;
	cl_plock_excl_acquire(&plugin->osm->lock);
	odo_handed_foreign(&plugin->handed);
	cl_plock_release(&plugin->osm->lock);
}

static void report(void *data, osm_epi_event_id_t event, void *event_data)
{
	odo_plugin *plugin = data;
	bool swept = (uintptr_t)event_data != UCAST_ROUTING_REROUTE;
	if (event == OSM_EVENT_ID_UCAST_ROUTING_DONE)
		note_foreign(plugin);
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
	.create = create,
	.delete = delete,
	.report = report,
};

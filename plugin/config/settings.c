/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/config/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/replace.h"
#include "fabric/format/guids.h"
#include "routing/tables.h"

void odo_settings_clear(odo_settings *settings)
{
	free(settings->roots);
	free(settings->compute);
	free(settings->io);
	*settings = (odo_settings){0};
}

/* Read a list of GUIDs, if OpenSM names a file. A pipe is refused, because OpenSM would wait for
 * it. */
static int read_list(const char *path, uint64_t **guids, uint32_t *n, odo_error *err)
{
	struct stat is;
	FILE *found = NULL;
	int status = path ? odo_open_regular(path, true, UINT64_MAX, &found, &is, err) : 0;
	if (found)
		fclose(found);
	return status || !path ? status : odo_guids_read(path, guids, n, err);
}

static int read_guid_lists(const osm_subn_opt_t *opt, odo_settings *to, odo_error *err)
{
	odo_route_options *route = &to->options.route;
	const struct {
		const char *name, *path;
		uint64_t **list;
		uint32_t *n;
	} rows[] = {{"root_guid_file", opt->root_guid_file, &to->roots, &route->n_roots},
		    {"cn_guid_file", opt->cn_guid_file, &to->compute, &route->n_compute},
		    {"io_guid_file", opt->io_guid_file, &to->io, &route->n_io}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (read_list(rows[i].path, rows[i].list, rows[i].n, err))
			return odo_fail_within(err, "%s", rows[i].name);
	route->roots = to->roots;
	route->compute = to->compute;
	route->io = to->io;
	return 0;
}

static uint64_t digest_list(uint64_t before, const uint64_t *list, uint32_t n)
{
	return odo_hash_more(odo_hash_more(before, &n, sizeof n), list, n * sizeof *list);
}

static uint32_t digest_of_choice(const odo_plugin_options *options)
{
	const odo_route_options *x = &options->route;
	const uint32_t numbers[] = {x->max_vls, x->max_sls, x->strict, x->no_fallback,
				    x->spread_lids};
	uint64_t all = odo_hash_bytes(options->engine, strlen(options->engine) + 1);
	all = odo_hash_more(all, numbers, sizeof numbers);
	all = digest_list(all, x->roots, x->n_roots);
	all = digest_list(all, x->compute, x->n_compute);
	all = digest_list(all, x->io, x->n_io);
	return (uint32_t)(all ^ all >> 32);
}

/* The strings of OpenSM's options that are read here. */
#define STRINGS(x)                                                                                 \
	{                                                                                          \
		&(x)->event_plugin_options, &(x)->root_guid_file, &(x)->cn_guid_file,              \
			&(x)->io_guid_file                                                         \
	}
enum { N_STRINGS = 4 };

int odo_settings_copy_options(const osm_subn_opt_t *opt, osm_subn_opt_t *to)
{
	char *const *from[N_STRINGS] = STRINGS(opt);
	char **copy[N_STRINGS] = STRINGS(to);
	int status = 0;
	for (unsigned i = 0; i < N_STRINGS; i++)
		if (*from[i] && !(*copy[i] = strdup(*from[i])))
			status = ODO_ENOMEM;
	return status;
}

void odo_settings_free_options(osm_subn_opt_t *copy)
{
	char **strings[N_STRINGS] = STRINGS(copy);
	for (unsigned i = 0; i < N_STRINGS; i++)
		free(*strings[i]);
}

int odo_settings_parse(odo_settings *read, const osm_subn_opt_t *opt)
{
	odo_error *err = &read->refused;
	int status = odo_plugin_options_parse(opt->event_plugin_options, &read->options, err);
	if (!status)
		status = read_guid_lists(opt, read, err);
	read->choice = digest_of_choice(&read->options);
	return status;
}

/* @return true if any option has changed */
static bool put_into_force(odo_settings *settings, odo_settings *read)
{
	if (read->refused.status) {
		if (!settings->in_force)
			settings->options.dry_run = read->options.dry_run;
		/* Tables that are kept are read back also if no options were ever accepted. */
		if (!settings->options.read_back_rate) {
			settings->options.read_back_seconds = read->options.read_back_seconds;
			settings->options.read_back_rate = read->options.read_back_rate;
			settings->options.disk_wait = read->options.disk_wait;
		}
		settings->refused = read->refused;
		odo_settings_clear(read);
		return false;
	}
	bool changed = read->choice != settings->choice ||
		       strcmp(settings->options.text, read->options.text) != 0;
	read->in_force = true;
	read->holds_fallback = settings->holds_fallback;
	read->n_served = settings->n_served;
	odo_settings_clear(settings);
	*settings = *read;
	*read = (odo_settings){0};
	return changed;
}

int odo_settings_read(odo_settings *settings, const osm_subn_opt_t *opt, odo_error *err)
{
	odo_settings read = {0};
	int status = odo_settings_parse(&read, opt);
	*err = read.refused;
	(void)put_into_force(settings, &read);
	return status;
}

void odo_settings_set_flaps(const odo_settings *settings, odo_flaps *flaps)
{
	flaps->limit = settings->options.flap_limit;
	flaps->window = settings->options.flap_window;
	flaps->hold = settings->options.flap_hold;
}

/* Without options in force the switches keep their tables: minhop, which nobody listed, may
 * deadlock. A dry run leaves the routing to others in any case. */
static void hold_fallback(odo_settings *settings, osm_opensm_t *osm)
{
	bool hold = !settings->in_force && !settings->options.dry_run;
	if (hold == settings->holds_fallback || (hold && osm->no_fallback_routing_engine))
		return;
	osm->no_fallback_routing_engine = settings->holds_fallback = hold;
}

static void log_refusal(const odo_settings *settings, osm_opensm_t *osm, const char *why)
{
	if (settings->in_force)
		osm_log(&osm->log, OSM_LOG_ERROR,
			"odonata: changed options are refused, and the old ones stay in force; the "
			"next start of opensm will refuse them too: %s\n",
			why);
	else
		osm_log(&osm->log, OSM_LOG_ERROR,
			"odonata: options are refused, so that none are in force: new routes are "
			"not made, and minhop does not follow unless it is listed: %s\n",
			why);
}

void odo_settings_adopt(odo_settings *settings, odo_settings *read, osm_opensm_t *osm,
			odo_flaps *flaps)
{
	bool refused = read->refused.status != 0, changed = put_into_force(settings, read);
	if (refused)
		log_refusal(settings, osm, settings->refused.text);
	hold_fallback(settings, osm);
	if (refused)
		return;
	odo_settings_set_flaps(settings, flaps);
	if (changed)
		osm_log(&osm->log, OSM_LOG_INFO, "odonata: new options are in force: %s\n",
			*settings->options.text ? settings->options.text : "none");
}

/*
 * Parse a VL arbitration table as OpenSM does: "VL:weight,VL:weight,...", VLs modulo 15, weights of
 * 8 bits. (emulator/vlarb.h refuses what OpenSM bends here.)
 * @return VLs with a weight, a bit each
 */
static unsigned weighted_vls(const char *table)
{
	unsigned vls = 0;
	while (*table) {
		char *end;
		unsigned vl = (unsigned)strtoul(table, &end, 0) % ODO_MAX_VLS;
		unsigned weight = *end == ':' ? (uint8_t)strtoul(end + 1, &end, 0) : 0;
		vls |= (unsigned)(weight > 0) << vl;
		while (*end && *end != ',')
			end++;
		table = *end ? end + 1 : end;
	}
	return vls;
}

static const char *first_given(const char *own, const char *all, const char *otherwise)
{
	return own ? own : all ? all : otherwise;
}

static unsigned served_vls(const osm_qos_options_t *own, const osm_qos_options_t *all)
{
	unsigned vls = weighted_vls(first_given(own->vlarb_high, all->vlarb_high,
						OSM_DEFAULT_QOS_VLARB_HIGH)) |
		       weighted_vls(first_given(own->vlarb_low, all->vlarb_low,
						OSM_DEFAULT_QOS_VLARB_LOW));
	unsigned n = 0;
	while (n < ODO_MAX_VLS && vls >> n & 1)
		n++;
	return n;
}

/* @param option gets the names of the options that limit the VLs, or NULL */
static unsigned served_by_all(const osm_subn_opt_t *opt, const char **option)
{
	unsigned of_hosts = served_vls(&opt->qos_ca_options, &opt->qos_options);
	unsigned of_switches = served_vls(&opt->qos_swe_options, &opt->qos_options);
	unsigned n = of_hosts < of_switches ? of_hosts : of_switches;
	*option = NULL;
	if (!opt->qos || n == ODO_MAX_VLS)
		return ODO_MAX_VLS;
	*option = of_switches == n ? "qos_swe_vlarb_high and _low, or qos_vlarb_high and _low"
				   : "qos_ca_vlarb_high and _low, or qos_vlarb_high and _low";
	return n;
}

void odo_settings_limit_vls(odo_settings *settings, osm_opensm_t *osm, odo_route_options *route)
{
	const char *option;
	unsigned n = served_by_all(&osm->subn.opt, &option);
	unsigned most = n ? n : 1; /* without any served VL only VL 0 remains */
	if (option && n != settings->n_served)
		osm_log(&osm->log, OSM_LOG_INFO,
			"odonata: options %s give VL %u no weight, so that packets on it would "
			"never be sent: at most %u VLs are used\n",
			option, n, most);
	settings->n_served = n;
	if (option && (!route->max_vls || most < route->max_vls))
		route->max_vls = most;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fabric/format/guids.h"

void odo_settings_clear(odo_settings *settings)
{
	free(settings->roots);
	free(settings->compute);
	free(settings->io);
	*settings = (odo_settings){0};
}

/* None where OpenSM names no file. */
static int read_list(const char *path, uint64_t **guids, uint32_t *n, odo_error *err)
{
	return path ? odo_guids_read(path, guids, n, err) : 0;
}

static int read_lists(const osm_subn_opt_t *opt, odo_settings *to, odo_error *err)
{
	odo_route_options *route = &to->options.route;
	const char *name = "root_guid_file";
	int status = read_list(opt->root_guid_file, &to->roots, &route->n_roots, err);
	if (!status) {
		name = "cn_guid_file";
		status = read_list(opt->cn_guid_file, &to->compute, &route->n_compute, err);
	}
	if (!status) {
		name = "io_guid_file";
		status = read_list(opt->io_guid_file, &to->io, &route->n_io, err);
	}
	route->roots = to->roots;
	route->compute = to->compute;
	route->io = to->io;
	return status ? odo_fail_within(err, "%s", name) : 0;
}

static uint64_t digest_list(uint64_t before, const uint64_t *list, uint32_t n)
{
	return odo_hash_more(odo_hash_more(before, &n, sizeof n), list, n * sizeof *list);
}

static uint32_t choice_of(const odo_plugin_options *options)
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

int odo_settings_read(odo_settings *settings, const osm_subn_opt_t *opt, bool *changed,
		      odo_error *err)
{
	odo_settings read = {0};
	int status = odo_plugin_options_parse(opt->event_plugin_options, &read.options, err);
	if (!status)
		status = read_lists(opt, &read, err);
	if (status) {
		odo_settings_clear(&read);
		settings->refused = *err;
		return status;
	}
	read.choice = choice_of(&read.options);
	if (changed)
		*changed = read.choice != settings->choice ||
			   strcmp(settings->options.text, read.options.text) != 0;
	odo_settings_clear(settings);
	*settings = read;
	return 0;
}

void odo_settings_set_flaps(const odo_settings *settings, odo_flaps *flaps)
{
	flaps->limit = settings->options.flap_limit;
	flaps->window = settings->options.flap_window;
	flaps->hold = settings->options.flap_hold;
}

void odo_settings_read_again(odo_settings *settings, osm_opensm_t *osm, odo_flaps *flaps)
{
	odo_error err = {0};
	bool changed = false;
	if (odo_settings_read(settings, &osm->subn.opt, &changed, &err)) {
		osm_log(&osm->log, OSM_LOG_ERROR,
			"odonata: the options stay as they were, and the next start of opensm "
			"will refuse them: %s\n",
			err.text);
		return;
	}
	odo_settings_set_flaps(settings, flaps);
	if (changed)
		osm_log(&osm->log, OSM_LOG_INFO, "odonata: new options are in force: %s\n",
			*settings->options.text ? settings->options.text : "none");
}

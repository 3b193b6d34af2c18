/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/live.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/terminal/answer.h"
#include "export/import.h"

bool cli_is_live(const char *spec)
{
	return !strncmp(spec, "live", 4) && (!spec[4] || spec[4] == ':');
}

#ifdef ODONATA_LIVE
#include "base/number.h"
#include "fabric/transform/transform.h"
#include "live/adapters.h"

/** Parse the FABRIC argument of a live subnet.
 * @param adapter [size] gets the adapter's name, "" for any */
static int parse_live_spec(const char *spec, char *adapter, size_t size, unsigned *port,
			   odo_error *err)
{
	const char *name = spec[4] ? spec + 5 : "";
	size_t length = strcspn(name, ":");
	if (length >= size ||
	    (name[length] && odo_read_number32(name + length + 1, 1, ODO_MAX_PORTS, port, NULL)))
		return odo_fail(err, ODO_EINPUT,
				"expected live, live:ADAPTER or live:ADAPTER:PORT, found '%s'",
				spec);
	memcpy(adapter, name, length);
	adapter[length] = '\0';
	return ODO_OK;
}

static void show_count(void *step, const char *what, size_t done, size_t n)
{
	cli_step_at(step, (double)done / (double)n, "%s: %zu of %zu", what, done, n);
}

int cli_live_open(const char *spec, uint8_t lmc, const odo_live_options *wanted,
		  odo_live_tables *installed, odo_fabric **out, odo_error *err)
{
	char adapter[64];
	odo_live_options options = *wanted;
	odo_builder *builder;
	cli_step step;
	int status = parse_live_spec(spec, adapter, sizeof adapter, &options.port, err);
	options.progress = show_count;
	options.progress_context = &step;
	if (!status && *adapter)
		options.adapter = adapter;
	if (!status)
		status = odo_builder_create(&builder, err);
	if (status)
		return status;
	cli_step_begin(&step, "discovering the subnet");
	status = cli_step_end(&step, odo_live_read(&options, builder, installed, err));
	if (status) {
		odo_builder_free(builder);
		return status;
	}
	odo_fabric *found;
	status = odo_builder_freeze(builder, ODO_LIDS_FILL, lmc, &found, err);
	if (!status) {
		status = odo_fabric_sort(found, out, err); /* as a file */
		odo_fabric_free(found);
	}
	return status;
}

int cli_live_install(const char *spec, uint64_t key, odo_install *install, cli_step *step,
		     odo_error *err)
{
	char adapter[64];
	odo_live_options options = {.key = key, .progress = show_count, .progress_context = step};
	int status = parse_live_spec(spec, adapter, sizeof adapter, &options.port, err);
	if (!status && *adapter)
		options.adapter = adapter;
	if (!status)
		status = odo_live_install(&options, install, err);
	return status;
}

int cli_live_probe(const char *spec, uint64_t key, odo_probe **out, size_t *n,
		   odo_probe_trial *trial, odo_error *err)
{
	char adapter[64];
	cli_step step;
	odo_live_options options = {.key = key, .progress = show_count, .progress_context = &step};
	int status = parse_live_spec(spec, adapter, sizeof adapter, &options.port, err);
	if (status)
		return status;
	if (*adapter)
		options.adapter = adapter;
	cli_step_begin(&step, "discovering the subnet");
	return cli_step_end(&step, odo_live_probe(&options, out, n, trial, err));
}

void cli_live_adapters(json_t **rows)
{
	odo_adapter_port *ports;
	size_t n, n_closed;
	odo_error err;
	if (odo_adapters_list(&ports, &n, &n_closed, &err)) {
		cli_append(rows, NULL);
		return;
	}
	if (n_closed)
		fprintf(stderr, "odonata: list: %zu adapters that you may not use are not listed\n",
			n_closed);
	else if (!n)
		fputs("odonata: list: expected an adapter, but libibverbs finds none on this "
		      "machine\n",
		      stderr);
	for (size_t i = 0; i < n; i++)
		cli_append(rows, json_pack("{ss si ss ss si sb}", "adapter", ports[i].adapter,
					   "port", ports[i].port, "state", ports[i].state,
					   "link_layer", ports[i].link_layer, "lid", ports[i].lid,
					   "usable", ports[i].usable));
	free(ports);
}

#else

void cli_live_adapters(json_t **rows)
{
	(void)rows;
	fputs("odonata: list: this program was built without libibverbs\n", stderr);
}

int cli_live_install(const char *spec, uint64_t key, odo_install *install, cli_step *step,
		     odo_error *err)
{
	(void)key;
	(void)install;
	(void)step;
	return odo_fail(err, ODO_EIO, "%s: this program was built without libibnetdisc", spec);
}

int cli_live_probe(const char *spec, uint64_t key, odo_probe **out, size_t *n,
		   odo_probe_trial *trial, odo_error *err)
{
	(void)key;
	(void)out;
	(void)n;
	(void)trial;
	return odo_fail(err, ODO_EIO, "%s: this program was built without libibnetdisc", spec);
}

int cli_live_open(const char *spec, uint8_t lmc, const odo_live_options *wanted,
		  odo_live_tables *installed, odo_fabric **out, odo_error *err)
{
	(void)lmc;
	(void)wanted;
	(void)installed;
	(void)out;
	return odo_fail(err, ODO_EIO, "%s: this program was built without libibnetdisc", spec);
}

#endif

static int compare_arbitration_ports(const void *a, const void *b)
{
	const odo_live_arbitration *x = a, *y = b;
	return x->guid != y->guid ? (x->guid > y->guid) - (x->guid < y->guid) : x->port - y->port;
}

int cli_live_arbitrate(const odo_live_tables *installed, odo_tables *t, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	size_t n = installed->n_arbitration;
	odo_live_arbitration *sorted = odo_new(n, sizeof *sorted);
	t->served = odo_new(f->n_slots, sizeof *t->served);
	if (!sorted || !t->served) {
		free(sorted);
		return odo_fail(err, ODO_ENOMEM, "no memory for VL arbitration");
	}
	if (n)
		memcpy(sorted, installed->arbitration, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_arbitration_ports);
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		odo_live_arbitration key = {.guid = f->node_guid[f->owner[slot]],
					    .port = (uint8_t)odo_port(f, slot)};
		const odo_live_arbitration *found = bsearch(&key, sorted, n, sizeof *sorted,
							    compare_arbitration_ports);
		t->served[slot] = found ? found->served : UINT16_MAX;
	}
	free(sorted);
	return 0;
}

const char *cli_live_name(const odo_fabric *f, uint64_t guid)
{
	for (uint32_t v = 0; f && v < f->n_nodes; v++)
		if (f->node_guid[v] == guid)
			return odo_name(f, v);
	return "";
}

static const char *const table_name[] = {[ODO_LIVE_FORWARDING] = "forwarding table",
					 [ODO_LIVE_MAPS] = "SL2VL tables",
					 [ODO_LIVE_NODE] = "anything",
					 [ODO_LIVE_ARBITRATION] = "VL arbitration",
					 [ODO_LIVE_MULTICAST] = "multicast table",
					 [ODO_LIVE_COUNTERS] = "port counters"};

/* Refuse tables that were not all read, except for a proof, which can say that it is incomplete. */
static int refuse_partial(const odo_live_tables *installed, const odo_fabric *f, odo_error *err)
{
	for (size_t i = 0; i < installed->n_unread; i++) {
		const odo_live_unread *x = &installed->unread[i];
		if (x->table == ODO_LIVE_FORWARDING || x->table == ODO_LIVE_MAPS)
			return odo_fail(err, ODO_EIO,
					"\"%.64s\" (GUID 0x%016" PRIx64
					") does not answer for its %s: expected all tables. "
					"'odonata verify live' proves the tables that can be read",
					cli_live_name(f, x->guid), x->guid, table_name[x->table]);
	}
	return 0;
}

int cli_live_import(const odo_live_tables *installed, const odo_fabric *f, bool for_proof,
		    odo_tables **out, odo_error *err)
{
	static const char *const origin[ODO_LIVE_TEXTS] = {"installed LFTs", "installed SL2VL maps",
							   "path records"};
	odo_import *in;
	int status = for_proof ? 0 : refuse_partial(installed, f, err);
	if (!status)
		status = (for_proof ? odo_import_create_for_proof : odo_import_create)(f, &in, err);
	if (status)
		return status;
	for (int i = 0; i < ODO_LIVE_TEXTS && !status; i++)
		if (installed->size[i])
			status = odo_import_text(in, installed->text[i], installed->size[i],
						 origin[i], err);
	if (status) {
		odo_import_free(in);
		return status;
	}
	*out = NULL;
	status = odo_import_finish(in, out, err);
	if (!status)
		(*out)->from.assumes_sls = installed->no_manager && !odo_tables_sls_alike(*out);
	for (size_t i = 0; i < installed->n_unread && !status; i++) {
		(*out)->from.lacks_lfts |= installed->unread[i].table == ODO_LIVE_FORWARDING ||
					   installed->unread[i].table == ODO_LIVE_NODE;
		(*out)->from.lacks_maps |= installed->unread[i].table == ODO_LIVE_MAPS;
	}
	if (!status)
		status = cli_live_arbitrate(installed, *out, err);
	if (status) {
		odo_tables_free(*out);
		*out = NULL;
	}
	return status;
}

bool cli_live_is_partial(const odo_live_tables *installed, const odo_tables *t)
{
	return installed->n_unread || installed->n_without_record ||
	       ((installed->sampled || installed->drawn) && t->n_sls > 1);
}

static bool lacks_read_tables(const odo_live_tables *installed, uint64_t guid)
{
	bool lacks = false;
	for (size_t i = 0; i < installed->n_unread && !lacks; i++) {
		const odo_live_unread *x = &installed->unread[i];
		lacks = x->guid == guid &&
			(x->table == ODO_LIVE_FORWARDING || x->table == ODO_LIVE_MAPS);
	}
	return lacks;
}

/** Write a time for people. */
static json_t *json_date(time_t at)
{
	char text[64] = "?";
	struct tm parts;
	if (localtime_r(&at, &parts))
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
	return json_string(text);
}

void cli_live_answer_read(json_t **answer, const odo_live_tables *installed, const odo_fabric *f,
			  bool for_people)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < f->n_switches; v++)
		n += !lacks_read_tables(installed, f->node_guid[v]);
	if (!installed->began)
		return;
	if (!for_people) {
		cli_put(answer, "tables_read",
			json_pack("{si si sI sI}", "switches", (int)n, "of", (int)f->n_switches,
				  "from_seconds", (json_int_t)installed->began, "until_seconds",
				  (json_int_t)installed->ended));
		return;
	}
	json_t *from = json_date(installed->began), *until = json_date(installed->ended);
	cli_put(answer, "tables_read",
		json_sprintf("%u of %u switches, from %s to %s", n, f->n_switches,
			     json_string_value(from), json_string_value(until)));
	json_decref(from);
	json_decref(until);
}

void cli_live_answer_unread(json_t **answer, const odo_live_tables *installed, const odo_fabric *f)
{
	json_t *rows = json_array();
	for (size_t i = 0; i < installed->n_unread; i++) {
		const odo_live_unread *x = &installed->unread[i];
		char table[48];
		snprintf(table, sizeof table, x->port ? "%s of the node behind port %u" : "%s",
			 table_name[x->table], x->port);
		cli_append(&rows, json_pack("{ss so so}", "table", table, "of",
					    cli_json_text(cli_live_name(f, x->guid)), "guid",
					    cli_json_guid(x->guid)));
	}
	if (installed->n_unread)
		cli_put(answer, "not_read", rows);
	else
		json_decref(rows);
}

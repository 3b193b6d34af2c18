/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata export: tables as files for other tools. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "cli/subnets.h"
#include "cli/system.h"
#include "export/slurm.h"

typedef struct settings {
	const odo_export_format *format; /**< NULL: all formats, into a folder */
	const char *nodes, *was;
	odo_slurm_options slurm; /**< contents of these files */
} settings;

/** Return true if only a file about nodes is written. */
static bool is_for_nodes(const settings *own)
{
	return own->format && own->format->write_nodes;
}

/** Refuse options that only --format slurm uses. Slurm has one file for all fabrics. */
static void check_export(cli_call *call)
{
	static const char *const of_slurm[] = {"nodes", "was", "block", "yaml"};
	const settings *own = call->settings;
	bool idle = own->format && !own->format->write_nodes;
	call->as_whole = is_for_nodes(own);
	for (size_t i = 0; idle && i < sizeof of_slurm / sizeof *of_slurm; i++)
		if (cli_is_given(call, of_slurm[i]))
			cli_usage_error(call, "--%s: expected --format slurm, found %s",
					of_slurm[i], own->format->name);
}

static void set_tables_format(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	const odo_export_format *format = odo_export_find(text);
	(void)flag;
	if (!format)
		cli_usage_error(call,
				"--format: expected a format of tables, found '%s'; 'odonata list "
				"formats' lists them",
				text);
	*(const odo_export_format **)to = format;
}

static int write_format(const settings *own, const odo_export_format *format, const cli_system *s,
			FILE *to, odo_error *err)
{
	return format->write_nodes
		       ? format->write_nodes(s->fabric, s->coordinates, &own->slurm, to, err)
		       : format->write(s->tables, s->coordinates, to, err);
}

/** Return the path of a file in a folder, for free(): "FOLDER/odonata-part2.lfts". */
static char *export_path_of(const cli_call *call, const odo_export_format *format)
{
	char *path, part[32] = "";
	if (cli_is_one_of_several(call))
		snprintf(part, sizeof part, "-part%u", call->subnets->n_done + 1);
	return asprintf(&path, "%s/odonata%s%s", call->output, part, format->suffix) < 0 ? NULL
											 : path;
}

static int write_format_file(const settings *own, const char *path, const odo_export_format *format,
			     const cli_system *s, odo_error *err)
{
	if (!path)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	cli_file file;
	int status = cli_file_open(path, &file, err);
	if (!status)
		status = cli_file_close(&file, write_format(own, format, s, file.to, err), err);
	return status;
}

static int write_folder(cli_call *call, const cli_system *s, odo_error *err)
{
	const settings *own = call->settings;
	call->result = json_array();
	int status = ODO_OK;
	for (const odo_export_format *format = odo_export_formats; format->name && !status;
	     format++) {
		if (own->format && own->format != format)
			continue;
		/* A machine may have adapters in several parts: it is one node in all of them. */
		if (format->write_nodes && cli_is_one_of_several(call))
			continue;
		char *path = export_path_of(call, format);
		status = write_format_file(own, path, format, s, err);
		json_t *name = path ? json_string(path) : NULL;
		free(path);
		if (status == ODO_EDECLINE && !own->format) { /* it cannot express these tables */
			status = 0;
			json_decref(name);
			continue;
		}
		cli_append(&call->result,
			   json_pack("{ss* ss so ss}", "tables", call->origin, "format",
				     format->name, "file", name, "summary", format->summary));
	}
	return status ? status : cli_check_answer(call->result, err);
}

static int write_single_format(cli_call *call, const cli_system *s, odo_error *err)
{
	const settings *own = call->settings;
	if (!call->json && own->format->of_one && cli_is_one_of_several(call))
		return odo_fail(err, ODO_EDECLINE,
				"a file of format %s is about one subnet: expected --output with "
				"an existing folder, --json or --part",
				own->format->name);
	if (!call->json)
		return cli_name_output(call->output,
				       write_format(own, own->format, s, call->out, err), err);
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	int status = to ? write_format(own, own->format, s, to, err)
			: odo_fail(err, ODO_ENOMEM, "out of memory");
	if (to && odo_text_close(to, &text) && !status)
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!status) {
		call->result = json_pack("{ss* ss so}", "tables", call->origin, "format",
					 own->format->name, "text", json_stringn(text, size));
		status = cli_check_answer(call->result, err);
	}
	free(text);
	return status;
}

static int write_with_progress(cli_call *call, const cli_system *s, odo_error *err)
{
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	cli_step_begin(&step, "writing tables");
	odo_tables t = {0};
	cli_system watched = *s;
	if (s->tables)
		t = odo_tables_watched(s->tables, &watch);
	watched.tables = &t;
	int status = (call->out ? write_single_format : write_folder)(call, &watched, err);
	return cli_step_end(&step, status);
}

static int read_slurm_lists(settings *own, odo_error *err)
{
	odo_slurm_options *o = &own->slurm;
	int status = 0;
	o->needs_nodes = own->format; /* an export of all formats may do without nodes */
	if (own->nodes)
		status = odo_slurm_read_list(own->nodes, "--nodes", &o->nodes, err);
	return !status && own->was ? odo_slurm_read_was(own->was, o, err) : status;
}

/** Report notes on standard error, and in the answer for a single format. */
static void report_notes(cli_call *call, const char *notes)
{
	json_t *rows = json_array();
	for (const char *end; notes && *notes; notes = end + 1) {
		end = notes + strcspn(notes, "\n");
		fprintf(stderr, "odonata: warning: %.*s\n", (int)(end - notes), notes);
		cli_append(&rows, json_stringn(notes, (size_t)(end - notes)));
		if (!*end)
			break;
	}
	if (json_is_object(call->result) && (!rows || json_array_size(rows)))
		cli_put(&call->result, "warnings", rows);
	else
		json_decref(rows);
}

/** Write the files, and report notes that were collected meanwhile. */
static int write_and_report(cli_call *call, const cli_system *s, odo_error *err)
{
	settings *own = call->settings;
	char *notes = NULL;
	size_t size;
	int status = read_slurm_lists(own, err);
	if (!status && !(own->slurm.notes = open_memstream(&notes, &size)))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!status)
		status = write_with_progress(call, s, err);
	if (own->slurm.notes) {
		bool answered = call->result;
		int closed = odo_text_close(own->slurm.notes, &notes);
		report_notes(call, notes);
		if (!status && (closed || (answered && !call->result)))
			status = odo_fail(err, ODO_ENOMEM, "out of memory");
	}
	free(notes);
	odo_slurm_options_clear(&own->slurm);
	return status;
}

/** Write Slurm's file: tables play no part in it, and each part has its own map. */
static int write_nodes(cli_call *call, const cli_system *s, odo_error *err)
{
	settings *own = call->settings;
	odo_slurm_part part[CLI_MOST_SUBNETS];
	cli_part_maps maps;
	int status = cli_part_maps_make(s, &maps, err);
	for (size_t i = 0; i < maps.n; i++)
		part[i] = (odo_slurm_part){maps.c[i], maps.origin[i].node};
	own->slurm.parts = part;
	own->slurm.n_parts = maps.n;
	if (!status)
		status = write_and_report(call, s, err);
	cli_part_maps_clear(&maps);
	return status;
}

static int run_export(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	if (call->out && !own->format) {
		call->code = cli_refuse(
			call,
			"expected --format, or --output with an existing folder for all formats");
		return 0;
	}
	int status = is_for_nodes(own) ? cli_system_map(call, system, err)
				       : cli_system_route(call, system, err);
	if (!status && call->origin && !is_for_nodes(own))
		fprintf(stderr, "odonata: export: these tables are %s\n", call->origin);
	if (!status && (!own->format || own->format->has_sls))
		status = cli_need_sls(call, system, err);
	if (!status)
		status = (is_for_nodes(own) ? write_nodes : write_and_report)(call, system, err);
	return status;
}

static const cli_flag flags[] = {
	{"format", 'f', "NAME", "File format ('odonata list formats')",
	 "File format ('odonata list formats'); all of them if --output is a folder",
	 .set = set_tables_format, .offset = offsetof(settings, format)},
	{"nodes", 0, "LIST", NULL,
	 "For slurm: Slurm's nodes, as n[01-64],login1, or file:FILE; other machines are left out, "
	 "and nodes that the fabric lacks are named",
	 CLI_TEXT(settings, nodes)},
	{"was", 0, "FILE", NULL,
	 "For slurm: the previous topology.conf; switches keep their names, and nodes that are "
	 "down keep their place",
	 CLI_TEXT(settings, was)},
	{"block", 0, NULL, NULL,
	 "For slurm: write blocks for topology/block, one for each leaf, instead of a tree",
	 CLI_BOOL(settings, slurm.block)},
	{"yaml", 0, NULL, NULL, "For slurm: write a topology.yaml instead of a topology.conf",
	 CLI_BOOL(settings, slurm.yaml)},
	{0}};

static const cli_example examples[] = {
	{"odonata export dragonfly.net --format lfts -o dragonfly.lfts",
	 "Forwarding tables for 'opensm -R file -U dragonfly.lfts'", CLI_OK},
	{"mkdir -p tables && odonata export dragonfly.net -o tables",
	 "Every format, each in a file of its own", CLI_OK},
	{0}};

const cli_command cli_export = {
	.name = "export",
	.arguments = "FABRIC...",
	.summary = "Write the tables of a routing for other tools",
	.about =
		"Map, route and prove a fabric, and write its tables in the file format of another "
		"tool. If --output is an existing folder, write files named odonata.* into it.",
	.flags = flags,
	.each = true,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.folders = true,
	.settings_size = sizeof(settings),
	.check = check_export,
	.run = run_export,
	.examples = examples,
};

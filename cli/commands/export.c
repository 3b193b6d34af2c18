/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata export: tables as files for other tools. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "export/slurm.h"

typedef struct settings {
	const odo_export_format *format; /**< NULL: all formats, into a folder */
	const char *adapters, *nodes, *names, *was;
	odo_slurm_options slurm; /**< contents of these files */
} settings;

enum { KEY_ADAPTERS = 0x200, KEY_NODES, KEY_NAMES, KEY_WAS };

/** Refuse options that would be ignored. */
static void refuse_other_formats(const settings *own, struct argp_state *state)
{
	const char *given = own->adapters ? "adapters"
			    : own->nodes  ? "nodes"
			    : own->names  ? "names"
			    : own->was    ? "was"
					  : NULL;
	if (given && own->format && !own->format->write_nodes)
		argp_error(state, "--%s: expected --format slurm, found %s", given,
			   own->format->name);
}

static error_t parse_export(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
	const char **slurm = key == KEY_ADAPTERS ? &own->adapters
			     : key == KEY_NODES  ? &own->nodes
			     : key == KEY_NAMES  ? &own->names
			     : key == KEY_WAS    ? &own->was
						 : NULL;
	if (slurm)
		*slurm = arg;
	if (key == ARGP_KEY_END)
		refuse_other_formats(own, state);
	if (slurm || key == ARGP_KEY_END)
		return 0;
	if (key != 'f')
		return ARGP_ERR_UNKNOWN;
	for (const odo_export_format *format = odo_export_formats; format->name; format++)
		if (!strcmp(format->name, arg))
			own->format = format;
	if (!own->format)
		argp_error(state,
			   "--format: expected a format of tables, found '%s'; 'odonata list "
			   "formats' names them",
			   arg);
	return 0;
}

static int write_format(const settings *own, const odo_export_format *format, const cli_system *s,
			FILE *to, odo_error *err)
{
	return format->write_nodes
		       ? format->write_nodes(s->tables, s->coordinates, &own->slurm, to, err)
		       : format->write(s->tables, s->coordinates, to, err);
}

static int write_format_file(const settings *own, const char *folder,
			     const odo_export_format *format, const cli_system *s, odo_error *err)
{
	char *path;
	if (asprintf(&path, "%s/odonata%s", folder, format->suffix) < 0)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	cli_file file;
	int status = cli_file_open(path, &file, err);
	if (!status) {
		status = cli_name_output(path, write_format(own, format, s, file.to, err), err);
		if (status)
			cli_file_close(&file, false, NULL);
		else
			status = cli_file_close(&file, true, err);
	}
	free(path);
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
		status = write_format_file(own, call->output, format, s, err);
		if (!status &&
		    json_array_append_new(
			    call->result,
			    json_pack("{ss* ss so ss}", "tables", call->origin, "format",
				      format->name, "file",
				      json_sprintf("%s/odonata%s", call->output, format->suffix),
				      "summary", format->summary)))
			status = odo_fail(err, ODO_ENOMEM, "out of memory");
	}
	return status;
}

static int write_single_format(cli_call *call, const cli_system *s, odo_error *err)
{
	const settings *own = call->settings;
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
		if (!call->result)
			status = odo_fail(err, ODO_ENOMEM, "out of memory");
	}
	free(text);
	return status;
}

static int write_with_progress(cli_call *call, const cli_system *s, odo_error *err)
{
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	cli_step_begin(&step, "writing tables");
	s->tables->watch = &watch;
	int status = (call->out ? write_single_format : write_folder)(call, s, err);
	s->tables->watch = NULL;
	return cli_step_end(&step, status);
}

static int read_slurm_lists(settings *own, odo_error *err)
{
	odo_slurm_options *o = &own->slurm;
	int status = 0;
	o->needs_nodes = own->format; /* an export of all formats may do without nodes */
	if (own->adapters)
		status = odo_slurm_read_list(own->adapters, "--adapters", &o->adapters, err);
	if (!status && own->nodes)
		status = odo_slurm_read_list(own->nodes, "--nodes", &o->nodes, err);
	if (!status && own->names)
		status = odo_slurm_read_names(own->names, o, err);
	return !status && own->was ? odo_slurm_read_was(own->was, o, err) : status;
}

/** Report notes on standard error, and in the answer for a single format. */
static int report_notes(cli_call *call, const char *notes)
{
	json_t *rows = json_array();
	int failed = 0;
	for (const char *end; notes && *notes; notes = end + 1) {
		end = notes + strcspn(notes, "\n");
		fprintf(stderr, "odonata: warning: %.*s\n", (int)(end - notes), notes);
		failed |= json_array_append_new(rows, json_stringn(notes, (size_t)(end - notes)));
		if (!*end)
			break;
	}
	if (json_is_object(call->result) && json_array_size(rows))
		return json_object_set_new(call->result, "warnings", cli_json_whole(rows, failed));
	json_decref(rows);
	return failed;
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
	if (own->slurm.notes &&
	    (odo_text_close(own->slurm.notes, &notes) | report_notes(call, notes)) && !status)
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	free(notes);
	odo_slurm_options_clear(&own->slurm);
	return status;
}

static int run_export(cli_call *call)
{
	const settings *own = call->settings;
	odo_error err;
	if (call->out && !own->format)
		return cli_refuse(call,
				  "expected --format, or --output with an existing folder for "
				  "all formats");
	cli_system system = {0};
	int status = cli_system_route(call, &system, &err);
	if (!status && call->origin)
		fprintf(stderr, "odonata: export: these tables are %s\n", call->origin);
	if (!status && (!own->format || own->format->has_sls))
		status = cli_need_sls(call, &system, &err);
	if (!status)
		status = write_and_report(call, &system, &err);
	cli_system_clear(&system);
	return status ? cli_fail(call, &err) : CLI_OK;
}

static const struct argp_option options[] = {
	{"format", 'f', "NAME", 0,
	 "File format (see 'odonata list formats'); all of them where --output is a folder", 0},
	{"adapters", KEY_ADAPTERS, "LIST", 0,
	 "For slurm: only these adapters count, by name (mlx5_1,mlx5_2) or GUID (0x...), or "
	 "file:FILE with one a line",
	 0},
	{"nodes", KEY_NODES, "LIST", 0,
	 "For slurm: Slurm's nodes, as n[01-64],login1, or file:FILE; other machines are left out, "
	 "and nodes that are "
	 "not seen are named",
	 0},
	{"names", KEY_NAMES, "FILE", 0,
	 "For slurm: lines of a GUID and a name, for adapters whose description has no host's name",
	 0},
	{"was", KEY_WAS, "FILE", 0,
	 "For slurm: the topology.conf of before; switches keep their names, and nodes that are "
	 "down their place",
	 0},
	{0}};

static const cli_example examples[] = {
	{"odonata export dragonfly.net --format lfts -o dragonfly.lfts",
	 "Forwarding tables for 'opensm -R file -U dragonfly.lfts'", CLI_OK},
	{"mkdir -p tables && odonata export dragonfly.net -o tables",
	 "Every format, each in a file of its own", CLI_OK},
	{0}};

const cli_command cli_export = {
	.name = "export",
	.arguments = "FABRIC",
	.summary = "Write the tables of a routing for other tools",
	.about = "Map, route and prove a fabric, and write its tables in the file format of "
		 "another tool. Where --output is an existing folder, files named odonata.* are "
		 "put there.",
	.options = options,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.folders = true,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.parse = parse_export,
	.run = run_export,
	.examples = examples,
};

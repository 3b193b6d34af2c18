/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata export: tables as files for other tools. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "export/export.h"

typedef struct settings {
	const odo_export_format *format; /**< NULL: all, into a folder */
} settings;

static error_t parse(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
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

static int write_file(const char *folder, const odo_export_format *format, const cli_system *s,
		      odo_error *err)
{
	char *path;
	if (asprintf(&path, "%s/odonata%s", folder, format->suffix) < 0)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	cli_file file;
	int status = cli_file_open(path, &file, err);
	if (!status) {
		status = cli_name_output(
			path, format->write(s->tables, s->coordinates, file.to, err), err);
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
		status = write_file(call->output, format, s, err);
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

static int write_one(cli_call *call, const cli_system *s, odo_error *err)
{
	const settings *own = call->settings;
	if (!call->json)
		return cli_name_output(
			call->output, own->format->write(s->tables, s->coordinates, call->out, err),
			err);
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	int status = to ? own->format->write(s->tables, s->coordinates, to, err)
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

static int write_told(cli_call *call, const cli_system *s, odo_error *err)
{
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	cli_step_begin(&step, "writing tables");
	s->tables->watch = &watch;
	int status = (call->out ? write_one : write_folder)(call, s, err);
	s->tables->watch = NULL;
	return cli_step_end(&step, status);
}

static int run(cli_call *call)
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
	if (!status)
		status = write_told(call, &system, &err);
	cli_system_clear(&system);
	return status ? cli_fail(call, &err) : CLI_OK;
}

static const struct argp_option options[] = {
	{"format", 'f', "NAME", 0,
	 "File format (see 'odonata list formats'); all of them where --output is a folder", 0},
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
	.parse = parse,
	.run = run,
	.examples = examples,
};

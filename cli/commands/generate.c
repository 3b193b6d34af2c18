/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata generate: a fabric as a file. */
#include <string.h>

#include "cli/answers.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "fabric/format/format.h"

typedef struct settings {
	const odo_fabric_format *format;
} settings;

static const odo_fabric_format *find_written_format(const char *name)
{
	for (const odo_fabric_format *format = odo_fabric_formats; format->name; format++)
		if (!strcmp(format->name, name))
			return format->write ? format : NULL;
	return NULL;
}

static void set_fabric_format(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	const odo_fabric_format *format = find_written_format(text);
	(void)flag;
	if (!format)
		cli_usage_error(call,
				"--format: expected a format that is written, found '%s'; 'odonata "
				"list formats' lists them",
				text);
	*(const odo_fabric_format **)to = format;
}

/** Answer with a row for each cable, its lower slot first. */
static int answer_links(cli_call *call, const odo_fabric *f, odo_error *err)
{
	json_t *rows = json_array();
	for (uint32_t slot = 0; slot < f->n_slots && rows; slot++)
		if (f->peer[slot] != ODO_NONE && f->peer[slot] >= slot)
			cli_append(&rows, cli_json_cable(f, slot));
	call->result = json_object();
	cli_answer_fabric(&call->result, f, NULL);
	cli_put(&call->result, "links", rows);
	return cli_check_answer(call->result, err);
}

static int run_generate(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	int status = cli_system_open(call, system, err);
	if (!status && call->json)
		status = answer_links(call, system->fabric, err);
	else if (!status)
		status = cli_name_output(call->output,
					 own->format->write(system->fabric, call->out, err), err);
	return status;
}

static const cli_flag flags[] = {
	{"format", 'f', "NAME", "File format ('odonata list formats') [ibsim]",
	 "File format ('odonata list formats')", .set = set_fabric_format,
	 .offset = offsetof(settings, format), .usual = "ibsim", .not_with = "json"},
	{0}};

static const cli_example examples[] = {
	{"odonata generate demo-dragonfly --shuffle 7 --damage 5%,2%,1 -o damaged.net",
	 "A dragonfly without 5 % of its switches and 2 % of its cables", CLI_OK},
	{"odonata generate dragonfly:p=2,a=4,h=2 -o dragonfly.net",
	 "36 switches and 72 hosts as a net file that ibsim loads", CLI_OK},
	{"odonata generate dragonfly.net --miscable 1% -o miscabled.net",
	 "The same fabric with 1 % of its cables in wrong ports", CLI_OK},
	{"odonata generate flatfly:k=4x4,c=4 --json", "Every cable, for a program", CLI_OK},
	{0}};

const cli_command cli_generate = {
	.name = "generate",
	.arguments = "FABRIC",
	.summary = "Make a fabric and write it as a file",
	.about = "Make the fabric that a spec or preset describes, or read one from a file. "
		 "Damage, miscable and shuffle it as asked for, and write it as a file.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.run = run_generate,
	.examples = examples,
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/options.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/help.h"
#include "cli/live.h"
#include "cli/system.h"
#include "fabric/fabric.h"

/** Parse "20%,15%,7": n percentages, then perhaps a seed. */
static void parse_spoil(const cli_call *call, const cli_flag *flag, const char *text, unsigned n,
			cli_spoil *spoil)
{
	const char *at = text;
	spoil->wanted = true;
	spoil->seed = 1;
	for (unsigned i = 0; i < n; i++) {
		if (!odo_take_percent(&at, &spoil->share[i]) || (*at != ',' && (*at || i + 1 < n)))
			cli_usage_error(call, "--%s: expected %s from 0 to 100, found '%s'",
					flag->name, flag->value, text);
		at += *at == ',';
	}
	if (at[-1] == ',') {
		char what[40];
		snprintf(what, sizeof what, "--%s", flag->name);
		spoil->seed = cli_parse_number(call, what, at, 0, UINT64_MAX);
	}
}

static void set_damage(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	parse_spoil(call, flag, text, 2, to);
}

static void set_miscable(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	parse_spoil(call, flag, text, 1, to);
}

static void set_shuffle(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	call->shuffle = true;
	cli_set_number(call, flag, text, to);
}

/** Set the M_Key, or read it from a file, because every user sees the words of a command that
 * runs. */
static void set_m_key(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	char line[32] = "";
	if (*text >= '0' && *text <= '9') {
		cli_set_number(call, flag, text, to);
		return;
	}
	FILE *file = fopen(text, "r");
	if (file && fgets(line, sizeof line, file))
		line[strcspn(line, "\r\n")] = '\0';
	if (file)
		fclose(file);
	else
		cli_usage_error(call,
				"--m_key: expected a number, or a file that holds it, found '%s'",
				text);
	cli_set_number(call, flag, line, to);
}

static void set_engine_name(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	if (!odo_engine_find(text))
		cli_usage_error(call,
				"--engine: expected an engine, found '%s'; 'odonata list engines' "
				"lists them",
				text);
	cli_set_text(call, flag, text, to);
}

static void set_sls(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	cli_set_number(call, flag, strcmp(text, "any") ? text : "1", to);
}

static void add_tables_file(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)flag;
	if (call->n_tables == CLI_MAX_TABLES)
		cli_usage_error(call, "--tables: expected up to %d files, found more",
				CLI_MAX_TABLES);
	((const char **)to)[call->n_tables++] = text;
}

static _Noreturn void end_help(const cli_call *call, void (*print)(const cli_call *, FILE *))
{
	if (!call->elsewhere)
		print(call, stdout);
	exit(cli_end_output(CLI_OK));
}

static void set_help(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)text;
	(void)to;
	end_help(call, flag->name ? cli_print_long_help : cli_print_short_help);
}

static void print_usage(const cli_call *call, FILE *to)
{
	argp_state_help(call->parsing, to, ARGP_HELP_USAGE);
}

static void set_usage(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)flag;
	(void)text;
	(void)to;
	end_help(call, print_usage);
}

static const cli_flag fabric_flags[] = {
	{"shuffle", 0, "SEED", NULL,
	 "Give nodes new names, GUIDs, LIDs and order, ports new numbers",
	 CLI_OWN(set_shuffle, cli_call, shuffle_seed), .max = UINT64_MAX},
	{"damage", 0, "SWITCHES%,LINKS%[,SEED]", NULL,
	 "Remove this share of the switches, and of the cables between the remaining switches",
	 CLI_OWN(set_damage, cli_call, damage)},
	{"miscable", 0, "PERCENT[,SEED]", NULL,
	 "Plug this share of the cables between switches into wrong ports",
	 CLI_OWN(set_miscable, cli_call, miscable)},
	{"lmc", 0, "N", NULL, "Give each host 2^N LIDs, if the fabric comes without LIDs",
	 CLI_NUMBER(cli_call, lmc, 0, 7)},
	{"Ca", 'C', "NAME", NULL, "Use this adapter to read a live subnet [the first that is up]",
	 CLI_TEXT(cli_call, adapter)},
	{"Port", 'P', "N", NULL, "Use this port to read a live subnet [the first that is up]",
	 CLI_NUMBER(cli_call, port, 1, ODO_MAX_PORTS)},
	{"m_key", 0, "KEY", NULL,
	 "Send this M_Key to a live subnet: a number, or the name of a file that holds only it",
	 CLI_OWN(set_m_key, cli_call, key), .min = 1, .max = UINT64_MAX},
	{"part", 0, "N", NULL,
	 "Keep only one of the parts that no cable connects: 1 is the largest",
	 CLI_NUMBER(cli_call, part, 1, UINT32_MAX)},
	{"adapters", 0, "LIST", NULL,
	 "Let only these adapters send, and leave out parts that have none of them: names "
	 "(mlx5_[0-3]), GUIDs (0x...) of nodes or ports, rails (rail:0), or file:FILE with such a "
	 "list in each line; ^LIST: all others. Other adapters of a part are still routed and "
	 "proved",
	 CLI_TEXT(cli_call, adapters)},
	{"node-name-map", 0, "FILE", NULL,
	 "Give nodes the names in FILE: on each line the GUID of a node or port, and a name, as "
	 "for the same option of ibnetdiscover",
	 CLI_TEXT(cli_call, names), .older = "names"},
	{0}};

static const cli_flag map_flags[] = {
	{"pins", 0, "FILE", NULL,
	 "Number coordinates so that switches are where FILE says: on each line a GUID, or a "
	 "description in quotes, and coordinates",
	 CLI_TEXT(cli_call, pins)},
	{0}};

static const cli_flag route_flags[] = {
	{"engine", 'e', "NAME", "Routing engine ('odonata list engines')",
	 "Routing engine (see 'odonata list engines') [the one that suits the topology]",
	 CLI_OWN(set_engine_name, cli_call, engine)},
	{"vls", 0, "N", "Use at most N virtual lanes", NULL,
	 CLI_NUMBER(cli_call, route.max_vls, 1, ODO_MAX_VLS)},
	{"sls", 0, "N", NULL,
	 "Use at most N service levels; \"any\" is 1: the tables are then safe on any SL that an "
	 "application uses",
	 CLI_OWN(set_sls, cli_call, route.max_sls), .min = 1, .max = ODO_N_SLS},
	{"spread-lids", 0, NULL, NULL,
	 "Route the LIDs of a host (LMC) over different paths, longer ones included",
	 CLI_BOOL(cli_call, route.spread_lids)},
	{"strict", 0, NULL, NULL, "Use no engine of a topology that the fabric contradicts",
	 CLI_BOOL(cli_call, route.strict)},
	{"roots", 0, "FILE", NULL,
	 "Root up*/down* paths at the first switch in FILE, a GUID a line, that the fabric has",
	 CLI_TEXT(cli_call, roots)},
	{"compute", 0, "FILE", NULL,
	 "In a fat tree, spread the hosts whose port GUIDs are in FILE over the spines first, as "
	 "with OpenSM's cn_guid_file [all hosts]",
	 CLI_TEXT(cli_call, compute)},
	{"io", 0, "FILE", NULL,
	 "Spread the hosts in FILE after those of --compute, as with OpenSM's io_guid_file",
	 CLI_TEXT(cli_call, io)},
	{"tables", 0, "FILE", "Use the tables in FILE, a dump of LFTs or SL2VL",
	 "Use the tables in FILE, a dump of LFTs or SL2VL maps by any subnet manager, instead of "
	 "routing the fabric; may be given several times. On a live subnet, verify, analyze, "
	 "export and emulate use the installed tables unless this option or --engine is given",
	 CLI_OWN(add_tables_file, cli_call, tables), .many = true},
	{0}};

static const cli_flag output_flags[] = {{"output", 'o', "FILE",
					 "Write to FILE instead of standard output", NULL,
					 CLI_TEXT(cli_call, output)},
					{0}};

static const cli_flag always_flags[] = {
	{"json", 'j', NULL, "Answer in JSON, for programs", NULL, CLI_BOOL(cli_call, json)},
	{NULL, 'h', NULL, NULL, "Print the most used options", .set = set_help},
	{"help", 0, NULL, NULL, "Print all options and examples", .set = set_help},
	{NULL, '?', NULL, NULL, NULL, .set = set_help, .hidden = true},
	{"usage", 0, NULL, NULL, "Print the options alone", .set = set_usage},
	{0}};

static void check_live_options(cli_call *call)
{
	if (!call->n_args)
		return;
	if (call->key && !cli_is_live(call->arg[0]))
		cli_usage_error(call, "--m_key: expected the FABRIC live, found %s", call->arg[0]);
	if ((call->adapter || call->port) && strcmp(call->arg[0], "live"))
		cli_usage_error(call, "--Ca and --Port: expected the FABRIC live, found %s",
				call->arg[0]);
}

/** Refuse changes of a subnet and of its routing if its installed tables are used. */
static void refuse_changes(const cli_call *call)
{
	if (!call->n_args || !cli_wants_installed(call))
		return;
	if (call->routing)
		cli_usage_error(call,
				"--%s: expected --engine NAME beside it, because %s stands for its "
				"installed tables, found none",
				call->routing, call->arg[0]);
	if (call->damage.wanted || call->miscable.wanted || call->shuffle)
		cli_usage_error(call,
				"--damage, --miscable, --shuffle: expected --engine NAME beside "
				"them, because %s stands for its installed tables, found none",
				call->arg[0]);
}

static void check_route_options(cli_call *call)
{
	for (const cli_flag *flag = route_flags; flag->name; flag++)
		if (strcmp(flag->name, "tables") && cli_is_given(call, flag->name))
			call->routing = flag->name;
	if (call->n_tables && call->routing)
		cli_usage_error(call, "--tables: expected --%s or --tables, found both",
				call->routing);
	refuse_changes(call);
}

static const cli_flag_group groups[CLI_N_GROUPS + 1] = {
	{"Fabric", fabric_flags, check_live_options},  {"Mapping", map_flags, NULL},
	{"Routing", route_flags, check_route_options}, {"Output", output_flags, NULL},
	{"Every command", always_flags, NULL},
};

const cli_flag_group *cli_group_flags(unsigned group)
{
	return &groups[group];
}

void cli_check_groups(cli_call *call)
{
	for (unsigned group = CLI_N_GROUPS; group-- > 0;)
		if (call->command->groups & 1u << group && groups[group].check)
			groups[group].check(call);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/live.h"
#include "cli/terminal/output.h"
#include "cli/system.h"
#include "fabric/fabric.h"

uint64_t cli_parse_number(struct argp_state *state, const char *what, const char *text,
			  uint64_t min, uint64_t max)
{
	uint64_t value = min;
	odo_error err;
	if (odo_read_number(text, 0, min, max, &value, &err))
		argp_error(state, "%s: %s", what, err.text);
	return value;
}

void cli_take_option(struct argp_state *state, const struct argp_option *rows, int key)
{
	cli_call *call = state->input;
	const struct argp_option *o = rows;
	while (o && (o->name || o->key) && o->key != key)
		o++;
	if (!o || !o->key || !o->arg || o->flags & CLI_MANY || key >= CLI_MAX_KEYS)
		return;
	if (call->given[key])
		argp_error(state, "--%s: expected once, found twice", o->name);
	call->given[key] = true;
}

/** "20%,15%,7": n percentages, then perhaps a seed. */
static void parse_spoil(struct argp_state *state, const char *what, const char *text, unsigned n,
			cli_spoil *spoil)
{
	const char *at = text;
	spoil->wanted = true;
	spoil->seed = 1;
	for (unsigned i = 0; i < n; i++) {
		if (!odo_take_percent(&at, &spoil->share[i]) || (*at != ',' && (*at || i + 1 < n)))
			argp_error(state, "%s: expected %s, found '%s'", what,
				   n == 2 ? "SWITCHES%,LINKS%[,SEED] from 0 to 100"
					  : "PERCENT[,SEED] from 0 to 100",
				   text);
		at += *at == ',';
	}
	if (at[-1] == ',')
		spoil->seed = cli_parse_number(state, what, at, 0, UINT64_MAX);
}

enum {
	KEY_SHUFFLE = 0x100,
	KEY_DAMAGE,
	KEY_MISCABLE,
	KEY_LMC,
	KEY_PART,
	KEY_M_KEY,
	KEY_PINS,
	KEY_VLS,
	KEY_SLS,
	KEY_STRICT,
	KEY_SPREAD_LIDS,
	KEY_ROOTS,
	KEY_COMPUTE,
	KEY_IO,
	KEY_TABLES,
	KEY_USAGE
};

static const struct argp_option fabric_options[] = {
	{"shuffle", KEY_SHUFFLE, "SEED", 0, "New names, GUIDs, LIDs, order of nodes and ports", 0},
	{"damage", KEY_DAMAGE, "SWITCHES%,LINKS%[,SEED]", 0,
	 "Take away this share of the switches, and of the cables between those left", 0},
	{"miscable", KEY_MISCABLE, "PERCENT[,SEED]", 0,
	 "Plug this share of the cables between switches into wrong ports", 0},
	{"lmc", KEY_LMC, "N", 0, "Give each host 2^N LIDs, where the fabric comes without LIDs", 0},
	{"Ca", 'C', "NAME", 0, "Of a live subnet: go through this adapter [the first that is up]",
	 0},
	{"Port", 'P', "N", 0, "Of a live subnet: go through this port [the first that is up]", 0},
	{"m_key", KEY_M_KEY, "KEY", 0,
	 "Of a live subnet: send this M_Key, a number or the name of a file that holds it alone",
	 0},
	{"part", KEY_PART, "N", 0, "Take one of the parts that no cable connects: 1 is the largest",
	 0},
	{0}};

static const struct argp_option map_options[] = {
	{"pins", KEY_PINS, "FILE", 0,
	 "Name coordinates so that the switches in FILE are where it says: a line each of GUID, or "
	 "description in quotes, and coordinates",
	 0},
	{0}};

static const struct argp_option route_options[] = {
	{"engine", 'e', "NAME", 0,
	 "Routing engine (see 'odonata list engines'); by default the "
	 "one that suits the topology",
	 0},
	{"vls", KEY_VLS, "N", 0, "Use no more than N virtual lanes", 0},
	{"sls", KEY_SLS, "N", 0,
	 "Use no more than N service levels; \"any\" is 1: safe whatever SL an application uses",
	 0},
	{"spread-lids", KEY_SPREAD_LIDS, 0, 0,
	 "Lead the LIDs of a host (LMC) different ways, longer ones too", 0},
	{"strict", KEY_STRICT, 0, 0,
	 "Take no engine made for a topology if the fabric contradicts it", 0},
	{"roots", KEY_ROOTS, "FILE", 0,
	 "Root up*/down* paths at the first of the switches in FILE, a GUID a line, that is there",
	 0},
	{"compute", KEY_COMPUTE, "FILE", 0,
	 "In a fat tree, deal out the hosts whose ports' GUIDs are in FILE over the spines first, "
	 "as "
	 "OpenSM's cn_guid_file [all hosts]",
	 0},
	{"io", KEY_IO, "FILE", 0, "Hosts that are none of these, as OpenSM's io_guid_file", 0},
	{"tables", KEY_TABLES, "FILE", CLI_MANY,
	 "Take the tables from FILE, a dump of LFTs or SL2VL maps, whoever routed the fabric, "
	 "instead of routing it; may be given several times. For a live subnet, verify, analyze, "
	 "export and emulate take what is installed there, unless this option or --engine is given",
	 0},
	{0}};

static const struct argp_option output_options[] = {
	{"output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0}, {0}};

/* argp's own --help exits with 0 whatever becomes of its output, and knows no -h. Group -1 is
 * where argp prints what is called "help", whatever its row says. */
static const struct argp_option always_options[] = {
	{"json", 'j', 0, 0, "Answer in JSON, for programs", -1},
	{"help", 'h', 0, 0, "Print this help", -1},
	{0, '?', 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"usage", KEY_USAGE, 0, 0, "Print the options alone", -1},
	{0}};

/* A file need not be shown to all who see what runs. */
static uint64_t parse_key(struct argp_state *state, const char *arg)
{
	char text[32] = "";
	if (*arg >= '0' && *arg <= '9')
		return cli_parse_number(state, "--m_key", arg, 1, UINT64_MAX);
	FILE *file = fopen(arg, "r");
	if (!file) {
		argp_error(state, "--m_key: expected a number, or a file that holds it, found '%s'",
			   arg);
		return 0;
	}
	if (fgets(text, sizeof text, file))
		text[strcspn(text, "\r\n")] = '\0';
	fclose(file);
	return cli_parse_number(state, "--m_key", text, 1, UINT64_MAX);
}

static error_t parse_fabric(int key, char *arg, struct argp_state *state)
{
	cli_call *call = state->input;
	cli_take_option(state, fabric_options, key);
	switch (key) {
	case KEY_SHUFFLE:
		call->shuffle = true;
		call->shuffle_seed = cli_parse_number(state, "--shuffle", arg, 0, UINT64_MAX);
		return 0;
	case KEY_DAMAGE:
		parse_spoil(state, "--damage", arg, 2, &call->damage);
		return 0;
	case KEY_MISCABLE:
		parse_spoil(state, "--miscable", arg, 1, &call->miscable);
		return 0;
	case 'C':
		call->adapter = arg;
		return 0;
	case 'P':
		call->port = (unsigned)cli_parse_number(state, "--Port", arg, 1, ODO_MAX_PORTS);
		return 0;
	case KEY_M_KEY:
		call->key = parse_key(state, arg);
		return 0;
	case ARGP_KEY_END:
		if (call->key && call->n_args && !cli_is_live(call->arg[0]))
			argp_error(state, "--m_key: expected the FABRIC live, found %s",
				   call->arg[0]);
		if ((call->adapter || call->port) && call->n_args && strcmp(call->arg[0], "live"))
			argp_error(state, "--Ca and --Port: expected the FABRIC live, found %s",
				   call->arg[0]);
		return 0;
	case KEY_PART:
		call->part = (uint32_t)cli_parse_number(state, "--part", arg, 1, UINT32_MAX);
		return 0;
	case KEY_LMC:
		call->lmc = (uint8_t)cli_parse_number(state, "--lmc", arg, 0, 7);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static error_t parse_map(int key, char *arg, struct argp_state *state)
{
	cli_call *call = state->input;
	cli_take_option(state, map_options, key);
	if (key != KEY_PINS)
		return ARGP_ERR_UNKNOWN;
	call->pins = arg;
	return 0;
}

/** What tables that are there make idle. */
static void note_routing(cli_call *call, int key)
{
	for (const struct argp_option *o = route_options; o->name; o++)
		if (o->key == key && key != KEY_TABLES)
			call->routing = o->name;
}

/** Installed tables are those of the subnet as it is, and nothing is computed then. */
static void refuse_changes(const cli_call *call, struct argp_state *state)
{
	if (!call->n_args || !cli_wants_installed(call))
		return;
	if (call->routing)
		argp_error(state,
			   "%s: its installed tables are taken: expected --engine NAME, too, for "
			   "the tables that Odonata would install, found --%s alone",
			   call->arg[0], call->routing);
	if (call->damage.wanted || call->miscable.wanted || call->shuffle)
		argp_error(state,
			   "%s: its installed tables are those of the subnet as it is: expected "
			   "--engine NAME beside --damage, --miscable and --shuffle, found none",
			   call->arg[0]);
}

static error_t parse_route(int key, char *arg, struct argp_state *state)
{
	cli_call *call = state->input;
	cli_take_option(state, route_options, key);
	note_routing(call, key);
	switch (key) {
	case ARGP_KEY_END:
		if (call->n_tables && call->routing)
			argp_error(state, "--tables: expected tables or a routing, found --%s, too",
				   call->routing);
		refuse_changes(call, state);
		return 0;
	case 'e':
		if (!odo_engine_find(arg))
			argp_error(state,
				   "--engine: no engine '%s'; 'odonata list engines' names them",
				   arg);
		call->engine = arg;
		return 0;
	case KEY_VLS:
		call->route.max_vls = (unsigned)cli_parse_number(state, "--vls", arg, 1,
								 ODO_MAX_VLS);
		return 0;
	case KEY_SLS:
		call->route.max_sls = !strcmp(arg, "any")
					      ? 1
					      : (unsigned)cli_parse_number(state, "--sls", arg, 1,
									   ODO_N_SLS);
		return 0;
	case KEY_SPREAD_LIDS:
		call->route.spread_lids = true;
		return 0;
	case KEY_STRICT:
		call->route.strict = true;
		return 0;
	case KEY_ROOTS:
		call->roots = arg;
		return 0;
	case KEY_COMPUTE:
		call->compute = arg;
		return 0;
	case KEY_IO:
		call->io = arg;
		return 0;
	case KEY_TABLES:
		if (call->n_tables == CLI_MAX_TABLES)
			argp_error(state, "--tables: expected up to %d files", CLI_MAX_TABLES);
		call->tables[call->n_tables++] = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static error_t parse_output(int key, char *arg, struct argp_state *state)
{
	cli_call *call = state->input;
	cli_take_option(state, output_options, key);
	if (key != 'o')
		return ARGP_ERR_UNKNOWN;
	call->output = arg;
	return 0;
}

static _Noreturn void print_help(const struct argp_state *state, unsigned flags)
{
	const cli_call *call = state->input;
	if (!call->elsewhere)
		argp_state_help(state, stdout, flags & ~(unsigned)ARGP_HELP_EXIT_OK);
	exit(cli_end_output(CLI_OK));
}

static error_t parse_always(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	cli_call *call = state->input;
	switch (key) {
	case 'j':
		call->json = true;
		return 0;
	case 'h':
	case '?':
		print_help(state, ARGP_HELP_STD_HELP);
	case KEY_USAGE:
		print_help(state, ARGP_HELP_USAGE);
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct group {
	const char *heading;
	struct argp argp;
} groups[CLI_N_GROUPS + 1] = {
	{"Fabric:", {.options = fabric_options, .parser = parse_fabric}},
	{"Mapping:", {.options = map_options, .parser = parse_map}},
	{"Routing:", {.options = route_options, .parser = parse_route}},
	{"Output:", {.options = output_options, .parser = parse_output}},
	{"Every command:", {.options = always_options, .parser = parse_always}},
};

static const struct group *option_group(unsigned group)
{
	return &groups[__builtin_ctz(group)];
}

struct argp_child cli_group_child(unsigned group)
{
	const struct group *g = option_group(group);
	return (struct argp_child){&g->argp, 0, g->heading, __builtin_ctz(group) + 1};
}

const struct argp_option *cli_group_options(unsigned group, const char **heading)
{
	const struct group *g = option_group(group);
	*heading = g->heading;
	return g->argp.options;
}

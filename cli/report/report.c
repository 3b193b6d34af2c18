/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata report: a document about a fabric and its routing. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/answers.h"
#include "cli/commands/parts.h"
#include "cli/terminal/output.h"
#include "cli/report/parts.h"
#include "cli/rows.h"

enum {
	KEY_COMPLETE = 0x200,
	KEY_EMULATE,
	KEY_WHATIF,
	KEY_THREADS,
	KEY_LIMIT,
	KEY_SEED,
	KEY_HOSTS_ONLY,
	KEY_MODEL
};

static error_t parse_report_option(int key, char *arg, struct argp_state *state)
{
	report_settings *own = ((cli_call *)state->input)->settings;
	switch (key) {
	case ARGP_KEY_INIT:
		*own = (report_settings){.tables = 8u << 20, .seed = 1, .model = ""};
		return 0;
	case 'p':
		if (own->n_patterns == REPORT_MOST_PATTERNS)
			argp_error(state, "--pattern: expected up to %d times, found more",
				   REPORT_MOST_PATTERNS);
		own->pattern[own->n_patterns++] = arg;
		return 0;
	case KEY_HOSTS_ONLY:
		own->hosts_only = true;
		return 0;
	case KEY_COMPLETE:
		own->complete = true;
		return 0;
	case KEY_EMULATE:
		own->emulate = true;
		return 0;
	case KEY_MODEL:
		own->model = arg;
		return 0;
	case ARGP_KEY_END:
		if (*own->model && !own->emulate)
			argp_error(state, "--model: expected --emulate beside it, found none");
		return 0;
	case KEY_WHATIF:
		own->whatif = arg ? (uint32_t)cli_parse_number(state, "--whatif", arg, 1, 10000)
				  : 20;
		return 0;
	case KEY_THREADS:
		own->threads = (unsigned)cli_parse_number(state, "--threads", arg, 1, 1024);
		return 0;
	case KEY_LIMIT:
		own->tables = cli_parse_number(state, "--tables-limit", arg, 0, 1024) << 20;
		return 0;
	case KEY_SEED:
		own->seed = cli_parse_number(state, "--seed", arg, 0, UINT64_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int report_leave_out(report *r, const char *what, const char *why)
{
	return json_array_append_new(r->left_out, json_pack("{so so}", "what", cli_json_text(what),
							    "why", cli_json_text(why)));
}

/** Return seconds since 1970: now, or SOURCE_DATE_EPOCH, which reproducible builds set. */
static uint64_t time_of_writing(void)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t at;
	if (epoch && !odo_read_number(epoch, 10, 0, INT64_MAX, &at, NULL))
		return at;
	return (uint64_t)time(NULL);
}

/** List repairs together with omitted parts, because repairs can hide faults, too. */
static int add_repairs(report *r)
{
	size_t i;
	json_t *row, *rows = r->call->repairs;
	int failed = rows ? json_object_set(r->document, "repairs", rows) : 0;
	json_array_foreach(rows, i, row)
	{
		char what[160];
		snprintf(what, sizeof what, "the input as it was: %s, %lld times",
			 json_string_value(json_object_get(row, "repair")),
			 (long long)json_integer_value(json_object_get(row, "times")));
		failed |= report_leave_out(r, what,
					   json_string_value(json_object_get(row, "first")));
	}
	return failed;
}

/** Add the kind of the fabric and its faults. */
static int add_map(report *r, odo_error *err)
{
	json_t *d = r->document, *map = json_object();
	const odo_fabric *f = r->system.fabric;
	int failed = cli_answer_fabric(map, f, r->system.coordinates);
	failed |= cli_map_answer(map, f, r->system.coordinates);
	failed |= json_object_set_new(d, "schema", json_integer(REPORT_SCHEMA));
	failed |= json_object_set_new(d, "fabric", cli_json_text(r->call->arg[0]));
	failed |= json_object_set_new(d, "time_seconds",
				      json_integer((json_int_t)time_of_writing()));
	failed |= json_object_set_new(d, "map", map);
	failed |= add_repairs(r);
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : 0;
}

static int add_proof(report *r, odo_error *err)
{
	json_t *proof = json_object();
	r->system.tables->hosts_only |= r->own->hosts_only;
	int status = cli_verify_answer(r->call, &r->system, proof, err);
	r->unsafe = status == ODO_EUNSAFE;
	if (status && !r->unsafe) {
		json_decref(proof);
		return status;
	}
	r->unsafe |= !json_is_true(json_object_get(proof, "safe"));
	return json_object_set_new(r->document, "proof", proof)
		       ? odo_fail(err, ODO_ENOMEM, "out of memory")
		       : 0;
}

static bool always(const report_settings *own)
{
	(void)own;
	return true;
}

static bool if_emulated(const report_settings *own)
{
	return own->emulate;
}

static bool if_lost(const report_settings *own)
{
	return own->whatif;
}

/** Parts of the document, in order: traffics need the worst shift, which bounds find. */
static const struct part {
	const char *what;
	bool routed; /**< the part describes tables */
	bool (*wanted)(const report_settings *own);
	int (*add)(report *r, odo_error *err);
} parts[] = {
	{"the map", false, always, add_map},
	{"the picture", false, always, report_add_fabric},
	{"the proof", true, always, add_proof},
	{"paths between hosts", true, always, report_add_tables},
	{"bounds", true, always, report_add_bounds},
	{"loads", true, always, report_add_traffics},
	{"the comparison of engines", true, always, report_add_comparison},
	{"emulated saturation", true, if_emulated, report_add_saturations},
	{"what failures would do", true, if_lost, report_add_whatif},
};

/** Add all parts. A part that declines is omitted, and the reason is recorded. */
static int add_parts(report *r, odo_error *err)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct part *p = &parts[i];
		if (!p->wanted(r->own) || (p->routed && !r->system.tables))
			continue;
		int status = p->add(r, err);
		if (status == ODO_EDECLINE && !report_leave_out(r, p->what, err->text))
			status = 0;
		if (status)
			return status;
	}
	return json_object_set(r->document, "left_out", r->left_out)
		       ? odo_fail(err, ODO_ENOMEM, "out of memory")
		       : 0;
}

/** Route the fabric. If no engine can route it, the report still has a map and faults. */
static int route_or_map(report *r, odo_error *err)
{
	int status = cli_system_route(r->call, &r->system, err);
	bool mapped = r->system.coordinates && !r->system.tables && !r->call->n_tables;
	if ((status != ODO_EDECLINE && status != ODO_EUNSAFE) || !mapped ||
	    cli_wants_installed(r->call))
		return status;
	r->unsafe = true;
	return report_leave_out(r, "all that is about a routing", err->text)
		       ? odo_fail(err, ODO_ENOMEM, "out of memory")
		       : 0;
}

/** Check the output before the work, because a failure at the end would waste it. */
static int check_output(const cli_call *call)
{
	const char *lack = NULL;
	if (!call->json && !report_has_page())
		lack = "this program was built without d3, which draws the page; install "
		       "node-d3 (Debian) and build again, or use --json";
	else if (!call->json && isatty(fileno(call->out)))
		lack = "expected --output FILE, or standard output to a file; found a terminal";
	return lack ? cli_refuse(call, "%s", lack) : CLI_OK;
}

static int run_report(cli_call *call)
{
	odo_error err = {0};
	report r = {.call = call, .own = call->settings};
	int code = check_output(call);
	if (code)
		return code;
	r.document = json_object();
	r.left_out = json_array();
	call->for_proof = true;
	int status = r.document && r.left_out ? route_or_map(&r, &err)
					      : odo_fail(&err, ODO_ENOMEM, "out of memory");
	if (!status)
		status = add_parts(&r, &err);
	if (!status)
		status = cli_name_output(call->output,
					 (call->json ? report_write_json : report_write_page)(
						 r.document, call->out, &err),
					 &err);
	json_decref(r.document);
	json_decref(r.left_out);
	cli_system_clear(&r.system);
	return status ? cli_fail(call, &err) : r.unsafe ? CLI_NO : CLI_OK;
}

static const struct argp_option options[] = {
	{"pattern", 'p', "TRAFFIC", CLI_MANY,
	 "Show the cables' loads under this traffic too ('odonata list patterns'); may be given "
	 "several times",
	 0},
	{"emulate", KEY_EMULATE, 0, 0,
	 "Send packets by each traffic, and search for the load that is sustained", 0},
	{"model", KEY_MODEL, "SPEC", 0,
	 "Switches and links of --emulate ('odonata list models'), such as infiniband; by default "
	 "ofar, "
	 "which is of a paper of 2012 and no InfiniBand",
	 0},
	{"whatif", KEY_WHATIF, "N", OPTION_ARG_OPTIONAL,
	 "Take away each switch and cable in turn, and name the N losses that hurt most [20]", 0},
	{"hosts-only", KEY_HOSTS_ONLY, 0, 0,
	 "Leave out paths to switches' own LIDs, of which some of OpenSM's engines promise nothing",
	 0},
	{"complete", KEY_COMPLETE, 0, 0,
	 "Bounds and the comparison of engines for more than 4,096 hosts too, which takes minutes",
	 0},
	{"tables-limit", KEY_LIMIT, "MIB", 0,
	 "Tables for the paths between hosts take up to so much of the page [8]", 0},
	{"threads", KEY_THREADS, "N", 0,
	 "Threads of --emulate [1] and --whatif [as many as there are processors]", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of permutations and emulations [1]", 0},
	{0}};

static const cli_example examples[] = {
	{"odonata report damaged.net -o report.html", "A page to look at, and to hand on", CLI_OK},
	{"odonata report dragonfly.net --whatif=5 --json",
	 "The same facts for a program, and what failures would do", CLI_OK},
	{0}};

const cli_command cli_report = {
	.name = "report",
	.arguments = "FABRIC",
	.summary = "Write all that is known of a fabric on one page",
	.about = "One HTML page, which needs no network and no other file: what the fabric is, "
		 "and what of its routing was proved; a picture to zoom and search; the faults, "
		 "to be printed for whoever mends them; the load of each cable; the path of each "
		 "pair of hosts, hop by hop; bounds, and the engines side by side. With --json the "
		 "document that the page is made from (docs/reference/report.md). Of a live subnet "
		 "it is about what is installed there. What would take too long or make the page "
		 "too large is left out, and the page says so. Exits with 1 where the routing is "
		 "not proved to be safe.",
	.options = options,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(report_settings),
	.parse = parse_report_option,
	.run = run_report,
	.examples = examples,
};

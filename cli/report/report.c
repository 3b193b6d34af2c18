/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata report: a document about a fabric and its routing. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/answers.h"
#include "cli/commands/parts.h"
#include "cli/terminal/output.h"
#include "cli/options.h"
#include "cli/parts/rails.h"
#include "cli/report/parts.h"
#include "cli/rows.h"
#include "cli/subnets.h"

static void add_pattern(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	report_settings *own = call->settings;
	(void)flag;
	if (own->n_patterns == REPORT_MOST_PATTERNS)
		cli_usage_error(call, "--pattern: expected up to %d times, found more",
				REPORT_MOST_PATTERNS);
	((const char **)to)[own->n_patterns++] = text;
}

static void set_tables_limit(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	cli_set_number(call, flag, text, to);
	*(size_t *)to <<= 20;
}

int report_leave_out(report *r, const char *what, const char *why)
{
	return json_array_append_new(r->left_out, json_pack("{so so}", "what", cli_json_text(what),
							    "why", cli_json_text(why)));
}

int report_finish_part(report *r, const char *key, json_t *part, int status, odo_error *err)
{
	if (status)
		json_decref(part);
	else if (json_object_set_new(r->document, key, part))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	return status;
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
		snprintf(what, sizeof what, "the input before its repair: %s, %lld times",
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
	cli_answer_fabric(&map, f, r->system.coordinates);
	cli_map_answer(&map, f, r->system.coordinates);
	int failed = json_object_set_new(d, "schema", json_integer(REPORT_SCHEMA));
	failed |= json_object_set_new(d, "fabric", cli_json_text(r->call->arg[0]));
	failed |= json_object_set_new(d, "time_seconds",
				      json_integer((json_int_t)time_of_writing()));
	failed |= json_object_set_new(d, "map", map);
	failed |= add_repairs(r);
	if (r->call->left_out)
		failed |= report_leave_out(r, json_string_value(r->call->left_out),
					   "only chosen adapters send");
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : 0;
}

static int add_proof(report *r, odo_error *err)
{
	json_t *proof = json_object();
	r->system.tables->hosts_only |= r->own->hosts_only;
	int status = cli_verify_answer(r->call, &r->system, &proof, err);
	r->unsafe = status == ODO_EUNSAFE;
	if (r->unsafe)
		status = 0;
	r->unsafe |= !status && !json_is_true(json_object_get(proof, "safe"));
	return report_finish_part(r, "proof", proof, status, err);
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
	return report_leave_out(r, "everything about the routing", err->text)
		       ? odo_fail(err, ODO_ENOMEM, "out of memory")
		       : 0;
}

/** Check the output before the work, because a failure at the end would waste it. */
static int check_output(const cli_call *call)
{
	const char *lack = NULL;
	if (!call->json && !report_has_page())
		lack = "this program was built without d3, which draws the page; install node-d3 "
		       "(Debian) and build again, or use --json";
	else if (!call->json && isatty(fileno(call->out)))
		lack = "expected --output FILE, or standard output to a file; found a terminal";
	return lack ? cli_refuse(call, "%s", lack) : CLI_OK;
}

/** Keep the document of a part, and the columns of the table that leads to its page. */
static int keep_document(report *r, odo_error *err)
{
	const json_t *map = json_object_get(r->document, "map");
	r->call->result = json_pack(
		"{sO* sO* sO* sO* sO* sO}", "topology", json_object_get(map, "topology"),
		"switches", json_object_get(map, "switches"), "hosts",
		json_object_get(map, "hosts"), "faults", json_object_get(map, "contradictions"),
		"safe", json_object_get(json_object_get(r->document, "proof"), "safe"), "document",
		r->document);
	return cli_check_answer(r->call->result, err);
}

/** Write the document or the page, or keep it for one page about all subnets. */
static int finish_report(report *r, odo_error *err)
{
	cli_call *call = r->call;
	if (!cli_is_one_of_several(call))
		return cli_name_output(call->output,
				       (call->json ? report_write_json : report_write_page)(
					       r->document, call->out, err),
				       err);
	if (call->json)
		call->result = json_incref(r->document);
	return call->json ? 0 : keep_document(r, err);
}

/** Write one page with the pages of all parts. */
static int sum_report(cli_call *call, json_t **answer, odo_error *err)
{
	cli_answer_rails(answer, cli_subnets_all(call));
	int status = cli_check_answer(*answer, err);
	if (status || call->json)
		return status;
	status = report_write_parts(*answer, call->out, err);
	json_decref(*answer);
	*answer = NULL;
	return cli_name_output(call->output, status, err);
}

static int run_report(cli_call *call, cli_system *system, odo_error *err)
{
	report r = {.call = call, .own = call->settings};
	(void)system;
	call->code = check_output(call);
	if (call->code)
		return 0;
	r.document = json_object();
	r.left_out = json_array();
	call->for_proof = true;
	int status = r.document && r.left_out ? route_or_map(&r, err)
					      : odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!status)
		status = add_parts(&r, err);
	if (!status)
		status = finish_report(&r, err);
	json_decref(r.document);
	json_decref(r.left_out);
	cli_system_clear(&r.system);
	call->code = r.unsafe ? CLI_NO : CLI_OK;
	return status;
}

static const cli_flag flags[] = {
	{"pattern", 'p', "TRAFFIC", "Show the cables' loads under this traffic, too",
	 "Show the cables' loads under this traffic, too ('odonata list patterns'); may be given "
	 "several times",
	 CLI_OWN(add_pattern, report_settings, pattern), .many = true},
	{"emulate", 0, NULL, "Search for the load that each traffic sustains",
	 "Send packets by each traffic, and search for the load that is sustained",
	 CLI_BOOL(report_settings, emulate)},
	{"model", 0, "SPEC", NULL,
	 "Switches and links of --emulate ('odonata list models'), such as infiniband [ofar, which "
	 "is of a paper of 2012 and no InfiniBand]",
	 CLI_TEXT(report_settings, model), .usual = "", .needs = "emulate"},
	{"whatif", 0, "N", "Name the N most harmful losses [20]",
	 "Remove each switch and cable in turn, and name the N most harmful losses [20]",
	 CLI_NUMBER(report_settings, whatif, 1, 10000), .without = "20"},
	{"hosts-only", 0, NULL, NULL, CLI_HOSTS_ONLY_HELP, CLI_BOOL(report_settings, hosts_only)},
	{"complete", 0, NULL, NULL,
	 "Find bounds and compare engines for more than 4,096 hosts, too, which takes minutes",
	 CLI_BOOL(report_settings, complete)},
	{"tables-limit", 0, "MIB", NULL,
	 "Most MiB of the page for the tables that paths between hosts need",
	 CLI_OWN(set_tables_limit, report_settings, tables), .max = 1024, .usual = "8"},
	{"threads", 0, "N", NULL, "Threads of --emulate [1] and --whatif [one for each processor]",
	 CLI_NUMBER(report_settings, threads, 1, 1024)},
	{"seed", 0, "N", NULL, "Seed of permutations and emulations",
	 CLI_NUMBER(report_settings, seed, 0, UINT64_MAX), .usual = "1"},
	{0}};

static const cli_example examples[] = {
	{"odonata report damaged.net -o report.html", "A page to look at, and to hand on", CLI_OK},
	{"odonata report dragonfly.net --whatif=5 --json",
	 "The same facts for a program, and what failures would do", CLI_OK},
	{0}};

const cli_command cli_report = {
	.name = "report",
	.arguments = "FABRIC...",
	.summary = "Write all that is known of a fabric on one page",
	.about = "One HTML page, which needs no network and no other file: what the fabric is, and "
		 "what of its routing was proved; a picture to zoom and search; the faults, to be "
		 "printed for those who repair them; the load of each cable; the path of each pair "
		 "of "
		 "hosts, hop by hop; bounds, and the engines side by side. With --json the "
		 "document that the page is made from (docs/reference/report.md). Of a live subnet "
		 "it is about what is installed there. What would take too long or make the page "
		 "too large is left out, and the page says so. Exits with 1 where the routing is "
		 "not proved to be safe. Of several subnets it is one page with a table of them.",
	.flags = flags,
	.each = true,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.settings_size = sizeof(report_settings),
	.run = run_report,
	.sum = sum_report,
	.examples = examples,
};

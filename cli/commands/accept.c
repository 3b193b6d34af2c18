/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata accept: rounds of an acceptance test, and the verdict on what was measured. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/parts/measured.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "fabric/machine.h"
#include "routing/analyze/rounds.h"

typedef struct settings {
	const char *format, *measured; /* or NULL */
	uint32_t times, most, below;
	uint64_t seed;
} settings;

/* Return the GB/s that nothing but the cables limits; 0 if their rate is unknown. */
static double predicted_rate(const odo_fabric *f, uint32_t slot)
{
	return odo_cable_rate(f, slot) / 8e3;
}

/* ---- The plan ---- */

static json_t *pair_row(const odo_fabric *f, const odo_round_pair *pair)
{
	uint32_t from = f->host_slot[pair->from], to = f->host_slot[pair->to];
	double rate = predicted_rate(f, pair->slowest);
	json_t *row = json_object();
	cli_put_count(&row, "round", pair->round + 1);
	cli_put_text(&row, "from", odo_name(f, f->owner[from]));
	cli_put(&row, "from_guid", cli_json_guid(f->port_guid[from]));
	cli_put_text(&row, "to", odo_name(f, f->owner[to]));
	cli_put(&row, "to_guid", cli_json_guid(f->port_guid[to]));
	cli_put_count(&row, "to_lid", f->port_lid[to]);
	cli_put(&row, "GB_per_s", rate > 0 ? json_real(rate) : json_null());
	return row;
}

static json_t *cable_rows(const odo_fabric *f, const uint32_t *slot, uint32_t n)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < n; i++)
		cli_append(&rows, cli_json_cable(f, slot[i]));
	return rows;
}

static int answer_plan(cli_call *call, const cli_system *system, const odo_rounds *rounds)
{
	const odo_fabric *f = system->fabric;
	json_t **r = &call->result, *pairs = json_array();
	for (size_t i = 0; i < rounds->n; i++)
		cli_append(&pairs, pair_row(f, &rounds->pair[i]));
	cli_put_count(r, "rounds", rounds->n_rounds);
	cli_put_count(r, "channels", rounds->n_channels);
	cli_put(r, "not_tested", cable_rows(f, rounds->idle, rounds->n_idle));
	cli_put(r, "tests", pairs);
	return 0;
}

/* Return true if a name means nothing to a shell, here or on the other machine, or to ssh. */
static bool is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_.-", text[i]))
			return false;
	return !n || text[0] != '-';
}

static void print_end(FILE *out, const odo_fabric *f, uint32_t host)
{
	uint32_t slot = f->host_slot[host];
	odo_machine machine = odo_machine_of(odo_name(f, f->owner[slot]));
	bool plain = machine.length && is_plain(machine.name, machine.length) &&
		     is_plain(machine.adapter, machine.adapter_length);
	fprintf(out, " '%.*s' '%.*s' %u 0x%016" PRIx64, plain ? (int)machine.length : 0,
		machine.name, plain ? (int)machine.adapter_length : 0, machine.adapter,
		odo_port(f, slot), f->port_guid[slot]);
}

/* The script measures each pair of a round at the same time, and prints what --measured reads. */
static const char script_head[] =
	"#!/usr/bin/env bash\n"
	"# Acceptance test: rounds of ib_write_bw (package perftest), over ssh. Prints lines for\n"
	"# 'odonata accept FABRIC --measured FILE'. SECONDS_EACH: duration of a measurement [5].\n"
	"# A host is: machine, adapter, port, port GUID. Names that a shell could mistake are left "
	"out:\n"
	"# their pairs get 0.\n"
	"set -u\n"
	"seconds=${SECONDS_EACH:-5}\n"
	"port=18515\n"
	"measure() { # from: machine adapter port guid, to: machine adapter port guid, number\n"
	"\tlocal at=$((port + $9)) rate server\n"
	"\tssh -n \"$5\" ib_write_bw -F -D \"$seconds\" ${6:+-d \"$6\"} -i \"$7\" -p \"$at\" "
	">/dev/null "
	"2>&1 &\n"
	"\tserver=$!\n"
	"\tsleep 1\n"
	"\trate=$(ssh -n \"$1\" ib_write_bw -F -D \"$seconds\" --report_gbits ${2:+-d \"$2\"} -i "
	"\"$3\" "
	"-p \"$at\" \"$5\" 2>/dev/null |\n"
	"\t\tawk '/^ *[0-9]+ /{ rate = $4 / 8 } END { print rate }')\n"
	"\tkill \"$server\" 2>/dev/null\n"
	"\techo \"$4 $8 ${rate:-0}\"\n"
	"}\n";

/* Numbers of pairs, for TCP ports that no other pair of the round has. Ports stay below those that
 * Linux gives out by itself, from 32768. */
enum { NUMBERS = 14000 };

static void print_script(FILE *out, const odo_fabric *f, const odo_rounds *rounds)
{
	fputs(script_head, out);
	for (size_t i = 0; i < rounds->n; i++) {
		const odo_round_pair *pair = &rounds->pair[i];
		if (!i || pair->round != pair[-1].round)
			fprintf(out, "%s# round %u\n", i ? "wait\n" : "", pair->round + 1);
		fputs("measure", out);
		print_end(out, f, pair->from);
		print_end(out, f, pair->to);
		fprintf(out, " %u &\n", (unsigned)(i % NUMBERS));
	}
	fputs("wait\n", out);
}

static void print_pairs(FILE *out, const odo_fabric *f, const odo_rounds *rounds)
{
	fputs("# round, port GUIDs: from, to, predicted GB/s\n", out);
	for (size_t i = 0; i < rounds->n; i++) {
		const odo_round_pair *pair = &rounds->pair[i];
		fprintf(out, "%u 0x%016" PRIx64 " 0x%016" PRIx64 " %.3f\n", pair->round + 1,
			f->port_guid[f->host_slot[pair->from]],
			f->port_guid[f->host_slot[pair->to]], predicted_rate(f, pair->slowest));
	}
}

typedef void print_rounds(FILE *out, const odo_fabric *f, const odo_rounds *rounds);

static const struct form {
	const char *name;
	print_rounds *print;
} forms[] = {{"perftest", print_script}, {"pairs", print_pairs}};
enum { N_FORMS = sizeof forms / sizeof *forms };

static const struct form *find_form(const char *name)
{
	for (unsigned i = 0; i < N_FORMS; i++)
		if (!strcmp(forms[i].name, name))
			return &forms[i];
	return NULL;
}

static int make_plan(cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	odo_rounds rounds;
	int status = odo_rounds_find(system->tables, own->times, own->seed, &rounds, err);
	if (!status && own->format)
		find_form(own->format)->print(call->out, system->fabric, &rounds);
	else if (!status) {
		call->result = json_object();
		cli_answer_origin(&call->result, call);
		status = answer_plan(call, system, &rounds);
	}
	odo_rounds_clear(&rounds);
	return status;
}

/* ---- The verdict ---- */

/* Judge each figure by the slowest cable of its own path.
 * @return the number of pairs that cannot be judged, because the rate of a cable is unknown */
static size_t judge_by_path(cli_measured *m, const odo_tables *t, double share)
{
	const odo_fabric *f = t->fabric;
	odo_path path;
	size_t n_unknown = 0;
	for (size_t i = 0; i < m->n; i++) {
		odo_measured *pair = &m->pair[i];
		uint32_t lid = f->port_lid[f->host_slot[pair->to]],
			 s = odo_host_switch(f, pair->from);
		double rate = INFINITY;
		odo_path_find(t, pair->from, s, lid, odo_path_sl(t, s, lid), &path);
		for (uint32_t k = 0; k < path.n; k++)
			rate = fmin(rate, predicted_rate(f, path.hop[k].slot));
		pair->slow = path.end || isnan(m->figure[i]) || m->figure[i] < share * rate;
		m->n_slow += pair->slow;
		n_unknown += !pair->slow && rate == 0;
	}
	return n_unknown;
}

static int judge_measured(cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	const odo_fabric *f = system->fabric;
	cli_measured m;
	uint32_t *missed = odo_new(f->n_slots, sizeof *missed), n_missed = 0;
	int status = cli_measured_read(own->measured, f, &m, err);
	if (!status)
		status = missed ? odo_rounds_missed(system->tables, m.pair, m.n, missed, &n_missed,
						    err)
				: odo_fail(err, ODO_ENOMEM, "out of memory");
	bool accepted = false;
	if (!status) {
		call->result = json_object();
		cli_answer_origin(&call->result, call);
		size_t n_unknown = judge_by_path(&m, system->tables, own->below / 100.0);
		accepted = !m.n_slow && !n_missed && !n_unknown;
		cli_put_bool(&call->result, "accepted", accepted);
		status = cli_measured_answer(&call->result, &m, system->tables, own->most, err);
		if (n_unknown)
			cli_put_count(&call->result, "pairs_not_judged", n_unknown);
		cli_put_count(&call->result, "channels_not_measured", n_missed);
		cli_put(&call->result, "not_measured",
			cable_rows(f, missed, n_missed < own->most ? n_missed : own->most));
	}
	call->code = accepted ? CLI_OK : CLI_NO;
	free(missed);
	cli_measured_clear(&m);
	return status;
}

static void check_accept(cli_call *call)
{
	const settings *own = call->settings;
	if (own->format && !find_form(own->format))
		cli_usage_error(call, "--format: expected perftest or pairs, found %s",
				own->format);
	if (own->format && call->json)
		cli_usage_error(call, "--json and --format exclude each other");
}

static int run_accept(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	int status = cli_system_route_static(call, system, err);
	if (!status)
		status = own->measured ? judge_measured(call, system, err)
				       : make_plan(call, system, err);
	return status || !call->result ? status : cli_check_answer(call->result, err);
}

static const cli_flag flags[] = {
	{"measured", 0, "FILE", "Judge what was measured, and rank suspects",
	 "Judge what was measured, and rank cables, switches and adapters that slow pairs share. A "
	 "line of FILE has two hosts and the measured GB/s",
	 CLI_TEXT(settings, measured), .not_with = "format,times,seed"},
	{"format", 'f', "NAME", "Write a script (perftest), or plain pairs",
	 "Write perftest: a script that measures with ib_write_bw over ssh, or pairs: lines of "
	 "round, "
	 "port GUIDs and GB/s",
	 CLI_TEXT(settings, format)},
	{"times", 0, "N", "Cross each cable by N pairs in each direction [4]",
	 "Cross each cable by N pairs in each direction. One pair finds that some cable of a path "
	 "is slow; several tell which",
	 CLI_NUMBER(settings, times, 1, 1000), .usual = "4"},
	{"below", 0, "N", NULL,
	 "Measured pairs are slow below N % of the rate of the slowest cable of their path",
	 CLI_NUMBER(settings, below, 1, 100), .usual = "80", .needs = "measured"},
	{"most", 0, "N", NULL, "Name at most N suspects, and N channels not measured",
	 CLI_NUMBER(settings, most, 1, 100000), .usual = "10", .needs = "measured"},
	{"seed", 0, "N", NULL, "Seed that pairs are drawn by",
	 CLI_NUMBER(settings, seed, 0, UINT64_MAX), .usual = "1"},
	{0}};

static const cli_example examples[] = {
	{"odonata accept dragonfly.net", "Rounds of pairs that cross every cable four times",
	 CLI_OK},
	{"odonata accept dragonfly.net --format perftest", "The same as a script", CLI_OK},
	{0}};

const cli_command cli_accept = {
	.name = "accept",
	.arguments = "FABRIC",
	.summary = "Plan an acceptance test of every cable, or judge its result",
	.about =
		"List rounds of pairs of hosts. Pairs of a round send at the same time, and their "
		"paths share no cable, so each must reach the rate of its slowest cable. Together "
		"the rounds cross every cable that any path to a host's first LID uses, in both "
		"directions; others are listed as not tested. With --measured, compare what was "
		"measured with these rates, and rank suspects as 'odonata path --slow' does; the "
		"exit code is 1 if any pair is slow, if it cannot be judged, because the rate of a "
		"cable is unknown, or if no measured pair crosses some channel (a cable in one "
		"direction) that paths use. 'cables alike' are as suspect: the "
		"measured pairs cannot tell them apart, and more (--times, another --seed) "
		"may.\n\n"
		"The rates are those of cables: hosts whose PCI bus is slower are slow. Packets "
		"of other jobs must not be on the fabric, and tables must be those for which the "
		"rounds were made.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.settings_size = sizeof(settings),
	.check = check_accept,
	.run = run_accept,
	.examples = examples,
};

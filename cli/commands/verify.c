/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata verify: the verdict on an engine's tables. */
#include "cli/answers.h"
#include "cli/commands/parts.h"
#include "cli/groups.h"
#include "cli/terminal/progress.h"
#include "cli/options.h"
#include "cli/rows.h"
#include "cli/system.h"

typedef struct settings {
	bool hosts_only;
} settings;

/** Return true if SLs of paths are unknown, so that neither yes nor no would be true. */
static bool lacks_sls(const cli_system *system)
{
	return system->installed.n_without_record || cli_lacks_sls(system->tables);
}

static json_t *safe_value(bool is, bool clear, const cli_system *system)
{
	const odo_tables *t = system->tables;
	return lacks_sls(system)
		       ? json_string("incomplete")
		       : cli_answer_safe(t, is,
					 !clear || cli_live_is_partial(&system->installed, t));
}

/** Judge multicast groups if all their tables were read. */
static int answer_multicast(const cli_call *call, const cli_system *system, json_t **answer,
			    bool *clear, odo_error *err)
{
	if (!call->for_proof || !cli_wants_installed(call))
		return 0;
	for (size_t i = 0; i < system->installed.n_unread; i++)
		if (system->installed.unread[i].table == ODO_LIVE_MULTICAST)
			return 0;
	return cli_groups_answer(answer, &system->installed, system->fabric, clear, err);
}

/** Prove the other SLs too.
 * @param status of odo_verify(), which is kept */
static int prove_sls(const odo_tables *t, int status, odo_sl_verdict *sls, odo_error *err)
{
	odo_error why;
	if (status && status != ODO_EUNSAFE)
		return status;
	int of_sls = odo_verify_sls(t, !status, sls, &why);
	return of_sls ? odo_fail(err, of_sls, "%s", why.text) : status;
}

int cli_verify_answer(const cli_call *call, const cli_system *system, json_t **answer,
		      odo_error *err)
{
	odo_tables *t = system->tables;
	odo_verdict verdict = {0};
	odo_sl_verdict sls = {0};
	bool clear = true;
	json_t *groups = json_object();
	int of_groups = answer_multicast(call, system, &groups, &clear, err);
	int status = of_groups == ODO_EUNSAFE ? 0 : of_groups;
	if (!status) {
		cli_step step;
		const odo_watch watch = cli_step_watch(&step);
		cli_step_begin(&step, "proving");
		const odo_tables watched = odo_tables_watched(t, &watch);
		status = odo_verify(&watched, &verdict, err);
		status = cli_step_end(&step, prove_sls(&watched, status, &sls, err));
	}
	if (status == ODO_OK || status == ODO_EUNSAFE) {
		const odo_unheard unheard = odo_unheard_sls(t);
		bool partial = cli_live_is_partial(&system->installed, t);
		json_t *is = cli_answer_within(safe_value(!status && !of_groups, clear, system), t,
					       &verdict, &sls);
		cli_answer_origin(answer, call);
		cli_put(answer, "safe", json_incref(is));
		cli_answer_scope(answer, t, &verdict);
		cli_answer_hosts(answer, t, status);
		cli_answer_sls(answer, t, is, &sls, !partial);
		if (lacks_sls(system) || cli_guesses_sls(t))
			cli_put_count(answer, "pairs_without_sl", unheard.assumed + unheard.alike);
		if (system->installed.n_without_record)
			cli_put_count(answer, "pairs_without_record",
				      system->installed.n_without_record);
		cli_live_answer_unread(answer, &system->installed, t->fabric);
		cli_answer_parts(answer, t->fabric);
		cli_answer_tables(answer, t);
		cli_answer_verdict(answer, t, &verdict);
		cli_put_all(answer, json_incref(groups));
		if (!*answer)
			status = cli_check_answer(*answer, err);
	}
	json_decref(groups);
	odo_verdict_clear(&verdict);
	return status ? status : of_groups;
}

static int run_verify(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	call->for_proof = true;
	int status = cli_system_route(call, system, err);
	if (!status) {
		system->tables->hosts_only = own->hosts_only;
		call->result = json_object();
		status = cli_verify_answer(call, system, &call->result, err);
		cli_live_answer_read(&call->result, &system->installed, system->fabric,
				     !call->json);
	}
	bool unsafe = status == ODO_EUNSAFE && call->result;
	if (unsafe || !json_is_true(json_object_get(call->result, "safe")))
		call->code = CLI_NO;
	return unsafe ? 0 : status;
}

static const cli_flag flags[] = {{"hosts-only", 0, NULL, "Leave out paths to switches' own LIDs",
				  CLI_HOSTS_ONLY_HELP, CLI_BOOL(settings, hosts_only)},
				 {0}};

static const cli_example examples[] = {
	{"odonata verify damaged.net", "Prove the routing of a damaged fabric", CLI_OK},
	{"odonata verify dragonfly.net --tables dragonfly.lfts",
	 "LFTs alone, without the SL2VL maps that keep them from deadlock", CLI_NO},
	{0}};

const cli_command cli_verify = {
	.name = "verify",
	.arguments = "FABRIC...",
	.summary = "Prove tables, or find what is wrong with them",
	.about =
		"Follow every path of every service level, and build the channel dependency graph. "
		"Safe tables deliver from every switch to every connected LID, cannot deadlock, "
		"and use only the virtual lanes of the ports. Faults are listed, a deadlock as its "
		"cycle, link by link.\n\n"
		"'safe' holds for packets with the service level of their path, as the subnet "
		"manager assigns it. Applications that ask for no path record put all packets on "
		"one service level: 'sls safe for all' lists the levels that all packets may use, "
		"'sls safe beside path sls' those that some packets may use while others use those "
		"of their paths. 'scope' has the number of followed pairs, and the assumptions.\n\n"
		"'safe' is \"incomplete\" (in JSON a string, too), and the exit code 1, if some "
		"tables or the service levels of some paths are unknown, or if entries for LIDs "
		"that no port has lead to a host, or to VLs of an unknown SL. Without --tables, "
		"the tables are those that Odonata computes; on a live subnet without --engine, "
		"the installed ones: 'tables read' says of how many switches, and when.",
	.flags = flags,
	.each = true,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.settings_size = sizeof(settings),
	.run = run_verify,
	.examples = examples,
};

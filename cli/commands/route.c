/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata route: a routing, its cost, and a summary of its proof. */
#include "cli/answers.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "routing/verify/verify.h"

static int run_route(cli_call *call, cli_system *system, odo_error *err)
{
	odo_verdict verdict = {0};
	odo_sl_verdict sls;
	int status = cli_system_route(call, system, err);
	if (!status)
		status = odo_verify(system->tables, &verdict, err);
	if (!status)
		status = odo_verify_sls(system->tables, true, &sls, err);
	if (!status) {
		json_t **r = &call->result;
		*r = json_object();
		cli_answer_origin(r, call);
		cli_answer_fabric(r, system->fabric, system->coordinates);
		cli_answer_tables(r, system->tables);
		cli_answer_sls(r, system->tables, json_true(), &sls, true);
		cli_answer_verdict(r, system->tables, &verdict);
		status = cli_answer_turns(r, system->tables, system->coordinates, err);
	}
	if (!status)
		status = cli_check_answer(call->result, err);
	odo_verdict_clear(&verdict);
	return status;
}

static const cli_example examples[] = {
	{"odonata route dragonfly.net", "Route with the engine that suits the fabric", CLI_OK},
	{"odonata route damaged.net --vls 4 --json", "Within a budget of four virtual lanes",
	 CLI_OK},
	{"odonata route dragonfly.net --engine dragonfly --vls 1",
	 "Declined: minimal routing of a dragonfly needs two virtual lanes", CLI_DECLINED},
	{0}};

const cli_command cli_route = {
	.name = "route",
	.arguments = "FABRIC...",
	.summary = "Route a fabric and prove the routing",
	.about = "Map a fabric, route it, and prove that every packet arrives and that none can "
		 "deadlock. Print the engine, the virtual lanes, service levels and SL2VL maps "
		 "that the routing needs, and its longest path. 'down and up' counts the pairs of "
		 "a damaged fat tree whose path goes down and up again, because no way up and down "
		 "is left. 'odonata export' writes the tables.",
	.each = true,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.run = run_route,
	.examples = examples,
};

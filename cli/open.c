/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/system.h"

#include <stdlib.h>

#include "cli/adapters.h"
#include "cli/live.h"
#include "cli/subnets.h"
#include "cli/terminal/answer.h"
#include "fabric/format/format.h"
#include "fabric/format/names.h"
#include "fabric/format/slurp.h"
#include "fabric/transform/transform.h"

/** Replace the fabric by a transformed one, and carry its true coordinates over.
 * @param status of the transformation, which is returned if it failed
 * @param origin NULL if every node has stayed in its place */
static int replace_fabric(cli_system *s, int status, odo_fabric **next, odo_origin *origin,
			  odo_error *err)
{
	odo_coordinates *carried = NULL;
	if (status)
		return status;
	if (s->truth && origin) {
		status = odo_coordinates_carry(s->truth, *next, origin, &carried, err);
		odo_coordinates_free(s->truth);
		s->truth = carried;
	}
	odo_fabric_free(s->fabric);
	s->fabric = *next;
	if (origin)
		odo_origin_free(origin);
	return status;
}

/** Damage, miscable and shuffle the fabric, rename its nodes, and select adapters and a part, as
 * asked for. */
static int transform_fabric(cli_call *call, cli_system *s, odo_error *err)
{
	const cli_spoil *damage = &call->damage, *miscable = &call->miscable;
	const odo_damage wanted = {
		.switches = damage->share[0], .links = damage->share[1], .seed = damage->seed};
	odo_fabric *next;
	odo_origin origin;
	int status = 0;
	if (damage->wanted) {
		status = odo_fabric_damage(s->fabric, &wanted, &next, &origin, err);
		status = replace_fabric(s, status, &next, &origin, err);
	}
	if (!status && miscable->wanted) {
		status = odo_fabric_miscable(s->fabric, miscable->share[0], miscable->seed, &next,
					     NULL, err);
		status = replace_fabric(s, status, &next, NULL, err);
	}
	if (!status && call->shuffle) {
		status = odo_fabric_shuffle(s->fabric, call->shuffle_seed, &next, &origin, err);
		status = replace_fabric(s, status, &next, &origin, err);
	}
	if (!status && call->names) {
		status = odo_names_apply(call->names, s->fabric, &next, err);
		status = replace_fabric(s, status, &next, NULL, err);
	}
	if (!status && call->adapters) {
		status = cli_adapters_choose(call, s->fabric, &next, err);
		status = replace_fabric(s, status, &next, NULL, err);
		odo_coordinates_free(s->truth);
		s->truth = NULL;
	}
	if (!status && call->part) {
		status = odo_fabric_part(s->fabric, call->part - 1, &next, &origin, err);
		status = replace_fabric(s, status, &next, &origin, err);
	}
	return status;
}

static json_t *repair_row(const char *input, const odo_ledger *ledger, odo_repair sort)
{
	const odo_ledger_entry *entry = &ledger->of[sort];
	return json_pack("{so so si ss so sb}", "input", cli_json_text(input), "line",
			 entry->line ? json_integer(entry->line) : json_null(), "times", entry->n,
			 "repair", odo_repair_text(sort), "first", cli_json_text(entry->example),
			 "matters", odo_repair_matters(sort));
}

int cli_report_repairs(cli_call *call, const char *path, const odo_ledger *given, odo_error *err)
{
	const char *input = odo_origin_name(path);
	if (!given)
		return 0;
	/* Subnets that count LIDs alike are no error where each is treated by itself. */
	odo_ledger kept = *given, *ledger = &kept;
	if (call->command->each)
		kept.of[ODO_REPAIR_SUBNETS].n = 0;
	if (odo_ledger_is_empty(ledger))
		return 0;
	call->repaired |= odo_ledger_matters(ledger);
	char *warning = odo_ledger_warning(ledger, input);
	json_t *rows = call->repairs ? call->repairs : json_array();
	for (unsigned i = 0; i < ODO_N_REPAIRS; i++)
		if (ledger->of[i].n)
			cli_append(&rows, repair_row(input, ledger, (odo_repair)i));
	call->repairs = rows;
	if (warning)
		fprintf(stderr, "odonata: warning: %s\n", warning);
	free(warning);
	return warning ? cli_check_answer(rows, err) : odo_fail(err, ODO_ENOMEM, "out of memory");
}

bool cli_wants_installed(const cli_call *call)
{
	return call->command->installed && cli_is_live(call->arg[0]) && !call->n_tables &&
	       !call->engine && !call->policy;
}

const char *cli_live_spec(const cli_call *call, char *spec)
{
	snprintf(spec, CLI_SPEC, call->port ? "live:%.100s:%u" : "live:%.100s",
		 call->adapter ? call->adapter : "", call->port);
	return call->adapter || call->port ? spec : call->arg[0];
}

static int open_live(cli_call *call, cli_system *s, odo_error *err)
{
	bool wanted = cli_wants_installed(call) || call->for_install;
	odo_live_options also = {.key = call->key,
				 .without_sls = call->for_install,
				 .multicast = call->for_proof,
				 .counters = call->counters,
				 .counted_seconds = call->counted_seconds};
	char spec[CLI_SPEC];
	int status = cli_live_open(cli_live_spec(call, spec), call->lmc, &also,
				   wanted ? &s->installed : NULL, &s->fabric, err);
	if (call->for_install)
		return status;
	if (wanted && s->installed.no_manager)
		call->origin = "installed on the subnet; no subnet manager answers, so that no "
			       "path's SL is known";
	else if (wanted && s->installed.drawn)
		call->origin =
			"installed on the subnet; the subnet manager draws SLs anew for each query";
	else if (wanted && s->installed.n_without_record)
		call->origin = "installed on the subnet; for some pairs the subnet manager has no "
			       "path record";
	else if (wanted && s->installed.sampled)
		call->origin = "installed on the subnet; SLs asked for one host of each switch";
	else if (wanted && s->installed.n_unread)
		call->origin = "installed on the subnet; some nodes did not answer";
	else if (wanted)
		call->origin = "installed on the subnet";
	else if (!call->n_tables && !call->policy)
		call->origin = "computed by Odonata, not those installed on the subnet";
	return status;
}

static int open_file(cli_call *call, cli_system *s, odo_error *err)
{
	cli_step step;
	cli_step_begin(&step, "reading the fabric");
	return cli_step_end(&step,
			    odo_fabric_open(call->arg[0], call->lmc, &s->fabric, &s->truth, err));
}

/** Refuse --lmc if the fabric's own LIDs make it idle. */
static int check_lmc(const cli_call *call, const odo_fabric *f, odo_error *err)
{
	for (uint32_t h = 0; h < f->n_hosts && call->lmc; h++) {
		unsigned own = f->port_lmc[f->host_slot[h]];
		if (f->lid_count && own != call->lmc)
			return odo_fail(err, ODO_EINPUT,
					"--lmc: expected a fabric without LIDs, found hosts that "
					"have LIDs, with LMC %u",
					own);
	}
	return 0;
}

static int open_input(cli_call *call, cli_system *s, odo_error *err)
{
	int status = (cli_is_live(call->arg[0]) ? open_live : open_file)(call, s, err);
	return status ? status : cli_report_repairs(call, call->arg[0], s->fabric->repairs, err);
}

/** Join the other inputs to the first one, if all of them are one fabric. */
static int join_inputs(cli_call *call, cli_system *s, odo_error *err)
{
	int status = 0;
	for (unsigned i = 1; call->as_whole && i < call->subnets->n_inputs && !status; i++) {
		cli_system next = {0};
		odo_fabric *joined = NULL;
		call->arg[0] = call->subnets->input[i];
		status = open_input(call, &next, err);
		if (!status)
			status = odo_fabric_join(s->fabric, next.fabric, &joined, err);
		status = replace_fabric(s, status, &joined, NULL, err);
		odo_coordinates_free(s->truth);
		s->truth = NULL;
		cli_system_clear(&next);
		call->arg[0] = call->subnets->input[0];
	}
	return status;
}

int cli_system_open(cli_call *call, cli_system *system, odo_error *err)
{
	int status = 0;
	if (cli_subnets_take(call, system, &status, err))
		return status;
	status = open_input(call, system, err);
	if (!status)
		status = join_inputs(call, system, err);
	if (!status)
		status = check_lmc(call, system->fabric, err);
	if (!status)
		status = transform_fabric(call, system, err);
	if (!status)
		status = cli_subnets_join(call, system->fabric, err);
	if (!status && system->fabric->lids_by_part)
		status = cli_subnets_split(call, system, NULL, err);
	if (!status)
		cli_subnets_describe(call, system->fabric);
	return status;
}

void cli_system_clear(cli_system *system)
{
	free(system->roots);
	free(system->compute);
	free(system->io);
	odo_tables_free(system->tables);
	odo_live_tables_clear(&system->installed);
	odo_coordinates_free(system->coordinates);
	odo_coordinates_free(system->truth);
	odo_fabric_free(system->fabric);
	*system = (cli_system){0};
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/subnets.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answers.h"
#include "cli/terminal/sum.h"
#include "fabric/machine.h"
#include "fabric/rails.h"
#include "mapping/mapping.h"

int cli_subnets_begin(cli_call *call, odo_error *err)
{
	cli_subnets *set = call->subnets;
	if (!call->command->each || call->n_args < 2)
		return 0;
	if (call->part)
		return odo_fail(err, ODO_EINPUT, "%s: expected one FABRIC with --part, found %u",
				call->command->name, call->n_args);
	memcpy(set->input, call->arg, sizeof set->input);
	set->n_inputs = call->n_args;
	call->n_args = 1;
	return 0;
}

bool cli_is_one_of_several(const cli_call *call)
{
	return call->subnets && !call->as_whole &&
	       (call->subnets->n > 1 || call->subnets->n_inputs > 1);
}

bool cli_is_of_part(const cli_call *call)
{
	return cli_is_one_of_several(call) || call->part || call->adapters;
}

/** Return true if the map of a whole shows that its parts belong together. */
static bool is_one_fabric(const odo_coordinates *c)
{
	return c && c->kind != ODO_KIND_UNKNOWN && c->certainty != ODO_NEAREST;
}

static int extract_part(const cli_subnets *set, cli_system *system, odo_error *err)
{
	return odo_fabric_part(set->whole, set->at, &system->fabric, NULL, err);
}

/** Adapters of the largest machines: more names than this are not those of adapters. */
enum { MOST_NAMES = 8 };

/** Append the name of a host's adapter to a list, unless it is there. @return false if it is full
 */
static bool add_adapter_name(const odo_fabric *f, uint32_t host, json_t **names)
{
	odo_machine of = odo_machine_of(odo_name(f, f->owner[f->host_slot[host]]));
	size_t i;
	json_t *name;
	json_array_foreach(*names, i, name)
	{
		if (json_string_length(name) == of.adapter_length &&
		    !memcmp(json_string_value(name), of.adapter, of.adapter_length))
			return true;
	}
	bool full = json_array_size(*names) >= MOST_NAMES;
	if (of.adapter_length && !full)
		cli_append(names, json_stringn(of.adapter, of.adapter_length));
	return !of.adapter_length || !full;
}

/** Add the names of a part's adapters, as "mlx5_0", unless there are too many. */
static void put_adapters(json_t **head, const odo_fabric *f)
{
	json_t *names = json_array();
	bool all = true;
	for (uint32_t h = 0; h < f->n_senders && all; h++)
		all = add_adapter_name(f, h, &names);
	if (all && (!names || json_array_size(names)))
		cli_put(head, "adapters", names);
	else
		json_decref(names);
}

void cli_subnets_describe(const cli_call *call, const odo_fabric *f)
{
	cli_subnets *set = call->subnets;
	if (!cli_is_one_of_several(call))
		return;
	json_decref(set->head);
	set->head = json_object();
	cli_put_count(&set->head, "part", set->n_done + 1u);
	if (set->n_inputs > 1)
		cli_put_text(&set->head, "fabric", call->arg[0]);
	if (f->n_switches)
		cli_put_text(&set->head, "first_switch", odo_name(f, 0));
	put_adapters(&set->head, f);
}

/** Return 1 if there are rails, and each is in one part only; else 0, or a negative status. */
static int has_rail_parts(const odo_fabric *f, const uint32_t *part, odo_error *err)
{
	odo_rails rails;
	int known = odo_rails_find(f, &rails, err);
	if (known)
		return known;
	uint32_t *of_rail = malloc((rails.n + 1u) * sizeof *of_rail);
	known = of_rail ? rails.n > 0 : odo_fail(err, ODO_ENOMEM, "out of memory");
	for (uint32_t r = 0; of_rail && r < rails.n; r++)
		of_rail[r] = ODO_NONE;
	for (uint32_t s = 0; known > 0 && s < f->n_switches; s++) {
		uint32_t rail = rails.of_switch[s];
		if (rail == ODO_NONE)
			continue;
		known = of_rail[rail] == ODO_NONE || of_rail[rail] == part[s];
		of_rail[rail] = part[s];
	}
	free(of_rail);
	odo_rails_clear(&rails);
	return known;
}

/** Find whether parts may be one fabric that lost cables, because neither LIDs nor rails show that
 * they are subnets, and count the pairs of hosts in different parts. */
static int count_pairs_apart(cli_subnets *set, const odo_fabric *f, odo_error *err)
{
	uint64_t hosts[CLI_MOST_SUBNETS] = {0}, before = 0;
	if (f->lids_by_part)
		return 0;
	uint32_t *part = malloc((f->n_switches + 1u) * sizeof *part);
	int n = part ? odo_fabric_parts(f, part, err) : odo_fail(err, ODO_ENOMEM, "out of memory");
	int known = n < 0 ? n : has_rail_parts(f, part, err);
	set->torn |= !known;
	for (uint32_t h = 0; !known && h < f->n_senders; h++)
		hosts[part[odo_host_switch(f, h)]]++;
	for (int p = 0; !known && p < n; before += hosts[p++])
		set->n_apart += before * hosts[p];
	free(part);
	return known < 0 ? known : 0;
}

int cli_subnets_split(cli_call *call, cli_system *system, const odo_coordinates *c, odo_error *err)
{
	cli_subnets *set = call->subnets;
	const odo_fabric *f = system->fabric;
	/* A part that did not answer tears a live subnet, but makes no second one of it. A spec is
	 * one fabric, in whatever pieces --damage leaves it. */
	if (!set || set->n || call->as_whole || cli_is_live(call->arg[0]) || system->truth)
		return 0;
	int n = odo_fabric_parts(f, NULL, err);
	/* Cables that a repair of the input left out may be those between the parts. */
	bool may_be_one = is_one_fabric(c) || call->repaired || n > CLI_MOST_SUBNETS;
	if (n <= 1 || (may_be_one && !f->lids_by_part))
		return n < 0 ? n : 0;
	if (n > CLI_MOST_SUBNETS)
		return odo_fail(err, ODO_EINPUT,
				"expected up to %d parts that no cable connects, found %d: take "
				"each by itself (--part 1)",
				CLI_MOST_SUBNETS, n);
	int status = count_pairs_apart(set, f, err);
	if (status)
		return status;
	set->whole = system->fabric;
	set->n = (uint32_t)n;
	set->at = 0;
	odo_coordinates_free(system->coordinates);
	*system = (cli_system){0};
	status = extract_part(set, system, err);
	if (!status)
		cli_subnets_describe(call, system->fabric);
	return status;
}

bool cli_subnets_take(cli_call *call, cli_system *system, int *status, odo_error *err)
{
	cli_subnets *set = call->subnets;
	if (!set || !set->n)
		return false;
	*status = extract_part(set, system, err);
	if (!*status)
		cli_subnets_describe(call, system->fabric);
	return true;
}

/** Keep a copy of the first input, because the system that has it is cleared. */
int cli_subnets_join(const cli_call *call, const odo_fabric *f, odo_error *err)
{
	cli_subnets *set = call->subnets;
	odo_fabric *joined = NULL;
	if (!cli_is_one_of_several(call) || set->n_inputs < 2)
		return 0;
	int status = set->joined ? odo_fabric_join(set->joined, f, &joined, err)
				 : odo_fabric_sort(f, &joined, err);
	if (status)
		return status;
	odo_fabric_free(set->joined);
	set->joined = joined;
	return 0;
}

const odo_fabric *cli_subnets_all(const cli_call *call)
{
	const cli_subnets *set = call->subnets;
	return !set ? NULL : set->joined ? set->joined : set->whole;
}

static void clear_input(cli_subnets *set)
{
	odo_fabric_free(set->whole);
	set->whole = NULL;
	set->n = set->at = 0;
}

/** Go to the next part, or to the first one of the next input. @return false if none is left */
static bool go_to_next(cli_call *call)
{
	cli_subnets *set = call->subnets;
	json_decref(set->head);
	set->head = NULL;
	if (++set->at < set->n)
		return true;
	if (set->at_input + 1 >= set->n_inputs)
		return false;
	clear_input(set);
	call->arg[0] = set->input[++set->at_input];
	return true;
}

/** Keep the first failure. A subnet that cannot be routed does not hide the others. */
static void note_failure(cli_subnets *set, int status, const odo_error *err)
{
	char text[sizeof err->text];
	snprintf(text, sizeof text, "%.*s", (int)sizeof text - 20, err->text);
	odo_tame(text);
	cli_put_text(&set->head, "error", text);
	if (!set->failed)
		odo_fail(&set->why, status, "part %u: %s", set->n_done + 1, text);
	set->failed = set->failed ? set->failed : status;
}

/** Append a row to the answers: an answer behind the description of its subnet. */
static void append_answer(cli_subnets *set, json_t *answer)
{
	json_t *row = json_deep_copy(set->head);
	if (answer)
		cli_put_all(&row, json_incref(answer));
	cli_append(&set->rows, row);
}

static void add_subnet_answer(cli_call *call)
{
	cli_subnets *set = call->subnets;
	size_t i;
	json_t *row;
	if (!set->rows)
		set->rows = json_array();
	if (!json_is_array(call->result))
		append_answer(set, call->result);
	set->answered |= call->result != NULL;
	json_array_foreach(call->result, i, row)
	{
		append_answer(set, row);
	}
	json_decref(call->result);
	call->result = NULL;
}

bool cli_subnets_next(cli_call *call, int *status, odo_error *err)
{
	cli_subnets *set = call->subnets;
	if (!cli_is_one_of_several(call))
		return false;
	if (!*status && call->code == CLI_USAGE) /* said already, and true of all */
		return false;
	bool system_failed = *status == ODO_ENOMEM || *status == ODO_EIO;
	if (*status && (system_failed || !set->head)) {
		json_decref(call->result); /* half an answer about one of them */
		call->result = NULL;
		return false;
	}
	if (*status)
		note_failure(set, *status, err);
	else if (call->code > set->code)
		set->code = call->code;
	add_subnet_answer(call);
	set->n_done++;
	set->n_failed += *status != 0;
	*status = cli_check_answer(set->rows, err);
	return !*status && go_to_next(call);
}

static void print_failures(const json_t *rows)
{
	size_t i;
	json_t *row;
	json_array_foreach(rows, i, row)
	{
		const char *text = json_string_value(json_object_get(row, "error"));
		if (text)
			fprintf(stderr, "odonata: part %d: %s\n",
				(int)json_integer_value(json_object_get(row, "part")), text);
	}
}

/** Tell of hosts that may have lost each other. Pairs that are cut are then not known. */
static void put_pairs_apart(const cli_subnets *set, json_t **answer)
{
	if (!set->torn)
		return;
	if (json_object_get(*answer, "cut_pairs"))
		cli_put(answer, "cut_pairs", json_null());
	cli_put_count(answer, "unconnected_host_pairs", set->n_apart);
	cli_put_text(answer, "apart",
		     "may be one fabric that lost cables: hosts of different parts are not "
		     "connected; give each subnet as a FABRIC of its own if they are several");
}

void cli_subnets_finish(cli_call *call, int *status, odo_error *err)
{
	cli_subnets *set = call->subnets;
	if (*status || !set || !set->rows)
		return;
	call->code = set->code;
	if (set->n_failed == set->n_done) {
		*err = set->why;
		*status = set->failed;
		return;
	}
	if (set->failed)
		call->code = cli_exit_of(set->failed);
	print_failures(set->rows);
	if (!set->answered)
		return;
	call->result = cli_sum_rows(set->rows);
	put_pairs_apart(set, &call->result);
	*status = cli_check_answer(call->result, err);
	if (!*status && call->command->sum)
		*status = call->command->sum(call, &call->result, err);
}

void cli_subnets_interrupt(cli_call *call)
{
	odo_error err;
	int status = 0;
	if (!cli_is_one_of_several(call))
		return;
	cli_subnets_next(call, &status, &err);
	cli_subnets_finish(call, &status, &err);
}

int cli_part_maps_make(const cli_system *system, cli_part_maps *maps, odo_error *err)
{
	int n = odo_fabric_parts(system->fabric, NULL, err), status = n < 0 ? n : 0;
	*maps = (cli_part_maps){0};
	if (n < 2 || n > CLI_MOST_SUBNETS || is_one_fabric(system->coordinates))
		return status;
	while (!status && maps->n < (size_t)n) {
		odo_fabric *part = NULL;
		status = odo_fabric_part(system->fabric, (uint32_t)maps->n, &part,
					 &maps->origin[maps->n], err);
		if (status)
			break;
		status = odo_map(part, &maps->c[maps->n++], err);
		odo_fabric_free(part);
	}
	return status;
}

void cli_part_maps_clear(cli_part_maps *maps)
{
	for (size_t i = 0; i < maps->n; i++) {
		odo_coordinates_free(maps->c[i]);
		odo_origin_free(&maps->origin[i]);
	}
	*maps = (cli_part_maps){0};
}

void cli_subnets_clear(cli_subnets *set)
{
	clear_input(set);
	odo_fabric_free(set->joined);
	json_decref(set->rows);
	json_decref(set->head);
}

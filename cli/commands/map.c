/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata map: the topology that a fabric was built as, and the cables that contradict it. */
#include <stdlib.h>
#include <string.h>

#include "cli/answers.h"
#include "cli/parts/difference.h"
#include "cli/commands/parts.h"
#include "cli/parts/rails.h"
#include "cli/drawing/drawing.h"
#include "cli/live.h"
#include "cli/rows.h"
#include "cli/subnets.h"
#include "cli/system.h"
#include "cli/terminal/output.h"
#include "fabric/format/formats.h"
#include "fabric/topology/topology.h"
#include "mapping/faults/hints.h"
#include "mapping/mapping.h"
#include "mapping/room.h"

#define CABLES_ALONE                                                                               \
	"as far as cables alone can tell: a whole layer that is missing is seen only against a "   \
	"plan (--plan)"

typedef struct settings {
	bool coordinates, suspects, strict, svg, labels;
	const char *old, *plan; /**< FABRIC to compare with */
	const char *save;       /**< file for a plan */
} settings;

/** Return the name of a coordinate, or NULL. In a tree of two levels each plane is one spine. */
static const char *coordinate_name(const odo_coordinates *c, unsigned d)
{
	const char *const *names = odo_kind_of(c->kind)->dimensions;
	bool is_spine = c->kind == ODO_KIND_FATTREE && d == ODO_TREE_PLANE &&
			c->size[ODO_TREE_LEVEL] == 2;
	return !names ? NULL : is_spine ? "spine" : names[d];
}

/** Describe a dimension. A coordinate that is only a number has a name, but no width. */
static json_t *dimension_row(const odo_coordinates *c, unsigned d)
{
	const char *name = coordinate_name(c, d);
	if (name)
		return json_pack("{si ss si}", "dimension", d, "name", name, "size", c->size[d]);
	return json_pack("{si ss si si}", "dimension", d, "graph",
			 odo_factor_of(c->factor[d])->name, "size", c->size[d], "width",
			 c->width[d]);
}

static json_t *list_dimensions(const odo_coordinates *c)
{
	json_t *rows = json_array();
	for (unsigned d = 0; d < c->n_dims; d++)
		cli_append(&rows, dimension_row(c, d));
	return rows;
}

/** List the switches and hosts of each level of a tree, the leaves first, and the cables of a link
 * to the next level. */
static json_t *list_levels(const odo_fabric *f, const odo_coordinates *c)
{
	json_t *rows = json_array();
	for (uint32_t level = 0; level < c->size[ODO_TREE_LEVEL]; level++) {
		bool top = level + 1 == c->size[ODO_TREE_LEVEL];
		uint32_t n = 0, hosts = 0;
		for (uint32_t s = 0; s < c->n_switches; s++) {
			bool here = odo_at(c, s)[ODO_TREE_LEVEL] == level;
			n += here;
			hosts += here ? odo_hosts_of(f, s) : 0;
		}
		cli_append(&rows, json_pack("{si si si so}", "level", level, "switches", n, "hosts",
					    hosts, "width_up",
					    top ? json_null() : json_integer(c->width[level])));
	}
	return rows;
}

/** Add coordinates, and their text if they have names: "level 1, pod 3, plane 0, index 2". */
static void set_place(json_t **row, const odo_coordinates *c, const uint32_t *at)
{
	bool named = odo_kind_of(c->kind)->dimensions;
	cli_put(row, "at", cli_json_place(at, c->n_dims));
	char text[128] = "";
	for (unsigned d = 0; named && d < c->n_dims && at[d] != ODO_NONE; d++) {
		size_t used = strlen(text);
		snprintf(text + used, sizeof text - used, "%s%s %u", d ? ", " : "",
			 coordinate_name(c, d), at[d]);
	}
	if (named)
		cli_put_text(row, "place", text);
}

static json_t *list_switch_places(const odo_fabric *f, const odo_coordinates *c)
{
	json_t *rows = json_array();
	for (uint32_t s = 0; s < c->n_switches; s++) {
		json_t *row = json_pack("{so so}", "switch", cli_json_text(odo_name(f, s)), "guid",
					cli_json_guid(f->node_guid[s]));
		set_place(&row, c, odo_at(c, s));
		cli_append(&rows, row);
	}
	return rows;
}

static json_t *wrong_cable_row(const odo_fabric *f, const odo_coordinates *c, const odo_fault *x)
{
	json_t *row = cli_json_cable(f, x->slot[0]);
	(void)c;
	cli_put(&row, "from_belongs_to", cli_json_port(f, x->belongs[0]));
	cli_put(&row, "to_belongs_to", cli_json_port(f, x->belongs[1]));
	return row;
}

static json_t *slow_cable_row(const odo_fabric *f, const odo_coordinates *c, const odo_fault *x)
{
	json_t *row = cli_json_cable(f, x->slot[0]);
	(void)c;
	cli_put(&row, "runs_at", cli_json_rate(f, x->slot[0]));
	cli_put(&row, "usual", cli_json_rate(f, x->usual));
	return row;
}

static json_t *missing_link_row(const odo_fabric *f, const odo_coordinates *c, const odo_fault *x)
{
	(void)c;
	return json_pack("{so so so so si}", "between", cli_json_text(odo_name(f, x->node[0])),
			 "guid", cli_json_guid(f->node_guid[x->node[0]]), "and",
			 cli_json_text(odo_name(f, x->node[1])), "and_guid",
			 cli_json_guid(f->node_guid[x->node[1]]), "missing", x->count);
}

static json_t *missing_switch_row(const odo_fabric *f, const odo_coordinates *c, const odo_fault *x)
{
	json_t *row = json_object();
	(void)f;
	set_place(&row, c, x->at);
	return row;
}

/** Add a list of the faults of a type. */
static void put_fault_rows(json_t **answer, const char *key, odo_fault_type type,
			   json_t *(*row)(const odo_fabric *, const odo_coordinates *,
					  const odo_fault *),
			   const odo_fabric *f, const odo_coordinates *c)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < c->n_faults; i++)
		if (c->faults[i].type == type)
			cli_append(&rows, row(f, c, &c->faults[i]));
	cli_put(answer, key, rows);
}

/** Count the suspect cables of a type; a missing link counts each of its cables. */
static int count_suspects(const odo_coordinates *c, odo_fault_type type)
{
	uint32_t n = 0;
	for (uint32_t i = c->n_faults; i < odo_contradictions(c); i++)
		n += c->faults[i].type == type ? c->faults[i].count : 0;
	return (int)n;
}

/** Return contradictions that are only guesses, as one set. None of them is reported as a fault. */
static json_t *list_suspects(const odo_coordinates *c)
{
	const char *why = c->certainty == ODO_NEAREST
				  ? "no better than a guess: the kind is only the nearest one"
				  : "no better than a guess: cables that were added, switches that "
				    "were attached, or groups that were built smaller";
	return json_pack("[{ss si si si}]", "what", why, "wrong_cables",
			 count_suspects(c, ODO_FAULT_WRONG_LINK), "missing_cables",
			 count_suspects(c, ODO_FAULT_MISSING_LINK), "missing_switches",
			 count_suspects(c, ODO_FAULT_MISSING_SWITCH));
}

/** List the suspects as faults are listed, under keys of their own. */
static void put_suspect_rows(json_t **answer, const odo_fabric *f, const odo_coordinates *c)
{
	odo_coordinates guesses = *c;
	guesses.n_faults = c->n_suspects;
	if (c->n_suspects)
		guesses.faults += c->n_faults;
	put_fault_rows(answer, "suspect_wrong_cables", ODO_FAULT_WRONG_LINK, wrong_cable_row, f,
		       &guesses);
	put_fault_rows(answer, "suspect_missing_links", ODO_FAULT_MISSING_LINK, missing_link_row, f,
		       &guesses);
	put_fault_rows(answer, "suspect_missing_switches", ODO_FAULT_MISSING_SWITCH,
		       missing_switch_row, f, &guesses);
}

/** List irregularities that no cable contradicts: "strong" if some switches have what others
 * lack. */
static json_t *list_hints(const odo_fabric *f, const odo_coordinates *c)
{
	odo_hint *found = NULL;
	uint32_t n = 0;
	odo_error err;
	json_t *rows = odo_hints_find(f, c, &found, &n, &err) ? NULL : json_array();
	for (uint32_t i = 0; i < n && rows; i++)
		cli_append(&rows,
			   json_pack("{ss so}", "evidence", found[i].strong ? "strong" : "weak",
				     "hint", cli_json_text(found[i].text)));
	free(found);
	return rows;
}

static bool has_strong_hints(const json_t *answer)
{
	size_t i;
	json_t *row;
	json_array_foreach(json_object_get(answer, "hints"), i, row)
	{
		if (!strcmp(json_string_value(json_object_get(row, "evidence")), "strong"))
			return true;
	}
	return false;
}

/** List switches that hang on a core of the topology. */
static json_t *list_more_switches(const odo_fabric *f, const odo_coordinates *c)
{
	json_t *rows = json_array();
	for (uint32_t s = 0; s < f->n_switches; s++) {
		if (odo_at(c, s)[0] != ODO_NONE)
			continue;
		json_t *row = json_object();
		cli_put_text(&row, "switch", odo_name(f, s));
		cli_put(&row, "guid", cli_json_guid(f->node_guid[s]));
		cli_put_count(&row, "hosts", odo_hosts_of(f, s));
		cli_append(&rows, row);
	}
	return rows;
}

void cli_map_answer(json_t **a, const odo_fabric *f, const odo_coordinates *c)
{
	cli_put_count(a, "contradictions", c->n_faults);
	cli_put(a, "dimensions", list_dimensions(c));
	if (odo_room_for_groups(f, c))
		cli_put_count(a, "room_for_groups", odo_room_for_groups(f, c));
	if (c->kind == ODO_KIND_FATTREE)
		cli_put(a, "levels", list_levels(f, c));
	if (c->n_more_switches)
		cli_put(a, "besides", list_more_switches(f, c));
	put_fault_rows(a, "wrong_cables", ODO_FAULT_WRONG_LINK, wrong_cable_row, f, c);
	cli_answer_rails(a, f);
	put_fault_rows(a, "slow_cables", ODO_FAULT_SLOW_LINK, slow_cable_row, f, c);
	put_fault_rows(a, "missing_links", ODO_FAULT_MISSING_LINK, missing_link_row, f, c);
	put_fault_rows(a, "missing_switches", ODO_FAULT_MISSING_SWITCH, missing_switch_row, f, c);
	if (c->n_suspects)
		cli_put(a, "suspects", list_suspects(c));
	json_t *unequal = list_hints(f, c);
	if (!unequal || json_array_size(unequal))
		cli_put(a, "hints", unequal);
	else
		json_decref(unequal);
}

/** Return true if something contradicts the topology. An additional switch attached to a fabric
 * does not. */
static bool is_contradicted(const odo_coordinates *c)
{
	bool wrong = c->n_faults || c->certainty == ODO_NEAREST;
	for (uint32_t i = c->n_faults; i < odo_contradictions(c); i++)
		wrong |= c->faults[i].type == ODO_FAULT_WRONG_LINK;
	return wrong;
}

static int answer_map(cli_call *call, const odo_fabric *f, const odo_coordinates *c, odo_error *err)
{
	const settings *own = call->settings;
	json_t **a = &call->result;
	*a = json_object();
	cli_answer_fabric(a, f, c);
	cli_map_answer(a, f, c);
	if (own->strict && c->kind != ODO_KIND_UNKNOWN && !cli_is_one_of_several(call))
		cli_put_text(a, "scope", CABLES_ALONE);
	if (own->suspects)
		put_suspect_rows(a, f, c);
	if (own->coordinates)
		cli_put(a, "coordinates", list_switch_places(f, c));
	return cli_check_answer(*a, err);
}

/** Report the changes since the fabric was `old`, which is not judged. */
static int answer_changes(cli_call *call, cli_system *after, odo_error *err)
{
	const settings *own = call->settings;
	cli_call old = {.command = call->command, .arg = {own->old}, .lmc = call->lmc};
	cli_system before = {0};
	bool empty = true;
	int status = cli_system_map(&old, &before, err);
	call->repairs = old.repairs;
	if (!status)
		status = cli_system_map(call, after, err);
	if (!status)
		status = cli_difference(&before, after, &empty, &call->result, err);
	cli_system_clear(&before);
	call->code = empty ? CLI_OK : CLI_NO;
	return status;
}

/** Open a plan: a file, or a spec, whose rates count only if it names them. */
static int open_plan(cli_call *call, const char *path, cli_system *plan, odo_error *err)
{
	cli_call own = {.command = call->command, .arg = {path}, .lmc = call->lmc};
	int status = cli_system_open(&own, plan, err);
	call->repairs = own.repairs;
	if (!status && odo_topology_is_spec(path) && odo_topology_lacks_speed(path))
		memset(plan->fabric->speed, ODO_SPEED_UNKNOWN, plan->fabric->n_slots);
	return status;
}

/** Report the differences from a plan. Neither is mapped. */
static int answer_planned(cli_call *call, cli_system *is, odo_error *err)
{
	const settings *own = call->settings;
	cli_system plan = {0};
	bool same = true;
	call->result = json_object();
	int status = open_plan(call, own->plan, &plan, err);
	if (!status)
		status = cli_system_open(call, is, err);
	if (!status) {
		json_t *planned = json_object();
		cli_answer_fabric(&call->result, is->fabric, NULL);
		cli_answer_fabric(&planned, plan.fabric, NULL);
		cli_put(&call->result, "planned", planned);
		status = cli_put_plan(&call->result, plan.fabric, is->fabric, &same, err);
	}
	cli_system_clear(&plan);
	call->code = same ? CLI_OK : CLI_NO;
	return status ? status : cli_check_answer(call->result, err);
}

/** Save the fabric as a plan. */
static int save_plan(const cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	cli_file file;
	int status = cli_file_open(own->save, &file, err);
	if (status)
		return status;
	status = odo_plan_file_write(system->fabric, system->coordinates, file.to, err);
	return cli_file_close(&file, status, err);
}

static int run_map(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	if (own->old)
		return answer_changes(call, system, err);
	if (own->plan)
		return answer_planned(call, system, err);
	int status = cli_system_map(call, system, err);
	const odo_coordinates *c = system->coordinates;
	if (!status)
		status = own->svg ? cli_draw(system->fabric, c, own->labels, call->out, err)
				  : answer_map(call, system->fabric, c, err);
	if (!status && own->save)
		status = save_plan(call, system, err);
	if (status)
		return status;
	size_t wrong_rails = json_array_size(json_object_get(call->result, "wrong_rails"));
	if (c->kind == ODO_KIND_UNKNOWN ||
	    (own->strict &&
	     (is_contradicted(c) || wrong_rails || has_strong_hints(call->result) ||
	      /* a live subnet has no lines to lose: hosts that boot have no LID yet */
	      (call->repaired && !cli_is_live(call->arg[0])))))
		call->code = CLI_NO;
	return 0;
}

/** Find rails across all parts: an adapter may be in the wrong one. */
static int sum_map(cli_call *call, json_t **answer, odo_error *err)
{
	const settings *own = call->settings;
	cli_answer_rails(answer, cli_subnets_all(call));
	if (own->strict)
		cli_put_text(answer, "scope", CABLES_ALONE);
	if (own->strict &&
	    (json_array_size(json_object_get(*answer, "wrong_rails")) || call->subnets->torn))
		call->code = call->code == CLI_OK ? CLI_NO : call->code;
	return cli_check_answer(*answer, err);
}

/** Take a fabric in parts as a whole in a picture, and where it is compared. */
static void check_map(cli_call *call)
{
	const settings *own = call->settings;
	call->as_whole = own->svg || own->old || own->plan || own->save;
}

static const cli_flag flags[] = {
	{"coordinates", 0, NULL, "Print the coordinates of every switch", NULL,
	 CLI_BOOL(settings, coordinates), .not_with = "diff,plan,svg"},
	{"suspects", 0, NULL, "List contradictions that are no better than a guess",
	 "List the contradictions that are no better than a guess, as faults are listed; without "
	 "this option they are counted",
	 CLI_BOOL(settings, suspects), .not_with = "diff,plan,svg"},
	{"svg", 0, NULL, "Draw the fabric and its faults as SVG", NULL, CLI_BOOL(settings, svg),
	 .not_with = "diff,plan,json"},
	{"labels", 0, NULL, NULL, "With --svg: print the names of switches, groups and levels",
	 CLI_BOOL(settings, labels), .needs = "svg"},
	{"diff", 0, "OLD", "Print the changes since the fabric was OLD",
	 "Print the changes since the fabric was OLD, and exit with 1 if there are any; GUIDs, "
	 "names and cables tell which nodes are the same",
	 CLI_TEXT(settings, old), .not_with = "plan"},
	{"plan", 0, "PLAN", "Print the differences from a plan",
	 "Print the differences from PLAN, and exit with 1 if there are any: what is missing, "
	 "added, replaced, moved or swapped, and cables of another rate; PLAN is a spec, or any "
	 "file that is read as FABRIC",
	 CLI_TEXT(settings, plan), .not_with = "diff"},
	{"save-plan", 0, "FILE", "Write what is there as a plan for --plan",
	 "Write what is there as a plan for --plan: names, GUIDs, places, cables with both ends, "
	 "rates and labels, and coordinates",
	 CLI_TEXT(settings, save), .not_with = "diff,plan"},
	{"strict", 0, NULL, "Exit with 1 if the fabric has faults",
	 "Exit with 1 if the fabric contradicts its topology, has no known topology, is strongly "
	 "unequal, is in parts that may be one fabric, or if its file had to be repaired; as far "
	 "as "
	 "cables alone can tell",
	 CLI_BOOL(settings, strict), .not_with = "diff,plan"},
	{0}};

static const cli_example examples[] = {
	{"odonata map dragonfly.net", "What the fabric in a file is", CLI_OK},
	{"odonata map damaged.net --coordinates --json", "Where every switch is, for a program",
	 CLI_OK},
	{"odonata map damaged.net --svg -o damaged.svg", "A picture of it", CLI_OK},
	{"odonata map --diff dragonfly.net dragonfly.net --miscable 2%", "What has changed",
	 CLI_NO},
	{"odonata map dragonfly.net --save-plan site.plan", "Keep what is there as a plan", CLI_OK},
	{"odonata map damaged.net --plan dragonfly.net", "What differs from a plan", CLI_NO},
	{"odonata map flatfly:k=4x4x4,c=4 --shuffle 1 --miscable 1% --strict",
	 "Which cables are in the wrong port", CLI_NO},
	{0}};

const cli_command cli_map = {
	.name = "map",
	.arguments = "FABRIC...",
	.summary = "Find the topology, and the cables that contradict it",
	.about = "Find the topology that a fabric was built as: its kind, its dimensions, and the "
		 "contradictions: missing switches and cables, cables in the wrong port and where "
		 "they belong, and cables slower than others of their dimension. Only cables are "
		 "used, not names, GUIDs or port numbers. Exception: rails group adapters by host "
		 "name.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_OUTPUT,
	.each = true,
	.settings_size = sizeof(settings),
	.check = check_map,
	.run = run_map,
	.sum = sum_map,
	.examples = examples,
};

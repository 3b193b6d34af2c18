/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/difference.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answers.h"
#include "fabric/machine.h"
#include "fabric/match/change.h"
#include "fabric/twins.h"

typedef json_t *row_maker(const odo_match *m, const odo_change *x);

static const char *node_type(const odo_fabric *f, uint32_t v)
{
	return odo_is_switch(f, v)             ? "switch"
	       : f->node_type[v] == ODO_ROUTER ? "router"
					       : "adapter";
}

static json_t *lost_node_row(const odo_fabric *f, uint32_t v)
{
	return json_pack("{ss so so}", "type", node_type(f, v), "name",
			 cli_json_text(odo_name(f, v)), "guid", cli_json_guid(f->node_guid[v]));
}

static json_t *gone_node_row(const odo_match *m, const odo_change *x)
{
	return lost_node_row(m->plan, x->node);
}

static json_t *new_node_row(const odo_match *m, const odo_change *x)
{
	return lost_node_row(m->is, x->found);
}

static json_t *replaced_row(const odo_match *m, const odo_change *x)
{
	return json_pack("{ss so so so}", "type", node_type(m->plan, x->node), "name",
			 cli_json_text(odo_name(m->is, x->found)), "had_guid",
			 cli_json_guid(m->plan->node_guid[x->node]), "guid",
			 cli_json_guid(m->is->node_guid[x->found]));
}

static json_t *renamed_row(const odo_match *m, const odo_change *x)
{
	return json_pack("{ss so so so}", "type", node_type(m->plan, x->node), "had_name",
			 cli_json_text(odo_name(m->plan, x->node)), "name",
			 cli_json_text(odo_name(m->is, x->found)), "guid",
			 cli_json_guid(m->is->node_guid[x->found]));
}

/** Return the name of the node that had the place of a node of the present state, or null. */
static json_t *planned_place_name(const odo_match *m, uint32_t found)
{
	return m->back[found] == ODO_NONE ? json_null()
					  : cli_json_text(odo_name(m->plan, m->back[found]));
}

static json_t *moved_row(const odo_match *m, const odo_change *x)
{
	json_t *row = lost_node_row(m->is, x->found);
	cli_put(&row, "in_place_of", planned_place_name(m, x->found));
	return row;
}

/** Return a cable from its lower end, whichever end has changed. */
static json_t *whole_cable(const odo_fabric *f, uint32_t slot)
{
	return cli_json_cable(f, f->peer[slot] < slot ? f->peer[slot] : slot);
}

static json_t *gone_cable_row(const odo_match *m, const odo_change *x)
{
	return whole_cable(m->plan, x->slot);
}

static json_t *new_cable_row(const odo_match *m, const odo_change *x)
{
	return whole_cable(m->is, x->at);
}

static json_t *rate_row(const odo_match *m, const odo_change *x)
{
	json_t *row = cli_json_cable(m->is, x->at);
	cli_put(&row, "ran_at", cli_json_rate(m->plan, x->slot));
	cli_put(&row, "runs_at", cli_json_rate(m->is, x->at));
	return row;
}

/** Lists of a difference between two states, and the changes that each of them has. */
static const struct list {
	const char *key;
	uint32_t of; /**< bits of odo_change_sort */
	row_maker *make;
} lists[] = {
	{"nodes_gone", 1u << ODO_CHANGE_MISSING_NODE, gone_node_row},
	{"nodes_new", 1u << ODO_CHANGE_ADDED_NODE, new_node_row},
	{"nodes_replaced", 1u << ODO_CHANGE_REPLACED, replaced_row},
	{"nodes_renamed", 1u << ODO_CHANGE_RENAMED, renamed_row},
	{"nodes_moved", 1u << ODO_CHANGE_MOVED, moved_row},
	{"cables_gone",
	 1u << ODO_CHANGE_MISSING_CABLE | 1u << ODO_CHANGE_SWAPPED | 1u << ODO_CHANGE_RECABLED,
	 gone_cable_row},
	{"cables_new",
	 1u << ODO_CHANGE_ADDED_CABLE | 1u << ODO_CHANGE_SWAPPED | 1u << ODO_CHANGE_RECABLED,
	 new_cable_row},
	{"other_rates", 1u << ODO_CHANGE_RATE, rate_row},
};

static json_t *list_changes(const odo_match *m, const odo_changes *all, const struct list *list)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < all->n; i++)
		if (list->of >> all->row[i].sort & 1)
			cli_append(&rows, list->make(m, &all->row[i]));
	return rows;
}

static json_t *state_summary(const cli_system *s)
{
	json_t *answer = json_object();
	cli_answer_fabric(&answer, s->fabric, s->coordinates);
	cli_put_count(&answer, "contradictions", s->coordinates->n_faults);
	return answer;
}

/** Name the evidence by which nodes of two fabrics are the same. */
static const char *known_by(const odo_match *m)
{
	static const char *const words[] = {"cables only", "names and cables", "GUIDs and cables",
					    "GUIDs, names and cables"};
	unsigned guids = m->guids[0] || m->guids[1], names = m->names[0] || m->names[1];
	return words[guids << 1 | names];
}

/** Say that a list of changes is a guess if no name, GUID or port number tells alike places apart.
 */
static void put_doubt(json_t **answer, const odo_match *m, const odo_changes *changes)
{
	if (changes->n && !m->ports && !strcmp(known_by(m), "cables only"))
		cli_put_text(answer, "doubt",
			     "no name, GUID or port number tells alike places apart: the list may "
			     "accuse others");
}

/** Match two fabrics and find all changes. Both are to be cleared, also on failure. */
static int find_changes(const odo_fabric *plan, const odo_fabric *is, odo_match *m,
			odo_changes *changes, odo_error *err)
{
	*changes = (odo_changes){0};
	int status = odo_match_make(plan, is, m, err);
	return status ? status : odo_changes_find(m, changes, err);
}

int cli_difference(const cli_system *a, const cli_system *b, bool *same, json_t **out,
		   odo_error *err)
{
	odo_match m;
	odo_changes changes;
	int status = find_changes(a->fabric, b->fabric, &m, &changes, err);
	json_t *answer = json_pack("{ss so so}", "known_by", known_by(&m), "before",
				   state_summary(a), "after", state_summary(b));
	if (!status)
		put_doubt(&answer, &m, &changes);
	for (size_t i = 0; i < sizeof lists / sizeof *lists && !status; i++)
		cli_put(&answer, lists[i].key, list_changes(&m, &changes, &lists[i]));
	*same &= !changes.n;
	odo_changes_clear(&changes);
	odo_match_clear(&m);
	*out = status ? NULL : answer;
	if (status)
		json_decref(answer);
	return status ? status : cli_check_answer(answer, err);
}

static json_t *far_end_text(const odo_fabric *f, uint32_t slot)
{
	return cli_json_port(f, slot == ODO_NONE ? ODO_NONE : f->peer[slot]);
}

/** Return the far end of a node's first cable: the place of an adapter. */
static json_t *cabled_to(const odo_fabric *f, uint32_t v)
{
	for (uint32_t i = f->first_slot[v]; i < f->first_slot[v + 1]; i++)
		if (f->peer[i] != ODO_NONE)
			return far_end_text(f, i);
	return json_null();
}

static void put_lost(json_t **row, const odo_fabric *f, const odo_change *x, uint32_t v,
		     const char *key)
{
	odo_machine of = odo_machine_of(odo_name(f, v));
	if (x->machine)
		cli_put_text(row, "type", "host");
	if (x->machine && x->behind > 1 && of.length)
		cli_put(row, "node", json_sprintf("%.*s", (int)of.length, of.name));
	if (x->behind)
		cli_put_count(row, odo_is_switch(f, v) ? "hosts_behind" : "adapters", x->behind);
	if (!odo_is_switch(f, v))
		cli_put(row, key, cabled_to(f, v));
}

static void put_node_change(json_t **row, const odo_match *m, const odo_change *x)
{
	uint32_t v = x->node, y = x->found;
	if (x->sort == ODO_CHANGE_REPLACED) {
		cli_put(row, "planned", cli_json_guid(m->plan->node_guid[v]));
		cli_put(row, "found", cli_json_guid(m->is->node_guid[y]));
		if (strcmp(odo_name(m->plan, v), odo_name(m->is, y)) != 0)
			cli_put_text(row, "new_name", odo_name(m->is, y));
	} else if (x->sort == ODO_CHANGE_RENAMED) {
		cli_put_text(row, "planned", odo_name(m->plan, v));
		cli_put_text(row, "found", odo_name(m->is, y));
	} else if (x->sort == ODO_CHANGE_MOVED && m->back[y] != ODO_NONE) {
		cli_put(row, "found",
			json_sprintf("in the place of %s", odo_name(m->plan, m->back[y])));
	} else if (y == ODO_NONE) {
		put_lost(row, m->plan, x, v, "planned");
	} else if (v == ODO_NONE) {
		put_lost(row, m->is, x, y, "found");
	}
}

/** Add where a planned node or port is, for the technician, as far as the plan says it. */
static void put_whereabouts(json_t **row, const odo_fabric *f, uint32_t v, uint32_t slot,
			    const char *place, const char *label)
{
	if (*odo_location(f, v))
		cli_put_text(row, place, odo_location(f, v));
	if (slot != ODO_NONE && *odo_label(f, slot))
		cli_put_text(row, label, odo_label(f, slot));
}

static void put_cable_change(json_t **row, const odo_match *m, const odo_change *x)
{
	cli_put_text(row, "type", "cable");
	cli_put_count(row, "port",
		      x->slot == ODO_NONE ? odo_port(m->is, x->at) : odo_port(m->plan, x->slot));
	if (x->sort == ODO_CHANGE_LABEL) {
		cli_put_text(row, "planned", odo_label(m->plan, x->slot));
		cli_put_text(row, "found", odo_label(m->is, x->at));
		cli_put(row, "to", far_end_text(m->is, x->at));
		return;
	}
	if (x->sort == ODO_CHANGE_RATE) {
		cli_put(row, "planned", cli_json_rate(m->plan, x->slot));
		cli_put(row, "found", cli_json_rate(m->is, x->at));
		cli_put(row, "to", far_end_text(m->is, x->at));
		return;
	}
	cli_put(row, "planned", x->slot == ODO_NONE ? json_null() : far_end_text(m->plan, x->slot));
	cli_put(row, "found",
		x->sort == ODO_CHANGE_MISSING_CABLE ? json_null() : far_end_text(m->is, x->at));
}

/** Make a row of the list `plan`. A node has its planned name, an added one its own. */
static json_t *plan_row(const odo_match *m, const odo_change *x)
{
	const odo_fabric *f = x->node == ODO_NONE ? m->is : m->plan;
	uint32_t v = x->node == ODO_NONE ? x->found : x->node;
	uint64_t guid = x->found == ODO_NONE ? f->node_guid[v] : m->is->node_guid[x->found];
	json_t *row = json_pack("{ss ss so so so so so}", "difference", odo_change_name(x->sort),
				"type", node_type(f, v), "node", cli_json_text(odo_name(f, v)),
				"guid", cli_json_guid(guid), "port", json_null(), "planned",
				json_null(), "found", json_null());
	if (x->sort < ODO_CHANGE_MISSING_CABLE)
		put_node_change(&row, m, x);
	else
		put_cable_change(&row, m, x);
	if (x->node != ODO_NONE)
		put_whereabouts(&row, f, v, x->slot, "place", "label");
	if (x->slot != ODO_NONE)
		put_whereabouts(&row, f, f->owner[f->peer[x->slot]], f->peer[x->slot], "to_place",
				"to_label");
	return row;
}

/** Say what "no difference" does not speak of. */
static void put_uncompared(json_t **answer, const odo_match *m, const odo_changes *changes)
{
	if (!changes->hosts && m->is->n_hosts)
		cli_put_text(answer, "hosts_not_compared", "the plan has none");
	if (changes->n_unrated)
		cli_put(answer, "rates_not_compared",
			json_sprintf("%u of %u cables: the plan or the fabric has no rate",
				     changes->n_unrated, changes->n_cables));
	if (!m->ports)
		cli_put_text(answer, "port_numbers_not_compared", "they differ in general");
}

int cli_put_plan(json_t **answer, const odo_fabric *plan, const odo_fabric *is, bool *same,
		 odo_error *err)
{
	odo_match m;
	odo_changes changes;
	json_t *rows = json_array();
	int status = find_changes(plan, is, &m, &changes, err);
	for (uint32_t i = 0; i < changes.n && !status; i++)
		if (!changes.row[i].folded)
			cli_append(&rows, plan_row(&m, &changes.row[i]));
	if (!status)
		put_uncompared(answer, &m, &changes);
	cli_put_text(answer, "known_by", status ? "" : known_by(&m));
	if (!status)
		put_doubt(answer, &m, &changes);
	cli_put_count(answer, "differences", json_array_size(rows));
	*same &= !changes.n;
	cli_put(answer, "plan", rows);
	odo_changes_clear(&changes);
	odo_match_clear(&m);
	return status;
}

void cli_put_changes(json_t **answer, json_t *difference)
{
	const char *key;
	json_t *value;
	json_object_foreach(difference, key, value)
	{
		if (json_array_size(value))
			cli_put(answer, key, json_incref(value));
	}
	json_decref(difference);
}

static uint8_t entry_or_none(const odo_tables *t, uint32_t s, uint32_t lid)
{
	return lid < t->fabric->lid_count ? odo_next_port(t, s, lid) : ODO_NO_PORT;
}

/** Return true if packets between cabled ports of a switch get other VLs on SLs in use. VLs belong
 * to a path as ports do. */
static bool has_other_maps(const odo_tables *a, uint32_t s, const odo_tables *b, uint32_t u)
{
	const odo_fabric *f = a->fabric, *g = b->fabric;
	unsigned n_sls = a->n_sls > b->n_sls ? a->n_sls : b->n_sls;
	unsigned ports = odo_n_ports(f, s) < odo_n_ports(g, u) ? odo_n_ports(f, s)
							       : odo_n_ports(g, u);
	for (unsigned in = 0; in <= ports; in++)
		for (unsigned out = 1; out <= ports; out++) {
			if (!odo_has_cable(f, s, in) || !odo_has_cable(f, s, out) ||
			    !odo_has_cable(g, u, in) || !odo_has_cable(g, u, out))
				continue;
			for (unsigned sl = 0; sl < n_sls; sl++)
				if (odo_vl(a, s, in, out, sl) != odo_vl(b, u, in, out, sl))
					return true;
		}
	return false;
}

/** Return true if paths from this switch have other SLs. */
static bool has_other_sls(const odo_tables *a, uint32_t s, const odo_tables *b, uint32_t u)
{
	const odo_fabric *f = a->fabric, *g = b->fabric;
	uint32_t lids = f->lid_count < g->lid_count ? f->lid_count : g->lid_count;
	for (uint32_t lid = 1; lid < lids; lid++)
		if (f->lid_switch[lid] != ODO_NONE && g->lid_switch[lid] != ODO_NONE &&
		    f->lid_switch[lid] != s && odo_path_sl(a, s, lid) != odo_path_sl(b, u, lid))
			return true;
	return false;
}

void cli_put_table_changes(json_t **answer, const odo_tables *was, const odo_tables *is, bool *same)
{
	const odo_fabric *f = was->fabric, *g = is->fabric;
	uint32_t lids = f->lid_count > g->lid_count ? f->lid_count : g->lid_count;
	uint32_t *twin = odo_twins(f, f->n_switches, g, g->n_switches);
	uint64_t n_entries = 0, n_vls = 0;
	for (uint32_t s = 0; twin && s < f->n_switches; s++) {
		if (twin[s] == ODO_NONE)
			continue;
		n_vls += has_other_maps(was, s, is, twin[s]) || has_other_sls(was, s, is, twin[s]);
		for (uint32_t lid = 1; lid < lids; lid++)
			n_entries += entry_or_none(was, s, lid) != entry_or_none(is, twin[s], lid);
	}
	*same &= !n_entries && !n_vls;
	cli_put(answer, "entries_changed", twin ? json_integer((json_int_t)n_entries) : NULL);
	cli_put_count(answer, "switches_with_other_vls", n_vls);
	free(twin);
}

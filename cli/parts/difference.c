/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/difference.h"

#include <stdlib.h>

#include "cli/answers.h"
#include "base/memory.h"
#include "fabric/twins.h"

/** Return the slot of `b` that is slot `s` of `a`, or ODO_NONE. */
static uint32_t twin_slot(const odo_fabric *a, const odo_fabric *b, const uint32_t *twin,
			  uint32_t s)
{
	uint32_t node = twin[a->owner[s]];
	if (node == ODO_NONE || odo_port(a, s) > odo_n_ports(b, node))
		return ODO_NONE;
	return odo_slot(b, node, odo_port(a, s));
}

/** List the nodes of `a` that the other fabric lacks. */
static json_t *list_lost_nodes(const odo_fabric *a, const uint32_t *twin)
{
	json_t *rows = json_array();
	for (uint32_t v = 0; v < a->n_nodes; v++)
		if (twin[v] == ODO_NONE)
			cli_append(&rows, json_pack("{ss so so}", "type",
						    odo_is_switch(a, v) ? "switch" : "adapter",
						    "name", cli_json_text(odo_name(a, v)), "guid",
						    cli_json_guid(a->node_guid[v])));
	return rows;
}

/** List the cables of `a` that `b` lacks, between nodes that both have. */
static json_t *list_lost_cables(const odo_fabric *a, const odo_fabric *b, const uint32_t *twin)
{
	json_t *rows = json_array();
	for (uint32_t s = 0; s < a->n_slots; s++) {
		uint32_t peer = a->peer[s];
		if (peer == ODO_NONE || peer < s)
			continue;
		if (twin[a->owner[s]] == ODO_NONE || twin[a->owner[peer]] == ODO_NONE)
			continue;
		uint32_t here = twin_slot(a, b, twin, s), there = twin_slot(a, b, twin, peer);
		if (here != ODO_NONE && there != ODO_NONE && b->peer[here] == there)
			continue;
		cli_append(&rows, cli_json_cable(a, s));
	}
	return rows;
}

static bool runs_otherwise(const odo_fabric *a, uint32_t slot, const odo_fabric *b, uint32_t twin)
{
	return odo_cable_rate(a, slot) && odo_cable_rate(b, twin) &&
	       odo_cable_rate(a, slot) != odo_cable_rate(b, twin);
}

/** List the cables of both fabrics whose rate has changed. */
static json_t *list_rate_changes(const odo_fabric *a, const odo_fabric *b, const uint32_t *twin)
{
	json_t *rows = json_array();
	for (uint32_t s = 0; s < a->n_slots; s++) {
		uint32_t peer = a->peer[s];
		if (peer == ODO_NONE || peer < s)
			continue;
		uint32_t here = twin_slot(a, b, twin, s), there = twin_slot(a, b, twin, peer);
		if (here == ODO_NONE || b->peer[here] != there || !runs_otherwise(a, s, b, here))
			continue;
		json_t *row = cli_json_cable(a, s);
		cli_put(&row, "ran_at", cli_json_rate(a, s));
		cli_put(&row, "runs_at", cli_json_rate(b, here));
		cli_append(&rows, row);
	}
	return rows;
}

/** Two states of a fabric, and the matching of their nodes. */
typedef struct sides {
	const cli_system *a, *b;
	const uint32_t *forth, *back;
	/** [switches of `a`] has a cable that only one side has, between switches that both
	 * have. */
	bool *changed;
} sides;

static void mark_changed(const sides *x, const odo_fabric *f, const odo_fabric *g,
			 const uint32_t *twin, bool of_b)
{
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		uint32_t far = odo_next_switch(f, i), s = f->owner[i];
		if (far == ODO_NONE || twin[far] == ODO_NONE || twin[s] == ODO_NONE)
			continue;
		uint32_t here = twin_slot(f, g, twin, i), there = twin_slot(f, g, twin, f->peer[i]);
		if (here == ODO_NONE || there == ODO_NONE || g->peer[here] != there)
			x->changed[of_b ? twin[s] : s] = true;
	}
}

/** Return the dimensions that determine a place. Later ones only number the switches of a group, or
 * of a tree's plane. */
static unsigned n_telling(const odo_coordinates *c)
{
	return odo_grouped(c) ? 1 : c->kind == ODO_KIND_FATTREE ? ODO_TREE_INDEX : c->n_dims;
}

/** Return true if a switch has moved in a dimension. If all switches with the same number have a
 * new number, only the numbering has changed, for example because a switch was removed. */
static bool has_moved(const sides *x, uint32_t s, unsigned d)
{
	const odo_coordinates *from = x->a->coordinates, *to = x->b->coordinates;
	uint32_t with = 0, all = 0, was = odo_at(from, s)[d], is = odo_at(to, x->forth[s])[d];
	bool tree = from->kind ==
		    ODO_KIND_FATTREE; /* which counts pods on each level by themselves */
	for (uint32_t u = 0; u < from->n_switches; u++) {
		bool beside = odo_at(from, u)[d] == was &&
			      (!tree ||
			       odo_at(from, u)[ODO_TREE_LEVEL] == odo_at(from, s)[ODO_TREE_LEVEL]);
		if (!beside || x->changed[u] || x->forth[u] >= to->n_switches)
			continue;
		all++;
		with += odo_at(to, x->forth[u])[d] == is;
	}
	return all && 2 * with <= all;
}

/** List the switches of both fabrics that have other cables and therefore another place. */
static json_t *list_moved(const sides *x)
{
	const odo_coordinates *from = x->a->coordinates, *to = x->b->coordinates;
	json_t *rows = json_array();
	bool alike = from->kind == to->kind && from->n_dims == to->n_dims;
	for (uint32_t s = 0; s < x->a->fabric->n_switches && alike; s++) {
		uint32_t t = x->forth[s];
		bool elsewhere = false;
		for (unsigned d = 0; d < n_telling(from) && x->changed[s] && !elsewhere; d++)
			elsewhere = has_moved(x, s, d);
		if (!elsewhere)
			continue;
		cli_append(&rows, json_pack("{so so so so}", "switch",
					    cli_json_text(odo_name(x->a->fabric, s)), "guid",
					    cli_json_guid(x->a->fabric->node_guid[s]), "was_at",
					    cli_json_place(odo_at(from, s), from->n_dims), "is_at",
					    cli_json_place(odo_at(to, t), to->n_dims)));
	}
	return rows;
}

/** List nodes with the same name but another GUID, in fabrics that have some GUIDs in common. */
static json_t *list_replaced(const odo_fabric *a, const odo_fabric *b, const uint32_t *twin)
{
	bool common[2] = {false, false}; /* adapters, switches */
	json_t *rows = json_array();
	for (uint32_t v = 0; v < a->n_nodes; v++)
		if (twin[v] != ODO_NONE)
			common[odo_is_switch(a, v)] |= a->node_guid[v] == b->node_guid[twin[v]];
	for (uint32_t v = 0; v < a->n_nodes; v++)
		if (twin[v] != ODO_NONE && common[odo_is_switch(a, v)] &&
		    a->node_guid[v] != b->node_guid[twin[v]])
			cli_append(&rows, json_pack("{ss so so so}", "type",
						    odo_is_switch(a, v) ? "switch" : "adapter",
						    "name", cli_json_text(odo_name(b, twin[v])),
						    "had_guid", cli_json_guid(a->node_guid[v]),
						    "guid", cli_json_guid(b->node_guid[twin[v]])));
	return rows;
}

static json_t *state_summary(const cli_system *s)
{
	json_t *answer = json_object();
	cli_answer_fabric(&answer, s->fabric, s->coordinates);
	cli_put_count(&answer, "contradictions", s->coordinates->n_faults);
	return answer;
}

/** Name the sort of nodes that have no GUID in common and are matched by name, as in a planned
 * fabric; NULL: no such sort. */
static const char *known_by_name(const odo_fabric *a, const odo_fabric *b, const uint32_t *twin)
{
	bool by_guid[2] = {false, false}, by_name[2] = {false, false}; /* adapters, switches */
	for (uint32_t v = 0; v < a->n_nodes; v++) {
		bool same = twin[v] != ODO_NONE && a->node_guid[v] == b->node_guid[twin[v]];
		by_guid[odo_is_switch(a, v)] |= same;
		by_name[odo_is_switch(a, v)] |= twin[v] != ODO_NONE && !same;
	}
	bool adapters = by_name[0] && !by_guid[0], switches = by_name[1] && !by_guid[1];
	return adapters && switches ? "switches and adapters"
	       : switches           ? "switches"
	       : adapters           ? "adapters"
				    : NULL;
}

/** Make the answer from matched nodes. */
static json_t *answer_sides(const sides *x)
{
	const odo_fabric *f = x->a->fabric, *g = x->b->fabric;
	mark_changed(x, f, g, x->forth, false);
	mark_changed(x, g, f, x->back, true);
	return json_pack("{ss* so so so so so so so so so}", "known_by_name",
			 known_by_name(f, g, x->forth), "before", state_summary(x->a), "after",
			 state_summary(x->b), "nodes_gone", list_lost_nodes(f, x->forth),
			 "nodes_new", list_lost_nodes(g, x->back), "nodes_replaced",
			 list_replaced(f, g, x->forth), "cables_gone",
			 list_lost_cables(f, g, x->forth), "cables_new",
			 list_lost_cables(g, f, x->back), "other_rates",
			 list_rate_changes(f, g, x->forth), "switches_elsewhere", list_moved(x));
}

int cli_difference(const cli_system *a, const cli_system *b, bool *same, json_t **out,
		   odo_error *err)
{
	uint32_t *forth = odo_twins(a->fabric, a->fabric->n_nodes, b->fabric, b->fabric->n_nodes);
	uint32_t *back = odo_twins(b->fabric, b->fabric->n_nodes, a->fabric, a->fabric->n_nodes);
	bool *changed = odo_new(a->fabric->n_switches, sizeof *changed);
	*out = NULL;
	if (forth && back && changed && !odo_twins_by_name(a->fabric, b->fabric, forth, back))
		*out = answer_sides(&(sides){a, b, forth, back, changed});
	free(forth);
	free(back);
	free(changed);
	if (!*out)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	const char *key;
	json_t *value;
	json_object_foreach(*out, key, value)
	{
		*same &= !json_is_array(value) || !json_array_size(value);
	}
	return ODO_OK;
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

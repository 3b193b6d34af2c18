/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/match/change.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/machine.h"

const char *odo_change_name(odo_change_sort sort)
{
	static const char *const names[ODO_N_CHANGES] = {
		[ODO_CHANGE_MISSING_NODE] = "missing",   [ODO_CHANGE_ADDED_NODE] = "added",
		[ODO_CHANGE_REPLACED] = "replaced",      [ODO_CHANGE_MOVED] = "moved",
		[ODO_CHANGE_RENAMED] = "renamed",        [ODO_CHANGE_MISSING_CABLE] = "missing",
		[ODO_CHANGE_ADDED_CABLE] = "added",      [ODO_CHANGE_SWAPPED] = "swapped",
		[ODO_CHANGE_RECABLED] = "moved",         [ODO_CHANGE_RATE] = "other rate",
		[ODO_CHANGE_LABEL] = "other port label",
	};
	return names[sort];
}

/* Changes in the making. A list without memory stays NULL. */
typedef struct finder {
	const odo_match *m;
	odo_changes *out;
	bool *told; /* [slots of `is`] cables that a row has */
	bool failed;
} finder;

static odo_change *add_change(finder *x, odo_change row)
{
	if (odo_grow(&x->out->row, &x->out->room, x->out->n + 1, sizeof row)) {
		x->failed = true;
		return NULL;
	}
	x->out->row[x->out->n] = row;
	return &x->out->row[x->out->n++];
}

/* Either fabric, and the nodes of it that the other one lacks. */
typedef struct half {
	const odo_fabric *f;
	const uint32_t *place, *identity;
	odo_change_sort sort;
} half;

static bool is_lost(const half *h, uint32_t v)
{
	return h->place[v] == ODO_NONE && h->identity[v] == ODO_NONE;
}

/* Return a lost switch if each cable of an adapter leads to a lost one. */
static uint32_t lost_switch_of(const half *h, uint32_t v)
{
	uint32_t found = ODO_NONE;
	for (uint32_t i = h->f->first_slot[v]; i < h->f->first_slot[v + 1]; i++) {
		uint32_t s = odo_neighbour(h->f, i);
		if (s == ODO_NONE)
			continue;
		if (!odo_is_switch(h->f, s) || !is_lost(h, s))
			return ODO_NONE;
		found = s;
	}
	return found;
}

/* Adapters of a machine stand together, sorted by its name. */
typedef struct adapter {
	odo_machine of;
	uint32_t node;
} adapter;

static int compare_named_adapters(const void *a, const void *b)
{
	const adapter *x = a, *y = b;
	int order = odo_machine_compare_names(&x->of, &y->of);
	return order ? order : (x->node > y->node) - (x->node < y->node);
}

static bool is_compared(const finder *x, const half *h, uint32_t v)
{
	return odo_is_switch(h->f, v) || (x->out->hosts && !odo_is_aggregation(odo_name(h->f, v)));
}

static void add_lost(finder *x, const half *h, uint32_t v, uint32_t behind, bool machine,
		     bool folded)
{
	bool missing = h->sort == ODO_CHANGE_MISSING_NODE;
	add_change(x, (odo_change){.sort = h->sort,
				   .node = missing ? v : ODO_NONE,
				   .found = missing ? ODO_NONE : v,
				   .slot = ODO_NONE,
				   .at = ODO_NONE,
				   .behind = behind,
				   .machine = machine,
				   .folded = folded});
	x->out->n_folded += folded;
}

/* Add a row for a machine if all of its adapters are lost, or one for each lost adapter. */
static void add_lost_machine(finder *x, const half *h, const adapter *list, uint32_t n)
{
	uint32_t lost = 0, first = ODO_NONE;
	for (uint32_t i = 0; i < n; i++)
		lost += is_lost(h, list[i].node);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = list[i].node;
		if (!is_lost(h, v))
			continue;
		bool behind = lost_switch_of(h, v) != ODO_NONE;
		bool folded = behind || (lost == n && first != ODO_NONE);
		add_lost(x, h, v, lost == n && !folded ? n : 0, lost == n, folded);
		first = folded ? first : v;
	}
}

/* List adapters by machine. Adapters without a machine's name are alone. */
static void add_lost_adapters(finder *x, const half *h)
{
	uint32_t n = 0;
	adapter *list = odo_new(h->f->n_nodes - h->f->n_switches, sizeof *list);
	if (!list)
		x->failed = true;
	for (uint32_t v = h->f->n_switches; v < h->f->n_nodes && list; v++)
		if (is_compared(x, h, v))
			list[n++] = (adapter){odo_machine_of(odo_name(h->f, v)), v};
	if (n)
		qsort(list, n, sizeof *list, compare_named_adapters);
	for (uint32_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && list[i].of.length &&
				!odo_machine_compare_names(&list[i].of, &list[k].of);)
			k++;
		add_lost_machine(x, h, list + i, k - i);
	}
	free(list);
}

static void add_lost_nodes(finder *x, const half *h)
{
	uint32_t *behind = odo_new(h->f->n_switches, sizeof *behind);
	x->failed |= !behind;
	for (uint32_t v = h->f->n_switches; v < h->f->n_nodes && behind; v++) {
		uint32_t s = is_compared(x, h, v) && is_lost(h, v) ? lost_switch_of(h, v)
								   : ODO_NONE;
		if (s != ODO_NONE)
			behind[s]++;
	}
	for (uint32_t s = 0; s < h->f->n_switches && behind; s++)
		if (is_lost(h, s))
			add_lost(x, h, s, behind[s], false, false);
	free(behind);
	add_lost_adapters(x, h);
}

/* Return true if another node than the planned one is known to be in a place. */
static bool is_replaced(const odo_match *m, uint32_t v, uint32_t x)
{
	bool of_switch = odo_is_switch(m->plan, v);
	return m->guids[of_switch] && m->plan->node_guid[v] != m->is->node_guid[x] &&
	       (m->was[x] == v || m->was[x] == ODO_NONE);
}

/* Compare names by their letters and digits: formats write other characters in different ways. */
static bool have_same_letters(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (*a != *b || !*a)
			return *a == *b;
	}
}

static bool has_new_name(const odo_match *m, uint32_t v, uint32_t x)
{
	return m->names[odo_is_switch(m->plan, v)] && *odo_name(m->plan, v) &&
	       !have_same_letters(odo_name(m->plan, v), odo_name(m->is, x));
}

static bool is_moved(const odo_match *m, uint32_t v)
{
	return m->known[v] != ODO_NONE && m->forth[v] != m->known[v];
}

/* Return true if a node is gone, and one from another place is in its place. */
static bool is_displaced(const odo_match *m, uint32_t v, uint32_t x)
{
	return m->known[v] == ODO_NONE && m->was[x] != ODO_NONE && m->was[x] != v;
}

/* A moved node's identity is elsewhere, and its own place may be empty. */
static void add_changed_node(finder *x, uint32_t v)
{
	const odo_match *m = x->m;
	uint32_t y = is_moved(m, v) ? m->known[v] : m->forth[v];
	if (y == ODO_NONE)
		return;
	odo_change row = {.node = v, .found = y, .slot = ODO_NONE, .at = ODO_NONE};
	if (is_moved(m, v))
		row.sort = ODO_CHANGE_MOVED;
	else if (is_displaced(m, v, y))
		row.sort = ODO_CHANGE_MISSING_NODE;
	else if (is_replaced(m, v, y))
		row.sort = ODO_CHANGE_REPLACED;
	else if (has_new_name(m, v, y))
		row.sort = ODO_CHANGE_RENAMED;
	else
		return;
	add_change(x, row);
}

static void add_cable(finder *x, odo_change_sort sort, uint32_t slot, uint32_t at)
{
	const odo_match *m = x->m;
	uint32_t v = slot == ODO_NONE ? m->back[m->is->owner[at]] : m->plan->owner[slot];
	add_change(x, (odo_change){.sort = sort,
				   .node = v,
				   .found = v == ODO_NONE ? ODO_NONE : m->forth[v],
				   .slot = slot,
				   .at = at});
	if (at != ODO_NONE && m->is->peer[at] != ODO_NONE)
		x->told[at] = x->told[m->is->peer[at]] = true;
}

static bool is_new_cable(const finder *x, uint32_t a)
{
	return x->m->is->peer[a] != ODO_NONE && x->m->cable[a] == ODO_NONE && !x->told[a];
}

/* Return a new cable's slot of `is` at the port of a lost cable's end, or ODO_NONE. If ports do not
 * count, any new cable of the node will do.
 * @param to node at its far end, or ODO_NONE for any */
static uint32_t find_new_cable(const finder *x, uint32_t slot, uint32_t to)
{
	const odo_match *m = x->m;
	uint32_t y = m->forth[m->plan->owner[slot]], at = odo_match_port(m, slot);
	if (m->ports || y == ODO_NONE)
		return at != ODO_NONE && is_new_cable(x, at) ? at : ODO_NONE;
	for (uint32_t a = m->is->first_slot[y]; a < m->is->first_slot[y + 1]; a++)
		if (is_new_cable(x, a) && (to == ODO_NONE || odo_neighbour(m->is, a) == to))
			return a;
	return ODO_NONE;
}

static bool has_both_ends(const odo_match *m, uint32_t slot)
{
	return m->forth[m->plan->owner[slot]] != ODO_NONE &&
	       m->forth[m->plan->owner[m->plan->peer[slot]]] != ODO_NONE;
}

/* Return true if a slot's cable is lost, and its two nodes are not. */
static bool has_lost_cable(const odo_match *m, uint32_t slot)
{
	return m->plan->peer[slot] != ODO_NONE && m->slot[slot] == ODO_NONE &&
	       has_both_ends(m, slot);
}

/* Return true if a new cable's far end is where a planned slot is. */
static bool leads_to_slot(const odo_match *m, uint32_t at, uint32_t slot)
{
	uint32_t far = m->is->peer[at];
	return m->is->owner[far] == m->forth[m->plan->owner[slot]] &&
	       (!m->ports || odo_port(m->is, far) == odo_port(m->plan, slot));
}

/* Return the planned slot whose cable has exchanged its far end with a lost cable's, or ODO_NONE.
 * @param at new cable in the place of the lost one */
static uint32_t find_partner(const finder *x, uint32_t slot, uint32_t at)
{
	const odo_match *m = x->m;
	uint32_t t = m->back[m->is->owner[m->is->peer[at]]], far = m->plan->peer[slot];
	if (t == ODO_NONE)
		return ODO_NONE;
	for (uint32_t i = m->plan->first_slot[t]; i < m->plan->first_slot[t + 1]; i++) {
		if (!leads_to_slot(m, at, i) || !has_lost_cable(m, i))
			continue;
		uint32_t partner = m->plan->peer[i];
		uint32_t other = find_new_cable(x, partner, m->forth[m->plan->owner[far]]);
		if (other != ODO_NONE && other != at && leads_to_slot(m, other, far))
			return partner;
	}
	return ODO_NONE;
}

/* Add the two rows of a swap: each of the two cables now has the other one's far end.
 * @return false if the cable at this end is not swapped with another */
static bool add_swap(finder *x, uint32_t slot, bool *done)
{
	const odo_match *m = x->m;
	uint32_t partner = ODO_NONE, at = ODO_NONE, v = m->plan->owner[slot], y = m->forth[v];
	uint32_t first = m->ports ? odo_match_port(m, slot) : m->is->first_slot[y];
	uint32_t last = m->ports ? first : m->is->first_slot[y + 1] - 1;
	for (uint32_t a = first; a <= last && a != ODO_NONE && partner == ODO_NONE; a++) {
		at = a;
		partner = is_new_cable(x, a) ? find_partner(x, slot, a) : ODO_NONE;
	}
	if (partner == ODO_NONE)
		return false;
	uint32_t far = m->forth[m->plan->owner[m->plan->peer[slot]]];
	uint32_t other = find_new_cable(x, partner, far);
	add_cable(x, ODO_CHANGE_SWAPPED, slot, at);
	add_cable(x, ODO_CHANGE_SWAPPED, partner, other);
	done[slot] = done[partner] = done[m->plan->peer[slot]] = true;
	done[m->plan->peer[partner]] = true;
	return true;
}

/* Add a lost cable: moved at one end, or missing. */
static void add_lost_cable(finder *x, uint32_t slot)
{
	uint32_t near = find_new_cable(x, slot, ODO_NONE);
	uint32_t far = find_new_cable(x, x->m->plan->peer[slot], ODO_NONE);
	if (near != ODO_NONE)
		add_cable(x, ODO_CHANGE_RECABLED, slot, near);
	else if (far != ODO_NONE)
		add_cable(x, ODO_CHANGE_RECABLED, x->m->plan->peer[slot], far);
	else
		add_cable(x, ODO_CHANGE_MISSING_CABLE, slot, odo_match_port(x->m, slot));
}

static void add_lost_cables(finder *x)
{
	const odo_fabric *f = x->m->plan;
	bool *done = odo_new(f->n_slots, sizeof *done);
	x->failed |= !done;
	for (uint32_t s = 0; s < f->n_slots && done; s++)
		if (f->peer[s] > s && has_lost_cable(x->m, s) && !done[s] && !add_swap(x, s, done))
			add_swap(x, f->peer[s], done);
	for (uint32_t s = 0; s < f->n_slots && done; s++)
		if (f->peer[s] > s && has_lost_cable(x->m, s) && !done[s])
			add_lost_cable(x, s);
	free(done);
}

/* A new cable is a row of its own unless it leads to an added node. */
static void add_new_cables(finder *x)
{
	const odo_match *m = x->m;
	for (uint32_t a = 0; a < m->is->n_slots; a++) {
		uint32_t b = m->is->peer[a];
		if (b == ODO_NONE || b < a || m->cable[a] != ODO_NONE || x->told[a] ||
		    m->back[m->is->owner[a]] == ODO_NONE || m->back[m->is->owner[b]] == ODO_NONE)
			continue;
		add_cable(x, ODO_CHANGE_ADDED_CABLE, ODO_NONE, a);
	}
}

static void add_other_rates(finder *x)
{
	const odo_match *m = x->m;
	for (uint32_t s = 0; s < m->plan->n_slots; s++) {
		uint32_t a = m->slot[s], was = odo_cable_rate(m->plan, s);
		uint32_t is = a == ODO_NONE ? 0 : odo_cable_rate(m->is, a);
		if (a == ODO_NONE || m->plan->peer[s] < s)
			continue;
		x->out->n_cables++;
		x->out->n_unrated += !is || !was;
		if (is && was && is != was)
			add_cable(x, ODO_CHANGE_RATE, s, a);
	}
}

static void add_other_labels(finder *x)
{
	const odo_match *m = x->m;
	for (uint32_t s = 0; s < m->plan->n_slots; s++) {
		uint32_t a = m->slot[s];
		const char *was = odo_label(m->plan, s),
			   *is = a == ODO_NONE ? "" : odo_label(m->is, a);
		if (*was && *is && !have_same_letters(was, is))
			add_cable(x, ODO_CHANGE_LABEL, s, a);
	}
}

int odo_changes_find(const odo_match *m, odo_changes *out, odo_error *err)
{
	*out = (odo_changes){.hosts = m->plan->n_nodes > m->plan->n_switches};
	finder x = {.m = m, .out = out, .told = odo_new(m->is->n_slots, sizeof *x.told)};
	const half lost = {m->plan, m->forth, m->known, ODO_CHANGE_MISSING_NODE},
		   added = {m->is, m->back, m->was, ODO_CHANGE_ADDED_NODE};
	x.failed = !x.told;
	if (!x.failed) {
		add_lost_nodes(&x, &lost);
		add_lost_nodes(&x, &added);
		for (uint32_t v = 0; v < m->plan->n_nodes; v++)
			add_changed_node(&x, v);
		add_lost_cables(&x);
		add_new_cables(&x);
		add_other_rates(&x);
		add_other_labels(&x);
	}
	free(x.told);
	return x.failed ? odo_fail(err, ODO_ENOMEM, "no memory to compare two fabrics") : 0;
}

void odo_changes_clear(odo_changes *x)
{
	free(x->row);
	*x = (odo_changes){0};
}

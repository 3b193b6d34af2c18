/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/peel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "fabric/transform/transform.h"

/* Share of the switches that may be peeled, as a divisor. What is left must be most of the fabric:
 * any graph has some small core of a kind. */
enum { MOST_PEELED = 6 };

typedef struct peeling {
	const odo_fabric *f;
	uint8_t *gone; /* [n_nodes] */
	uint8_t *cut;  /* [n_slots] */
	uint32_t n_gone, n_cut;
} peeling;

/* ---- Marks ---- */

/* Find the median number of hosts of switches with hosts, 0 without any.
 * @return 0, or ODO_ENOMEM */
static int find_usual_hosts(const odo_fabric *f, uint32_t *usual)
{
	uint32_t *count = odo_new(f->n_switches, sizeof *count), n = 0;
	if (!count)
		return ODO_ENOMEM;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		count[n] = odo_hosts_of(f, s);
		n += count[n] > 0;
	}
	qsort(count, n, sizeof *count, odo_by_u32);
	*usual = n ? count[n / 2] : 0;
	free(count);
	return 0;
}

static void remove_switch(peeling *p, uint32_t s)
{
	p->n_gone += !p->gone[s];
	p->gone[s] = 1;
}

/* Nodes on cores or spines: hosts of switches that have less than half of the usual number. */
static int mark_few_hosts(peeling *p)
{
	const odo_fabric *f = p->f;
	uint32_t usual;
	int status = find_usual_hosts(f, &usual);
	for (uint32_t s = 0; s < f->n_switches && !status; s++) {
		if (2 * odo_hosts_of(f, s) >= usual)
			continue;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			if (f->slot_host[slot] != ODO_NONE) {
				p->cut[slot] = 1;
				p->n_cut++;
			}
	}
	return status;
}

/* Storage and gateways: switches with more than twice the usual number of hosts, or with none. */
static int mark_odd_hosts(peeling *p)
{
	uint32_t usual;
	int status = find_usual_hosts(p->f, &usual);
	for (uint32_t s = 0; s < p->f->n_switches && !status; s++) {
		uint32_t n = odo_hosts_of(p->f, s);
		if (!n || n > 2 * usual)
			remove_switch(p, s);
	}
	return status;
}

static uint32_t count_cables(const peeling *p, uint32_t s)
{
	const odo_fabric *f = p->f;
	uint32_t n = 0;
	for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
		uint32_t next = odo_next_switch(f, slot);
		n += next != ODO_NONE && next != s && !p->gone[next];
	}
	return n;
}

/* Remove switches with at most `most` cables to others, until none is left. */
static void remove_below(peeling *p, uint32_t most)
{
	for (bool again = true; again;) {
		again = false;
		for (uint32_t s = 0; s < p->f->n_switches; s++)
			if (!p->gone[s] && count_cables(p, s) <= most) {
				remove_switch(p, s);
				again = true;
			}
	}
}

/* Login nodes, islands, chains: switches that go before the rest if those with the fewest cables
 * are removed again and again. */
static int mark_hung_on(peeling *p)
{
	for (uint32_t most = 0; most < ODO_MAX_PORTS; most++) {
		uint8_t *before = odo_new(p->f->n_nodes, 1);
		uint32_t n_before = p->n_gone;
		if (!before)
			return ODO_ENOMEM;
		memcpy(before, p->gone, p->f->n_nodes);
		remove_below(p, most);
		bool too_many = p->n_gone > p->f->n_switches / MOST_PEELED;
		if (too_many) {
			memcpy(p->gone, before, p->f->n_nodes);
			p->n_gone = n_before;
		}
		free(before);
		if (too_many)
			break;
	}
	return 0;
}

static int mark_hung_on_and_few_hosts(peeling *p)
{
	int status = mark_hung_on(p);
	return status ? status : mark_few_hosts(p);
}

/* Ways to peel, the least intrusive first. */
static int (*const ways[])(peeling *p) = {mark_few_hosts, mark_hung_on, mark_odd_hosts,
					  mark_hung_on_and_few_hosts};
enum { N_WAYS = sizeof ways / sizeof *ways };

/* ---- The core ---- */

/* Convert coordinates of the core to those of the whole fabric. */
static int spread_core(const odo_fabric *f, const odo_fabric *core, const odo_origin *origin,
		       odo_coordinates *c, odo_coordinates **out, odo_error *err)
{
	odo_coordinates *made;
	int status = odo_coordinates_create(f, c->n_dims, &made, err);
	if (status)
		return status;
	uint32_t *at = made->at;
	uint8_t *class = made->port_class;
	for (uint32_t s = 0; s < core->n_switches; s++)
		memcpy(at + (size_t)origin->node[s] * c->n_dims, odo_at(c, s),
		       c->n_dims * sizeof *at);
	for (uint32_t slot = 0; slot < core->n_slots; slot++)
		if (c->port_class[slot] != ODO_PORT_FREE)
			class[origin->slot[slot]] = c->port_class[slot];
	for (uint32_t i = 0; i < c->n_faults + c->n_suspects; i++) {
		odo_fault *fault = &c->faults[i];
		for (unsigned end = 0; end < 2; end++) {
			uint32_t *number[] = {&fault->slot[end], &fault->belongs[end]};
			for (unsigned k = 0; k < 2; k++)
				if (*number[k] != ODO_NONE)
					*number[k] = origin->slot[*number[k]];
			if (fault->node[end] != ODO_NONE)
				fault->node[end] = origin->node[fault->node[end]];
		}
		if (fault->type == ODO_FAULT_SLOW_LINK)
			fault->usual = origin->slot[fault->usual];
	}
	free(c->at);
	free(c->port_class);
	*made = *c;
	made->at = at;
	made->port_class = class;
	made->n_switches = f->n_switches;
	free(c);
	*out = made;
	return 0;
}

static void say_peeled(const peeling *p, odo_coordinates *c)
{
	c->n_more_switches = p->n_gone;
	c->n_more_hosts = p->n_cut;
	char hosts[60] = "", switches[60] = "";
	if (p->n_gone)
		snprintf(switches, sizeof switches, "%u switches that hang on it", p->n_gone);
	if (p->n_cut)
		snprintf(hosts, sizeof hosts, "%u hosts on switches that have few", p->n_cut);
	snprintf(c->reason, sizeof c->reason, "besides the topology: %s%s%s", switches,
		 p->n_gone && p->n_cut ? ", and " : "", hosts);
}

/* Map what is left. @param out NULL if it is of no certain kind */
static int map_core(peeling *p, odo_map_whole *map, odo_budget *budget, odo_coordinates **out,
		    odo_error *err)
{
	odo_fabric *core;
	odo_origin origin;
	odo_coordinates *c = NULL;
	int status = odo_fabric_without(p->f, p->gone, p->cut, &core, &origin, err);
	if (status)
		return status;
	status = map(core, budget, &c, err);
	bool known = !status && c->kind != ODO_KIND_UNKNOWN && c->certainty == ODO_CERTAIN &&
		     odo_fabric_parts(core, NULL, NULL) == 1;
	if (known)
		status = spread_core(p->f, core, &origin, c, out, err);
	if (known && !status)
		say_peeled(p, *out);
	else
		odo_coordinates_free(c);
	odo_origin_free(&origin);
	odo_fabric_free(core);
	return status;
}

/* Return true if the whole has no kind, or only a nearest one with wrong cables. Without a wrong
 * cable, the nearest kind may be one that is half built. */
static bool is_unsure(const odo_coordinates *c)
{
	bool wrong = false;
	for (uint32_t i = 0; i < odo_contradictions(c) && !wrong; i++)
		wrong = c->faults[i].type == ODO_FAULT_WRONG_LINK;
	return c->kind == ODO_KIND_UNKNOWN || (c->certainty == ODO_NEAREST && wrong);
}

/* Count cables to switches. @param right only those that do not contradict the kind */
static uint32_t count_cables_between(const odo_fabric *f, const odo_coordinates *c, uint32_t s,
				     bool right)
{
	uint32_t n = 0;
	for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
		n += odo_next_switch(f, slot) != ODO_NONE &&
		     !(right && c->port_class[slot] == ODO_PORT_WRONG);
	return n;
}

/* Return true if each removed switch has fewer than half as many right cables as others have cables
 * on average. Switches with more are a part of the kind, such as a row without hosts yet. */
static bool have_few_right_cables(const peeling *p, const odo_coordinates *c)
{
	const odo_fabric *f = p->f;
	uint64_t usual = 0, n_kept = f->n_switches - p->n_gone;
	for (uint32_t s = 0; s < f->n_switches; s++)
		usual += p->gone[s] ? 0 : count_cables_between(f, c, s, false);
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (p->gone[s] && 2 * n_kept * count_cables_between(f, c, s, true) >= usual)
			return false;
	return true;
}

/* Return true if every fault between two switches is at a removed one, and a wrong cable is among
 * them: what hangs on the fabric was taken for a part of it. Without a wrong cable, a switch may
 * have lost some. */
static bool are_faults_at_removed(const peeling *p, const odo_coordinates *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_faults; i++) {
		const uint32_t *node = c->faults[i].node;
		if (c->faults[i].type == ODO_FAULT_MISSING_SWITCH)
			continue;
		if (!p->gone[node[0]] && !p->gone[node[1]])
			return false;
		n += c->faults[i].type == ODO_FAULT_WRONG_LINK;
	}
	return n && have_few_right_cables(p, c);
}

static bool is_worth_mapping(const peeling *p, const odo_coordinates *c)
{
	return (p->n_gone || p->n_cut) && p->n_gone <= p->f->n_switches / MOST_PEELED &&
	       (is_unsure(c) || are_faults_at_removed(p, c));
}

bool odo_peel_is_due(const odo_coordinates *c)
{
	return is_unsure(c) || c->n_faults;
}

int odo_peel(const odo_fabric *f, odo_map_whole *map, odo_budget *budget, odo_coordinates **c,
	     odo_error *err)
{
	odo_coordinates *found = NULL;
	int status = 0;
	for (unsigned i = 0; i < N_WAYS && !status && !found; i++) {
		peeling p = {.f = f, .gone = odo_new(f->n_nodes, 1), .cut = odo_new(f->n_slots, 1)};
		bool room = p.gone && p.cut && !ways[i](&p);
		if (!room)
			status = odo_fail(err, ODO_ENOMEM, "no memory to map a core");
		else if (is_worth_mapping(&p, *c))
			status = map_core(&p, map, budget, &found, err);
		if (found && !is_unsure(*c) && found->n_faults) {
			odo_coordinates_free(found);
			found = NULL;
		}
		free(p.gone);
		free(p.cut);
	}
	if (!found)
		return status;
	odo_coordinates_free(*c);
	*c = found;
	return 0;
}

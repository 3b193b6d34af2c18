/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Follows the arrays of odo_tables exactly as switches do, for every (switch, LID) pair.
 *
 * One LID's entries over all switches are a column; columns are cut out of the LFTs 64 at a
 * time (a cache line of each row). LIDs behind one switch mostly have equal columns but for
 * that switch's own entry, so each column is compared, byte by byte, with those already
 * followed for its switch, and only new ones are followed. Nothing is assumed: a column that
 * differs anywhere is followed itself.
 *
 * Following a column is one pass for reachability and depth and two for dependencies. The VL
 * on which a packet leaves a switch depends on (SL, input, output) alone, not on the VL it
 * came in on, so no order of switches is needed. About 8 ns a switch with several VLs, 4 with
 * one.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/verify_internal.h"

/* Distinct columns remembered per (switch, SL); more are followed one by one. */
#define MAX_KEPT 32u

/* Bad entry of switch s for a LID: says why it does not lead on to another switch. */
static void dead_end(odo_proof *p, uint32_t s, uint32_t lid, unsigned port)
{
	const odo_fabric *f = p->f;
	const char *why = port == ODO_NO_PORT        ? "has no entry"
			  : !port                    ? "keeps it for itself"
			  : port > odo_n_ports(f, s) ? "sends it to a port it does not have"
			  : f->peer[odo_slot(f, s, port)] == ODO_NONE
				  ? "sends it to a port without a cable"
				  : "hands it to a host that has another LID";
	p->verdict->delivers = false;
	odo_verdict_fail(p->verdict,
			 "LID %u ends at switch \"%s\" (GUID 0x%016llx), which %s (port %u)", lid,
			 odo_name(f, s), (unsigned long long)f->node_guid[s], why, port);
}

static void loop(odo_proof *p, uint32_t s, uint32_t lid)
{
	p->verdict->delivers = false;
	odo_verdict_fail(p->verdict,
			 "LID %u goes round in a loop through switch \"%s\" (GUID 0x%016llx)", lid,
			 odo_name(p->f, s), (unsigned long long)p->f->node_guid[s]);
}

/* Where every switch sends the column's packets. */
static void resolve(odo_proof *p, const uint8_t *column)
{
	const uint32_t *first = p->f->first_slot;
	for (uint32_t s = 0; s < p->n; s++) {
		unsigned port = column[s];
		bool exists = port - 1u < first[s + 1] - first[s]; /* not 0, none, out of range */
		p->slot[s] = exists ? first[s] + port - 1 : ODO_NONE;
		p->to[s] = exists ? p->next[p->slot[s]] : ODO_NONE;
	}
}

enum { UNKNOWN = 0xFFFF, ON_PATH = 0xFFFE, LOST = 0xFFFD };

/* Depth of every switch below the LID's, walking each path until it meets a known one. */
static void measure_from(odo_proof *p, const uint8_t *column, uint32_t lid, uint32_t s)
{
	uint32_t n_path = 0, at = s;
	while (at != ODO_NONE && p->depth[at] == UNKNOWN) {
		p->depth[at] = ON_PATH;
		p->stack[n_path++] = at;
		at = p->to[at];
	}
	unsigned depth = at == ODO_NONE ? LOST : p->depth[at];
	if (depth == ON_PATH)
		loop(p, at, lid);
	else if (at == ODO_NONE)
		dead_end(p, p->stack[n_path - 1], lid, column[p->stack[n_path - 1]]);
	if (depth >= LOST) {
		while (n_path)
			p->depth[p->stack[--n_path]] = LOST;
		return;
	}
	while (n_path) {
		p->order[p->n_order++] = p->stack[--n_path];
		p->depth[p->stack[n_path]] = (uint16_t)++depth;
	}
	if (depth > p->most_hops)
		p->most_hops = depth;
}

/* Columns of one switch mostly differ in which of parallel cables they take: then all that was
 * measured holds. */
static bool leads_as_before(odo_proof *p, uint32_t home)
{
	bool same = p->measured == home && p->n_order + 1 == p->n &&
		    !memcmp(p->to, p->was_to, p->n * sizeof *p->to);
	p->measured = home;
	if (!same)
		memcpy(p->was_to, p->to, p->n * sizeof *p->to);
	return same;
}

static void measure(odo_proof *p, const uint8_t *column, uint32_t lid)
{
	uint32_t home = p->f->lid_switch[lid];
	resolve(p, column);
	p->to[home] = ODO_NONE; /* where it delivers, which leads_as_before() need not know */
	if (leads_as_before(p, home))
		return;
	memset(p->depth, 0xFF, p->n * sizeof *p->depth);
	p->depth[home] = 0;
	p->n_order = 0;
	for (uint32_t s = 0; s < p->n; s++) {
		if (p->n_parts > 1 && p->part[s] != p->part[home]) {
			if (column[s] != ODO_NO_PORT) {
				p->verdict->delivers = false;
				odo_verdict_fail(
					p->verdict,
					"switch \"%s\" sends LID %u on, which no path reaches",
					odo_name(p->f, s), lid);
			}
			p->depth[s] = LOST;
			continue;
		}
		if (p->depth[s] == UNKNOWN)
			measure_from(p, column, lid, s);
	}
}

static void check_vls(odo_proof *p, uint32_t slot, unsigned mask, uint32_t lid)
{
	unsigned limit = p->t->n_vls < p->f->n_vls[slot] ? p->t->n_vls : p->f->n_vls[slot];
	for (unsigned over = mask >> limit, vl = limit; over; over >>= 1, vl++)
		if (over & 1)
			odo_verify_vl(p, slot, vl, lid);
}

/* Where the SL alone decides on the VL there is only the way to mark. */
static void depend_by_sl(odo_proof *p, const uint8_t *column, uint32_t home, unsigned vl)
{
	if (vl >= p->t->n_vls)
		return;
	for (uint32_t s = 0; s < p->n; s++) {
		uint32_t to = p->to[s];
		if (p->depth[s] != LOST && to != home && s != home)
			odo_depend(&p->deps, p->slot[s], vl, column[to], vl);
	}
}

/* From the furthest switches inwards: the SLs of what passes from cable to cable. Which VLs these
 * take depends on nothing else, and is looked up once for all columns, by odo_verify_passed(). */
static void depend_by_output(odo_proof *p, const uint8_t *column, const uint8_t *sls, uint32_t home)
{
	memset(p->sls, 0, p->n * sizeof *p->sls);
	for (uint32_t i = p->n_order; i-- > 0;) {
		uint32_t s = p->order[i], to = p->to[s];
		unsigned set = p->sls[s] | 1u << sls[s];
		if (to == home)
			continue;
		p->sls[to] |= (uint16_t)set;
		p->passed[(size_t)p->slot[s] * p->most_ports + column[to] - 1u] |= (uint16_t)set;
	}
}

void odo_verify_passed(odo_proof *p)
{
	const odo_fabric *f = p->f;
	unsigned n_vls = p->t->n_vls;
	for (uint32_t slot = 0; p->passed && slot < f->first_slot[p->n]; slot++) {
		for (unsigned port = 1; p->next[slot] != ODO_NONE && port <= p->most_ports;
		     port++) {
			unsigned set = p->passed[(size_t)slot * p->most_ports + port - 1];
			if (!set)
				continue;
			uint32_t on = odo_slot(f, p->next[slot], port);
			for (unsigned vl = 0; vl < n_vls; vl++)
				for (unsigned next = 0; next < n_vls; next++)
					if (set & p->sls_on[(size_t)slot * n_vls + vl] &
					    p->sls_on[(size_t)on * n_vls + next])
						odo_depend(&p->deps, slot, vl, port, next);
		}
	}
}

/* A channel on each of the VLs in `leaving` waits for one on `next_vl`. */
static inline void depend_all(const odo_proof *p, uint32_t slot, unsigned leaving, unsigned port,
			      unsigned next_vl)
{
	unsigned left = leaving & ((1u << p->t->n_vls) - 1);
	for (; left && next_vl < p->t->n_vls; left &= left - 1)
		odo_depend(&p->deps, slot, (unsigned)__builtin_ctz(left), port, next_vl);
}

/* VLs by which packets of one SL leave every switch, and on which they go on. */
static void find_vls(odo_proof *p, const uint8_t *column, uint32_t home, unsigned sl)
{
	memset(p->leaving, 0, p->n * sizeof *p->leaving);
	for (uint32_t i = 0; i < p->n_order; i++) {
		uint32_t s = p->order[i], slot = p->slot[s], to = p->to[s];
		p->leaving[s] |= p->from_host[(size_t)slot * p->t->n_sls + sl];
		if (to == home)
			continue;
		unsigned vl = odo_verify_vl_after(p, slot, column[to], sl);
		p->leaving[to] |= (uint16_t)(1u << vl);
		p->next_vl[s] = (uint8_t)vl;
	}
}

static void depend_by_input(odo_proof *p, const uint8_t *column, uint32_t lid, unsigned sl)
{
	uint32_t home = p->f->lid_switch[lid];
	find_vls(p, column, home, sl);
	for (uint32_t i = 0; i < p->n_order; i++) {
		uint32_t s = p->order[i], to = p->to[s];
		if (!p->vls_exist)
			check_vls(p, p->slot[s], p->leaving[s], lid);
		if (to != home)
			depend_all(p, p->slot[s], p->leaving[s], column[to], p->next_vl[s]);
	}
}

/* With SLs per pair a switch passes on packets of several: those of all behind it. */
static void depend_pairs(odo_proof *p, const uint8_t *column, const uint8_t *sls, uint32_t lid)
{
	const odo_tables *t = p->t;
	uint32_t home = p->f->lid_switch[lid];
	memset(p->sls, 0, p->n * sizeof *p->sls);
	memset(p->leaving, 0, (size_t)p->n * t->n_sls * sizeof *p->leaving);
	for (uint32_t i = p->n_order; i-- > 0;) {
		uint32_t s = p->order[i], slot = p->slot[s], to = p->to[s];
		unsigned own = sls[s];
		uint16_t *leaving = p->leaving + (size_t)s * t->n_sls;
		p->sls[s] |= (uint16_t)(1u << own);
		leaving[own] |= p->from_host[(size_t)slot * t->n_sls + own];
		for (unsigned left = p->sls[s]; left; left &= left - 1) {
			unsigned sl = (unsigned)__builtin_ctz(left);
			check_vls(p, slot, leaving[sl], lid);
			if (to == home)
				continue;
			unsigned vl = odo_verify_vl_after(p, slot, column[to], sl);
			p->leaving[(size_t)to * t->n_sls + sl] |= (uint16_t)(1u << vl);
			depend_all(p, slot, leaving[sl], column[to], vl);
		}
		p->sls[to] |= p->sls[s];
	}
}

static void depend(odo_proof *p, const uint8_t *column, const uint8_t *sls, uint32_t lid)
{
	const odo_tables *t = p->t;
	unsigned sl = t->sl_of_pair ? 0 : t->sl_of_lid[lid];
	odo_verify_vls most = ODO_VLS_BY_SL;
	for (unsigned i = 0; t->sl_of_pair && i < t->n_sls; i++)
		most = p->depend_on[i] > most ? p->depend_on[i] : most;
	if (t->sl_of_pair && most != ODO_VLS_BY_INPUT && p->vls_exist)
		depend_by_output(p, column, sls, p->f->lid_switch[lid]);
	else if (t->sl_of_pair)
		depend_pairs(p, column, sls, lid);
	else if (p->depend_on[sl] == ODO_VLS_BY_SL && p->vls_exist)
		depend_by_sl(p, column, p->f->lid_switch[lid], p->vl_of_sl[sl]);
	else
		depend_by_input(p, column, lid, sl);
}

/* Ports by which the column's packets reach its switch, ended by 0. */
static void collect_inputs(const odo_proof *p, uint32_t home, uint8_t *inputs)
{
	bool seen[256] = {false};
	unsigned n = 0;
	for (uint32_t i = 0; i < p->n_order; i++) {
		if (p->to[p->order[i]] != home)
			continue;
		unsigned in = odo_port(p->f, p->f->peer[p->slot[p->order[i]]]);
		if (!seen[in])
			inputs[n++] = (uint8_t)in;
		seen[in] = true;
	}
	inputs[n] = 0;
}

/* The last step: out of the LID's switch to its host. */
static void check_delivery(odo_proof *p, uint32_t lid, unsigned port, const uint8_t *inputs)
{
	const odo_fabric *f = p->f;
	uint32_t home = f->lid_switch[lid];
	unsigned n_sls = p->t->sl_of_pair ? p->t->n_sls : 1;
	if (port != f->lid_port[lid]) {
		dead_end(p, home, lid, port);
		return;
	}
	for (unsigned k = 0; port && k < n_sls; k++) {
		unsigned sl = p->t->sl_of_pair ? k : p->t->sl_of_lid[lid];
		uint32_t slot = odo_slot(f, home, port);
		unsigned mask = p->from_host[(size_t)slot * p->t->n_sls + sl];
		for (const uint8_t *in = inputs; *in; in++)
			mask |= 1u << odo_vl(p->t, home, *in, port, sl);
		check_vls(p, slot, mask, lid);
	}
}

static bool same_column(const odo_proof *p, const uint8_t *a, const uint8_t *b, uint32_t home)
{
	return !memcmp(a, b, home) && !memcmp(a + home + 1, b + home + 1, p->n - home - 1);
}

/* Kept columns must agree in SLs as well. */
static bool same_sls(const odo_proof *p, const odo_verify_kept *k, const uint8_t *sls, uint32_t lid)
{
	return p->t->sl_of_pair ? !memcmp(k->column + p->n, sls, p->n)
				: p->t->sl_of_lid[k->lid] == p->t->sl_of_lid[lid];
}

static int keep(odo_proof *p, const uint8_t *column, const uint8_t *sls, uint32_t lid,
		const uint8_t *inputs)
{
	bool pairs = p->t->sl_of_pair;
	uint32_t home = p->f->lid_switch[lid];
	size_t n_inputs = strlen((const char *)inputs) + 1;
	odo_verify_kept k = {.lid = lid, .next = p->first_kept[home]};
	if (odo_grow(&p->kept, &p->kept_room, p->n_kept + 1ul, sizeof *p->kept))
		return ODO_ENOMEM;
	k.column = malloc((size_t)p->n << pairs);
	k.inputs = malloc(n_inputs);
	if (k.column)
		memcpy(k.column, column, p->n);
	if (k.column && pairs)
		memcpy(k.column + p->n, sls, p->n);
	if (k.inputs)
		memcpy(k.inputs, inputs, n_inputs);
	p->kept[p->n_kept] = k;
	p->first_kept[home] = p->n_kept++;
	return k.column && k.inputs ? 0 : ODO_ENOMEM;
}

int odo_verify_lid(odo_proof *p, const uint8_t *column, const uint8_t *sls, uint32_t lid)
{
	uint32_t home = p->f->lid_switch[lid];
	uint8_t inputs[ODO_MAX_PORTS + 1];
	unsigned n_kept = 0;
	for (uint32_t i = p->first_kept[home]; i != ODO_NONE; i = p->kept[i].next) {
		n_kept++;
		if (same_column(p, p->kept[i].column, column, home) &&
		    same_sls(p, &p->kept[i], sls, lid)) {
			check_delivery(p, lid, column[home], p->kept[i].inputs);
			return 0;
		}
	}
	/* Where packets are lost the rest is still followed: a cycle should show too. */
	measure(p, column, lid);
	depend(p, column, sls, lid);
	collect_inputs(p, home, inputs);
	check_delivery(p, lid, column[home], inputs);
	return n_kept < MAX_KEPT ? keep(p, column, sls, lid, inputs) : 0;
}

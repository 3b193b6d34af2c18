/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Follows the arrays of odo_tables exactly as switches do, for every (switch, LID) pair.
 *
 * One LID's entries over all switches are a column; columns are cut out of the LFTs 64 at a
 * time (a cache line of each row). LIDs behind one switch mostly have equal columns but for
 * that switch's own entry, so each column is compared, byte by byte, with those already
 * followed for its switch, and only new ones are followed. Nothing is assumed: a column that
 * differs anywhere is followed itself (verify_shapes.c).
 *
 * Where the VL on which a packet leaves a switch depends on (SL, output), it is enough to mark
 * which SLs go on from cable to cable. Where it depends on (SL, input, output), the columns are
 * gone through once more; not on the VL it came in on, so no order of switches is needed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/verify/internal.h"

/* Distinct columns remembered per (switch, SL); more are followed one by one. */
#define MAX_KEPT 32u

/* Bad entry of switch s for a LID: says why it does not lead on to another switch. */
void odo_verify_dead_end(odo_proof *p, uint32_t s, uint32_t lid, unsigned port)
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

static void check_vls(odo_proof *p, uint32_t slot, unsigned mask, uint32_t lid)
{
	unsigned limit = odo_verify_n_vls(p, slot);
	for (unsigned over = mask >> limit, vl = limit; over; over >>= 1, vl++)
		if (over & 1)
			odo_verify_vl(p, slot, vl, lid);
}

/* A channel on each of the VLs in `leaving` waits for one on `next_vl`. */
static inline void depend_all(const odo_proof *p, uint32_t slot, unsigned leaving, unsigned port,
			      unsigned next_vl)
{
	unsigned left = leaving & ((1u << p->t->n_vls) - 1);
	for (; left && next_vl < p->t->n_vls; left &= left - 1)
		odo_depend(&p->deps, slot, (unsigned)__builtin_ctz(left), port, next_vl);
}

/* Slot by which switch s sends a column's packets. */
static uint32_t slot_by(const odo_proof *p, const uint8_t *column, uint32_t s)
{
	return p->f->first_slot[s] + column[s] - 1u;
}

/* VLs by which packets of one SL leave every switch, and on which they go on. */
static void find_vls(odo_proof *p, const odo_verify_shape *x, const uint8_t *column)
{
	memset(p->leaving, 0, p->n * sizeof *p->leaving);
	for (uint32_t i = 0; i < x->levels->n_order; i++) {
		uint32_t s = x->levels->order[i], slot = slot_by(p, column, s), to = x->to[s];
		p->leaving[s] |= p->from_host[(size_t)slot * p->t->n_sls + x->sl];
		if (to == x->home)
			continue;
		unsigned vl = odo_verify_vl_after(p, slot, column[to], x->sl);
		p->leaving[to] |= (uint16_t)(1u << vl);
		p->next_vl[s] = (uint8_t)vl;
	}
}

static void depend_by_input(odo_proof *p, const odo_verify_shape *x, const uint8_t *column,
			    uint32_t lid)
{
	find_vls(p, x, column);
	for (uint32_t i = 0; i < x->levels->n_order; i++) {
		uint32_t s = x->levels->order[i], slot = slot_by(p, column, s), to = x->to[s];
		if (!p->vls_exist)
			check_vls(p, slot, p->leaving[s], lid);
		if (to != x->home)
			depend_all(p, slot, p->leaving[s], column[to], p->next_vl[s]);
	}
}

/* With SLs per pair a switch passes on packets of several: those of all behind it. */
static void depend_pairs(odo_proof *p, const odo_verify_shape *x, const uint8_t *column,
			 uint32_t lid)
{
	const odo_tables *t = p->t;
	memset(p->sls, 0, p->n * sizeof *p->sls);
	memset(p->leaving, 0, (size_t)p->n * t->n_sls * sizeof *p->leaving);
	for (uint32_t i = x->levels->n_order; i-- > 0;) {
		uint32_t s = x->levels->order[i], slot = slot_by(p, column, s), to = x->to[s];
		unsigned own = x->sls[s];
		uint16_t *leaving = p->leaving + (size_t)s * t->n_sls;
		p->sls[s] |= (uint16_t)(1u << own);
		leaving[own] |= p->from_host[(size_t)slot * t->n_sls + own];
		for (unsigned left = p->sls[s]; left; left &= left - 1) {
			unsigned sl = (unsigned)__builtin_ctz(left);
			check_vls(p, slot, leaving[sl], lid);
			if (to == x->home)
				continue;
			unsigned vl = odo_verify_vl_after(p, slot, column[to], sl);
			p->leaving[(size_t)to * t->n_sls + sl] |= (uint16_t)(1u << vl);
			depend_all(p, slot, leaving[sl], column[to], vl);
		}
		p->sls[to] |= p->sls[s];
	}
}

/* Ports by which the column's packets reach its switch, ended by 0. */
static void collect_inputs(const odo_proof *p, const odo_verify_shape *x, const uint8_t *column,
			   uint8_t *inputs)
{
	const odo_fabric *f = p->f;
	for (uint32_t i = f->first_slot[x->home]; i < f->first_slot[x->home + 1]; i++) {
		uint32_t s = p->next[i];
		if (s != ODO_NONE && x->to[s] == x->home && slot_by(p, column, s) == f->peer[i])
			*inputs++ = (uint8_t)odo_port(f, i);
	}
	*inputs = 0;
}

/* VLs on which packets of an SL leave for the LID's host, from these inputs (bits of SLs by port,
 * 0 for the switch's own hosts; NULL: all that are named) and the switch's own hosts. */
static unsigned last_vls(const odo_proof *p, uint32_t slot, unsigned sl, const uint8_t *inputs,
			 const uint16_t *sls)
{
	uint32_t home = p->f->owner[slot];
	unsigned own = !sls || sls[0] >> sl & 1;
	unsigned vls = own ? p->from_host[(size_t)slot * p->t->n_sls + sl] : 0;
	for (; *inputs; inputs++)
		if (!sls || sls[*inputs] >> sl & 1)
			vls |= 1u << odo_vl(p->t, home, *inputs, odo_port(p->f, slot), sl);
	return vls;
}

/* SLs by which a LID's packets come into its switch, by port; 0 for its own hosts. */
static void find_arrivals(const odo_proof *p, uint32_t lid, uint16_t *sls)
{
	const odo_fabric *f = p->f;
	uint32_t home = f->lid_switch[lid];
	memset(sls, 0, (ODO_MAX_PORTS + 1) * sizeof *sls);
	for (uint32_t from = 0; from < p->n; from++) {
		uint32_t s = from, slot = ODO_NONE;
		for (uint32_t hops = 0; s != home && s != ODO_NONE && hops < p->n; hops++) {
			unsigned port = odo_next_port(p->t, s, lid);
			bool exists = port - 1u < odo_n_ports(f, s);
			slot = exists ? odo_slot(f, s, port) : ODO_NONE;
			s = exists ? p->next[slot] : ODO_NONE;
		}
		if (s == home)
			sls[slot == ODO_NONE ? 0 : odo_port(f, f->peer[slot])] |=
				(uint16_t)(1u << odo_path_sl(p->t, from, lid));
	}
}

/* The last step: out of the LID's switch to its host. Where an SL has no VL there it is asked
 * whether a path has it. */
static void check_delivery(odo_proof *p, uint32_t lid, unsigned port, const uint8_t *inputs)
{
	const odo_fabric *f = p->f;
	uint32_t home = f->lid_switch[lid];
	unsigned any = 0;
	if (port != f->lid_port[lid]) {
		odo_verify_dead_end(p, home, lid, port);
		return;
	}
	if (!port)
		return;
	uint32_t slot = odo_slot(f, home, port);
	if (!p->t->sl_of_pair) {
		check_vls(p, slot, last_vls(p, slot, p->t->sl_of_lid[lid], inputs, NULL), lid);
		return;
	}
	for (unsigned sl = 0; sl < p->t->n_sls; sl++)
		any |= last_vls(p, slot, sl, inputs, NULL);
	if (!(any >> odo_verify_n_vls(p, slot)))
		return;
	uint16_t sls[ODO_MAX_PORTS + 1];
	find_arrivals(p, lid, sls);
	for (unsigned sl = 0; sl < p->t->n_sls; sl++)
		check_vls(p, slot, last_vls(p, slot, sl, inputs, sls), lid);
}

static bool same_column(const odo_proof *p, const uint8_t *a, const uint8_t *b, uint32_t home)
{
	return !memcmp(a, b, home) && !memcmp(a + home + 1, b + home + 1, p->n - home - 1);
}

/* Kept columns must agree in SLs as well. */
static bool same_sls(const odo_proof *p, const odo_verify_kept *k, const uint8_t *sls, uint32_t lid)
{
	return sls ? !memcmp(k->sls, sls, p->n) : p->t->sl_of_lid[k->lid] == p->t->sl_of_lid[lid];
}

static int keep(odo_proof *p, odo_verify_kept k)
{
	uint32_t home = p->f->lid_switch[k.lid];
	if (odo_grow(&p->kept, &p->kept_room, p->n_kept + 1ul, sizeof *p->kept))
		return ODO_ENOMEM;
	k.next = p->first_kept[home];
	p->kept[p->n_kept] = k;
	p->first_kept[home] = p->n_kept++;
	return 0;
}

int odo_verify_lid(odo_proof *p, unsigned k, uint32_t lid)
{
	const uint8_t *column = p->block + k * p->stride;
	const uint8_t *sls = p->t->sl_of_pair ? p->sl_block + k * p->stride : NULL;
	uint32_t home = p->f->lid_switch[lid];
	uint8_t *inputs = p->inputs + k * (ODO_MAX_PORTS + 1ul);
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
	const odo_verify_shape *x = odo_verify_shape_of(p, k, sls, lid);
	if (!p->passed && sls)
		depend_pairs(p, x, column, lid);
	else if (!p->passed)
		depend_by_input(p, x, column, lid);
	collect_inputs(p, x, column, inputs);
	check_delivery(p, lid, column[home], inputs);
	return n_kept < MAX_KEPT
		       ? keep(p,
			      (odo_verify_kept){
				      .lid = lid, .column = column, .sls = sls, .inputs = inputs})
		       : 0;
}

/* Out of the block, which will hold others. */
static int copy(const odo_proof *p, odo_verify_kept *k)
{
	size_t n = p->n, n_inputs = strlen((const char *)k->inputs) + 1;
	k->copy = malloc(n + (k->sls ? n : 0) + n_inputs);
	if (!k->copy)
		return ODO_ENOMEM;
	uint8_t *to = k->copy;
	k->inputs = memcpy(to, k->inputs, n_inputs);
	k->column = memcpy(to += n_inputs, k->column, n);
	if (k->sls)
		k->sls = memcpy(to + n, k->sls, n);
	return 0;
}

/* All kept of a switch whose LIDs have all been followed. */
static void forget(odo_proof *p, uint32_t home)
{
	for (uint32_t i = p->first_kept[home]; i != ODO_NONE; i = p->kept[i].next) {
		free(p->kept[i].copy);
		p->kept[i].copy = NULL;
	}
	p->first_kept[home] = ODO_NONE;
}

int odo_verify_end_block(odo_proof *p, uint32_t end)
{
	int status = 0;
	odo_verify_end_shapes(p);
	for (uint32_t i = p->kept_before; i < p->n_kept && !status; i++) {
		uint32_t home = p->f->lid_switch[p->kept[i].lid];
		if (p->last_lid[home] < end)
			forget(p, home);
		else
			status = copy(p, &p->kept[i]);
	}
	p->kept_before = p->n_kept;
	return status;
}

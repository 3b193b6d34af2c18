/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Follow the arrays of odo_tables exactly as switches do, for every (switch, LID) pair.
 *
 * The entries of one LID over all switches are a column. Columns are extracted from the LFTs 64 at
 * a time (a cache line of each row). LIDs behind one switch mostly have equal columns except for
 * that switch's own entry. Each column is therefore compared, byte by byte, with those already
 * followed for its switch, and only new ones are followed. No column is assumed to be equal: one
 * that differs anywhere is followed itself (shapes.c).
 *
 * If the VL on which a packet leaves a switch depends on (SL, output), it is enough to mark the SLs
 * that go on from cable to cable. If it depends on (SL, input, output), the columns are read once
 * more. It does not depend on the input VL, so switches need no order.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/verify/internal.h"

/* Number of distinct columns stored per (switch, SL); further ones are followed one by one. */
#define MAX_KEPT 32u

/* Return true if a LID's packets come back to its switch after this switch sent them on. */
static bool comes_back(const odo_proof *proof, uint32_t home, uint32_t lid)
{
	uint32_t at = home;
	for (uint32_t hops = 0; hops <= proof->n; hops++) {
		unsigned port = odo_next_port(proof->t, at, lid);
		if (port - 1u >= odo_n_ports(proof->f, at))
			return false;
		at = proof->next[odo_slot(proof->f, at, port)];
		if (at == ODO_NONE || at == home)
			return at == home;
	}
	return true; /* a loop that does not cross the LID's switch */
}

/* Report a bad entry of switch s for a LID: the reason why it does not lead to another switch. */
void odo_verify_dead_end(odo_proof *proof, uint32_t s, uint32_t lid, unsigned port)
{
	const odo_fabric *f = proof->f;
	const char *why = port == ODO_NO_PORT        ? "has no entry"
			  : !port                    ? "receives it itself"
			  : port > odo_n_ports(f, s) ? "sends it to a port it does not have"
			  : f->peer[odo_slot(f, s, port)] == ODO_NONE
				  ? "sends it to a port without a cable"
			  : odo_next_switch(f, odo_slot(f, s, port)) != ODO_NONE
				  ? "should deliver it, but sends it to a switch"
				  : "delivers it to a host with another LID";
	proof->verdict->delivers = false;
	if (comes_back(proof, s, lid))
		proof->verdict->deadlock_free = false;
	odo_verdict_fail(proof->verdict,
			 "LID %u ends at switch \"%s\" (GUID 0x%016llx), which %s (port %u)", lid,
			 odo_name(f, s), (unsigned long long)f->node_guid[s], why, port);
}

/* Return the slot by which switch s sends a column's packets. */
static uint32_t slot_of_column(const odo_proof *proof, const uint8_t *column, uint32_t s)
{
	return proof->f->first_slot[s] + column[s] - 1u;
}

/* Find the VLs by which packets of one SL leave every switch, and the VLs on which they
 * continue. */
static void find_leaving_vls(odo_proof *proof, const odo_verify_shape *x, const uint8_t *column)
{
	memset(proof->leaving, 0, proof->n * sizeof *proof->leaving);
	for (uint32_t i = 0; i < x->levels->n_order; i++) {
		uint32_t s = x->levels->order[i], slot = slot_of_column(proof, column, s),
			 to = x->to[s];
		proof->leaving[s] |= proof->from_host[(size_t)slot * proof->t->n_sls + x->sl];
		if (to == x->home)
			continue;
		unsigned vl = odo_verify_vl_after(proof, slot, column[to], x->sl);
		proof->leaving[to] |= (uint16_t)(1u << vl);
		proof->next_vl[s] = (uint8_t)vl;
	}
}

static void depend_by_input(odo_proof *proof, const odo_verify_shape *x, const uint8_t *column,
			    uint32_t lid)
{
	find_leaving_vls(proof, x, column);
	for (uint32_t i = 0; i < x->levels->n_order; i++) {
		uint32_t s = x->levels->order[i], slot = slot_of_column(proof, column, s),
			 to = x->to[s];
		if (!proof->vls_exist)
			odo_verify_check_vls(proof, slot, proof->leaving[s], lid);
		if (to != x->home)
			odo_verify_depend(proof, slot, proof->leaving[s], column[to],
					  proof->next_vl[s]);
	}
}

/* Add dependencies with SLs per pair. A switch forwards packets of several SLs: those of all
 * switches that send through it. */
static void depend_pairs(odo_proof *proof, const odo_verify_shape *x, const uint8_t *column,
			 uint32_t lid)
{
	const odo_tables *t = proof->t;
	memset(proof->sls, 0, proof->n * sizeof *proof->sls);
	memset(proof->leaving, 0, (size_t)proof->n * t->n_sls * sizeof *proof->leaving);
	for (uint32_t i = x->levels->n_order; i-- > 0;) {
		uint32_t s = x->levels->order[i], slot = slot_of_column(proof, column, s),
			 to = x->to[s];
		unsigned own = x->sls[s];
		uint16_t *leaving = proof->leaving + (size_t)s * t->n_sls;
		proof->sls[s] |= (uint16_t)(1u << own);
		leaving[own] |= proof->from_host[(size_t)slot * t->n_sls + own];
		for (unsigned left = proof->sls[s]; left; left &= left - 1) {
			unsigned sl = (unsigned)__builtin_ctz(left);
			odo_verify_check_vls(proof, slot, leaving[sl], lid);
			if (to == x->home)
				continue;
			unsigned vl = odo_verify_vl_after(proof, slot, column[to], sl);
			proof->leaving[(size_t)to * t->n_sls + sl] |= (uint16_t)(1u << vl);
			odo_verify_depend(proof, slot, leaving[sl], column[to], vl);
		}
		proof->sls[to] |= proof->sls[s];
	}
}

/* List ports by which the column's packets reach its switch, ended by 0. */
static void collect_inputs(const odo_proof *proof, const odo_verify_shape *x, const uint8_t *column,
			   uint8_t *inputs)
{
	const odo_fabric *f = proof->f;
	for (uint32_t i = f->first_slot[x->home]; i < f->first_slot[x->home + 1]; i++) {
		uint32_t s = proof->next[i];
		if (s != ODO_NONE && x->to[s] == x->home &&
		    slot_of_column(proof, column, s) == f->peer[i])
			*inputs++ = (uint8_t)odo_port(f, i);
	}
	*inputs = 0;
}

/*
 * Return the VLs on which packets of an SL leave for the LID's host, from these inputs and from the
 * switch's own hosts.
 * @param sls SLs by input port, as bits, 0 for the switch's own hosts; NULL: all listed inputs
 *            count
 */
static unsigned last_vls(const odo_proof *proof, uint32_t slot, unsigned sl, const uint8_t *inputs,
			 const uint16_t *sls)
{
	uint32_t home = proof->f->owner[slot];
	unsigned own = !sls || sls[0] >> sl & 1;
	unsigned vls = own ? proof->from_host[(size_t)slot * proof->t->n_sls + sl] : 0;
	for (; *inputs; inputs++)
		if (!sls || sls[*inputs] >> sl & 1)
			vls |= 1u << odo_vl(proof->t, home, *inputs, odo_port(proof->f, slot), sl);
	return vls;
}

/* Find the SLs with which a LID's packets come into its switch, by port; 0 for its own hosts. */
static void find_arrivals(const odo_proof *proof, uint32_t lid, uint16_t *sls)
{
	const odo_fabric *f = proof->f;
	uint32_t home = f->lid_switch[lid];
	memset(sls, 0, (ODO_MAX_PORTS + 1) * sizeof *sls);
	for (uint32_t from = 0; from < proof->n; from++) {
		uint32_t s = from, slot = ODO_NONE;
		for (uint32_t hops = 0; s != home && s != ODO_NONE && hops < proof->n; hops++) {
			unsigned port = odo_next_port(proof->t, s, lid);
			bool exists = port - 1u < odo_n_ports(f, s);
			slot = exists ? odo_slot(f, s, port) : ODO_NONE;
			s = exists ? proof->next[slot] : ODO_NONE;
		}
		if (s == home)
			sls[slot == ODO_NONE ? 0 : odo_port(f, f->peer[slot])] |=
				(uint16_t)(1u << odo_path_sl(proof->t, from, lid));
	}
}

/* Check the last hop, from the LID's switch to its host. If an SL has no VL there, find out if a
 * path uses it. */
static void check_delivery(odo_proof *proof, uint32_t lid, unsigned port, const uint8_t *inputs)
{
	const odo_fabric *f = proof->f;
	uint32_t home = f->lid_switch[lid];
	unsigned any = 0;
	if (port != f->lid_port[lid]) {
		odo_verify_dead_end(proof, home, lid, port);
		return;
	}
	if (!port)
		return;
	uint32_t slot = odo_slot(f, home, port);
	if (!proof->t->sl_of_pair) {
		odo_verify_check_vls(proof, slot,
				     last_vls(proof, slot, proof->t->sl_of_lid[lid], inputs, NULL),
				     lid);
		return;
	}
	for (unsigned sl = 0; sl < proof->t->n_sls; sl++)
		any |= last_vls(proof, slot, sl, inputs, NULL);
	if (!(any & ~odo_verify_vls(proof, slot)))
		return;
	uint16_t sls[ODO_MAX_PORTS + 1];
	find_arrivals(proof, lid, sls);
	for (unsigned sl = 0; sl < proof->t->n_sls; sl++)
		odo_verify_check_vls(proof, slot, last_vls(proof, slot, sl, inputs, sls), lid);
}

static bool same_column(const odo_proof *proof, const uint8_t *a, const uint8_t *b, uint32_t home)
{
	return !memcmp(a, b, home) && !memcmp(a + home + 1, b + home + 1, proof->n - home - 1);
}

/* Return true if a stored column has the same SLs. */
static bool same_sls(const odo_proof *proof, const odo_verify_kept *k, const uint8_t *sls,
		     uint32_t lid)
{
	return sls ? !memcmp(k->sls, sls, proof->n)
		   : proof->t->sl_of_lid[k->lid] == proof->t->sl_of_lid[lid];
}

static int store_column(odo_proof *proof, odo_verify_kept k)
{
	uint32_t home = proof->f->lid_switch[k.lid];
	if (odo_grow(&proof->kept, &proof->kept_room, proof->n_kept + 1ul, sizeof *proof->kept))
		return ODO_ENOMEM;
	k.next = proof->first_kept[home];
	proof->kept[proof->n_kept] = k;
	proof->first_kept[home] = proof->n_kept++;
	return 0;
}

int odo_verify_lid(odo_proof *proof, unsigned k, uint32_t lid)
{
	const uint8_t *column = proof->block + k * proof->stride;
	const uint8_t *sls = proof->t->sl_of_pair ? proof->sl_block + k * proof->stride : NULL;
	uint32_t home = proof->f->lid_switch[lid];
	uint8_t *inputs = proof->inputs + k * (ODO_MAX_PORTS + 1ul);
	unsigned n_kept = 0;
	for (uint32_t i = proof->first_kept[home]; i != ODO_NONE; i = proof->kept[i].next) {
		n_kept++;
		if (same_column(proof, proof->kept[i].column, column, home) &&
		    same_sls(proof, &proof->kept[i], sls, lid)) {
			check_delivery(proof, lid, column[home], proof->kept[i].inputs);
			return 0;
		}
	}
	proof->n_trees++;
	/* If packets are lost, still follow the others, to find cycles as well. */
	const odo_verify_shape *x = odo_verify_shape_of(proof, k, sls, lid);
	if (!proof->passed && sls)
		depend_pairs(proof, x, column, lid);
	else if (!proof->passed)
		depend_by_input(proof, x, column, lid);
	collect_inputs(proof, x, column, inputs);
	check_delivery(proof, lid, column[home], inputs);
	return n_kept < MAX_KEPT ? store_column(proof, (odo_verify_kept){.lid = lid,
									 .column = column,
									 .sls = sls,
									 .inputs = inputs})
				 : 0;
}

/* Copy a stored column out of the block, which other columns will overwrite. */
static int copy_column(const odo_proof *proof, odo_verify_kept *k)
{
	size_t n = proof->n, n_inputs = strlen((const char *)k->inputs) + 1;
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

/* Forget all stored columns of a switch whose LIDs have all been followed. */
static void forget_columns(odo_proof *proof, uint32_t home)
{
	for (uint32_t i = proof->first_kept[home]; i != ODO_NONE; i = proof->kept[i].next) {
		free(proof->kept[i].copy);
		proof->kept[i].copy = NULL;
	}
	proof->first_kept[home] = ODO_NONE;
}

int odo_verify_end_block(odo_proof *proof, uint32_t end)
{
	int status = 0;
	odo_verify_end_shapes(proof);
	for (uint32_t i = proof->kept_before; i < proof->n_kept && !status; i++) {
		uint32_t home = proof->f->lid_switch[proof->kept[i].lid];
		if (proof->last_lid[home] < end)
			forget_columns(proof, home);
		else
			status = copy_column(proof, &proof->kept[i]);
	}
	proof->kept_before = proof->n_kept;
	return status;
}

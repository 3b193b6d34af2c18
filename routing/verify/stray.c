/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LIDs that no port of the fabric has. Nobody knows where they should arrive. But packets to them
 * wait for channels as all others do, and they may go round.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/verify/internal.h"

enum { UNSEEN, ON_PATH, DONE };

/* Slot by which switch s leads the LID on, or ODO_NONE. */
static uint32_t slot_of(const odo_proof *proof, const uint8_t *port, uint32_t s)
{
	return port[s] - 1u < odo_n_ports(proof->f, s) ? odo_slot(proof->f, s, port[s]) : ODO_NONE;
}

static bool arrives(const odo_proof *proof, const uint8_t *port, uint32_t s)
{
	uint32_t slot = slot_of(proof, port, s);
	return !port[s] || (slot != ODO_NONE && proof->f->slot_host[slot] != ODO_NONE);
}

static void fail_loop(odo_proof *proof, uint32_t s, unsigned lid)
{
	proof->verdict->deadlock_free = false;
	odo_verdict_fail(proof->verdict,
			 "LID %u, which no port of the fabric has, goes round in a loop through "
			 "switch \"%s\" (GUID 0x%016llx)",
			 lid, odo_name(proof->f, s), (unsigned long long)proof->f->node_guid[s]);
}

/* Follow the LID from s until a switch that is known. @return whether it goes round */
static bool goes_round(odo_proof *proof, const uint8_t *port, uint32_t s, unsigned lid,
		       uint8_t *state)
{
	uint32_t n = 0, at = s;
	while (at != ODO_NONE && state[at] == UNSEEN) {
		uint32_t slot = slot_of(proof, port, at);
		state[at] = ON_PATH;
		proof->stack[n++] = at;
		at = slot == ODO_NONE ? ODO_NONE : proof->next[slot];
	}
	bool found = at != ODO_NONE && state[at] == ON_PATH;
	if (found)
		fail_loop(proof, at, lid);
	while (n)
		state[proof->stack[--n]] = DONE;
	return found;
}

/* What switch s and its hosts send. */
static void walk(odo_proof *proof, const uint8_t *port, uint32_t s)
{
	unsigned n_sls = proof->t->n_sls;
	uint32_t slot = slot_of(proof, port, s);
	unsigned vls = slot == ODO_NONE ? 0 : proof->from_host[(size_t)slot * n_sls];
	while (slot != ODO_NONE && proof->next[slot] != ODO_NONE) {
		uint32_t to = proof->next[slot], next = slot_of(proof, port, to);
		if (next == ODO_NONE || proof->next[next] == ODO_NONE)
			return;
		unsigned vl = odo_verify_vl_after(proof, slot, port[to], 0);
		odo_verify_depend(proof, slot, vls, port[to], vl);
		vls = 1u << vl;
		slot = next;
	}
}

/* With several SLs in use, nobody knows on which such packets are. */
static bool is_sl_known(const odo_tables *t)
{
	return t->n_sls == 1 || odo_tables_sls_alike(t);
}

int odo_verify_strays(odo_proof *proof)
{
	const odo_strays *strays = &proof->t->strays;
	odo_verdict *verdict = proof->verdict;
	uint8_t *state = odo_new(proof->n, 1);
	bool joins = is_sl_known(proof->t);
	verdict->n_strays = strays->n;
	for (uint32_t i = 0; state && i < strays->n; i++) {
		const uint8_t *port = strays->port + (size_t)i * proof->n;
		bool round = false, somewhere = false;
		memset(state, UNSEEN, proof->n);
		for (uint32_t s = 0; s < proof->n; s++) {
			round |= goes_round(proof, port, s, strays->lid[i], state);
			somewhere |= arrives(proof, port, s);
		}
		verdict->n_stray_arrivals += somewhere;
		for (uint32_t s = 0; joins && somewhere && !round && s < proof->n; s++)
			walk(proof, port, s);
	}
	free(state);
	return state ? 0 : ODO_ENOMEM;
}

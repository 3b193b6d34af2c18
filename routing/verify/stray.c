/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LIDs that no port of the fabric has. Their destination is unknown. But packets to them wait for
 * channels as all others do, and they may loop.
 */
#include <stdlib.h>
#include <string.h>

#include "routing/verify/internal.h"

enum { UNSEEN, ON_PATH, DONE };

/* Return the slot by which switch s forwards the LID, or ODO_NONE. */
static uint32_t slot_of_stray(const odo_proof *proof, const uint8_t *port, uint32_t s)
{
	return port[s] - 1u < odo_n_ports(proof->f, s) ? odo_slot(proof->f, s, port[s]) : ODO_NONE;
}

static bool arrives(const odo_proof *proof, const uint8_t *port, uint32_t s)
{
	uint32_t slot = slot_of_stray(proof, port, s);
	return !port[s] || (slot != ODO_NONE && proof->f->slot_host[slot] != ODO_NONE);
}

static void fail_loop(odo_proof *proof, uint32_t s, unsigned lid)
{
	proof->verdict->deadlock_free = false;
	odo_verdict_fail(proof->verdict,
			 "LID %u, which no port of the fabric has, loops through "
			 "switch \"%s\" (GUID 0x%016llx)",
			 lid, odo_name(proof->f, s), (unsigned long long)proof->f->node_guid[s]);
}

/* Follow the LID from s up to a switch whose result is known. @return true if it loops */
static bool goes_round(odo_proof *proof, const uint8_t *port, uint32_t s, unsigned lid,
		       uint8_t *state)
{
	uint32_t n = 0, at = s;
	while (at != ODO_NONE && state[at] == UNSEEN) {
		uint32_t slot = slot_of_stray(proof, port, at);
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

/* Return false if several SLs are in use: the SL of these packets is then unknown. */
static bool is_sl_known(const odo_tables *t)
{
	return t->n_sls == 1 || odo_tables_sls_alike(t);
}

/*
 * Follow packets that switch s and its hosts send, wherever they end: a packet that a switch drops
 * at the end used and waited for channels before.
 * @return true if they wait for any
 */
static bool follow_stray(odo_proof *proof, const uint8_t *port, uint32_t s)
{
	unsigned n_sls = proof->t->n_sls;
	uint32_t slot = slot_of_stray(proof, port, s);
	unsigned vls = slot == ODO_NONE ? 0 : proof->from_host[(size_t)slot * n_sls];
	bool waits = false;
	while (slot != ODO_NONE && proof->next[slot] != ODO_NONE) {
		uint32_t to = proof->next[slot], next = slot_of_stray(proof, port, to);
		if (next == ODO_NONE || proof->next[next] == ODO_NONE)
			break;
		waits = true;
		unsigned vl = odo_verify_vl_after(proof, slot, port[to], 0);
		if (is_sl_known(proof->t))
			odo_verify_depend(proof, slot, vls, port[to], vl);
		vls = 1u << vl;
		slot = next;
	}
	return waits;
}

/* Prove the entries of a LID. */
static void prove_stray(odo_proof *proof, const uint8_t *port, unsigned lid, uint8_t *state)
{
	odo_verdict *verdict = proof->verdict;
	bool round = false, somewhere = false, waits = false;
	memset(state, UNSEEN, proof->n);
	for (uint32_t s = 0; s < proof->n; s++) {
		round |= goes_round(proof, port, s, lid, state);
		somewhere |= arrives(proof, port, s);
	}
	for (uint32_t s = 0; !round && s < proof->n; s++)
		waits |= follow_stray(proof, port, s);
	verdict->n_stray_arrivals += somewhere;
	verdict->n_stray_guesses += waits && !is_sl_known(proof->t);
}

int odo_verify_strays(odo_proof *proof, odo_error *err)
{
	const odo_strays *strays = &proof->t->strays;
	odo_channel *cycle = NULL;
	uint32_t n;
	uint8_t *state = odo_arena_new(&proof->memory, proof->n, 1);
	int status = state ? odo_dependencies_cycle(&proof->deps, &cycle, &n, err)
			   : odo_fail(err, ODO_ENOMEM, "no memory to verify");
	proof->verdict->n_strays = strays->n;
	proof->sound_before_strays = !cycle;
	for (uint32_t i = 0; !status && i < strays->n; i++)
		prove_stray(proof, strays->port + (size_t)i * proof->n, strays->lid[i], state);
	free(cycle);
	return status;
}

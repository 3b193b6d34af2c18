/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SLs of paths. A line has a source's node GUID, a LID, an SL, and a port if only this port of the
 * source is meant. Tables have one SL for each switch and LID. Therefore the reader also records
 * which sources had a line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "export/read.h"

/* SL of a pair without a line so far. */
#define UNSET 0xFF

bool odo_is_psl(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	uint64_t n;
	return odo_read_first(&s) && odo_lines_skip(&s, "0x") &&
	       odo_lines_number(&s, 16, UINT64_MAX, &n) &&
	       odo_lines_number(&s, 10, UINT16_MAX, &n) && odo_lines_number(&s, 10, 15, &n) &&
	       (odo_lines_at_end(&s) || odo_lines_number(&s, 10, 255, &n)) && odo_lines_at_end(&s);
}

/* ---- Lines ---- */

typedef struct line {
	uint64_t guid, lid, sl, port; /* port 0: all ports of the node */
} line;

/* Return the set of LIDs for which a host or a switch has a line. */
static uint64_t *heard_from(const odo_import *in, uint32_t sw, uint32_t host)
{
	const odo_fabric *f = in->t->fabric;
	size_t source = host != ODO_NONE ? host : (size_t)f->n_hosts + sw;
	return in->heard + source * odo_bit_words(f->lid_count);
}

static int make_sl_room(odo_import *in, odo_error *err)
{
	odo_tables *t = in->t;
	const odo_fabric *f = t->fabric;
	size_t pairs = (size_t)f->n_switches * f->lid_count;
	if (in->heard)
		return 0;
	in->heard = odo_arena_new(
		&in->memory, ((size_t)f->n_hosts + f->n_switches) * odo_bit_words(f->lid_count),
		sizeof *in->heard);
	t->sl_of_pair = malloc(pairs + 1);
	if (!in->heard || !t->sl_of_pair)
		return odo_fail(err, ODO_ENOMEM, "no memory for SLs of %zu pairs", pairs);
	memset(t->sl_of_pair, UNSET, pairs);
	return 0;
}

/* Set the SL of a pair. Fail if hosts of one switch have different SLs, unless the tables are for a
 * proof only.
 * @param host ODO_NONE: the switch itself sends */
static int set_sl(odo_import *in, const odo_scan *s, uint32_t sw, uint32_t host, const line *l,
		  odo_error *err)
{
	odo_tables *t = in->t;
	const odo_fabric *f = t->fabric;
	size_t pairs = (size_t)f->n_switches * f->lid_count;
	if (l->lid >= f->lid_count)
		return 0;
	int status = make_sl_room(in, err);
	if (status)
		return status;
	uint8_t *sl = &t->sl_of_pair[(size_t)sw * f->lid_count + l->lid];
	odo_set_bit(heard_from(in, sw, host), (uint32_t)l->lid);
	if (*sl == UNSET || *sl == l->sl) {
		*sl = (uint8_t)l->sl;
		return 0;
	}
	if (!in->for_proof)
		return odo_fail(err, ODO_EDECLINE,
				"%s:%u: expected hosts of one switch (\"%.64s\") to use one SL to "
				"LID %u, found %u and %u",
				s->origin, s->line, odo_name(f, sw), (uint32_t)l->lid, *sl,
				(unsigned)l->sl);
	if (!t->held_of_pair && !(t->held_of_pair = odo_new(pairs, sizeof *t->held_of_pair)))
		return odo_fail(err, ODO_ENOMEM, "no memory for SLs of %zu pairs", pairs);
	t->held_of_pair[(size_t)sw * f->lid_count + l->lid] |= (uint16_t)(1u << l->sl);
	return 0;
}

static int read_psl_fields(odo_scan *s, line *l, odo_error *err)
{
	l->port = 0;
	if (!odo_lines_skip(s, "0x") || !odo_lines_number(s, 16, UINT64_MAX, &l->guid))
		return odo_lines_expected(s, "the GUID of a source node", err);
	if (!odo_lines_number(s, 10, ODO_LID_LIMIT - 1, &l->lid))
		return odo_lines_expected(s, "a unicast LID", err);
	if (!odo_lines_number(s, 10, ODO_N_SLS - 1, &l->sl))
		return odo_lines_expected(s, "an SL from 0 to 15", err);
	if (!odo_lines_at_end(s) &&
	    (!odo_lines_number(s, 10, 255, &l->port) || !odo_lines_at_end(s)))
		return odo_lines_expected(s, "the port of the source, or nothing", err);
	return 0;
}

/* Set the SL of packets that a switch sends itself. Except for a proof, the SLs of its hosts count,
 * if it has any. */
static int set_of_switch(odo_import *in, const odo_scan *s, const line *l, odo_error *err)
{
	uint32_t sw = odo_read_switch(in, l->guid);
	if (sw == ODO_NONE)
		return odo_read_unknown(in, s, "a node", l->guid, err);
	return in->for_proof || !odo_hosts_of(in->t->fabric, sw)
		       ? set_sl(in, s, sw, ODO_NONE, l, err)
		       : 0;
}

int odo_read_psl_line(odo_import *in, odo_scan *s, odo_error *err)
{
	const odo_fabric *f = in->t->fabric;
	line l;
	int status = read_psl_fields(s, &l, err);
	if (status)
		return status;
	const odo_write_end *end = odo_read_find(in->by_node, f->n_hosts, l.guid);
	if (!end)
		return set_of_switch(in, s, &l, err);
	for (; end < in->by_node + f->n_hosts && end->guid == l.guid && !status; end++)
		if (!l.port || odo_port(f, f->host_slot[end->host]) == l.port)
			status = set_sl(in, s, odo_host_switch(f, end->host), end->host, &l, err);
	return status;
}

/* ---- Missing lines ---- */

/* LIDs for which a switch has an entry, a bit each. */
typedef struct asked {
	uint64_t *of_hosts, *of_switches;
	uint64_t *unset; /* LIDs without an SL */
	size_t words;
} asked;

static void find_asked(const odo_tables *t, uint32_t s, asked *a)
{
	const odo_fabric *f = t->fabric;
	const uint8_t *sl = t->sl_of_pair + (size_t)s * f->lid_count;
	memset(a->of_hosts, 0, 3 * a->words * sizeof *a->of_hosts);
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		if (f->lid_switch[lid] == ODO_NONE || f->lid_switch[lid] == s ||
		    odo_next_port(t, s, lid) == ODO_NO_PORT)
			continue;
		odo_set_bit(f->lid_host[lid] != ODO_NONE ? a->of_hosts : a->of_switches, lid);
		if (sl[lid] == UNSET)
			odo_set_bit(a->unset, lid);
	}
}

static void count_unheard(const asked *a, const uint64_t *lids, const uint64_t *heard,
			  odo_unheard *to)
{
	for (size_t i = 0; i < a->words; i++) {
		uint64_t missed = lids[i] & ~heard[i];
		to->assumed += (unsigned)__builtin_popcountll(missed & a->unset[i]);
		to->alike += (unsigned)__builtin_popcountll(missed & ~a->unset[i]);
	}
}

static void count_at(odo_import *in, uint32_t s, asked *a)
{
	odo_tables *t = in->t;
	const odo_fabric *f = t->fabric;
	bool sends = false;
	find_asked(t, s, a);
	for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
		uint32_t host = f->slot_host[slot];
		if (host >= f->n_senders)
			continue;
		const uint64_t *heard = heard_from(in, s, host);
		count_unheard(a, a->of_hosts, heard, &t->from.unheard[0]);
		count_unheard(a, a->of_switches, heard, &t->from.unheard[1]);
		sends = true;
	}
	if (sends)
		return;
	const uint64_t *heard = heard_from(in, s, ODO_NONE);
	count_unheard(a, a->of_hosts, heard, &t->from.unheard[1]);
	count_unheard(a, a->of_switches, heard, &t->from.unheard[1]);
}

int odo_read_end_psl(odo_import *in, odo_error *err)
{
	odo_tables *t = in->t;
	const odo_fabric *f = t->fabric;
	asked a = {.words = odo_bit_words(f->lid_count)};
	if (!in->heard)
		return 0;
	a.of_hosts = odo_new(3 * a.words, sizeof *a.of_hosts);
	if (!a.of_hosts)
		return odo_fail(err, ODO_ENOMEM, "no memory for SLs");
	a.of_switches = a.of_hosts + a.words;
	a.unset = a.of_switches + a.words;
	for (uint32_t s = 0; s < f->n_switches; s++)
		count_at(in, s, &a);
	for (size_t i = 0; i < (size_t)f->n_switches * f->lid_count; i++)
		t->sl_of_pair[i] = t->sl_of_pair[i] == UNSET ? 0 : t->sl_of_pair[i];
	free(a.of_hosts);
	return 0;
}

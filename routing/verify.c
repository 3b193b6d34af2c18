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
#include "routing/verify.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/dependency.h"
#include "routing/verify_internal.h"

#define BLOCK 64u
/* Distinct columns remembered per (switch, SL); more are followed one by one. */
#define MAX_KEPT 32u

/* Where a cable leads. */
typedef struct hop {
	uint32_t to; /* switch, or ODO_NONE */
	uint8_t in;  /* input port there */
} hop;

typedef struct kept {
	uint32_t lid, next; /* of the same switch, or ODO_NONE */
	uint8_t *column;
	uint8_t *inputs; /* ports by which packets reach the LID's switch, 0 ends them */
} kept;

typedef struct proof {
	const odo_tables *t;
	const odo_fabric *f;
	odo_verdict *verdict;
	odo_dependencies deps;
	uint32_t n;
	int n_parts;
	uint32_t *part;
	hop *hops;           /* [slots of switches] */
	uint16_t *from_host; /* [slot * n_sls + sl] VLs on which the switch's own hosts use it */
	uint8_t *block;      /* [BLOCK * stride] columns */
	size_t stride;
	kept *kept;
	size_t kept_room;
	uint32_t n_kept, *first_kept; /* [n] */
	/* Of the column being followed. */
	uint16_t *depth;
	uint32_t *stack;
	uint16_t *leaving; /* VLs on which packets leave each switch */
	uint8_t *next_vl;  /* VL on which a switch's packets leave the next one */
	uint8_t *active;   /* with SLs per pair: the switches that packets of an SL pass */
	uint32_t most_hops;
} proof;

void odo_verdict_fail(odo_verdict *v, const char *format, ...)
{
	va_list args;
	if (v->text[0])
		return;
	va_start(args, format);
	vsnprintf(v->text, sizeof v->text, format, args);
	va_end(args);
}

static int prepare_hops(proof *p)
{
	const odo_fabric *f = p->f;
	uint32_t n_slots = f->first_slot[f->n_switches];
	p->hops = odo_new(n_slots, sizeof *p->hops);
	if (!p->hops)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < n_slots; i++) {
		p->hops[i].to = odo_next_switch(f, i);
		if (p->hops[i].to != ODO_NONE)
			p->hops[i].in = (uint8_t)odo_port(f, f->peer[i]);
	}
	return 0;
}

/* VLs on which what a switch and its hosts send leaves by each port. */
static int prepare_from_host(proof *p)
{
	const odo_fabric *f = p->f;
	unsigned n_sls = p->t->n_sls;
	p->from_host = odo_new((size_t)f->first_slot[f->n_switches] * n_sls, sizeof *p->from_host);
	if (!p->from_host)
		return ODO_ENOMEM;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		unsigned ports = odo_n_ports(f, s);
		for (unsigned in = 0; in <= ports; in++) {
			if (in && f->slot_host[odo_slot(f, s, in)] == ODO_NONE)
				continue;
			for (unsigned out = 1; out <= ports; out++)
				for (unsigned sl = 0; sl < n_sls; sl++)
					p->from_host[(size_t)odo_slot(f, s, out) * n_sls + sl] |=
						(uint16_t)(1u << odo_vl(p->t, s, in, out, sl));
		}
	}
	return 0;
}

static int prepare(proof *p, odo_error *err)
{
	p->n = p->f->n_switches;
	/* An odd number of lines apart, so that a block's columns do not share cache sets. */
	p->stride = (((size_t)p->n + 63) / 64 | 1) * 64;
	p->part = odo_new(p->n, sizeof *p->part);
	p->block = odo_new(BLOCK, p->stride);
	p->first_kept = odo_new(p->n, sizeof *p->first_kept);
	p->depth = odo_new(p->n, sizeof *p->depth);
	p->stack = odo_new(p->n, sizeof *p->stack);
	p->leaving = odo_new(p->n, sizeof *p->leaving);
	p->next_vl = odo_new(p->n, 1);
	p->active = odo_new(p->n, 1);
	if (!p->part || !p->block || !p->first_kept || !p->depth || !p->stack || !p->leaving ||
	    !p->next_vl || !p->active || prepare_hops(p) || prepare_from_host(p))
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	for (uint32_t s = 0; s < p->n; s++)
		p->first_kept[s] = ODO_NONE;
	p->n_parts = odo_fabric_parts(p->f, p->part, err);
	return p->n_parts < 0 ? p->n_parts
			      : odo_dependencies_init(&p->deps, p->f, p->t->n_vls, err);
}

static void clear(proof *p)
{
	for (uint32_t i = 0; i < p->n_kept; i++) {
		free(p->kept[i].column);
		free(p->kept[i].inputs);
	}
	free(p->kept);
	free(p->part);
	free(p->hops);
	free(p->from_host);
	free(p->block);
	free(p->first_kept);
	free(p->depth);
	free(p->stack);
	free(p->leaving);
	free(p->next_vl);
	free(p->active);
	odo_dependencies_clear(&p->deps);
}

/* Bad entry of switch s for a LID: says why it does not lead on to another switch. */
static void dead_end(proof *p, uint32_t s, uint32_t lid, unsigned port)
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

static void loop(proof *p, uint32_t s, uint32_t lid)
{
	p->verdict->delivers = false;
	odo_verdict_fail(p->verdict,
			 "LID %u goes round in a loop through switch \"%s\" (GUID 0x%016llx)", lid,
			 odo_name(p->f, s), (unsigned long long)p->f->node_guid[s]);
}

/* Switch that s sends the column's packets to, or ODO_NONE. */
static inline uint32_t next_of(const proof *p, const uint8_t *column, uint32_t s)
{
	unsigned port = column[s];
	if (port - 1u >= odo_n_ports(p->f, s)) /* 0, no port, out of range */
		return ODO_NONE;
	return p->hops[p->f->first_slot[s] + port - 1].to;
}

enum { UNKNOWN = 0xFFFF, ON_PATH = 0xFFFE, LOST = 0xFFFD };

/* Depth of every switch below the LID's, walking each path until it meets a known one. */
static void measure_from(proof *p, const uint8_t *column, uint32_t lid, uint32_t s)
{
	uint32_t n_path = 0, at = s;
	while (at != ODO_NONE && p->depth[at] == UNKNOWN) {
		p->depth[at] = ON_PATH;
		p->stack[n_path++] = at;
		at = next_of(p, column, at);
	}
	unsigned depth = at == ODO_NONE ? LOST : p->depth[at];
	if (depth == ON_PATH)
		loop(p, at, lid);
	else if (at == ODO_NONE)
		dead_end(p, p->stack[n_path - 1], lid, column[p->stack[n_path - 1]]);
	if (depth == ON_PATH)
		depth = LOST;
	while (n_path) {
		depth = depth == LOST ? LOST : depth + 1;
		p->depth[p->stack[--n_path]] = (uint16_t)depth;
		if (depth != LOST && depth > p->most_hops)
			p->most_hops = depth;
	}
}

static bool measure(proof *p, const uint8_t *column, uint32_t lid)
{
	uint32_t home = p->f->lid_switch[lid];
	bool sound = true;
	memset(p->depth, 0xFF, p->n * sizeof *p->depth);
	p->depth[home] = 0;
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
		sound &= p->depth[s] != LOST;
	}
	return sound;
}

static void check_vl(proof *p, uint32_t slot, unsigned vl, uint32_t lid)
{
	const odo_fabric *f = p->f;
	const char *name = odo_name(f, f->owner[slot]);
	if (vl < p->t->n_vls && vl < f->n_vls[slot])
		return;
	if (vl == ODO_VL_DROP) {
		p->verdict->delivers = false;
		odo_verdict_fail(p->verdict,
				 "port %u of \"%s\" drops LID %u: its SL has no VL there",
				 odo_port(f, slot), name, lid);
		return;
	}
	p->verdict->within_vls = false;
	odo_verdict_fail(
		p->verdict,
		"LID %u needs VL %u at port %u of \"%s\", which has %u; the tables name %u", lid,
		vl, odo_port(f, slot), name, f->n_vls[slot], p->t->n_vls);
}

static void check_vls(proof *p, uint32_t slot, unsigned mask, uint32_t lid)
{
	unsigned limit = p->t->n_vls < p->f->n_vls[slot] ? p->t->n_vls : p->f->n_vls[slot];
	for (unsigned over = mask >> limit, vl = limit; over; over >>= 1, vl++)
		if (over & 1)
			check_vl(p, slot, vl, lid);
}

/* With one VL there is only the way to mark. */
static void depend_plain(proof *p, const uint8_t *column, uint32_t home)
{
	const uint32_t *first = p->f->first_slot;
	for (uint32_t s = 0; s < p->n; s++) {
		if (s == home || p->depth[s] == LOST)
			continue;
		uint32_t slot = first[s] + column[s] - 1, to = p->hops[slot].to;
		if (to != home)
			odo_depend(&p->deps, slot, 0, column[to], 0);
	}
}

static bool passes(const proof *p, uint32_t s, uint32_t home)
{
	return s != home && p->depth[s] != LOST && p->active[s];
}

/* VLs by which packets of one SL leave every switch, and on which they go on. */
static void find_vls(proof *p, const uint8_t *column, uint32_t home, unsigned sl, bool own)
{
	for (uint32_t s = 0; s < p->n; s++)
		p->leaving[s] = 0;
	for (uint32_t s = 0; s < p->n; s++) {
		if (!passes(p, s, home))
			continue;
		uint32_t slot = p->f->first_slot[s] + column[s] - 1;
		hop h = p->hops[slot];
		if (own || p->active[s] == 2)
			p->leaving[s] |= p->from_host[(size_t)slot * p->t->n_sls + sl];
		if (h.to == home)
			continue;
		unsigned vl = odo_vl(p->t, h.to, h.in, column[h.to], sl);
		p->leaving[h.to] |= (uint16_t)(1u << vl);
		p->next_vl[s] = (uint8_t)vl;
	}
}

static void depend_vls(proof *p, const uint8_t *column, uint32_t lid, unsigned sl, bool own)
{
	uint32_t home = p->f->lid_switch[lid];
	find_vls(p, column, home, sl, own);
	for (uint32_t s = 0; s < p->n; s++) {
		if (!passes(p, s, home))
			continue;
		uint32_t slot = p->f->first_slot[s] + column[s] - 1, to = p->hops[slot].to;
		check_vls(p, slot, p->leaving[s], lid);
		if (to == home || p->next_vl[s] >= p->t->n_vls)
			continue;
		for (unsigned left = p->leaving[s] & ((1u << p->t->n_vls) - 1); left;
		     left &= left - 1)
			odo_depend(&p->deps, slot, (unsigned)__builtin_ctz(left), column[to],
				   p->next_vl[s]);
	}
}

/* Marks the switches on the paths of one SL: 2 where they start, 1 where they pass. */
static bool activate(proof *p, const uint8_t *column, uint32_t lid, unsigned sl)
{
	bool any = false;
	memset(p->active, 0, p->n);
	for (uint32_t s = 0; s < p->n; s++) {
		if (odo_path_sl(p->t, s, lid) != sl || p->depth[s] == LOST)
			continue;
		any = true;
		for (uint32_t at = s; p->depth[at] && !p->active[at]; at = next_of(p, column, at))
			p->active[at] = 1;
		p->active[s] = 2;
	}
	return any;
}

static void depend(proof *p, const uint8_t *column, uint32_t lid)
{
	const odo_tables *t = p->t;
	if (t->sl_of_pair) {
		for (unsigned sl = 0; sl < t->n_sls; sl++)
			if (activate(p, column, lid, sl))
				depend_vls(p, column, lid, sl, false);
		return;
	}
	memset(p->active, 1, p->n);
	if (t->n_vls == 1 && t->n_rows == 1)
		depend_plain(p, column, p->f->lid_switch[lid]);
	else
		depend_vls(p, column, lid, t->sl_of_lid[lid], true);
}

/* Ports by which the column's packets reach its switch, ended by 0. */
static void collect_inputs(const proof *p, const uint8_t *column, uint32_t home, uint8_t *inputs)
{
	bool seen[256] = {false};
	unsigned n = 0;
	for (uint32_t s = 0; s < p->n; s++) {
		if (s == home || p->depth[s] == LOST)
			continue;
		hop h = p->hops[p->f->first_slot[s] + column[s] - 1];
		if (h.to == home && !seen[h.in]) {
			seen[h.in] = true;
			inputs[n++] = h.in;
		}
	}
	inputs[n] = 0;
}

/* The last step: out of the LID's switch to its host. */
static void check_delivery(proof *p, uint32_t lid, unsigned port, const uint8_t *inputs)
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

static bool same_column(const proof *p, const uint8_t *a, const uint8_t *b, uint32_t home)
{
	return !memcmp(a, b, home) && !memcmp(a + home + 1, b + home + 1, p->n - home - 1);
}

/* Kept columns must agree in SLs as well. */
static bool same_sls(const proof *p, uint32_t a, uint32_t b)
{
	const odo_tables *t = p->t;
	if (!t->sl_of_pair)
		return t->sl_of_lid[a] == t->sl_of_lid[b];
	for (uint32_t s = 0; s < p->n; s++)
		if (odo_path_sl(t, s, a) != odo_path_sl(t, s, b))
			return false;
	return true;
}

static int keep(proof *p, const uint8_t *column, uint32_t lid, const uint8_t *inputs)
{
	uint32_t home = p->f->lid_switch[lid];
	size_t n_inputs = strlen((const char *)inputs) + 1;
	kept k = {.lid = lid, .next = p->first_kept[home]};
	if (odo_grow(&p->kept, &p->kept_room, p->n_kept + 1ul, sizeof *p->kept))
		return ODO_ENOMEM;
	k.column = malloc(p->n);
	k.inputs = malloc(n_inputs);
	if (k.column)
		memcpy(k.column, column, p->n);
	if (k.inputs)
		memcpy(k.inputs, inputs, n_inputs);
	p->kept[p->n_kept] = k;
	p->first_kept[home] = p->n_kept++;
	return k.column && k.inputs ? 0 : ODO_ENOMEM;
}

static int prove_lid(proof *p, const uint8_t *column, uint32_t lid)
{
	uint32_t home = p->f->lid_switch[lid];
	uint8_t inputs[ODO_MAX_PORTS + 1];
	unsigned n_kept = 0;
	for (uint32_t i = p->first_kept[home]; i != ODO_NONE; i = p->kept[i].next) {
		n_kept++;
		if (same_column(p, p->kept[i].column, column, home) &&
		    same_sls(p, p->kept[i].lid, lid)) {
			check_delivery(p, lid, column[home], p->kept[i].inputs);
			return 0;
		}
	}
	/* Where packets are lost the rest is still followed: a cycle should show too. */
	measure(p, column, lid);
	depend(p, column, lid);
	collect_inputs(p, column, home, inputs);
	check_delivery(p, lid, column[home], inputs);
	return n_kept < MAX_KEPT ? keep(p, column, lid, inputs) : 0;
}

/* Swaps blocks of `shift` bits between words `apart` apart: a step of transposing 8 x 8 bytes. */
static inline void swap_blocks(uint64_t word[8], unsigned apart, unsigned shift, uint64_t mask)
{
	for (unsigned i = 0; i < 8; i++) {
		if (i & apart)
			continue;
		uint64_t differ = (word[i] >> shift ^ word[i + apart]) & mask;
		word[i + apart] ^= differ;
		word[i] ^= differ << shift;
	}
}

/* Eight rows by eight columns at a time, as words of little-endian machines. */
static void cut_tile(const uint8_t *row, size_t lids, uint8_t *to, size_t stride)
{
	for (uint32_t k = 0; k < BLOCK; k += 8) {
		uint64_t word[8];
		for (unsigned i = 0; i < 8; i++)
			memcpy(&word[i], row + i * lids + k, 8);
		swap_blocks(word, 4, 32, 0x00000000FFFFFFFFull);
		swap_blocks(word, 2, 16, 0x0000FFFF0000FFFFull);
		swap_blocks(word, 1, 8, 0x00FF00FF00FF00FFull);
		for (unsigned i = 0; i < 8; i++)
			memcpy(to + (k + i) * stride, &word[i], 8);
	}
}

/* Columns of the LIDs from `lid` on, cut out of the rows. */
static void cut_block(proof *p, uint32_t lid, uint32_t width)
{
	size_t lids = p->f->lid_count;
	const uint8_t *row = p->t->lft + lid;
	uint32_t s = 0;
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	for (; little && width == BLOCK && s + 8 <= p->n; s += 8) {
		for (unsigned i = 0; i < 8 && s + 32 <= p->n; i++)
			__builtin_prefetch(row + (s + 24 + i) * lids);
		cut_tile(row + s * lids, lids, p->block + s, p->stride);
	}
	for (; s < p->n; s++)
		for (uint32_t k = 0; k < width; k++)
			p->block[k * p->stride + s] = row[s * lids + k];
}

static int prove_columns(proof *p, odo_error *err)
{
	const odo_fabric *f = p->f;
	for (uint32_t lid = 0; lid < f->lid_count; lid += BLOCK) {
		uint32_t width = f->lid_count - lid < BLOCK ? f->lid_count - lid : BLOCK;
		cut_block(p, lid, width);
		for (uint32_t k = 0; k < width; k++) {
			if (f->lid_switch[lid + k] == ODO_NONE)
				continue;
			unsigned sl = p->t->sl_of_pair ? 0 : p->t->sl_of_lid[lid + k];
			if (sl >= p->t->n_sls)
				return odo_fail(err, ODO_EINPUT, "LID %u has SL %u, of %u in use",
						lid + k, sl, p->t->n_sls);
			if (prove_lid(p, p->block + k * p->stride, lid + k))
				return odo_fail(err, ODO_ENOMEM, "no memory to verify");
		}
	}
	return 0;
}

static int check_pair_sls(const proof *p, odo_error *err)
{
	size_t n = (size_t)p->n * p->f->lid_count;
	for (size_t i = 0; p->t->sl_of_pair && i < n; i++)
		if (p->t->sl_of_pair[i] >= p->t->n_sls)
			return odo_fail(err, ODO_EINPUT, "a path has SL %u, of %u in use",
					p->t->sl_of_pair[i], p->t->n_sls);
	return 0;
}

/* VLs on which hosts inject. */
static void check_hosts(proof *p)
{
	const odo_fabric *f = p->f;
	for (uint32_t h = 0; h < f->n_hosts; h++)
		for (unsigned sl = 0; sl < p->t->n_sls; sl++)
			check_vl(p, f->host_slot[h], p->t->rows[p->t->host_row[h]].vl[sl],
				 f->port_lid[f->host_slot[h]]);
}

static void count_pairs(proof *p)
{
	const odo_fabric *f = p->f;
	uint32_t *size = odo_new(p->n + 1ul, sizeof *size);
	for (uint32_t s = 0; size && s < p->n; s++)
		size[p->part[s]]++;
	for (uint32_t lid = 0; size && lid < f->lid_count; lid++) {
		if (f->lid_switch[lid] == ODO_NONE)
			continue;
		uint32_t near = size[p->part[f->lid_switch[lid]]];
		p->verdict->n_pairs += near;
		p->verdict->n_cut += p->n - near;
	}
	free(size);
}

static int conclude(proof *p, odo_error *err)
{
	odo_verdict *v = p->verdict;
	v->max_hops = p->most_hops;
	v->n_dependencies = odo_dependencies_count(&p->deps);
	int status = odo_dependencies_cycle(&p->deps, &v->cycle, &v->n_cycle, err);
	if (status)
		return status;
	v->deadlock_free = !v->cycle;
	if (v->cycle) {
		const odo_fabric *f = p->f;
		uint32_t slot = v->cycle[0].slot;
		odo_verdict_fail(
			v,
			"deadlock: %u channels wait for each other in a cycle, from port %u of "
			"\"%s\" on VL %u",
			v->n_cycle, odo_port(f, slot), odo_name(f, f->owner[slot]), v->cycle[0].vl);
	}
	if (v->delivers && v->deadlock_free && v->within_vls)
		return 0;
	return odo_fail(err, ODO_EUNSAFE, "%s", v->text);
}

int odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err)
{
	proof p = {.t = t, .f = t->fabric, .verdict = verdict};
	*verdict = (odo_verdict){.delivers = true, .within_vls = true};
	int status = 0;
	if (!t->n_vls || t->n_vls > ODO_MAX_VLS || !t->n_sls || t->n_sls > ODO_N_SLS)
		return odo_fail(err, ODO_EINPUT, "tables with %u VLs and %u SLs", t->n_vls,
				t->n_sls);
	status = prepare(&p, err);
	if (!status)
		status = check_pair_sls(&p, err);
	if (!status) {
		count_pairs(&p);
		check_hosts(&p);
		status = prove_columns(&p, err);
	}
	if (!status)
		status = conclude(&p, err);
	clear(&p);
	return status;
}

void odo_verdict_clear(odo_verdict *verdict)
{
	free(verdict->cycle);
	verdict->cycle = NULL;
	verdict->n_cycle = 0;
}

void odo_verdict_print_cycle(const odo_tables *t, const odo_verdict *verdict, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t i = 0; i < verdict->n_cycle; i++) {
		uint32_t slot = verdict->cycle[i].slot, peer = f->peer[slot];
		uint32_t a = f->owner[slot], b = f->owner[peer];
		fprintf(to, "  0x%016llx \"%s\" port %u -> 0x%016llx \"%s\" port %u, VL %u\n",
			(unsigned long long)f->node_guid[a], odo_name(f, a), odo_port(f, slot),
			(unsigned long long)f->node_guid[b], odo_name(f, b), odo_port(f, peer),
			verdict->cycle[i].vl);
	}
}

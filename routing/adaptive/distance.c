/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Distance Based routing and Deflection on any graph (paper 004, section 3.7).
 *
 * The VL of a packet is the number of hops that it may still make after this one. It falls by one
 * on every hop, so no cycle exists. The paper takes it modulo 8 "to provide deadlock freedom" up to
 * 8 hops. This engine interprets it as follows. VLs between switches are 7 .. 0. A host that needs
 * 8 hops injects on VL 8 mod 8 = 0, and the switch recognises this by the input port: it does not
 * mean "no hops left".
 *
 * Beyond 8 hops the VLs would wrap from 0 to 7 between switches, and the order that forbids cycles
 * would be lost. So a pair with D + E above the number of VLs gets as many extra hops as fit. A
 * fabric with a D above the number of VLs is declined. In paper 004's setups D + E is at most 8, so
 * VLs never wrap.
 *
 * State: n * n bytes of distances. For switches of up to 32 cables, there is also a word for each
 * pair of switches. Its low half lists the cables that lead nearer, its high half the cables that
 * lead sideways. This costs 8 bytes per pair, and one cache miss instead of one for every cable (28
 * in paper 004's setups). Words of one destination are stored in a row, as the verifier reads them.
 * With more than 32 cables, or if the words would need more than MAX_WORDS, distances are looked up
 * cable by cable.
 */
#include <string.h>

#include "base/memory.h"
#include "routing/graph/distance.h"
#include "routing/adaptive/ext.h"

#define MAX_WORDS (512u << 20)

typedef struct state {
	odo_arena memory;
	uint8_t *dist;   /**< [n * n] */
	uint64_t *words; /**< [n * n] at d * n + s, or NULL */
	uint32_t n;
	uint32_t *first; /**< [n + 1] index of each switch's first cable between switches */
	uint32_t *next;  /**< [cables] switch at the other end */
	uint8_t *port;   /**< [cables] */
	uint8_t *input;  /**< [slots of switches] */
	uint8_t n_vls, extra;
	bool deflect;
	bool in_row; /**< the cables of every switch are on consecutive ports */
} state;

static uint8_t inject_by_distance(const odo_tables *t, uint32_t host, uint32_t lid)
{
	const state *e = t->adaptive->state;
	uint32_t s = odo_host_switch(t->fabric, host), d = t->fabric->lid_switch[lid];
	unsigned hops = e->dist[(size_t)d * e->n + s];
	if (hops == 0 || hops == ODO_FAR)
		return 0;
	hops += e->extra;
	return (uint8_t)((hops < e->n_vls ? hops : e->n_vls) % e->n_vls);
}

/* Cables of a switch, 32 per word, that lead nearer or sideways. */
#define MAX_PARTS ((ODO_MAX_PORTS + 31) / 32)
typedef struct choice {
	uint32_t near[MAX_PARTS], side[MAX_PARTS];
	unsigned n_parts;
} choice;

static void choose_cables(const state *e, uint32_t s, uint32_t d, unsigned here, choice *c)
{
	const uint32_t *next = e->next + e->first[s];
	uint32_t n_links = e->first[s + 1] - e->first[s];
	c->n_parts = (n_links + 31) / 32;
	if (e->words) {
		uint64_t word = e->words[(size_t)d * e->n + s];
		c->near[0] = (uint32_t)word;
		c->side[0] = (uint32_t)(word >> 32);
		return;
	}
	const uint8_t *to_d = e->dist + (size_t)d * e->n;
	memset(c->near, 0, sizeof c->near);
	memset(c->side, 0, sizeof c->side);
	for (uint32_t i = 0; i < n_links; i++) {
		unsigned then = to_d[next[i]];
		c->near[i / 32] |= (uint32_t)(then < here) << i % 32;
		c->side[i / 32] |= (uint32_t)(then == here) << i % 32;
	}
}

/* Emit candidates. Ways of priority 2 lead away, but not back: that would be no deflection. */
static unsigned emit_cables(const uint8_t *port, uint32_t bits, unsigned vl, unsigned priority,
			    odo_candidate *way, unsigned n)
{
	odo_candidate c = {
		.vl = (uint8_t)vl, .priority = (uint8_t)priority, .onward = priority == 2};
	for (; bits; bits &= bits - 1) {
		c.port = port[__builtin_ctz(bits)];
		way[n++] = c;
	}
	return n;
}

/* Return the cables that lead away. */
static uint32_t cables_away(const state *e, uint32_t s, const choice *c, unsigned part)
{
	uint32_t n = e->first[s + 1] - e->first[s] - 32 * part;
	return (n < 32 ? (1u << n) - 1 : UINT32_MAX) & ~(c->near[part] | c->side[part]);
}

/* Classes of input ports. */
enum { FROM_SWITCH, FROM_HOST, N_INPUTS };

static unsigned list_distance_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
				   uint32_t lid, odo_candidate *way)
{
	const state *e = t->adaptive->state;
	const odo_fabric *f = t->fabric;
	uint32_t d = f->lid_switch[lid];
	if (d == s)
		return odo_ext_deliver(f, lid, in_vl, way);
	unsigned here = e->dist[(size_t)d * e->n + s]; /* distance in either direction */
	unsigned left = input == FROM_HOST && !in_vl ? e->n_vls : in_vl;
	if (left < here) /* no path, or a state that no packet reaches */
		return 0;
	const uint8_t *port = e->port + e->first[s];
	unsigned vl = left - 1, n = 0;
	choice c;
	choose_cables(e, s, d, here, &c);
	for (unsigned i = 0; i < c.n_parts; i++)
		n = emit_cables(port + 32ul * i, c.near[i], vl, 0, way, n);
	for (unsigned i = 0; here <= vl && i < c.n_parts; i++)
		n = emit_cables(port + 32ul * i, c.side[i], vl, 1, way, n);
	for (unsigned i = 0; e->deflect && here + 1 <= vl && i < c.n_parts; i++)
		n = emit_cables(port + 32ul * i, cables_away(e, s, &c, i), vl, 2, way, n);
	return n;
}

/* Convert cables of a switch to ports. */
static uint64_t ports_of_cables(const state *e, uint32_t s, uint32_t bits)
{
	const uint8_t *port = e->port + e->first[s];
	uint64_t ports = 0;
	if (e->in_row)
		return bits ? (uint64_t)bits << (port[0] - 1) : 0;
	for (; bits; bits &= bits - 1)
		ports |= odo_ext_bit(port[__builtin_ctz(bits)]);
	return ports;
}

/* Return the same ways as sets of ports, if words exist. */
static unsigned list_distance_sets(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
				   uint32_t lid, odo_port_set *set)
{
	const state *e = t->adaptive->state;
	uint32_t d = t->fabric->lid_switch[lid];
	unsigned here = e->dist[(size_t)d * e->n + s];
	unsigned left = input == FROM_HOST && !in_vl ? e->n_vls : in_vl;
	uint8_t vl = (uint8_t)(left - 1);
	choice c;
	if (left < here)
		return 0;
	choose_cables(e, s, d, here, &c);
	bool aside = here <= vl, far = e->deflect && here + 1u <= vl;
	set[0] = (odo_port_set){ports_of_cables(e, s, c.near[0]), vl, 0, false};
	set[1] = (odo_port_set){aside ? ports_of_cables(e, s, c.side[0]) : 0, vl, 1, false};
	set[2] = (odo_port_set){far ? ports_of_cables(e, s, cables_away(e, s, &c, 0)) : 0, vl, 2,
				true};
	return 3;
}

static int list_switch_links(state *e, const odo_fabric *f)
{
	uint32_t count = 0;
	e->in_row = true;
	e->first = odo_arena_new(&e->memory, e->n + 1ul, sizeof *e->first);
	e->next = odo_arena_new(&e->memory, f->first_slot[e->n], sizeof *e->next);
	e->port = odo_arena_new(&e->memory, f->first_slot[e->n], sizeof *e->port);
	e->input = odo_arena_new(&e->memory, f->first_slot[e->n], sizeof *e->input);
	if (e->memory.failed)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < f->first_slot[e->n]; i++)
		e->input[i] = f->slot_host[i] != ODO_NONE ? FROM_HOST : FROM_SWITCH;
	for (uint32_t s = 0; s < e->n; s++) {
		for (unsigned p = 1; p <= odo_n_ports(f, s); p++) {
			uint32_t v = odo_next_switch(f, odo_slot(f, s, p));
			if (v == ODO_NONE || v == s)
				continue;
			e->next[count] = v;
			e->port[count++] = (uint8_t)p;
		}
		e->first[s + 1] = count;
		uint32_t last = count ? count - 1 : 0;
		e->in_row &= count == e->first[s] ||
			     e->port[last] - e->port[e->first[s]] == (int)(last - e->first[s]);
	}
	return 0;
}

/* Store the distances in words, if the switches and memory allow it. */
static void fold_distances(state *e)
{
	for (uint32_t s = 0; s < e->n; s++)
		if (e->first[s + 1] - e->first[s] > 32)
			return;
	if ((uint64_t)e->n * e->n > MAX_WORDS / sizeof *e->words)
		return;
	e->words = odo_arena_new(&e->memory, (size_t)e->n * e->n, sizeof *e->words);
	for (uint32_t d = 0; e->words && d < e->n; d++) { /* the engine also works without words */
		const uint8_t *to_d = e->dist + (size_t)d * e->n;
		for (uint32_t s = 0; s < e->n; s++) {
			uint64_t word = 0;
			for (uint32_t i = e->first[s]; i < e->first[s + 1]; i++) {
				unsigned bit = i - e->first[s], then = to_d[e->next[i]];
				word |= (uint64_t)(then < to_d[s]) << bit |
					(uint64_t)(then == to_d[s]) << (32 + bit);
			}
			e->words[(size_t)d * e->n + s] = word;
		}
	}
}

/* Return the longest shortest path between connected switches. */
static unsigned find_diameter(const state *e)
{
	unsigned longest = 0;
	for (size_t i = 0; i < (size_t)e->n * e->n; i++)
		if (e->dist[i] != ODO_FAR && e->dist[i] > longest)
			longest = e->dist[i];
	return longest;
}

int odo_route_distance(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		       const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)c;
	unsigned extra = row->variant & ODO_EXTRA_HOPS, vls = odo_ext_vls(f, options), hops = 0;
	odo_error too_many;
	state *e = odo_new(1, sizeof *e);
	if (!e)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	e->n = f->n_switches;
	e->extra = (uint8_t)extra;
	e->deflect = row->variant & ODO_DEFLECT;
	vls = vls < 8 ? vls : 8;
	int status = odo_distances(f, &e->memory, &e->dist, err);
	if (!status && list_switch_links(e, f))
		status = odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	if (!status && (hops = find_diameter(e)) > vls)
		status = odo_fail(
			err, ODO_EDECLINE,
			"VL hopping brings packets %u hops far on %u VLs, and some need %u", vls,
			vls, hops);
	if (!status)
		fold_distances(e);
	e->n_vls = (uint8_t)(hops + extra < vls ? hops + extra : vls);
	if (!e->n_vls)
		e->n_vls = 1;
	bool sets = e->words && !odo_ext_check_ports(f, &too_many);
	return odo_ext_finish(
		row, t, status ? status : e->n_vls,
		(odo_adaptive){
			.state = e,
			.inject = inject_by_distance,
			.candidates = list_distance_ways,
			.alike = odo_ext_alike,
			.input = e->input,
			.n_inputs = N_INPUTS,
			.sets = sets ? list_distance_sets : NULL,
			.looked_up = {{e->words, sizeof *e->words}, {e->dist, sizeof *e->dist}},
		},
		err);
}

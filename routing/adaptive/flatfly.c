/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ADOR and its Mixed and Twisted variants on FlatFlies, Slim Flies and their products (paper 004,
 * sections 3.3 and 3.6).
 *
 * Dimensions are corrected in an order. With "adaptive" a dimension may take one hop more than it
 * needs. At hop h of a dimension (from 0), a packet may go to any value from which the remaining
 * hops stay within the limit. It uses VL h of its order. Channels are therefore ordered by (place
 * of the dimension, h), and no cycle exists.
 *
 * Decisions of this engine, where the paper leaves room:
 * - ADOR's rules 3 and 4 choose by input VL. Taken literally, a packet on VL 0 that was just
 *   misrouted within the dimension (input VL 0, rule 3) may be misrouted again, on VL 1 (rule 2),
 *   and be corrected on VL 1. VL 1 of a complete graph then waits for VL 1, which can deadlock, and
 *   there are two extra hops. The text says "an additional hop in each dimension". So here the
 *   number of hops made in the dimension decides; the switch knows it from input port and input VL
 *   together (footnote 5 of the paper allows this). A packet that comes in on VL 1 from another
 *   dimension may be misrouted again in this one.
 * - "Current dimension" is the first in order in which switch and destination differ.
 * - Orders for numbers of dimensions other than four: see dor.h.
 * - Twisted makes its first hop in the last dimension of the order that is a complete graph. The
 *   Slim Fly of a product is not used, since it may need two hops. It uses the order's highest VL,
 *   which has no other use in that dimension. No extra hop is allowed there later. Packets to a
 *   host of the same switch are delivered without a twist. The twist leads to the value
 *   (destination's + index of the host) mod K. The paper's text has (index) mod K. With mixed
 *   orders, the packets of an order then meet at two of a row's eight switches: 25 flows on a link
 *   under bit complement, at most 4 % of the load, where the paper's table has 12.5 %. The rule
 *   here puts 7 flows on a link. Without mixing, both rules load links equally.
 * - Damage: a bit per (destination, switch, order, h) says if a way on exists. Only such ways are
 *   offered. Pairs without a way go up and down a spanning tree on one further VL.
 */
#include <string.h>

#include "base/memory.h"
#include "routing/minimal/dor.h"
#include "routing/adaptive/product.h"

/* Number of bits of `alive` for one order: hops made in the current dimension. */
#define MAX_HOPS 4u

typedef struct state {
	odo_arena memory;
	odo_product_ports ports;
	uint8_t order[ODO_MAX_ORDERS][ODO_MAX_DIMS];
	uint8_t twist[ODO_MAX_ORDERS];               /**< dimension of the twist, or UINT8_MAX */
	uint8_t limit[ODO_MAX_ORDERS][ODO_MAX_DIMS]; /**< hops allowed, by dimension */
	uint8_t n_orders, vls_each;                  /**< order k has VLs from k * vls_each on */
	uint8_t rescue_vl;                           /**< VL of the tree, or UINT8_MAX */
	uint8_t *lid_order;                          /**< [lid_count] order of the LID's host */
	uint16_t *lid_index;                         /**< [lid_count] index of the host */
	uint16_t *alive; /**< NULL if undamaged; [n * n] bit k * MAX_HOPS + h at d * n + s */
	uint8_t *tree;   /**< NULL if undamaged; [n * n] ports */
} state;

/* Return the first dimension of order k in which a and b differ, or UINT8_MAX. */
static unsigned current_dim(const state *e, unsigned k, const uint16_t *a, const uint16_t *b)
{
	for (unsigned i = 0; i < e->ports.n_dims; i++)
		if (a[e->order[k][i]] != b[e->order[k][i]])
			return e->order[k][i];
	return UINT8_MAX;
}

static bool has_way_on(const state *e, uint32_t s, uint32_t d, unsigned k, unsigned h)
{
	return !e->alive || e->alive[(size_t)d * e->ports.n + s] >> (k * MAX_HOPS + h) & 1;
}

/* Return those of `ports` after which the packet has a way on, after hop h of dimension dim. */
static uint64_t ports_with_way(const state *e, uint64_t ports, uint32_t s, uint32_t d, unsigned k,
			       unsigned dim, unsigned h)
{
	uint64_t out = 0;
	for (uint64_t left = ports; left; left &= left - 1) {
		unsigned port = (unsigned)__builtin_ctzll(left) + 1;
		uint32_t v = odo_ports_next(&e->ports, s, port);
		bool done = odo_ports_at(&e->ports, v)[dim] == odo_ports_at(&e->ports, d)[dim];
		if (v == d || has_way_on(e, v, d, k, done ? 0 : h + 1))
			out |= odo_ext_bit(port);
	}
	return out;
}

/* Split ports for hop h of dimension dim into ports that lead nearer and others. */
static void split_ports(const state *e, uint32_t s, uint32_t d, unsigned k, unsigned dim,
			unsigned h, uint64_t *near, uint64_t *rest)
{
	const odo_product_ports *p = &e->ports;
	unsigned x = odo_ports_at(p, s)[dim], y = odo_ports_at(p, d)[dim];
	unsigned here = odo_ports_far(p, dim, x, y), limit = e->limit[k][dim];
	*near = *rest = 0;
	if (p->reach[dim] == 1) {
		*near = odo_ports_to(p, s, dim, y);
		if (h + 2 <= limit)
			*rest = odo_ports_in(p, s, dim) & ~*near;
	} else {
		for (uint64_t left = odo_ports_in(p, s, dim); left; left &= left - 1) {
			unsigned port = (unsigned)__builtin_ctzll(left) + 1;
			uint32_t v = odo_ports_next(p, s, port);
			unsigned then = odo_ports_far(p, dim, odo_ports_at(p, v)[dim], y);
			if (h + 1 + then <= limit)
				*(then < here ? near : rest) |= odo_ext_bit(port);
		}
	}
	if (e->alive) {
		*near = ports_with_way(e, *near, s, d, k, dim, h);
		*rest = ports_with_way(e, *rest, s, d, k, dim, h);
	}
}

/* Return the ports of the twist, the first hop of a packet; 0 if it makes none. */
static uint64_t twist_ports(const state *e, uint32_t s, uint32_t d, unsigned k, uint32_t lid)
{
	const odo_product_ports *p = &e->ports;
	unsigned dim = e->twist[k];
	if (dim == UINT8_MAX)
		return 0;
	unsigned value = (odo_ports_at(p, d)[dim] + e->lid_index[lid]) % p->size[dim];
	if (value == odo_ports_at(p, s)[dim])
		return 0;
	uint64_t ports = odo_ports_to(p, s, dim, value), out = 0;
	for (uint64_t left = e->alive ? ports : 0; left; left &= left - 1) {
		unsigned port = (unsigned)__builtin_ctzll(left) + 1;
		uint32_t v = odo_ports_next(p, s, port);
		if (v == d || has_way_on(e, v, d, k, 0))
			out |= odo_ext_bit(port);
	}
	return e->alive ? out : ports;
}

/* Only the order and the twist depend on the host. */
static unsigned alike_by_order(const odo_tables *t, uint32_t lid)
{
	const state *e = t->adaptive->state;
	return e->twist[e->lid_order[lid]] == UINT8_MAX ? e->lid_order[lid] : e->lid_index[lid];
}

static uint8_t inject_ador(const odo_tables *t, uint32_t host, uint32_t lid)
{
	const state *e = t->adaptive->state;
	unsigned k = e->lid_order[lid];
	if (!e->tree)
		return (uint8_t)(k * e->vls_each);
	uint32_t s = odo_host_switch(t->fabric, host), d = t->fabric->lid_switch[lid];
	bool lost = d != ODO_NONE && s != d && !has_way_on(e, s, d, k, 0);
	return lost ? e->rescue_vl : (uint8_t)(k * e->vls_each);
}

static unsigned list_ador_sets(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_port_set *set)
{
	const state *e = t->adaptive->state;
	uint32_t d = t->fabric->lid_switch[lid];
	if (e->tree && in_vl == e->rescue_vl)
		return odo_ext_tree_set(e->tree, e->ports.n, s, d, e->rescue_vl, set);
	unsigned k = e->lid_order[lid], vl = k * e->vls_each;
	uint64_t near, rest;
	if (input == e->ports.n_dims && (near = twist_ports(e, s, d, k, lid)) != 0) {
		set[0] = (odo_port_set){near, (uint8_t)(vl + e->vls_each - 1), 0, false};
		return 1;
	}
	unsigned dim = current_dim(e, k, odo_ports_at(&e->ports, s), odo_ports_at(&e->ports, d));
	if (dim == UINT8_MAX)
		return 0;
	/* In the dimension of the twist, only the twist itself can come before: hop 0 again. */
	unsigned h = input == dim && dim != e->twist[k] ? in_vl - vl + 1 : 0;
	split_ports(e, s, d, k, dim, h, &near, &rest);
	set[0] = (odo_port_set){near, (uint8_t)(vl + h), 0, false};
	set[1] = (odo_port_set){rest, (uint8_t)(vl + h), 1, false};
	return 2;
}

static unsigned list_ador_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_candidate *way)
{
	return odo_ext_ways(t, s, input, in_vl, lid, way, list_ador_sets);
}

/* Choose at most `most` orders; only one if they are not mixed. */
static void set_orders(state *e, unsigned variant, const odo_coordinates *c, unsigned most)
{
	unsigned n = e->ports.n_dims;
	odo_dim_order orders[ODO_MAX_ORDERS] = {{{0}}};
	unsigned n_orders = odo_dor_orders(n, orders);
	most = variant & ODO_ADOR_MIXED ? most : 1;
	e->n_orders = (uint8_t)(n_orders < most ? n_orders : most);
	for (unsigned k = 0; k < e->n_orders; k++)
		memcpy(e->order[k], orders[k].dim, n);
	e->vls_each = 1;
	for (unsigned k = 0; k < e->n_orders; k++) {
		e->twist[k] = UINT8_MAX;
		for (unsigned i = 0; variant & ODO_ADOR_TWISTED && i < n; i++)
			if (c->factor[e->order[k][i]] == ODO_COMPLETE)
				e->twist[k] = e->order[k][i];
		for (unsigned i = 0; i < n; i++) {
			bool extra = variant & ODO_ADOR_EXTRA_HOP && i != e->twist[k];
			e->limit[k][i] = (uint8_t)(e->ports.reach[i] + extra);
			unsigned vls = e->limit[k][i] + (i == e->twist[k]);
			e->vls_each = vls > e->vls_each ? (uint8_t)vls : e->vls_each;
		}
	}
}

/* State of a search that fills in `alive`; `known` marks the bits that are final. */
typedef struct search {
	state *e;
	uint16_t *known; /**< [n] bits of the current destination */
	uint32_t d;
} search;

static bool search_dimension(search *q, uint32_t s, unsigned k, unsigned h)
{
	state *e = q->e;
	const odo_product_ports *p = &e->ports;
	uint16_t bit = (uint16_t)(1u << (k * MAX_HOPS + h));
	uint16_t *alive = &e->alive[(size_t)q->d * p->n + s];
	if (s == q->d)
		return true;
	if (q->known[s] & bit)
		return *alive & bit;
	q->known[s] |= bit; /* ways from here never return: h or the dimension grows */
	const uint16_t *here = odo_ports_at(p, s), *there = odo_ports_at(p, q->d);
	if (here[0] == UINT16_MAX || there[0] == UINT16_MAX)
		return false;
	unsigned dim = current_dim(e, k, here, there);
	if (dim == UINT8_MAX)
		return false;
	for (uint64_t left = odo_ports_in(p, s, dim); left; left &= left - 1) {
		uint32_t v = odo_ports_next(p, s, (unsigned)__builtin_ctzll(left) + 1);
		unsigned x = odo_ports_at(p, v)[dim];
		if (h + 1 + odo_ports_far(p, dim, x, there[dim]) > e->limit[k][dim])
			continue;
		if (search_dimension(q, v, k, x == there[dim] ? 0 : h + 1))
			*alive |= bit; /* continue: the bits of the other ways are needed, too */
	}
	return *alive & bit;
}

/* Fill in `alive`. @return 1 if some pair with hosts needs the tree, 0 if none */
static unsigned find_ador_ways(state *e, uint16_t *known)
{
	uint32_t n = e->ports.n;
	bool lost = false;
	memset(e->alive, 0, (size_t)n * n * sizeof *e->alive);
	for (uint32_t d = 0; d < n; d++) {
		search q = {e, known, d};
		memset(known, 0, n * sizeof *known);
		for (uint32_t s = 0; s < n; s++)
			for (unsigned k = 0; k < e->n_orders; k++)
				lost |= !search_dimension(&q, s, k, 0) &&
					e->tree[(size_t)s * n + d] != ODO_NO_PORT;
	}
	return lost;
}

static int set_lids(state *e, const odo_fabric *f, odo_error *err)
{
	e->lid_index = odo_ext_host_index(f, &e->memory);
	e->lid_order = odo_arena_new(&e->memory, f->lid_count, 1);
	if (e->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u LIDs", f->lid_count);
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		e->lid_order[lid] = (uint8_t)(e->lid_index[lid] % e->n_orders);
	return 0;
}

/* Choose orders that fit the VLs, with one VL for the tree if it is needed. */
static int fit_orders(state *e, unsigned variant, const odo_coordinates *c, unsigned vls,
		      odo_error *err)
{
	unsigned most = ODO_MAX_ORDERS, needed = 0;
	size_t n = e->ports.whole ? 0 : e->ports.n;
	uint16_t *known = n ? odo_arena_new(&e->memory, n, sizeof *known) : NULL;
	if (n)
		e->alive = odo_arena_new(&e->memory, n * n, sizeof *e->alive);
	if (e->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for the ways that are left");
	for (unsigned tries = ODO_MAX_ORDERS; tries; tries--) {
		set_orders(e, variant, c, most);
		unsigned rescue = n ? find_ador_ways(e, known) : 0;
		needed = e->n_orders * e->vls_each + rescue;
		e->rescue_vl = rescue ? (uint8_t)(needed - 1) : UINT8_MAX;
		if (needed <= vls)
			return (int)needed;
		most = e->n_orders - 1u;
		if (!most)
			break;
	}
	return odo_fail(err, ODO_EDECLINE, "needs %u VLs%s; %u can be used", needed,
			e->rescue_vl != UINT8_MAX ? ", one of them for detours around the damage"
						  : "",
			vls);
}

int odo_route_ador(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		   const odo_route_options *options, odo_tables *t, odo_error *err)
{
	state *e = odo_new(1, sizeof *e);
	if (!e)
		return odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	int vls = 0, status = odo_product_ports_init(&e->ports, &e->memory, f, c, err);
	if (!status && !e->ports.whole)
		status = odo_ext_tree(f, NULL, &e->memory, &e->tree, err);
	if (!status) {
		vls = fit_orders(e, row->variant, c, odo_ext_vls(f, options), err);
		status = vls < 0 ? vls : set_lids(e, f, err);
	}
	return odo_ext_finish(row, t, status ? status : vls,
			      (odo_adaptive){
				      .state = e,
				      .inject = inject_ador,
				      .candidates = list_ador_ways,
				      .alike = alike_by_order,
				      .input = e->ports.input,
				      .n_inputs = e->ports.n_dims + 1,
				      .sets = list_ador_sets,
			      },
			      err);
}

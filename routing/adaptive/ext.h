/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * State and functions that the engines beyond plain InfiniBand share (paper 004, section 3.1). Port
 * sets are bit masks, so that a packet's candidates are a few words to look up and expand. A
 * spanning tree serves packets that their own algorithm cannot route.
 */
#ifndef ODONATA_ROUTING_ADAPTIVE_EXT_H
#define ODONATA_ROUTING_ADAPTIVE_EXT_H

#include "base/arena.h"
#include "fabric/coordinates.h"
#include "routing/adaptive.h"
#include "routing/engines.h"

/** Bit p - 1 of a mask is port p. */
#define ODO_EXT_MAX_PORTS 64

static inline uint64_t odo_ext_bit(unsigned port)
{
	return 1ull << (port - 1);
}

/**
 * Append a candidate for each port of a mask; `onward` as in odo_candidate.
 * @return the new number of candidates
 */
static inline unsigned odo_ext_emit(odo_candidate *way, unsigned n, uint64_t ports, unsigned vl,
				    unsigned priority, bool onward)
{
	odo_candidate c = {.vl = (uint8_t)vl, .priority = (uint8_t)priority, .onward = onward};
	for (; ports; ports &= ports - 1) {
		c.port = (uint8_t)(__builtin_ctzll(ports) + 1);
		way[n++] = c;
	}
	return n;
}

/** Emit all candidates of some sets. @return their number */
static inline unsigned odo_ext_emit_sets(odo_candidate *way, const odo_port_set *set,
					 unsigned n_sets)
{
	unsigned n = 0;
	for (unsigned i = 0; i < n_sets; i++)
		n = odo_ext_emit(way, n, set[i].ports, set[i].vl, set[i].priority, set[i].onward);
	return n;
}

/** Emit the only candidate of a packet in the switch that delivers it. The packet keeps its VL. */
static inline unsigned odo_ext_deliver(const odo_fabric *f, uint32_t lid, unsigned vl,
				       odo_candidate *way)
{
	way[0] = (odo_candidate){.port = f->lid_port[lid], .vl = (uint8_t)vl};
	return 1;
}

typedef unsigned odo_ext_sets(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			      uint32_t lid, odo_port_set *set);

/** Emit the candidates of an engine that has a function for sets. */
static inline unsigned odo_ext_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
				    uint32_t lid, odo_candidate *way, odo_ext_sets *sets)
{
	odo_port_set set[ODO_MAX_PORT_SETS];
	if (t->fabric->lid_switch[lid] == s)
		return odo_ext_deliver(t->fabric, lid, in_vl, way);
	return odo_ext_emit_sets(way, set, sets(t, s, input, in_vl, lid, set));
}

/** Give the only way that the spanning tree offers from s to d, or no port, as a set. @return 1 */
static inline unsigned odo_ext_tree_set(const uint8_t *tree, uint32_t n, uint32_t s, uint32_t d,
					unsigned vl, odo_port_set *set)
{
	uint8_t port = tree[(size_t)s * n + d];
	uint64_t ports = port == ODO_NO_PORT ? 0 : odo_ext_bit(port);
	set[0] = (odo_port_set){.ports = ports, .vl = (uint8_t)vl};
	return 1;
}

/* Functions of odo_adaptive that engines share. */

/** `inject`: all packets start on VL 0. */
uint8_t odo_ext_inject(const odo_tables *t, uint32_t host, uint32_t lid);
/** `alike` of an engine that uses only the LID's switch. */
unsigned odo_ext_alike(const odo_tables *t, uint32_t lid);

/** Return the number of VLs that a routing may use: VLs that all cables have, within the options.
 * Cables of hosts count, since packets are injected on any VL. */
unsigned odo_ext_vls(const odo_fabric *f, const odo_route_options *options);

/** Decline a switch that has more ports than a mask has bits. */
int odo_ext_check_ports(const odo_fabric *f, odo_error *err);

/**
 * Compute the index of each LID's host among the hosts of its switch; 0 for switches' own LIDs.
 * LIDs of one host share its index.
 * @return [lid_count], as long as `memory` lives; or NULL
 */
uint16_t *odo_ext_host_index(const odo_fabric *f, odo_arena *memory);

/**
 * Make `t` adaptive, with the row's profile. The LFTs do not change.
 * @param vls      number of VLs; or a negative status, which is returned
 * @param adaptive its state is taken over, also on failure. It begins with an odo_arena that has
 *		   all its arrays
 */
int odo_ext_adopt(const odo_engine *row, odo_tables *t, int vls, odo_adaptive adaptive,
		  odo_error *err);

/** Make `t` adaptive, and fill the LFTs with shortest paths. Files without room for the whole
 * routing contain only these. */
int odo_ext_finish(const odo_engine *row, odo_tables *t, int vls, odo_adaptive adaptive,
		   odo_error *err);

/**
 * Compute a spanning tree of every connected part, breadth-first from the switch with the most
 * cables. On a dragonfly it is the tree of paper 000, section 3.3.1: the root's group by local
 * cables, one global cable from there into every other group, and the rest of each group by local
 * cables again. A path goes up the tree and then down. Channels of a VL that is used for nothing
 * else therefore have no cycle.
 * @param c    NULL, or coordinates, used for dragonflies only
 * @param port gets [n_switches * n_switches]: port of switch s towards switch d at s * n_switches +
 *             d; ODO_NO_PORT for itself and if there is no path; lives as long as `memory`
 */
int odo_ext_tree(const odo_fabric *f, const odo_coordinates *c, odo_arena *memory, uint8_t **port,
		 odo_error *err);

/* The engines of this folder, and the meaning of a row's `variant` for each. */

/** Number of extra hops; flag: they may lead away from the destination. */
enum { ODO_EXTRA_HOPS = 7, ODO_DEFLECT = 8 };
odo_route_function odo_route_distance; /* distance.c */

/** Flags. */
enum { ODO_ADOR_EXTRA_HOP = 1, ODO_ADOR_MIXED = 2, ODO_ADOR_TWISTED = 4 };
odo_route_function odo_route_ador; /* flatfly.c */

typedef enum odo_turn_model {
	ODO_NEGATIVE_FIRST,
	ODO_ABO_NEGATIVE_FIRST,
	ODO_ABO_POSITIVE_LAST,
} odo_turn_model;
odo_route_function odo_route_turn; /* turn.c */

odo_route_function odo_route_fattree_ar; /* fattree.c */

/** Flags: the letters of paper 004, section 3.5; and VLs that count hops, for profile ib-ar. */
enum {
	ODO_GSID_S = 1,
	ODO_GSID_D = 2,
	ODO_GSID_G = 4,
	ODO_GSID_I = 8,
	ODO_GSID_COUNT_HOPS = 16,
};
odo_route_function odo_route_gsid; /* dragonfly.c */

typedef enum odo_ofar_escape { ODO_OFAR_TREE, ODO_OFAR_RING } odo_ofar_escape;
odo_route_function odo_route_ofar; /* ofar.c */

#endif

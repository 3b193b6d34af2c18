/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What the engines beyond plain InfiniBand share (paper 004, section 3.1): port sets as bit
 * masks, so that the candidates of a packet are a few words to look up and expand; and a
 * spanning tree for packets that their own algorithm cannot bring on.
 */
#ifndef ODONATA_ROUTING_ADAPTIVE_EXT_H
#define ODONATA_ROUTING_ADAPTIVE_EXT_H

#include "fabric/coordinates.h"
#include "routing/adaptive.h"
#include "routing/engines.h"

/** Bit p - 1 of a mask is port p. */
#define ODO_EXT_MAX_PORTS 64

static inline uint64_t odo_ext_bit(unsigned port)
{
	return 1ull << (port - 1);
}

/** Append a candidate for each port of a mask; `onward` as in odo_candidate.
 * @return the new count */
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

/** All candidates of some sets. @return how many */
static inline unsigned odo_ext_emit_sets(odo_candidate *way, const odo_port_set *set, unsigned n_sets)
{
	unsigned n = 0;
	for (unsigned i = 0; i < n_sets; i++)
		n = odo_ext_emit(way, n, set[i].ports, set[i].vl, set[i].priority, set[i].onward);
	return n;
}

/** The one candidate of a packet in the switch that delivers it: it keeps its VL. */
static inline unsigned odo_ext_deliver(const odo_fabric *f, uint32_t lid, unsigned vl,
				       odo_candidate *way)
{
	way[0] = (odo_candidate){.port = f->lid_port[lid], .vl = (uint8_t)vl};
	return 1;
}

/** odo_adaptive.alike of an engine that looks at nothing but the LID's switch. */
unsigned odo_ext_alike(const odo_tables *t, uint32_t lid);

/** VLs that a routing may use: what all cables can do, those of hosts too since packets are
 * injected on any of them, within the options. */
unsigned odo_ext_vls(const odo_fabric *f, const odo_route_options *options);

/** Decline a switch with more ports than a mask has bits. */
int odo_ext_check_ports(const odo_fabric *f, odo_error *err);

/** Index of each LID's host among the hosts of its switch; 0 for switches' own LIDs. All
 * LIDs of one host have its index. @param out [lid_count] for free() */
int odo_ext_host_index(const odo_fabric *f, uint16_t **out, odo_error *err);

/** Make `t` adaptive: take the state over (also on failure). The LFTs stay as they are. */
int odo_ext_adopt(odo_tables *t, odo_profile profile, unsigned n_vls, odo_adaptive adaptive,
		  odo_error *err);

/** The same, and fill the LFTs with shortest paths, which is what is left of the routing where a file
 * has no room for more. */
int odo_ext_finish(odo_tables *t, odo_profile profile, unsigned n_vls, odo_adaptive adaptive,
		   odo_error *err);

/**
 * A spanning tree of every connected part, grown from the switch with the most cables,
 * breadth-first; on a dragonfly that is the tree of paper 000, section 3.3.1: the root's group by
 * local cables, one global cable from there into every other group, and the rest of each group by
 * local cables again. A path goes up the tree and then down, so that the channels of one VL used
 * for nothing else have no cycle.
 * @param c    NULL, or coordinates, used for dragonflies only
 * @param port [n_switches * n_switches] port of switch s towards switch d at
 *             s * n_switches + d; ODO_NO_PORT for itself and where there is no path; for free()
 */
int odo_ext_tree(const odo_fabric *f, const odo_coordinates *c, uint8_t **port, odo_error *err);

/* The engines of this folder, and what the `variant` of a row means to each. */

/** Extra hops, and whether they may lead away from the destination. */
enum { ODO_EXTRA_HOPS = 7, ODO_DEFLECT = 8 };
odo_route_function odo_route_distance; /* distance.c */

/** Bits. */
enum { ODO_ADOR_EXTRA_HOP = 1, ODO_ADOR_MIXED = 2, ODO_ADOR_TWISTED = 4 };
odo_route_function odo_route_ador; /* flatfly.c */

typedef enum odo_turn_model {
	ODO_NEGATIVE_FIRST,
	ODO_ABO_NEGATIVE_FIRST,
	ODO_ABO_POSITIVE_LAST,
} odo_turn_model;
odo_route_function odo_route_turn; /* turn.c */

odo_route_function odo_route_fattree_ar; /* fattree.c */

/** Bits: the letters of paper 004, section 3.5; or VLs that count hops, for profile ib-ar. */
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

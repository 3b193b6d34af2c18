/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The fabric: nodes, ports and cables in compressed adjacency arrays.
 *
 *   node   0 .. n_switches-1 are switches, n_switches .. n_nodes-1 channel adapters and
 *          routers (which InfiniBand treats alike: ends of paths).
 *   slot   one physical port. Port p (from 1) of node v is slot first_slot[v] + p - 1.
 *          A switch's management port 0 is no slot; its LID is in switch_lid.
 *   host   an end of traffic: a channel adapter's port that is cabled to a switch. An
 *          adapter with two ports is two hosts, as it is two LIDs to InfiniBand.
 *   sender a host that sends traffic of its own. The remaining hosts have the highest numbers:
 *          aggregation nodes of switches (SHARP) and routers are destinations, but work for others;
 *          and adapters that the user left out.
 *
 * Life: an odo_builder accepts nodes and cables in any order and checks them. Freezing it
 * makes an odo_fabric, which is read-only and may be shared between threads.
 */
#ifndef ODONATA_FABRIC_FABRIC_H
#define ODONATA_FABRIC_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "fabric/ledger.h"

/** Value for no node, slot or host. */
#define ODO_NONE UINT32_MAX
/** Unicast LIDs are 1 .. 0xBFFF (InfiniBand volume 1, 4.1.3). */
#define ODO_LID_LIMIT 0xC000u
/** Ports of a node are numbered 1 .. 254. */
#define ODO_MAX_PORTS 254u
/** Maximum ports of a fabric, used or not: some 60 bytes each. This is eight times the ports of a
 * subnet of 49,151 nodes with 40 ports. */
#define ODO_MOST_PORTS (1u << 24)

typedef enum odo_node_type { ODO_SWITCH, ODO_CA, ODO_ROUTER } odo_node_type;

/** Link speed per lane, in the order of its InfiniBand codes. */
typedef enum odo_speed {
	ODO_SPEED_UNKNOWN,
	ODO_SDR,
	ODO_DDR,
	ODO_QDR,
	ODO_FDR10,
	ODO_FDR,
	ODO_EDR,
	ODO_HDR,
	ODO_NDR,
	ODO_XDR
} odo_speed;

/** Return the data rate of a lane, in Mb/s; 0 for an unknown speed. */
uint32_t odo_lane_rate(uint8_t speed);

/** A fabric, written by the builder and read by everybody. It owns its arrays. */
typedef struct odo_fabric {
	odo_arena memory; /**< of all arrays and `repairs` */
	uint32_t n_switches, n_nodes, n_slots, n_hosts;
	uint32_t n_senders; /**< hosts 0 .. n_senders-1 send */
	uint32_t n_links;   /**< cables, each counted once */

	/* ---- Per node ---- */
	uint32_t *first_slot; /**< [n_nodes + 1] */
	uint64_t *node_guid;  /**< [n_nodes] */
	uint8_t *node_type;   /**< [n_nodes] odo_node_type */
	uint32_t *name_at;    /**< [n_nodes] offset of the node description in `names` */
	uint32_t *place_at;   /**< [n_nodes] offset in `names` of the place: "rack 7 unit 32" */
	char *names;          /**< begins with an empty text */

	/* ---- Per slot ---- */
	uint32_t *peer;      /**< [n_slots] slot at the cable's other end, or ODO_NONE */
	uint32_t *owner;     /**< [n_slots] node */
	uint64_t *port_guid; /**< [n_slots] 0 for switch ports */
	uint16_t *port_lid;  /**< [n_slots] base LID of adapter ports, else 0 */
	uint8_t *port_lmc;   /**< [n_slots] */
	uint8_t *width;      /**< [n_slots] lanes: 1, 2, 4, 8, 12; 0 unknown */
	uint8_t *speed;      /**< [n_slots] odo_speed */
	uint8_t *n_vls;      /**< [n_slots] data VLs the port can use: 1, 2, 4, 8, 15 */
	uint32_t *label_at;  /**< [n_slots] offset in `names` of the label on the panel: "1/12/1" */

	/* ---- Per switch ---- */
	uint16_t *switch_lid; /**< [n_switches] base LID of port 0, 0 for none */
	uint8_t *switch_lmc;  /**< [n_switches] above 0 only with an enhanced port 0 */

	/* ---- Per host ---- */
	uint32_t *host_slot; /**< [n_hosts] the adapter's slot; its peer is on a switch */
	uint32_t *slot_host; /**< [n_slots] host cabled at either end of this slot, or ODO_NONE */

	/* ---- Per LID: ODO_NONE or 0 for an unused LID ---- */
	uint32_t lid_count;   /**< highest LID + 1; 0 if hosts outnumber the LIDs */
	uint32_t *lid_switch; /**< [lid_count] switch that delivers the LID */
	uint32_t *lid_host;   /**< [lid_count] host, or ODO_NONE for a switch's own LID */
	uint8_t *lid_port;    /**< [lid_count] port of lid_switch that delivers; 0 its own */

	/** Oddities of the input file that were ignored: lines, each "file:line: text". NULL if
	 * there were none. */
	char *notes;
	odo_ledger *repairs; /**< the same, counted by sort; NULL if there were none */
	/** Parts have the same LIDs. Each part is a subnet, and only a single part can be routed.
	 * The index by LID is then empty. */
	bool lids_by_part;
	bool no_guids; /**< the input gave none: all GUIDs of nodes are made up */
} odo_fabric;

static inline uint32_t odo_slot(const odo_fabric *f, uint32_t node, unsigned port)
{
	return f->first_slot[node] + port - 1;
}
/** Return true if a port has a cable. Port 0, the node's own, needs none. */
static inline bool odo_has_cable(const odo_fabric *f, uint32_t node, unsigned port)
{
	return !port || f->peer[odo_slot(f, node, port)] != ODO_NONE;
}
static inline unsigned odo_n_ports(const odo_fabric *f, uint32_t node)
{
	return f->first_slot[node + 1] - f->first_slot[node];
}
static inline unsigned odo_port(const odo_fabric *f, uint32_t slot)
{
	return slot - f->first_slot[f->owner[slot]] + 1;
}
static inline bool odo_is_switch(const odo_fabric *f, uint32_t node)
{
	return node < f->n_switches;
}
static inline const char *odo_name(const odo_fabric *f, uint32_t node)
{
	return f->names + f->name_at[node];
}
/** Return the label of a port, "" if it is unknown. */
static inline const char *odo_label(const odo_fabric *f, uint32_t slot)
{
	return f->names + f->label_at[slot];
}
/** Return the place of a node, "" if it is unknown. */
static inline const char *odo_location(const odo_fabric *f, uint32_t node)
{
	return f->names + f->place_at[node];
}
/** Return the node at the other end of a slot's cable, or ODO_NONE. */
static inline uint32_t odo_neighbour(const odo_fabric *f, uint32_t slot)
{
	return f->peer[slot] == ODO_NONE ? ODO_NONE : f->owner[f->peer[slot]];
}
/** Return the switch at the other end of a slot's cable, or ODO_NONE if there is none. */
static inline uint32_t odo_next_switch(const odo_fabric *f, uint32_t slot)
{
	uint32_t v = odo_neighbour(f, slot);
	return v < f->n_switches ? v : ODO_NONE;
}
/** Count the sending hosts at a switch. */
static inline uint32_t odo_hosts_of(const odo_fabric *f, uint32_t s)
{
	uint32_t n = 0;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		n += f->slot_host[i] < f->n_senders;
	return n;
}
/** Return true if a LID belongs to a sending host. Patterns send only to such hosts. */
static inline bool odo_is_sent_to(const odo_fabric *f, uint32_t lid)
{
	return f->lid_host[lid] < f->n_senders;
}
/** Return true if a node sends. Aggregation nodes work for hosts, and routers forward packets from
 * hosts of other subnets. */
bool odo_sends_by_itself(const odo_fabric *f, uint32_t node);
/** Return true if a node description is that of a switch's aggregation node. */
bool odo_is_aggregation(const char *name);
/** Return the switch that a host is cabled to. */
static inline uint32_t odo_host_switch(const odo_fabric *f, uint32_t host)
{
	return f->owner[f->peer[f->host_slot[host]]];
}

/** Return the data rate of a slot's cable in each direction, in Mb/s; 0 if unknown. */
static inline uint32_t odo_cable_rate(const odo_fabric *f, uint32_t slot)
{
	return f->width[slot] * odo_lane_rate(f->speed[slot]);
}

typedef struct odo_builder odo_builder;

/** Description of a node before its cables are added. */
typedef struct odo_node_info {
	odo_node_type type;
	unsigned n_ports; /**< 1 .. ODO_MAX_PORTS */
	uint64_t guid;    /**< unique, or 0 to have one made up */
	const char *name; /**< node description, copied; NULL for "" */
	uint16_t lid;     /**< switches: base LID of port 0, 0 if none yet */
	uint8_t lmc;      /**< switches with an enhanced port 0 only */
} odo_node_info;

/** Properties of a cable as reported by one end; zeroes mean 4x, unknown speed, 8 VLs. */
typedef struct odo_link_info {
	uint8_t width, speed, n_vls;
} odo_link_info;

/** Make an empty builder.
 * @param out for odo_builder_free() or odo_builder_freeze() */
int odo_builder_create(odo_builder **out, odo_error *err);
void odo_builder_free(odo_builder *b);

/**
 * Add a node. Builder ids count from 0 in the order of addition. Freezing puts switches first and
 * otherwise keeps this order, so ids do not change if switches are added first.
 * Errors: ODO_EINPUT for a port count out of range or a GUID seen before.
 */
int odo_builder_add(odo_builder *b, const odo_node_info *info, uint32_t *id, odo_error *err);

/** Set the identity of an adapter's port (1 ..); `lid` is 0 if it has none yet. */
int odo_builder_port(odo_builder *b, uint32_t node, unsigned port, uint64_t guid, uint16_t lid,
		     uint8_t lmc, odo_error *err);

/** Set the label of a port, or the place of a node: port 0. Only its first ODO_LABEL_BYTES count.
 */
int odo_builder_label(odo_builder *b, uint32_t node, unsigned port, const char *text, size_t n,
		      odo_error *err);
#define ODO_LABEL_BYTES 64

/**
 * Cable two ports. The same cable may be named again, from either end; it then gets the lower rate
 * and the fewer VLs. Errors: ODO_EINPUT for a port out of range, a port cabled to itself, or a port
 * that already has another cable.
 */
int odo_builder_link(odo_builder *b, uint32_t node_a, unsigned port_a, uint32_t node_b,
		     unsigned port_b, odo_link_info info, odo_error *err);

/** Have a port of an adapter send nothing. It stays a destination. */
void odo_builder_silence(odo_builder *b, uint32_t node, unsigned port);

/** Return the ledger, in which readers record ignored and repaired input. It becomes part of the
 * fabric. */
odo_ledger *odo_builder_ledger(odo_builder *b);

/** Return the number of cables whose two ends reported different rates so far. */
uint32_t odo_builder_rates_differ(const odo_builder *b);

/** Set width and speed of every cable added so far. @param hosts rate of cables to adapters */
void odo_builder_rates(odo_builder *b, odo_link_info switches, odo_link_info hosts);

/** How freezing treats LIDs. */
typedef enum odo_lid_policy {
	ODO_LIDS_AS_GIVEN, /**< ends with LID 0 are no destinations; contradictions are errors */
	/** Assign missing LIDs. If none are given: to switches, then to hosts, in order; hosts get
	 * `lmc` below. If some are given: free ones to the ends without. If there are more ends
	 * than LIDs: none at all. Contradictory GUIDs and LIDs are repaired, and recorded in the
	 * ledger. */
	ODO_LIDS_FILL,
} odo_lid_policy;

/**
 * Check the nodes and cables, and make a fabric of them.
 * @param b consumed, also on failure
 * @param out the fabric, for odo_fabric_free()
 * Errors: ODO_EINPUT if two nodes share a GUID, two ends share a LID, or a LID is outside the
 * unicast range, unless the policy is ODO_LIDS_FILL.
 */
int odo_builder_freeze(odo_builder *b, odo_lid_policy policy, uint8_t lmc, odo_fabric **out,
		       odo_error *err);

void odo_fabric_free(odo_fabric *f);

/**
 * Number the connected parts of the switch graph.
 * @param numbers [n_switches] part of each switch, from 0; NULL to only count parts
 * @return the number of parts, or a negative status
 */
int odo_fabric_parts(const odo_fabric *f, uint32_t *numbers, odo_error *err);

#endif

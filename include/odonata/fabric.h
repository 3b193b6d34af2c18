/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Fabrics: switches, hosts and cables, read from a file or generated.
 *
 * A fabric never changes. It may be read by any number of threads. Coordinates and tables keep the
 * fabric that they were made for, so handles may be freed in any order.
 */
#ifndef ODONATA_FABRIC_H
#define ODONATA_FABRIC_H

#include <odonata/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct odonata_fabric odonata_fabric;

/**
 * Read a file in any of ODONATA_FABRIC_FORMATS, such as the output of ibnetdiscover. Nodes are
 * sorted by GUID. Ports without a LID get a free one.
 * @param path "-" is standard input
 * @param lmc a host that gets LIDs here gets 2^lmc of them; 0 to 7
 * @param out for odonata_fabric_free()
 * Errors: ODONATA_EINPUT as "file:line: expected ..., found ...", or if there is no such file;
 * ODONATA_EIO; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_fabric_read(const char *path, unsigned lmc, odonata_fabric **out,
				    odonata_error *err);

/**
 * Make the fabric that a spec such as "dragonfly:p=2,a=4,h=2" or a preset describes.
 * @param lmc a host has 2^lmc LIDs; 0 to 7
 * @param out for odonata_fabric_free()
 * Errors: ODONATA_EINPUT, with the name of the wrong option; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_fabric_generate(const char *spec, unsigned lmc, odonata_fabric **out,
					odonata_error *err);

/** Kinds of damage, applied in this order. Shares are from 0 to 1. */
typedef struct odonata_damage {
	size_t size;
	double switches;   /**< share of the switches that are removed, with their hosts */
	double cables;     /**< share of the remaining cables between switches that are removed */
	double miscabled;  /**< share of the remaining cables that are moved to a wrong port */
	uint32_t shuffled; /**< 1: change names, GUIDs and LIDs, and the order of nodes and ports */
	uint32_t unused;   /**< 0 */
	uint64_t seed;     /**< seed of all random choices; the same seed gives the same fabric */
} odonata_damage;

/**
 * Make a damaged copy of a fabric.
 * @param out for odonata_fabric_free()
 * Errors: ODONATA_EINPUT for a share outside 0 to 1; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_fabric_damage(const odonata_fabric *fabric, const odonata_damage *damage,
				      odonata_fabric **out, odonata_error *err);

/**
 * Write a fabric as a file. The file is either complete or absent.
 * @param format a format that can be written: "ibsim", "ibnetdiscover"
 * @param path a file, or a device such as "/dev/stdout"
 * Errors: ODONATA_EINPUT for an unknown format; ODONATA_EIO; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_fabric_write(const odonata_fabric *fabric, const char *format,
				     const char *path, odonata_error *err);

/** Free the caller's handle of a fabric. NULL is allowed. */
ODONATA_API void odonata_fabric_free(odonata_fabric *fabric);

/** Values of odonata_fabric_view.node_type. */
enum odonata_node_type { ODONATA_SWITCH, ODONATA_ADAPTER, ODONATA_ROUTER };

/**
 * The whole fabric as arrays. They are valid as long as the fabric, or any coordinates or tables
 * made for it.
 *
 * A node is a switch (0 to n_switches - 1), or an adapter or router (up to n_nodes - 1). A slot is
 * a physical port: port p (from 1) of node v is slot first_slot[v] + p - 1. A host is an adapter's
 * port that is cabled to a switch: an adapter with two ports is two hosts.
 */
typedef struct odonata_fabric_view {
	size_t size;
	uint32_t n_switches, n_nodes, n_slots, n_hosts;
	uint32_t n_cables; /**< each counted once */
	uint32_t n_parts;  /**< connected parts of the switches */
	uint32_t n_lids;   /**< highest LID + 1; 0 if hosts outnumber the LIDs */
	uint32_t unused;

	const uint64_t *node_guid;  /**< [n_nodes] */
	const uint8_t *node_type;   /**< [n_nodes] odonata_node_type */
	const uint32_t *first_slot; /**< [n_nodes + 1] */
	const uint32_t *peer;       /**< [n_slots] slot at the cable's other end, or ODONATA_NONE */
	const uint32_t *owner;      /**< [n_slots] node */
	const uint8_t *width;       /**< [n_slots] lanes: 1, 2, 4, 8, 12; 0 unknown */
	const uint8_t *n_vls;       /**< [n_slots] data VLs that the port can use */

	const uint32_t *host_slot;  /**< [n_hosts] the adapter's slot; its peer is on a switch */
	const uint16_t *slot_lid;   /**< [n_slots] base LID of an adapter's port, else 0 */
	const uint8_t *slot_lmc;    /**< [n_slots] */
	const uint16_t *switch_lid; /**< [n_switches] */
	const uint32_t *lid_switch; /**< [n_lids] switch that delivers the LID, or ODONATA_NONE */
	/** [n_lids] port that delivers the LID; 0 for the switch itself. */
	const uint8_t *lid_port;
	const uint32_t *lid_host; /**< [n_lids] host, or ODONATA_NONE */

	/** Oddities of the file that were ignored, lines of "file:line: text"; NULL if there were
	 * none. */
	const char *notes;
	/** Hosts 0 to n_senders - 1 send. The remaining ones are routers, and aggregation nodes of
	 * switches: they are destinations, but no pattern makes them send. */
	uint32_t n_senders;
	uint32_t unused_too;
} odonata_fabric_view;

/**
 * Get the arrays of a fabric, which still owns them.
 * @param view filled up to its `size`
 * Errors: ODONATA_EINPUT for NULL or a `size` too small; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_fabric_get(const odonata_fabric *fabric, odonata_fabric_view *view,
				   odonata_error *err);

/** Return the description of a node, owned by the fabric, or NULL if there is no such node. */
ODONATA_API const char *odonata_fabric_name(const odonata_fabric *fabric, uint32_t node);

#ifdef __cplusplus
}
#endif
#endif

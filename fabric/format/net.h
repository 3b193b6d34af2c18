/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What is read of ibnetdiscover's output and of net files, before it is put together. Not for use
 * outside fabric/format. */
#ifndef ODONATA_FABRIC_FORMAT_NET_H
#define ODONATA_FABRIC_FORMAT_NET_H

#include "fabric/fabric.h"
#include "fabric/format/scan.h"

/** Bits of what ibsim lets a port run at, as PortInfo has them; 0: the file does not say. */
typedef struct net_enabled {
	uint8_t width, speed, extended;
} net_enabled;

/** What a node's record says of one port. */
typedef struct net_claim {
	odo_text far; /**< id of the node at the other end; NULL where the port is not listed */
	odo_text far_name;       /**< its description; NULL where there is none */
	uint64_t guid, far_guid; /**< of adapters' ports; 0 where they are not given */
	uint32_t far_port, line;
	uint32_t far_record; /**< of the far end, once all records are known */
	uint16_t lid, far_lid;
	uint8_t lmc;
	bool rivals; /**< several ports name this one as their far end */
	bool named;  /**< some port does */
	bool twice;  /**< is listed with two other ends, so that nobody knows which it has */
	net_enabled enabled;
	odo_link_info info;
} net_claim;

typedef struct net_record {
	odo_text id, name;
	uint64_t guid;
	uint32_t line, first_claim, n_ports, scan;
	uint32_t node; /**< in the builder */
	uint16_t lid;
	uint8_t lmc, type; /**< odo_node_type */
	bool gone;         /**< a later record counts, or a later scan that lacks it */
	bool undefined;    /**< only its peers' records name it */
	bool counted;      /**< no line gives its GUID, which is counted on by ibsim's rule */
} net_record;

/** All of a file. */
typedef struct net_file {
	odo_scan scan;
	odo_ledger *ledger;
	net_record *records;
	size_t n_records, records_room;
	net_claim *claims;
	size_t n_claims, claims_room;
	uint32_t *table; /**< open addressing by id: record + 1, or 0; made when all are read */
	size_t table_size;
	uint32_t n_scans;  /**< ended by the first line of another */
	net_enabled usual; /**< of ports that say nothing, in ibsim's file */
	bool says_enabled; /**< some port of the file does */
	bool says_guids;   /**< some line gives a GUID */
	bool says_lids;    /**< some line gives a LID: ibnetdiscover wrote it */
} net_file;

/** "S-0000000000200002": the type and the GUID of a node. @return false for another id */
bool net_id_says(odo_text id, odo_node_type *type, uint64_t *guid);

/** "w=1", "s=2", "e=4" of ibsim or of ibnetdiscover -f, wherever they stand in the rest of a line.
 */
void net_read_enabled(odo_scan s, net_enabled *enabled);

/** The rate at which ibsim runs a cable between two ports. */
odo_link_info net_ibsim_rate(const net_file *file, const net_claim *c, const net_claim *back);

/** Nodes and cables of all records. What contradicts itself is left out, and noted in the ledger.
 */
int net_put_together(net_file *file, odo_builder *b);

#endif

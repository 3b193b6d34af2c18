/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Records of ibnetdiscover's output and of net files, before they are joined. Not for use outside
 * fabric/format. */
#ifndef ODONATA_FABRIC_FORMAT_NET_H
#define ODONATA_FABRIC_FORMAT_NET_H

#include "fabric/fabric.h"
#include "fabric/format/scan.h"

/** Rates at which ibsim lets a port run, as bits of PortInfo; 0: not given. */
typedef struct net_enabled {
	uint8_t width, speed, extended;
} net_enabled;

/** Claim: the entry of one port in a node's record. */
typedef struct net_claim {
	odo_text far;      /**< id of the node at the other end; NULL if the port is not listed */
	odo_text far_name; /**< its description, or NULL */
	uint64_t guid, far_guid; /**< of adapters' ports; 0 if not given */
	uint32_t far_port, line;
	uint32_t far_record; /**< of the far end; set once all records are read */
	uint16_t lid, far_lid;
	uint8_t lmc;
	bool rivals; /**< several ports name this one as their far end */
	bool named;  /**< some port names this one */
	bool twice;  /**< listed with two different far ends, of which either may be wrong */
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
	bool gone;         /**< superseded by a later record, or by a later scan */
	bool undefined;    /**< only records of its peers name it */
	bool counted;      /**< no line gives its GUID, which is counted by ibsim's rule */
} net_record;

/** Contents of a file. */
typedef struct net_file {
	odo_scan scan;
	odo_ledger *ledger;
	net_record *records;
	size_t n_records, records_room;
	net_claim *claims;
	size_t n_claims, claims_room;
	uint32_t *table; /**< open addressing by id: record + 1, or 0; made once all records are
			    read */
	size_t table_size;
	uint32_t n_scans;  /**< scans before the present one; the first line of a scan ends the one
			      before */
	net_enabled usual; /**< of ports without own values, in ibsim's files */
	bool says_enabled; /**< some line gives rates as ibsim does */
	bool says_guids;   /**< some line gives a GUID */
	bool says_lids;    /**< some line gives a LID: ibnetdiscover wrote it */
} net_file;

/**
 * Read the type and the GUID of a node from an id such as "S-0000000000200002".
 * @return false for an id of another form
 */
bool net_id_says(odo_text id, odo_node_type *type, uint64_t *guid);

/** Read "w=1", "s=2", "e=4" of ibsim or of ibnetdiscover -f, anywhere in the rest of a line. */
void net_read_enabled(odo_scan s, net_enabled *enabled);

/** Return the rate at which ibsim runs a cable between two ports. */
odo_link_info net_ibsim_rate(const net_file *file, const net_claim *c, const net_claim *back);

/** Add nodes and cables of all records to a builder. Contradictory records are omitted, and
 * recorded in the ledger. */
int net_put_together(net_file *file, odo_builder *b);

#endif

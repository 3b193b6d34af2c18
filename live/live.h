/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Reads the subnet that this machine is on, by directed-route queries; needs the rights to
 * send them (usually root) and no subnet manager. Works under ibsim's umad2sim too. */
#ifndef ODONATA_LIVE_LIVE_H
#define ODONATA_LIVE_LIVE_H

#include <stdlib.h>

#include "fabric/fabric.h"

/** Where to send queries from, and how. Zeroes stand for the first active port, and for what
 * libibnetdisc thinks best. */
typedef struct odo_live_options {
	const char *adapter; /**< as in /sys/class/infiniband */
	unsigned port;       /**< 0: the first that is up */
	unsigned timeout_ms, retries;
	uint64_t key;     /**< M_Key of its nodes (InfiniBand volume 1, 14.2.4), 0: none */
	bool without_sls; /**< do not ask the subnet manager for SLs */
	bool multicast;   /**< read multicast tables, too */
	bool counters;    /**< and port counters */
	unsigned
		counted_seconds; /**< what they count in so long; 0: since they were last cleared */
	/** Called often while tables are read, if not NULL. @param what "path records" */
	void (*progress)(void *context, const char *what, size_t done, size_t n);
	void *progress_context;
} odo_live_options;

/** Texts of installed tables, each in a form that odo_import_text() (export/import.h) reads. */
enum { ODO_LIVE_LFTS, ODO_LIVE_SL2VL, ODO_LIVE_SLS, ODO_LIVE_TEXTS };
/** VL arbitration of a cabled port on which several VLs are in operation. */
typedef struct odo_live_arbitration {
	uint64_t guid; /**< of the node */
	uint8_t port;
	uint16_t served; /**< VLs that have a weight in the table of high or low priority, a bit
			    each; all where it was not read */
} odo_live_arbitration;

/** A node that does not answer for a table, or not at all. */
typedef enum odo_live_table {
	ODO_LIVE_FORWARDING,
	ODO_LIVE_MAPS,
	ODO_LIVE_NODE, /**< nobody knows its GUID: that of the switch it is cabled to is told */
	ODO_LIVE_ARBITRATION,
	ODO_LIVE_MULTICAST,
	ODO_LIVE_COUNTERS
} odo_live_table;
typedef struct odo_live_unread {
	uint64_t guid;
	odo_live_table table;
	uint8_t port; /**< of the switch, where a node does not answer at all; else 0 */
} odo_live_unread;

/** A switch sends packets to a multicast LID on by this port, or takes them itself (0). */
typedef struct odo_live_entry {
	uint64_t guid;
	uint16_t mlid;
	uint8_t port;
} odo_live_entry;

/** What a cabled port counts. Those of 32, 16 and 8 bits stay at their highest value. */
typedef struct odo_live_counters {
	uint64_t guid; /**< of the node */
	uint8_t port;
	bool read;
	uint64_t sent;          /**< bytes */
	uint64_t wait;          /**< ticks with data to send and no credit; 32 bits */
	uint64_t symbol_errors; /**< 16 bits */
	uint64_t link_downed;   /**< 8 bits */
} odo_live_counters;

/** What the subnet manager says of a host's port and a multicast LID. */
typedef enum odo_live_part { ODO_LIVE_RECEIVES, ODO_LIVE_SENDS, ODO_LIVE_UNCLEAR } odo_live_part;
typedef struct odo_live_member {
	uint64_t guid; /**< of the node */
	uint16_t mlid;
	uint8_t port;
	odo_live_part part;
} odo_live_member;

typedef struct odo_live_tables {
	char *text[ODO_LIVE_TEXTS]; /**< owned; empty where nothing is to be said */
	size_t size[ODO_LIVE_TEXTS];
	bool sampled;            /**< SLs were asked for one host of each switch only */
	bool drawn;              /**< asked twice, the subnet manager gave a pair two SLs */
	bool no_manager;         /**< no subnet manager answered for path records: no SL is known */
	size_t n_without_record; /**< pairs that it has no path record for: no partition joins them
				  */
	odo_live_arbitration *arbitration; /**< [n_arbitration] owned */
	size_t n_arbitration;
	odo_live_unread *unread; /**< [n_unread] owned */
	size_t n_unread;
	odo_live_entry *entries; /**< [n_entries] of multicast tables, owned */
	size_t n_entries;
	odo_live_member *members; /**< [n_members] of groups that have entries, owned */
	size_t n_members;
	odo_live_counters *counters; /**< [n_counters] owned */
	size_t n_counters;
	double counted_seconds; /**< what they count in; 0: since they were last cleared */
	bool members_asked;     /**< of the subnet manager, for all hosts and groups */
} odo_live_tables;

/**
 * Discover the subnet.
 * @param b for odo_builder_freeze(); LIDs as they are, 0 where the subnet manager gave none
 * @param installed NULL, or filled with what is installed, for odo_live_tables_clear(); links then
 *                  have the VLs that are in operation, and else those that ports are capable of
 *
 * Errors: ODO_EIO where there is no adapter, or it cannot be used, or a switch does not answer;
 * ODO_EINPUT for a subnet that the builder refuses.
 */
int odo_live_read(const odo_live_options *options, odo_builder *b, odo_live_tables *installed,
		  odo_error *err);

static inline void odo_live_tables_clear(odo_live_tables *t)
{
	for (int i = 0; i < ODO_LIVE_TEXTS; i++)
		free(t->text[i]);
	free(t->arbitration);
	free(t->unread);
	free(t->entries);
	free(t->members);
	free(t->counters);
	*t = (odo_live_tables){0};
}

#endif

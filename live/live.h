/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Reading of the subnet that this machine is on, by directed-route queries. It needs the
 * permission to send them (usually root), but no subnet manager. It works under ibsim's umad2sim
 * too. */
#ifndef ODONATA_LIVE_LIVE_H
#define ODONATA_LIVE_LIVE_H

#include <stdlib.h>
#include <time.h>

#include "fabric/fabric.h"

/** Options of queries. Zeroes mean the first active port, and the defaults of libibnetdisc. */
typedef struct odo_live_options {
	const char *adapter; /**< name as in /sys/class/infiniband */
	unsigned port;       /**< 0: the first active one */
	unsigned timeout_ms, retries;
	uint64_t key;     /**< M_Key of the nodes (InfiniBand volume 1, 14.2.4), 0: none */
	bool without_sls; /**< do not query the subnet manager for SLs */
	bool multicast;   /**< read multicast tables too */
	bool counters;    /**< read port counters too */
	unsigned
		counted_seconds; /**< what they count in so long; 0: since they were last cleared */
	/** Called often while tables are read, if not NULL.
	 * @param what such as "path records" */
	void (*progress)(void *context, const char *what, size_t done, size_t n);
	void *progress_context;
} odo_live_options;

/** Texts of installed tables, in forms that odo_import_text() (export/import.h) reads. */
enum { ODO_LIVE_LFTS, ODO_LIVE_SL2VL, ODO_LIVE_SLS, ODO_LIVE_TEXTS };
/** VL arbitration of a cabled port on which several VLs are in operation. */
typedef struct odo_live_arbitration {
	uint64_t guid; /**< node */
	uint8_t port;
	/** VLs with a weight in the table of high or low priority, a bit each; all if the tables
	 * could not be read. */
	uint16_t served;
} odo_live_arbitration;

/** Table that a node does not return, or the node itself if it does not answer at all. */
typedef enum odo_live_table {
	ODO_LIVE_FORWARDING,
	ODO_LIVE_MAPS,
	ODO_LIVE_NODE, /**< its GUID is unknown; that of the switch it is cabled to is given */
	ODO_LIVE_ARBITRATION,
	ODO_LIVE_MULTICAST,
	ODO_LIVE_COUNTERS
} odo_live_table;
typedef struct odo_live_unread {
	uint64_t guid;
	odo_live_table table;
	uint8_t port; /**< port of the switch, if a node does not answer at all; else 0 */
} odo_live_unread;

/** Entry of a multicast table: a switch forwards packets to a multicast LID by this port, or
 * receives them itself (0). */
typedef struct odo_live_entry {
	uint64_t guid;
	uint16_t mlid;
	uint8_t port;
} odo_live_entry;

/** Counters that tell of errors, in the order of PortCounters: those of ibqueryerrors. */
typedef enum odo_error_counter {
	ODO_COUNT_SYMBOL_ERRORS, /**< 16 bits */
	ODO_COUNT_LINK_RECOVERIES,
	ODO_COUNT_LINK_DOWNED, /**< 8 bits, as the one before */
	ODO_COUNT_RECEIVE_ERRORS,
	ODO_COUNT_REMOTE_PHYSICAL,
	ODO_COUNT_SWITCH_RELAY,
	ODO_COUNT_DISCARDS,
	ODO_COUNT_TRANSMIT_CONSTRAINT,
	ODO_COUNT_RECEIVE_CONSTRAINT,
	ODO_COUNT_LOCAL_INTEGRITY,
	ODO_COUNT_BUFFER_OVERRUN,
	ODO_COUNT_VL15_DROPPED,
	ODO_COUNT_WAIT, /**< ticks with data to send and no credit; 32 bits */
	ODO_N_ERROR_COUNTERS
} odo_error_counter;

/** Counters of a cabled port. Counters of 32, 16 and 8 bits stop at their highest value. */
typedef struct odo_live_counters {
	uint64_t guid; /**< node */
	uint8_t port;
	bool read;
	uint64_t sent; /**< bytes */
	uint64_t error[ODO_N_ERROR_COUNTERS];
} odo_live_counters;

/** Role of a host's port in a multicast group, according to the subnet manager. */
typedef enum odo_live_part { ODO_LIVE_RECEIVES, ODO_LIVE_SENDS, ODO_LIVE_UNCLEAR } odo_live_part;
typedef struct odo_live_member {
	uint64_t guid; /**< node */
	uint16_t mlid;
	uint8_t port;
	odo_live_part part;
} odo_live_member;

typedef struct odo_live_tables {
	char *text[ODO_LIVE_TEXTS]; /**< owned; may be empty */
	size_t size[ODO_LIVE_TEXTS];
	time_t began, ended; /**< when the tables were read; 0: they were not */
	bool sampled;        /**< SLs were queried for only one host of each switch */
	bool drawn;      /**< queried twice, the subnet manager returned different SLs for a pair */
	bool no_manager; /**< no subnet manager answered for path records, so no SL is known */
	size_t n_without_record; /**< pairs without a path record: they share no partition */
	odo_live_arbitration *arbitration; /**< [n_arbitration] owned */
	size_t n_arbitration;
	odo_live_unread *unread; /**< [n_unread] owned */
	size_t n_unread;
	odo_live_entry *entries; /**< [n_entries] entries of multicast tables, owned */
	size_t n_entries;
	odo_live_member *members; /**< [n_members] members of groups that have entries, owned */
	size_t n_members;
	odo_live_counters *counters; /**< [n_counters] owned */
	size_t n_counters;
	/** Duration of the counting; 0: since the counters were last cleared. */
	double counted_seconds;
	bool members_asked; /**< the subnet manager was queried for all hosts and groups */
} odo_live_tables;

/**
 * Discover the subnet.
 * @param b for odo_builder_freeze(); LIDs as found, 0 if the subnet manager assigned none
 * @param installed NULL, or filled with the installed tables, for odo_live_tables_clear(). Links
 *   then have the VLs in operation, otherwise the VLs that ports are capable of
 * Errors: ODO_EIO if there is no usable adapter, or a switch does not answer; ODO_EINPUT for a
 * subnet that the builder refuses.
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

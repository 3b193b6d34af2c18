/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A history in the numbers of a later fabric (history.h): the rows that its switches continue. */
#ifndef ODONATA_ROUTING_REROUTE_PAST_H
#define ODONATA_ROUTING_REROUTE_PAST_H

#include "routing/reroute/history.h"

typedef struct odo_past_reader {
	const odo_history *h;
	const odo_fabric *f;
	uint32_t *row;  /* [n_switches] row of each switch, or ODO_NONE */
	uint32_t *port; /* [n_hosts] index of each host's port in the history, or ODO_NONE */
} odo_past_reader;

/** SLs by rows: one for each switch of the fabric, or a single one. */
typedef struct odo_past_rows {
	uint32_t lid_count;
	uint16_t *held;
	uint8_t *last; /* ODO_SL_NONE if none is known yet */
} odo_past_rows;

/** @param r clear with odo_past_reader_clear(), also on ODO_ENOMEM, without a message */
int odo_past_reader_init(odo_past_reader *r, const odo_history *h, const odo_fabric *f);
void odo_past_reader_clear(odo_past_reader *r);

/**
 * Add the SLs that connections use, for all LIDs in the history, whatever ports have them now:
 * those of each switch, and those of ports that were at another switch or absent.
 * @param by_pair a row for each switch, otherwise a single row; true if the history has rows by
 *                switch
 */
void odo_past_read(const odo_past_reader *r, bool by_pair, const odo_past_rows *to);

/**
 * Add row `from` of a history to row `at`.
 * @param owed also add SLs that were not reported to absent ports
 */
void odo_past_add_row(const odo_history *h, uint32_t from, bool owed, const odo_past_rows *to,
		      uint32_t at);

/** Return the GUID of the port or switch that has a LID, or 0. */
uint64_t odo_past_guid(const odo_fabric *f, uint32_t lid);

/** List the GUIDs of all hosts' ports. @return free with free(), or NULL */
uint64_t *odo_past_ports(const odo_fabric *f);

/**
 * Find each of `n` GUIDs among `m` others: its index, or ODO_NONE.
 * @return free with free(), or NULL
 */
uint32_t *odo_past_find(const uint64_t *guid, uint32_t n, const uint64_t *among, uint32_t m);

#endif

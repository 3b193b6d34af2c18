/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Reduce forwarding tables to small look-ups: groups of hosts that all switches route alike, ports
 * from switch to switch, and VLs by input and output. */
#ifndef ODONATA_EMULATOR_KERNEL_SETUP_HOP_TABLES_H
#define ODONATA_EMULATOR_KERNEL_SETUP_HOP_TABLES_H

#include "emulator/kernel/state/part.h"

/** Collect the data that sources need of each host. Errors: ODO_ENOMEM */
int odo_find_addresses(odo_world *w, odo_error *err);

/** With the world's `sets`, ways end at switches: fill in these ends. Needs the addresses. */
void odo_find_ends_of_sets(odo_world *w);

/** Fill w->hop, if the tables allow it and have at least eight LIDs. Needs the addresses.
 * Errors: ODO_ENOMEM */
int odo_find_hops(odo_world *w, odo_error *err);

/** Make a part's share of w->hop: part->hop, part->way_to and part->n_ways. Errors: ODO_ENOMEM */
int odo_part_hops(odo_part *part, odo_error *err);

/** Distinct rows of VLs. */
typedef struct odo_vl_rows {
	uint32_t *at; /**< [room] by hash: row from 1, or 0 */
	size_t room, n;
} odo_vl_rows;

/**
 * Find a row among w->vl_rows, or add it.
 * @param row [1 << port_bits] VL for each output, or ODO_NO_VL
 * @param at  out: offset of the row
 * Errors: ODO_ENOMEM
 */
int odo_vl_row(odo_world *w, odo_vl_rows *rows, const uint8_t *row, uint32_t *at, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Where forwarding tables come down to small look-ups: which hosts' packets a run needs to tell
 * apart, by which port a switch leads to another, and VLs by input and output. */
#ifndef ODONATA_EMULATOR_KERNEL_SETUP_HOP_TABLES_H
#define ODONATA_EMULATOR_KERNEL_SETUP_HOP_TABLES_H

#include "emulator/kernel/state/part.h"

/** What sources need to know of each host. Errors: ODO_ENOMEM */
int odo_find_addresses(odo_world *w, odo_error *err);

/** With the world's `sets`: ways end at switches. Needs the addresses. */
void odo_find_ends_of_sets(odo_world *w);

/** Fill w->hop, if the tables allow for it and have eight LIDs. Needs the addresses.
 * Errors: ODO_ENOMEM */
int odo_find_hops(odo_world *w, odo_error *err);

/** A part's share of w->hop: c->hop and what belongs to it. Errors: ODO_ENOMEM */
int odo_part_hops(odo_part *part, odo_error *err);

/** Rows of VLs, each once. */
typedef struct odo_vl_rows {
	uint32_t *at; /**< [room] by hash: row from 1, or 0 */
	size_t room, n;
} odo_vl_rows;

/**
 * Find a row among w->vl_rows, or add it.
 * @param row [1 << port_bits] VL for each output, or ODO_NO_VL
 * @param at  out: where it begins
 * Errors: ODO_ENOMEM
 */
int odo_vl_row(odo_world *w, odo_vl_rows *rows, const uint8_t *row, uint32_t *at, odo_error *err);

#endif

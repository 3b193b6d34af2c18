/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * VL arbitration (InfiniBand volume 1, 7.6.9): in which proportion an output serves its VLs. Each
 * output has two tables of (VL, weight), weights in units of 64 bytes, which the emulator takes
 * for phits as the `infiniband` model has them. Each table is gone through in a circle; an entry
 * is served until its weight is used up, its last packet counting whole, or its VL has nothing to
 * send. The high table goes first until it has sent `limit` times 4,096 bytes since a low packet
 * had its turn.
 */
#ifndef ODONATA_EMULATOR_VLARB_H
#define ODONATA_EMULATOR_VLARB_H

#include <stdbool.h>

#include "fabric/fabric.h"

#define ODO_VLARB_ENTRIES 64
#define ODO_VLARB_UNLIMITED 255

typedef struct odo_vlarb_entry {
	uint8_t vl, weight;
} odo_vlarb_entry;

enum { ODO_VLARB_LOW, ODO_VLARB_HIGH };

/** What one output, or many, are configured with. */
typedef struct odo_vlarb_row {
	odo_vlarb_entry entry[2][ODO_VLARB_ENTRIES]; /**< low table, high table */
	uint8_t n[2];
	uint8_t limit; /**< of high priority; ODO_VLARB_UNLIMITED for none */
} odo_vlarb_row;

/** Of a fabric. Read-only once made. */
typedef struct odo_vlarb {
	odo_vlarb_row *rows;
	uint32_t n_rows;
	size_t rows_room;
	uint16_t *row; /**< [n_slots] row of each switch's port */
} odo_vlarb;

/**
 * Read the tables of a fabric's switches, from either of
 * - OpenSM's configuration: qos_vlarb_high, qos_vlarb_low, qos_high_limit, and the same for
 *   switches' ports, qos_swe_...; what it leaves out is OpenSM's default;
 * - what `smpquery vlarb LID PORT` and `smpquery portinfo LID PORT` print, one after the other in
 *   any order and number. A port never named has row 0: the VLs in turn, all of high priority.
 * @param out for odo_vlarb_free()
 * Errors: ODO_EINPUT as "file:line: expected ..., found ...".
 */
int odo_vlarb_read(const char *path, const odo_fabric *f, odo_vlarb **out, odo_error *err);
/** The same from a text. @param origin its name, for messages */
int odo_vlarb_parse(const char *text, size_t size, const char *origin, const odo_fabric *f,
		    odo_vlarb **out, odo_error *err);
void odo_vlarb_free(odo_vlarb *vlarb);

/** VLs with a weight in either table, as bits: others never send. */
uint16_t odo_vlarb_served(const odo_vlarb_row *row);

/** Where an output is in its tables. Zeroed at first. */
typedef struct odo_vlarb_turn {
	uint8_t at[2];    /**< entry */
	uint16_t used[2]; /**< of its weight */
	uint32_t high;    /**< phits of high priority since the last low packet */
} odo_vlarb_turn;

/**
 * Which VL is to send next.
 * @param waiting VLs that could, as bits
 * @param table   out: by which table
 * @return a VL, or -1 where none of them has a weight
 */
int odo_vlarb_next(const odo_vlarb_row *row, const odo_vlarb_turn *turn, uint16_t waiting,
		   unsigned *table);
/** It has sent a packet. */
void odo_vlarb_sent(const odo_vlarb_row *row, odo_vlarb_turn *turn, unsigned vl, unsigned table,
		    unsigned phits);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * VL arbitration (InfiniBand volume 1, 7.6.9): the proportions in which an output serves its VLs.
 * Each output has two tables of (VL, weight). Weights are in units of 64 bytes, which the emulator
 * counts as phits, as in the `infiniband` model. Each table is processed in a circle. An entry is
 * served until its weight is used up (its last packet counts whole) or its VL has nothing to send.
 * The high table goes first until it has sent `limit` times 4,096 bytes since the last low packet.
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

/** Configuration of one or several outputs. */
typedef struct odo_vlarb_row {
	odo_vlarb_entry entry[2][ODO_VLARB_ENTRIES]; /**< low table, high table */
	uint8_t n[2];
	uint8_t limit; /**< limit of high priority; ODO_VLARB_UNLIMITED for none */
} odo_vlarb_row;

/** VL arbitration of a fabric. Read-only once made. */
typedef struct odo_vlarb {
	odo_vlarb_row *rows;
	uint32_t n_rows;
	size_t rows_room;
	uint16_t *row; /**< [n_slots] row of each switch's port */
} odo_vlarb;

/**
 * Read the tables of a fabric's switches, from one of two forms:
 * - OpenSM's configuration: qos_vlarb_high, qos_vlarb_low, qos_high_limit, and the same for
 *   switches' ports, qos_swe_...; missing options have OpenSM's defaults;
 * - the output of `smpquery vlarb LID PORT` and `smpquery portinfo LID PORT`, for any ports in any
 *   order. A port never named has row 0: the VLs in turn, all of high priority.
 * @param out for odo_vlarb_free()
 * Errors: ODO_EINPUT as "file:line: expected ..., found ...".
 */
int odo_vlarb_read(const char *path, const odo_fabric *f, odo_vlarb **out, odo_error *err);
/** The same from a text. @param origin its name, for messages */
int odo_vlarb_parse(const char *text, size_t size, const char *origin, const odo_fabric *f,
		    odo_vlarb **out, odo_error *err);
void odo_vlarb_free(odo_vlarb *vlarb);

/** VLs with a weight in either table, as bits; the others never send. */
uint16_t odo_vlarb_served(const odo_vlarb_row *row);

/** Position of an output in its tables. Zeroed at first. */
typedef struct odo_vlarb_turn {
	uint8_t at[2];    /**< entry */
	uint16_t used[2]; /**< used up of its weight */
	uint32_t high;    /**< phits of high priority since the last low packet */
} odo_vlarb_turn;

/**
 * Return the VL that sends next.
 * @param waiting VLs that could send, as bits
 * @param table   out: the table that selected it
 * @return a VL, or -1 if none of them has a weight
 */
int odo_vlarb_next(const odo_vlarb_row *row, const odo_vlarb_turn *turn, uint16_t waiting,
		   unsigned *table);
/** Record that a VL has sent a packet. */
void odo_vlarb_sent(const odo_vlarb_row *row, odo_vlarb_turn *turn, unsigned vl, unsigned table,
		    unsigned phits);

#endif

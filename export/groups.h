/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Adaptive routing as tables of a switch: groups of ports, and the group of each LID for every
 * input VL, and for every input port if ports differ. The tables contain only states that some
 * packet can reach.
 */
#ifndef ODONATA_EXPORT_GROUPS_H
#define ODONATA_EXPORT_GROUPS_H

#include "routing/adaptive.h"

/** Entry of a LID for which no packet uses this table. */
#define ODO_NO_GROUP UINT16_MAX

/** Cables, VLs and LIDs of packets that some host can inject. */
typedef struct odo_reach {
	const odo_tables *t;
	size_t lid_words;
	uint64_t *bits; /**< [(slot * n_vls + vl) * lid_words], by the slot that receives */
} odo_reach;

/** Errors: ODO_ENOMEM; the bits take slots * VLs * LIDs / 8 bytes. */
int odo_reach_find(const odo_tables *t, odo_reach *out, odo_error *err);
void odo_reach_clear(odo_reach *reach);

typedef struct odo_port_group {
	uint32_t first; /**< index in `ways` */
	uint16_t n;
} odo_port_group;

typedef struct odo_vl_table {
	uint8_t vl;
	uint8_t inputs[32]; /**< bit p: packets that enter by port p use it */
	uint16_t *group;    /**< [lid_count] */
} odo_vl_table;

typedef struct odo_switch_tables {
	odo_candidate *ways;
	size_t n_ways, ways_room;
	odo_port_group *groups;
	size_t n_groups, groups_room;
	odo_vl_table *tables;
	size_t n_tables, tables_room;
} odo_switch_tables;

/** Make the tables of switch `s`. @param out clear with odo_switch_tables_clear(), also on failure
 */
int odo_switch_tables_make(const odo_reach *reach, uint32_t s, odo_switch_tables *out,
			   odo_error *err);
void odo_switch_tables_clear(odo_switch_tables *out);

#endif

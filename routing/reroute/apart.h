/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** New tables on VLs that those before do not use. */
#ifndef ODONATA_ROUTING_REROUTE_APART_H
#define ODONATA_ROUTING_REROUTE_APART_H

#include "routing/tables.h"

/** Where each VL goes; ODO_VL_DROP stays. */
typedef struct odo_vl_map {
	uint8_t to[ODO_N_SLS];
} odo_vl_map;

/**
 * Find VLs for new tables that packets under those before never take: old and new paths then wait
 * for nothing in common.
 * @param budget VLs that there are
 * @param there  gets where each VL of `now` goes
 * @return false where there are too few
 */
bool odo_vls_apart(const odo_tables *before, const odo_tables *now, unsigned budget,
		   odo_vl_map *there);

/** Let all packets take other VLs. The tables are as safe as they were, if no two VLs become one.
 * Errors: ODO_ENOMEM, ODO_EDECLINE beyond 65,535 rows: the tables are as they were. */
int odo_vls_move(odo_tables *t, const odo_vl_map *map, odo_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** New tables on VLs that those before do not use. */
#ifndef ODONATA_ROUTING_REROUTE_APART_H
#define ODONATA_ROUTING_REROUTE_APART_H

#include "routing/tables.h"

/** New VL of each VL; ODO_VL_DROP stays. */
typedef struct odo_vl_map {
	uint8_t to[ODO_N_SLS];
} odo_vl_map;

/**
 * Find VLs for new tables that packets under the tables before never take. Old and new paths then
 * share no channel, so they cannot deadlock together.
 * @param budget number of VLs
 * @param there  gets the new VL of each VL of `now`
 * @return false if there are too few VLs
 */
bool odo_vls_apart(const odo_tables *before, const odo_tables *now, unsigned budget,
		   odo_vl_map *there);

/** Let all packets take other VLs. The tables are as safe as they were, if no two VLs become one.
 * Errors: ODO_ENOMEM, ODO_EDECLINE beyond 65,535 rows; the tables are then unchanged. */
int odo_vls_move(odo_tables *t, const odo_vl_map *map, odo_error *err);

#endif

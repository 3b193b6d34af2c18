/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/apart.h"

#include <stdlib.h>

#include "base/memory.h"

/* SLs of paths, a bit each, and what connections hold. */
static unsigned sls_in_use(const odo_tables *t)
{
	unsigned sls = 0;
	for (uint32_t lid = 1; lid < t->fabric->lid_count; lid++)
		for (uint32_t s = 0;
		     t->fabric->lid_switch[lid] != ODO_NONE && s < t->fabric->n_switches; s++)
			sls |= 1u << odo_path_sl(t, s, lid) | odo_held_sls(t, s, lid);
	return sls;
}

static unsigned vls_of_row(const odo_tables *t, uint16_t row, unsigned sls)
{
	unsigned vls = 0;
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
		if (sls >> sl & 1)
			vls |= 1u << t->rows[row].vl[sl];
	return vls;
}

/* VLs that packets may take, a bit each. */
static unsigned vls_of(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	unsigned sls = sls_in_use(t), vls = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
				if (odo_has_cable(f, s, in) && odo_has_cable(f, s, out))
					vls |= vls_of_row(t, *odo_sl2vl_entry(t, s, in, out), sls);
	for (uint32_t h = 0; h < f->n_hosts; h++)
		vls |= vls_of_row(t, t->host_row[h], sls);
	return vls & ~(1u << ODO_VL_DROP);
}

bool odo_vls_apart(const odo_tables *before, const odo_tables *now, unsigned budget,
		   odo_vl_map *there)
{
	unsigned taken = vls_of(before), used = vls_of(now), next = 0;
	for (unsigned vl = 0; vl < ODO_N_SLS; vl++)
		there->to[vl] = (uint8_t)vl;
	for (unsigned vl = 0; vl < ODO_MAX_VLS; vl++) {
		if (!(used >> vl & 1))
			continue;
		while (next < budget && taken >> next & 1)
			next++;
		if (next >= budget)
			return false;
		there->to[vl] = (uint8_t)next++;
	}
	return true;
}

static int move_rows(odo_tables *t, const odo_vl_map *map, uint16_t *row, odo_error *err)
{
	int status = 0;
	uint32_t n = t->n_rows;
	for (uint32_t i = 0; i < n && !status; i++) {
		odo_sl2vl moved;
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
			moved.vl[sl] = map->to[t->rows[i].vl[sl]];
		status = odo_tables_row(t, &moved, &row[i], err);
	}
	return status;
}

int odo_vls_move(odo_tables *t, const odo_vl_map *map, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	uint16_t *row = odo_new(t->n_rows, sizeof *row);
	int status = row ? move_rows(t, map, row, err)
			 : odo_fail(err, ODO_ENOMEM, "no memory to move VLs");
	for (uint32_t i = 0; !status && i < t->sl2vl_at[f->n_switches]; i++)
		t->sl2vl[i] = row[t->sl2vl[i]];
	for (uint32_t h = 0; !status && h < f->n_hosts; h++)
		t->host_row[h] = row[t->host_row[h]];
	free(row);
	if (status)
		return status;
	unsigned vls = vls_of(t);
	for (t->n_vls = 1; vls >> t->n_vls; t->n_vls++)
		;
	return 0;
}

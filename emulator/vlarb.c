/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/vlarb.h"

#include <stdlib.h>

/* Phits of 64 bytes in 4,096 bytes: the unit of the limit of high priority. */
#define LIMIT_UNIT 64u

void odo_vlarb_free(odo_vlarb *vlarb)
{
	if (!vlarb)
		return;
	free(vlarb->rows);
	free(vlarb->row);
	free(vlarb);
}

uint16_t odo_vlarb_served(const odo_vlarb_row *row)
{
	uint16_t vls = 0;
	for (unsigned t = 0; t < 2; t++)
		for (unsigned i = 0; i < row->n[t]; i++)
			if (row->entry[t][i].weight)
				vls |= (uint16_t)(1u << row->entry[t][i].vl);
	return vls;
}

/* Return the next entry that may send, starting with the present one, which is skipped once its
 * weight is used up. */
static int next_in(const odo_vlarb_row *row, const odo_vlarb_turn *turn, unsigned table,
		   uint16_t waiting)
{
	const odo_vlarb_entry *entry = row->entry[table];
	unsigned n = row->n[table], at = turn->at[table];
	for (unsigned i = 0; i <= n && n; i++) {
		const odo_vlarb_entry *e = &entry[(at + i) % n];
		bool used_up = i == 0 && turn->used[table] >= e->weight;
		if (e->weight && !used_up && waiting >> e->vl & 1)
			return (int)((at + i) % n);
	}
	return -1;
}

int odo_vlarb_next(const odo_vlarb_row *row, const odo_vlarb_turn *turn, uint16_t waiting,
		   unsigned *table)
{
	int low = next_in(row, turn, ODO_VLARB_LOW, waiting);
	int high = next_in(row, turn, ODO_VLARB_HIGH, waiting);
	/* A limit of 0 is one packet of high priority for each of low priority. */
	bool spent = row->limit != ODO_VLARB_UNLIMITED && turn->high &&
		     turn->high >= row->limit * LIMIT_UNIT;
	*table = high >= 0 && !(spent && low >= 0) ? ODO_VLARB_HIGH : ODO_VLARB_LOW;
	int at = *table == ODO_VLARB_HIGH ? high : low;
	return at < 0 ? -1 : row->entry[*table][at].vl;
}

void odo_vlarb_sent(const odo_vlarb_row *row, odo_vlarb_turn *turn, unsigned vl, unsigned table,
		    unsigned phits)
{
	int at = next_in(row, turn, table, (uint16_t)(1u << vl));
	bool same = at == turn->at[table] && turn->used[table] < row->entry[table][at].weight;
	turn->high = table == ODO_VLARB_HIGH ? turn->high + phits : 0;
	turn->used[table] = (uint16_t)((same ? turn->used[table] : 0) + phits);
	turn->at[table] = (uint8_t)at;
}

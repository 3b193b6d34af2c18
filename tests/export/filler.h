/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables for tests of files, independent of any routing engine: shortest paths by the first
 * port that is nearer, SLs and SL2VL maps that differ from each other wherever they may. */
#ifndef ODONATA_TESTS_EXPORT_FILLER_H
#define ODONATA_TESTS_EXPORT_FILLER_H

#include <stdlib.h>

#include "fabric/topology/topology.h"
#include "routing/graph/distance.h"
#include "routing/tables.h"

static inline odo_fabric *make_fabric(const char *spec, uint8_t lmc)
{
	odo_error err;
	odo_fabric *f = NULL;
	if (odo_topology_generate(spec, lmc, &f, NULL, &err))
		fprintf(stderr, "%s: %s\n", spec, err.text);
	return f;
}

static inline void fill_lfts(odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	odo_error err;
	odo_arena memory = {0};
	uint8_t *dist = NULL;
	if (odo_distances(f, &memory, &dist, &err))
		abort();
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t lid = 1; lid < f->lid_count; lid++) {
			uint32_t d = f->lid_switch[lid];
			uint8_t *entry = &t->lft[(size_t)s * f->lid_count + lid];
			if (d == s)
				*entry = f->lid_port[lid];
			for (unsigned p = 1; d != ODO_NONE && d != s && p <= odo_n_ports(f, s);
			     p++) {
				uint32_t v = odo_next_switch(f, odo_slot(f, s, p));
				if (v != ODO_NONE && dist[(size_t)v * f->n_switches + d] + 1 ==
							     dist[(size_t)s * f->n_switches + d]) {
					*entry = (uint8_t)p;
					break;
				}
			}
		}
	}
	odo_arena_free(&memory);
}

/* Maps of SL sl to VL (sl + in + 3 * out) % vls; SLs of pairs (s + 5 * lid) % sls. */
static inline void fill_sls(odo_tables *t, unsigned sls, unsigned vls)
{
	const odo_fabric *f = t->fabric;
	odo_error err;
	t->sl_of_pair = calloc((size_t)f->n_switches * f->lid_count, 1);
	for (size_t i = 0; i < (size_t)f->n_switches * f->lid_count; i++)
		if (f->lid_switch[i % f->lid_count] != ODO_NONE)
			t->sl_of_pair[i] = (uint8_t)((i / f->lid_count + 5 * i) % sls);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++) {
			for (unsigned out = 1; out <= odo_n_ports(f, s); out++) {
				odo_sl2vl map;
				if (f->peer[odo_slot(f, s, out)] == ODO_NONE)
					continue;
				for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
					map.vl[sl] = (uint8_t)((sl + in + 3 * out) % vls);
				if (odo_tables_row(t, &map, odo_sl2vl_entry(t, s, in, out), &err))
					abort();
			}
		}
	}
	for (uint32_t h = 0; h < f->n_hosts; h++)
		t->host_row[h] = (uint16_t)(h % t->n_rows);
	t->n_sls = (uint8_t)sls;
	t->n_vls = (uint8_t)vls;
}

static inline odo_tables *make_tables(const odo_fabric *f, unsigned sls, unsigned vls)
{
	odo_tables *t = NULL;
	odo_error err;
	if (odo_tables_create(f, "filler", &t, &err))
		abort();
	fill_lfts(t);
	if (sls)
		fill_sls(t, sls, vls);
	return t;
}

#endif

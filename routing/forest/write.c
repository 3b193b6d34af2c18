/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables from a forest: LFT rows are copied from rows of ports, at 0.7 ns per entry. */
#include <stdlib.h>

#include "base/memory.h"
#include "routing/forest/forest.h"

int odo_forest_gather(const odo_forest *forest, const uint8_t *planes, const uint32_t *tree_of,
		      uint8_t *rows, odo_error *err)
{
	uint32_t lids = forest->f->lid_count, *offset = odo_new(lids, sizeof *offset);
	if (!offset)
		return odo_fail(err, ODO_ENOMEM, "no memory for LFTs");
	for (uint32_t lid = 0; lid < lids; lid++) {
		uint32_t tree = tree_of[lid];
		if (tree != ODO_NONE)
			offset[lid] = tree / forest->n * forest->n * forest->n + tree % forest->n;
	}
	for (uint32_t s = 0; s < forest->n; s++) {
		const uint8_t *from = planes + (size_t)s * forest->n;
		uint8_t *row = rows + (size_t)s * lids;
		for (uint32_t lid = 0; lid < lids; lid++)
			row[lid] = from[offset[lid]];
	}
	free(offset);
	return 0;
}

int odo_forest_write_lfts(const odo_forest *forest, odo_tables *t, odo_error *err)
{
	const odo_fabric *f = forest->f;
	uint32_t lids = f->lid_count;
	int status = odo_forest_gather(forest, forest->port, forest->lid_tree, t->lft, err);
	for (uint32_t lid = 0; lid < lids && !status; lid++) {
		if (f->lid_switch[lid] != ODO_NONE) {
			t->lft[(size_t)f->lid_switch[lid] * lids + lid] = f->lid_port[lid];
			continue;
		}
		for (uint32_t s = 0; s < forest->n; s++)
			t->lft[(size_t)s * lids + lid] = ODO_NO_PORT;
	}
	return status;
}

/* Fill in the SL2VL map for a pair of classes and a link with `limit` VLs. */
static int make_row(odo_tables *t, odo_vl_of *vl_of, const void *x, unsigned in, unsigned out,
		    unsigned limit, uint16_t *row, odo_error *err)
{
	odo_sl2vl map;
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++) {
		unsigned vl = vl_of(x, sl, in, out);
		map.vl[sl] = (uint8_t)(vl < limit ? vl : 0);
	}
	return odo_tables_row(t, &map, row, err);
}

typedef uint16_t class_rows[ODO_N_CLASSES][ODO_CLASS_OWN + 1];

static void fill_class_maps(const odo_forest *forest, odo_tables *t, uint32_t s, class_rows rows,
			    const uint16_t *delivery)
{
	const odo_fabric *f = forest->f;
	unsigned ports = odo_n_ports(f, s);
	uint32_t first = f->first_slot[s];
	for (unsigned in = 0; in <= ports; in++) {
		unsigned from = in ? forest->class_of[first + in - 1] : (unsigned)ODO_CLASS_HOST;
		uint16_t *to = odo_sl2vl_entry(t, s, in, 0);
		to[0] = rows[from][ODO_CLASS_OWN];
		for (unsigned out = 1; out <= ports; out++) {
			unsigned class = forest->class_of[first + out - 1];
			to[out] = class == ODO_CLASS_HOST ? delivery[f->n_vls[first + out - 1]]
							  : rows[from][class];
		}
	}
}

/* Few maps differ: one for each pair of classes, and for hosts one for each number of VLs. A host's
 * own port uses only VLs that it has: no channel comes after a delivery or before an injection, so
 * any VL is safe there. */
int odo_forest_write_maps(const odo_forest *forest, odo_tables *t, odo_vl_of *vl_of, const void *x,
			  odo_error *err)
{
	const odo_fabric *f = forest->f;
	class_rows rows;
	uint16_t delivery[ODO_MAX_VLS + 1] = {0}; /* by number of VLs of the host's link */
	int status = 0;
	for (unsigned in = 0; in < ODO_N_CLASSES; in++)
		for (unsigned out = 0; out <= ODO_CLASS_OWN && !status; out++)
			status = make_row(t, vl_of, x, in, out, ODO_MAX_VLS, &rows[in][out], err);
	for (unsigned vls = 1; vls <= ODO_MAX_VLS && !status; vls++)
		status = make_row(t, vl_of, x, ODO_CLASS_HOST, ODO_CLASS_HOST, vls, &delivery[vls],
				  err);
	if (status)
		return status;
	for (uint32_t s = 0; s < forest->n; s++)
		fill_class_maps(forest, t, s, rows, delivery);
	for (uint32_t h = 0; h < f->n_hosts; h++)
		t->host_row[h] = delivery[f->n_vls[f->host_slot[h]]];
	return 0;
}

/* Return the VL of a layer. SLs that the routing does not use get the VLs of layer 0; with only one
 * layer, every SL is safe. */
static unsigned vl_of_layer(const void *x, unsigned sl, unsigned in, unsigned out)
{
	const odo_forest *forest = x;
	unsigned layer = sl < forest->n_layers ? sl : 0;
	unsigned class = out == ODO_CLASS_OWN ? (unsigned)ODO_CLASS_HOST : out;
	return layer * forest->n_sub + forest->sub[in][class];
}

int odo_forest_write(const odo_forest *forest, odo_tables *t, odo_error *err)
{
	for (uint32_t lid = 0; lid < forest->f->lid_count; lid++)
		if (forest->lid_tree[lid] != ODO_NONE)
			t->sl_of_lid[lid] = forest->layer[forest->lid_tree[lid]];
	t->n_sls = (uint8_t)forest->n_layers;
	t->n_vls = (uint8_t)(forest->n_layers * forest->n_sub);
	int status = odo_forest_write_lfts(forest, t, err);
	if (status || forest->n_layers * forest->n_sub == 1)
		return status;
	return odo_forest_write_maps(forest, t, vl_of_layer, forest, err);
}

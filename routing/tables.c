/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/adaptive.h"

static int allocate_tables(odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	size_t lids = f->lid_count, switches = f->n_switches;
	t->lft = malloc(lids * switches + 1);
	t->sl_of_lid = odo_new(lids, 1);
	t->sl2vl_at = odo_new(switches + 1, sizeof *t->sl2vl_at);
	t->host_row = odo_new(f->n_hosts, sizeof *t->host_row);
	if (!t->lft || !t->sl_of_lid || !t->sl2vl_at || !t->host_row)
		return ODO_ENOMEM;
	for (uint32_t s = 0; s < switches; s++) {
		uint32_t sides = odo_n_ports(f, s) + 1;
		if (sides * sides > UINT32_MAX - t->sl2vl_at[s])
			return ODO_ENOMEM;
		t->sl2vl_at[s + 1] = t->sl2vl_at[s] + sides * sides;
	}
	t->sl2vl = odo_new(t->sl2vl_at[switches], sizeof *t->sl2vl);
	return t->sl2vl ? 0 : ODO_ENOMEM;
}

int odo_tables_create(const odo_fabric *f, const char *engine, odo_tables **out, odo_error *err)
{
	if (f->lids_by_part)
		return odo_fail(err, ODO_EINPUT,
				"expected one subnet, found %d parts that have the same LIDs: take "
				"each by itself (--part 1)",
				odo_fabric_parts(f, NULL, NULL));
	if (!f->lid_count)
		return odo_fail(err, ODO_EDECLINE,
				"%u hosts and %u switches, with 2^LMC LIDs a host, are more than "
				"InfiniBand's %u unicast LIDs",
				f->n_hosts, f->n_switches, ODO_LID_LIMIT - 1);
	odo_tables *t = odo_new(1, sizeof *t);
	odo_sl2vl zero = {{0}};
	uint16_t row;
	if (!t)
		return odo_fail(err, ODO_ENOMEM, "no memory for tables");
	t->fabric = f;
	t->n_vls = t->n_sls = 1;
	snprintf(t->engine, sizeof t->engine, "%s", engine);
	if (allocate_tables(t) || odo_tables_row(t, &zero, &row, NULL)) {
		odo_tables_free(t);
		return odo_fail(err, ODO_ENOMEM, "no memory for tables of %u switches and %u LIDs",
				f->n_switches, f->lid_count);
	}
	memset(t->lft, ODO_NO_PORT, (size_t)f->n_switches * f->lid_count);
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t k = 0; f->switch_lid[s] && k < 1u << f->switch_lmc[s]; k++)
			t->lft[(size_t)s * f->lid_count + f->switch_lid[s] + k] = 0;
	*out = t;
	return 0;
}

void odo_tables_free(odo_tables *t)
{
	if (!t)
		return;
	if (t->adaptive && t->adaptive->free_state)
		t->adaptive->free_state(t->adaptive->state);
	free(t->adaptive);
	free(t->lft);
	free(t->sl_of_lid);
	free(t->sl_of_pair);
	free(t->held_of_lid);
	free(t->held_of_pair);
	free(t->rows);
	free(t->sl2vl);
	free(t->sl2vl_at);
	free(t->host_row);
	free(t->strays.lid);
	free(t->strays.port);
	free(t->served);
	free(t->proved);
	odo_tables_free(t->goal);
	free(t);
}

void odo_tables_forget_proof(odo_tables *t)
{
	free(t->proved);
	t->proved = NULL;
}

uint64_t odo_tables_missing(const odo_tables *t)
{
	size_t n = (size_t)t->fabric->n_switches * t->fabric->lid_count;
	uint64_t missing = 0;
	for (size_t i = 0; t->goal && i < n; i++)
		missing += t->lft[i] == ODO_NO_PORT && t->goal->lft[i] != ODO_NO_PORT;
	return missing;
}

/* Copy an array, which may be NULL. @return false without memory */
static bool copy_optional(void *to, const void *from, size_t n, size_t size)
{
	void *array = from ? odo_new(n, size) : NULL;
	if (array)
		memcpy(array, from, n * size);
	memcpy(to, &array, sizeof array);
	return array || !from;
}

int odo_tables_copy(const odo_tables *t, odo_tables **out, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	size_t n = (size_t)f->n_switches * f->lid_count;
	odo_tables *copy = odo_new(1, sizeof *copy);
	if (!copy)
		return odo_fail(err, ODO_ENOMEM, "no memory to copy tables");
	*copy = *t;
	bool room = copy_optional(&copy->lft, t->lft, n, 1);
	room &= copy_optional(&copy->sl_of_lid, t->sl_of_lid, f->lid_count, 1);
	room &= copy_optional(&copy->sl_of_pair, t->sl_of_pair, n, 1);
	room &= copy_optional(&copy->held_of_lid, t->held_of_lid, f->lid_count,
			      sizeof *t->held_of_lid);
	room &= copy_optional(&copy->held_of_pair, t->held_of_pair, n, sizeof *t->held_of_pair);
	room &= copy_optional(&copy->rows, t->rows, t->n_rows, sizeof *t->rows);
	room &= copy_optional(&copy->sl2vl, t->sl2vl, t->sl2vl_at[f->n_switches], sizeof *t->sl2vl);
	room &= copy_optional(&copy->sl2vl_at, t->sl2vl_at, f->n_switches + 1ul,
			      sizeof *t->sl2vl_at);
	room &= copy_optional(&copy->host_row, t->host_row, f->n_hosts, sizeof *t->host_row);
	room &= copy_optional(&copy->served, t->served, f->n_slots, sizeof *t->served);
	room &= copy_optional(&copy->strays.lid, t->strays.lid, t->strays.n, sizeof *t->strays.lid);
	room &= copy_optional(&copy->strays.port, t->strays.port,
			      (size_t)t->strays.n * f->n_switches, 1);
	copy->rows_room = t->n_rows;
	copy->strays.lids = t->strays.n;
	copy->strays.room = (size_t)t->strays.n * f->n_switches;
	copy->adaptive = NULL;
	copy->proved = NULL;
	copy->goal = NULL;
	if (room) {
		*out = copy;
		return 0;
	}
	odo_tables_free(copy);
	return odo_fail(err, ODO_ENOMEM, "no memory to copy tables");
}

int odo_tables_row(odo_tables *t, const odo_sl2vl *map, uint16_t *row, odo_error *err)
{
	for (uint32_t i = 0; i < t->n_rows; i++) {
		if (!memcmp(&t->rows[i], map, sizeof *map)) {
			*row = (uint16_t)i;
			return 0;
		}
	}
	if (t->n_rows == UINT16_MAX)
		return odo_fail(err, ODO_EDECLINE, "more than %u distinct SL2VL maps", UINT16_MAX);
	if (odo_grow(&t->rows, &t->rows_room, t->n_rows + 1ul, sizeof *t->rows))
		return odo_fail(err, ODO_ENOMEM, "no memory for SL2VL maps");
	t->rows[t->n_rows] = *map;
	*row = (uint16_t)t->n_rows++;
	return 0;
}

void odo_tables_tell(const odo_tables *t, const char *what, size_t done, size_t n)
{
	char text[96];
	if (!t->watch)
		return;
	snprintf(text, sizeof text, "%s %s", what, t->engine);
	odo_tell(t->watch, text, done, n);
}

bool odo_tables_sls_alike(const odo_tables *t)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		for (unsigned sl = 1; sl < ODO_N_SLS; sl++)
			if (t->rows[row].vl[sl] != t->rows[row].vl[0])
				return false;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Columns that differ between two tables: mostly few. Rows are compared as they are stored. */
#include <string.h>

#include "fabric/twins.h"
#include "routing/transition/internal.h"

/* Number of LIDs compared at once. */
#define TOGETHER 64u

static uint32_t lids_of_both(const odo_change *x)
{
	return x->f->lid_count < x->then->lid_count ? x->f->lid_count : x->then->lid_count;
}

static void mark_other_ports(odo_change *x, const uint8_t *was, const uint8_t *is)
{
	uint32_t n = lids_of_both(x);
	for (uint32_t lid = 0, end; lid < n; lid = end) {
		end = lid + TOGETHER < n ? lid + TOGETHER : n;
		if (!memcmp(was + lid, is + lid, end - lid))
			continue;
		for (uint32_t i = lid; i < end; i++)
			x->differs[i] |= was[i] != is[i] ? ODO_OTHER_WAY | ODO_OTHERWISE : 0;
	}
}

static void mark_other_sls(odo_change *x, const odo_deeds *was, const odo_deeds *is)
{
	for (uint32_t lid = 0; lid < lids_of_both(x); lid++)
		if (odo_deed_sls(was, lid) != odo_deed_sls(is, lid))
			x->differs[lid] |= ODO_OTHERWISE;
}

static bool has_sls_by_pair(const odo_tables *t)
{
	return t->sl_of_pair || t->held_of_pair;
}

static void mark_over_gone(odo_change *x, uint32_t s, const uint8_t *port)
{
	bool gone[UINT8_MAX + 1] = {false}, any = false;
	for (unsigned p = 1; p <= odo_n_ports(x->f, s); p++) {
		gone[p] = odo_next_switch(x->then, odo_slot(x->then, x->at[s], p)) != ODO_NONE &&
			  !odo_same_cable(x->f, odo_slot(x->f, s, p), x->then, x->at);
		any |= gone[p];
	}
	for (uint32_t lid = 0; any && lid < lids_of_both(x); lid++)
		if (gone[port[lid]])
			x->differs[lid] |= ODO_OVER_GONE;
}

/* @param by_lid SLs that all switches share are compared here, too */
static void compare_rows(odo_change *x, uint32_t s, bool by_lid)
{
	const odo_deeds was = odo_deeds_of(&x->mix.side[0], s),
			is = odo_deeds_of(&x->mix.side[1], s);
	mark_other_ports(x, was.port, is.port);
	if (by_lid || has_sls_by_pair(x->before) || has_sls_by_pair(x->now))
		mark_other_sls(x, &was, &is);
	mark_over_gone(x, s, was.port);
}

void odo_change_compare(odo_change *x)
{
	bool by_lid = true;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		if (x->at[s] == ODO_NONE) {
			memset(x->differs, ODO_OTHER_WAY | ODO_OTHERWISE | ODO_OVER_GONE,
			       x->f->lid_count);
			continue;
		}
		compare_rows(x, s, by_lid);
		by_lid = false;
	}
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets whose SL is not the one of their path.
 *
 * Applications that ask for no path record send all their packets on one SL. These packets follow
 * the LFTs like all others, and only their VLs differ. So the tables are followed once more with
 * this SL on every path, and the dependencies found are added to those of the path SLs.
 */
#include "routing/verify/sls.h"

#include <stdio.h>
#include <stdlib.h>

#include "routing/verify/internal.h"

/* Tables that are judged for SLs other than the path's. */
typedef struct sl_proof {
	odo_tables view; /* the tables, with SL 0 standing for the SL under judgement */
	const odo_tables *t;
	odo_arena memory;
	odo_sl2vl *rows;      /* [n_rows] of the view */
	uint8_t *sl_of_lid;   /* [lid_count] zeros */
	odo_dependencies all; /* dependencies of all packets that are safe at the same time */
} sl_proof;

static bool have_equal_maps(const odo_tables *t, unsigned a, unsigned b)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (t->rows[row].vl[a] != t->rows[row].vl[b])
			return false;
	return true;
}

/* Return the SLs from `sl` on that have the same maps as `sl`, a bit each. */
static unsigned alike_sls(const odo_tables *t, unsigned sl)
{
	unsigned sls = 0;
	for (unsigned other = sl; other < ODO_N_SLS; other++)
		sls |= (unsigned)have_equal_maps(t, sl, other) << other;
	return sls;
}

/* Return the number of VLs that any SL needs. Graphs of equal size can be joined. */
static uint8_t count_needed_vls(const odo_tables *t)
{
	unsigned n = t->n_vls;
	for (uint32_t row = 0; row < t->n_rows; row++)
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++) {
			unsigned vl = t->rows[row].vl[sl];
			n = vl < ODO_MAX_VLS && vl >= n ? vl + 1 : n;
		}
	return (uint8_t)n;
}

static void show_sl(sl_proof *x, unsigned sl)
{
	for (uint32_t row = 0; row < x->t->n_rows; row++)
		x->rows[row].vl[0] = x->t->rows[row].vl[sl];
}

static int has_cycle(const odo_dependencies *deps, bool *found, odo_error *err)
{
	odo_channel *cycle = NULL;
	uint32_t n;
	int status = odo_dependencies_cycle(deps, &cycle, &n, err);
	*found = cycle;
	free(cycle);
	return status;
}

static void join_dependencies(const odo_dependencies *to, const odo_dependencies *from)
{
	for (size_t i = 0; i < (size_t)to->n_channels * to->words; i++)
		to->bits[i] |= from->bits[i];
}

/* Judge SLs with equal maps. Add their dependencies to `all` if that closes no cycle. */
static int judge_equal_sls(sl_proof *x, unsigned sls, odo_sl_verdict *verdict, odo_error *err)
{
	odo_dependencies own = {0};
	bool sound = false, cycle = true;
	show_sl(x, (unsigned)__builtin_ctz(sls));
	int status = odo_verify_follow(&x->view, &own, &sound, err);
	if (!status && sound)
		status = has_cycle(&own, &cycle, err);
	if (!status && !cycle)
		verdict->alone |= (uint16_t)sls;
	if (!status && !cycle && x->all.bits) {
		join_dependencies(&own, &x->all);
		status = has_cycle(&own, &cycle, err);
		if (!status && !cycle) {
			odo_dependencies before = x->all;
			x->all = own;
			own = before;
			verdict->beside |= (uint16_t)sls;
		}
	}
	odo_dependencies_clear(&own);
	return status;
}

/* Collect the dependencies of packets with path SLs. */
static int follow_path_sls(sl_proof *x, odo_error *err)
{
	odo_tables paths = *x->t;
	bool sound;
	paths.n_vls = x->view.n_vls;
	return odo_verify_follow(&paths, &x->all, &sound, err);
}

static int prepare_sl_proof(sl_proof *x, const odo_tables *t, odo_error *err)
{
	x->t = t;
	x->rows = odo_arena_new(&x->memory, t->n_rows, sizeof *x->rows);
	x->sl_of_lid = odo_arena_new(&x->memory, t->fabric->lid_count, 1);
	if (x->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify SLs");
	x->view = *t;
	x->view.n_vls = count_needed_vls(t);
	x->view.n_sls = 1;
	x->view.rows = x->rows;
	x->view.sl_of_lid = x->sl_of_lid;
	x->view.sl_of_pair = NULL;
	x->view.held_of_lid = x->view.held_of_pair = NULL;
	return 0;
}

static int judge_all(const odo_tables *t, bool proved, odo_sl_verdict *verdict, odo_error *err)
{
	sl_proof x = {0};
	int status = prepare_sl_proof(&x, t, err);
	if (!status && t->from.assumes_sls)
		status = odo_dependencies_init(&x.all, t->fabric, x.view.n_vls, err);
	else if (!status && proved)
		status = follow_path_sls(&x, err);
	for (unsigned left = ODO_ALL_SLS; left && !status;) {
		unsigned sls = alike_sls(t, (unsigned)__builtin_ctz(left));
		status = judge_equal_sls(&x, sls, verdict, err);
		left &= ~sls;
	}
	odo_dependencies_clear(&x.all);
	odo_arena_free(&x.memory);
	return status;
}

int odo_verify_sls(const odo_tables *t, bool proved, odo_sl_verdict *verdict, odo_error *err)
{
	*verdict = (odo_sl_verdict){0};
	if (t->adaptive)
		return 0;
	verdict->judged = ODO_ALL_SLS;
	if (!odo_tables_sls_alike(t))
		return judge_all(t, proved, verdict, err);
	verdict->alone = verdict->beside = proved ? ODO_ALL_SLS : 0;
	return 0;
}

const char *odo_write_sls(unsigned sls, char text[ODO_SLS_TEXT])
{
	size_t n = 0;
	text[0] = 0;
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++) {
		unsigned end = sl;
		if (!(sls >> sl & 1))
			continue;
		while (end + 1 < ODO_N_SLS && sls >> (end + 1) & 1)
			end++;
		n += (size_t)snprintf(text + n, ODO_SLS_TEXT - n, end > sl ? "%s%u-%u" : "%s%u",
				      n ? "," : "", sl, end);
		sl = end;
	}
	if (!n)
		snprintf(text, ODO_SLS_TEXT, "none");
	return text;
}

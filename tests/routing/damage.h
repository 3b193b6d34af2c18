/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables damaged an entry at a time, and what the verifier and a plain walk make of them. */
#ifndef ODONATA_TESTS_ROUTING_DAMAGE_H
#define ODONATA_TESTS_ROUTING_DAMAGE_H

#include "base/random.h"
#include "naive.h"

enum { LFT, SL2VL, ROW, SL_OF_LID, SL_OF_PAIR, HOST_ROW, N_DAMAGES };

typedef struct damage_tally {
	unsigned n, sound, lost, deadlocked, beyond;
} damage_tally;

/* A map of its own for a place that shares one, so that one entry can be damaged. */
static inline uint16_t damage_map(odo_tables *t, uint16_t row, odo_rng *rng)
{
	odo_sl2vl map = t->rows[row];
	odo_error err;
	unsigned sl = odo_rng_below(rng, t->n_sls), vl = odo_rng_below(rng, t->n_vls + 1u);
	map.vl[sl] = (uint8_t)(vl < t->n_vls ? vl : odo_rng_below(rng, 16));
	assert_int_equal(odo_tables_row(t, &map, &row, &err), 0);
	return row;
}

static inline void damage_lft(odo_tables *t, odo_rng *rng)
{
	const odo_fabric *f = t->fabric;
	uint32_t s = odo_rng_below(rng, f->n_switches), lid = odo_rng_below(rng, f->lid_count);
	unsigned port = odo_rng_below(rng, odo_n_ports(f, s) + 3);
	t->lft[(size_t)s * f->lid_count + lid] = (uint8_t)(port < odo_n_ports(f, s) + 2
								   ? port
								   : ODO_NO_PORT);
}

/* SLs of single pairs, where all to a LID had one. */
static inline void damage_pair(odo_tables *t, odo_rng *rng)
{
	const odo_fabric *f = t->fabric;
	size_t n = (size_t)f->n_switches * f->lid_count;
	if (!t->sl_of_pair) {
		t->sl_of_pair = malloc(n + 1);
		for (uint32_t s = 0; s < f->n_switches; s++)
			memcpy(t->sl_of_pair + (size_t)s * f->lid_count, t->sl_of_lid,
			       f->lid_count);
	}
	for (unsigned i = odo_rng_below(rng, 2 * f->n_switches); i; i--)
		t->sl_of_pair[odo_rng_below(rng, (uint32_t)n)] = (uint8_t)odo_rng_below(rng,
											t->n_sls);
}

static inline void damage(odo_tables *t, unsigned what, odo_rng *rng)
{
	const odo_fabric *f = t->fabric;
	uint32_t i;
	switch (what) {
	case LFT:
		damage_lft(t, rng);
		break;
	case SL2VL:
		i = odo_rng_below(rng, t->sl2vl_at[f->n_switches]);
		t->sl2vl[i] = damage_map(t, t->sl2vl[i], rng);
		break;
	case ROW:
		i = odo_rng_below(rng, t->n_rows);
		t->rows[i].vl[odo_rng_below(rng, t->n_sls)] = (uint8_t)odo_rng_below(rng, t->n_vls);
		break;
	case SL_OF_LID:
		t->sl_of_lid[odo_rng_below(rng, f->lid_count)] = (uint8_t)odo_rng_below(rng,
											t->n_sls);
		break;
	case SL_OF_PAIR:
		damage_pair(t, rng);
		break;
	default:
		i = odo_rng_below(rng, f->n_hosts);
		t->host_row[i] = damage_map(t, t->host_row[i], rng);
	}
}

static inline void damage_compare(const odo_tables *t, damage_tally *all)
{
	odo_verdict verdict = {0};
	odo_error err = {0};
	naive x = naive_check(t);
	int status = odo_verify(t, &verdict, &err);
	bool sound = x.delivers && x.deadlock_free && x.within_vls;
	assert_int_equal(status, sound ? 0 : ODO_EUNSAFE);
	assert_int_equal(verdict.delivers, x.delivers);
	if (x.delivers) { /* what is lost, or goes round, is not followed to the end by both */
		assert_int_equal(verdict.deadlock_free, x.deadlock_free);
		if (x.within_vls)
			assert_int_equal(verdict.n_dependencies, x.n_waits);
		assert_int_equal(verdict.max_hops, x.max_hops);
		assert_int_equal(verdict.within_vls, x.within_vls);
	}
	all->n++;
	all->sound += sound;
	all->lost += !x.delivers;
	all->deadlocked += !x.deadlock_free;
	all->beyond += !x.within_vls;
	odo_verdict_clear(&verdict);
}

#endif

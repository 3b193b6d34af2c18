/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Losses at random, for benches of changes. */
#ifndef ODONATA_BENCH_LOSE_H
#define ODONATA_BENCH_LOSE_H

#include <stdlib.h>

#include "base/random.h"
#include "bench/must.h"
#include "fabric/transform/transform.h"

/** Return a fabric without a cable between switches, or without a switch that has one. */
static inline odo_fabric *bench_lose(const odo_fabric *f, bool a_switch, odo_rng *rng)
{
	uint8_t *gone = calloc(f->n_nodes, 1), *cut = calloc(f->n_slots, 1);
	odo_fabric *out;
	odo_error err = {.text = "no memory"};
	uint32_t slot;
	bench_must(gone && cut ? 0 : ODO_ENOMEM, &err);
	do
		slot = odo_rng_below(rng, f->first_slot[f->n_switches]);
	while (odo_next_switch(f, slot) == ODO_NONE);
	gone[f->owner[slot]] = a_switch;
	cut[slot] = !a_switch;
	bench_must(odo_fabric_without(f, gone, cut, &out, NULL, &err), &err);
	free(gone);
	free(cut);
	return out;
}

#endif

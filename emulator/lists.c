/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A worker's lists of one cycle, for the largest of its parts. */
#include <stdlib.h>

#include "emulator/ahead.h"

static bool make_round(odo_round *r, size_t ports, unsigned lane_bits)
{
	r->members = odo_new(ports / 64 + 1, sizeof *r->members);
	r->touched = odo_new(ports / 64 + 1, sizeof *r->touched);
	r->served = odo_new(ports / 64 + 1, sizeof *r->served);
	r->free_in = odo_new(ports / 64 + 1, sizeof *r->free_in);
	r->free_out = odo_new(ports / 64 + 1, sizeof *r->free_out);
	r->best = odo_new(ports, sizeof *r->best);
	r->granted = odo_new(ports + ODO_LIST_SPARE, sizeof *r->granted);
	r->single = odo_new(ports + ODO_LIST_SPARE, sizeof *r->single);
	r->several = odo_new(ports + ODO_LIST_SPARE, sizeof *r->several);
	r->digits = odo_new((ports / 64) << lane_bits, sizeof *r->digits);
	r->blocked = odo_new((ports << lane_bits) + ODO_LIST_SPARE, sizeof *r->blocked);
	r->losers = odo_new(ports + 1, sizeof *r->losers);
	for (size_t i = 0; r->best && i < ports; i++)
		r->best[i] = ODO_NOBODY;
	return r->members && r->touched && r->served && r->free_in && r->free_out && r->best &&
	       r->granted && r->single && r->several && r->digits && r->blocked && r->losers;
}

static void free_round(odo_round *r)
{
	free(r->members);
	free(r->touched);
	free(r->served);
	free(r->free_in);
	free(r->free_out);
	free(r->best);
	free(r->granted);
	free(r->single);
	free(r->several);
	free(r->digits);
	free(r->blocked);
	free(r->losers);
}

int odo_worker_lists(const odo_world *w, odo_worker *k, odo_error *err)
{
	size_t ports = 0;
	for (uint32_t i = k->first_part; i < k->end_part; i++)
		if (w->parts[i].n_words * 64ul > ports)
			ports = w->parts[i].n_words * 64ul;
	k->heads = odo_new((ports << w->lane_bits) + 1, sizeof *k->heads);
	bool made = make_round(&k->round, ports, w->lane_bits) && k->heads;
	for (unsigned side = 0; side < ODO_N_SIDES; side++) {
		k->leaving[side].at = odo_new(ports, sizeof *k->leaving[side].at);
		k->going[side].at = odo_new(ports, sizeof *k->going[side].at);
		made &= k->leaving[side].at && k->going[side].at;
	}
	return made ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for lists of %zu ports", ports);
}

void odo_worker_free(odo_worker *k)
{
	for (unsigned side = 0; side < ODO_N_SIDES; side++) {
		free(k->leaving[side].at);
		free(k->going[side].at);
	}
	free_round(&k->round);
	odo_ahead_free(&k->ahead);
	free(k->heads);
	free(k->intervals);
}

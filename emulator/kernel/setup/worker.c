/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A worker's lists of one cycle, for the largest of its parts. */
#include <stdlib.h>

#include "emulator/kernel/cycle/prefetch.h"
#include "emulator/kernel/setup/setup.h"

static bool make_round(odo_round *r, size_t ports, unsigned lane_bits)
{
	r->members = odo_new(ports / 64 + 1, sizeof *r->members);
	r->touched = odo_new(ports / 64 + 1, sizeof *r->touched);
	r->served = odo_new(ports / 64 + 1, sizeof *r->served);
	r->free_in = odo_new(ports / 64 + 1, sizeof *r->free_in);
	r->free_out = odo_new(ports / 64 + 1, sizeof *r->free_out);
	r->granted = odo_new(ports + ODO_LIST_SPARE, sizeof *r->granted);
	r->single = odo_new(ports + ODO_LIST_SPARE, sizeof *r->single);
	r->several = odo_new(ports + ODO_LIST_SPARE, sizeof *r->several);
	r->digits = odo_new((ports / 64) << lane_bits, sizeof *r->digits);
	r->blocked = odo_new((ports << lane_bits) + ODO_LIST_SPARE, sizeof *r->blocked);
	r->losers = odo_new(ports + 1, sizeof *r->losers);
	return r->members && r->touched && r->served && r->free_in && r->free_out && r->granted &&
	       r->single && r->several && r->digits && r->blocked && r->losers;
}

static void free_round(odo_round *r)
{
	free(r->members);
	free(r->touched);
	free(r->served);
	free(r->free_in);
	free(r->free_out);
	free(r->granted);
	free(r->single);
	free(r->several);
	free(r->digits);
	free(r->blocked);
	free(r->losers);
}

/* For the hosts of a part. */
static bool make_draws(odo_worker *k, size_t hosts)
{
	odo_draws *draws = &k->draws;
	k->due = odo_new(hosts + 1, sizeof *k->due);
	draws->block = odo_new(hosts + ODO_DRAWS_SPARE, sizeof *draws->block);
	draws->stream = odo_new(hosts + ODO_DRAWS_SPARE, sizeof *draws->stream);
	draws->words = odo_new(hosts + ODO_DRAWS_SPARE, sizeof *draws->words);
	return k->due && draws->block && draws->stream && draws->words;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Counts of all hosts, since a worker's parts receive from any. */
static bool make_sources(const odo_world *w, odo_worker *k)
{
	if (!w->e->run.sources)
		return true;
	k->offered_by_host = odo_new(w->e->fabric->n_hosts, sizeof *k->offered_by_host);
	k->arrived_by_host = odo_new(w->e->fabric->n_hosts, sizeof *k->arrived_by_host);
	return k->offered_by_host && k->arrived_by_host;
}

int odo_worker_lists(const odo_world *w, odo_worker *k, odo_error *err)
{
	size_t ports = 0, hosts = 0;
	for (uint32_t i = k->first_part; i < k->end_part; i++) {
		ports = larger(ports, w->parts[i].n_words * 64ul);
		hosts = larger(hosts, w->parts[i].n_hosts);
	}
	k->heads = odo_new((ports << w->lane_bits) + 1, sizeof *k->heads);
	bool made = make_round(&k->round, ports, w->lane_bits) && make_draws(k, hosts) &&
		    make_sources(w, k) && k->heads;
	for (unsigned side = 0; side < ODO_N_SIDES; side++) {
		odo_leaving *leaving = &k->leaving[side];
		odo_going *going = &k->going[side];
		leaving->end = leaving->at = odo_new(ports, sizeof *leaving->at);
		going->end = going->at = odo_new(ports, sizeof *going->at);
		made &= leaving->at && going->at;
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
	odo_prefetch_free(&k->ahead);
	free(k->heads);
	free(k->due);
	free(k->draws.block);
	free(k->draws.stream);
	free(k->draws.words);
	free(k->intervals);
	free(k->offered_by_host);
	free(k->arrived_by_host);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of a worker for one cycle, sized for the largest of its parts. */
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
	r->askers = odo_new(ports + ODO_LIST_SPARE, sizeof *r->askers);
	r->digits = odo_new((ports / 64) << lane_bits, sizeof *r->digits);
	r->blocked = odo_new((ports << lane_bits) + ODO_LIST_SPARE, sizeof *r->blocked);
	r->losers = odo_new(ports + 1, sizeof *r->losers);
	return r->members && r->touched && r->served && r->free_in && r->free_out && r->granted &&
	       r->single && r->several && r->askers && r->digits && r->blocked && r->losers;
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
	free(r->askers);
	free(r->digits);
	free(r->blocked);
	free(r->losers);
}

static size_t larger_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Counters of all hosts, since a worker's parts receive from any host. */
static bool make_sources(const odo_world *w, odo_worker *worker)
{
	if (!w->e->run.sources)
		return true;
	worker->offered_by_host = odo_new(w->e->fabric->n_hosts, sizeof *worker->offered_by_host);
	worker->arrived_by_host = odo_new(w->e->fabric->n_hosts, sizeof *worker->arrived_by_host);
	return worker->offered_by_host && worker->arrived_by_host;
}

int odo_worker_lists(const odo_world *w, odo_worker *worker, odo_error *err)
{
	size_t ports = 0, hosts = 0;
	for (uint32_t i = worker->first_part; i < worker->end_part; i++) {
		ports = larger_size(ports, w->parts[i].n_words * 64ul);
		hosts = larger_size(hosts, w->parts[i].n_hosts);
	}
	worker->due = odo_new(hosts + 1, sizeof *worker->due);
	worker->drawn = odo_new(hosts + 1, sizeof *worker->drawn);
	worker->heads = odo_new((ports << w->lane_bits) + 1, sizeof *worker->heads);
	bool made = make_round(&worker->round, ports, w->lane_bits) && worker->due &&
		    worker->drawn && make_sources(w, worker) && worker->heads;
	for (unsigned side = 0; side < ODO_N_SIDES; side++) {
		odo_leaving *leaving = &worker->leaving[side];
		odo_going *going = &worker->going[side];
		leaving->end = leaving->at = odo_new(ports, sizeof *leaving->at);
		going->end = going->at = odo_new(ports, sizeof *going->at);
		made &= leaving->at && going->at;
	}
	return made ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for lists of %zu ports", ports);
}

void odo_worker_free(odo_worker *worker)
{
	for (unsigned side = 0; side < ODO_N_SIDES; side++) {
		free(worker->leaving[side].at);
		free(worker->going[side].at);
	}
	free_round(&worker->round);
	odo_prefetch_free(&worker->prefetch);
	free(worker->heads);
	free(worker->due);
	free(worker->drawn);
	free(worker->intervals);
	free(worker->offered_by_host);
	free(worker->arrived_by_host);
}

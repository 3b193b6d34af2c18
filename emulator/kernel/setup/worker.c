/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of a worker for one cycle, sized for the largest of its parts. */
#include <stdlib.h>

#include "emulator/kernel/cycle/prefetch.h"
#include "emulator/kernel/setup/setup.h"

static void make_round(odo_arena *memory, odo_round *r, size_t ports, unsigned lane_bits)
{
	size_t words = ports / 64 + 1, room = ports + ODO_LIST_SPARE;
	r->members = odo_arena_new(memory, words, sizeof *r->members);
	r->touched = odo_arena_new(memory, words, sizeof *r->touched);
	r->served = odo_arena_new(memory, words, sizeof *r->served);
	r->free_in = odo_arena_new(memory, words, sizeof *r->free_in);
	r->free_out = odo_arena_new(memory, words, sizeof *r->free_out);
	r->granted = odo_arena_new(memory, room, sizeof *r->granted);
	r->single = odo_arena_new(memory, room, sizeof *r->single);
	r->several = odo_arena_new(memory, room, sizeof *r->several);
	r->askers = odo_arena_new(memory, room, sizeof *r->askers);
	r->digits = odo_arena_new(memory, (ports / 64) << lane_bits, sizeof *r->digits);
	r->blocked = odo_arena_new(memory, (ports << lane_bits) + ODO_LIST_SPARE,
				   sizeof *r->blocked);
	r->losers = odo_arena_new(memory, ports + 1, sizeof *r->losers);
}

static size_t larger_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Counters of all hosts, since a worker's parts receive from any host. */
static void make_sources(const odo_world *w, odo_worker *worker)
{
	uint32_t n = w->e->fabric->n_hosts;
	if (!w->e->run.sources)
		return;
	worker->offered_by_host = odo_arena_new(&worker->memory, n,
						sizeof *worker->offered_by_host);
	worker->arrived_by_host = odo_arena_new(&worker->memory, n,
						sizeof *worker->arrived_by_host);
}

int odo_worker_lists(const odo_world *w, odo_worker *worker, odo_error *err)
{
	size_t ports = 0, hosts = 0;
	for (uint32_t i = worker->first_part; i < worker->end_part; i++) {
		ports = larger_size(ports, w->parts[i].n_words * 64ul);
		hosts = larger_size(hosts, w->parts[i].n_hosts);
	}
	odo_arena *memory = &worker->memory;
	worker->due = odo_arena_new(memory, hosts + 1, sizeof *worker->due);
	worker->heads = odo_arena_new(memory, (ports << w->lane_bits) + 1, sizeof *worker->heads);
	make_round(memory, &worker->round, ports, w->lane_bits);
	make_sources(w, worker);
	for (unsigned side = 0; side < ODO_N_SIDES; side++) {
		odo_leaving *leaving = &worker->leaving[side];
		odo_going *going = &worker->going[side];
		leaving->end = leaving->at = odo_arena_new(memory, ports, sizeof *leaving->at);
		going->end = going->at = odo_arena_new(memory, ports, sizeof *going->at);
	}
	return memory->failed ? odo_fail(err, ODO_ENOMEM, "no memory for lists of %zu ports", ports)
			      : 0;
}

void odo_worker_free(odo_worker *worker)
{
	odo_arena_free(&worker->memory);
	odo_prefetch_free(&worker->prefetch);
	free(worker->intervals);
}

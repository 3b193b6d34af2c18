/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Run by windows. A window is as long as the smallest latency between parts, so no message reaches
 * another part within a window. Parts receive the messages of a window at the start of the next
 * one, from inboxes that alternate. So each window needs only one barrier.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/strategies.h"
#include "emulator/kernel/cycle/prefetch.h"
#include "emulator/kernel/cycle/source.h"
#include "emulator/kernel/measure/measure.h"
#include "emulator/kernel/measure/steady.h"
#include "emulator/kernel/run/conserve.h"
#include "emulator/kernel/run/idle.h"
#include "emulator/kernel/run/ranks.h"
#include "emulator/kernel/run/run.h"
#include "emulator/kernel/setup/setup.h"

#define PATIENCE 20000u

/* Threads wait for a word: all of them run, or none if a thread could not be started. */
struct gang {
	odo_world *world;
	pthread_barrier_t barrier;
	pthread_mutex_t lock;
	pthread_cond_t said;
	enum { WAIT, GO, LEAVE } word;
};

struct member {
	struct gang *gang;
	odo_worker *worker;
};

static bool warming_up(const odo_world *w, uint64_t now)
{
	return w->e->run.steady && now < w->measure_from;
}

/* Return the end of the next window. Windows end at cycles between which something must happen.
 * @param due the cycle before which nothing else happens, or a past cycle */
static uint64_t next_cut(const odo_world *w, uint64_t now, uint64_t due)
{
	const odo_run_options *r = &w->e->run;
	uint64_t until = now + (odo_conserves(w) ? 1 : w->lookahead), cut = odo_measure_cut(w, now),
		 batch = w->steady.batch;
	if (until > (now / ODO_LONGEST_WINDOW + 1) * ODO_LONGEST_WINDOW)
		until = (now / ODO_LONGEST_WINDOW + 1) * ODO_LONGEST_WINDOW;
	if (due > now)
		until = due;
	if (warming_up(w, now) && (now / batch + 1) * batch < cut)
		cut = (now / batch + 1) * batch;
	for (uint32_t i = 0; i < r->n_failures; i++)
		if (r->failures[i].cycle > now && r->failures[i].cycle < cut)
			cut = r->failures[i].cycle;
	return cut < until ? cut : until;
}

/* The cable of a slot fails: it gets no more grants, but packets already on it arrive. */
static void fail_end(odo_worker *worker, uint32_t slot)
{
	const odo_world *w = worker->world;
	const odo_fabric *f = w->e->fabric;
	uint32_t node = slot == ODO_NONE ? ODO_NONE : f->owner[slot];
	if (node >= f->n_switches || w->parts[w->part_of[node]].worker != worker)
		return;
	odo_part *part = &w->parts[w->part_of[node]];
	uint32_t port = (w->local_of[node] << w->port_bits) + slot - f->first_slot[node];
	odo_set_bit(part->dead, port);
	odo_clear_bit(part->free_out, port);
}

static void fail_cables(odo_worker *worker, uint64_t now)
{
	const odo_run_options *r = &worker->world->e->run;
	for (uint32_t i = 0; i < r->n_failures; i++)
		if (r->failures[i].cycle == now) {
			fail_end(worker, r->failures[i].slot);
			fail_end(worker, worker->world->e->fabric->peer[r->failures[i].slot]);
		}
}

/* Run a part's window, batch by batch. Parts take turns in the cache. */
static void run_part_window(odo_part *part, uint32_t until)
{
	odo_part_receive(part, until);
	for (uint64_t now = part->now; now < until;) {
		uint64_t end = odo_measure_batch(part->worker, now);
		now = end < until ? end : until;
		part->world->run(part, (uint32_t)now);
	}
}

/* Run a window of a worker's parts.
 * @param skip nothing happens in this window
 * @param ask  perhaps nothing happens after it */
static void run_window(odo_worker *worker, uint32_t from, uint32_t until, unsigned odd, bool skip,
		       bool ask)
{
	odo_progress *status = &worker->status[odd];
	*status = (odo_progress){.due = ask ? UINT32_MAX : 0};
	fail_cables(worker, from);
	if (odo_measure_window(worker, from))
		worker->world->parts[worker->first_part].out_of_memory = true;
	for (uint32_t i = worker->first_part; i < worker->end_part; i++) {
		odo_part *part = &worker->world->parts[i];
		part->odd = odd;
		uint32_t next = i + 1 < worker->end_part ? i + 1 : worker->first_part;
		if (next != i && !skip && odo_uses("prefetch"))
			odo_prefetch_plan(&worker->prefetch, &worker->world->parts[next],
					  until - from);
		if (skip)
			odo_sources_skip(part, until);
		else
			run_part_window(part, until);
		uint32_t due = ask ? odo_part_due(part) : 0;
		status->due = due < status->due ? due : status->due;
		status->in_network += part->in_network;
		status->awake += part->awake;
		status->failed |= part->out_of_memory || part->fault;
		status->lost |= part->losing;
		status->packets += part->delivered_ever;
		status->phits += part->phits_ever;
		status->latency += part->latency_ever;
		if (part->last_move > status->last_move)
			status->last_move = part->last_move;
		if (part->last_received > status->last_received)
			status->last_received = part->last_received;
	}
	if (odo_conserves(worker->world))
		status->failed |= !odo_conserve_check(worker->world);
}

/* Sum the progress of this rank's workers. */
static odo_progress sum_progress(const odo_world *w, unsigned odd)
{
	odo_progress sum = ODO_NO_PROGRESS;
	for (uint32_t i = 0; i < w->n_workers; i++)
		odo_progress_add(&sum, &w->workers[i].status[odd]);
	return sum;
}

/* Is the run over? Every worker reaches the same conclusion. */
static bool run_is_over(const odo_world *w, uint32_t now, const odo_progress *progress,
			odo_outcome *outcome)
{
	uint64_t patience = w->e->run.patience ? w->e->run.patience : PATIENCE;
	*outcome = ODO_RUN_DONE;
	if (progress->failed)
		return true;
	uint32_t last = odo_progress_last(progress);
	bool look = now % ODO_LONGEST_WINDOW == 0 || now >= w->measure_to;
	if (look && (progress->lost || (progress->in_network && now > last + patience))) {
		*outcome = progress->lost ? ODO_RUN_LIVELOCK : ODO_RUN_DEADLOCK;
		return true;
	}
	if (w->e->workload && !progress->in_network && !progress->awake &&
	    now > progress->last_received)
		return true;
	*outcome = w->e->workload ? ODO_RUN_TIMEOUT : ODO_RUN_DONE;
	return now >= w->measure_to;
}

/* Begin measuring once the warm-up has lasted long enough. */
static void end_warmup(odo_world *w, uint64_t now, const odo_progress *progress)
{
	if (!warming_up(w, now) || now % w->steady.batch ||
	    !odo_steady_add(&w->steady, progress->phits, progress->packets, progress->latency))
		return;
	w->measure_from = now;
	w->measure_to = now + w->e->run.measured;
}

static void wait_for_others(const struct member *me)
{
	if (me->gang->world->n_workers > 1)
		pthread_barrier_wait(&me->gang->barrier);
}

/* Wait for all workers, and for all ranks. */
static odo_progress meet_workers(struct member *me, uint64_t now, unsigned odd)
{
	odo_world *w = me->gang->world;
	wait_for_others(me);
	if (w->n_ranks == 1 && !w->e->run.steady)
		return sum_progress(w, odd);
	if (me->worker->number == 0) {
		*w->progress = sum_progress(w, odd);
		if (w->n_ranks > 1)
			odo_ranks_exchange(w, odd, w->progress);
		end_warmup(w, now, w->progress);
	}
	wait_for_others(me);
	return *w->progress;
}

static void pass_on_progress(const odo_world *w, const odo_worker *worker, uint64_t now)
{
	const odo_run_options *r = &w->e->run;
	if (r->progress && worker->number == 0 && now % ODO_LONGEST_WINDOW == 0)
		r->progress(r->progress_context, now,
			    w->e->workload || warming_up(w, now) ? 0 : w->measure_to);
}

/* Ask whether a run that was measured as requested shall continue. */
static void ask_to_go_on(odo_world *w, uint64_t now)
{
	const odo_run_options *r = &w->e->run;
	uint64_t warmup = w->measure_from, measured = w->measure_to - warmup;
	w->status = odo_world_conclude(w, ODO_RUN_DONE, &w->found, w->err);
	if (w->status || !r->go_on(r->go_on_context, w->found, &warmup, &measured))
		return;
	odo_measures_free(w->found);
	w->found = NULL;
	if (warmup + measured <= now || warmup + measured >= UINT32_MAX / 2 ||
	    (warmup != w->measure_from && warmup < now)) {
		w->status = odo_fail(w->err, ODO_EINPUT,
				     "emulation: expected a run of more than %llu cycles",
				     (unsigned long long)now);
		return;
	}
	w->stretched = warmup == w->measure_from;
	w->measure_from = warmup;
	w->measure_to = warmup + measured;
}

/* A worker has reached the requested end of the run.
 * @return whether the run continues */
static bool goes_on(struct member *me, uint64_t now)
{
	odo_world *w = me->gang->world;
	odo_worker *worker = me->worker;
	worker->ended = (uint32_t)now;
	for (uint32_t i = worker->first_part; i < worker->end_part; i++)
		odo_sources_finish(&w->parts[i]);
	wait_for_others(me);
	if (worker->number == 0)
		ask_to_go_on(w, now);
	wait_for_others(me);
	if (w->found || w->status)
		return false;
	for (uint32_t i = worker->first_part; i < worker->end_part; i++)
		odo_sources_resume(&w->parts[i]);
	return true;
}

static void *run_worker(void *argument)
{
	struct member *me = argument;
	odo_world *w = me->gang->world;
	odo_worker *worker = me->worker;
	odo_progress all = {.lost = true};
	uint64_t now = 0;
	for (unsigned window = 0;; window++) {
		bool rests = odo_may_idle(w, now, &all), skip = rests && all.due > now;
		uint64_t until = next_cut(w, now, skip ? all.due : 0);
		run_window(worker, (uint32_t)now, (uint32_t)until, window & 1, skip, rests);
		now = until;
		all = meet_workers(me, now, window & 1);
		worker->ended = all.last_received;
		pass_on_progress(w, worker, now);
		if (!run_is_over(w, (uint32_t)now, &all, &worker->outcome))
			continue;
		if (!w->e->run.go_on || all.failed || worker->outcome != ODO_RUN_DONE ||
		    !goes_on(me, now))
			break;
	}
	if (w->found || w->status) /* goes_on() has already counted late packets */
		return NULL;
	if (!w->e->workload || worker->outcome != ODO_RUN_DONE)
		worker->ended = (uint32_t)now;
	for (uint32_t i = worker->first_part; i < worker->end_part; i++)
		odo_sources_finish(&w->parts[i]);
	odo_measure_finish(worker, (uint32_t)now);
	return NULL;
}

static void command_gang(struct gang *g, bool go)
{
	pthread_mutex_lock(&g->lock);
	g->word = go ? GO : LEAVE;
	pthread_cond_broadcast(&g->said);
	pthread_mutex_unlock(&g->lock);
}

static void *begin_worker(void *argument)
{
	struct member *me = argument;
	struct gang *g = me->gang;
	pthread_mutex_lock(&g->lock);
	while (g->word == WAIT)
		pthread_cond_wait(&g->said, &g->lock);
	pthread_mutex_unlock(&g->lock);
	return g->word == GO ? run_worker(me) : NULL;
}

/* Start the other workers in threads of their own; these wait for a word. */
static int start_threads(const odo_world *w, struct member *members, pthread_t *threads,
			 uint32_t *started, odo_error *err)
{
	for (*started = 1; *started < w->n_workers; ++*started) {
		uint32_t i = *started;
		int failed = pthread_create(&threads[i], NULL, begin_worker, &members[i]);
		if (failed)
			return odo_fail(err, ODO_ENOMEM, "cannot start thread %u of %u: %s", i + 1,
					w->n_workers, strerror(failed));
	}
	return 0;
}

static int run_gang(struct gang *g, struct member *members, pthread_t *threads, odo_error *err)
{
	odo_world *w = g->world;
	uint32_t started = 1;
	for (uint32_t i = 0; i < w->n_workers; i++)
		members[i] = (struct member){g, &w->workers[i]};
	int status = start_threads(w, members, threads, &started, err);
	if (w->n_ranks > 1)
		status = odo_ranks_agree(status, err);
	command_gang(g, !status);
	if (!status)
		run_worker(&members[0]);
	for (uint32_t i = 1; i < started; i++)
		pthread_join(threads[i], NULL);
	return status;
}

int odo_world_run(odo_world *w, odo_outcome *outcome, odo_error *err)
{
	struct gang gang = {
		.world = w, .lock = PTHREAD_MUTEX_INITIALIZER, .said = PTHREAD_COND_INITIALIZER};
	struct member *members = odo_new(w->n_workers, sizeof *members);
	pthread_t *threads = odo_new(w->n_workers, sizeof *threads);
	int status = 0;
	if (!members || !threads || pthread_barrier_init(&gang.barrier, NULL, w->n_workers))
		status = odo_fail(err, ODO_ENOMEM, "no memory for %u threads", w->n_workers);
	for (uint32_t i = 0; i < w->n_parts && !status; i++)
		if (w->parts[i].worker)
			odo_sources_start(&w->parts[i]);
	if (status && w->n_ranks > 1)
		odo_ranks_agree(status, err);
	if (!status) {
		status = run_gang(&gang, members, threads, err);
		pthread_barrier_destroy(&gang.barrier);
	}
	free(members);
	free(threads);
	*outcome = w->workers[0].outcome;
	return status ? status : w->status;
}

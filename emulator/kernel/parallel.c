/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A run by windows. Switches are dealt to parts, parts to workers; a window is as long as the
 * smallest latency between parts, so within one no part can hear of another. What is sent in a
 * window is taken in at the start of the next, from inboxes that alternate: one barrier a window.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/strategies.h"
#include "emulator/kernel/conserve.h"
#include "emulator/kernel/measure.h"
#include "emulator/kernel/prefetch.h"
#include "emulator/kernel/ranks.h"
#include "emulator/kernel/idle.h"
#include "base/memory.h"

/* Ports of a part, about: with fewer, its lists are so short that their ends are not predicted;
 * with more, it is too large for the caches. */
#define PART_PORTS 1024u
/* Of a worker beside others, so that all have about as much to do. */
#define PARTS_EACH 8u
/* Below this lookahead a lone worker is better off with one part: parts would meet in every cycle.
 */
#define WORTHWHILE 2u
/* Nor are parts worth it below so many packets generated a port and window: bringing them into the
 * caches takes longer than what happens in them. */
#define SPARSE (1.0 / 80)
#define PATIENCE 20000u
/* Cycles of a window where parts do not limit it; and of all windows together after which a run may
 * end before its time, so that it ends in the same cycle however long windows are. */
#define LONGEST 1000u

/* ---- Dealing ---- */

static bool by_group(const odo_world *w)
{
	return w->n_groups > 1;
}

/* Parts, about; more, where workers would not have as many each. */
static uint64_t parts_wanted(const odo_world *w)
{
	uint64_t workers = (uint64_t)(w->e->run.threads ? w->e->run.threads : 1) * w->n_ranks;
	uint64_t ports = (uint64_t)w->e->fabric->n_switches << w->port_bits;
	uint64_t parts = (ports + PART_PORTS / 2) / PART_PORTS;
	uint64_t least = workers > 1 ? PARTS_EACH * workers : 1;
	return parts > least ? parts : least;
}

/* By whole groups, or by runs of switches; all about as large.
 * @param part_of_group [n_groups], zeroed */
static void number_parts(odo_world *w, uint32_t *part_of_group)
{
	const odo_fabric *f = w->e->fabric;
	bool whole = w->policy && (w->policy->traits & ODO_POLICY_SEES_GROUP || w->group_bytes);
	uint64_t n = f->n_switches, wanted = parts_wanted(w), before = 0, last = 0;
	uint32_t part = 0;
	if (!by_group(w)) {
		w->n_parts = whole ? 1 : (uint32_t)(wanted < n ? wanted : n);
		for (uint64_t s = 0; s < n; s++)
			w->part_of[s] = (uint32_t)(s * w->n_parts / n);
		return;
	}
	for (uint32_t s = 0; s < n; s++)
		part_of_group[w->group[s]]++;
	for (uint32_t g = 0; g < w->n_groups; g++) {
		uint32_t members = part_of_group[g];
		if (members && before * wanted / n > last) {
			last = before * wanted / n;
			part++;
		}
		part_of_group[g] = part;
		before += members;
	}
	for (uint32_t s = 0; s < n; s++)
		w->part_of[s] = part_of_group[w->group[s]];
	w->n_parts = part + 1;
}

/* The smallest delay of a packet or a credit between two parts. */
static uint32_t find_lookahead(const odo_world *w)
{
	const odo_fabric *f = w->e->fabric;
	uint32_t least = LONGEST;
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		uint32_t from = f->owner[slot], to = odo_next_switch(f, slot);
		if (from >= f->n_switches || to == ODO_NONE || w->part_of[from] == w->part_of[to])
			continue;
		uint32_t latency = odo_latency_into(w, slot);
		if (latency < least)
			least = latency;
	}
	return least;
}

/* Is one part better than many? Nobody else waits for one. */
static bool is_one_part(const odo_world *w)
{
	double ports = (double)w->e->fabric->n_switches * (1u << w->port_bits);
	double born = w->e->run.load / w->model.packet * w->e->fabric->n_hosts * w->lookahead;
	bool sparse = !w->e->workload && born < ports * SPARSE;
	return w->e->run.threads <= 1 && w->n_ranks == 1 && (w->lookahead < WORTHWHILE || sparse);
}

static int make_parts(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	w->parts = odo_new(w->n_parts, sizeof *w->parts);
	if (!w->parts)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u parts", w->n_parts);
	for (uint32_t s = 0; s < f->n_switches; s++)
		w->parts[w->part_of[s]].n_switches++;
	for (uint32_t i = 0; i < w->n_parts; i++) {
		odo_part *part = &w->parts[i];
		part->world = w;
		part->number = i;
		part->global = odo_new(part->n_switches, sizeof *part->global);
		if (!part->global)
			return odo_fail(err, ODO_ENOMEM, "no memory for %u switches",
					f->n_switches);
		part->n_switches = 0;
	}
	for (uint32_t s = 0; s < f->n_switches; s++) {
		odo_part *part = &w->parts[w->part_of[s]];
		w->local_of[s] = part->n_switches;
		part->global[part->n_switches++] = s;
	}
	for (uint32_t h = 0; h < f->n_hosts; h++)
		w->parts[w->part_of[odo_host_switch(f, h)]].n_hosts++;
	return 0;
}

static int check_failures(const odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	const odo_run_options *r = &w->e->run;
	for (uint32_t i = 0; i < r->n_failures; i++) {
		uint32_t slot = r->failures[i].slot;
		if (slot >= f->n_slots || f->peer[slot] == ODO_NONE)
			return odo_fail(err, ODO_EINPUT,
					"emulation: expected a cable to fail, found slot %u", slot);
		if (i && r->failures[i].cycle < r->failures[i - 1].cycle)
			return odo_fail(err, ODO_EINPUT,
					"emulation: expected failures in order of their cycles");
	}
	return 0;
}

/* Runs of parts with about as many switches and hosts each, to the workers of every rank in
 * turn. A worker may have none. */
static int make_workers(odo_world *w, odo_error *err)
{
	uint64_t total = 0, seen = 0;
	uint32_t threads = w->e->run.threads ? w->e->run.threads : 1;
	w->n_workers = threads < w->n_parts ? threads : w->n_parts;
	w->workers = odo_new(w->n_workers, sizeof *w->workers);
	w->first_of_rank = odo_new(w->n_ranks + 1ul, sizeof *w->first_of_rank);
	w->progress = odo_new(1, sizeof *w->progress);
	if (!w->workers || !w->first_of_rank || !w->progress)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u workers", w->n_workers);
	for (uint32_t k = 0; k < w->n_workers; k++)
		w->workers[k] = (odo_worker){.world = w, .number = k};
	for (uint32_t i = 0; i < w->n_parts; i++)
		total += w->parts[i].n_switches + w->parts[i].n_hosts;
	for (uint32_t i = 0; i < w->n_parts; i++) {
		uint64_t weight = w->parts[i].n_switches + w->parts[i].n_hosts;
		uint64_t all = (uint64_t)w->n_ranks * w->n_workers;
		uint64_t bin = (2 * seen + weight) * all / (2 * total + 1);
		seen += weight;
		for (uint64_t r = bin / w->n_workers; r < w->n_ranks; r++)
			w->first_of_rank[r + 1] = i + 1;
		if (bin / w->n_workers != w->rank)
			continue;
		odo_worker *k = &w->workers[bin % w->n_workers];
		w->parts[i].worker = k;
		if (!k->end_part)
			k->first_part = i;
		k->end_part = i + 1;
	}
	return 0;
}

int odo_world_deal(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	uint32_t *scratch = odo_new(w->n_groups, sizeof *scratch);
	int status = 0;
	w->part_of = odo_new(f->n_switches, sizeof *w->part_of);
	w->local_of = odo_new(f->n_switches, sizeof *w->local_of);
	w->host_local = odo_new(f->n_hosts, sizeof *w->host_local);
	if (!scratch || !w->part_of || !w->local_of || !w->host_local) {
		free(scratch);
		return odo_fail(err, ODO_ENOMEM, "no memory for %u switches", f->n_switches);
	}
	number_parts(w, scratch);
	free(scratch);
	w->lookahead = find_lookahead(w);
	if (is_one_part(w)) {
		memset(w->part_of, 0, f->n_switches * sizeof *w->part_of);
		w->n_parts = 1;
		w->lookahead = LONGEST;
	}
	status = make_parts(w, err);
	if (!status)
		status = check_failures(w, err);
	return status ? status : make_workers(w, err);
}

/* ---- Running ---- */

/* Threads wait for a word: all run, or where one could not be made, none. */
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

/* Windows end where something must happen between two cycles.
 * @param due the cycle before which nothing else does, or one that is over */
static uint64_t next_cut(const odo_world *w, uint64_t now, uint64_t due)
{
	const odo_run_options *r = &w->e->run;
	uint64_t until = now + (odo_conserves(w) ? 1 : w->lookahead), cut = odo_measure_cut(w, now), batch = w->steady.batch;
	if (until > (now / LONGEST + 1) * LONGEST)
		until = (now / LONGEST + 1) * LONGEST;
	if (due > now)
		until = due;
	if (warming_up(w, now) && (now / batch + 1) * batch < cut)
		cut = (now / batch + 1) * batch;
	for (uint32_t i = 0; i < r->n_failures; i++)
		if (r->failures[i].cycle > now && r->failures[i].cycle < cut)
			cut = r->failures[i].cycle;
	return cut < until ? cut : until;
}

/* The cable of a slot dies: nothing more is granted it, whatever is on it arrives. */
static void fail_end(odo_worker *k, uint32_t slot)
{
	const odo_world *w = k->world;
	const odo_fabric *f = w->e->fabric;
	uint32_t node = slot == ODO_NONE ? ODO_NONE : f->owner[slot];
	if (node >= f->n_switches || w->parts[w->part_of[node]].worker != k)
		return;
	odo_part *part = &w->parts[w->part_of[node]];
	uint32_t port = (w->local_of[node] << w->port_bits) + slot - f->first_slot[node];
	odo_set_bit(part->dead, port);
	odo_clear_bit(part->free_out, port);
}

static void fail_cables(odo_worker *k, uint64_t now)
{
	const odo_run_options *r = &k->world->e->run;
	for (uint32_t i = 0; i < r->n_failures; i++)
		if (r->failures[i].cycle == now) {
			fail_end(k, r->failures[i].slot);
			fail_end(k, k->world->e->fabric->peer[r->failures[i].slot]);
		}
}

/* A part's window, batch by batch. Parts take turns in the cache. */
static void run_part(odo_part *part, uint32_t until)
{
	odo_part_receive(part, until);
	for (uint64_t now = part->now; now < until;) {
		uint64_t end = odo_measure_batch(part->worker, now);
		now = end < until ? end : until;
		if (part->world->wide)
			odo_part_run_wide(part, (uint32_t)now);
		else
			odo_part_run(part, (uint32_t)now);
	}
}

/* A window of a worker's parts.
 * @param skip nothing happens in it
 * @param ask  perhaps nothing happens after it */
static void run_window(odo_worker *k, uint32_t from, uint32_t until, unsigned odd, bool skip,
		       bool ask)
{
	odo_progress *status = &k->status[odd];
	*status = (odo_progress){.due = ask ? UINT32_MAX : 0};
	fail_cables(k, from);
	if (odo_measure_window(k, from))
		k->world->parts[k->first_part].out_of_memory = true;
	for (uint32_t i = k->first_part; i < k->end_part; i++) {
		odo_part *part = &k->world->parts[i];
		part->odd = odd;
		uint32_t next = i + 1 < k->end_part ? i + 1 : k->first_part;
		if (next != i && !skip && odo_uses("prefetch"))
			odo_prefetch_plan(&k->ahead, &k->world->parts[next], until - from);
		if (skip)
			odo_sources_skip(part, until);
		else
			run_part(part, until);
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
	if (odo_conserves(k->world))
		status->failed |= !odo_conserve_check(k->world);
}

/* How far this rank's workers have come. */
static odo_progress sum_progress(const odo_world *w, unsigned odd)
{
	odo_progress sum = ODO_NO_PROGRESS;
	for (uint32_t i = 0; i < w->n_workers; i++)
		odo_progress_add(&sum, &w->workers[i].status[odd]);
	return sum;
}

/* Every worker comes to the same conclusion. */
static bool finished(const odo_world *w, uint32_t now, const odo_progress *p, odo_outcome *outcome)
{
	uint64_t patience = w->e->run.patience ? w->e->run.patience : PATIENCE;
	*outcome = ODO_RUN_DONE;
	if (p->failed)
		return true;
	uint32_t last = p->last_move > p->last_received ? p->last_move : p->last_received;
	bool look = now % LONGEST == 0 || now >= w->measure_to;
	if (look && (p->lost || (p->in_network && now > last + patience))) {
		*outcome = p->lost ? ODO_RUN_LIVELOCK : ODO_RUN_DEADLOCK;
		return true;
	}
	if (w->e->workload && !p->in_network && !p->awake && now > p->last_received)
		return true;
	*outcome = w->e->workload ? ODO_RUN_TIMEOUT : ODO_RUN_DONE;
	return now >= w->measure_to;
}

/* Measuring begins once the warm-up has lasted long enough. */
static void settle(odo_world *w, uint64_t now, const odo_progress *p)
{
	if (!warming_up(w, now) || now % w->steady.batch ||
	    !odo_steady_add(&w->steady, p->phits, p->packets, p->latency))
		return;
	w->measure_from = now;
	w->measure_to = now + w->e->run.measured;
}

/* Wait for all workers, and for all ranks. */
static odo_progress meet(struct member *me, uint64_t now, unsigned odd)
{
	odo_world *w = me->gang->world;
	if (w->n_workers > 1)
		pthread_barrier_wait(&me->gang->barrier);
	if (w->n_ranks == 1 && !w->e->run.steady)
		return sum_progress(w, odd);
	if (me->worker->number == 0) {
		*w->progress = sum_progress(w, odd);
		if (w->n_ranks > 1)
			odo_ranks_exchange(w, odd, w->progress);
		settle(w, now, w->progress);
	}
	if (w->n_workers > 1)
		pthread_barrier_wait(&me->gang->barrier);
	return *w->progress;
}

static void tell_progress(const odo_world *w, const odo_worker *k, uint64_t now)
{
	const odo_run_options *r = &w->e->run;
	if (r->progress && k->number == 0 && now % LONGEST == 0)
		r->progress(r->progress_context, now,
			    w->e->workload || warming_up(w, now) ? 0 : w->measure_to);
}

static void *work(void *argument)
{
	struct member *me = argument;
	odo_world *w = me->gang->world;
	odo_worker *k = me->worker;
	odo_progress all = {.lost = true};
	uint64_t now = 0;
	for (unsigned window = 0;; window++) {
		bool rests = odo_may_idle(w, now, &all), skip = rests && all.due > now;
		uint64_t until = next_cut(w, now, skip ? all.due : 0);
		run_window(k, (uint32_t)now, (uint32_t)until, window & 1, skip, rests);
		now = until;
		all = meet(me, now, window & 1);
		k->ended = all.last_received;
		tell_progress(w, k, now);
		if (finished(w, (uint32_t)now, &all, &k->outcome))
			break;
	}
	if (!w->e->workload || k->outcome != ODO_RUN_DONE)
		k->ended = (uint32_t)now;
	for (uint32_t i = k->first_part; i < k->end_part; i++)
		odo_sources_finish(&w->parts[i]);
	odo_measure_finish(k, (uint32_t)now);
	return NULL;
}

static void say(struct gang *g, bool go)
{
	pthread_mutex_lock(&g->lock);
	g->word = go ? GO : LEAVE;
	pthread_cond_broadcast(&g->said);
	pthread_mutex_unlock(&g->lock);
}

static void *begin(void *argument)
{
	struct member *me = argument;
	struct gang *g = me->gang;
	pthread_mutex_lock(&g->lock);
	while (g->word == WAIT)
		pthread_cond_wait(&g->said, &g->lock);
	pthread_mutex_unlock(&g->lock);
	return g->word == GO ? work(me) : NULL;
}

/* Workers beside this thread, in threads of their own; they wait. */
static int start(const odo_world *w, struct member *members, pthread_t *threads, uint32_t *started,
		 odo_error *err)
{
	for (*started = 1; *started < w->n_workers; ++*started) {
		uint32_t i = *started;
		int failed = pthread_create(&threads[i], NULL, begin, &members[i]);
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
	int status = start(w, members, threads, &started, err);
	if (w->n_ranks > 1)
		status = odo_ranks_agree(status, err);
	say(g, !status);
	if (!status)
		work(&members[0]);
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
	return status;
}

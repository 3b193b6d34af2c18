/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "saturation/saturation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "saturation/verdict.h"

/* Share of a step by which arrivals may fall short. */
#define ENOUGH 0.5
#define MOST_SCALED 16.0
/* Share of the hosts that may get less, at full offer, than the load at which a search begins. */
#define LEAST_SERVED 0.05
/* If hosts get this share at full offer, full load is tried too. */
#define NEARLY_ALL 0.9
/* If hosts get less than this share of the highest load that may be sustained, the share says
 * little; the search begins with the given first load instead. */
#define UNFAIR 0.5
/* If hosts are served unevenly and no first load is given, a search begins at this share of the
 * load accepted at full offer. */
#define OF_ACCEPTED 0.5
/* During a search, windows may be this many times shorter than chance requires. */
#define GLANCE 8.0

/** State of a search. */
struct search {
	const odo_emulation *e;
	const odo_saturation_search *how;
	odo_saturation *out;
	double whole;       /**< load that corresponds to all steps */
	double begin;       /**< steps that nearly every host gets at full offer */
	uint32_t low, high; /**< `low` is sustained, `high` is not */
	uint32_t sure;      /**< highest load with a verdict, not a guess */
	double glance;      /**< as for odo_load_verdict_find() */
	uint32_t tried;     /**< number of loads tried so far */
	uint32_t most;      /**< maximum number of loads, as last reported */
};

/** Number of times that a number can be halved before it is 1. */
static uint32_t halvings(uint32_t n)
{
	uint32_t times = 0;
	for (; n > 1; n -= n / 2)
		times++;
	return times;
}

/** Estimate the loads still to be tried, including the current one. An end may first have to be
 * found by doubling, and guesses are judged at the end. */
static uint32_t count_loads_left(const struct search *s)
{
	bool between = s->low && s->high <= (s->how->last ? s->how->last : s->how->steps);
	uint32_t others = (s->how->full && !s->tried) + s->how->near;
	if (between)
		return others + halvings(s->high - s->low);
	return others + (s->low ? halvings(s->high / s->low) + halvings(s->high)
				: 1 + 2 * halvings(s->high));
}

/** @param of cycle at which the window ends; another window may follow */
static void report_load(void *context, uint64_t cycle, uint64_t of)
{
	struct search *s = context;
	uint32_t n = s->tried + count_loads_left(s);
	char text[64];
	n = s->most && s->most < n ? s->most : n;
	s->most = n > s->tried ? n : s->tried + 1; /* the guess may have been too low */
	snprintf(text, sizeof text, "searching for saturation, load %u of at most %u", s->tried + 1,
		 s->most);
	double share = of ? (double)cycle / (double)of : 0;
	s->how->watch->tell(s->how->watch->context, text, (s->tried + share) / s->most, false);
}

static void watch_run(struct search *s, odo_emulation *e)
{
	if (!s->how->watch)
		return;
	e->run.progress = report_load;
	e->run.progress_context = s;
	report_load(s, 0, 0);
}

/** Resolution of the search at `at` steps, in steps. */
static uint32_t resolution_at(const struct search *s, uint32_t at)
{
	uint32_t relative = s->how->relative ? at / s->how->relative : 0;
	return relative > 1 ? relative : 1;
}

/** Try a load of `at` steps, and move `low` or `high` there. */
static int try_load(struct search *s, uint32_t at, odo_error *err)
{
	odo_emulation e = *s->e;
	odo_load_verdict verdict;
	e.run.load = fmin(at * s->whole / s->how->steps, 1);
	if (s->how->scaled) {
		double longer = fmin(1 / e.run.load, MOST_SCALED);
		e.run.warmup = (uint64_t)((double)e.run.warmup * longer);
		e.run.measured = (uint64_t)((double)e.run.measured * longer);
	}
	double step = s->whole / s->how->steps * resolution_at(s, at);
	/* Judge a load at once if it may be the answer. */
	double glance = s->high > at + resolution_at(s, at) ? s->glance : 1;
	watch_run(s, &e);
	int status = odo_load_verdict_find(&e, ENOUGH * step, glance, &verdict, err);
	if (status)
		return status;
	s->tried++;
	s->out->runs += verdict.runs;
	s->out->deadlocks += verdict.deadlocks;
	if (!verdict.sustained) {
		s->high = at;
		return 0;
	}
	s->low = at;
	if (verdict.guessed)
		return 0;
	s->sure = at;
	s->out->latency = verdict.latency;
	s->out->cycles = verdict.cycles;
	return 0;
}

static int by_served(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* List the phits per cycle that arrive from each host that offers some, in ascending order.
 * @param served [n_hosts]
 * @return their number */
static uint32_t order_sources(const odo_measures *m, unsigned packet, double *served)
{
	uint32_t n = 0;
	for (uint32_t h = 0; h < m->n_hosts; h++)
		if (m->offered_by_host[h])
			served[n++] = m->arrived_by_host[h] * (double)packet / (double)m->cycles;
	qsort(served, n, sizeof *served, by_served);
	return n;
}

/* Record the load of the least-served source, and the load near which a search may begin. */
static int note_sources(struct search *s, const odo_measures *m, odo_error *err)
{
	double *served = odo_new(m->n_hosts, sizeof *served);
	if (!served)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u hosts", m->n_hosts);
	uint32_t n = m->cycles ? order_sources(m, s->e->model->packet, served) : 0;
	if (n) {
		s->out->least_at_full = served[0];
		s->begin = served[(uint32_t)(n * LEAST_SERVED)] / s->whole * s->how->steps;
	}
	free(served);
	return 0;
}

/** Measure the load accepted when every host offers as much as it can. */
static int try_full(struct search *s, odo_error *err)
{
	odo_emulation e = *s->e;
	odo_measures *m;
	e.run.load = 1;
	e.run.sources = true;
	watch_run(s, &e);
	int status = odo_emulate(&e, &m, err);
	if (status)
		return status;
	s->tried++;
	s->out->accepted_at_full = m->accepted;
	s->out->deadlocks += m->outcome == ODO_RUN_DEADLOCK;
	s->out->runs++;
	status = note_sources(s, m, err);
	odo_measures_free(m);
	bool may = !s->how->near && s->whole >= 1 && s->high > s->how->steps;
	if (!status && may && s->begin >= s->how->steps * NEARLY_ALL)
		status = try_load(s, s->how->steps, err);
	return status;
}

/** Go up from the beginning until a load fails, or down until one passes; each step is twice as
 * long as the one before. */
static int search_from(struct search *s, double begin, odo_error *err)
{
	uint32_t top = s->high - 1, step = 1;
	if (s->how->first && begin < top * UNFAIR)
		begin = s->how->first;
	else
		begin = fmax(begin,
			     s->out->accepted_at_full * OF_ACCEPTED / s->whole * s->how->steps);
	int status = try_load(s, begin < 1 ? 1 : begin > top ? top : (uint32_t)begin, err);
	bool up = s->low > 0;
	for (; !status && (up ? s->high > top && s->low < top : !s->low && s->high > 1); step *= 2)
		status = try_load(s,
				  up               ? (top - s->low > step ? s->low + step : top)
				  : s->high > step ? s->high - step
						   : 1,
				  err);
	return status;
}

/** Double or halve the load until both a sustained and a failing one are known. */
static int bracket_load(struct search *s, odo_error *err)
{
	uint32_t first = s->how->first ? s->how->first : 1;
	int status = 0;
	if (s->low + 1 < s->high)
		status = try_load(s, first, err);
	while (!status && s->low && s->low * 2 < s->high)
		status = try_load(s, s->low * 2, err);
	while (!status && !s->low && s->high > 1)
		status = try_load(s, s->high / 2, err);
	return status;
}

/** Halve the interval between the two. */
static int halve_interval(struct search *s, odo_error *err)
{
	int status = 0;
	while (!status && s->high > s->low + resolution_at(s, s->low))
		status = try_load(s, s->low + (s->high - s->low) / 2, err);
	return status;
}

/** Judge a load that passed by a guess. If the guess was wrong, search below it. */
static int confirm_guess(struct search *s, odo_error *err)
{
	uint32_t guess = s->low;
	if (s->sure == guess)
		return 0;
	s->low = s->sure;
	s->glance = 1;
	int status = try_load(s, guess, err);
	if (!status && s->low < guess && s->high > s->low + 1)
		status = search_from(s, guess - 1, err);
	return status ? status : halve_interval(s, err);
}

int odo_saturation_find(const odo_emulation *e, const odo_saturation_search *how,
			odo_saturation *out, odo_error *err)
{
	struct search s = {.e = e,
			   .how = how,
			   .out = out,
			   .whole = how->whole > 0 ? how->whole : 1,
			   .glance = how->near ? GLANCE : 1,
			   .high = 1 + (how->last ? how->last : how->steps)};
	double most = how->steps / s.whole; /* steps that correspond to a load of 1 */
	int status = 0;
	*out = (odo_saturation){.steps = how->steps, .accepted_at_full = -1, .least_at_full = -1};
	if (how->steps < 2 || how->first >= s.high || !(s.whole <= 1) || how->last > most ||
	    (how->near && !how->full))
		return odo_fail(err, ODO_EINPUT,
				"expected 2 steps or more, the first and last tried among them, "
				"found %u",
				how->steps);
	if (how->full)
		status = try_full(&s, err);
	if (how->last && s.high > how->last + 1)
		s.high = how->last + 1;
	if (!status)
		status = how->near ? search_from(&s, s.begin, err) : bracket_load(&s, err);
	if (!status)
		status = halve_interval(&s, err);
	if (!status)
		status = confirm_guess(&s, err);
	out->sustained = s.low;
	return status;
}

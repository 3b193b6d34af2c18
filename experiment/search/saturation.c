/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/search/saturation.h"

#include <math.h>

#include "experiment/search/verdict.h"

/* Of a step, by which what arrives may fall short. */
#define ENOUGH 0.5
#define MOST_SCALED 16.0

/** A search under way. */
struct search {
	const odo_emulation *e;
	const odo_saturation_search *how;
	odo_saturation *out;
	double whole;       /**< load of all steps */
	uint32_t low, high; /**< the one is sustained, the other is not */
};

/** How finely loads of `at` steps are told apart, in steps. */
static uint32_t grain(const struct search *s, uint32_t at)
{
	uint32_t relative = s->how->relative ? at / s->how->relative : 0;
	return relative > 1 ? relative : 1;
}

/** Is a load of `at` steps sustained? Moves `low` or `high` there.
 * @param accepted where to note the accepted load, or NULL */
static int try_load(struct search *s, uint32_t at, double *accepted, odo_error *err)
{
	odo_emulation e = *s->e;
	odo_verdict verdict;
	e.run.load = fmin(at * s->whole / s->how->steps, 1);
	if (s->how->scaled) {
		double longer = fmin(1 / e.run.load, MOST_SCALED);
		e.run.warmup = (uint64_t)((double)e.run.warmup * longer);
		e.run.measured = (uint64_t)((double)e.run.measured * longer);
	}
	double step = s->whole / s->how->steps * grain(s, at);
	int status = odo_verdict_find(&e, ENOUGH * step, &verdict, err);
	if (status)
		return status;
	s->out->runs += verdict.runs;
	s->out->deadlocks += verdict.deadlocks;
	if (accepted)
		*accepted = verdict.accepted;
	if (!verdict.sustained) {
		s->high = at;
		return 0;
	}
	s->low = at;
	s->out->latency = verdict.latency;
	s->out->cycles = verdict.cycles;
	return 0;
}

/** What is accepted where every host offers all it can. */
static int try_full(struct search *s, odo_error *err)
{
	odo_emulation e = *s->e;
	odo_measures *m;
	e.run.load = 1;
	if (s->whole >= 1)
		return try_load(s, s->how->steps, &s->out->accepted_at_full, err);
	int status = odo_emulate(&e, &m, err);
	if (status)
		return status;
	s->out->accepted_at_full = m->accepted;
	s->out->deadlocks += m->outcome == ODO_RUN_DEADLOCK;
	s->out->runs++;
	odo_measures_free(m);
	return 0;
}

/** Double or halve the load until one that passes and one that fails are known. */
static int bracket(struct search *s, odo_error *err)
{
	uint32_t first = s->how->first ? s->how->first : 1;
	int status = 0;
	if (s->low + 1 < s->high)
		status = try_load(s, first, NULL, err);
	while (!status && s->low && s->low * 2 < s->high)
		status = try_load(s, s->low * 2, NULL, err);
	while (!status && !s->low && s->high > 1)
		status = try_load(s, s->high / 2, NULL, err);
	return status;
}

int odo_saturation_find(const odo_emulation *e, const odo_saturation_search *how,
			odo_saturation *out, odo_error *err)
{
	struct search s = {.e = e,
			   .how = how,
			   .out = out,
			   .whole = how->whole > 0 ? how->whole : 1,
			   .high = 1 + (how->last ? how->last : how->steps)};
	double most = how->steps / s.whole; /* steps to a load of 1 */
	int status = 0;
	*out = (odo_saturation){.steps = how->steps, .accepted_at_full = -1};
	if (how->steps < 2 || how->first >= s.high || !(s.whole <= 1) || how->last > most)
		return odo_fail(err, ODO_EINPUT,
				"expected 2 steps or more, the first and last tried among them, "
				"found %u",
				how->steps);
	if (how->full)
		status = try_full(&s, err);
	if (how->last && s.high > how->last + 1)
		s.high = how->last + 1;
	if (!status)
		status = bracket(&s, err);
	while (!status && s.high > s.low + grain(&s, s.low))
		status = try_load(&s, s.low + (s.high - s.low) / 2, NULL, err);
	out->sustained = s.low;
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/saturation.h"

#include <math.h>

/* A run that fails by no more, in steps or in packets of the worst-off switch, says nothing yet.
 * One that passes does: the shortfall is that of the worst-off of many switches, to which chance
 * only adds. In a short run half a step is less than a packet, and one that happens to wait at its
 * end would decide: it is not the last word before half a step is a few packets. */
#define ENOUGH 0.5
#define CLEARLY_ABOVE 2.0
#define CLEARLY_PACKETS 16.0
#define LEAST_PACKETS 4.0
#define LONGER 4u
#define MOST_TRIES 3u
#define MOST_SCALED 16.0

/** Of the worst-off switch. */
struct shortfall {
	double load;    /**< phits per host and cycle */
	double packets; /**< the same as packets of all its hosts in the measured cycles */
};

static struct shortfall find_shortfall(const odo_emulation *e, const odo_measures *m)
{
	const odo_fabric *f = e->fabric;
	struct shortfall worst = {0};
	if (m->outcome != ODO_RUN_DONE)
		return (struct shortfall){1, INFINITY};
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t hosts = 0;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			hosts += f->slot_host[slot] != ODO_NONE;
		double behind = (double)m->born_by_switch[s] - (double)m->by_switch[s];
		double share = hosts ? behind * e->model->packet / hosts / (double)m->cycles : 0;
		if (share > worst.load)
			worst = (struct shortfall){share, behind};
	}
	return worst;
}

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

/** One run. @param accepted where to note the accepted load, or NULL */
static int run_once(struct search *s, const odo_emulation *e, struct shortfall *shortfall,
		    double *latency, double *accepted, odo_error *err)
{
	odo_measures *m;
	int status = odo_emulate(e, &m, err);
	if (status)
		return status;
	*shortfall = find_shortfall(e, m);
	*latency = odo_histogram_mean(&m->latency);
	if (accepted)
		*accepted = m->accepted;
	s->out->deadlocks += m->outcome == ODO_RUN_DEADLOCK;
	s->out->runs++;
	odo_measures_free(m);
	return 0;
}

/** Has a run that failed by so much said enough, after so many tries? */
static bool is_clear(double steps, double packets, unsigned tries)
{
	bool clearly = steps > CLEARLY_ABOVE && packets > CLEARLY_PACKETS;
	bool long_enough = packets / steps * ENOUGH >= LEAST_PACKETS;
	return clearly || (tries >= MOST_TRIES && long_enough);
}

/** Is a load of `at` steps sustained? Moves `low` or `high` there. */
static int try_load(struct search *s, uint32_t at, double *accepted, odo_error *err)
{
	odo_emulation e = *s->e;
	struct shortfall behind = {0};
	double steps = 0, latency = 0;
	int status = 0;
	e.run.load = fmin(at * s->whole / s->how->steps, 1);
	if (s->how->scaled) {
		double longer = fmin(1 / e.run.load, MOST_SCALED);
		e.run.warmup = (uint64_t)((double)e.run.warmup * longer);
		e.run.measured = (uint64_t)((double)e.run.measured * longer);
	}
	for (unsigned i = 0; !status; i++) {
		status = run_once(s, &e, &behind, &latency, accepted, err);
		steps = behind.load / s->whole * s->how->steps / grain(s, at);
		if (status || steps < ENOUGH || is_clear(steps, behind.packets, i + 1))
			break;
		e.run.measured *= LONGER;
	}
	if (steps < ENOUGH) {
		s->low = at;
		s->out->latency = latency;
	} else {
		s->high = at;
	}
	return status;
}

/** What is accepted where every host offers all it can. */
static int try_full(struct search *s, odo_error *err)
{
	odo_emulation e = *s->e;
	struct shortfall behind;
	double latency;
	e.run.load = 1;
	if (s->whole < 1)
		return run_once(s, &e, &behind, &latency, &s->out->accepted_at_full, err);
	return try_load(s, s->how->steps, &s->out->accepted_at_full, err);
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

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a host offered in a window, less what arrived of it, is by how much its packets on the way
 * have become more. Packets injected tell nothing: buffers may take them in for thousands of cycles
 * beyond what the network delivers, and congestion that feeds itself is slow to begin.
 *
 * Four things may look like a shortfall, or hide one:
 * - Chance. Packets on the way come and go. Where nothing is congested they are about as many as a
 *   Poisson process has, so that the difference of two such counts has the sum of both for its
 *   variance: NOISE times the root of that. Where it is congested chance is wider, and the window
 *   must become so long that it is little beside the tolerance.
 * - A short window, in which chance is as large as all that a host offers. A load is not sustained
 *   before chance is a small share of that.
 * - The beginning. The network fills until as many arrive as leave. That is a number of packets,
 * not a rate: a window twice as long shows half of it as a share. So a shortfall that the beginning
 * may explain in one window does not decide, and what may be explained halves.
 * - Congestion on its way. A load is not sustained while packets on the way become more, though no
 *   faster than the tolerance.
 *
 * Hosts of a switch are also judged together: their sum falls short only if one of them does, and
 * chance is a smaller share of it.
 */
#include "experiment/search/verdict.h"

#include <math.h>

/* Standard deviations. The worst-off of a million hosts is within five by chance alone. */
#define NOISE 5.0
/* What chance may be of what a host offers. */
#define CHANCE_SHARE (1.0 / 32)
/* How much longer a window becomes than what a shorter one says is long enough. */
#define SPARE 1.25
/* The tolerance, at most, of the load: at low loads half a step is more than a little. */
#define TOLERANCE_SHARE (1.0 / 16)
/* Packets on the way have stopped growing where they are more by no more than this share. */
#define GROWTH_SHARE (1.0 / 8)
/* How many latencies of fast packets a warm-up takes, from which on shortfalls count; and which are
 * fast, in the fastest run, since the mean of a congested network is that of the congestion. */
#define SETTLED_LATENCIES 4.0
#define FAST 0.1
/* What the beginning may explain, of what is offered, in the first window that counts. */
#define BEGINNING_SHARE 0.5
/* A shortfall that is at least this share of the one before, in a window twice as long, is no
 * filling: that would be half of it. It counts where that cannot be buffers: in total where so
 * large a share of it waits at the sources, of few hosts where the window is long beside what
 * buffers hold. */
#define STEADY_SHARE 0.75
#define AT_SOURCES 0.5
#define NEARLY_LONG 4.0
/* Windows that are long enough and say neither: the last is 16 times as long as the first. What
 * still grows then is not sustained. */
#define MOST_DOUBLINGS 4u

/** Packets of a window, of one source or of all. */
struct balance {
	double offered, behind;
	double chance;  /**< by which `behind` may differ from 0 */
	double allowed; /**< by which it may, chance aside */
};

/** What a window shows. */
struct look {
	bool done;        /**< the run was not ended by a deadlock */
	bool growing;     /**< packets on the way become more */
	double too_short; /**< chance over what it may be: how many times too short the window is */
	double waiting;   /**< packets at sources, at its end */
	double fast;      /**< latency of fast packets, cycles; infinite where none has arrived */
	struct balance all, worst;
};

static double excess(const struct balance *b)
{
	return b->behind - b->chance - b->allowed;
}

/* As a share of what is offered. */
static double excess_share(const struct balance *b)
{
	return b->offered > 0 ? excess(b) / b->offered : -INFINITY;
}

/* Of a window in which `on_the_way` of its packets are there at its start and at its end, added. */
static struct balance balance_of(double offered, double arrived, double on_the_way, double share)
{
	return (struct balance){.offered = offered,
				.behind = offered - arrived,
				.chance = NOISE * sqrt(1 + on_the_way),
				.allowed = offered * share};
}

static void take_worse(struct balance *worst, const struct balance *of)
{
	if (excess_share(of) > excess_share(worst))
		*worst = *of;
}

/* The worst-off host, or the worst-off of hosts in a row at one switch.
 * @param on_the_way of a host's packets, at both ends of the window */
static struct balance worst_of(const odo_fabric *f, const odo_measures *m, double on_the_way,
			       double share)
{
	struct balance worst = {0};
	double offered = 0, arrived = 0, together = 0;
	for (uint32_t h = 0; h < m->n_hosts; h++) {
		struct balance of = balance_of(m->offered_by_host[h], m->arrived_by_host[h],
					       on_the_way, share);
		take_worse(&worst, &of);
		if (h && odo_host_switch(f, h) != odo_host_switch(f, h - 1))
			offered = arrived = together = 0;
		offered += m->offered_by_host[h];
		arrived += m->arrived_by_host[h];
		together += m->offered_by_host[h] > 0 ? on_the_way : 0;
		if (h + 1 == m->n_hosts || odo_host_switch(f, h) != odo_host_switch(f, h + 1)) {
			of = balance_of(offered, arrived, together, share);
			take_worse(&worst, &of);
		}
	}
	return worst;
}

/* Compares all hosts with what they may fall short by.
 * @param share of what is offered, that it may fall short by */
static struct look look_at(const odo_emulation *e, const odo_measures *m, double share)
{
	double offered = 0, arrived = 0, sources = 0;
	for (uint32_t h = 0; h < m->n_hosts; h++) {
		offered += m->offered_by_host[h];
		arrived += m->arrived_by_host[h];
		sources += m->offered_by_host[h] > 0;
	}
	double end = (double)(m->in_network + m->waiting);
	double grown = (double)m->generated - (double)m->dropped - (double)m->delivered;
	double start = fmax(end - grown, 0), each = sources > 0 ? sources : 1;
	struct look look = {.all = balance_of(offered, arrived, start + end, share)};
	look.worst = worst_of(e->fabric, m, (start + end) / each, share);
	double expected = e->run.load * (double)m->cycles / e->model->packet;
	double mean = sources > 0 ? offered / sources : expected;
	look.too_short = NOISE * sqrt(1 + (start + end) / each) / (mean * CHANCE_SHARE);
	look.done = m->outcome == ODO_RUN_DONE;
	look.waiting = (double)m->waiting;
	look.growing = grown > start * GROWTH_SHARE + look.all.chance;
	look.fast = m->delivered ? (double)odo_histogram_percentile(&m->network, FAST) : INFINITY;
	return look;
}

/* Does a shortfall go beyond what the beginning may explain? */
static bool is_clear(const struct balance *b, double beginning)
{
	return excess(b) > b->offered * beginning;
}

/** Windows so far. */
struct trial {
	odo_emulation e; /**< warm-up and measured cycles are those of the next one */
	odo_verdict *out;
	double share;       /**< of what is offered, that it may fall short by */
	double glance;      /**< how many times too short a window may be that is believed */
	double fast;        /**< least of theirs */
	double beginning;   /**< share of what is offered, that the beginning may explain */
	unsigned doublings; /**< of windows that were long enough */
	double waiting;     /**< at the end of the last one */
	double all, worst;  /**< by what share they fell short in the last one that counts, or 0 */
	bool decided;
};

/* A window that is too short and shows nothing else goes on until it is long enough. Any other one
 * is followed by one that is twice as long. */
static void go_on(odo_run_options *r, double too_short, bool calm)
{
	if (calm) {
		r->measured = (uint64_t)((double)r->measured * fmax(SPARE * too_short, 2));
	} else {
		r->warmup += r->measured;
		r->measured *= 2;
	}
}

/* Did as large a share fall short in the window before? */
static bool steady(double *before, const struct balance *b, bool counts)
{
	double now = counts ? fmax(excess_share(b), 0) : 0;
	bool same = *before > 0 && now >= STEADY_SHARE * *before;
	*before = now;
	return same;
}

/* Is what falls short no filling of buffers? */
static bool backs_up(struct trial *t, const struct look *look)
{
	bool at_sources = look->waiting - t->waiting >= AT_SOURCES * look->all.behind;
	bool all = steady(&t->all, &look->all, at_sources);
	bool worst = steady(&t->worst, &look->worst, look->too_short <= NEARLY_LONG);
	t->waiting = look->waiting;
	return all || worst;
}

/* Says, or asks for more. */
static void judge(struct trial *t, const struct look *look, odo_verdict *out)
{
	bool calm = excess(&look->all) <= 0 && excess(&look->worst) <= 0 && !look->growing;
	bool long_enough = look->too_short <= 1;
	t->fast = fmin(t->fast, look->fast);
	bool settled = (double)t->e.run.warmup >= SETTLED_LATENCIES * t->fast;
	out->sustained = look->done && look->too_short <= t->glance && calm;
	out->guessed = out->sustained && !long_enough;
	t->decided = out->sustained || !look->done;
	if (settled) {
		t->decided |= is_clear(&look->all, t->beginning) ||
			      is_clear(&look->worst, t->beginning) || backs_up(t, look);
		t->beginning /= 2;
	}
	if (long_enough)
		t->decided |= t->doublings++ >= MOST_DOUBLINGS;
	go_on(&t->e.run, look->too_short / t->glance, calm && settled);
	t->decided |= t->e.run.warmup + t->e.run.measured >= UINT32_MAX / 2;
}

/* A window has ended. */
static void look_and_judge(struct trial *t, const odo_measures *m)
{
	odo_verdict *out = t->out;
	struct look look = look_at(&t->e, m, t->share);
	if (!out->runs++)
		out->accepted = m->accepted;
	out->latency = odo_histogram_mean(&m->latency);
	out->cycles = m->warmup + m->cycles;
	out->deadlocks += m->outcome == ODO_RUN_DEADLOCK;
	judge(t, &look, out);
}

/* The run goes on until it is decided. */
static bool undecided(void *context, const odo_measures *m, uint64_t *warmup, uint64_t *measured)
{
	struct trial *t = context;
	look_and_judge(t, m);
	*warmup = t->e.run.warmup;
	*measured = t->e.run.measured;
	return !t->decided;
}

int odo_verdict_find(const odo_emulation *e, double tolerance, double glance, odo_verdict *out,
		     odo_error *err)
{
	struct trial t = {.e = *e,
			  .out = out,
			  .glance = glance,
			  .fast = INFINITY,
			  .beginning = BEGINNING_SHARE};
	odo_emulation run;
	odo_measures *m;
	t.share = fmin(tolerance / e->run.load, TOLERANCE_SHARE);
	t.e.run.sources = true;
	t.e.run.go_on = undecided;
	t.e.run.go_on_context = &t;
	run = t.e;
	*out = (odo_verdict){0};
	int status = odo_emulate(&run, &m, err);
	if (status)
		return status;
	if (!t.decided) /* nothing moves any more, or a packet is lost */
		look_and_judge(&t, m);
	odo_measures_free(m);
	return 0;
}

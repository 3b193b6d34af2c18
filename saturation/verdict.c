/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Judge whether a load is sustained. The packets that a host offered in a window, minus its packets
 * that arrived, are the growth of its packets on their way. Injected packets say nothing: buffers
 * may take them in for thousands of cycles beyond what the network delivers, and congestion that
 * feeds itself begins slowly.
 *
 * Four effects may look like a shortfall, or hide one:
 * - Chance. The number of packets on their way varies. Without congestion it varies like a Poisson
 *   process, so the difference of two such counts has the sum of both as its variance. The limit is
 *   NOISE times the root of that. With congestion the variance is larger, and the window must
 *   become so long that it is small beside the tolerance.
 * - A short window, in which chance is as large as the whole offer of a host. A load is judged
 *   sustained only once chance is a small share of the offer.
 * - The beginning. The network fills until as many packets arrive as leave. This is a number of
 *   packets, not a rate: in a window twice as long its share is half. So a shortfall that the
 *   beginning may explain in one window decides nothing, and the share that it may explain is
 *   halved.
 * - Slow congestion. A load is not sustained while packets on their way become more, even if they
 *   grow no faster than the tolerance.
 *
 * Hosts of a switch are also judged together: their sum falls short only if one of them does, and
 * chance is a smaller share of it.
 */
#include "saturation/verdict.h"

#include <math.h>

/* Standard deviations. By chance alone, the worst of a million hosts is within five. */
#define NOISE 5.0
/* Limit for chance, as a share of a host's offer. */
#define CHANCE_SHARE (1.0 / 32)
/* Factor by which a window is made longer than a shorter window suggests. */
#define SPARE 1.25
/* Upper limit of the tolerance, as a share of the load: at low loads half a step is too much. */
#define TOLERANCE_SHARE (1.0 / 16)
/* Packets on their way have stopped growing if they grow by no more than this share. */
#define GROWTH_SHARE (1.0 / 8)
/* Shortfalls count once the warm-up has lasted this many latencies of fast packets. FAST is the
 * quantile of latency, in the fastest run: the mean in a congested network is that of the
 * congestion. */
#define SETTLED_LATENCIES 4.0
#define FAST 0.1
/* Share of the offer that the beginning may explain, in the first window that counts. */
#define BEGINNING_SHARE 0.5
/* A shortfall of at least this share of the one before, in a window twice as long, is not caused by
 * filling: filling would give half of it. It counts only if buffers cannot be the cause. In total
 * this is so if AT_SOURCES of it waits at the sources; for few hosts, if the window is long beside
 * the contents of buffers. */
#define STEADY_SHARE 0.75
#define AT_SOURCES 0.5
#define NEARLY_LONG 4.0
/* Maximum number of windows that are long enough without a decision: the last is 16 times as long
 * as the first. A load whose packets still grow then is not sustained. */
#define MOST_DOUBLINGS 4u

/** Packets of a window, from one source or from all. */
struct balance {
	double offered, behind;
	double chance;  /**< amount by which `behind` may differ from 0 by chance */
	double allowed; /**< amount by which `behind` may differ from 0 besides chance */
};

/** Observations of a window. */
struct look {
	bool done;        /**< no deadlock ended the run */
	bool growing;     /**< the packets on their way become more */
	double too_short; /**< chance divided by its limit: how many times the window is too short
			   */
	double waiting;   /**< packets that wait at sources, at the end of the window */
	double fast;      /**< latency of fast packets, cycles; infinite if none has arrived */
	struct balance all, worst;
};

static double excess_packets(const struct balance *b)
{
	return b->behind - b->chance - b->allowed;
}

/* Shortfall beyond the limits, as a share of the offer. */
static double excess_share(const struct balance *b)
{
	return b->offered > 0 ? excess_packets(b) / b->offered : -INFINITY;
}

/* Make the balance of a window. `on_the_way` is the number of its packets on their way at the start
 * plus at the end. */
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

/* Find the worst-served host, or group of consecutive hosts of a switch.
 * @param on_the_way a host's packets on their way, at both ends of the window */
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

/* Compare all hosts with their limits.
 * @param share of the offer, by which arrivals may fall short */
static struct look observe_window(const odo_emulation *e, const odo_measures *m, double share)
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

/* Is a shortfall larger than the beginning may explain? */
static bool is_clear(const struct balance *b, double beginning)
{
	return excess_packets(b) > b->offered * beginning;
}

/** Windows so far. */
struct trial {
	odo_emulation e; /**< with the warm-up and measured cycles of the next window */
	odo_load_verdict *out;
	double share;       /**< share of the offer by which arrivals may fall short */
	double glance;      /**< how many times too short a window may be and still be trusted */
	double fast;        /**< minimum of `fast` over the windows */
	double beginning;   /**< share of the offer that the beginning may explain */
	unsigned doublings; /**< number of windows that were long enough */
	double waiting;     /**< packets waiting at the end of the last window */
	double all, worst;  /**< shares by which arrivals fell short in the last window that counts,
			     * or 0 */
	bool decided;
};

/* Plan the next window. A window that is too short and shows no problem is extended until it is
 * long enough. Any other window is followed by one that is twice as long. */
static void plan_next_window(odo_run_options *r, double too_short, bool calm)
{
	if (calm) {
		r->measured = (uint64_t)((double)r->measured * fmax(SPARE * too_short, 2));
	} else {
		r->warmup += r->measured;
		r->measured *= 2;
	}
}

/* Was the shortfall of the window before equally large, as a share? */
static bool was_equally_short(double *before, const struct balance *b, bool counts)
{
	double now = counts ? fmax(excess_share(b), 0) : 0;
	bool same = *before > 0 && now >= STEADY_SHARE * *before;
	*before = now;
	return same;
}

/* Is the shortfall caused by something other than the filling of buffers? */
static bool backs_up(struct trial *t, const struct look *look)
{
	bool at_sources = look->waiting - t->waiting >= AT_SOURCES * look->all.behind;
	bool all = was_equally_short(&t->all, &look->all, at_sources);
	bool worst = was_equally_short(&t->worst, &look->worst, look->too_short <= NEARLY_LONG);
	t->waiting = look->waiting;
	return all || worst;
}

/* Decide, or plan another window. */
static void decide_window(struct trial *t, const struct look *look, odo_load_verdict *out)
{
	bool calm = excess_packets(&look->all) <= 0 && excess_packets(&look->worst) <= 0 &&
		    !look->growing;
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
	plan_next_window(&t->e.run, look->too_short / t->glance, calm && settled);
	t->decided |= t->e.run.warmup + t->e.run.measured >= UINT32_MAX / 2;
}

/* Evaluate a window that has ended. */
static void evaluate_window(struct trial *t, const odo_measures *m)
{
	odo_load_verdict *out = t->out;
	struct look look = observe_window(&t->e, m, t->share);
	if (!out->runs++)
		out->accepted = m->accepted;
	out->latency = odo_histogram_mean(&m->latency);
	out->cycles = m->warmup + m->cycles;
	out->deadlocks += m->outcome == ODO_RUN_DEADLOCK;
	decide_window(t, &look, out);
}

/* Continue the run until the load is decided. */
static bool continue_until_decided(void *context, const odo_measures *m, uint64_t *warmup,
				   uint64_t *measured)
{
	struct trial *t = context;
	evaluate_window(t, m);
	*warmup = t->e.run.warmup;
	*measured = t->e.run.measured;
	return !t->decided;
}

int odo_load_verdict_find(const odo_emulation *e, double tolerance, double glance,
			  odo_load_verdict *out, odo_error *err)
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
	t.e.run.go_on = continue_until_decided;
	t.e.run.go_on_context = &t;
	run = t.e;
	*out = (odo_load_verdict){0};
	int status = odo_emulate(&run, &m, err);
	if (status)
		return status;
	if (!t.decided) /* nothing moves any more, or a packet is lost */
		evaluate_window(&t, m);
	odo_measures_free(m);
	return 0;
}

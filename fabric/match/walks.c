/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Structure alone, where port numbers differ as well: numbers of walks. From a pair of switches
 * that is taken for the same place, walks of each length lead to other switches, about as many in
 * both fabrics although some cables differ. Pairs are added until no two places of the plan have
 * the same numbers. */
#include <math.h>
#include <stdlib.h>

#include "fabric/match/match.h"

/* Walks up to this length are counted. It is more than the diameter of most fabrics, and a fault is
 * on few of them. */
enum { LENGTH = 8 };

/* Largest fabrics, and pairs: the work is switches squared times pairs, a second at 1,024 and 128.
 */
enum { MOST_SWITCHES = 1024, MOST_PAIRS = 128 };

/* Steps along cables by which several places that are alike are compared: a tenth of a second. */
static const uint64_t most_steps = 100000000;

/* Rounding of sums of some hundred shares. */
static const float same = 1e-4f;

typedef struct walker {
	odo_arena memory;
	const odo_fabric *plan, *is;
	float *apart; /* [switches of `is` * switches of `plan`] */
	float *here, *there, *next;
	float *sum[2];    /* [switches] of `is`, of `plan`: walks from all pairs so far,
			     weighted */
	float *sorted[2]; /* the same with one more pair */
	unsigned n_pairs;
	uint32_t gone;  /* switch of `plan` that is taken for the one that `is` lacks,
			   or ODO_NONE */
	uint32_t start; /* first switch of `is` that is looked at */
	uint64_t steps;
	bool *paired, *taken; /* switches of `is`, of `plan` */
} walker;

static void step_walks(const odo_fabric *f, const float *now, float *next)
{
	for (uint32_t v = 0; v < f->n_switches; v++) {
		next[v] = 0;
		for (uint32_t i = f->first_slot[v]; i < f->first_slot[v + 1]; i++) {
			uint32_t to = odo_next_switch(f, i);
			next[v] += to == ODO_NONE ? 0 : now[to];
		}
	}
}

/* Add how much two fabrics' numbers differ, as a share of them. */
static void add_differences(walker *w)
{
	uint32_t n = w->plan->n_switches;
	for (uint32_t x = 0; x < w->is->n_switches; x++)
		for (uint32_t v = 0; v < n; v++) {
			float a = w->here[x], b = w->there[v];
			w->apart[(size_t)x * n + v] += a + b > 0 ? fabsf(a - b) / (a + b) : 0;
		}
}

static void move_walks(walker *w, const odo_fabric *f, float *now)
{
	step_walks(f, now, w->next);
	if (f == w->plan && w->gone != ODO_NONE)
		w->next[w->gone] = 0;
	for (uint32_t v = 0; v < f->n_switches; v++)
		now[v] = w->next[v];
}

static void count_walks(walker *w)
{
	for (unsigned length = 1; length <= LENGTH; length++) {
		move_walks(w, w->is, w->here);
		move_walks(w, w->plan, w->there);
		add_differences(w);
	}
}

/* Begin with hosts, and with walks from everywhere. */
static void begin_everywhere(const walker *w, const odo_fabric *f, float *now)
{
	for (uint32_t v = 0; v < f->n_switches; v++)
		now[v] = f == w->plan && v == w->gone ? 0 : 1 + (float)odo_hosts_of(f, v);
}

static void count_all_walks(walker *w)
{
	begin_everywhere(w, w->is, w->here);
	begin_everywhere(w, w->plan, w->there);
	add_differences(w);
	count_walks(w);
}

static void begin_at(const odo_fabric *f, uint32_t v, float *now)
{
	for (uint32_t i = 0; i < f->n_switches; i++)
		now[i] = i == v;
}

/* Add walks to the sums. Each length of each pair has a weight of its own, so that few sums are
 * alike by chance.
 * @param now where the walks begin */
static void sum_walks(walker *w, const odo_fabric *f, float *now, float *sum)
{
	for (unsigned length = 1; length <= LENGTH; length++) {
		float weight = 0.5f + fmodf(0.618034f * (float)(w->n_pairs * LENGTH + length), 1);
		move_walks(w, f, now);
		for (uint32_t u = 0; u < f->n_switches; u++)
			sum[u] += weight * log1pf(now[u]);
	}
	w->steps += (uint64_t)LENGTH * f->n_slots;
}

static int compare_floats(const void *a, const void *b)
{
	const float *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* @param v switch where the walks begin; ODO_NONE for all */
static void sort_with(walker *w, unsigned side, const odo_fabric *f, uint32_t v)
{
	uint32_t n = f->n_switches;
	float *now = side ? w->there : w->here;
	for (uint32_t i = 0; i < n; i++)
		w->sorted[side][i] = w->sum[side][i];
	if (v == ODO_NONE)
		begin_everywhere(w, f, now);
	else
		begin_at(f, v, now);
	sum_walks(w, f, now, w->sorted[side]);
	qsort(w->sorted[side], n, sizeof **w->sorted, compare_floats);
}

/* Compare the sums of both fabrics, sorted: how unlike would they be with this pair? */
static float compare_sums(const walker *w)
{
	uint32_t n = w->is->n_switches, m = w->plan->n_switches;
	float unlike = 0;
	uint32_t skip = m > n ? m - n : 0; /* the sum of a switch that is gone is the least */
	for (uint32_t i = 0; i < n; i++)
		unlike += fabsf(w->sorted[0][i] -
				w->sorted[1][skip ? i + skip : (uint64_t)i * m / n]);
	return unlike;
}

/* If one switch is lost, find it: without it the walks from everywhere are as many. */
static void find_gone(walker *w)
{
	float least = INFINITY;
	uint32_t best = ODO_NONE;
	if (w->plan->n_switches != w->is->n_switches + 1)
		return;
	sort_with(w, 0, w->is, ODO_NONE);
	for (uint32_t v = 0; v < w->plan->n_switches && w->steps < most_steps; v++) {
		w->gone = v;
		sort_with(w, 1, w->plan, ODO_NONE);
		float unlike = compare_sums(w);
		if (unlike >= least - same)
			continue;
		least = unlike;
		best = v;
	}
	w->gone = best;
	if (best != ODO_NONE)
		w->taken[best] = true;
}

static void take_walk_pair(walker *w, uint32_t x, uint32_t v)
{
	begin_at(w->is, x, w->here);
	begin_at(w->plan, v, w->there);
	add_differences(w);
	count_walks(w);
	begin_at(w->is, x, w->here);
	begin_at(w->plan, v, w->there);
	sum_walks(w, w->is, w->here, w->sum[0]);
	sum_walks(w, w->plan, w->there, w->sum[1]);
	w->n_pairs++;
	w->paired[x] = w->taken[v] = true;
}

/* Among places that are as near as the nearest, find that one whose walks are most like. */
static uint32_t choose_place(walker *w, uint32_t x, uint32_t nearest)
{
	const float *apart = w->apart + (size_t)x * w->plan->n_switches;
	float least = INFINITY;
	uint32_t best = nearest;
	sort_with(w, 0, w->is, x);
	for (uint32_t v = 0; v < w->plan->n_switches && w->steps < most_steps; v++) {
		if (w->taken[v] || fabsf(apart[v] - apart[nearest]) >= same)
			continue;
		sort_with(w, 1, w->plan, v);
		float unlike = compare_sums(w);
		if (unlike >= least - same)
			continue;
		least = unlike;
		best = v;
	}
	return best;
}

/* Find the nearest place of a switch that is still free.
 * @param alike set if another one is as near */
static uint32_t nearest_place(const walker *w, uint32_t x, bool *alike)
{
	uint32_t n = w->plan->n_switches, best = ODO_NONE;
	const float *apart = w->apart + (size_t)x * n;
	for (uint32_t v = 0; v < n; v++) {
		if (w->taken[v])
			continue;
		if (best != ODO_NONE && fabsf(apart[v] - apart[best]) < same)
			*alike = true;
		else if (best == ODO_NONE || apart[v] < apart[best]) {
			best = v;
			*alike = false;
		}
	}
	return best;
}

/* Find the switch that is nearest to one of several places that are alike. Of equal ones the first
 * counts, from another switch on in each try.
 * @return false if there is none */
static bool find_walk_pair(const walker *w, uint32_t *x, uint32_t *v)
{
	float least = INFINITY;
	uint32_t n = w->is->n_switches;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t y = (i + w->start) % n;
		bool alike = false;
		uint32_t u = w->paired[y] ? ODO_NONE : nearest_place(w, y, &alike);
		float apart = alike ? w->apart[(size_t)y * w->plan->n_switches + u] : INFINITY;
		if (apart >= least - same)
			continue;
		least = apart;
		*x = y;
		*v = u;
	}
	return least < INFINITY;
}

typedef struct waiting {
	float apart;
	uint32_t x;
} waiting;

static int compare_waiting(const void *a, const void *b)
{
	const waiting *x = a, *y = b;
	if (x->apart != y->apart)
		return x->apart < y->apart ? -1 : 1;
	return (x->x > y->x) - (x->x < y->x);
}

/* Give the other switches the nearest places that are free, the surest first. */
static void place_the_rest(walker *w, waiting *list, uint32_t *back)
{
	uint32_t n = 0;
	bool alike;
	for (uint32_t x = 0; x < w->is->n_switches; x++) {
		uint32_t v = w->paired[x] ? ODO_NONE : nearest_place(w, x, &alike);
		if (v != ODO_NONE)
			list[n++] = (waiting){w->apart[(size_t)x * w->plan->n_switches + v], x};
	}
	if (n)
		qsort(list, n, sizeof *list, compare_waiting);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = nearest_place(w, list[i].x, &alike);
		if (v == ODO_NONE)
			return;
		w->taken[v] = true;
		back[list[i].x] = v;
	}
}

static void place_by_walks(walker *w, waiting *list, uint32_t *back)
{
	uint32_t x = 0, v = 0;
	find_gone(w);
	count_all_walks(w);
	for (unsigned i = 0; i < MOST_PAIRS && find_walk_pair(w, &x, &v); i++) {
		v = choose_place(w, x, v);
		take_walk_pair(w, x, v);
		back[x] = v;
	}
	place_the_rest(w, list, back);
}

int odo_match_walks(const odo_fabric *plan, const odo_fabric *is, unsigned attempt, uint32_t *back)
{
	uint32_t n = plan->n_switches, k = is->n_switches, most = n > k ? n : k;
	walker w = {.plan = plan, .is = is, .gone = ODO_NONE};
	for (uint32_t x = 0; x < k; x++)
		back[x] = ODO_NONE;
	if (most > MOST_SWITCHES)
		return 0;
	w.start = attempt * (k / ODO_WALK_ATTEMPTS);
	w.apart = odo_arena_new(&w.memory, (size_t)n * k, sizeof *w.apart);
	w.here = odo_arena_new(&w.memory, k, sizeof *w.here);
	w.there = odo_arena_new(&w.memory, n, sizeof *w.there);
	w.next = odo_arena_new(&w.memory, most, sizeof *w.next);
	for (unsigned side = 0; side < 2; side++) {
		w.sum[side] = odo_arena_new(&w.memory, most, sizeof **w.sum);
		w.sorted[side] = odo_arena_new(&w.memory, most, sizeof **w.sorted);
	}
	w.paired = odo_arena_new(&w.memory, k, sizeof *w.paired);
	w.taken = odo_arena_new(&w.memory, n, sizeof *w.taken);
	waiting *list = odo_arena_new(&w.memory, k, sizeof *list);
	int status = w.memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		place_by_walks(&w, list, back);
	odo_arena_free(&w.memory);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/dragonfly/moved.h"

#include <string.h>

#include "base/arena.h"
#include "mapping/dragonfly/dragonfly.h"
#include "mapping/graph/shares.h"

/* If more than this share of the switches has few links in its group, the groups are not
 * credible. */
static const odo_share unsure = {1, 3};
/* Limit for links visited by trying every move once: a few milliseconds. */
#define MOST_WORK 300000u
enum {
	WORK_OF_WEIGHING = 8, /* links visited in the time of weighing one link */
	DEEPEST = 2,          /* switches moved together if no single move is better */
};

/* The move of one switch to a group. */
typedef struct step {
	uint32_t v, to;
} step;

/* Quality of groups: few repairs first, then a short description. */
typedef struct account {
	uint64_t repairs;
	double saving;
} account;

/* A few moves, and the quality of the groups after them. */
typedef struct plan {
	step steps[DEEPEST];
	unsigned n;
	account then;
} plan;

typedef struct mover {
	const odo_links *g;
	uint32_t *of;      /* [n] group of each vertex; owned by the caller */
	uint32_t *size;    /* [n] by group */
	uint32_t *movable; /* vertices with few links in their group */
	uint32_t n_movable;
	uint32_t largest; /* size of the largest group */
} mover;

static void measure_groups(mover *x)
{
	const odo_links *g = x->g;
	memset(x->size, 0, g->n * sizeof *x->size);
	x->largest = x->n_movable = 0;
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t n = ++x->size[x->of[v]];
		x->largest = n > x->largest ? n : x->largest;
	}
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t inside = 0;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			inside += x->of[g->to[a]] == x->of[v];
		if (!odo_majority(inside, x->largest - 1))
			x->movable[x->n_movable++] = v;
	}
}

/* Weigh the present groups. */
static int weigh_groups(const mover *x, odo_finding *h, odo_error *err)
{
	*h = (odo_finding){.g = x->g, .kind = ODO_KIND_DRAGONFLY};
	odo_charge(x->g->budget, WORK_OF_WEIGHING * (uint64_t)x->g->n_edges);
	int status = odo_dragonfly_place(x->g, x->of, &h->placement, err);
	if (!status)
		status = odo_placement_index(x->g, &h->placement, SIZE_MAX, err);
	return status ? status : odo_finding_weigh(h, err);
}

/* Return the number of global cables that most switches have. */
static uint32_t usual_global(const odo_finding *h)
{
	uint32_t count[256] = {0}, usual = 0;
	odo_finding_count_global(h, true, count);
	for (uint32_t n = 0; n < 256; n++)
		usual = count[n] > count[usual] ? n : usual;
	return usual;
}

/* Count missing switches, missing cables and excess cables. Global cables of missing switches are
 * not counted again. */
static account take_account(const odo_finding *h)
{
	uint64_t groups = h->placement.size[0], pairs = groups * (groups - 1) / 2;
	uint64_t absent = h->placement.n_positions - h->n_placed;
	uint64_t lacking = (pairs - h->n_pairs) * h->least_width, excess = 0;
	for (uint32_t i = 0; i < h->n_pairs; i++) {
		uint32_t n = h->pair[i].n_cables;
		lacking += n < h->least_width ? h->least_width - n : 0;
		excess += n > h->width[0] ? n - h->width[0] : 0;
	}
	uint64_t gone = absent * usual_global(h);
	lacking -= gone < lacking ? gone : lacking;
	return (account){absent + h->n_expected - h->n_fitting + h->n_wrong + lacking + excess,
			 odo_finding_saving(h)};
}

static bool account_is_better(account a, account b)
{
	return a.repairs != b.repairs ? a.repairs < b.repairs : a.saving > b.saving + 1e-6;
}

static void carry_out_step(mover *x, step s)
{
	x->size[x->of[s.v]]--;
	x->size[s.to]++;
	x->of[s.v] = s.to;
}

static int try_all_moves(mover *x, unsigned depth, plan *now, plan *best, odo_error *err);

/* Try one move after those of the plan, and moves that may follow it. */
static int try_step(mover *x, step s, unsigned depth, plan *now, plan *best, odo_error *err)
{
	step back = {s.v, x->of[s.v]};
	odo_finding h;
	carry_out_step(x, s);
	int status = weigh_groups(x, &h, err);
	now->steps[now->n++] = s;
	if (!status)
		now->then = take_account(&h);
	odo_finding_clear(&h);
	if (!status && account_is_better(now->then, best->then))
		*best = *now;
	if (!status && depth > 1)
		status = try_all_moves(x, depth - 1, now, best, err);
	now->n--;
	carry_out_step(x, back);
	return status;
}

/* Try to move every movable switch to every group with room, or to a new one.
 * @param best replaced by better plans */
static int try_all_moves(mover *x, unsigned depth, plan *now, plan *best, odo_error *err)
{
	bool alone = false; /* one group without members suffices */
	int status = 0;
	for (uint32_t c = 0; c < x->g->n && !status; c++) {
		if (x->size[c] == x->largest || (!x->size[c] && alone))
			continue;
		alone |= !x->size[c];
		for (uint32_t i = 0; i < x->n_movable && !status; i++)
			if (x->of[x->movable[i]] != c && x->size[c] < x->largest &&
			    odo_may_go_on(x->g->budget))
				status = try_step(x, (step){x->movable[i], c}, depth, now, best,
						  err);
	}
	return status;
}

/* Return the number of links visited when every move is tried once. */
static uint64_t work_of_moves(const mover *x, unsigned depth)
{
	uint64_t n_moves = 0, all = 1;
	for (uint32_t c = 0; c < x->g->n; c++)
		n_moves += x->size[c] && x->size[c] < x->largest;
	n_moves = (n_moves + 1) * x->n_movable;
	while (depth--)
		all = all > MOST_WORK ? all : all * n_moves;
	return all * x->g->n_edges;
}

/* Move switches until no move is better. */
static int move_until_best(mover *x, odo_finding *h, odo_error *err)
{
	int status = weigh_groups(x, h, err);
	for (unsigned depth = 1;
	     !status && depth <= DEEPEST && work_of_moves(x, depth) <= MOST_WORK;) {
		plan now = {.n = 0}, best = {.then = take_account(h)};
		status = try_all_moves(x, depth, &now, &best, err);
		for (unsigned i = 0; i < best.n && !status; i++)
			carry_out_step(x, best.steps[i]);
		depth = best.n ? 1 : depth + 1;
		measure_groups(x);
		odo_finding_clear(h);
		status = status ? status : weigh_groups(x, h, err);
	}
	return status;
}

int odo_dragonfly_move(const odo_links *g, uint32_t *of, odo_finding *h, odo_error *err)
{
	odo_arena memory = {0};
	mover x = {.g = g,
		   .of = of,
		   .size = odo_arena_new(&memory, g->n, sizeof *x.size),
		   .movable = odo_arena_new(&memory, g->n, sizeof *x.movable)};
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for groups") : 0;
	*h = (odo_finding){0};
	if (!status)
		measure_groups(&x);
	if (!status && x.n_movable && !odo_exceeds(x.n_movable, unsure, g->n) &&
	    work_of_moves(&x, 1) <= MOST_WORK)
		status = move_until_best(&x, h, err);
	odo_arena_free(&memory);
	return status;
}

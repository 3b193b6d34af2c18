/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cables moved to wrong ports. */
#include "fabric/transform/transform.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/transform/plan.h"
#include "base/random.h"

/* State while cables are moved. No cable is moved twice. */
typedef struct crossing {
	const odo_fabric *f;
	uint32_t *peer;
	uint32_t *links, n_links; /* lower slots of the cables not moved yet */
	uint32_t *free, n_free;   /* slots of switches without a cable */
	odo_miscabling moved;
} crossing;

static bool adjacent(const crossing *x, uint32_t a, uint32_t b)
{
	for (uint32_t s = x->f->first_slot[a]; s < x->f->first_slot[a + 1]; s++)
		if (odo_neighbour(x->f, s) == b ||
		    (x->peer[s] != ODO_NONE && x->f->owner[x->peer[s]] == b))
			return true;
	return false;
}

/* Return true if a cable between these slots would be recognisably wrong, because no other cable
 * joins the two switches. Beside a right cable nothing would distinguish the wrong one. */
static bool visibly_wrong(const crossing *x, uint32_t slot_a, uint32_t slot_b)
{
	uint32_t a = x->f->owner[slot_a], b = x->f->owner[slot_b];
	return a != b && !adjacent(x, a, b);
}

static void plug(crossing *x, uint32_t a, uint32_t b)
{
	x->peer[a] = b;
	x->peer[b] = a;
	x->moved.slot[x->moved.n][0] = a;
	x->moved.slot[x->moved.n++][1] = b;
}

static uint32_t take_item(uint32_t *items, uint32_t *n, uint32_t at)
{
	uint32_t item = items[at];
	items[at] = items[--*n];
	return item;
}

/* Attempts to place a wrong cable. They suffice unless nearly all switches are adjacent. */
#define TRIES 1000

static bool swap_two(crossing *x, odo_rng *rng)
{
	for (unsigned i = 0; i < TRIES && x->n_links > 1; i++) {
		uint32_t at = odo_rng_below(rng, x->n_links), bt = odo_rng_below(rng, x->n_links);
		uint32_t a = x->links[at], c = x->links[bt], b = x->peer[a], d = x->peer[c];
		if (odo_rng_below(rng, 2)) { /* either end may be the far one */
			uint32_t held = c;
			c = d;
			d = held;
		}
		if (at == bt || !visibly_wrong(x, a, d) || !visibly_wrong(x, c, b))
			continue;
		take_item(x->links, &x->n_links, at > bt ? at : bt);
		take_item(x->links, &x->n_links, at > bt ? bt : at);
		plug(x, a, d);
		plug(x, c, b);
		return true;
	}
	return false;
}

static bool move_one(crossing *x, odo_rng *rng)
{
	for (unsigned i = 0; i < TRIES && x->n_links && x->n_free; i++) {
		uint32_t at = odo_rng_below(rng, x->n_links), to = odo_rng_below(rng, x->n_free);
		uint32_t a = x->links[at], b = x->peer[a];
		if (odo_rng_below(rng, 2)) {
			uint32_t held = a;
			a = b;
			b = held;
		}
		if (!visibly_wrong(x, a, x->free[to]))
			continue;
		take_item(x->links, &x->n_links, at);
		x->peer[b] = ODO_NONE;
		plug(x, a, take_item(x->free, &x->n_free, to));
		return true;
	}
	return false;
}

static void move_cables(crossing *x, uint32_t n, uint64_t seed)
{
	odo_rng swaps = odo_rng_make(seed, ODO_DRAW_SWAPS),
		moves = odo_rng_make(seed, ODO_DRAW_MOVES);
	while (x->moved.n + 1 < n / 2 + n % 2 && swap_two(x, &swaps))
		;
	while (x->moved.n < n && move_one(x, &moves))
		;
	while (x->moved.n + 1 < n && swap_two(x, &swaps))
		;
}

static int start_crossing(const odo_fabric *f, odo_plan *plan, crossing *x, odo_error *err)
{
	uint32_t end = f->first_slot[f->n_switches];
	x->f = f;
	x->peer = plan->peer;
	x->links = odo_arena_new(&plan->memory, f->n_links, sizeof *x->links);
	x->free = odo_arena_new(&plan->memory, end, sizeof *x->free);
	x->moved.slot = odo_new(f->n_links, sizeof *x->moved.slot);
	if (plan->memory.failed || !x->moved.slot)
		return odo_fail(err, ODO_ENOMEM, "no memory to miscable a fabric");
	x->n_links = odo_plan_links(f, NULL, x->links);
	for (uint32_t s = 0; s < end; s++)
		if (f->peer[s] == ODO_NONE)
			x->free[x->n_free++] = s;
	return 0;
}

int odo_fabric_miscable(const odo_fabric *in, double share, uint64_t seed, odo_fabric **out,
			odo_miscabling *moved, odo_error *err)
{
	if (!odo_is_share(share))
		return odo_fail(err, ODO_EINPUT, "expected a share from 0 to 1, found %g", share);
	odo_plan plan = {0};
	crossing x = {0};
	int status = odo_plan_make(in, &plan, err);
	if (!status)
		status = start_crossing(in, &plan, &x, err);
	if (!status) {
		move_cables(&x, (uint32_t)lround(share * x.n_links), seed);
		status = odo_plan_carry_out(in, &plan, out, NULL, err);
	}
	if (!status && moved) {
		*moved = x.moved;
		x.moved.slot = NULL;
	}
	free(x.moved.slot);
	odo_plan_clear(&plan);
	return status;
}

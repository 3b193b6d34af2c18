/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Proof of an adaptive routing (adaptive.h): for every LID, all channels that its packets can
 * come to hold are found by following every choice from every host. Each must offer a way on,
 * and only ways that exist.
 *
 * Without escape channels no cycle may exist among all dependencies found, which also rules
 * out livelock. With them Duato's condition for virtual cut-through is asked for, where a
 * packet holds one buffer at a time: an escape channel is offered in every state, and the
 * dependencies of escape channels on escape channels have no cycle.
 *
 * Cost: LIDs x channels x ways on. LIDs that the engine calls alike (adaptive.h) are followed
 * once per switch, and the claim is checked on a sample of states.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "fabric/random.h"
#include "routing/adaptive.h"
#include "routing/verify_internal.h"

/* States on which LIDs that are called alike are compared. */
#define N_SAMPLES 32u
/* Switches up to which the longest path is measured; beyond, the dependencies bound it. */
#define SMALL_FABRIC 512u

/* A state is a channel into a switch: slot that sends * n_vls + VL, hosts' slots included. */
typedef struct step {
	uint32_t from, to; /* states */
	bool escape;
} step;

typedef struct explorer {
	const odo_tables *t;
	const odo_fabric *f;
	odo_verdict *verdict;
	const odo_dependencies *deps; /* of escape channels only, where there are any */
	const uint32_t *part;
	unsigned n_vls;
	bool keeps_steps;
	uint32_t *next; /* [slots of switches] switch at the far end, or ODO_NONE */
	/* For the LID at hand. By state: */
	uint8_t *seen;     /* 1 reached, 2 as an escape channel */
	uint32_t *waiting; /* ways into it that are not counted yet */
	uint32_t *hops;    /* most links between switches before it */
	uint32_t *first;   /* its steps */
	uint32_t *n_ways;
	uint32_t *queue, *ready; /* states reached */
	uint32_t n_states;
	step *steps;
	size_t steps_room;
	uint32_t n_steps;
	odo_candidate *way, *other;
} explorer;

static uint32_t state_at(const explorer *x, uint32_t state)
{
	return x->f->owner[x->f->peer[state / x->n_vls]];
}

static unsigned ways_from(const explorer *x, uint32_t state, uint32_t lid, odo_candidate *way)
{
	return x->t->adaptive->candidates(x->t, state_at(x, state),
					  odo_port(x->f, x->f->peer[state / x->n_vls]),
					  state % x->n_vls, lid, way);
}

static void lost(explorer *x, uint32_t state, uint32_t lid, const char *why)
{
	uint32_t s = state_at(x, state);
	x->verdict->delivers = false;
	odo_verdict_fail(x->verdict,
			 "LID %u from port %u, VL %u of switch \"%s\" (GUID 0x%016llx): %s", lid,
			 odo_port(x->f, x->f->peer[state / x->n_vls]), state % x->n_vls,
			 odo_name(x->f, s), (unsigned long long)x->f->node_guid[s], why);
}

static inline bool vl_exists(explorer *x, uint32_t slot, unsigned vl, uint32_t lid)
{
	if (__builtin_expect(vl < x->n_vls && vl < x->f->n_vls[slot], 1))
		return true;
	x->verdict->within_vls = false;
	odo_verdict_fail(x->verdict, "LID %u needs VL %u at port %u of \"%s\", which has %u", lid,
			 vl, odo_port(x->f, slot), odo_name(x->f, x->f->owner[slot]),
			 x->f->n_vls[slot]);
	return false;
}

static inline void enter(explorer *x, uint32_t state)
{
	if (x->seen[state])
		return;
	x->seen[state] = 1;
	x->queue[x->n_states++] = state;
	if (x->keeps_steps)
		x->waiting[state] = x->hops[state] = x->n_ways[state] = 0;
}

/* Delivered, if the only way on is the LID's own port. */
static void arrive(explorer *x, uint32_t state, uint32_t lid, unsigned n)
{
	const odo_fabric *f = x->f;
	unsigned port = f->lid_port[lid];
	if (n != 1 || x->way[0].port != port) {
		lost(x, state, lid, "is not delivered where it should be");
		return;
	}
	if (port)
		vl_exists(x, odo_slot(f, f->lid_switch[lid], port), x->way[0].vl, lid);
}

/* One way on of a state: checked, and the state that it leads to entered. ODO_NONE where it
 * does not exist. */
static inline uint32_t follow(explorer *x, uint32_t state, uint32_t s, uint32_t lid,
			      const odo_candidate *way)
{
	const odo_fabric *f = x->f;
	uint32_t slot = f->first_slot[s] + way->port - 1u;
	if (!way->port || slot >= f->first_slot[s + 1] || x->next[slot] == ODO_NONE) {
		lost(x, state, lid, "a way on leads to no switch");
		return ODO_NONE;
	}
	if (!vl_exists(x, slot, way->vl, lid))
		return ODO_NONE;
	uint32_t to = slot * x->n_vls + way->vl;
	enter(x, to);
	return to;
}

/* Without escape channels every way is a dependency, of channels between switches. This spares
 * two thirds of the time. */
static void follow_all(explorer *x, uint32_t state, uint32_t s, uint32_t lid, unsigned n)
{
	uint32_t slot = state / x->n_vls;
	bool from_switch = odo_is_switch(x->f, x->f->owner[slot]);
	for (unsigned i = 0; i < n; i++)
		if (follow(x, state, s, lid, &x->way[i]) != ODO_NONE && from_switch)
			odo_depend(x->deps, slot, state % x->n_vls, x->way[i].port, x->way[i].vl);
}

/* With them, and in small fabrics to measure paths, steps are kept: which are dependencies
 * shows when all states are known. */
static int keep_all(explorer *x, uint32_t state, uint32_t s, uint32_t lid, unsigned n)
{
	bool escapes = !x->t->adaptive->has_escape;
	if (odo_grow(&x->steps, &x->steps_room, x->n_steps + (size_t)n, sizeof *x->steps))
		return ODO_ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		uint32_t to = follow(x, state, s, lid, &x->way[i]);
		escapes |= x->way[i].escape;
		if (to == ODO_NONE)
			continue;
		if (x->way[i].escape)
			x->seen[to] = 2;
		x->waiting[to]++;
		x->n_ways[state]++;
		x->steps[x->n_steps++] = (step){state, to, x->way[i].escape};
	}
	if (!escapes) {
		x->verdict->deadlock_free = false;
		lost(x, state, lid, "no escape channel is offered");
	}
	return 0;
}

static int expand(explorer *x, uint32_t state, uint32_t lid)
{
	uint32_t s = state_at(x, state);
	unsigned n = ways_from(x, state, lid, x->way);
	if (x->keeps_steps)
		x->first[state] = x->n_steps;
	if (!n || n > ODO_MAX_CANDIDATES)
		lost(x, state, lid, "no way on");
	else if (s == x->f->lid_switch[lid])
		arrive(x, state, lid, n);
	else if (x->keeps_steps)
		return keep_all(x, state, s, lid, n);
	else
		follow_all(x, state, s, lid, n);
	return 0;
}

/* All channels, or escape channels that wait for escape channels. */
static void depend(explorer *x)
{
	bool escape = x->t->adaptive->has_escape;
	for (uint32_t i = 0; i < x->n_steps; i++) {
		step e = x->steps[i];
		uint32_t from = e.from / x->n_vls, to = e.to / x->n_vls;
		if (!odo_is_switch(x->f, x->f->owner[from]) ||
		    (escape && (x->seen[e.from] != 2 || !e.escape)))
			continue;
		odo_depend(x->deps, from, e.from % x->n_vls, odo_port(x->f, to), e.to % x->n_vls);
	}
}

/* The longest path, in topological order. States on or behind a cycle never come up: with
 * escape channels a packet may go round, and then there is no bound. Without them the graph of
 * dependencies itself gives the bound (verify.c). */
static void measure(explorer *x)
{
	uint32_t head = 0, tail = 0, longest = 0;
	for (uint32_t i = 0; i < x->n_states; i++)
		if (!x->waiting[x->queue[i]])
			x->ready[tail++] = x->queue[i];
	while (head < tail) {
		uint32_t state = x->ready[head++];
		for (uint32_t j = 0; j < x->n_ways[state]; j++) {
			uint32_t to = x->steps[x->first[state] + j].to;
			if (x->hops[to] < x->hops[state] + 1)
				x->hops[to] = x->hops[state] + 1;
			if (!--x->waiting[to])
				x->ready[tail++] = to;
		}
		if (x->hops[state] > longest)
			longest = x->hops[state];
	}
	if (tail < x->n_states)
		longest = ODO_NONE;
	if (longest > x->verdict->max_hops)
		x->verdict->max_hops = longest;
}

/* Every host of the connected part sends to the LID. */
static void inject(explorer *x, uint32_t lid)
{
	const odo_fabric *f = x->f;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		if (x->part[odo_host_switch(f, h)] != x->part[f->lid_switch[lid]])
			continue;
		unsigned vl = x->t->adaptive->inject(x->t, h, lid);
		if (vl_exists(x, f->host_slot[h], vl, lid))
			enter(x, f->host_slot[h] * x->n_vls + vl);
	}
}

static int explore(explorer *x, uint32_t lid)
{
	for (uint32_t i = 0; i < x->n_states; i++)
		x->seen[x->queue[i]] = 0;
	x->n_states = x->n_steps = 0;
	inject(x, lid);
	for (uint32_t i = 0; i < x->n_states; i++)
		if (expand(x, x->queue[i], lid))
			return ODO_ENOMEM;
	if (x->keeps_steps) {
		depend(x);
		measure(x);
	}
	return 0;
}

/* Another LID of the same switch, called alike: its own delivery, and a sample of states. */
static void compare(explorer *x, uint32_t lid, uint32_t followed)
{
	odo_rng rng = odo_rng_make(lid, followed);
	for (uint32_t i = 0; i < N_SAMPLES && x->n_states; i++) {
		uint32_t state = x->queue[odo_rng_below(&rng, x->n_states)];
		unsigned n = ways_from(x, state, lid, x->way);
		if (state_at(x, state) == x->f->lid_switch[lid]) {
			arrive(x, state, lid, n);
			continue;
		}
		unsigned m = ways_from(x, state, followed, x->other);
		if (n != m || memcmp(x->way, x->other, n * sizeof *x->way))
			lost(x, state, lid, "ways differ from those of a LID called alike");
	}
}

/* The LIDs of one switch. */
static int explore_switch(explorer *x, const uint32_t *lids, uint32_t n)
{
	const odo_adaptive *a = x->t->adaptive;
	for (uint32_t i = 0; i < n; i++) {
		bool first = true;
		for (uint32_t j = 0; a->alike && j < i && first; j++)
			first = a->alike(x->t, lids[i]) != a->alike(x->t, lids[j]);
		if (!first)
			continue;
		if (explore(x, lids[i]))
			return ODO_ENOMEM;
		for (uint32_t j = i + 1; a->alike && j < n; j++)
			if (a->alike(x->t, lids[i]) == a->alike(x->t, lids[j]))
				compare(x, lids[j], lids[i]);
	}
	return 0;
}

static int explore_all(explorer *x)
{
	const odo_fabric *f = x->f;
	uint32_t *start = odo_new(f->n_switches + 2ul, sizeof *start);
	uint32_t *lids = odo_new(f->lid_count, sizeof *lids);
	int status = start && lids ? 0 : ODO_ENOMEM;
	for (uint32_t lid = 0; !status && lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE)
			start[f->lid_switch[lid] + 2]++;
	for (uint32_t s = 2; !status && s < f->n_switches + 2; s++)
		start[s] += start[s - 1];
	for (uint32_t lid = 0; !status && lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE)
			lids[start[f->lid_switch[lid] + 1]++] = lid;
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		status = explore_switch(x, lids + start[s], start[s + 1] - start[s]);
	free(start);
	free(lids);
	return status;
}

static int allocate(explorer *x, odo_error *err)
{
	size_t n = (size_t)x->f->n_slots * x->n_vls;
	size_t slots = x->f->first_slot[x->f->n_switches];
	x->next = odo_new(slots, sizeof *x->next);
	for (uint32_t i = 0; x->next && i < slots; i++)
		x->next[i] = odo_next_switch(x->f, i);
	x->seen = odo_new(n, 1);
	x->waiting = odo_new(n, sizeof *x->waiting);
	x->hops = odo_new(n, sizeof *x->hops);
	x->first = odo_new(n, sizeof *x->first);
	x->n_ways = odo_new(n, sizeof *x->n_ways);
	x->queue = odo_new(n, sizeof *x->queue);
	x->ready = odo_new(n, sizeof *x->ready);
	x->way = odo_new(ODO_MAX_CANDIDATES, sizeof *x->way);
	x->other = odo_new(ODO_MAX_CANDIDATES, sizeof *x->other);
	return x->next && x->seen && x->waiting && x->hops && x->first && x->n_ways && x->queue &&
			       x->ready && x->way && x->other
		       ? 0
		       : odo_fail(err, ODO_ENOMEM, "no memory to verify");
}

static void clear(explorer *x)
{
	free(x->next);
	free(x->seen);
	free(x->waiting);
	free(x->hops);
	free(x->first);
	free(x->n_ways);
	free(x->queue);
	free(x->ready);
	free(x->way);
	free(x->other);
	free(x->steps);
}

bool odo_verify_keeps_steps(const odo_tables *t)
{
	return t->adaptive->has_escape || t->fabric->n_switches <= SMALL_FABRIC;
}

int odo_verify_adaptive(const odo_tables *t, const uint32_t *part, const odo_dependencies *deps,
			odo_verdict *verdict, odo_error *err)
{
	explorer x = {.t = t,
		      .f = t->fabric,
		      .verdict = verdict,
		      .deps = deps,
		      .part = part,
		      .n_vls = t->n_vls,
		      .keeps_steps = odo_verify_keeps_steps(t)};
	int status = allocate(&x, err);
	if (!status && explore_all(&x))
		status = odo_fail(err, ODO_ENOMEM, "no memory to verify");
	clear(&x);
	return status;
}

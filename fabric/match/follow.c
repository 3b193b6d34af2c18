/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Structure alone: a pair of switches is taken for the same place, and equal port numbers lead to
 * further pairs. A pair that two cables lead to is taken before one with a single cable, so that a
 * wrong cable misleads little. */
#include "fabric/match/match.h"

#include <string.h>

/* First switches that are tried, and contradictions that end a try, beside half of what agrees. */
enum { MOST_STARTS = 12, FIRST_CONTRADICTIONS = 8 };

typedef struct follower {
	odo_arena memory;
	const odo_fabric *plan, *is;
	uint32_t *forth, *back;  /* pairs of this try, and of earlier ones that were kept */
	uint32_t *rival, *votes; /* [switches of `plan`] candidate, and majority of its votes */
	uint32_t *queue, n_queue, next;
	uint32_t *waiting, n_waiting; /* switches of `plan` with one vote */
	uint32_t agree, contradict;
} follower;

static bool may_pair(const follower *w, uint32_t v, uint32_t x)
{
	return w->forth[v] == ODO_NONE && w->back[x] == ODO_NONE;
}

static void take_pair(follower *w, uint32_t v, uint32_t x)
{
	w->forth[v] = x;
	w->back[x] = v;
	w->queue[w->n_queue++] = v;
}

/* Count a vote for a pair, by the rule of Boyer and Moore: one candidate a switch. */
static void vote_pair(follower *w, uint32_t v, uint32_t x)
{
	if (!may_pair(w, v, x))
		return;
	if (!w->votes[v]) {
		w->rival[v] = x;
		w->waiting[w->n_waiting++] = v;
	}
	if (w->rival[v] != x) {
		w->votes[v]--;
		return;
	}
	if (++w->votes[v] > 1)
		take_pair(w, v, x);
}

/* Compare a port of a pair of switches. Hosts may be away. */
static void compare_port(follower *w, uint32_t s, uint32_t a)
{
	uint32_t v = odo_next_switch(w->plan, s), x = odo_next_switch(w->is, a);
	bool hosts = v == ODO_NONE && x == ODO_NONE;
	bool alike = v != ODO_NONE && x != ODO_NONE &&
		     odo_port(w->plan, w->plan->peer[s]) == odo_port(w->is, w->is->peer[a]) &&
		     (w->forth[v] == x || may_pair(w, v, x));
	if (hosts && (w->plan->peer[s] == ODO_NONE || w->is->peer[a] == ODO_NONE))
		return;
	w->agree += alike || hosts;
	w->contradict += !alike && !hosts;
	if (alike)
		vote_pair(w, v, x);
}

static void follow_ports(follower *w, uint32_t v, uint32_t x)
{
	unsigned n = odo_n_ports(w->plan, v), m = odo_n_ports(w->is, x);
	for (unsigned port = 1; port <= n && port <= m; port++)
		compare_port(w, odo_slot(w->plan, v, port), odo_slot(w->is, x, port));
}

/* Take the earliest pair with one vote. */
static bool take_waiting(follower *w, uint32_t *first)
{
	while (*first < w->n_waiting) {
		uint32_t v = w->waiting[(*first)++];
		if (!w->votes[v] || !may_pair(w, v, w->rival[v]))
			continue;
		take_pair(w, v, w->rival[v]);
		return true;
	}
	return false;
}

static void undo_follow(follower *w, bool pairs)
{
	for (uint32_t i = 0; i < w->n_waiting; i++)
		w->votes[w->waiting[i]] = 0;
	for (uint32_t i = 0; i < w->n_queue && pairs; i++) {
		w->back[w->forth[w->queue[i]]] = ODO_NONE;
		w->forth[w->queue[i]] = ODO_NONE;
	}
}

/* Follow cables from a pair until too much contradicts it.
 * @return true if the pairs are to be kept; they are, then */
static bool follow_from(follower *w, uint32_t v, uint32_t x)
{
	uint32_t first = 0;
	w->n_queue = w->next = w->n_waiting = w->agree = w->contradict = 0;
	take_pair(w, v, x);
	while (w->contradict <= FIRST_CONTRADICTIONS + w->agree / 2 &&
	       (w->next < w->n_queue || take_waiting(w, &first))) {
		uint32_t u = w->queue[w->next++];
		follow_ports(w, u, w->forth[u]);
	}
	bool kept = w->next == w->n_queue && 2 * w->contradict < w->agree;
	undo_follow(w, !kept);
	return kept;
}

static bool find_start(follower *w, uint32_t x)
{
	for (uint32_t v = 0; v < w->plan->n_switches; v++)
		if (may_pair(w, v, x) && follow_from(w, v, x))
			return true;
	return false;
}

int odo_match_follow(const odo_fabric *plan, const odo_fabric *is, uint32_t *back)
{
	uint32_t n = plan->n_switches, starts = 0;
	follower w = {.plan = plan, .is = is, .back = back};
	odo_arena *memory = &w.memory;
	w.forth = odo_arena_new(memory, n, sizeof *w.forth);
	w.rival = odo_arena_new(memory, n, sizeof *w.rival);
	w.votes = odo_arena_new(memory, n, sizeof *w.votes);
	w.queue = odo_arena_new(memory, n, sizeof *w.queue);
	/* A switch waits again each time its votes have come to nothing: once a cable at most. */
	w.waiting = odo_arena_new(memory, plan->n_slots, sizeof *w.waiting);
	for (uint32_t v = 0; v < n && !memory->failed; v++)
		w.forth[v] = ODO_NONE;
	for (uint32_t x = 0; x < is->n_switches && !memory->failed && starts < MOST_STARTS; x++)
		if (back[x] == ODO_NONE)
			starts += !find_start(&w, x);
	int status = memory->failed ? ODO_ENOMEM : 0;
	odo_arena_free(memory);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/turns.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Form of the path from a switch to the current LID. */
typedef enum course { OPEN, DOWN, UP_AND_DOWN, TURNS, NOWHERE } course;

typedef struct walker {
	const odo_tables *t;
	const odo_coordinates *c;
	uint32_t *lid;   /* [n_switches] LID of a host at the switch; 0 without a host */
	uint8_t *course; /* [n_switches] */
	uint32_t *stack; /* [n_switches] */
} walker;

static uint32_t level_of(const walker *x, uint32_t s)
{
	return odo_at(x->c, s)[ODO_TREE_LEVEL];
}

static uint32_t switch_after(const walker *x, uint32_t s, uint32_t lid)
{
	const odo_fabric *f = x->t->fabric;
	uint8_t port = odo_next_port(x->t, s, lid);
	return port && port <= odo_n_ports(f, s) ? odo_next_switch(f, odo_slot(f, s, port))
						 : ODO_NONE;
}

static course course_before(const walker *x, uint32_t s, uint32_t next)
{
	course then = (course)x->course[next];
	if (then == NOWHERE || level_of(x, s) == level_of(x, next))
		return then == NOWHERE ? NOWHERE : TURNS;
	if (level_of(x, s) < level_of(x, next))
		return then == TURNS ? TURNS : UP_AND_DOWN;
	return then == DOWN ? DOWN : TURNS;
}

/* Follow a path. Its switches count as NOWHERE until the result is known: imported tables may
 * loop. */
static void follow_to_lid(walker *x, uint32_t s, uint32_t lid)
{
	uint32_t n = 0, next;
	for (; x->course[s] == OPEN; s = next) {
		next = switch_after(x, s, lid);
		x->course[s] = NOWHERE;
		x->stack[n++] = s;
		if (next == ODO_NONE)
			break;
	}
	while (n--) {
		next = switch_after(x, x->stack[n], lid);
		if (next != ODO_NONE)
			x->course[x->stack[n]] = (uint8_t)course_before(x, x->stack[n], next);
	}
}

/* Return the LID of some host of a switch whose level is known, or 0. */
static uint32_t lid_at(const walker *x, uint32_t s)
{
	const odo_fabric *f = x->t->fabric;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (f->slot_host[i] < f->n_senders && level_of(x, s) != ODO_NONE)
			return f->port_lid[f->host_slot[f->slot_host[i]]];
	return 0;
}

static void count_to(walker *x, uint32_t d, odo_turns *turns)
{
	memset(x->course, OPEN, x->t->fabric->n_switches);
	x->course[d] = DOWN;
	for (uint32_t s = 0; s < x->t->fabric->n_switches; s++) {
		if (s == d || !x->lid[s])
			continue;
		follow_to_lid(x, s, x->lid[d]);
		turns->n_pairs++;
		turns->n_turned += x->course[s] == TURNS;
	}
}

int odo_turns_count(const odo_tables *t, const odo_coordinates *c, odo_turns *turns, odo_error *err)
{
	uint32_t n = t->fabric->n_switches;
	walker x = {.t = t,
		    .c = c,
		    .lid = odo_new(n, sizeof *x.lid),
		    .course = odo_new(n, sizeof *x.course),
		    .stack = odo_new(n, sizeof *x.stack)};
	bool room = x.lid && x.course && x.stack, tree = c && c->kind == ODO_KIND_FATTREE;
	*turns = (odo_turns){0};
	for (uint32_t s = 0; room && tree && s < n; s++)
		x.lid[s] = lid_at(&x, s);
	for (uint32_t d = 0; room && tree && d < n; d++)
		if (x.lid[d])
			count_to(&x, d, turns);
	free(x.lid);
	free(x.course);
	free(x.stack);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory to follow paths of a tree");
}

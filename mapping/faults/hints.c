/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/hints.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/rails.h"
#include "mapping/graph/shares.h"

/* Bits by which it is too unlikely that a port is free on all switches of a level by chance: as
 * LEAST_SAVING in judge.c. */
#define UNLIKELY 6

/* So large a share of the cables up that leaves could have is a layer that was not bought: 9 of 18
 * at two hosts to a cable up. Damage takes fewer spines. */
static const odo_share not_bought = {1, 3};

typedef struct list {
	odo_hint *hint;
	uint32_t n;
	size_t room;
} list;

__attribute__((format(printf, 3, 4))) static int add_hint(list *l, bool strong, const char *form,
							  ...)
{
	if (odo_grow(&l->hint, &l->room, (size_t)l->n + 1, sizeof *l->hint))
		return ODO_ENOMEM;
	odo_hint *hint = &l->hint[l->n++];
	va_list values;
	va_start(values, form);
	vsnprintf(hint->text, sizeof hint->text, form, values);
	va_end(values);
	hint->strong = strong;
	return 0;
}

/* The dimension of this name; n_dims for none. */
static unsigned dimension_named(const odo_coordinates *c, const char *name)
{
	const char *const *names = odo_kind_of(c->kind)->dimensions;
	unsigned dim = 0;
	while (dim < c->n_dims && !(names && !strcmp(names[dim], name)))
		dim++;
	return dim;
}

/* Ports of the switches of one level. */
typedef struct level {
	uint32_t number, n;
	uint32_t used[ODO_MAX_PORTS + 1], up[ODO_MAX_PORTS + 1]; /* by how many; to switches */
	uint32_t count[ODO_MAX_PORTS + 1]; /* switches by their cables to others */
	uint32_t ports, hosts;             /* of the largest; of all of them */
	uint64_t all_ports, all_used;
	uint32_t poorest; /* the switch with the fewest cables to others */
	uint32_t fewest;
} level;

static void count_ports(const odo_fabric *f, uint32_t s, level *x)
{
	uint32_t cables = 0, ports = f->first_slot[s + 1] - f->first_slot[s];
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		unsigned port = odo_port(f, i);
		bool far = odo_next_switch(f, i) != ODO_NONE;
		x->used[port] += f->peer[i] != ODO_NONE;
		x->all_used += f->peer[i] != ODO_NONE;
		x->up[port] += far;
		cables += far;
	}
	x->count[cables]++;
	x->hosts += odo_hosts_of(f, s);
	x->all_ports += ports;
	x->ports = ports > x->ports ? ports : x->ports;
	if (!x->n++ || cables < x->fewest) {
		x->fewest = cables;
		x->poorest = s;
	}
}

static uint32_t usual_level_cables(const level *x)
{
	uint32_t best = 0;
	for (uint32_t cables = 1; cables <= ODO_MAX_PORTS; cables++)
		best = x->count[cables] >= x->count[best] ? cables : best;
	return best;
}

/* Most have as many cables as each other, and a few have less: so it is where a neighbour is lost.
 * A switch with less than half was attached, or lost cables of its own. */
static int find_poor(const odo_fabric *f, const level *x, list *l)
{
	uint32_t usual = usual_level_cables(x), fewer = 0, few = 0;
	for (uint32_t cables = 0; cables < usual; cables++) {
		fewer += x->count[cables];
		few += 2 * cables < usual ? x->count[cables] : 0;
	}
	if (!fewer || !odo_majority(x->count[usual], x->n))
		return 0;
	return add_hint(l, fewer > few,
			"most switches of level %u have %u cables to other switches; %u of %u have "
			"fewer, such as \"%s\" with %u",
			x->number, usual, fewer, x->n, odo_name(f, x->poorest), x->fewest);
}

static void print_port(char *text, size_t room, unsigned port)
{
	size_t used = strlen(text);
	if (used + 12 < room)
		snprintf(text + used, room - used, "%s%u", used ? ", " : "", port);
}

/* Is the port between two that lead to switches? */
static bool is_gap(const level *x, unsigned port)
{
	bool below = false, above = false;
	for (unsigned p = 1; p <= x->ports; p++) {
		below |= p < port && x->up[p];
		above |= p > port && x->up[p];
	}
	return below && above;
}

/* Ports that are free on all switches of a level, where each uses other ports by chance seldom. */
static int find_free_columns(const level *x, list *l)
{
	char ports[60] = "";
	uint32_t n = 0, gaps = 0, usual = usual_level_cables(x);
	double is_free = 1 - (double)x->all_used / (double)x->all_ports;
	if (x->n < 2 || -(double)x->n * log2(is_free) - log2(x->ports) < UNLIKELY)
		return 0;
	for (unsigned p = 1; p <= x->ports; p++)
		if (!x->used[p]) {
			n++;
			gaps += is_gap(x, p);
			print_port(ports, sizeof ports, p);
		}
	if (!n)
		return 0;
	/* Leaves with as many hosts as cables up, were these ports not free; or a spare port where
	 * ports are all for leaves, fewer than one would keep to grow. */
	bool balanced = x->hosts == (uint64_t)(usual + n) * x->n &&
			!odo_reaches(n, not_bought, usual + n);
	bool few = !x->hosts && n * ODO_RARE <= x->ports;
	return add_hint(
		l, gaps || balanced || few,
		"all %u switches of level %u have %s free (%s); a switch that was there may be "
		"missing",
		x->n, x->number, n == 1 ? "the same port" : "the same ports", ports);
}

static int check_levels(const odo_fabric *f, const odo_coordinates *c, list *l)
{
	unsigned dim = dimension_named(c, "level");
	int status = 0;
	for (uint32_t number = 0; dim < c->n_dims && number < c->size[dim] && !status; number++) {
		level x = {.number = number};
		for (uint32_t s = 0; s < f->n_switches; s++)
			if (odo_at(c, s)[dim] == number)
				count_ports(f, s, &x);
		if (x.n && c->kind == ODO_KIND_FATTREE)
			status = find_poor(f, &x, l);
		if (x.n && !status)
			status = find_free_columns(&x, l);
	}
	return status;
}

static bool is_dragonfly(const odo_coordinates *c)
{
	return c->kind == ODO_KIND_DRAGONFLY;
}

/* Groups or pods by how many switches they have: of one level, or of all. */
typedef struct parts {
	uint32_t n, usual, fewer;
	uint32_t few;   /* with less than half of the usual number */
	uint32_t small; /* with at most half, and no splinters */
	uint32_t first, first_has;
	uint32_t *have, *seen;
} parts;

static void count_parts(const odo_coordinates *c, unsigned part, unsigned dim, uint32_t number,
			parts *x)
{
	for (uint32_t s = 0; s < c->n_switches; s++) {
		const uint32_t *at = odo_at(c, s);
		if (at[part] != ODO_NONE && (dim == c->n_dims || at[dim] == number))
			x->have[at[part]]++;
	}
	for (uint32_t i = 0; i < x->n; i++)
		if (++x->seen[x->have[i]] > x->seen[x->usual] || x->seen[x->usual] == 0)
			x->usual = x->have[i];
	for (uint32_t i = x->n; i-- > 0;) {
		if (x->have[i] >= x->usual)
			continue;
		x->fewer++;
		x->few += 2 * x->have[i] < x->usual;
		x->small += 2 * x->have[i] <= x->usual && !odo_is_splinter(x->have[i], x->usual);
		x->first = i;
		x->first_has = x->have[i];
	}
}

/* Report pods, or groups of a Dragonfly+, with fewer switches of a level than most. A part with
 * less than half gives a weak hint: a gateway between spines is no pod. In a dragonfly, groups that
 * lack a few switches are faults already, so the hint is about halves. */
static int judge_parts(const odo_coordinates *c, const char *name, uint32_t number, const parts *x,
		       list *l)
{
	if (!x->fewer || !odo_majority(x->seen[x->usual], x->n))
		return 0;
	if (is_dragonfly(c))
		return !x->small
			       ? 0
			       : add_hint(l, true,
					  "%u of %u groups have half as many switches as most, or "
					  "fewer; most have %u, group %u has %u",
					  x->small, x->n, x->usual, x->first, x->first_has);
	return add_hint(l, x->fewer > x->few,
			"%u of %u %ss have fewer switches of level %u than most, which have "
			"%u; %s %u has %u",
			x->fewer, x->n, name, number, x->usual, name, x->first, x->first_has);
}

static int check_parts(const odo_coordinates *c, const char *name, uint32_t number, list *l)
{
	unsigned part = is_dragonfly(c) ? 0 : dimension_named(c, name);
	unsigned dim = dimension_named(c, "level");
	if (part >= c->n_dims || c->size[part] < 3)
		return 0;
	parts x = {.n = c->size[part],
		   .have = odo_new(c->size[part], sizeof *x.have),
		   .seen = odo_new((size_t)c->n_switches + 1, sizeof *x.seen)};
	int status = x.have && x.seen ? 0 : ODO_ENOMEM;
	if (!status) {
		count_parts(c, part, dim, number, &x);
		status = judge_parts(c, name, number, &x, l);
	}
	free(x.have);
	free(x.seen);
	return status;
}

/* Machines with fewer adapters than most. */
static int check_machines(const odo_fabric *f, list *l, odo_error *err)
{
	odo_rails rails;
	int status = odo_rails_find(f, &rails, err);
	if (status)
		return status;
	uint32_t count[ODO_MAX_PORTS + 1] = {0}, usual = 0, fewer = 0, one = ODO_NONE;
	for (uint32_t m = 0; rails.n && m < rails.n_machines; m++) {
		uint32_t n = rails.first[m + 1] - rails.first[m];
		n = n < ODO_MAX_PORTS ? n : ODO_MAX_PORTS;
		usual = ++count[n] > count[usual] ? n : usual;
	}
	for (uint32_t m = 0; rails.n && m < rails.n_machines; m++)
		if (rails.first[m + 1] - rails.first[m] < usual) {
			fewer++;
			one = one == ODO_NONE ? m : one;
		}
	if (fewer && odo_majority(count[usual], rails.n_machines)) {
		uint32_t host = rails.host[rails.first[one]];
		status = add_hint(l, true,
				  "%u of %u machines have fewer adapters than most, which have %u; "
				  "that of \"%s\" has %u",
				  fewer, rails.n_machines, usual,
				  odo_name(f, f->owner[f->host_slot[host]]),
				  rails.first[one + 1] - rails.first[one]);
	}
	odo_rails_clear(&rails);
	return status;
}

int odo_hints_find(const odo_fabric *f, const odo_coordinates *c, odo_hint **hints, uint32_t *n,
		   odo_error *err)
{
	list l = {0};
	int status = check_levels(f, c, &l);
	if (!status && !is_dragonfly(c))
		status = check_parts(c, "pod", 0, &l);
	for (uint32_t number = 0; number < (is_dragonfly(c) ? 1 : 2) && !status; number++)
		status = check_parts(c, "group", number, &l);
	if (!status)
		status = check_machines(f, &l, err);
	*hints = l.hint;
	*n = l.n;
	return status ? odo_fail(err, status, "no memory for hints") : 0;
}

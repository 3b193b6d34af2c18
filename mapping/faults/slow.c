/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/slow.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mapping/faults/faults.h"
#include "mapping/graph/shares.h"

/* Classes in addition to dimensions: all cables between switches, and cables to hosts. */
enum { BETWEEN = ODO_MAX_DIMS, HOSTS, N_CLASSES };

enum { MOST_LANES = 12, N_SPEEDS = ODO_XDR + 1 };

/* Cables of one width and speed. */
typedef struct cell {
	uint32_t n, slot; /* number of cables, and the slot of one */
} cell;

typedef struct class
{
	cell cell[MOST_LANES + 1][N_SPEEDS];
	uint32_t n;     /* cables */
	uint32_t usual; /* slot of a cable of the usual rate; ODO_NONE in an empty class */
	uint32_t slow;  /* this rate and lower ones are slow; 0: none */
} class;

/* Cables of a switch or adapter, and the rate of the fastest. */
typedef struct node {
	uint32_t n_cables, most;
} node;

static uint32_t rate_of_lanes(unsigned lanes, unsigned speed)
{
	return lanes * odo_lane_rate((uint8_t)speed);
}

static bool is_loop(const odo_fabric *f, uint32_t slot)
{
	return odo_neighbour(f, slot) == f->owner[slot];
}

static bool has_known_rate(const odo_fabric *f, uint32_t slot)
{
	bool known = f->width[slot] <= MOST_LANES && odo_cable_rate(f, slot);
	return f->peer[slot] != ODO_NONE && f->peer[slot] > slot && known && !is_loop(f, slot);
}

/* Return the class with which a cable is compared; N_CLASSES for none. */
static unsigned class_of_cable(const odo_fabric *f, const odo_coordinates *c, uint32_t slot)
{
	if (f->slot_host[slot] < f->n_senders)
		return HOSTS;
	if (!odo_is_switch(f, f->owner[slot]) || odo_next_switch(f, slot) == ODO_NONE)
		return N_CLASSES;
	return c->port_class[slot] < c->n_dims ? c->port_class[slot] : BETWEEN;
}

static void count_cable_rate(class *at, const odo_fabric *f, uint32_t slot)
{
	cell *x = &at->cell[f->width[slot]][f->speed[slot]];
	if (!x->n++)
		x->slot = slot;
	at->n++;
}

static void count_all_cables(const odo_fabric *f, const odo_coordinates *c, class *classes)
{
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		unsigned k = has_known_rate(f, slot) ? class_of_cable(f, c, slot) : N_CLASSES;
		if (k == N_CLASSES)
			continue;
		count_cable_rate(&classes[k], f, slot);
		if (k < BETWEEN)
			count_cable_rate(&classes[BETWEEN], f, slot);
	}
}

/* Count the cables of a class at rates from `low` to `high`. */
static uint32_t count_in_range(const class *k, uint32_t low, uint32_t high)
{
	uint32_t n = 0;
	for (unsigned lanes = 1; lanes <= MOST_LANES; lanes++)
		for (unsigned speed = 1; speed < N_SPEEDS; speed++) {
			uint32_t rate = rate_of_lanes(lanes, speed);
			n += rate >= low && rate <= high ? k->cell[lanes][speed].n : 0;
		}
	return n;
}

static void find_usual_rate(class *k)
{
	uint32_t most = 0, best = 0;
	k->usual = ODO_NONE;
	for (unsigned lanes = 1; lanes <= MOST_LANES; lanes++)
		for (unsigned speed = 1; speed < N_SPEEDS; speed++) {
			const cell *x = &k->cell[lanes][speed];
			uint32_t rate = rate_of_lanes(lanes, speed);
			uint32_t n = x->n ? count_in_range(k, rate, rate) : 0;
			if (n > most || (n && n == most && rate < best)) {
				most = n;
				best = rate;
				k->usual = x->slot;
			}
		}
}

static void find_slow(const odo_fabric *f, class *k)
{
	uint32_t usual = k->usual == ODO_NONE ? 0 : odo_cable_rate(f, k->usual);
	for (unsigned lanes = 1; lanes <= MOST_LANES; lanes++)
		for (unsigned speed = 1; speed < N_SPEEDS; speed++) {
			uint32_t rate = rate_of_lanes(lanes, speed);
			if (k->cell[lanes][speed].n && rate < usual && rate > k->slow &&
			    count_in_range(k, 0, rate) <= odo_at_least_rare(k->n))
				k->slow = rate;
		}
}

/* Collect the nodes. Return NULL without memory. */
static node *know_nodes(const odo_fabric *f)
{
	node *nodes = odo_new(f->n_nodes, sizeof *nodes);
	for (uint32_t slot = 0; nodes && slot < f->n_slots; slot++) {
		node *x = &nodes[f->owner[slot]];
		uint32_t rate = odo_cable_rate(f, slot);
		if (f->peer[slot] == ODO_NONE || is_loop(f, slot))
			continue;
		x->n_cables++;
		x->most = rate > x->most ? rate : x->most;
	}
	return nodes;
}

/* Return true if the node may be unable to do more than this rate. */
static bool is_most(const node *x, uint32_t rate)
{
	return x->n_cables > 1 && x->most <= rate;
}

static odo_fault *add_cable_fault(const odo_fabric *f, uint32_t slot, odo_fault_type type,
				  odo_faults *list)
{
	odo_fault *fault = odo_faults_add(list, type);
	for (unsigned side = 0; fault && side < 2; side++) {
		fault->slot[side] = side ? f->peer[slot] : slot;
		fault->node[side] = f->owner[fault->slot[side]];
	}
	return fault;
}

static int add_slow(const odo_fabric *f, const odo_coordinates *c, const class *classes,
		    odo_faults *list)
{
	node *nodes = know_nodes(f);
	int status = nodes ? 0 : ODO_ENOMEM;
	for (uint32_t slot = 0; slot < f->n_slots && !status; slot++) {
		unsigned k = has_known_rate(f, slot) ? class_of_cable(f, c, slot) : N_CLASSES;
		uint32_t rate = odo_cable_rate(f, slot);
		if (k == N_CLASSES || rate > classes[k].slow ||
		    is_most(&nodes[f->owner[slot]], rate) ||
		    is_most(&nodes[odo_neighbour(f, slot)], rate))
			continue;
		odo_fault *fault = add_cable_fault(f, slot, ODO_FAULT_SLOW_LINK, list);
		if (fault)
			fault->usual = classes[k].usual;
		else
			status = ODO_ENOMEM;
	}
	free(nodes);
	return status;
}

/* Add loops in a fabric of unknown kind. In a known kind they are wrong cables already. */
static int add_loops(const odo_fabric *f, odo_faults *list)
{
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		if (is_loop(f, slot) && f->peer[slot] > slot &&
		    !add_cable_fault(f, slot, ODO_FAULT_WRONG_LINK, list))
			return ODO_ENOMEM;
	return 0;
}

int odo_faults_of_rates(const odo_fabric *f, odo_coordinates *c, odo_error *err)
{
	odo_faults list = {c->faults, c->n_faults, c->n_faults};
	class *classes = odo_new(N_CLASSES, sizeof *classes);
	int status = classes ? 0 : ODO_ENOMEM;
	bool any = false;
	if (!status)
		count_all_cables(f, c, classes);
	for (unsigned k = 0; k < N_CLASSES && !status; k++) {
		find_usual_rate(&classes[k]);
		find_slow(f, &classes[k]);
		any |= classes[k].slow > 0;
	}
	if (!status && c->kind == ODO_KIND_UNKNOWN)
		status = add_loops(f, &list);
	if (!status && any)
		status = add_slow(f, c, classes, &list);
	free(classes);
	c->faults = list.fault;
	c->n_faults = list.n;
	return status ? odo_fail(err, status, "no memory for slow cables") : 0;
}

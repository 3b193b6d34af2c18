/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One trial of mapping: make a fabric, shuffle it, do things to it, map it, compare. */
#ifndef ODONATA_TESTS_MAPPING_TRIAL_H
#define ODONATA_TESTS_MAPPING_TRIAL_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fabric/transform/plan.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"

#include "compare.h"

typedef struct trial {
	const char *spec;
	odo_damage damage; /* its seed shuffles too */
	double miscabled;
	uint32_t unbought; /* switches at the end of the last row that were never there */
} trial;

typedef struct outcome {
	odo_fabric *fabric, *before; /* before miscabling; NULL where there was none */
	odo_coordinates *truth, *found;
	odo_miscabling moved;
	odo_error why; /* the first difference */
	bool right;
} outcome;

static inline void outcome_clear(outcome *o)
{
	odo_fabric_free(o->fabric);
	odo_fabric_free(o->before);
	odo_coordinates_free(o->truth);
	odo_coordinates_free(o->found);
	free(o->moved.slot);
	*o = (outcome){0};
}

/* Without the last `n` switches in the generator's order, and all hosts. */
static inline int trial_leave_out(const odo_fabric *f, uint32_t n, odo_fabric **out,
				  odo_origin *origin, odo_error *err)
{
	odo_plan plan = {0};
	int status = odo_plan_make(f, &plan, err);
	if (!status) {
		plan.n_nodes = f->n_switches - n;
		status = odo_plan_carry_out(f, &plan, out, origin, err);
	}
	odo_plan_clear(&plan);
	return status;
}

/* The fabric of a trial and its true coordinates, mapping not yet run. */
static inline int trial_prepare(const trial *t, outcome *o, odo_error *err)
{
	odo_fabric *whole = NULL, *damaged = NULL, *shuffled = NULL, *part = NULL;
	odo_coordinates *c[2] = {0}, *bought = NULL;
	odo_origin origin[2] = {0}, kept = {0};
	*o = (outcome){0};
	int status = odo_topology_generate(t->spec, 0, &whole, &c[0], err);
	if (!status && t->unbought) {
		status = trial_leave_out(whole, t->unbought, &part, &kept, err);
		if (!status)
			status = odo_coordinates_carry(c[0], part, &kept, &bought, err);
		odo_fabric_free(whole);
		odo_coordinates_free(c[0]);
		odo_origin_free(&kept);
		whole = part;
		c[0] = bought;
	}
	if (!status)
		status = odo_fabric_damage(whole, &t->damage, &damaged, &origin[0], err);
	if (!status)
		status = odo_coordinates_carry(c[0], damaged, &origin[0], &c[1], err);
	if (!status)
		status = odo_fabric_shuffle(damaged, t->damage.seed, &shuffled, &origin[1], err);
	if (!status)
		status = odo_coordinates_carry(c[1], shuffled, &origin[1], &o->truth, err);
	if (!status && t->miscabled > 0) {
		o->before = shuffled;
		shuffled = NULL;
		status = odo_fabric_miscable(o->before, t->miscabled, t->damage.seed, &o->fabric,
					     &o->moved, err);
	} else if (!status) {
		o->fabric = shuffled;
		shuffled = NULL;
	}
	odo_fabric_free(whole);
	odo_fabric_free(damaged);
	odo_fabric_free(shuffled);
	odo_coordinates_free(c[0]);
	odo_coordinates_free(c[1]);
	odo_origin_free(&origin[0]);
	odo_origin_free(&origin[1]);
	return status;
}

/* Returns 0 where mapping ran, right or not. */
static inline int trial_run(const trial *t, outcome *o, odo_error *err)
{
	int status = trial_prepare(t, o, err);
	if (!status)
		status = odo_map(o->fabric, &o->found, err);
	if (status)
		return status;
	o->right = same_coordinates(o->fabric, o->found, o->truth, &o->why);
	if (o->found->kind == ODO_KIND_UNKNOWN)
		odo_fail(&o->why, ODO_EUNKNOWN, "unknown: %s", o->found->reason);
	return 0;
}

/* Wrong cables that were put in; that are reported; and of those the ones put in, and those that
 * come with the place they belong to. */
typedef struct cables {
	unsigned moved, reported, hit, belongs;
} cables;

static inline void cables_count(const outcome *o, cables *sum)
{
	uint8_t *moved = calloc(o->fabric->n_slots, 1);
	for (uint32_t i = 0; i < o->moved.n; i++)
		moved[o->moved.slot[i][0]] = moved[o->moved.slot[i][1]] = 1;
	sum->moved += o->moved.n;
	for (uint32_t i = 0; i < o->found->n_faults; i++) {
		const odo_fault *fault = &o->found->faults[i];
		if (fault->type != ODO_FAULT_WRONG_LINK)
			continue;
		sum->reported++;
		sum->hit += moved[fault->slot[0]];
		sum->belongs += fault->belongs[0] != ODO_NONE || fault->belongs[1] != ODO_NONE;
	}
	free(moved);
}

/** Seconds of processor time. */
static inline double trial_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
